//! Fields to type in: no key takes text away for good, and lines stay lines.

use shadowdeck::app::{Context, Msg, Sheet};

use crate::{
    desk::{Desk, rows},
    scenes::World,
};

/// Every key that a terminal sends with `ctrl` or `alt`, and those that delete.
fn keys() -> Vec<String> {
    let letters = || ('a'..='z').chain("0123456789[]\\^_/@<>".chars());
    let control = letters().map(|letter| format!("ctrl-{letter}"));
    let alt = letters().map(|letter| format!("alt-{letter}"));
    let named = ["Backspace", "Delete", "Enter", "Left", "Right", "Home", "End", "Up", "Down"];
    let held = ["", "ctrl-", "alt-", "ctrl-alt-"];
    let named = named.iter().flat_map(|name| held.map(|held| format!("{held}{name}")));
    control.chain(alt).chain(named).collect()
}

fn message(desk: &Desk) -> Option<String> {
    match desk.model.sheets.last() {
        Some(Sheet::Land(sheet)) => sheet.editor.as_ref().map(|area| area.lines().join("\n")),
        _ => None,
    }
}

#[test]
fn no_key_of_a_text_field_loses_text_without_a_way_back() {
    for key in keys() {
        let mut desk = Desk::with(rows(), (120, 40));
        desk.press("m").planned_landing();
        desk.press("e ctrl-u o n e Space t w o Enter t h r e e Left Left");
        let before = message(&desk).expect("it is edited");
        desk.press(&key);
        let Some(after) = message(&desk) else { continue };
        let has_lost = |text: &str| before.chars().filter(|c| !text.contains(*c)).count() > 0;
        if after != before && key != "ctrl-_" && key != "ctrl-/" && key != "ctrl-7" {
            desk.press("ctrl-_");
            assert_eq!(message(&desk).as_deref(), Some(&before[..]), "{key} made it {after:?}");
        } else if has_lost(&after) {
            desk.press("ctrl-r");
            assert_eq!(message(&desk).as_deref(), Some(&before[..]), "{key} made it {after:?}");
        }
    }
}

#[test]
fn no_key_of_a_line_loses_it_without_a_way_back() {
    for open in ["/", ":", "C"] {
        for key in keys() {
            let mut desk = Desk::with(rows(), (120, 40));
            desk.press(open).press("o n e Space t w o");
            let text = |desk: &Desk| match desk.model.sheets.last() {
                Some(Sheet::Prompt(prompt)) => Some(prompt.text.clone()),
                Some(Sheet::Palette(palette)) => Some(palette.prompt.text.clone()),
                Some(Sheet::Create(sheet)) => Some(sheet.prompt.text.clone()),
                _ => None,
            };
            desk.press(&key);
            let Some(after) = text(&desk).filter(|after| after != "one two") else { continue };
            desk.press("ctrl-_");
            assert_eq!(text(&desk).as_deref(), Some("one two"), "{key} made it {after:?}");
        }
    }
    let mut desk = Desk::with(rows(), (120, 40));
    desk.press("/ o l d Enter Esc / n e w Up Down Enter");
    assert_eq!(desk.model.fleet.filter, "new", "what was typed before the past was looked at");
}

#[test]
fn a_line_feed_and_a_pasted_text_keep_their_lines() {
    let mut world = World::new(120, 40);
    world.press("Enter j c o n e ctrl-j t w o");
    world.tell(Msg::Pasted("\r\nthree\nfour\rfive".to_owned()));
    assert_eq!(world.model.context(), Context::Text);
    world.press("Esc");
    assert_eq!(world.threads[0].posts[0].text, "one\ntwo\nthree\nfour\nfive");
}
