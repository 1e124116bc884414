//! A field of many lines: what its keys do. Every key that takes text away has `ctrl-_` as its way back; keys that no
//! row here names do nothing, whatever the text area would make of them.

use tui_textarea::{CursorMove, Input, Key as AreaKey, TextArea};

use super::{
    Command, Context, Effect, Model,
    command::always,
    comment_sheet,
    keymap::{Key, KeyPress},
    land_message,
};

/// Single letters count: a text that was written in one go can be taken back to its beginning.
const STEPS_MAX: usize = 10_000;

pub(super) fn new(lines: Vec<String>, cursor: CursorMove) -> TextArea<'static> {
    let mut area = TextArea::new(lines);
    area.set_max_histories(STEPS_MAX);
    area.move_cursor(cursor);
    area
}

/// A paste, with its lines as they are.
pub(super) fn insert(area: &mut TextArea<'static>, text: &str) {
    area.insert_str(text.replace("\r\n", "\n").replace('\r', "\n"));
}

/// What no command of the table stands for: text, and how shells move and delete in it.
pub(super) fn type_in(area: &mut TextArea<'static>, key: KeyPress) {
    let KeyPress { key, ctrl, alt } = key;
    match (key, ctrl, alt) {
        (Key::Char(character), false, false) => area.insert_char(character),
        (Key::Tab, false, false) => drop(area.insert_tab()),
        (Key::Enter, ..) => area.insert_newline(),
        _ => {
            let area_key = match (key, ctrl, alt) {
                (
                    Key::Char('a' | 'b' | 'd' | 'e' | 'f' | 'h' | 'k' | 'n' | 'p' | 'w' | 'y'),
                    true,
                    false,
                )
                | (Key::Char('b' | 'd' | 'f' | 'h' | '<' | '>'), false, true) => {
                    let Key::Char(character) = key else { return };
                    AreaKey::Char(character)
                }
                (Key::Backspace, false, _) => AreaKey::Backspace,
                (Key::Delete, false, _) => AreaKey::Delete,
                (Key::Left, _, false) => AreaKey::Left,
                (Key::Right, _, false) => AreaKey::Right,
                (Key::Up, false, false) => AreaKey::Up,
                (Key::Down, false, false) => AreaKey::Down,
                (Key::Home, ..) => AreaKey::Home,
                (Key::End, ..) => AreaKey::End,
                (Key::PageUp, false, false) => AreaKey::PageUp,
                (Key::PageDown, false, false) => AreaKey::PageDown,
                _ => return,
            };
            area.input(Input { key: area_key, ctrl, alt, shift: false });
        }
    }
}

fn new_line(model: &mut Model) -> Vec<Effect> {
    if let Some(area) = model.text_field() {
        area.insert_newline();
    }
    Vec::new()
}

fn clear_line(model: &mut Model) -> Vec<Effect> {
    if let Some(area) = model.text_field() {
        area.move_cursor(CursorMove::End);
        area.delete_line_by_head();
    }
    Vec::new()
}

fn undo(model: &mut Model) -> Vec<Effect> {
    if model.text_field().is_some_and(|area| !area.undo()) {
        model.refuse("ctrl-_: nothing was typed here before this");
    }
    Vec::new()
}

fn redo(model: &mut Model) -> Vec<Effect> {
    if model.text_field().is_some_and(|area| !area.redo()) {
        model.refuse("ctrl-r: nothing was taken back");
    }
    Vec::new()
}

fn end(model: &mut Model) -> Vec<Effect> {
    if comment_sheet::end(model) { Vec::new() } else { land_message::end_edit(model) }
}

fn leave(model: &mut Model) -> Vec<Effect> {
    if comment_sheet::leave(model) { Vec::new() } else { land_message::end_edit(model) }
}

/// Where there is no other, it is typed.
fn next_field(model: &mut Model) -> Vec<Effect> {
    if comment_sheet::next_about(model) {
        return Vec::new();
    }
    model.type_key(KeyPress::plain(Key::Tab))
}

const fn row(
    name: &'static str,
    help: &'static str,
    keys: &'static [&'static str],
    run: fn(&mut Model) -> Vec<Effect>,
) -> Command {
    Command { name, help, keys, context: Context::Text, refusal: always, run }
}

pub(super) const COMMANDS: &[Command] = &[
    row("keep.text", "End editing; the text is kept", &["Esc", "ctrl-s"], end),
    row("leave.text", "Out of it; a comment stays a draft", &["ctrl-c"], leave),
    row("next.about", "A comment: on the line, the hunk or the file", &["Tab"], next_field),
    // `ctrl-j` is the line feed that some terminals send for `shift-Enter`, and that a paste without brackets has.
    row("new.line", "A new line", &["Enter", "ctrl-j"], new_line),
    row("clear.line", "Clear the line", &["ctrl-u"], clear_line),
    // Terminals send one byte for all three.
    row("take-back.text", "What was typed or deleted last", &["ctrl-_", "ctrl-/", "ctrl-7"], undo),
    row("redo.text", "Do again what was taken back", &["ctrl-r"], redo),
];
