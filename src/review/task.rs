//! Which paths an agent's task names, and what lies outside them. Only what names something that is there counts:
//! `and/or` and `5xx/4xx` are words.

use crate::shadow::RepoPath;

/// A text that names more names everything.
const NAMED_MAX: usize = 50;

/// What may be paths in the text, without what punctuation and line numbers add.
pub fn candidates(text: &str) -> Vec<String> {
    let mut found: Vec<String> = Vec::new();
    for token in text.split(|char: char| char.is_whitespace() || char == ',') {
        let token = token.trim_matches(|char: char| "\"'`()[]<>{}!?;:*".contains(char));
        let token = token.trim_end_matches('.').trim_start_matches("./");
        // `src/a.rs:12:3` is about the file.
        let token = token.split(':').next().unwrap_or_default();
        let has_end = token.rsplit_once('.').is_some_and(|(stem, end)| {
            !stem.is_empty() && !end.is_empty() && end.chars().all(char::is_alphanumeric)
        });
        let is_path = (token.contains('/') || has_end) && !token.starts_with(['/', '-']);
        if !is_path || token.split('/').any(|part| part == "..") {
            continue;
        }
        // Of a pattern the directory above it is meant.
        let token = match token.find('*') {
            Some(at) => token[..at].rsplit_once('/').map_or("", |(directory, _)| directory),
            None => token.trim_end_matches('/'),
        };
        if !token.is_empty() && !found.iter().any(|known| known == token) {
            found.push(token.to_owned());
        }
    }
    found.truncate(NAMED_MAX);
    found
}

/// One of the named, or below one of them.
pub fn is_inside(path: &RepoPath, named: &[RepoPath]) -> bool {
    let path = path.as_bytes();
    named.iter().any(|named| {
        path.strip_prefix(named.as_bytes())
            .is_some_and(|rest| rest.is_empty() || rest.starts_with(b"/"))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_are_found_among_words() {
        let text = "Fix `src/api.rs:40`, ./tests/ and/or docs/*.md; see https://a.b/c. Not ../x, /etc, v.1 or --a/b.";
        assert_eq!(candidates(text), ["src/api.rs", "tests", "and/or", "docs", "v.1"]);
        assert_eq!(candidates("retry calls that fail with 5xx"), Vec::<String>::new());
    }

    #[test]
    fn inside_is_the_path_or_below_it() {
        let named = [RepoPath::new("src/api"), RepoPath::new("a.rs")];
        let is = |path: &str| is_inside(&RepoPath::new(path), &named);
        assert!(is("src/api/x.rs") && is("src/api") && is("a.rs"));
        assert!(!is("src/api.rs") && !is("b/a.rs"));
    }
}
