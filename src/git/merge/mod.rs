//! What landing would do, predicted by git itself: one `merge-tree` batch for all shadows of a target.
//! Nothing is checked out and no driver of the repository's own runs; results go to the private store.

use super::{
    Repository,
    drivers::untrusted_in,
    private,
    refs::{self, Reading},
};
use crate::{
    report::{Code, Report},
    review::{Conflict, ConflictKind, Entry, Mode},
    shadow::{Oid, RepoPath},
};

mod kinds;
mod versions;

/// One merge, worked out.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Prediction {
    /// The merged tree; with conflicts, the one that holds git's markers.
    pub tree: Oid,
    pub clean: bool,
    /// By path; one entry a name that the reader knows.
    pub conflicts: Vec<Conflict>,
    pub messages: Vec<Message>,
}

/// What git says of some paths.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Message {
    pub paths: Vec<RepoPath>,
    /// git's stable short name, as `CONFLICT (contents)`.
    pub kind: String,
    pub text: String,
}

/// Merges one side (a commit, maybe of the private store) with the target.
pub fn predict_one(
    repository: &Repository,
    target: &Oid,
    side: &Oid,
) -> Result<Prediction, Report> {
    if refs::merge_bases_in(&private::local(repository)?, target, side)?.is_empty() {
        return Err(unrelated(target, side));
    }
    predict_related(repository, target, &[side])?
        .pop()
        .ok_or_else(|| malformed("it answered nothing"))
}

/// What git says of a side without any history in common with the target.
pub fn unrelated(target: &Oid, side: &Oid) -> Report {
    Report::user(
        Code::UnsupportedRepository,
        format!(
            "{} and {} have no common history, and git refuses to merge such",
            side.abbreviated(),
            target.abbreviated()
        ),
    )
    .unchanged()
    .hint("rebase its commits onto the target by hand, or name another target")
}

fn malformed(why: &str) -> Report {
    Report::environment(Code::GitFailed, format!("git merge-tree was not understood: {why}"))
}

/// Merges each side with the target. All have history in common with it: one that has not would end the batch.
pub fn predict_related(
    repository: &Repository,
    target: &Oid,
    sides: &[&Oid],
) -> Result<Vec<Prediction>, Report> {
    let pairs: Vec<[&Oid; 2]> = sides.iter().map(|side| [target, *side]).collect();
    predict_pairs(repository, target, &pairs)
}

/// Merges each two, by the attributes of one commit. Each two have history in common: one that has not would end the
/// batch, and with it the answers to all.
pub fn predict_pairs(
    repository: &Repository,
    attributes_of: &Oid,
    pairs: &[[&Oid; 2]],
) -> Result<Vec<Prediction>, Report> {
    let lines: Vec<_> = pairs.iter().map(|[one, other]| format!("{one} {other}\n")).collect();
    predict(repository, attributes_of, &lines, pairs)
}

/// The same of one pair.
pub fn predict_pair(
    repository: &Repository,
    attributes_of: &Oid,
    pair: [&Oid; 2],
) -> Result<Prediction, Report> {
    predict_pairs(repository, attributes_of, &[pair])?
        .pop()
        .ok_or_else(|| malformed("it answered nothing"))
}

/// What a commit changed since its parent, put onto another: as a rebase does.
pub fn predict_step(
    repository: &Repository,
    target: &Oid,
    [parent, onto, commit]: [&Oid; 3],
) -> Result<Prediction, Report> {
    let line = format!("{parent} -- {onto} {commit}\n");
    predict(repository, target, &[line], &[[onto, commit]])?
        .pop()
        .ok_or_else(|| malformed("it answered nothing"))
}

/// One process for all; each line asks for one merge, and git names its sides as in `labels`.
fn predict(
    repository: &Repository,
    attributes_of: &Oid,
    lines: &[String],
    labels: &[[&Oid; 2]],
) -> Result<Vec<Prediction>, Report> {
    if lines.is_empty() {
        return Ok(Vec::new());
    }
    private::ensure(repository)?;
    let mut git =
        repository.planning("merge-tree").global(format!("--attr-source={attributes_of}"));
    for driver in untrusted_in(repository, &repository.settings) {
        git = driver.silence(git);
    }
    let output =
        git.args(["--write-tree", "--messages", "--stdin", "-z"]).input(lines.concat()).run()?;
    let mut fields = Fields(&output.stdout);
    let mut predictions = Vec::with_capacity(labels.len());
    let is_renamed = |conflict: &Conflict| conflict.kind == ConflictKind::RenameRename;
    for labels in labels {
        let parsed = parse_merge(&mut fields, labels);
        let mut prediction = parsed.reading("git merge-tree's answer")?;
        if prediction.conflicts.iter().any(is_renamed) {
            let local = private::local(repository)?;
            versions::fill(&local, *labels, &mut prediction.conflicts)?;
        }
        predictions.push(prediction);
    }
    Ok(predictions)
}

/// NUL-terminated fields.
struct Fields<'a>(&'a [u8]);

impl<'a> Fields<'a> {
    fn next(&mut self) -> Result<&'a [u8], &'static str> {
        let end = self.0.iter().position(|byte| *byte == 0).ok_or("it ends early")?;
        let (field, rest) = self.0.split_at(end);
        self.0 = &rest[1..];
        Ok(field)
    }

    fn text(&mut self) -> Result<String, &'static str> {
        self.next().map(|field| String::from_utf8_lossy(field).into_owned())
    }
}

/// A stage of one conflicted path.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Stage {
    /// 1 base, 2 target, 3 shadow.
    number: u8,
    entry: Entry,
    path: RepoPath,
}

/// `status NUL tree NUL (mode oid stage TAB path NUL)* NUL (count NUL path* type NUL text NUL)* NUL`
fn parse_merge(fields: &mut Fields<'_>, labels: &[&Oid]) -> Result<Prediction, &'static str> {
    let clean = match fields.next()? {
        b"1" => true,
        b"0" => false,
        _ => return Err("a merge begins with neither 0 nor 1"),
    };
    let tree = Oid::parse(&fields.text()?).ok_or("the tree is no object id")?;
    let mut stages = Vec::new();
    loop {
        let field = fields.next()?;
        if field.is_empty() {
            break;
        }
        stages.push(parse_stage(field).ok_or("a conflicted file has no mode, id and stage")?);
    }
    let mut messages = Vec::new();
    loop {
        let count = fields.text()?;
        if count.is_empty() {
            break;
        }
        let count: usize = count.parse().map_err(|_| "a message's paths are not counted")?;
        let paths =
            (0..count).map(|_| fields.next().map(RepoPath::new)).collect::<Result<Vec<_>, _>>()?;
        let kind = fields.text()?;
        let text = fields.text()?.trim_end().to_owned();
        messages.push(Message { paths, kind, text });
    }
    let conflicts = if clean { Vec::new() } else { kinds::conflicts(&stages, &messages, labels) };
    Ok(Prediction { tree, clean, conflicts, messages })
}

fn parse_stage(field: &[u8]) -> Option<Stage> {
    let tab = field.iter().position(|byte| *byte == b'\t')?;
    let head = std::str::from_utf8(&field[..tab]).ok()?;
    let mut parts = head.split(' ');
    let mode = Mode::parse_octal(parts.next()?)?;
    let oid = Oid::parse(parts.next()?)?;
    let number = parts.next()?.parse().ok()?;
    Some(Stage { number, entry: Entry { mode, oid }, path: RepoPath::new(&field[tab + 1..]) })
}

#[cfg(test)]
mod tests {
    use super::*;

    const ZERO: &str = "0000000000000000000000000000000000000000";

    #[test]
    fn a_batch_is_parsed_whole() {
        let text = format!(
            "1|{ZERO}|||0|{ZERO}|100644 {ZERO} 1\tm|100644 {ZERO} 2\tm|100644 {ZERO} 3\tm||1|m|Auto-merging|Auto-merging m\n\
             |1|m|CONFLICT (contents)|CONFLICT (content): Merge conflict in m\n||"
        );
        let bytes: Vec<u8> = text.bytes().map(|b| if b == b'|' { 0 } else { b }).collect();
        let mut fields = Fields(&bytes);
        let clean = parse_merge(&mut fields, &[]).unwrap();
        assert!(clean.clean && clean.conflicts.is_empty());
        let conflicted = parse_merge(&mut fields, &[]).unwrap();
        assert!(!conflicted.clean && fields.0.is_empty());
        assert_eq!(conflicted.messages.len(), 2);
        let [conflict] = &conflicted.conflicts[..] else { panic!("one conflict") };
        assert_eq!(conflict.kind, ConflictKind::Content);
        assert!(conflict.base.is_some() && conflict.target.is_some() && conflict.shadow.is_some());
    }
}
