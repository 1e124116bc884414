//! What a newcomer stumbled over in the cockpit on the first day, each kept from coming back.

use shadowdeck::{
    app::job::{Outcome, Slot},
    review::LandPlan,
};

use crate::desk::{Desk, land_plan, oid, row, rows};

#[test]
fn what_was_carried_in_is_told_as_the_persons_own() {
    let mut mine = row("swift-fox");
    (mine.ahead, mine.carried, mine.dirty) = (Some(1), Some(oid('7')), Some(false));
    let mut desk = Desk::with(vec![mine], (120, 40));
    let screen = desk.screen();
    assert!(screen.contains("your own uncommitted"), "{screen}");
    assert!(!screen.contains("1 commit"), "{screen}");
}

#[test]
fn the_sheet_names_the_commit_that_uncommitted_work_becomes() {
    let mut desk = Desk::with(rows(), (120, 40));
    desk.press("m");
    let subject = Some("Uncommitted work of swift-fox\n\nMore of it.".to_owned());
    let plan = LandPlan { own_commit: subject, ..land_plan("swift-fox") };
    desk.answer(Slot::PlanLand, Ok(Outcome::PlannedLanding(Box::new(plan))));
    let screen = desk.screen();
    assert!(screen.contains("as a commit of its own: Uncommitted work of swift-fox"), "{screen}");
}
