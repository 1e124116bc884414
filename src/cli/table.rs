//! Calm, aligned text: columns as wide as their widest cell, nothing at line ends, no colour needed.

use unicode_width::UnicodeWidthStr;

/// Two spaces between columns; the last one is never padded.
const GAP: usize = 2;

/// Lays out rows of cells; the cells must be visible text already.
pub(super) fn aligned(rows: &[Vec<String>]) -> String {
    let columns = rows.iter().map(Vec::len).max().unwrap_or(0);
    let widths: Vec<usize> = (0..columns)
        .map(|column| {
            rows.iter()
                .filter_map(|row| row.get(column))
                .map(|cell| cell.width())
                .max()
                .unwrap_or(0)
        })
        .collect();
    let mut out = String::new();
    for row in rows {
        let mut line = String::new();
        for (cell, width) in row.iter().zip(&widths) {
            line.push_str(cell);
            line.push_str(&" ".repeat(width.saturating_sub(cell.width()) + GAP));
        }
        out.push_str(line.trim_end());
        out.push('\n');
    }
    out
}

/// A span of time in its largest unit: `14m`, `3d`.
pub(super) fn age(since_ms: u64, now_ms: u64) -> String {
    let seconds = now_ms.saturating_sub(since_ms) / 1000;
    match seconds {
        0..60 => format!("{seconds}s"),
        60..3600 => format!("{}m", seconds / 60),
        3600..86_400 => format!("{}h", seconds / 3600),
        _ => format!("{}d", seconds / 86_400),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_align_by_cells_not_by_bytes() {
        let row = |cells: [&str; 2]| cells.map(str::to_owned).to_vec();
        let text = aligned(&[row(["漢字", "x"]), row(["abcdef", "y"]), row(["", ""])]);
        assert_eq!(text, "漢字    x\nabcdef  y\n\n");
    }

    #[test]
    fn ages_take_their_largest_unit() {
        assert_eq!(age(0, 59_000), "59s");
        assert_eq!(age(0, 3_600_000), "1h");
        assert_eq!(age(0, 200_000_000), "2d");
        assert_eq!(age(5, 0), "0s");
    }
}
