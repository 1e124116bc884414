//! Rust text as the rules see it: names and punctuation without comments and literals, and the paths
//! that it names, brace lists spread out and `self`, `super`, `crate` made absolute.

/// A path as it is named somewhere: absolute within the crate (`inside`), or of another crate.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Named {
    pub(crate) inside: bool,
    pub(crate) segments: Vec<String>,
    pub(crate) exported: bool,
}

/// Words, `::`, and every other visible character on its own.
pub(crate) fn tokens(text: &str) -> Vec<String> {
    let mut tokens = Vec::new();
    let chars: Vec<char> = text.chars().collect();
    let mut at = 0;
    while at < chars.len() {
        let (end, token) = token_at(&chars, at);
        tokens.extend(token);
        at = end;
    }
    tokens
}

fn token_at(chars: &[char], at: usize) -> (usize, Option<String>) {
    let next = chars.get(at + 1).copied();
    match chars[at] {
        '/' if next == Some('/') => (find(chars, at, |c| c == '\n'), None),
        '/' if next == Some('*') => (block_comment_end(chars, at), None),
        '"' => (string_end(chars, at), None),
        '\'' => (character_end(chars, at), None),
        ':' if next == Some(':') => (at + 2, Some("::".to_owned())),
        c if is_word(c) => {
            if let Some(end) = raw_string_end(chars, at) {
                return (end, None);
            }
            let end = find(chars, at, |c| !is_word(c));
            (end, Some(chars[at..end].iter().collect()))
        }
        c if c.is_whitespace() => (at + 1, None),
        c => (at + 1, Some(c.to_string())),
    }
}

fn is_word(c: char) -> bool {
    c.is_alphanumeric() || c == '_'
}

fn find(chars: &[char], from: usize, stop: impl Fn(char) -> bool) -> usize {
    (from..chars.len()).find(|at| stop(chars[*at])).unwrap_or(chars.len())
}

fn block_comment_end(chars: &[char], from: usize) -> usize {
    let (mut depth, mut at) = (0_usize, from);
    while at + 1 < chars.len() {
        match (chars[at], chars[at + 1]) {
            ('/', '*') => depth += 1,
            ('*', '/') => depth -= 1,
            _ => {
                at += 1;
                continue;
            }
        }
        at += 2;
        if depth == 0 {
            return at;
        }
    }
    chars.len()
}

fn string_end(chars: &[char], quote: usize) -> usize {
    let mut at = quote + 1;
    while at < chars.len() && chars[at] != '"' {
        at += if chars[at] == '\\' { 2 } else { 1 };
    }
    at + 1
}

/// A lifetime has no second quote where a character's would be.
fn character_end(chars: &[char], quote: usize) -> usize {
    if chars.get(quote + 1) == Some(&'\\') {
        return find(chars, quote + 3, |c| c == '\'') + 1;
    }
    if chars.get(quote + 2) == Some(&'\'') { quote + 3 } else { quote + 1 }
}

/// `r"…"`, `r#"…"#`, `br"…"`, `cr"…"`.
fn raw_string_end(chars: &[char], at: usize) -> Option<usize> {
    let word_end = find(chars, at, |c| !is_word(c));
    let word: String = chars[at..word_end].iter().collect();
    if !["r", "br", "cr"].contains(&word.as_str()) {
        return None;
    }
    let quote = find(chars, word_end, |c| c != '#');
    if chars.get(quote) != Some(&'"') {
        return None;
    }
    let fence = quote - word_end;
    let closes = |at: usize| {
        chars[at] == '"'
            && chars[at + 1..].len() >= fence
            && chars[at + 1..=at + fence].iter().all(|c| *c == '#')
    };
    Some((quote + 1..chars.len()).find(|at| closes(*at)).map_or(chars.len(), |at| at + fence + 1))
}

/// Every path of `text`, which is the module `module` (`["git", "refs"]` for `src/git/refs.rs`).
pub(crate) fn paths(text: &str, module: &[&str]) -> Vec<Named> {
    let tokens = tokens(text);
    let mut found = Vec::new();
    let mut place: Vec<String> = module.iter().map(ToString::to_string).collect();
    // For every open brace: whether an inline module began there.
    let mut open: Vec<bool> = Vec::new();
    let (mut at, mut in_use) = (0, None);
    while at < tokens.len() {
        match tokens[at].as_str() {
            "use" => in_use = Some(at > 0 && [")", "pub"].contains(&tokens[at - 1].as_str())),
            ";" => in_use = None,
            "as" if in_use.is_some() => at += 1,
            "mod" if tokens.get(at + 2).is_some_and(|token| token == "{") => {
                place.push(tokens[at + 1].clone());
                open.push(true);
                at += 2;
            }
            "{" => open.push(false),
            "}" => {
                let module_ended = open.pop().unwrap_or(false);
                place.truncate(place.len() - usize::from(module_ended));
            }
            token if token.starts_with(is_word) => {
                let mut spread = Vec::new();
                let end = spread_path(&tokens, at, &[], &mut spread);
                let whole = in_use.is_some();
                found.extend(
                    spread
                        .into_iter()
                        .filter(|path| whole || path.len() > 1)
                        .map(|path| absolute(path, &place, in_use == Some(true))),
                );
                at = end;
                continue;
            }
            _ => {}
        }
        at += 1;
    }
    found
}

/// Reads `a::b::{c, d::*}` from `at`; the index after it.
fn spread_path(
    tokens: &[String],
    at: usize,
    prefix: &[String],
    into: &mut Vec<Vec<String>>,
) -> usize {
    let mut path = prefix.to_vec();
    let mut at = at;
    loop {
        match tokens.get(at).map(String::as_str) {
            Some("{") => {
                at += 1;
                while let Some(token) = tokens.get(at) {
                    match token.as_str() {
                        "}" => return at + 1,
                        "," => at += 1,
                        "as" => at += 2,
                        _ => at = spread_path(tokens, at, &path, into).max(at + 1),
                    }
                }
                return at;
            }
            Some(word) if word == "*" || word.starts_with(is_word) => path.push(word.to_owned()),
            // A turbofish or a qualified path: what was read so far is the path.
            _ => break,
        }
        at += 1;
        if tokens.get(at).map(String::as_str) != Some("::") {
            break;
        }
        at += 1;
    }
    into.push(path);
    at
}

fn absolute(path: Vec<String>, place: &[String], exported: bool) -> Named {
    let mut base = match path[0].as_str() {
        "crate" => Vec::new(),
        "self" | "super" => place.to_vec(),
        _ => return Named { inside: false, segments: path, exported },
    };
    for word in path {
        match word.as_str() {
            "crate" | "self" => {}
            "super" => drop(base.pop()),
            _ => base.push(word),
        }
    }
    Named { inside: true, segments: base, exported }
}

#[test]
fn comments_and_literals_are_no_code() {
    let text = r##"let a = 'x'; // gix::open
        /* tokio:: /* nested */ still */ fn f<'a>(b: &'a str) { r#"clap::Parser " "#; "ratatui\"::"; '\''; }"##;
    let words = tokens(text).join(" ");
    assert_eq!(
        words, "let a = ; fn f < a > ( b : & a str ) { ; ; ; }",
        "a lifetime's name may stay, a literal may not"
    );
}

#[test]
fn paths_are_spread_and_made_absolute() {
    let named = |text: &str| {
        let mut all: Vec<String> = paths(text, &["git", "refs"])
            .iter()
            .map(|path| {
                format!("{}{}", if path.inside { "/" } else { "" }, path.segments.join("::"))
            })
            .collect();
        all.sort();
        all.join(" ")
    };
    assert_eq!(named("use crate::{a::{b, c as d}, e::*};"), "/a::b /a::c /e::*");
    assert_eq!(named("use super::super::ops::land;"), "/ops::land");
    assert_eq!(
        named("use self::inner::Thing; use super::diff;"),
        "/git::diff /git::refs::inner::Thing"
    );
    assert_eq!(
        named("mod tests { use super::*; use super::super::diff; }"),
        "/git::diff /git::refs::*"
    );
    assert_eq!(
        named("mod t { use super::super::super::ui; } fn f() { super::x::y() }"),
        "/git::x::y /ui"
    );
    assert_eq!(
        named("use {std::{io, process::Command}, crate::app};"),
        "/app std::io std::process::Command"
    );
    assert_eq!(
        named("fn f(x: crate::ui::View) -> gix::Repository { x.go::<crate::cli::A>() }"),
        "/cli::A /ui::View gix::Repository"
    );
    assert_eq!(named("use crate as root; use ratatui as r;"), "/ ratatui");
    assert_eq!(named("use super::{self, super::ops};"), "/git /ops");
}
