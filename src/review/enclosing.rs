//! What a line of source lies in: the function, type or section around it, told by indentation.
//! A guess for heads, as git makes one for `@@` lines; nothing depends on it.

use super::Text;
use crate::shadow::RepoPath;

/// So far up is looked.
const LINES_MAX: u32 = 2_000;
/// Longer lines are no declarations.
const LINE_BYTES_MAX: usize = 400;

const DECLARATIONS: &[&str] = &[
    "fn",
    "def",
    "class",
    "function",
    "func",
    "fun",
    "struct",
    "enum",
    "trait",
    "impl",
    "interface",
    "mod",
    "module",
    "namespace",
    "type",
    "union",
    "macro_rules!",
];

/// In Markdown the heading above it, as in git's `@@`; elsewhere what is declared around it.
pub fn enclosing_in(path: &RepoPath, text: &Text, line_index: u32) -> Option<String> {
    let ending = path.as_path().extension().and_then(|ending| ending.to_str());
    match ending {
        Some("md" | "markdown") => heading(text, line_index),
        _ => enclosing(text, line_index),
    }
}

fn heading(text: &Text, line_index: u32) -> Option<String> {
    let end = line_index.min(text.line_count());
    (end.saturating_sub(LINES_MAX)..end).rev().find_map(|index| {
        let line = str::from_utf8(text.line(index)).ok()?.trim_end();
        let marks = line.bytes().take_while(|byte| *byte == b'#').count();
        let is_heading = (1..=6).contains(&marks) && line[marks..].starts_with([' ', '\t']);
        (is_heading && line.len() <= LINE_BYTES_MAX).then(|| line.to_owned())
    })
}

/// The nearest declaration around the line, else the nearest line it is indented under.
/// `fn call`, `impl Api`, `steps`.
fn enclosing(text: &Text, line_index: u32) -> Option<String> {
    let last = line_index.min(text.line_count().checked_sub(1)?);
    let mut depth =
        (last..text.line_count().min(last + 50)).find_map(|index| indentation(text.line(index)))?;
    let mut nearest = None;
    let mut is_opened = false;
    for index in (last.saturating_sub(LINES_MAX)..last).rev() {
        if depth == 0 {
            break;
        }
        let line = text.line(index);
        let Some(indent) = indentation(line).filter(|indent| *indent < depth) else { continue };
        let line = str::from_utf8(line).unwrap_or_default();
        if line.trim() == "{" {
            // What it opens stands above it, as far to the left.
            depth = indent + 1;
            is_opened = true;
            continue;
        }
        depth = indent;
        let opens = std::mem::take(&mut is_opened) || line.trim_end().ends_with('{');
        let Some(words) = head(line) else { continue };
        if opens && is_function(line, &words) {
            return Some(words);
        }
        if words.split_whitespace().any(|word| DECLARATIONS.contains(&word)) {
            return Some(words);
        }
        nearest = nearest.or(Some(words));
    }
    nearest
}

/// Blanks before the first sign; `None` for a line without one.
fn indentation(line: &[u8]) -> Option<usize> {
    let blanks = line.iter().take_while(|byte| matches!(byte, b' ' | b'\t')).count();
    line.get(blanks).filter(|byte| !byte.is_ascii_whitespace())?;
    (line.len() <= LINE_BYTES_MAX).then_some(blanks)
}

/// `static int run`, of a line with its parameters: a name with what it gives back before it, and no statement.
fn is_function(line: &str, words: &str) -> bool {
    const STATEMENTS: &[&str] = &[
        "if", "else", "for", "while", "switch", "match", "do", "try", "catch", "return", "let",
        "await", "loop", "with", "new", "case", "throw", "yield", "unsafe", "using", "lock",
    ];
    let first = words.split_whitespace().next().unwrap_or_default();
    let is_name = |char: char| char.is_alphanumeric() || " \t_*&:<>~,[]".contains(char);
    line.contains('(')
        && !STATEMENTS.contains(&first)
        && words.contains(char::is_whitespace)
        && words.chars().all(is_name)
}

/// Without what opens a block, its parameters and who may see it.
fn head(line: &str) -> Option<String> {
    let line = seen_by(line.trim());
    let line = line.split(['(', '{']).next().unwrap_or(line);
    let line = line.trim_end_matches([':', ' ', ',', '=']).trim_start_matches("- ");
    let rest = line.trim();
    rest.chars().any(char::is_alphanumeric).then(|| rest.to_owned())
}

/// What follows `pub`, `pub(crate)`, `export`, `public`.
fn seen_by(line: &str) -> &str {
    if let Some((_, rest)) = line.strip_prefix("pub(").and_then(|rest| rest.split_once(')')) {
        return rest.trim_start();
    }
    let words = ["pub ", "export ", "public "];
    words.iter().find_map(|word| line.strip_prefix(word)).unwrap_or(line)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(source: &str, line: u32) -> Option<String> {
        enclosing(&Text::new(source.as_bytes().to_vec()), line)
    }

    #[test]
    fn the_nearest_declaration_wins() {
        let source = "impl Api {\n    pub fn call(&self) -> u8 {\n        if x {\n            y();\n        }\n    }\n}\n";
        assert_eq!(of(source, 3).as_deref(), Some("fn call"));
        assert_eq!(of(source, 1).as_deref(), Some("impl Api"));
        assert_eq!(of(source, 0), None);
    }

    #[test]
    fn a_function_whose_block_opens_on_a_line_of_its_own() {
        let source = "static int\nold(void);\n\nstatic int run(struct job *j,\n               int n)\n{\n\tif (n)\n\t{\n\t\tgo();\n\t}\n\tstop();\n}\n";
        assert_eq!(of(source, 8).as_deref(), Some("static int run"));
        assert_eq!(of(source, 10).as_deref(), Some("static int run"));
        assert_eq!(of("int main(void) {\n  if (x) {\n    y();\n", 2).as_deref(), Some("int main"));
        assert_eq!(of("struct job\n{\n\tint n;\n};\n", 2).as_deref(), Some("struct job"));
        assert_eq!(of("run(|x| {\n    y();\n", 1).as_deref(), Some("run"));
    }

    #[test]
    fn in_markdown_the_heading_above() {
        let text = Text::new(b"# One\n\na\n## Two ##\nb\n#no\n- c\n".to_vec());
        let at = |path: &str, line| enclosing_in(&RepoPath::new(path), &text, line);
        assert_eq!(at("docs/a.md", 6).as_deref(), Some("## Two ##"));
        assert_eq!(at("docs/a.md", 2).as_deref(), Some("# One"));
        assert_eq!(at("a.md", 0), None);
        assert_eq!(at("a.txt", 6), None);
    }

    #[test]
    fn who_may_see_it_is_no_part_of_its_name() {
        for seen_by in ["", "pub ", "pub(crate) ", "pub(in crate::app) ", "public ", "export "] {
            let source = format!("{seen_by}fn file_name<'a>(path: &'a Path) {{\n    x();\n}}\n");
            assert_eq!(of(&source, 1).as_deref(), Some("fn file_name<'a>"), "{seen_by}");
        }
    }

    #[test]
    fn sections_where_nothing_is_declared() {
        assert_eq!(of("jobs:\n  test:\n    steps:\n      - run: x\n", 3).as_deref(), Some("steps"));
        assert_eq!(of("", 0), None);
        assert_eq!(of("\n\n\n", 2), None);
    }
}
