//! The sheet that takes the target into a shadow: what it draws is what is done; plain git as the oracle.

use std::fs;

use shadowdeck::app::{
    Screen, Sheet,
    job::{Job, Outcome, Slot},
    plan_sheet::Face,
};

use crate::{
    desk::{Desk, rows, sync_plan},
    review_parts::Live,
    support::{Fixture, write},
};

const SYNC: &str = ": s y n c . s h a d o w Enter";
const LINES: &str = "1\n2\n3\n4\n5\n6\n7\n8\n9\n10\n";

/// A shadow with a commit and uncommitted work, and a target two commits on; they conflict in one line if asked to.
fn prepared(conflict: Option<&str>) -> (Fixture, std::path::PathBuf) {
    let fixture = Fixture::new();
    fixture.git(["config", "user.name", "Ana Test"]);
    fixture.git(["config", "user.email", "ana@example.org"]);
    fixture.write("both.txt", LINES);
    fixture.write("edited.txt", LINES);
    fixture.commit("base");
    let shadow = fixture.shadow("one");
    write(&shadow, "both.txt", LINES.replace("2\n", "agent\n"));
    fixture.commit_in(&shadow, "work");
    if conflict.is_none() {
        write(&shadow, "edited.txt", "edited\n");
    }
    fixture.write("both.txt", LINES.replace(conflict.unwrap_or("9\n"), "main\n"));
    fixture.commit("main goes on");
    fixture.write("new.txt", "new\n");
    fixture.commit("and on");
    (fixture, shadow)
}

fn state(fixture: &Fixture, shadow: &std::path::Path) -> String {
    let head = fixture.git_in(shadow, ["rev-parse", "HEAD"]);
    let status = fixture.git_in(shadow, ["status", "--porcelain", "-uall"]);
    let diff = fixture.git_in(shadow, ["diff", "HEAD"]);
    format!("{head}\n{status}\n{diff}")
}

/// The code that the sheet refuses with.
fn refusal(live: &Live) -> &'static str {
    match live.desk.model.sheets.last() {
        Some(Sheet::Sync(sheet)) => match &sheet.face {
            Face::Refused(report) => report.code.as_str(),
            other => panic!("{other:?}"),
        },
        other => panic!("{other:?}"),
    }
}

#[test]
fn what_the_sheet_draws_is_merged_and_u_takes_it_back() {
    let (fixture, shadow) = prepared(None);
    let before = state(&fixture, &shadow);
    let mut live = Live::new(&fixture);
    live.press(SYNC);
    let screen = live.desk.screen();
    for fact in ["Take main into one", "2 commits of main", "2 files: both.txt, new.txt"] {
        assert!(screen.contains(fact), "{fact}\n{screen}");
    }
    assert!(screen.contains("uncommitted work in 1 file: edited.txt"), "{screen}");
    assert_eq!(state(&fixture, &shadow), before, "drawn is not done");
    let merged = fixture.git(["merge-tree", "--write-tree", "aide-shadow/one", "main"]);
    live.press("Enter");
    assert_eq!(live.desk.answer_text(), "one has main now: 2 files changed · u takes it back");
    assert_eq!(fixture.git_in(&shadow, ["rev-parse", "HEAD^{tree}"]), merged);
    assert_eq!(fs::read_to_string(shadow.join("edited.txt")).unwrap(), "edited\n");
    live.press("u Enter");
    assert_eq!(state(&fixture, &shadow), before, "{}", live.desk.answer_text());
    live.press(SYNC);
    live.press("Enter");
    live.press(SYNC);
    assert!(live.desk.screen().contains("one has all of main already"), "{}", live.desk.screen());
}

#[test]
fn a_plan_that_something_moved_under_is_refused_and_made_anew() {
    let (fixture, shadow) = prepared(None);
    let mut live = Live::new(&fixture);
    live.press(SYNC);
    write(&shadow, "more.txt", "more\n");
    fixture.commit_in(&shadow, "the agent goes on");
    let before = state(&fixture, &shadow);
    live.press("Enter");
    assert_eq!(refusal(&live), "shadow_moved");
    live.press("R");
    fixture.write("late.txt", "late\n");
    fixture.commit("main goes on again");
    live.press("Enter");
    assert_eq!(refusal(&live), "target_moved");
    assert_eq!(state(&fixture, &shadow), before);
    live.press("R Enter");
    assert!(live.desk.answer_text().starts_with("one has main now: 3 files"));
}

#[test]
fn conflicts_are_settled_by_x_and_the_merge_carries_what_was_chosen() {
    let (fixture, shadow) = prepared(Some("2\n"));
    let before = state(&fixture, &shadow);
    let mut live = Live::new(&fixture);
    live.press(SYNC);
    assert_eq!(refusal(&live), "conflicts");
    live.press("Enter");
    assert_eq!(state(&fixture, &shadow), before);
    live.press("x");
    assert_eq!(live.desk.model.screen(), Screen::Conflicts);
    live.press("b");
    live.press(SYNC);
    let screen = live.desk.screen();
    assert!(screen.contains("as you chose: 1 file: both.txt"), "{screen}");
    live.press("Enter");
    assert_eq!(live.desk.model.screen(), Screen::Fleet, "{}", live.desk.screen());
    let text = fs::read_to_string(shadow.join("both.txt")).unwrap();
    assert!(text.contains("main\nagent\n") || text.contains("agent\nmain\n"), "{text}");
    let parents = fixture.git_in(&shadow, ["log", "-1", "--format=%P"]);
    assert!(parents.ends_with(&fixture.git(["rev-parse", "main"])), "{parents}");
}

#[test]
fn a_key_from_before_the_plan_was_drawn_is_dropped_and_leaving_lets_it_run() {
    let mut desk = Desk::with(rows(), (120, 40));
    desk.press(SYNC).press("Enter");
    let planned = || Ok(Outcome::PlannedSync(Box::new(sync_plan())));
    desk.answer(Slot::PlanSync, planned());
    assert_eq!(desk.writes(), Vec::<&Job>::new());
    desk.picture();
    desk.press("Enter Enter");
    assert_eq!(desk.writes(), [&Job::Sync(Box::new(sync_plan().confirm()))]);
    desk.press("Esc");
    assert_eq!(desk.answer_text(), "it goes on; the answer comes here");
    desk.press(SYNC).answer(Slot::PlanSync, planned());
    desk.picture();
    desk.press("Enter");
    assert_eq!(desk.answer_text(), "Enter waits: a write is running");
}
