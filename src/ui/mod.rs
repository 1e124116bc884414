//! `Model` in, cells out. Pure: no state of its own, no I/O.

pub mod cells;
pub mod glyphs;
pub mod theme;
