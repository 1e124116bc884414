//! What a page's files are flagged and folded for once what lies outside their own change is known: the user's rules,
//! the task, the attributes of both sides, and the other files.

use std::collections::BTreeMap;

use super::{
    FileDiff,
    flag::{FileFlag, Finding, Flag},
    fold::{self, Marked},
    fold_rules::FoldRules,
    name::{systems_that_fold, visible_name},
    task, test_change,
    visible::visible_str,
};
use crate::shadow::RepoPath;

/// What attributes say of one path.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Attributes {
    /// Those of the target.
    pub marked: Marked,
    /// Those of the shadow that would keep the file out of somebody's sight: `-diff`, `export-ignore`.
    pub hide: Vec<String>,
}

/// What is known from elsewhere.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Given {
    pub rules: FoldRules,
    /// The paths that the task names; none where it names none.
    pub named: Vec<RepoPath>,
    pub attributes: BTreeMap<RepoPath, Attributes>,
    /// Of paths that another name stands beside which folds into the same: themselves, or the directory above them,
    /// and the other.
    pub twins: BTreeMap<RepoPath, [RepoPath; 2]>,
}

/// Completes the findings and folds of a whole page.
pub fn judge(files: &mut [FileDiff], given: &Given) {
    test_change::judge(files);
    for file in files {
        let attributes = given.attributes.get(&file.change.path);
        let hide = attributes.map_or(&[][..], |attributes| &attributes.hide);
        if !hide.is_empty() {
            let said = visible_str(&hide.join(" "));
            let why = format!("its .gitattributes say `{said}`, which is not obeyed here");
            file.findings.push(Finding::of_lines(Flag::HiddenByAttributes, why, []));
        }
        if let Some([own, twin]) = given.twins.get(&file.change.path) {
            let [own, twin] = [own, twin].map(RepoPath::as_bytes);
            let (on, own, twin) =
                (systems_that_fold(own, twin), visible_name(own), visible_name(twin));
            let why = format!("{own} and {twin} are one name on {on}");
            file.findings.push(Finding::of_lines(Flag::NameClash, why, []));
        }
        if is_outside(file, &given.named) {
            let named: Vec<String> =
                given.named.iter().take(3).map(|path| visible_name(path.as_bytes())).collect();
            let more = if given.named.len() > 3 { " and more" } else { "" };
            let why = format!("what its agent was asked for names {}{more}", named.join(", "));
            file.findings.push(Finding::of_lines(Flag::OutsideTask, why, []));
        }
        file.findings.sort_by_key(|finding| finding.flag);
        let marked = attributes.map(|attributes| attributes.marked).unwrap_or_default();
        file.fold = fold::find(&file.change, &file.content, &file.findings, &given.rules, marked);
    }
}

/// A lockfile follows what is inside, wherever that lies.
fn is_outside(file: &FileDiff, named: &[RepoPath]) -> bool {
    let paths = [Some(&file.change.path), file.change.old_path.as_ref()];
    !named.is_empty()
        && !fold::is_lockfile(file.change.path.as_bytes())
        && paths.into_iter().flatten().any(|path| !task::is_inside(path, named))
}

/// For a row of the list: every flag with its file, the gravest first.
pub fn file_flags(files: &[FileDiff]) -> Vec<FileFlag> {
    let mut all: Vec<FileFlag> = files
        .iter()
        .flat_map(|file| {
            file.findings.iter().map(|finding| FileFlag {
                path: file.change.path.clone(),
                flag: finding.flag,
                why: finding.why.clone(),
            })
        })
        .collect();
    all.sort_by(|one, other| (one.flag, &one.path).cmp(&(other.flag, &other.path)));
    all
}
