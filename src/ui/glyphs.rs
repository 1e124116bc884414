//! The signs that carry meaning, in two alphabets. None is an emoji; each takes one cell, but
//! East Asian settings widen some of the first set, and then the second is used.

/// One sign a field; the ASCII set has the same meanings.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Glyphs {
    pub cursor: &'static str,
    pub mark: &'static str,
    /// An agent asks for review.
    pub asks: &'static str,
    /// Something is being written.
    pub active: &'static str,
    pub idle: &'static str,
    pub done: &'static str,
    pub conflict: &'static str,
    pub landed: &'static str,
    pub empty: &'static str,
    /// Changed since it was looked at.
    pub changed: &'static str,
    pub problem: &'static str,
    /// Work that is in no commit yet.
    pub uncommitted: &'static str,
    /// Comments, with their number.
    pub comment: &'static str,
    /// Not known yet; also stands between facts.
    pub dot: &'static str,
    /// The rest of a line is cut off.
    pub cut: &'static str,
    /// The same, and something in the rest is other than on the other side.
    pub cut_changed: &'static str,
    /// A tab, and a space that is not the keyboard's, where a blank would not tell.
    pub tab: &'static str,
    pub odd_space: &'static str,
    /// Its beginning is scrolled out of sight.
    pub cut_left: &'static str,
    /// The line went to another place, or came from one.
    pub moved_away: &'static str,
    pub moved_here: &'static str,
    pub closed: &'static str,
    pub open: &'static str,
    pub rule: &'static str,
    pub pane: &'static str,
    pub tee_down: &'static str,
    pub tee_up: &'static str,
    pub minus: &'static str,
    pub arrow: &'static str,
    pub ellipsis: &'static str,
}

impl Glyphs {
    pub const UNICODE: Self = Self {
        cursor: "▌",
        mark: "▪",
        asks: "◆",
        active: "●",
        idle: "○",
        done: "✓",
        conflict: "✗",
        landed: "≈",
        empty: "∅",
        changed: "~",
        problem: "!",
        uncommitted: "+",
        comment: "c",
        dot: "·",
        cut: "»",
        cut_changed: "❯",
        tab: "→",
        odd_space: "␣",
        cut_left: "«",
        moved_away: "‹",
        moved_here: "›",
        closed: "▸",
        open: "▾",
        rule: "─",
        pane: "│",
        tee_down: "┬",
        tee_up: "┴",
        minus: "−",
        arrow: "→",
        ellipsis: "…",
    };

    pub const ASCII: Self = Self {
        cursor: ">",
        mark: "#",
        asks: "@",
        active: "*",
        idle: ".",
        done: "v",
        conflict: "x",
        landed: "=",
        empty: "0",
        changed: "~",
        problem: "!",
        uncommitted: "+",
        comment: "c",
        dot: ".",
        cut: ">",
        cut_changed: "*",
        tab: ">",
        odd_space: "_",
        cut_left: "<",
        moved_away: "<",
        moved_here: ">",
        closed: "+",
        open: "-",
        rule: "-",
        pane: "|",
        tee_down: "+",
        tee_up: "+",
        minus: "-",
        arrow: "->",
        ellipsis: "..",
    };

    /// What stands in one cell of a sentence of ours for a sign that the ASCII set does without.
    pub fn spelled(symbol: &str) -> Option<&'static str> {
        Some(match symbol {
            "·" | "…" => ".",
            "→" => ">",
            "−" => "-",
            "×" => "x",
            _ => return None,
        })
    }
}
