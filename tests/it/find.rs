//! Finding a key in help, and a command by its name.

use shadowdeck::app::{Context, Sheet, palette};

use crate::desk::{Desk, rows};

#[test]
fn a_search_in_help_that_finds_nothing_says_so() {
    let mut desk = Desk::with(rows(), (120, 40));
    desk.press("? / z q");
    assert_eq!(desk.answer_text(), "no key here has zq in it");
    desk.press("Backspace Backspace l");
    assert_eq!(desk.answer_text(), "");
}

#[test]
fn the_palette_has_the_screen_s_own_commands_first_each_once() {
    for (keys, context) in [("", Context::Fleet), ("L", Context::Log)] {
        let mut desk = Desk::with(rows(), (120, 40));
        desk.press(keys).press(":");
        let Some(Sheet::Palette(open)) = desk.model.sheets.last() else { panic!("it is open") };
        let items = palette::items(&desk.model, open);
        let own = shadowdeck::app::command::commands().find(|command| command.context == context);
        assert_eq!(items.first().map(|item| item.name.as_str()), own.map(|command| command.name));
        let mut names: Vec<_> = items.iter().map(|item| item.name.clone()).collect();
        let all = names.len();
        names.sort();
        names.dedup();
        assert_eq!(names.len(), all, "{context:?}");
    }
    let mut desk = Desk::with(rows(), (120, 40));
    desk.press(": m");
    let Some(Sheet::Palette(open)) = desk.model.sheets.last() else { panic!("it is open") };
    let first = palette::items(&desk.model, open).swap_remove(0);
    assert_eq!(first.name, "land.shadow", "a key finds what it does");
}
