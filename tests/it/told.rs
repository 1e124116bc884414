//! What the cockpit says of where a person is, and when it stops saying so.

use shadowdeck::{
    app::{
        job::{Outcome, Slot},
        review::View,
    },
    ui::theme::Theme,
};

use crate::{
    desk::{Desk, landing, page, row, rows, text},
    scenes::World,
};

#[test]
fn where_nothing_is_stale_it_is_said_when_something_will_be() {
    let mut desk = Desk::with(vec![row("fox")], (120, 40));
    desk.press("*");
    let said = "nothing is stale: landed or empty counts after 1 d, idle after 14 d · * unmarks";
    assert_eq!(desk.answer_text(), said);
}

#[test]
fn files_in_conflict_with_the_target_are_marked_in_the_review() {
    let mut desk = Desk::with(rows(), (120, 40));
    desk.press("n n n Enter").answer(Slot::Review, Ok(Outcome::Review(page("calm-pine"))));
    assert_eq!(desk.model.review.as_ref().map(|screen| screen.id.0.as_str()), Some("calm-pine"));
    let screen = desk.screen();
    assert!(screen.contains("✗  M api.rs") && screen.contains("✗ in conflict"), "{screen}");
    assert!(!screen.contains("✗  A retry.rs"), "{screen}");
}

#[test]
fn a_filter_that_a_landing_has_emptied_is_off_and_that_is_said() {
    let mut desk = Desk::with(rows(), (120, 40));
    desk.press("/ s w i f t Enter m").planned_landing().press("Enter");
    desk.answer(Slot::Write, Ok(Outcome::Landed(Box::new(landing("swift-fox")))));
    assert_eq!(desk.model.fleet.filter, "");
    assert!(desk.answer_text().contains("the filter is off"), "{}", desk.answer_text());
}

#[test]
fn what_i_said_of_a_file_goes_with_it() {
    let mut world = World::new(120, 40);
    world.press("Enter Tab i");
    let said = world.model.answer.clone();
    assert!(said.is_some(), "it explains");
    world.press("j");
    assert_eq!(world.model.answer, None, "that was of the file before");
}

#[test]
fn a_part_of_the_change_says_that_it_is_one() {
    for columns in [80, 120, 200] {
        let mut world = World::new(columns, 40);
        world.press("Enter 3");
        let shown = text(&world.draw(&Theme::default()));
        assert!(shown.contains("view uncommitted, 1 of 4 files; read counts all"), "{shown}");
        world.press("ctrl-p z z z z");
        let shown = text(&world.draw(&Theme::default()));
        assert!(shown.contains("not in this view"), "{shown}");
        world.press("Enter");
        let view = world.model.review.as_ref().map(|screen| screen.view);
        assert_eq!(view, Some(View::All));
    }
}
