//! What a line of source lies in: the function, type or section around it, told by indentation.
//! A guess for heads, as git makes one for `@@` lines; nothing depends on it.

use super::Text;

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

/// The nearest declaration around the line, else the nearest line it is indented under.
/// `fn call`, `impl Api`, `steps`.
pub fn enclosing(text: &Text, line_index: u32) -> Option<String> {
    let last = line_index.min(text.line_count().checked_sub(1)?);
    let mut depth =
        (last..text.line_count().min(last + 50)).find_map(|index| indentation(text.line(index)))?;
    let mut nearest = None;
    for index in (last.saturating_sub(LINES_MAX)..last).rev() {
        if depth == 0 {
            break;
        }
        let line = text.line(index);
        let Some(indent) = indentation(line).filter(|indent| *indent < depth) else { continue };
        depth = indent;
        let Some(words) = str::from_utf8(line).ok().and_then(head) else { continue };
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

/// Without what opens a block, its parameters and who may see it.
fn head(line: &str) -> Option<String> {
    let line = line.trim();
    let line = line.split(['(', '{']).next().unwrap_or(line);
    let line = line.trim_end_matches([':', ' ', ',', '=']).trim_start_matches("- ");
    let rest = line
        .strip_prefix("pub ")
        .or_else(|| line.strip_prefix("export "))
        .or_else(|| line.strip_prefix("public "))
        .unwrap_or(line)
        .trim();
    rest.chars().any(char::is_alphanumeric).then(|| rest.to_owned())
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
    fn sections_where_nothing_is_declared() {
        assert_eq!(of("jobs:\n  test:\n    steps:\n      - run: x\n", 3).as_deref(), Some("steps"));
        assert_eq!(of("", 0), None);
        assert_eq!(of("\n\n\n", 2), None);
    }
}
