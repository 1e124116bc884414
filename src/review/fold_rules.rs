//! The user's own rules for what is folded: patterns as in a `.gitignore`. Never read from a repository.

/// A pattern with a slash names a path from the top, one without a name anywhere. `*` and `?` stay within a name,
/// `**` does not; a pattern that ends in a slash is all below a directory.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct FoldRules {
    patterns: Vec<String>,
    never: Vec<String>,
}

impl FoldRules {
    pub fn new(patterns: &[String], never: &[String]) -> Self {
        Self { patterns: patterns.to_vec(), never: never.to_vec() }
    }

    pub(super) fn folds(&self, path: &[u8]) -> bool {
        self.patterns.iter().any(|pattern| fits(pattern.as_bytes(), path))
    }

    pub(super) fn keeps_open(&self, path: &[u8]) -> bool {
        self.never.iter().any(|pattern| fits(pattern.as_bytes(), path))
    }
}

fn fits(pattern: &[u8], path: &[u8]) -> bool {
    if let Some(directory) = pattern.strip_suffix(b"/") {
        let ends = (0..path.len()).filter(|at| path[*at] == b'/');
        return ends.into_iter().any(|end| fits(directory, &path[..end]));
    }
    let from_top = pattern.strip_prefix(b"/").unwrap_or(pattern);
    if pattern.contains(&b'/') {
        return matches(from_top, path);
    }
    matches(pattern, path.rsplit(|byte| *byte == b'/').next().unwrap_or_default())
}

/// Each star is tried again one byte further on, the last one first: never more than pattern times path steps a star.
fn matches(pattern: &[u8], path: &[u8]) -> bool {
    let (mut at, mut from) = (0, 0);
    let mut star: Option<(usize, usize)> = None;
    let mut deep: Option<(usize, usize)> = None;
    loop {
        let rest = &pattern[at..];
        if rest.starts_with(b"**") {
            // `**/` may also be nothing.
            let behind = at + if rest.starts_with(b"**/") { 3 } else { 2 };
            (deep, star) = (Some((behind, from)), None);
            at = behind;
            continue;
        }
        if rest.first() == Some(&b'*') {
            star = Some((at + 1, from));
            at += 1;
            continue;
        }
        match (rest.first(), path.get(from)) {
            (None, None) => return true,
            (Some(b'?'), Some(byte)) if *byte != b'/' => (at, from) = (at + 1, from + 1),
            (Some(sign), Some(byte)) if sign == byte => (at, from) = (at + 1, from + 1),
            _ => {
                let within =
                    star.filter(|(_, from)| path.get(*from).is_some_and(|byte| *byte != b'/'));
                if let Some((behind, start)) = within {
                    star = Some((behind, start + 1));
                    (at, from) = (behind, start + 1);
                } else if let Some((behind, start)) = deep.filter(|(_, from)| *from < path.len()) {
                    (deep, star) = (Some((behind, start + 1)), None);
                    (at, from) = (behind, start + 1);
                } else {
                    return false;
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn patterns_mean_what_gitignore_means_by_them() {
        for (pattern, path) in [
            ("*.snap", "a/b/x.snap"),
            ("x.snap", "x.snap"),
            ("docs/*.md", "docs/a.md"),
            ("/docs/*.md", "docs/a.md"),
            ("docs/**", "docs/a/b/c.md"),
            ("**/gen/*.rs", "gen/a.rs"),
            ("**/gen/*.rs", "a/b/gen/a.rs"),
            ("a/**/z", "a/b/c/z"),
            ("a/**/z", "a/z"),
            ("gen/", "gen/a/b"),
            ("gen/", "x/gen/b"),
            ("src/gen/", "src/gen/b"),
            ("a?c*e", "abcdefge"),
        ] {
            assert!(fits(pattern.as_bytes(), path.as_bytes()), "{pattern} {path}");
        }
        for (pattern, path) in [
            ("*.snap", "x.snap/a"),
            ("docs/*.md", "docs/a/b.md"),
            ("docs/*.md", "x/docs/a.md"),
            ("gen/", "gen"),
            ("src/gen/", "x/src/gen/b"),
            ("a?c", "a/c"),
            ("", "a"),
        ] {
            assert!(!fits(pattern.as_bytes(), path.as_bytes()), "{pattern} {path}");
        }
    }
}
