//! What a path alone tells: files that run by themselves, files that change how git reads others, links that leave.

fn name(path: &[u8]) -> &[u8] {
    path.rsplit(|byte| *byte == b'/').next().unwrap_or_default()
}

pub(super) fn is_ci(path: &[u8]) -> bool {
    const DIRECTORIES: [&[u8]; 5] =
        [b".github/", b".circleci/", b".buildkite/", b".gitlab/", b".forgejo/"];
    const FILES: [&[u8]; 6] = [
        b".gitlab-ci.yml",
        b".travis.yml",
        b"Jenkinsfile",
        b"azure-pipelines.yml",
        b"bitbucket-pipelines.yml",
        b".drone.yml",
    ];
    DIRECTORIES.iter().any(|directory| path.starts_with(directory)) || FILES.contains(&path)
}

pub(super) fn is_hook(path: &[u8]) -> bool {
    const DIRECTORIES: [&[u8]; 3] = [b".husky/", b".githooks/", b"hooks/"];
    const FILES: [&[u8]; 4] =
        [b".pre-commit-config.yaml", b"lefthook.yml", b".lefthook.yml", b".overcommit.yml"];
    DIRECTORIES.iter().any(|directory| path.starts_with(directory)) || FILES.contains(&path)
}

pub(super) fn is_attributes(path: &[u8]) -> bool {
    matches!(name(path), b".gitattributes" | b".gitmodules")
}

/// A link's target is its text; from the link's own directory it must not climb over the top.
pub(super) fn leaves(path: &[u8], target: &[u8]) -> bool {
    if target.starts_with(b"/") {
        return true;
    }
    let mut depth = path.split(|byte| *byte == b'/').count() - 1;
    for part in target.split(|byte| *byte == b'/') {
        match part {
            b"" | b"." => {}
            b".." if depth == 0 => return true,
            b".." => depth -= 1,
            _ => depth += 1,
        }
    }
    false
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn links_that_climb_out_are_told_from_those_that_stay() {
        assert!(
            leaves(b"a/b", b"../../etc") && leaves(b"a", b"/etc") && leaves(b"a", b"x/../../y")
        );
        assert!(!leaves(b"a/b", b"../c") && !leaves(b"a", b"b/../c"));
    }

    #[test]
    fn what_runs_by_itself_is_known_by_its_place() {
        assert!(
            is_ci(b".github/workflows/x.yml")
                && is_ci(b"Jenkinsfile")
                && is_hook(b".husky/pre-push")
        );
        assert!(!is_ci(b"docs/.github") && !is_hook(b"src/hooks/use.ts"));
    }
}
