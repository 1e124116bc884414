//! What a person sees: every screen and state, characters and styles, in four sizes and every depth.

use shadowdeck::{
    app::job::{Outcome, Slot},
    report::{Code, Report},
};

use crate::{
    desk::{
        Desk, discard_plan, land_plan, log_entries, page, places, refusal, rows, sync_plan,
        undo_plan,
    },
    matrix,
};

const SIZES: [(u16, u16); 4] = [(40, 12), (80, 24), (120, 40), (200, 60)];

#[track_caller]
pub(crate) fn check(name: &str, scene: impl Fn((u16, u16)) -> Desk) {
    for size in SIZES {
        let mut desk = scene(size);
        desk.picture();
        matrix::keep(&format!("{name}_{}x{}", size.0, size.1), &|theme| desk.drawn_in(theme));
    }
}

fn with_detail(size: (u16, u16)) -> Desk {
    let mut desk = Desk::with(rows(), size);
    desk.answer(Slot::Detail, Ok(Outcome::Review(page("swift-fox"))));
    desk
}

#[test]
fn fleet() {
    check("fleet", |size| {
        let mut desk = with_detail(size);
        desk.press("*");
        desk
    });
}

#[test]
fn fleet_before_the_first_list() {
    check("fleet_places", |size| {
        let mut desk = Desk::new(size);
        desk.answer(Slot::Fleet, Ok(Outcome::Fleet(places(&["brave-otter", "swift-fox"]))));
        desk
    });
}

#[test]
fn fleet_empty_and_failed() {
    check("fleet_empty", |size| Desk::with(Vec::new(), size));
    check("fleet_failed", |size| {
        let mut desk = Desk::new(size);
        desk.answer(Slot::Fleet, Err(refusal()));
        desk
    });
}

#[test]
fn land_sheet() {
    check("land_planning", |size| {
        let mut desk = with_detail(size);
        desk.press("m");
        desk
    });
    check("land_planned", |size| {
        let mut desk = with_detail(size);
        desk.press("m").planned_landing();
        desk
    });
    check("land_refused", |size| {
        let mut desk = with_detail(size);
        desk.press("m").answer(Slot::PlanLand, Err(refusal()));
        desk
    });
    check("land_running", |size| {
        let mut desk = with_detail(size);
        desk.press("m").planned_landing();
        desk.press("Enter");
        desk
    });
    check("land_message", |size| {
        let mut desk = with_detail(size);
        desk.press("m").planned_landing();
        desk.press("e");
        desk
    });
}

#[test]
fn discard_sheet() {
    check("discard", |size| {
        let mut desk = with_detail(size);
        desk.press("* d");
        desk.answer(Slot::PlanDiscard, Ok(Outcome::PlannedDiscard(discard_plan())));
        desk
    });
}

#[test]
fn undo_sheet() {
    check("undo", |size| {
        let mut desk = with_detail(size);
        desk.press("u").answer(Slot::PlanUndo, Ok(Outcome::PlannedUndo(undo_plan("land"))));
        desk
    });
}

#[test]
fn sync_sheet() {
    let open = |size, answer| {
        let mut desk = with_detail(size);
        desk.press(": s y n c . s h a d o w Enter").answer(Slot::PlanSync, answer);
        desk
    };
    check("sync", |size| open(size, Ok(Outcome::PlannedSync(Box::new(sync_plan())))));
    check("sync_refused", |size| {
        let headline = "main conflicts with swift-fox in src/api.rs (content)";
        let report = Report::user(Code::Conflicts, headline);
        open(size, Err(report.unchanged().hint("`shadowdeck conflicts` shows them")))
    });
}

#[test]
fn log() {
    check("log", |size| {
        let mut desk = with_detail(size);
        desk.press("L").answer(Slot::Log, Ok(Outcome::Log(log_entries())));
        desk.press("Enter");
        desk
    });
}

#[test]
fn help() {
    check("help", |size| {
        let mut desk = with_detail(size);
        desk.press("?");
        desk
    });
}

#[test]
fn a_screen_too_small_says_so() {
    let mut desk = Desk::with(rows(), (36, 9));
    assert_eq!(desk.screen().trim_end(), "needs 40×10, is 36×9 · q quits");
}

#[test]
fn the_plan_is_shown_whole() {
    let mut desk = with_detail((80, 24));
    desk.press("m").planned_landing();
    let screen = desk.screen();
    let plan = land_plan("swift-fox");
    for fact in ["Enter land", "2 merge", "2 files", "uncommitted work included", "no hooks"] {
        assert!(screen.contains(fact), "{fact}\n{screen}");
    }
    assert!(screen.contains(plan.message.lines().next().expect("a subject")), "{screen}");
}
