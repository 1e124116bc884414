//! A file and a directory of one name, both chosen to land: git's index would take one and silently drop the other.

use std::{collections::BTreeSet, os::unix::ffi::OsStrExt, path::Path};

use crate::{
    report::{Code, Report},
    shadow::RepoPath,
};

pub(super) fn refuse_nested(landing: &BTreeSet<RepoPath>) -> Result<(), Report> {
    for path in landing {
        let mut above = path.as_path().ancestors().skip(1);
        let is_file = |dir: &&Path| landing.contains(&RepoPath::new(dir.as_os_str().as_bytes()));
        if let Some(file) = above.find(is_file) {
            let (file, path) = (file.display(), path.to_lossy());
            return Err(Report::user(
                Code::Conflicts,
                format!(
                    "{file} is chosen to be a file, and {path} to be in a directory of its name"
                ),
            )
            .unchanged()
            .hint("choose otherwise for one of them: both cannot land"));
        }
    }
    Ok(())
}
