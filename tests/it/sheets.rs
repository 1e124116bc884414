//! The sheets: consents, what moved, what runs and can be stopped, drafts, doing again.

use shadowdeck::{
    app::{
        Context, Effect, Msg, Screen, Sheet,
        job::{Job, Outcome, Slot},
        land_sheet::Face,
    },
    report::{Code, Report},
    review::{
        Chosen, Consent, LandOptions, LandPlan, Process, Progress, Redone, Step, Trust, UndoPlan,
        Undone, Verify,
        marks::{Draft, Kept, Mark, Marks},
        plan::Discarded,
    },
    shadow::{RepoPath, ShadowId, Strategy},
};

use crate::desk::{
    Desk, discard_entry, discard_plan, fleet, id, land_plan, landing, log_entries, oid, operation,
    page, redo_plan, refusal, rows, undo_plan,
};

const WIDE: (u16, u16) = (120, 40);
const NARROW: (u16, u16) = (80, 24);

pub(crate) fn planned(desk: &mut Desk, plan: LandPlan) {
    desk.answer(Slot::PlanLand, Ok(Outcome::PlannedLanding(Box::new(plan)))).picture();
}

fn on_sheet(size: (u16, u16)) -> Desk {
    let mut desk = Desk::with(rows(), size);
    desk.press("m").planned_landing();
    desk
}

#[track_caller]
fn asked_last(desk: &Desk) -> &LandOptions {
    match desk.started.last() {
        Some(Job::PlanLand { options, .. }) => options,
        other => panic!("it plans: {other:?}"),
    }
}

pub(crate) fn tell(desk: &mut Desk, told: Progress) {
    let (slot, id, _) = desk.open.last().cloned().expect("a write runs");
    assert_eq!(slot, Slot::Write);
    desk.send(Msg::Progressed { slot, id, told });
    desk.picture();
}

pub(crate) fn consent(words: &str, mark: &str) -> Consent {
    Consent { words: words.to_owned(), mark: mark.to_owned() }
}

fn untrusted(mark: &str) -> LandPlan {
    LandPlan {
        needs_trust: vec![consent("the hook file pre-commit was changed", mark)],
        ..land_plan("swift-fox")
    }
}

#[test]
fn a_strategy_typed_before_the_first_plan_is_the_one_planned() {
    let mut desk = Desk::with(rows(), WIDE);
    desk.burst("m 2 Enter");
    assert_eq!(asked_last(&desk).strategy, Some(Strategy::Merge));
    desk.picture();
    desk.planned_landing();
    assert_eq!(desk.writes(), Vec::<&Job>::new(), "and nothing lands unseen");
}

/// A refusal that another strategy does not mend offers none; a part never has one.
#[test]
fn strategies_are_offered_where_they_help() {
    let refused = |code| {
        let mut desk = Desk::with(rows(), WIDE);
        desk.press("m").answer(Slot::PlanLand, Err(Report::user(code, "no"))).picture();
        desk.screen().lines().last().unwrap_or_default().contains("1 2 3 strategy")
    };
    assert!(refused(Code::Conflicts) && refused(Code::HookRejected));
    for code in [Code::DirtyOverlap, Code::NothingToLand, Code::IdentityMissing, Code::TargetBusy] {
        assert!(!refused(code), "{code:?}");
    }
}

#[test]
fn a_choice_taken_back_names_its_file_and_what_becomes_of_it() {
    let mut desk = Desk::with(rows(), WIDE);
    let path = RepoPath::new("src/api.rs");
    let chosen = Some(Chosen { path, words: "open again".to_owned() });
    let plan = UndoPlan { chosen, ..undo_plan("resolve") };
    desk.press("u").answer(Slot::PlanUndo, Ok(Outcome::PlannedUndo(plan.clone()))).picture();
    let screen = desk.screen();
    for said in ["Take back: the choice for src/api.rs", "src/api.rs: open again"] {
        assert!(screen.contains(said), "{said}: {screen}");
    }
    desk.press("Enter");
    let undone = Undone { operation: operation(3), plan, warnings: Vec::new() };
    desk.answer(Slot::Write, Ok(Outcome::Undone(undone)));
    let said = "took back the choice of swift-fox: src/api.rs is open again";
    assert!(desk.answer_text().starts_with(said), "{}", desk.answer_text());
}

#[test]
fn keys_from_before_the_first_plan_are_dropped() {
    let mut desk = Desk::with(rows(), WIDE);
    let before = desk.started.len();
    desk.press("m 4 5 e E Enter R Space x");
    let plans = desk.started[before..].iter().filter(|job| matches!(job, Job::PlanLand { .. }));
    assert_eq!(plans.count(), 1);
    assert_eq!(desk.model.context(), Context::LandSheet);
    desk.planned_landing();
    assert_eq!(desk.writes(), Vec::<&Job>::new());
    desk.press("1 4 5");
    let options = asked_last(&desk);
    assert!(options.keep && options.verify == Verify::Skip);
    assert!(desk.screen().contains("5 skip hooks▪"), "what is asked for is seen at once");
    assert!(desk.screen().contains("Retry calls"), "and what was planned stays, in quiet");
    assert_eq!(desk.writes(), Vec::<&Job>::new());
}

#[test]
fn a_consent_is_a_line_to_tick_and_enter_never_takes_it_along() {
    let mut desk = Desk::with(rows(), NARROW);
    desk.press("m");
    planned(&mut desk, untrusted("one"));
    assert!(
        desk.screen().contains("[ ] the hook file pre-commit was changed"),
        "{}",
        desk.screen()
    );
    desk.press("Enter");
    assert_eq!(desk.answer_text(), "Enter: it needs your consent first: Space ticks it");
    assert_eq!(desk.writes(), Vec::<&Job>::new());
    desk.press("Space");
    let trust = Trust::Shown(vec!["one".to_owned()]);
    assert_eq!(asked_last(&desk).trust, trust);
    let trusted = LandPlan { trust, ..land_plan("swift-fox") };
    planned(&mut desk, trusted.clone());
    assert!(desk.screen().contains("[▪] the hook file pre-commit was changed"));
    desk.press("Enter");
    assert_eq!(desk.writes(), [&Job::Land(Box::new(trusted.confirm()))]);
}

#[test]
fn another_state_of_it_is_another_consent() {
    let mut desk = Desk::with(rows(), NARROW);
    desk.press("m");
    planned(&mut desk, untrusted("one"));
    desk.press("Space");
    planned(&mut desk, untrusted("two"));
    assert!(desk.screen().contains("[ ] the hook file pre-commit was changed"));
    assert!(!desk.screen().contains("[▪]"));
    desk.press("Enter");
    assert_eq!(desk.writes(), Vec::<&Job>::new());
    desk.press("Space");
    assert_eq!(asked_last(&desk).trust, Trust::Shown(vec!["two".to_owned()]));
    planned(&mut desk, land_plan("swift-fox"));
    desk.press("Space");
    assert_eq!(asked_last(&desk).trust, Trust::AsRecorded, "again: it is taken back");
}

#[test]
fn trust_that_a_refusal_wants_is_given_on_the_sheet_too() {
    let mut desk = Desk::with(rows(), NARROW);
    let report = Report::user(Code::NotTrusted, "landing swift-fox needs your trust: x")
        .hint("look at it, and if it is as it should be, land with --trust")
        .detail("needs_trust", vec!["the config defines filter.x"])
        .detail("marks", vec!["m"]);
    desk.press("m").answer(Slot::PlanLand, Err(report));
    let screen = desk.screen();
    assert!(screen.contains("[ ] the config defines filter.x") && screen.contains("not_trusted"));
    assert!(!screen.contains("--trust"), "no flags in here: {screen}");
    desk.press("Space");
    assert_eq!(asked_last(&desk).trust, Trust::Shown(vec!["m".to_owned()]));
}

#[test]
fn who_is_at_work_in_it_is_agreed_to_first() {
    let mut desk = Desk::with(rows(), NARROW);
    desk.press("m");
    let claude = Process { pid: 4711, name: "claude".to_owned() };
    let plan = LandPlan { at_work: vec![claude], ..land_plan("swift-fox") };
    planned(&mut desk, plan.clone());
    assert!(desk.screen().contains("[ ] claude (pid 4711) is at work in it"), "{}", desk.screen());
    desk.press("Enter Space Enter");
    assert_eq!(desk.writes(), [&Job::Land(Box::new(plan.confirm()))]);
}

#[test]
fn a_sheet_that_does_not_fit_counts_once_its_last_line_was_there() {
    let mut desk = on_sheet((40, 12));
    assert!(desk.screen().contains("more lines · j scrolls"));
    desk.press("Enter");
    assert_eq!(desk.answer_text(), "Enter: its last line was not on the screen yet: j scrolls");
    desk.press("ctrl-d ctrl-d ctrl-d");
    assert!(!desk.screen().contains("j scrolls"), "{}", desk.screen());
    desk.press("k k k Enter");
    assert_eq!(desk.writes().len(), 1, "what was seen is seen");
}

pub(crate) fn shadow_moved() -> Report {
    Report::user(Code::ShadowMoved, "swift-fox was written to since it was reviewed")
        .unchanged()
        .hint("look at what is new, then land that")
        .detail("expected", oid('5').as_str())
        .detail("snapshot", oid('6').as_str())
}

/// A page of the shadow as it is now, with one file.
pub(crate) fn newer() -> shadowdeck::review::ReviewPage {
    let mut newer = page("swift-fox");
    newer.files.truncate(1);
    newer.snapshot = oid('6');
    newer
}

#[test]
fn what_moved_is_compared_and_one_key_shows_just_that() {
    let mut desk = Desk::with(rows(), WIDE);
    desk.press("Enter");
    if desk.model.jobs.is_open(Slot::Review) {
        desk.answer(Slot::Review, Ok(Outcome::Review(page("swift-fox")))).picture();
    }
    desk.press("m").answer(Slot::PlanLand, Err(shadow_moved())).picture();
    let between = [oid('5'), oid('6')];
    assert!(desk.started.contains(&Job::Part { id: id("swift-fox"), between: between.clone() }));
    let mut part = newer();
    part.base = oid('5');
    desk.answer(Slot::Compare, Ok(Outcome::Review(part.clone()))).picture();
    let screen = desk.screen();
    for said in ["it wrote 1 file since you read it", "shadow_moved", "src/api.rs  +1", "R show"] {
        assert!(screen.contains(said), "{said}: {screen}");
    }
    assert_eq!(screen.matches("next ").count(), 1, "one way out: {screen}");
    desk.press("Enter");
    assert_eq!(desk.writes(), Vec::<&Job>::new());
    desk.press("R");
    assert_eq!((desk.model.screen(), desk.model.sheets.len()), (Screen::Review, 0));
    desk.answer(Slot::Review, Ok(Outcome::Review(newer())));
    assert!(desk.model.jobs.is_open(Slot::Part), "since what was read");
    let part_of = Job::Part { id: id("swift-fox"), between };
    assert_eq!(desk.started.iter().filter(|job| **job == part_of).count(), 2);
    desk.answer(Slot::Part, Ok(Outcome::Review(part))).picture();
    assert!(desk.answer_text().starts_with("since you looked: 1 file"), "{}", desk.answer_text());
    desk.press("m");
    assert_eq!(asked_last(&desk).expect, Some(oid('6')), "what is read now is what lands");
}

#[test]
fn a_snapshot_that_was_read_stays_the_one_that_lands() {
    let mut desk = Desk::with(rows(), WIDE);
    desk.press("Enter");
    if desk.model.jobs.is_open(Slot::Review) {
        desk.answer(Slot::Review, Ok(Outcome::Review(page("swift-fox")))).picture();
    }
    desk.press("m").planned_landing();
    desk.press("R");
    assert_eq!(asked_last(&desk).expect, Some(page("swift-fox").snapshot));
}

#[test]
fn a_target_that_moved_meanwhile_is_shown_and_planned_on() {
    let mut desk = on_sheet(WIDE);
    let report = Report::user(Code::TargetMoved, "main has moved")
        .unchanged()
        .detail("before", oid('a').as_str())
        .detail("found", oid('b').as_str());
    desk.press("Enter").answer(Slot::Write, Err(report)).picture();
    let mut part = newer();
    (part.base, part.snapshot) = (oid('a'), oid('b'));
    desk.answer(Slot::Compare, Ok(Outcome::Review(part))).picture();
    assert!(desk.screen().contains("the target changed 1 file since it was planned"));
    desk.press("R");
    assert_eq!(asked_last(&desk).expect, Some(land_plan("x").snapshot), "for the same snapshot");
}

#[test]
fn a_landing_tells_its_steps_and_its_hooks_lines() {
    let mut desk = on_sheet(NARROW);
    desk.press("Enter");
    tell(&mut desk, Step::Lock.into());
    tell(&mut desk, Progress::Held("`land plan-7` (process 812)".to_owned()));
    assert!(desk.screen().contains("`land plan-7` (process 812) holds the lock"));
    tell(&mut desk, Step::Hooks.into());
    tell(&mut desk, Progress::Hook("pre-merge-commit".to_owned()));
    tell(&mut desk, Progress::Said("test api::retry ... ok".to_owned()));
    desk.send(Msg::Ticked { now_ms: desk.model.now_ms + 28_000 });
    let screen = desk.screen();
    for said in ["✓ journal", "▸ pre-merge-commit 28s", "· advance", "│ test api::retry ... ok"]
    {
        assert!(screen.contains(said), "{said}: {screen}");
    }
    assert!(screen.contains("main is not touched yet"));
    tell(&mut desk, Step::Advance.into());
    desk.press("ctrl-c");
    assert_eq!(desk.answer_text(), "ctrl-c: too late, finishing");
    assert!(!desk.effects.iter().any(|e| matches!(e, Effect::CancelJob { .. })));
}

#[test]
fn a_landing_is_stopped_before_the_target_moves_and_says_so() {
    let mut desk = on_sheet(NARROW);
    desk.press("Enter");
    let (_, job, _) = desk.open.last().cloned().expect("it runs");
    tell(&mut desk, Step::Hooks.into());
    let send = desk.effects.len();
    // The desk would forget a cancelled job; a real write answers all the same.
    let open = desk.open.clone();
    desk.press("ctrl-c");
    assert!(desk.effects[send..].contains(&Effect::CancelJob { id: job }));
    assert!(desk.model.jobs.is_open(Slot::Write), "its answer is waited for");
    desk.open = open;
    let stopped = shadowdeck::review::progress::stopped("landing swift-fox");
    desk.answer(Slot::Write, Err(stopped)).picture();
    let screen = desk.screen();
    assert!(screen.contains("landing swift-fox was stopped, as you asked"), "{screen}");
    assert!(screen.contains("swift-fox and its target are as they were"), "{screen}");
}

#[test]
fn a_landing_that_was_left_is_found_again() {
    let mut desk = on_sheet(NARROW);
    desk.press("Enter");
    tell(&mut desk, Step::Hooks.into());
    desk.press("Esc");
    assert!(desk.model.sheets.is_empty());
    desk.press("j m");
    assert_eq!(desk.answer_text(), "m waits: a write is running");
    desk.press("k m");
    assert!(desk.screen().contains("Landing swift-fox on main"), "{}", desk.screen());
    desk.answer(Slot::Write, Ok(Outcome::Landed(Box::new(landing("swift-fox")))));
    assert!(desk.model.sheets.is_empty());
}

#[test]
fn what_a_hook_said_is_shown_and_the_way_out_is_a_key() {
    let mut desk = Desk::with(rows(), NARROW);
    let output: Vec<String> = (1..=30).map(|line| format!("line {line}")).collect();
    let report = Report::user(Code::HookRejected, "the hook pre-commit rejected it")
        .unchanged()
        .hint("see to what the hook says, or land with --no-verify")
        .detail("hook", "pre-commit")
        .detail("output", output.join("\n"));
    desk.press("m").planned_landing();
    desk.press("Enter").answer(Slot::Write, Err(report)).picture();
    let screen = desk.screen();
    for said in ["Not landed: pre-commit said no", "hook_rejected", "line 30", "5 lands past"] {
        assert!(screen.contains(said), "{said}: {screen}");
    }
    assert!(!screen.contains("line 20") && !screen.contains("--no-verify"), "{screen}");
    desk.press("i");
    assert!(desk.screen().contains("│ line 1\n"), "{}", desk.screen());
    desk.press("y");
    let Some(Effect::Copy(text)) = desk.effects.last() else { panic!("it is copied") };
    assert!(text.contains("line 1\n") && text.contains("line 30"));
    desk.press("5");
    assert_eq!(asked_last(&desk).verify, Verify::Skip);
}

#[test]
fn conflicts_are_shown_where_there_are_some() {
    let mut desk = on_sheet(NARROW);
    desk.press("x");
    assert_eq!(desk.answer_text(), "x: nothing conflicts");
    assert_eq!(desk.model.context(), Context::LandSheet);
    let mut desk = Desk::with(rows(), NARROW);
    let report = Report::user(Code::Conflicts, "swift-fox conflicts with main in src/api.rs")
        .hint("`shadowdeck conflicts swift-fox` shows them, `resolve` settles them");
    desk.press("m").answer(Slot::PlanLand, Err(report)).picture();
    assert!(!desk.screen().contains("shadowdeck conflicts"), "{}", desk.screen());
    desk.press("x");
    assert_eq!(desk.model.screen(), Screen::Conflicts);
}

#[test]
fn no_refusal_tells_a_flag_where_a_key_does_it() {
    let land = [
        (Code::NothingToLand, "`shadowdeck discard x` puts it away"),
        (Code::Locked, "land it with --keep, or `git worktree unlock` it first"),
        (Code::ShadowBusy, "land it without --keep, or when that process has ended"),
        (Code::WrongState, "land it with --strategy merge or squash"),
        (Code::InvalidMessage, "give one of 1 to 2000 characters with -m"),
    ];
    for (code, hint) in land {
        let mut desk = Desk::with(rows(), WIDE);
        desk.press("m").answer(Slot::PlanLand, Err(Report::user(code, "no").hint(hint))).picture();
        let screen = desk.screen();
        assert!(!screen.contains(" --") && !screen.contains("`shadowdeck"), "{hint}: {screen}");
    }
    let mut desk = Desk::with(rows(), WIDE);
    let report = Report::user(Code::CannotUndo, "no").hint("`shadowdeck log` shows what can be");
    desk.press("u").answer(Slot::PlanUndo, Err(report)).picture();
    assert!(desk.screen().contains("L shows what can be"), "{}", desk.screen());
}

fn drafts_written(desk: &Desk) -> Vec<(ShadowId, Option<Draft>)> {
    let marks = desk.started.iter().filter_map(|job| match job {
        Job::Marks(marks) => Some(marks.clone()),
        _ => None,
    });
    let drafts = marks.flatten().filter_map(|mark| match mark {
        Mark::Draft(id, draft) => Some((id, draft)),
        _ => None,
    });
    drafts.collect()
}

fn marks_are_written(desk: &mut Desk) {
    while desk.model.jobs.is_open(Slot::Marks) {
        let marks = desk.model.memory.marks.clone();
        desk.answer(Slot::Marks, Ok(Outcome::Marks(Box::new(marks.into()))));
    }
}

#[test]
fn a_draft_outlives_the_program_even_while_it_is_typed() {
    let mut desk = on_sheet(WIDE);
    marks_are_written(&mut desk);
    desk.press("e ctrl-u m i n e");
    desk.send(Msg::Ticked { now_ms: desk.model.now_ms + 1_000 });
    let written = drafts_written(&desk);
    let (of, Some(draft)) = written.last().expect("it is kept") else { panic!("it is a draft") };
    assert!(*of == id("swift-fox") && draft.text.contains("mine") && draft.is_used);
    let mut later = Desk::with(rows(), WIDE);
    let mut marks = Marks::default();
    marks.drafts.insert(id("swift-fox"), draft.clone());
    later.answer(Slot::Marks, Ok(Outcome::Marks(Box::new(marks.into()))));
    later.press("m");
    assert_eq!(asked_last(&later).message.as_ref(), Some(&draft.text));
}

#[test]
fn damage_to_what_was_read_is_told_and_costs_no_draft() {
    let mut desk = Desk::with(rows(), WIDE);
    let draft = Draft { text: "mine".to_owned(), is_used: true };
    let mut marks = Marks::default();
    marks.drafts.insert(id("swift-fox"), draft);
    let damage = vec![Report::environment(Code::Io, "what was read is not known")];
    desk.answer(Slot::Marks, Ok(Outcome::Marks(Box::new(Kept { marks, damage }))));
    assert!(desk.answer_text().starts_with("what was read is not known"), "{}", desk.answer_text());
    desk.press("m");
    assert_eq!(asked_last(&desk).message.as_deref(), Some("mine"));
}

#[test]
fn a_message_is_given_up_for_the_generated_one_and_had_back() {
    let mut desk = on_sheet(WIDE);
    desk.press("Backspace");
    assert_eq!(desk.answer_text(), "Backspace: the message is the generated one");
    desk.press("e ctrl-u m i n e Esc");
    let mine = asked_last(&desk).message.clone().expect("mine");
    planned(&mut desk, LandPlan { message: mine.clone(), ..land_plan("swift-fox") });
    assert!(desk.screen().contains("yours · Backspace: the generated one"), "{}", desk.screen());
    desk.press("Backspace");
    assert_eq!(asked_last(&desk).message, None);
    desk.planned_landing();
    assert!(desk.screen().contains("the generated one · Backspace: yours"));
    desk.press("Esc m");
    assert_eq!(asked_last(&desk).message, None, "the choice is kept too");
    desk.planned_landing();
    desk.press("Backspace");
    assert_eq!(asked_last(&desk).message, Some(mine));
}

#[test]
fn an_emptied_message_is_the_generated_one() {
    let mut desk = on_sheet(WIDE);
    desk.press("e Down Down");
    for _ in 0..5 {
        desk.press("ctrl-u Backspace");
    }
    desk.press("Esc");
    assert_eq!(desk.answer_text(), "the generated message again");
    assert_eq!(asked_last(&desk).message, None);
}

#[test]
fn the_message_goes_to_the_editor_and_comes_back() {
    let mut desk = on_sheet(WIDE);
    desk.press("E");
    let text = land_plan("swift-fox").message;
    assert_eq!(desk.effects.last(), Some(&Effect::EditMessage { text }));
    desk.send(Msg::MessageEdited { outcome: Ok("From outside\n".to_owned()) });
    assert_eq!(asked_last(&desk).message.as_deref(), Some("From outside\n"));
    assert!(desk.model.memory.marks.drafts.contains_key(&id("swift-fox")));
    desk.planned_landing();
    desk.send(Msg::MessageEdited { outcome: Err(refusal()) });
    assert!(desk.answer_text().starts_with("your edit in src/api.rs"));
}

#[test]
fn a_long_line_of_the_message_says_that_it_goes_on_to_the_left() {
    let mut desk = on_sheet(NARROW);
    desk.press("e");
    desk.send(Msg::Pasted("x".repeat(200)));
    let screen = desk.screen();
    assert!(screen.contains(" …xxx"), "{screen}");
}

#[test]
fn the_safest_are_one_line_where_it_is_narrow_and_tab_opens_it() {
    let mut desk = Desk::with(rows(), NARROW);
    desk.press("* d");
    desk.answer(Slot::PlanDiscard, Ok(Outcome::PlannedDiscard(discard_plan()))).picture();
    assert!(desk.screen().contains("elsewhere too:  ▪ plan-01jw2 landed"), "{}", desk.screen());
    assert!(desk.screen().contains("▌   ▪ old-idea"));
    desk.press("Tab");
    assert!(desk.screen().contains("all of it is elsewhere too"));
    desk.press("k Space Tab");
    assert!(desk.screen().contains("elsewhere too:  not ticked plan-01jw2"), "{}", desk.screen());
    desk.press("Enter");
    let ticked = [id("old-idea")];
    assert_eq!(desk.writes(), [&Job::Discard(discard_plan().confirm(&ticked))]);
    let mut wide = Desk::with(rows(), WIDE);
    wide.press("* d");
    wide.answer(Slot::PlanDiscard, Ok(Outcome::PlannedDiscard(discard_plan()))).picture();
    assert!(wide.screen().contains("all of it is elsewhere too"));
}

#[test]
fn a_discard_counts_and_stops_after_the_present_one() {
    let mut desk = Desk::with(rows(), NARROW);
    desk.press("* d");
    desk.answer(Slot::PlanDiscard, Ok(Outcome::PlannedDiscard(discard_plan()))).picture();
    desk.press("Enter");
    tell(&mut desk, Progress::Done { count: 30, of: 50 });
    assert!(desk.screen().contains("discarding 31/50 · ctrl-c stops after this one"));
    let open = desk.open.clone();
    desk.press("ctrl-c");
    assert_eq!(desk.answer_text(), "stopping after this one; what is done stays done");
    assert!(matches!(desk.effects.last(), Some(Effect::CancelJob { .. })));
    desk.open = open;
    let done = Discarded {
        operation: operation(1),
        shadows: vec![id("plan-01jw2")],
        left: vec![id("old-idea")],
        warnings: Vec::new(),
    };
    desk.answer(Slot::Write, Ok(Outcome::Discarded(done)));
    let said = "discarded plan-01jw2 · u brings it back · stopped, not discarded: old-idea";
    assert_eq!(desk.answer_text(), said);
}

#[test]
fn a_long_discard_keeps_three_keys_and_scrolls() {
    let mut desk = Desk::with(rows(), NARROW);
    desk.press("* d");
    let names: Vec<String> = (0..50).map(|index| format!("old-{index:02}")).collect();
    let entries = names.iter().map(|name| discard_entry(name)).collect();
    let plan = shadowdeck::review::DiscardPlan { entries };
    desk.answer(Slot::PlanDiscard, Ok(Outcome::PlannedDiscard(plan))).picture();
    desk.press("G");
    assert!(desk.screen().contains("▌   ▪ old-49"), "{}", desk.screen());
    desk.press("g g Enter");
    assert_eq!(desk.writes().len(), 1);
}

#[test]
fn doing_again_is_a_sheet_and_so_is_taking_it_back() {
    let mut desk = Desk::with(rows(), WIDE);
    desk.press("ctrl-r");
    assert_eq!(desk.started.last(), Some(&Job::PlanRedo { operation: None }));
    desk.answer(Slot::PlanUndo, Ok(Outcome::PlannedRedo(redo_plan()))).picture();
    let screen = desk.screen();
    assert!(screen.contains("Do again: main aaaaaaa → 4444444"), "{screen}");
    assert!(screen.contains("1 file as it left them: src/api.rs"), "{screen}");
    assert_eq!(desk.writes(), Vec::<&Job>::new());
    desk.press("Enter");
    assert_eq!(desk.writes(), [&Job::Redo(Box::new(redo_plan().confirm()))]);
    let done = Redone { operation: operation(3), plan: redo_plan(), warnings: Vec::new() };
    desk.answer(Slot::Write, Ok(Outcome::Redone(done)));
    let said = "did the landing of swift-fox again: main is at 4444444 · u takes it back";
    assert_eq!(desk.answer_text(), said);
    assert!(desk.model.sheets.is_empty());
}

#[test]
fn taking_a_create_back_says_what_goes_to_the_trash() {
    let mut desk = Desk::with(rows(), WIDE);
    desk.press("u");
    desk.answer(Slot::PlanUndo, Ok(Outcome::PlannedUndo(undo_plan("create")))).picture();
    let screen = desk.screen();
    assert!(screen.contains("Take back: the creation, shadow to the trash"), "{screen}");
    let holds = "the whole shadow: 1 commit, edits in 2 files, 1 untracked file, 2 ignored paths";
    assert!(screen.contains(holds), "{screen}");
    assert!(screen.contains("ctrl-r brings it back"), "{screen}");
    assert!(!screen.contains("as it was") && !screen.contains("as before"), "{screen}");
    assert_eq!(desk.writes(), Vec::<&Job>::new());
}

#[test]
fn the_log_does_again_the_row_that_was_taken_back() {
    let mut desk = Desk::with(rows(), WIDE);
    desk.press("L").answer(Slot::Log, Ok(Outcome::Log(log_entries())));
    desk.press("G ctrl-r");
    let said = "ctrl-r: it was not taken back, so there is nothing to do again";
    assert_eq!(desk.answer_text(), said);
    desk.press("g g ctrl-r");
    assert_eq!(desk.started.last(), Some(&Job::PlanRedo { operation: Some(operation(1)) }));
}

#[test]
fn the_whole_plan_names_every_file() {
    let mut desk = on_sheet(NARROW);
    desk.press("i");
    let screen = desk.screen();
    assert!(screen.contains("src/api.rs  +1 −1") && screen.contains("src/retry.rs"), "{screen}");
    assert!(screen.contains("Three attempts with back-off."), "{screen}");
    desk.press("i Enter");
    assert_eq!(desk.writes().len(), 1);
}

#[test]
fn a_part_says_how_much_of_it_lands_and_what_stays() {
    let mut desk = Desk::with(rows(), NARROW);
    desk.press("m");
    let part = shadowdeck::review::PartPlan {
        counts: shadowdeck::review::accepted::Counts {
            hunks: 3,
            hunks_all: 7,
            files: 2,
            files_all: 4,
        },
        left_out: vec![RepoPath::new("src/x.rs")],
        whole: oid('8'),
    };
    planned(&mut desk, LandPlan { part: Some(part), keep: true, ..land_plan("swift-fox") });
    let screen = desk.screen();
    for said in ["3 of 7 hunks, 2 of 4 files", "stays in the shadow: src/x.rs"] {
        assert!(screen.contains(said), "{said}: {screen}");
    }
}

#[test]
fn the_sheet_says_what_was_not_read() {
    let mut desk = Desk::with(rows(), WIDE);
    desk.press("Enter");
    if desk.model.jobs.is_open(Slot::Review) {
        desk.answer(Slot::Review, Ok(Outcome::Review(page("swift-fox")))).picture();
    }
    desk.press("r m").planned_landing();
    let screen = desk.screen();
    assert!(screen.contains("1 of 2 files: not src/retry.rs"), "{screen}");
}

#[test]
fn a_face_is_kept_while_help_lies_over_it() {
    let mut desk = on_sheet(NARROW);
    desk.press("Enter ?").answer(Slot::Write, Err(shadow_moved()));
    desk.press("?");
    let Some(Sheet::Land(sheet)) = desk.model.sheets.last() else { panic!("the sheet is there") };
    assert!(matches!(sheet.face, Face::Moved(_)));
}

#[test]
fn each_line_is_ticked_by_itself_and_trust_is_given_for_all_of_them() {
    let mut desk = Desk::with(rows(), NARROW);
    desk.press("m");
    let two = [consent("the first hook", "one"), consent("the second hook", "one")];
    planned(&mut desk, LandPlan { needs_trust: two.to_vec(), ..land_plan("swift-fox") });
    desk.press("Enter Space");
    assert_eq!(desk.answer_text(), "", "the refusal goes with the tick");
    let screen = desk.screen();
    assert!(screen.contains("[▪] the first hook") && screen.contains("[ ] the second hook"));
    assert_eq!(asked_last(&desk).trust, Trust::AsRecorded, "half of it is no trust");
    desk.press("Enter");
    assert_eq!(desk.answer_text(), "Enter: it needs your consent first: Space ticks it");
    desk.press("Space");
    assert_eq!(asked_last(&desk).trust, Trust::Shown(vec!["one".to_owned()]));
    let trusted = LandPlan { trust: asked_last(&desk).trust.clone(), ..land_plan("swift-fox") };
    planned(&mut desk, trusted);
    assert!(!desk.screen().contains("Space consent"), "{}", desk.screen());
    desk.press("Enter");
    let rejected = Report::user(Code::HookRejected, "pre-commit said no");
    desk.answer(Slot::Write, Err(rejected)).picture();
    assert!(!desk.screen().contains("consent"), "{}", desk.screen());
}

/// The list is read again, a while later.
fn read_later(desk: &mut Desk, fleet: shadowdeck::review::Fleet) {
    desk.send(Msg::Ticked { now_ms: desk.model.now_ms + 60_000 });
    desk.answer(Slot::Fleet, Ok(Outcome::Fleet(fleet))).picture();
}

#[test]
fn what_moves_under_an_open_sheet_is_told_before_enter() {
    let mut desk = on_sheet(NARROW);
    read_later(&mut desk, fleet(rows()));
    assert!(desk.screen().contains("Enter land"), "nothing moved: {}", desk.screen());
    let mut now = rows();
    now[0].snapshot = Some(oid('6'));
    read_later(&mut desk, fleet(now));
    assert!(desk.screen().contains("shadow_moved"), "{}", desk.screen());
    let mut part = newer();
    part.base = oid('5');
    desk.answer(Slot::Compare, Ok(Outcome::Review(part))).picture();
    assert!(desk.screen().contains("it wrote 1 file since this was planned"), "{}", desk.screen());
    desk.press("Enter");
    assert_eq!(desk.writes(), Vec::<&Job>::new());
    desk.press("R");
    assert_eq!(asked_last(&desk).expect, None, "planned as it is now");
    planned(&mut desk, LandPlan { snapshot: oid('6'), ..land_plan("swift-fox") });
    assert!(desk.screen().contains("Enter land"), "{}", desk.screen());
    let mut now = rows();
    now[0].snapshot = Some(oid('6'));
    let moved = shadowdeck::review::Fleet { target_tip: Some(oid('b')), ..fleet(now) };
    read_later(&mut desk, moved);
    assert!(desk.screen().contains("target_moved"), "{}", desk.screen());
}

#[test]
fn what_a_choice_drops_is_told_as_left_out() {
    let mut desk = Desk::with(rows(), WIDE);
    let settled = vec![RepoPath::new("src/api.rs"), RepoPath::new("src/b.txt")];
    let plan = LandPlan { resolved: settled, commits: 1, ..land_plan("swift-fox") };
    desk.press("m");
    planned(&mut desk, plan);
    let screen = desk.screen();
    assert!(screen.contains("src/b.txt: main's was chosen"), "{screen}");
    assert!(!screen.contains("from 1 commit of"), "it has none of its own: {screen}");
}

#[test]
fn the_sheet_names_what_is_not_to_be_overlooked_in_one_line_and_all_of_it_on_i() {
    for size in [WIDE, NARROW] {
        let mut desk = Desk::with(rows(), size);
        desk.press("m");
        let flags = (1..9).map(|number| format!("possible secret: src/file-{number}.env"));
        let remarks = std::iter::once("1 comment open".to_owned()).chain(flags).collect();
        planned(&mut desk, LandPlan { remarks, ..land_plan("swift-fox") });
        let screen = desk.screen();
        let begins = "look at  1 comment open · possible secret:";
        assert!(screen.contains(begins) && screen.contains("src/file-1.env"), "{screen}");
        assert!(screen.contains("more · i") && !screen.contains("file-8"), "{screen}");
        desk.press("i G");
        assert!(desk.screen().contains("file-3.env"), "{}", desk.screen());
    }
}
