//! What is wrong with a linked worktree, in words that end in the way out, behind a `;`.

use std::path::Path;

use super::{Head, Worktree, absolute, lossy, read_trimmed};
use crate::git::{Repository, control, settings::Scope};

pub(super) fn find_problem(
    repository: &Repository,
    admin_dir: &Path,
    path: &Path,
    head: &Head,
) -> Option<String> {
    if let Some(special) = control::find_special(admin_dir) {
        return Some(format!(
            "{} is no regular file, and git would wait for it; remove it, then `git worktree repair`",
            special.display()
        ));
    }
    place_problem(admin_dir, path).or_else(|| config_problem(repository, admin_dir, path)).or_else(
        || match head {
            Head::Unreadable { why } if why.contains("; ") => {
                Some(format!("its HEAD is unreadable: {why}"))
            }
            Head::Unreadable { why } => Some(format!(
                "its HEAD is unreadable: {why}; `echo 'ref: refs/heads/BRANCH' > {}`, with the name of its branch, \
                 mends it",
                admin_dir.join("HEAD").display()
            )),
            Head::Branch { name, tip: None } => {
                Some(format!("branch {name} has no commit yet; commit something on it first"))
            }
            Head::Branch { .. } | Head::Detached { .. } => None,
        },
    )
}

/// Directory and registration must name each other.
fn place_problem(admin_dir: &Path, path: &Path) -> Option<String> {
    if !path.is_dir() {
        return Some(format!(
            "its directory {} is missing; bring it back (mount the disk, or `git worktree move`), or discard it: \
             its branch keeps its commits",
            path.display()
        ));
    }
    let dot_git = path.join(".git");
    let Some(bytes) = read_trimmed(&dot_git) else {
        let path = path.display();
        let what = if dot_git.is_dir() {
            "holds a repository of its own, where its .git file should be"
        } else if dot_git.symlink_metadata().is_ok() {
            "has a .git that is no small regular file"
        } else {
            return Some(format!(
                "{path} has no .git file, so git run there would act on another repository; \
                 `git worktree repair` in the main worktree mends it"
            ));
        };
        return Some(format!(
            "{path} {what}; move that .git away, then `git worktree repair` in the main worktree mends it"
        ));
    };
    let named = bytes.strip_prefix(b"gitdir:").map(<[u8]>::trim_ascii);
    let names_back = named.is_some_and(|named| is_same_dir(&absolute(path, named), admin_dir));
    (!names_back).then(|| {
        format!(
            // With its path git would give the other registration this place instead.
            "the .git file in {} names {}, not this registration; `git worktree repair`, without a path, in the \
             main worktree mends it",
            path.display(),
            named.map_or_else(|| "nothing".to_owned(), lossy)
        )
    })
}

/// What kind of problem a worktree has, as `doctor` names it.
pub fn fault_code(repository: &Repository, worktree: &Worktree) -> &'static str {
    let (admin_dir, path) = (&worktree.admin_dir, &worktree.path);
    let dot_git = path.join(".git");
    if !path.is_dir() {
        "missing_directory"
    } else if dot_git.is_dir() {
        "own_repository"
    } else if dot_git.symlink_metadata().is_err() {
        "lost_git_file"
    } else if place_problem(admin_dir, path).is_some() {
        "foreign_git_file"
    } else if config_problem(repository, admin_dir, path).is_some() {
        "poisoned_config"
    } else {
        "broken_head"
    }
}

pub(super) fn is_same_dir(one: &Path, other: &Path) -> bool {
    match (one.canonicalize(), other.canonicalize()) {
        (Ok(one), Ok(other)) => one == other,
        _ => false,
    }
}

/// With `extensions.worktreeConfig`, `core.bare` and `core.worktree` of the shared configuration
/// count in every linked worktree, and git takes it for bare, or for another directory.
fn config_problem(repository: &Repository, admin_dir: &Path, path: &Path) -> Option<String> {
    let settings = &repository.settings;
    if !settings.is_true("extensions.worktreeconfig") {
        return None;
    }
    let shared = |key: &str| {
        let mut found = settings.all().iter().rev();
        found
            .find(|setting| setting.scope == Scope::Local && setting.key == key)
            .map(|setting| setting.value.clone().unwrap_or_else(|| "true".to_owned()))
    };
    let own = match read_own_config(admin_dir) {
        Ok(own) => own,
        Err(why) => return Some(why),
    };
    let own_value = |key: &str| own.as_ref().and_then(|own| own.string(key)).map(|v| lossy(&v));
    let id = admin_dir.file_name().unwrap_or_default().to_string_lossy().into_owned();
    let (bare, from) = match own_value("core.bare") {
        Some(value) => (Some(value), "its own config.worktree"),
        None => (shared("core.bare"), "the shared config together with extensions.worktreeConfig"),
    };
    if bare.is_some_and(|value| is_true(&value)) {
        return Some(format!(
            "unreadable: git sees it as bare, because core.bare is true in {from}; \
             `git -C {} config --worktree core.bare false` mends it",
            admin_dir.display()
        ));
    }
    let work_tree = own_value("core.worktree").or_else(|| shared("core.worktree"))?;
    let resolved = absolute(admin_dir, work_tree.as_bytes());
    (!is_same_dir(&resolved, path)).then(|| {
        format!(
            "git run in {id} resolves to {}, because core.worktree is set in the shared config together with \
             extensions.worktreeConfig; `git config --unset core.worktree` in the main worktree mends it",
            resolved.display()
        )
    })
}

fn read_own_config(admin_dir: &Path) -> Result<Option<gix::config::File>, String> {
    let file = admin_dir.join("config.worktree");
    if !file.exists() {
        return Ok(None);
    }
    gix::config::File::from_path_no_includes(file.clone(), gix::config::Source::Worktree)
        .map(Some)
        .map_err(|error| {
            format!("{} cannot be read: {error}; mend that file, or move it away", file.display())
        })
}

fn is_true(value: &str) -> bool {
    matches!(value.to_ascii_lowercase().as_str(), "true" | "yes" | "on" | "1")
}
