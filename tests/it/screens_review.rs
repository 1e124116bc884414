//! Review and Conflicts as a person sees them: the characters, then the styles, at three sizes.

use ratatui::{buffer::Buffer, style::Style};
use shadowdeck::ui::{
    glyphs::Glyphs,
    theme::{Depth, Ground, Theme},
};

use crate::scenes::World;

/// The characters, then one letter a style: a text snapshot alone is blind to colour.
pub(crate) fn styles(buffer: &Buffer) -> String {
    let mut legend: Vec<Style> = Vec::new();
    let (mut text, mut letters) = (String::new(), String::new());
    for row in buffer.content.chunks(usize::from(buffer.area.width)) {
        let mut skip = 0;
        for cell in row {
            let style = cell.style();
            let known = legend.iter().position(|known| *known == style);
            let index = known.unwrap_or_else(|| {
                legend.push(style);
                legend.len() - 1
            });
            letters.push(char::from(b'a' + u8::try_from(index % 26).expect("under 26")));
            // A wide character covers the cell behind it.
            if skip == 0 {
                text.push_str(cell.symbol());
                skip = unicode_width::UnicodeWidthStr::width(cell.symbol()).saturating_sub(1);
            } else {
                skip -= 1;
            }
        }
        text.push_str("|\n");
        letters.push('\n');
    }
    let legend = legend.iter().zip('a'..).map(|(style, letter)| {
        let Style { fg, bg, add_modifier, .. } = style;
        format!("{letter}: {fg:?} on {bg:?} {add_modifier:?}\n")
    });
    format!("{text}\n{letters}\n{}", legend.collect::<String>())
}

fn check(name: &str, keys: &str) {
    for (columns, rows) in [(40, 12), (80, 24), (120, 40)] {
        let mut world = World::new(columns, rows);
        world.press(keys);
        let picture = styles(&world.draw(&Theme::default()));
        insta::assert_snapshot!(format!("{name}_{columns}x{rows}"), picture);
    }
}

const TO_CONFLICTS: &str = "/ c a l m Enter x";

#[test]
fn review_opens_at_the_first_unread_file() {
    check("review", "Enter");
}

#[test]
fn review_reads_on() {
    check("review_read_on", "Enter Space ] j");
}

#[test]
fn review_lists_its_files() {
    check("review_files", "Enter Tab");
}

#[test]
fn review_finds_text() {
    check("review_search", "Enter / u r l Enter n");
}

#[test]
fn conflicts_show_both_sides() {
    check("conflicts", TO_CONFLICTS);
}

#[test]
fn conflicts_show_what_would_land() {
    check("conflicts_result", &format!("{TO_CONFLICTS} a T ["));
}

#[test]
fn conflicts_word_a_deletion_as_one() {
    check("conflicts_delete", &format!("{TO_CONFLICTS} ] ]"));
}

#[test]
fn characters_alone_tell_the_screens_apart() {
    let theme = Theme::built_in(Ground::Dark, Depth::None, &Glyphs::ASCII);
    for (name, keys) in [("review", "Enter Space"), ("conflicts", TO_CONFLICTS)] {
        let mut world = World::new(100, 30);
        world.press(keys);
        let picture = styles(&world.draw(&theme));
        // What comes from the repository may hold anything; all that is ours is ASCII.
        insta::assert_snapshot!(format!("{name}_ascii"), picture);
    }
}
