//! Source text into token classes, with syntect. Knows no colours and no screen.
//! Always bounded: a call ends in time with what it has, and the next one goes on from there.

use std::{
    collections::VecDeque,
    ops::Range,
    sync::{
        Arc, LazyLock,
        atomic::{AtomicBool, Ordering},
    },
    thread,
    time::{Duration, Instant},
};

use syntect::parsing::{ParseState, Scope, ScopeStack, SyntaxReference, SyntaxSet};

use crate::{
    review::{
        Text,
        token::{Painted, TokenClass, TokenLines, TokenRun},
    },
    shadow::RepoPath,
};

/// The parser's state is kept every so many lines: any viewport is then a few milliseconds away.
const CHECKPOINT_LINES: u32 = 128;
/// Longer lines stay plain: they are generated, and cost more than all the others together.
const LINE_BYTES_MAX: usize = 2_048;
/// Lines that lie further behind all states kept are guessed first.
const GUESS_FROM: u32 = 1_024;
/// A guess begins so many lines ahead of what is asked for, or up to as many more where a better line to begin is there.
const GUESS_AHEAD: u32 = 256;
/// Behind so many lines a guess is all there is: ten seconds of a processor to make it exact are enough.
const EXACT_MAX: u32 = 400_000;
/// One call gives up its thread after this long.
const BUDGET: Duration = Duration::from_millis(150);
/// Texts whose states are kept: both sides of the files a reader walks between.
const TEXTS_MAX: usize = 24;

static SYNTAXES: LazyLock<SyntaxSet> = LazyLock::new(two_face::syntax::extra_newlines);

/// Remembers where it was in the texts it saw last.
#[derive(Debug, Default)]
pub struct Highlighter {
    texts: VecDeque<Known>,
}

struct Known {
    text: Arc<Text>,
    path: RepoPath,
    checkpoints: Vec<Checkpoint>,
}

impl std::fmt::Debug for Known {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        self.path.fmt(f)
    }
}

/// The state before line `index * CHECKPOINT_LINES`.
#[derive(Clone)]
struct Checkpoint {
    parser: ParseState,
    scopes: ScopeStack,
}

impl Highlighter {
    /// The classes of `lines`, one entry a line, from the first on. Shorter than asked when time ran
    /// out or it was cancelled: ask again and it gets further. Empty for a text of no known syntax.
    /// A guess where the parser is far behind; with `has_guess` it goes on towards what is exact instead.
    pub fn lines(
        &mut self,
        path: &RepoPath,
        text: &Arc<Text>,
        lines: Range<u32>,
        has_guess: bool,
        cancel: &AtomicBool,
    ) -> Painted {
        let lines = lines.start..lines.end.min(text.line_count());
        let Some(syntax) = find_syntax(path, text) else {
            return Painted { tokens: vec![Vec::new(); lines.len()], is_guess: false };
        };
        let known = self.known(path, text, syntax);
        let deadline = Instant::now() + BUDGET;
        let is_over = || cancel.load(Ordering::Relaxed) || Instant::now() >= deadline;
        known.lines(lines, has_guess, &is_over)
    }

    /// The text asked for last is at the back.
    fn known(&mut self, path: &RepoPath, text: &Arc<Text>, syntax: &SyntaxReference) -> &mut Known {
        let texts = &mut self.texts;
        let place = texts
            .iter()
            .position(|known| Arc::ptr_eq(&known.text, text) && known.path == *path)
            .and_then(|index| texts.remove(index));
        let known = place.unwrap_or_else(|| Known::new(path, text, syntax));
        if texts.len() >= TEXTS_MAX {
            texts.pop_front();
        }
        texts.push_back(known);
        texts.back_mut().expect("one was pushed")
    }
}

/// By name, then by extension, then by a first line such as `#!/bin/sh`.
fn find_syntax(path: &RepoPath, text: &Text) -> Option<&'static SyntaxReference> {
    let name = path.as_path().file_name()?.to_str()?;
    let extension = path.as_path().extension().and_then(|extension| extension.to_str());
    let set = &*SYNTAXES;
    let by_first_line = || {
        let first = (text.line_count() > 0).then(|| text.line(0))?;
        let short = &first[..first.len().min(LINE_BYTES_MAX)];
        set.find_syntax_by_first_line(str::from_utf8(short).ok()?)
    };
    set.find_syntax_by_extension(name)
        .or_else(|| extension.and_then(|extension| set.find_syntax_by_extension(extension)))
        .or_else(by_first_line)
        .filter(|syntax| syntax.name != "Plain Text")
}

impl Known {
    fn new(path: &RepoPath, text: &Arc<Text>, syntax: &SyntaxReference) -> Self {
        let start = Checkpoint { parser: ParseState::new(syntax), scopes: ScopeStack::new() };
        Self { text: Arc::clone(text), path: path.clone(), checkpoints: vec![start] }
    }

    fn lines(&mut self, lines: Range<u32>, has_guess: bool, is_over: &dyn Fn() -> bool) -> Painted {
        let parsed = (index(self.checkpoints.len()) - 1) * CHECKPOINT_LINES;
        let is_final = lines.start >= EXACT_MAX;
        if lines.start > parsed + GUESS_FROM && (!has_guess || is_final) {
            return Painted { tokens: self.guess(lines, is_over), is_guess: !is_final };
        }
        Painted { tokens: self.exact(lines, is_over), is_guess: false }
    }

    /// From the nearest state kept.
    fn exact(&mut self, lines: Range<u32>, is_over: &dyn Fn() -> bool) -> TokenLines {
        let Self { text, checkpoints, .. } = self;
        let nearest = (lines.start / CHECKPOINT_LINES).min(index(checkpoints.len()) - 1);
        let state = checkpoints[nearest as usize].clone();
        parse(text, state, nearest * CHECKPOINT_LINES, lines, is_over, |line, state| {
            if line % CHECKPOINT_LINES == 0 && line / CHECKPOINT_LINES == index(checkpoints.len()) {
                checkpoints.push(state.clone());
            }
        })
    }

    /// As if the text began a little ahead: right unless a comment or a string goes on there, or what is embedded.
    fn guess(&self, lines: Range<u32>, is_over: &dyn Fn() -> bool) -> TokenLines {
        let near = lines.start.saturating_sub(GUESS_AHEAD);
        let far = near.saturating_sub(GUESS_AHEAD);
        let from = (far..=near).rev().find(|line| begins_something(&self.text, *line));
        let state = self.checkpoints[0].clone();
        parse(&self.text, state, from.unwrap_or(near), lines, is_over, |_, _| {})
    }
}

/// A line at the margin behind a blank one.
fn begins_something(text: &Text, line: u32) -> bool {
    let is_at_margin = text.line(line).first().is_some_and(|byte| !byte.is_ascii_whitespace());
    is_at_margin && line.checked_sub(1).is_none_or(|above| text.line(above).trim_ascii().is_empty())
}

/// From line `from` on, which `state` is that before; each state is shown to `keep` on the way.
fn parse(
    text: &Text,
    mut state: Checkpoint,
    from: u32,
    lines: Range<u32>,
    is_over: &dyn Fn() -> bool,
    mut keep: impl FnMut(u32, &Checkpoint),
) -> TokenLines {
    let mut out = TokenLines::new();
    for line in from..lines.end {
        keep(line, &state);
        if line % 8 == 0 && is_over() {
            break;
        }
        // A frame may be on its way to the terminal, and wait for this processor.
        thread::yield_now();
        let tokens = state.line(text.line_with_end(line));
        if line >= lines.start {
            out.push(tokens);
        }
    }
    out
}

fn index(length: usize) -> u32 {
    u32::try_from(length).unwrap_or(u32::MAX)
}

impl Checkpoint {
    /// Plain where the parser has nothing to say, or fails: colours are never worth an error.
    fn line(&mut self, bytes: &[u8]) -> Vec<TokenRun> {
        if bytes.len() > LINE_BYTES_MAX {
            return Vec::new();
        }
        let Ok(line) = str::from_utf8(bytes) else { return Vec::new() };
        // The grammars wait for the newline that a last line may lack.
        let whole = (!line.ends_with('\n')).then(|| format!("{line}\n"));
        let Ok(ops) = self.parser.parse_line(whole.as_deref().unwrap_or(line), &SYNTAXES) else {
            return Vec::new();
        };
        let end = line.trim_end_matches(['\n', '\r']).len();
        let mut runs: Vec<TokenRun> = Vec::new();
        let mut from = 0;
        for (at, op) in ops {
            self.push_run(&mut runs, from..at.min(end));
            from = at.min(end);
            if self.scopes.apply(&op).is_err() {
                return runs;
            }
        }
        self.push_run(&mut runs, from..end);
        runs
    }

    fn push_run(&self, runs: &mut Vec<TokenRun>, bytes: Range<usize>) {
        if bytes.is_empty() {
            return;
        }
        let Some(class) = class_of(self.scopes.as_slice()) else { return };
        let bytes = index(bytes.start)..index(bytes.end);
        match runs.last_mut() {
            Some(last) if last.class == class && last.bytes.end == bytes.start => {
                last.bytes.end = bytes.end;
            }
            _ => runs.push(TokenRun { bytes, class }),
        }
    }
}

/// Longest prefixes first where one is inside another.
const CLASSES: &[(&str, Option<TokenClass>)] = &[
    ("comment", Some(TokenClass::Comment)),
    ("punctuation.definition.comment", Some(TokenClass::Comment)),
    ("punctuation.definition.string", Some(TokenClass::String)),
    ("punctuation.section.interpolation", Some(TokenClass::Punctuation)),
    ("constant.character.escape", Some(TokenClass::Constant)),
    ("constant.other.placeholder", Some(TokenClass::Constant)),
    ("string", Some(TokenClass::String)),
    ("constant.numeric", Some(TokenClass::Number)),
    ("constant", Some(TokenClass::Constant)),
    ("support.constant", Some(TokenClass::Constant)),
    ("keyword.operator", Some(TokenClass::Punctuation)),
    ("keyword", Some(TokenClass::Keyword)),
    ("storage", Some(TokenClass::Keyword)),
    ("variable.language", Some(TokenClass::Keyword)),
    ("variable.annotation", Some(TokenClass::Attribute)),
    ("variable.function", Some(TokenClass::Function)),
    ("entity.name.function", Some(TokenClass::Function)),
    ("entity.name.macro", Some(TokenClass::Function)),
    ("support.function", Some(TokenClass::Function)),
    ("support.macro", Some(TokenClass::Function)),
    ("entity.name.tag", Some(TokenClass::Tag)),
    ("entity.other.attribute-name", Some(TokenClass::Attribute)),
    ("entity.name.section", Some(TokenClass::Keyword)),
    ("markup.heading", Some(TokenClass::Keyword)),
    ("markup.raw", Some(TokenClass::String)),
    ("entity.other.inherited-class", Some(TokenClass::Type)),
    ("entity.name", Some(TokenClass::Type)),
    ("support.type", Some(TokenClass::Type)),
    ("support.class", Some(TokenClass::Type)),
    ("meta.annotation", Some(TokenClass::Attribute)),
    ("punctuation", Some(TokenClass::Punctuation)),
    // Code inside a string is code again.
    ("meta.interpolation", None),
    ("meta.template.expression", None),
    ("source", None),
];

static SCOPES: LazyLock<Vec<(Scope, Option<TokenClass>)>> = LazyLock::new(|| {
    CLASSES.iter().filter_map(|(name, class)| Some((Scope::new(name).ok()?, *class))).collect()
});

/// The innermost scope that says anything decides.
fn class_of(scopes: &[Scope]) -> Option<TokenClass> {
    scopes.iter().rev().find_map(|scope| {
        SCOPES.iter().find(|(prefix, _)| prefix.is_prefix_of(*scope)).map(|(_, class)| *class)
    })?
}

#[cfg(test)]
mod tests {
    use std::cell::Cell;

    use super::*;

    fn known(path: &str, text: &Arc<Text>) -> Known {
        let path = RepoPath::new(path);
        Known::new(&path, text, find_syntax(&path, text).unwrap())
    }

    fn classes(path: &str, source: &str, line: u32) -> Vec<(String, TokenClass)> {
        let text = Arc::new(Text::new(source.as_bytes().to_vec()));
        let mut highlighter = Highlighter::default();
        let cancel = AtomicBool::new(false);
        let path = RepoPath::new(path);
        // The first call may spend its time on loading the syntaxes.
        let lines = loop {
            let painted = highlighter.lines(&path, &text, line..line + 1, true, &cancel);
            if !painted.tokens.is_empty() {
                break painted.tokens;
            }
        };
        let bytes = text.line(line);
        lines[0]
            .iter()
            .map(|run| {
                let part = &bytes[run.bytes.start as usize..run.bytes.end as usize];
                (String::from_utf8_lossy(part).into_owned(), run.class)
            })
            .collect()
    }

    fn has(found: &[(String, TokenClass)], text: &str, class: TokenClass) {
        let known = found.iter().any(|(part, c)| part.contains(text) && *c == class);
        assert!(known, "{text} as {class:?} in {found:?}");
    }

    #[test]
    fn a_line_of_rust() {
        let found = classes("src/a.rs", "fn main() { let x = \"hi\"; } // ok\n", 0);
        has(&found, "fn", TokenClass::Keyword);
        has(&found, "main", TokenClass::Function);
        has(&found, "\"hi\"", TokenClass::String);
        has(&found, "// ok", TokenClass::Comment);
    }

    #[test]
    fn state_reaches_over_lines_and_checkpoints() {
        let source = format!("/*\n{}*/ fn f() {{}}\n", "still a comment\n".repeat(700));
        has(&classes("a.rs", &source, 650), "still a comment", TokenClass::Comment);
        has(&classes("a.rs", &source, 701), "fn", TokenClass::Keyword);
    }

    #[test]
    fn known_by_name_and_by_first_line() {
        has(&classes("Makefile", "all:\n\techo $(X) # c\n", 1), "c", TokenClass::Comment);
        has(&classes("run", "#!/bin/bash\nif true; then :; fi\n", 1), "if", TokenClass::Keyword);
        has(&classes("a.ts", "const a: number = 1;\n", 0), "const", TokenClass::Keyword);
        has(&classes("a.toml", "# c\n", 0), "# c", TokenClass::Comment);
    }

    #[test]
    fn plain_where_there_is_nothing_to_say() {
        assert!(classes("notes", "just words\n", 0).is_empty());
        let long = format!("let a = \"{}\";\n", "x".repeat(LINE_BYTES_MAX));
        assert!(classes("a.rs", &long, 0).is_empty());
        let text = Arc::new(Text::new(b"\xff\xfe fn\nfn".to_vec()));
        let cancel = AtomicBool::new(false);
        let mut highlighter = Highlighter::default();
        LazyLock::force(&SYNTAXES);
        let lines = highlighter.lines(&RepoPath::new("a.rs"), &text, 0..9, false, &cancel).tokens;
        assert!(lines.len() <= 2 && lines.first().is_none_or(Vec::is_empty));
    }

    #[test]
    fn a_cancelled_call_ends() {
        let text = Arc::new(Text::new(b"fn a() {}\n".repeat(1_000)));
        let cancel = AtomicBool::new(true);
        let path = RepoPath::new("a.rs");
        let painted = Highlighter::default().lines(&path, &text, 0..1_000, false, &cancel);
        assert!(painted.tokens.is_empty());
    }

    #[test]
    fn runs_are_sorted_and_inside() {
        let source = include_str!("highlight.rs");
        let text = Arc::new(Text::new(source.as_bytes().to_vec()));
        let mut known = known("a.rs", &text);
        let all = known.exact(0..text.line_count(), &|| false);
        assert_eq!(all.len(), text.line_count() as usize);
        for (number, runs) in (0..).zip(&all) {
            let mut end = 0;
            for run in runs {
                assert!(run.bytes.start >= end && run.bytes.end > run.bytes.start);
                end = run.bytes.end;
            }
            assert!(end as usize <= text.line(number).len());
        }
        // Any viewport, from the states kept, is the same as from the start.
        let part = known.exact(130..150, &|| false);
        assert_eq!(part, all[130..150]);
    }

    /// Lines parsed are counted by how often it looks whether time is up: every eighth.
    #[test]
    fn what_is_far_is_guessed_from_nearby_and_made_exact_then() {
        let item = |number: u32| format!("/// {number}\nfn f() {{\n    \"x\";\n}}\n\n");
        let code: String = (0..20_000).map(item).collect();
        for (source, is_right) in [(code.clone(), true), (format!("/*\n{code}*/\n"), false)] {
            let text = Arc::new(Text::new(source.into_bytes()));
            let mut known = known("a.rs", &text);
            let looked = Cell::new(0);
            let count = || {
                looked.set(looked.get() + 1);
                false
            };
            let end = 99_000..99_128;
            let guess = known.lines(end.clone(), false, &count);
            assert!(guess.is_guess && guess.tokens.len() == 128);
            assert!(looked.get() <= 80, "8 times as many lines: {}", looked.get());
            let exact = known.lines(end.clone(), true, &count);
            assert!(!exact.is_guess && looked.get() > 99_000 / 8);
            assert_eq!(guess.tokens == exact.tokens, is_right);
            let again = known.lines(end, false, &count);
            assert_eq!(again, exact, "what is known exactly is not guessed");
            assert!(!known.lines(500..600, false, &count).is_guess);
        }
        let text = Arc::new(Text::new(b"f();\n".repeat(EXACT_MAX as usize + 8)));
        let far = known("a.rs", &text).lines(EXACT_MAX..EXACT_MAX + 8, false, &|| false);
        assert!(!far.is_guess && far.tokens.len() == 8, "nothing better comes");
    }
}
