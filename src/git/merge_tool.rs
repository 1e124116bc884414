//! One conflicted file in a repository of its own, for the user's mergetool: no setting counts there but theirs, and no
//! worktree of anybody's is in a merge. It is thrown away with its directory.

use std::{
    ffi::OsStr,
    fs,
    os::unix::ffi::OsStrExt,
    path::{Path, PathBuf},
};

use super::{command::Git, writer::parse_oid};
use crate::{
    report::{Code, Doing, Report},
    review::ThreeSides,
    shadow::Oid,
};

/// What git calls the stages of base, target and shadow.
const STAGES: [u8; 3] = [1, 2, 3];

/// Lays the file out in `dir`, which is empty; where it lies, its open places between markers.
pub fn lay_out(dir: &Path, sides: &ThreeSides) -> Result<PathBuf, Report> {
    git(dir, "init").args(["-q", "--template="]).run()?;
    require_tool(dir)?;
    let name = plain_name(&sides.name);
    let contents = [sides.base.as_ref(), Some(&sides.target), Some(&sides.shadow)];
    let mut index = Vec::new();
    for (stage, content) in STAGES.into_iter().zip(contents) {
        let Some(content) = content else { continue };
        let oid = write_blob(dir, content)?;
        index.extend(format!("100644 {oid} {stage}\t").into_bytes());
        index.extend([&name[..], b"\0"].concat());
    }
    git(dir, "update-index").args(["-z", "--index-info"]).input(index).run()?;
    let file = dir.join(OsStr::from_bytes(&name));
    fs::write(&file, &sides.text).doing(format!("write {}", file.display()))?;
    Ok(file)
}

fn git(dir: &Path, subcommand: &'static str) -> Git {
    Git::reading(subcommand).dir(dir)
}

fn write_blob(dir: &Path, content: &[u8]) -> Result<Oid, Report> {
    let made = git(dir, "hash-object").args(["-w", "--stdin"]).input(content).run()?;
    parse_oid(&made.text())
}

/// Which one it is only the user's own settings say, and there are no others here.
fn require_tool(dir: &Path) -> Result<(), Report> {
    let found = git(dir, "config").args(["--get", "merge.tool"]).run_any()?;
    if found.exit_code == 0 && !found.text().trim().is_empty() {
        return Ok(());
    }
    Err(Report::user(Code::NotFound, "no mergetool of your own is set")
        .safe("nothing was chosen")
        .hint(
            "`git config --global merge.tool NAME` sets one (NAME: vimdiff, meld, …; `git mergetool --tool-help` lists \
             them); one that only a repository sets is not run",
        ))
}

/// The file's own, from which tools know what it is; but never one that git obeys, nor one that its script takes apart.
fn plain_name(name: &[u8]) -> Vec<u8> {
    let is_odd = |byte: &u8| byte.is_ascii_control() || matches!(byte, b'"' | b'\\' | b'/');
    let plain = name.iter().map(|byte| if is_odd(byte) { b'_' } else { *byte });
    let is_gits = name.len() >= 4 && name[..4].eq_ignore_ascii_case(b".git");
    let prefix: &[u8] = if is_gits { b"_" } else { b"" };
    prefix.iter().copied().chain(plain).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_is_never_obeyed() {
        assert_eq!(plain_name(b"a b.rs"), b"a b.rs");
        assert_eq!(plain_name(b".gitattributes"), b"_.gitattributes");
        assert_eq!(plain_name(b".GIT"), b"_.GIT");
        assert_eq!(plain_name(b"a\n\"b"), b"a__b");
    }
}
