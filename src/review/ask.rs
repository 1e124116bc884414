//! A conflict as a comment for the agent: what is asked of it, and all three versions, so that nothing else has to be
//! looked up. Long versions are cut with a word; what is no text is named by its size and its object.

use super::{
    Conflict, ConflictFile, ConflictPage, Content, Entry, FileDiff, Mode,
    comment::{Change, Side, Spot},
    visible::visible,
};
use crate::shadow::RepoPath;

/// Of each of the three, its fences included: together they are a comment still.
const VERSION_BYTES_MAX: usize = 18_000;
/// Of a path or a subject.
const NAME_CHARS_MAX: usize = 300;

/// Asked about these versions before, it is refused: see [`super::comment::apply`].
pub fn change(page: &ConflictPage, file: &ConflictFile) -> Change {
    let path = place(page, &file.conflict).clone();
    let spot = Spot { path, old_path: None, side: Side::New, passage: None };
    let versions = versions(&file.conflict);
    Change::Ask { spot: Box::new(spot), text: text(page, file, &versions), versions }
}

/// Where the agent has the file: of one that both sides renamed, its own name.
fn place<'a>(page: &'a ConflictPage, conflict: &'a Conflict) -> &'a RepoPath {
    let is_own = |name: &&RepoPath| {
        page.files.iter().any(|file| file.conflict.path == **name && file.conflict.shadow.is_some())
    };
    let own = conflict.names.iter().find(is_own).filter(|_| conflict.shadow.is_none());
    own.unwrap_or(&conflict.path)
}

/// By these a conflict is known again.
fn versions(conflict: &Conflict) -> String {
    let [base, target, shadow] = conflict.sides().map(named);
    format!("base {base}, target {target}, shadow {shadow}")
}

fn named(entry: Option<&Entry>) -> String {
    entry.map_or("none".to_owned(), |entry| format!("{} {}", entry.mode.as_octal(), entry.oid))
}

fn text(page: &ConflictPage, file: &ConflictFile, versions: &str) -> String {
    let conflict = &file.conflict;
    let (id, target) = (name(page.id.0.as_bytes()), name(page.target.0.as_bytes()));
    let path = name(conflict.path.as_bytes());
    let mut text = format!(
        "{path} conflicts with {target} ({}).\n\n\
         Please settle it on your side: bring {target} into your branch (`git merge {target}`, or a rebase), keep what \
         both sides mean, commit, and say so with `shadowdeck notes {id} --resolve N`, N being the number of this \
         comment.\n\nComputed for {target} at {}, since {}.\n",
        conflict.kind.as_str(),
        page.before,
        page.base,
    );
    if let Some(step) = &page.step {
        let words = name(step.words().as_bytes());
        text.push_str(&format!("By rebase, at {words} ({}).\n", step.commit));
    }
    if !conflict.names.is_empty() {
        let names: Vec<_> = conflict.names.iter().map(|other| name(other.as_bytes())).collect();
        text.push_str(&format!("Other names of this file: {}.\n", names.join(", ")));
    }
    text.push_str(&format!("Versions: {versions}.\n"));
    let [target_diff, shadow_diff] = [file.target_diff.as_ref(), file.shadow_diff.as_ref()];
    let base = (target_diff.or(shadow_diff), Side::Old);
    let [in_base, in_target, in_shadow] = conflict.sides();
    for (whose, entry, (diff, side)) in [
        ("The base, before both", in_base, base),
        (&*format!("The target, {target}"), in_target, (target_diff, Side::New)),
        (&*format!("The shadow, {id}"), in_shadow, (shadow_diff, Side::New)),
    ] {
        text.push_str(&format!("\n{whose}:"));
        match entry {
            None => text.push_str(" it has no such file.\n"),
            Some(entry) => push_version(&mut text, entry, diff, side),
        }
    }
    text
}

fn name(bytes: &[u8]) -> String {
    let text = visible(bytes);
    match text.char_indices().nth(NAME_CHARS_MAX) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text,
    }
}

fn push_version(out: &mut String, entry: &Entry, diff: Option<&FileDiff>, side: Side) {
    let what = match diff.map(|diff| &diff.content) {
        _ if entry.mode == Mode::Submodule => "a submodule at this commit".to_owned(),
        Some(Content::Text { old, new, .. }) => {
            let text = if side == Side::Old { old } else { new };
            match str::from_utf8(text.as_bytes()) {
                Ok(text) => return push_text(out, text),
                Err(_) => format!("not UTF-8, {} bytes", text.as_bytes().len()),
            }
        }
        Some(Content::Binary { old_size, new_size }) => {
            let bytes = if side == Side::Old { old_size } else { new_size };
            bytes.map_or("binary".to_owned(), |bytes| format!("binary, {bytes} bytes"))
        }
        Some(Content::TooLarge { size_max, .. }) => {
            format!("not shown, more than {size_max} bytes")
        }
        Some(Content::Unreadable { why }) => format!("not readable: {}", name(why.as_bytes())),
        Some(Content::Submodule { .. }) | None => "not shown".to_owned(),
    };
    out.push_str(&format!(" {what}, {}.\n", entry.oid));
}

/// Readers know a fence of backticks best: so many in a row are still read as one.
const ORDINARY_RUN: usize = 20;

fn push_text(out: &mut String, text: &str) {
    if text.is_empty() {
        out.push_str(" empty.\n");
        return;
    }
    // Of the two marks the one that the content has less of in a row: both cannot fill it.
    let may_be_shown = cut(text, VERSION_BYTES_MAX);
    let [ticks, tildes] = ['`', '~'].map(|mark| longest_run(may_be_shown, mark));
    let (mark, run) =
        if ticks <= ORDINARY_RUN || ticks <= tildes { ("`", ticks) } else { ("~", tildes) };
    let fence = mark.repeat(run.max(2) + 1);
    let shown = cut(text, VERSION_BYTES_MAX.saturating_sub(2 * fence.len()));
    if shown.len() < text.len() {
        let (here, all) = (shown.len(), text.len());
        out.push_str(&format!(" cut here, the first {here} of {all} bytes."));
    } else if !text.ends_with('\n') {
        out.push_str(" it ends without a newline.");
    }
    let end = if shown.is_empty() || shown.ends_with('\n') { "" } else { "\n" };
    out.push_str(&format!("\n\n{fence}\n{shown}{end}{fence}\n"));
}

/// After a whole line, where there is one.
fn cut(text: &str, room: usize) -> &str {
    if text.len() <= room {
        return text;
    }
    let end = (0..=room).rev().find(|end| text.is_char_boundary(*end)).unwrap_or(0);
    let end = text[..end].rfind('\n').map_or(end, |newline| newline + 1);
    &text[..end]
}

fn longest_run(text: &str, mark: char) -> usize {
    text.split(|character| character != mark).map(str::len).max().unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn fenced(text: &str) -> String {
        let mut out = String::new();
        push_text(&mut out, text);
        out
    }

    #[test]
    fn no_content_ends_its_fence_and_none_is_longer_than_its_share() {
        assert_eq!(fenced("a\n"), "\n\n```\na\n```\n");
        assert_eq!(fenced("a\n````\n"), "\n\n`````\na\n````\n`````\n");
        assert_eq!(fenced("a"), " it ends without a newline.\n\n```\na\n```\n");
        let lines = "line é\n".repeat(9000);
        let text = fenced(&lines);
        assert!(text.starts_with(" cut here, the first 17992 of 72000 bytes."), "{text:.60}");
        assert!(text.ends_with("line é\n```\n"));
        let both = "`".repeat(9000) + &"~".repeat(9000);
        for long in ["`".repeat(50_000), both, "é".repeat(50_000), lines] {
            assert!(fenced(&long).len() < VERSION_BYTES_MAX + 100);
        }
    }
}
