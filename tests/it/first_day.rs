//! What a newcomer stumbled over in the cockpit on the first day, each kept from coming back.

use shadowdeck::{
    app::{
        group::Group,
        job::{Outcome, Slot},
    },
    review::{LandPlan, Verdict},
    shadow::RepoPath,
    ui::theme::Theme,
};

use crate::{
    desk::{Desk, land_plan, oid, row, rows, text},
    scenes::{World, facts},
};

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

/// One changed line with the word, and a lockfile with other words.
fn searched() -> World {
    let files = vec![
        facts::text_file("a.rs", Some("before\n"), Some("a needle\n")),
        facts::text_file("b.rs", Some("before\n"), Some("needs\n")),
        facts::text_file("Cargo.lock", Some("v1\n"), Some("needy 1\nother\n")),
    ];
    World::with_pages(120, 40, vec![facts::page("agent-swift-fox", files)])
}

fn drawn(world: &mut World) -> String {
    text(&world.draw(&Theme::default()))
}

fn said(world: &World) -> &str {
    world.model.answer.as_ref().map_or("", |answer| &answer.text)
}

fn cursor(world: &World) -> usize {
    world.model.review.as_ref().map_or(0, |screen| screen.cursor)
}

#[test]
fn a_search_never_leaves_the_cursor_where_nothing_matches() {
    let mut world = searched();
    world.press("Enter");
    let began = cursor(&world);
    world.press("/ n e e d s");
    assert_ne!(cursor(&world), began);
    world.press("z");
    assert_eq!(cursor(&world), began, "what matches nowhere moves nobody");
    world.press("Backspace Esc");
    assert_eq!(cursor(&world), began, "Esc undoes the jump");
    world.press("/ n e e d y Enter");
    assert_eq!(said(&world), "match 1 of 1 of needy", "what was folded is open");
}

#[test]
fn ctrl_c_leaves_a_comment_as_a_draft_that_nobody_else_reads() {
    let mut world = World::new(120, 40);
    world.press("Enter j c n o ctrl-c");
    assert!(world.threads.is_empty(), "{}", said(&world));
    assert!(said(&world).starts_with("a draft"), "{}", said(&world));
    world.press("c w Esc");
    assert_eq!(world.threads[0].posts[0].text, "now");
    world.press("g g > c x ctrl-c c ctrl-u ctrl-c");
    assert!(world.marks.note_drafts.is_empty(), "{}", said(&world));
    assert_eq!(world.threads[0].posts.len(), 1);
}

#[test]
fn the_gravest_flag_on_the_sheet_is_whole_and_near_the_top() {
    let mut desk = Desk::with(rows(), (120, 40));
    desk.press("m");
    let secret = "possible secret: crates/core/of/a/long/way/down/src/keys/that/are/secret.rs";
    let remarks = vec![secret.to_owned(), "weakened tests: crates/core/tests/all.rs".to_owned()];
    let plan = LandPlan { remarks, ..land_plan("swift-fox") };
    desk.answer(Slot::PlanLand, Ok(Outcome::PlannedLanding(Box::new(plan))));
    let screen = desk.screen();
    let row = |words: &str| screen.lines().position(|line| line.contains(words));
    assert!(screen.contains("secret.rs"), "{screen}");
    assert!(row("possible secret") < row("goes in"), "{screen}");
}

#[test]
fn settled_is_told_alike_and_is_ready() {
    let mut settled = row("calm-pine");
    settled.verdict = Verdict::Conflicts;
    settled.conflicts = vec![RepoPath::new("a.rs"), RepoPath::new("b.rs")];
    settled.settled = 2;
    assert_eq!(Group::of(&settled), Group::Ready);
    let mut desk = Desk::with(vec![settled], (120, 40));
    assert!(desk.screen().contains("2 settled"));
    desk.press("Enter");
    let screen = desk.screen();
    let header = screen.lines().next().unwrap_or_default();
    assert!(header.contains("2 settled"), "{header}");
}

#[test]
fn esc_takes_the_words_of_a_range_away_with_it() {
    let mut desk = Desk::with(rows(), (120, 40));
    desk.press("v Esc");
    assert_eq!(desk.answer_text(), "no range any more");
}

#[test]
fn the_views_keep_their_names_beside_a_count_of_comments() {
    let mut world = World::new(120, 40);
    world.press("Enter c n o Enter w h y Esc");
    let screen = drawn(&mut world);
    let header = screen.lines().next().unwrap_or_default().to_owned();
    assert!(header.contains("1 comment") && header.contains("2 since you looked"), "{header}");
    assert!(screen.contains("you: no…"), "a comment of two lines goes on: {screen}");
}
