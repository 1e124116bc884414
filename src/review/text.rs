//! A blob cut into lines, without copying any of them.

use std::ops::Range;

/// Lines end at `\n`; a last line without one counts as a line.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Text {
    bytes: Vec<u8>,
    /// The byte offset just behind each line, its newline included.
    line_ends: Vec<u32>,
}

/// Larger blobs are not cut into lines: the offsets are 32 bits wide.
pub const TEXT_BYTES_MAX: usize = u32::MAX as usize;

impl Text {
    /// `bytes` must be at most [`TEXT_BYTES_MAX`] long.
    pub fn new(bytes: Vec<u8>) -> Self {
        assert!(bytes.len() <= TEXT_BYTES_MAX, "the caller has looked at the size");
        let mut line_ends: Vec<u32> = bytes
            .iter()
            .enumerate()
            .filter(|(_, b)| **b == b'\n')
            .map(|(at, _)| offset(at + 1))
            .collect();
        if bytes.last().is_some_and(|b| *b != b'\n') {
            line_ends.push(offset(bytes.len()));
        }
        Self { bytes, line_ends }
    }

    pub fn as_bytes(&self) -> &[u8] {
        &self.bytes
    }

    pub fn line_count(&self) -> u32 {
        offset(self.line_ends.len())
    }

    /// The line's bytes with its newline; `line_index` counts from 0.
    pub fn line_with_end(&self, line_index: u32) -> &[u8] {
        let index = line_index as usize;
        let start = if index == 0 { 0 } else { self.line_ends[index - 1] as usize };
        &self.bytes[start..self.line_ends[index] as usize]
    }

    /// The line's bytes without its newline; a carriage return stays.
    pub fn line(&self, line_index: u32) -> &[u8] {
        let line = self.line_with_end(line_index);
        line.strip_suffix(b"\n").unwrap_or(line)
    }

    /// The bytes of a run of lines.
    pub fn lines(&self, range: Range<u32>) -> &[u8] {
        let end_of =
            |line: u32| if line == 0 { 0 } else { self.line_ends[line as usize - 1] as usize };
        &self.bytes[end_of(range.start)..end_of(range.end)]
    }

    pub fn has_final_newline(&self) -> bool {
        self.bytes.last().is_none_or(|b| *b == b'\n')
    }
}

fn offset(at: usize) -> u32 {
    u32::try_from(at).expect("bounded by TEXT_BYTES_MAX")
}
