//! The least that a terminal program can do: ratatui draws a list, and any key ends it. The benchmark
//! measures the cockpit's first frame beside this one's.

use ratatui::{
    crossterm::event,
    widgets::{List, ListState},
};

fn main() -> std::io::Result<()> {
    let mut terminal = ratatui::init();
    let rows = (0..40).map(|number| format!("row {number}  a branch  +10 -2"));
    let list = List::new(rows).highlight_symbol("> ");
    let mut state = ListState::default().with_selected(Some(0));
    let drawn =
        terminal.draw(|frame| frame.render_stateful_widget(&list, frame.area(), &mut state));
    let ended = drawn.and_then(|_| event::read());
    ratatui::restore();
    ended.map(drop)
}
