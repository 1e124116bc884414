//! Changes of white space alone, left out where a reader asks for that: as `git diff -w` sees lines.

use similar::{Algorithm, DiffOp, capture_diff_slices};

use super::{Block, Content, FileDiff, Text};

/// Longer runs of lines are left as they are: comparing them again would hold up the reader.
const LINES_MAX: u32 = 4_000;

/// The same file with only those changes that are more than white space. Its counts stay the whole file's.
pub fn without_space_changes(file: &FileDiff) -> FileDiff {
    let Content::Text { old, new, blocks } = &file.content else { return file.clone() };
    let blocks = blocks.iter().flat_map(|block| narrowed(old, new, block)).collect();
    FileDiff {
        passed: file.passed.clone(),
        content: Content::Text { old: old.clone(), new: new.clone(), blocks },
        ..file.clone()
    }
}

/// Lines that are alike but for white space leave the block; what is left keeps its place.
fn narrowed(old: &Text, new: &Text, block: &Block) -> Vec<Block> {
    let lines = block.old.len().max(block.new.len());
    if block.old.is_empty() || block.new.is_empty() || lines > LINES_MAX as usize {
        return vec![block.clone()];
    }
    let dense = |text: &Text, lines: std::ops::Range<u32>| -> Vec<Vec<u8>> {
        lines.map(|line| without_space(text.line(line))).collect()
    };
    let (before, after) = (dense(old, block.old.clone()), dense(new, block.new.clone()));
    let index = |start: u32, at: usize| start + u32::try_from(at).unwrap_or(u32::MAX);
    capture_diff_slices(Algorithm::Myers, &before, &after)
        .iter()
        .filter(|op| !matches!(op, DiffOp::Equal { .. }))
        .map(|op| Block {
            old: index(block.old.start, op.old_range().start)
                ..index(block.old.start, op.old_range().end),
            new: index(block.new.start, op.new_range().start)
                ..index(block.new.start, op.new_range().end),
        })
        .collect()
}

fn without_space(line: &[u8]) -> Vec<u8> {
    line.iter().copied().filter(|byte| !byte.is_ascii_whitespace()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_is_more_than_white_space_stays() {
        let text = |source: &str| Text::new(source.as_bytes().to_vec());
        let old = text("a(b);\nkeep\nx\n");
        let new = text("if y {\n    a( b );\n\tkeep\n}\nz\n");
        let block = Block { old: 0..3, new: 0..5 };
        let blocks = narrowed(&old, &new, &block);
        assert_eq!(blocks, [Block { old: 0..0, new: 0..1 }, Block { old: 2..3, new: 3..5 }]);
        let same = Block { old: 0..2, new: 1..3 };
        assert_eq!(narrowed(&old, &new, &same), []);
    }
}
