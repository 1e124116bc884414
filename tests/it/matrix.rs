//! One picture, in every colour depth and both glyph sets, as a text that a person can read: the
//! characters, a letter for each cell's styles, what the letters mean at each depth, and the rows
//! that ASCII writes otherwise. A picture of characters alone is blind to a lost colour.

use std::fmt::Write as _;

use ratatui::{buffer::Buffer, style::Style};
use shadowdeck::ui::{
    glyphs::Glyphs,
    theme::{Depth, Ground, Theme},
};

use crate::desk::text;

const DEPTHS: [(&str, Depth); 4] =
    [("true", Depth::True), ("256", Depth::Indexed), ("16", Depth::Sixteen), ("none", Depth::None)];

const LETTERS: &[u8] = b"abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789!#$%&*+=?@";

/// Signs of ours that have another in ASCII; no file of a scene has one.
const OURS: &str = "▌▪◆●○✓✗≈∅·»▸▾─│┬┴−→…×‹›";

/// Compares with the snapshot of that name.
#[track_caller]
pub(crate) fn keep(name: &str, draw: &dyn Fn(&Theme) -> Buffer) {
    let picture = picture(name, draw);
    insta::with_settings!({ omit_expression => true, prepend_module_to_snapshot => false }, {
        insta::assert_snapshot!(name, picture);
    });
}

#[track_caller]
fn picture(name: &str, draw: &dyn Fn(&Theme) -> Buffer) -> String {
    let themed = |depth, glyphs| draw(&Theme::built_in(Ground::Dark, depth, glyphs));
    let buffers = DEPTHS.map(|(_, depth)| themed(depth, &Glyphs::UNICODE));
    let mut out = text(&buffers[0]);
    for (buffer, (depth, _)) in buffers.iter().zip(DEPTHS) {
        assert_eq!(text(buffer), out, "{name} in {depth}: a depth changes no character");
    }
    let styles: Vec<[Style; 4]> = (0..buffers[0].content.len())
        .map(|cell| std::array::from_fn(|depth| buffers[depth].content[cell].style()))
        .collect();
    out += &lettered(&styles, usize::from(buffers[0].area.width));
    let ascii = themed(Depth::None, &Glyphs::ASCII);
    for (row, (line, unicode)) in text(&ascii).lines().zip(text(&buffers[0]).lines()).enumerate() {
        assert!(!line.contains(|char| OURS.contains(char)), "{name}, row {row}: {line}");
        if line != unicode {
            writeln!(out, "{row:>2}|{line}").expect("writes to a string");
        }
    }
    out
}

fn lettered(styles: &[[Style; 4]], width: usize) -> String {
    let mut legend: Vec<[Style; 4]> = Vec::new();
    let mut out = String::new();
    for row in styles.chunks(width.max(1)) {
        for cell in row {
            let known = legend.iter().position(|known| known == cell);
            let index = known.unwrap_or_else(|| {
                legend.push(*cell);
                legend.len() - 1
            });
            out.push(char::from(*LETTERS.get(index).expect("a screen has few styles")));
        }
        out.push('\n');
    }
    for (letter, styles) in LETTERS.iter().zip(&legend) {
        let words: Vec<String> = styles.iter().map(word).collect();
        writeln!(out, "{}: {}", char::from(*letter), words.join(" | ")).expect("writes");
    }
    out
}

fn word(style: &Style) -> String {
    let colour = |colour: Option<ratatui::style::Color>| colour.unwrap_or_default().to_string();
    let ground = match style.bg {
        None | Some(ratatui::style::Color::Reset) => String::new(),
        some => format!(" on {}", colour(some)),
    };
    let weight = format!("{:?}", style.add_modifier);
    let weight = if weight == "NONE" { String::new() } else { format!(" {weight}") };
    format!("{}{ground}{weight}", colour(style.fg))
}
