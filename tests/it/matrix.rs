//! One picture, in every colour depth and both glyph sets, as a text that a person can read: the
//! characters, a letter for each cell's styles, what the letters mean at each depth, and the rows
//! that ASCII writes otherwise. A picture of characters alone is blind to a lost colour. On a light ground
//! each picture must be the same one with the colours exchanged.

use std::{
    collections::{BTreeMap, BTreeSet},
    fmt::Write as _,
};

use ratatui::{
    buffer::Buffer,
    style::{Color, Style},
};
use shadowdeck::ui::{
    glyphs::Glyphs,
    theme::{Depth, Ground, Ink, Palette, Roles, Theme, Tints, Tokens},
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
    for (dark, (_, depth)) in buffers.iter().zip(DEPTHS) {
        let light = draw(&Theme::built_in(Ground::Light, depth, &Glyphs::UNICODE));
        hold_in_light(name, dark, &light, depth);
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

/// A light picture is the dark one with each meaning's colour exchanged, so it needs no snapshot of its own.
#[track_caller]
fn hold_in_light(name: &str, dark: &Buffer, light: &Buffer, depth: Depth) {
    assert_eq!(text(light), text(dark), "{name}: the ground changes no character");
    let [inks, tints] = exchanges(depth);
    for (place, (one, other)) in dark.content.iter().zip(&light.content).enumerate() {
        let (row, column) =
            (place / usize::from(dark.area.width), place % usize::from(dark.area.width));
        let is_told = exchanged(&inks, one.fg, other.fg)
            && exchanged(&tints, one.bg, other.bg)
            && one.modifier == other.modifier;
        assert!(is_told, "{name}, row {row}, column {column}: {one:?} is {other:?} in light");
    }
}

/// What is no colour of the theme is nobody's: it stays.
fn exchanged(known: &Exchange, dark: Color, light: Color) -> bool {
    known.get(&dark.to_string()).map_or(dark == light, |lights| lights.contains(&light.to_string()))
}

/// The light colours of a dark one: more than one where meanings share it on a dark ground.
type Exchange = BTreeMap<String, BTreeSet<String>>;

/// Of what is written, and of what is under it. Sixteen colours are the terminal's own, on any ground.
fn exchanges(depth: Depth) -> [Exchange; 2] {
    let [dark, light] =
        [Ground::Dark, Ground::Light].map(|ground| inks(&Palette::built_in(ground)));
    let colour = |ink: &Ink| match depth {
        Depth::True => Some(Color::Rgb(ink.rgb[0], ink.rgb[1], ink.rgb[2]).to_string()),
        Depth::Indexed => Some(Color::Indexed(ink.index).to_string()),
        Depth::Sixteen | Depth::None => None,
    };
    [0, 1].map(|which| {
        let mut known = Exchange::new();
        for (one, other) in dark[which].iter().zip(&light[which]) {
            if let (Some(one), Some(other)) = (colour(one), colour(other)) {
                known.entry(one).or_default().insert(other);
            }
        }
        known
    })
}

/// Without `..`: a meaning that is new is looked at, too.
fn inks(palette: &Palette) -> [Vec<Ink>; 2] {
    let Roles { text, quiet, focus, good, bad, attention, target, shadow } = palette.roles;
    let mut inks = vec![text, quiet, focus, good, bad, attention, target, shadow];
    let Tokens {
        comment,
        keyword,
        string,
        number,
        constant,
        type_name,
        function,
        attribute,
        tag,
        punctuation,
    } = palette.tokens;
    inks.extend([comment, keyword, string, number, constant, type_name]);
    inks.extend([function, attribute, tag, punctuation]);
    let Tints { cursor, added, removed, added_word, removed_word, hit } = palette.tints;
    [inks, vec![cursor, added, removed, added_word, removed_word, hit]]
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
    let colour = |colour: Option<Color>| colour.unwrap_or_default().to_string();
    let ground = match style.bg {
        None | Some(Color::Reset) => String::new(),
        some => format!(" on {}", colour(some)),
    };
    let weight = format!("{:?}", style.add_modifier);
    let weight = if weight == "NONE" { String::new() } else { format!(" {weight}") };
    format!("{}{ground}{weight}", colour(style.fg))
}
