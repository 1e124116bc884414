//! Keys in, state out. No terminal, no git.

use std::collections::{BTreeMap, BTreeSet};

use shadowdeck::{
    app::{
        Context, Effect, Msg, Screen, Sheet,
        command::commands,
        job::{Job, Outcome, Slot},
        keymap::{KeyPress, parse_keys},
        land_sheet::Face,
        plan_sheet,
    },
    review::{Fleet, ReviewPage, Stale},
};

use crate::desk::{
    Desk, NOW_MS, discard_entry, discard_plan, fleet, id, land_plan, landing, oid, page, places,
    refusal, row, rows, stale, undo_plan,
};

const WIDE: (u16, u16) = (120, 40);

#[track_caller]
fn check(keys: &str, selected: &str) {
    let mut desk = Desk::with(rows(), WIDE);
    desk.press(keys);
    assert_eq!(desk.selected(), selected, "after `{keys}`");
}

#[test]
fn the_cursor_moves_and_stops_at_both_ends() {
    check("", "swift-fox");
    check("j", "brave-otter");
    check("Down Down", "dry-elm");
    check("j k k k", "swift-fox");
    check("G", "lost-reed");
    check("G j", "lost-reed");
    check("G g g", "swift-fox");
    check("ctrl-d ctrl-u", "swift-fox");
}

#[test]
fn n_walks_what_wants_a_person_and_around() {
    check("n", "brave-otter");
    check("n n n", "calm-pine");
    check("n n n n", "swift-fox");
    check("N", "calm-pine");
}

#[test]
fn rows_stand_in_groups_and_the_first_that_wants_a_person_is_chosen() {
    let desk = Desk::with(rows(), WIDE);
    let order: Vec<&str> =
        desk.model.fleet.visible().map(|listed| listed.row.id.0.as_str()).collect();
    assert_eq!(
        order,
        [
            "swift-fox",
            "brave-otter",
            "dry-elm",
            "calm-pine",
            "keen-heron",
            "old-idea",
            "plan-01jw2",
            "wide-oak",
            "lost-reed"
        ]
    );
    let only_done = vec![stale("b", Stale::Idle), row("a")];
    assert_eq!(Desk::with(only_done, WIDE).selected(), "a");
}

#[test]
fn order_holds_still_until_asked() {
    let mut desk = Desk::with(vec![row("a"), row("b"), row("c")], WIDE);
    desk.press("j");
    assert_eq!(desk.selected(), "b");
    let mut asks = row("c");
    asks.requested = Some(String::new());
    let newer = vec![asks, row("a"), row("b"), row("d")];
    refresh(&mut desk, newer);
    let order = |desk: &Desk| -> Vec<String> {
        desk.model.fleet.visible().map(|listed| listed.row.id.0.clone()).collect()
    };
    assert_eq!(order(&desk), ["a", "b", "c", "d"], "a newer list moves nothing");
    assert_eq!(desk.selected(), "b");
    desk.press("R");
    assert_eq!(order(&desk), ["c", "a", "b", "d"], "R sorts");
    assert_eq!(desk.selected(), "b", "and the cursor stays with its row");
}

/// A tick that is due, and its answer.
fn refresh(desk: &mut Desk, rows: Vec<shadowdeck::review::Row>) {
    let now_ms = desk.model.now_ms + 60_000;
    desk.send(Msg::Ticked { now_ms });
    desk.answer(Slot::Fleet, Ok(Outcome::Fleet(fleet(rows))));
    desk.picture();
}

#[test]
fn a_row_that_is_gone_takes_no_cursor_with_it() {
    let mut desk = Desk::with(vec![row("a"), row("b"), row("c")], WIDE);
    desk.press("G Space");
    refresh(&mut desk, vec![row("a")]);
    assert_eq!(desk.selected(), "a");
    assert!(desk.model.fleet.marks.is_empty());
    refresh(&mut desk, Vec::new());
    assert_eq!(desk.selected(), "");
}

#[test]
fn space_marks_and_goes_down_and_the_filter_hides_marks() {
    let mut desk = Desk::with(rows(), WIDE);
    desk.press("Space Space");
    assert_eq!(desk.model.fleet.marked().len(), 2);
    assert_eq!(desk.selected(), "dry-elm");
    desk.press("/ e l m Enter");
    assert_eq!(desk.selected(), "dry-elm");
    assert_eq!(desk.model.fleet.visible_count(), 1);
    assert_eq!(desk.model.fleet.marked().len(), 0, "a hidden mark is not acted on");
    desk.press("Esc");
    assert_eq!(desk.model.fleet.marked().len(), 2, "and comes back with its row");
    desk.press("Esc Esc Esc");
    assert!(!desk.effects.contains(&Effect::Quit), "Esc never quits");
}

#[test]
fn letters_in_a_text_field_are_text() {
    let mut desk = Desk::with(rows(), WIDE);
    desk.press("/ q d m Space");
    assert_eq!(desk.model.fleet.filter, "qdm ");
    desk.press("Backspace ctrl-u");
    assert_eq!(desk.model.fleet.filter, "");
    assert!(!desk.effects.contains(&Effect::Quit));
}

#[test]
fn paste_goes_into_text_fields_only() {
    let mut desk = Desk::with(rows(), WIDE);
    let before = desk.started.len();
    desk.send(Msg::Pasted("*d\rq".to_owned()));
    assert_eq!(desk.started.len(), before);
    assert!(desk.model.sheets.is_empty() && !desk.effects.contains(&Effect::Quit));
    desk.press("/").send(Msg::Pasted("el\nm".to_owned()));
    assert_eq!(desk.model.fleet.filter, "el m");
}

/// The palette looks for all of its line with every key.
#[test]
fn a_line_takes_no_endless_paste_and_says_so() {
    let mut desk = Desk::with(rows(), WIDE);
    desk.press(":").send(Msg::Pasted("abcdef".repeat(200_000)));
    let Some(Sheet::Palette(palette)) = desk.model.sheets.last() else { panic!("it is open") };
    assert_eq!(palette.prompt.text.len(), 1000);
    let said = desk.model.answer.as_ref().map(|answer| answer.text.clone());
    assert!(said.as_deref().is_some_and(|said| said.contains("1199000")), "{said:?}");
}

#[test]
fn approve_is_enter_m_enter() {
    let mut desk = Desk::with(rows(), WIDE);
    desk.press("Enter");
    assert_eq!(desk.model.screen(), Screen::Review);
    if desk.model.jobs.is_open(Slot::Review) {
        desk.answer(Slot::Review, Ok(Outcome::Review(page("swift-fox")))).picture();
    }
    desk.press("m");
    let options = desk.started.iter().rev().find_map(|job| match job {
        Job::PlanLand { options, .. } => Some(options),
        _ => None,
    });
    let expect = options.and_then(|options| options.expect.clone());
    assert_eq!(expect, Some(page("swift-fox").snapshot), "what was read is what lands");
    desk.planned_landing();
    desk.press("Enter");
    assert_eq!(desk.writes(), [&Job::Land(Box::new(land_plan("swift-fox").confirm()))]);
    desk.answer(Slot::Write, Ok(Outcome::Landed(Box::new(landing("swift-fox")))));
    assert_eq!(desk.model.screen(), Screen::Fleet);
    assert_eq!(desk.selected(), "brave-otter", "the next that wants a person");
    assert_eq!(desk.answer_text(), "landed swift-fox on main as 4444444 · u takes it back");
    assert!(desk.model.sheets.is_empty());
}

#[test]
fn enter_before_the_plan_was_drawn_is_dropped() {
    let mut desk = Desk::with(rows(), WIDE);
    desk.press("m Enter");
    assert_eq!(desk.writes(), Vec::<&Job>::new());
    let frame = desk.model.frame;
    let plan = Box::new(land_plan("swift-fox"));
    desk.answer(Slot::PlanLand, Ok(Outcome::PlannedLanding(plan)));
    // The plan has come, and no frame shows it yet.
    let enter = KeyPress::parse("Enter").expect("a key");
    desk.send(Msg::KeyPressed { key: enter, frame });
    assert_eq!(desk.writes(), Vec::<&Job>::new());
    desk.picture();
    // It is on the screen, but this key was read before that.
    desk.send(Msg::KeyPressed { key: enter, frame });
    assert_eq!(desk.writes(), Vec::<&Job>::new());
    desk.press("Enter");
    assert_eq!(desk.writes().len(), 1);
    desk.press("Enter Enter");
    assert_eq!(desk.writes().len(), 1, "a bounced key lands nothing twice");
}

#[test]
fn a_screen_too_small_to_show_the_plan_lands_nothing() {
    let mut desk = Desk::with(rows(), (30, 8));
    desk.press("m").planned_landing();
    desk.press("Enter");
    assert_eq!(desk.writes(), Vec::<&Job>::new());
    desk.resize(80, 24);
    desk.press("Enter");
    assert_eq!(desk.writes().len(), 1);
}

#[test]
fn a_strategy_or_a_message_makes_a_new_plan() {
    let mut desk = Desk::with(rows(), WIDE);
    desk.press("m").planned_landing();
    desk.press("1 Enter");
    assert_eq!(desk.writes(), Vec::<&Job>::new(), "the new plan is not there yet");
    desk.planned_landing();
    desk.press("e ctrl-u h i Enter q Esc");
    let Some(Job::PlanLand { options, .. }) = desk.started.last() else { panic!("plans again") };
    assert_eq!(options.message.as_deref(), Some("hi\nq\n\nThree attempts with back-off."));
    assert_eq!(desk.writes(), Vec::<&Job>::new(), "Enter is a new line in a message");
    assert_eq!(desk.model.context(), Context::LandSheet);
}

#[test]
fn a_message_left_as_it_was_keeps_the_plan() {
    let mut desk = Desk::with(rows(), WIDE);
    desk.press("m").planned_landing();
    desk.press("e ctrl-s");
    assert!(!desk.model.jobs.is_open(Slot::PlanLand));
    desk.press("Enter");
    assert_eq!(desk.writes().len(), 1);
}

#[test]
fn a_refused_plan_shows_why_and_lands_nothing() {
    let mut desk = Desk::with(rows(), WIDE);
    desk.press("m").answer(Slot::PlanLand, Err(refusal()));
    desk.press("Enter");
    assert_eq!(desk.writes(), Vec::<&Job>::new());
    assert_eq!(desk.answer_text(), "Enter: it cannot land as it is: the sheet says why");
    assert!(desk.screen().contains("your edit in src/api.rs is in the way"));
}

#[test]
fn esc_leaves_a_running_landing_running() {
    let mut desk = Desk::with(rows(), WIDE);
    desk.press("m").planned_landing();
    desk.press("Enter Esc q");
    assert!(desk.model.sheets.is_empty());
    assert!(!desk.effects.contains(&Effect::Quit), "a write holds up quitting");
    desk.answer(Slot::Write, Ok(Outcome::Landed(Box::new(landing("swift-fox")))));
    assert!(desk.effects.contains(&Effect::Quit), "and lets go when it has ended");
}

#[test]
fn a_landing_that_failed_says_why_where_it_was_asked() {
    let mut desk = Desk::with(rows(), WIDE);
    desk.press("m").planned_landing();
    desk.press("Enter").answer(Slot::Write, Err(refusal()));
    let Some(Sheet::Land(sheet)) = desk.model.sheets.last() else { panic!("the sheet stays") };
    assert_eq!(sheet.face, Face::Refused(refusal()));
    assert_eq!(desk.selected(), "swift-fox", "and so does the shadow");
}

#[test]
fn discard_all_stale_is_star_d_enter() {
    let mut desk = Desk::with(rows(), WIDE);
    desk.press("*");
    assert_eq!(
        desk.answer_text(),
        "3 stale marked: 1 landed, 1 empty, 1 idle over 14 d · * unmarks"
    );
    desk.press("d");
    let ids = ["old-idea", "plan-01jw2", "wide-oak"].map(id).to_vec();
    assert_eq!(desk.started.last(), Some(&Job::PlanDiscard { ids }));
    desk.answer(Slot::PlanDiscard, Ok(Outcome::PlannedDiscard(discard_plan()))).picture();
    assert!(desk.screen().contains("Enter discard 2"), "held ones are not ticked");
    desk.press("Enter");
    let ticked = [id("old-idea"), id("plan-01jw2")];
    assert_eq!(desk.writes(), [&Job::Discard(discard_plan().confirm(&ticked))]);
    desk.discarded(&["old-idea", "plan-01jw2"]);
    assert_eq!(desk.answer_text(), "discarded 2 shadows · u brings all back");
}

#[test]
fn stale_ones_join_as_they_become_known() {
    let mut desk = Desk::new(WIDE);
    desk.answer(Slot::Fleet, Ok(Outcome::Fleet(places(&["a", "old-1", "old-2"]))));
    desk.press("* d");
    assert!(!desk.model.jobs.is_open(Slot::PlanDiscard), "the sheet waits for the list");
    let known = vec![row("a"), stale("old-1", Stale::Idle), stale("old-2", Stale::Empty)];
    desk.answer(Slot::Fleet, Ok(Outcome::Fleet(fleet(known))));
    let ids = vec![id("old-1"), id("old-2")];
    assert!(desk.started.contains(&Job::PlanDiscard { ids }));
}

#[test]
fn star_again_unmarks_and_counts_what_the_filter_hides() {
    let mut desk = Desk::with(rows(), WIDE);
    desk.press("/ o l d Enter *");
    assert_eq!(desk.answer_text(), "1 stale marked: 1 idle over 14 d · 2 filtered out · * unmarks");
    desk.press("*");
    assert!(desk.model.fleet.marks.is_empty());
}

#[test]
fn what_cannot_go_cannot_be_ticked_and_consent_is_a_tick() {
    let mut desk = Desk::with(rows(), WIDE);
    desk.press("* d")
        .answer(Slot::PlanDiscard, Ok(Outcome::PlannedDiscard(discard_plan())))
        .picture();
    desk.press("G Space");
    assert!(desk.screen().contains("Enter discard 3"), "someone at work in it: ticked by hand");
    desk.press("k Space");
    assert_eq!(desk.answer_text(), "big-ash cannot be discarded now: it is locked: keep this");
}

#[test]
fn one_shadow_is_discarded_where_nothing_is_marked() {
    let mut desk = Desk::with(rows(), WIDE);
    desk.press("j d");
    assert_eq!(desk.started.last(), Some(&Job::PlanDiscard { ids: vec![id("brave-otter")] }));
    let plan = shadowdeck::review::DiscardPlan { entries: vec![discard_entry("brave-otter")] };
    desk.answer(Slot::PlanDiscard, Ok(Outcome::PlannedDiscard(plan))).picture();
    assert!(desk.screen().contains("Enter discard 1"));
    desk.press("Esc");
    assert_eq!(desk.writes(), Vec::<&Job>::new());
}

#[test]
fn taking_back_a_discard_acts_at_once() {
    let mut desk = Desk::with(rows(), WIDE);
    desk.press("u");
    assert_eq!(desk.started.last(), Some(&Job::PlanUndo { operation: None }));
    desk.answer(Slot::PlanUndo, Ok(Outcome::PlannedUndo(undo_plan("discard"))));
    assert_eq!(desk.writes(), [&Job::Undo(Box::new(undo_plan("discard").confirm()))]);
    desk.undone("discard");
    assert_eq!(desk.answer_text(), "brought back swift-fox · ctrl-r does it again");
    assert!(desk.model.sheets.is_empty());
}

#[test]
fn taking_back_a_landing_is_a_sheet() {
    let mut desk = Desk::with(rows(), WIDE);
    desk.press("u").answer(Slot::PlanUndo, Ok(Outcome::PlannedUndo(undo_plan("land")))).picture();
    assert_eq!(desk.writes(), Vec::<&Job>::new());
    assert!(desk.screen().contains("Take back: main 4444444 → aaaaaaa, shadow as it was"));
    desk.press("Enter");
    assert_eq!(desk.writes(), [&Job::Undo(Box::new(undo_plan("land").confirm()))]);
}

#[test]
fn u_while_something_is_written_waits_for_it() {
    let mut desk = Desk::with(rows(), WIDE);
    desk.press("m").planned_landing();
    desk.press("Enter Esc u");
    assert!(!desk.model.jobs.is_open(Slot::PlanUndo));
    desk.answer(Slot::Write, Ok(Outcome::Landed(Box::new(landing("swift-fox")))));
    assert!(desk.model.jobs.is_open(Slot::PlanUndo), "now the newest operation is known");
}

#[test]
fn a_failure_is_shown_by_the_sheet_that_asked_for_it() {
    let mut desk = Desk::with(rows(), WIDE);
    desk.press("m").planned_landing();
    desk.press("Enter Esc u").answer(Slot::Write, Err(refusal()));
    let Some(Sheet::Undo(sheet)) = desk.model.sheets.last() else { panic!("it stays") };
    assert_eq!(sheet.face, plan_sheet::Face::Planning, "the landing's failure is not its own");
    assert!(desk.answer_text().starts_with("your edit in src/api.rs is in the way"));
}

#[test]
fn a_page_that_cannot_be_read_is_said_of_its_own_row() {
    let mut desk = Desk::with(vec![row("a"), row("b")], WIDE);
    desk.press("j").answer(Slot::Detail, Err(refusal()));
    assert!(!desk.screen().contains("your edit in src/api.rs"), "b is being read");
    desk.press("k");
    assert!(desk.screen().contains("your edit in src/api.rs"));
}

#[test]
fn a_refused_key_says_why() {
    let mut desk = Desk::with(Vec::new(), WIDE);
    desk.press("m");
    assert_eq!(desk.answer_text(), "m: there is no shadow here");
    desk.press("z");
    assert_eq!(desk.answer_text(), "z does nothing here · ? shows the keys");
    let mut desk = Desk::with(rows(), WIDE);
    desk.press("x");
    assert_eq!(desk.answer_text(), "x: it lands clean: nothing conflicts");
    desk.press("G m");
    assert_eq!(desk.answer_text(), "m: it is broken and cannot land · i says why");
}

#[test]
fn a_stale_answer_is_dropped() {
    let mut desk = Desk::with(vec![row("a")], WIDE);
    desk.press("R");
    let (slot, old, _) = desk.open.last().cloned().expect("a list is being read");
    desk.press("R");
    desk.send(Msg::JobFinished { slot, id: old, outcome: Ok(Outcome::Fleet(fleet(rows()))) });
    assert_eq!(desk.model.fleet.listed.len(), 1);
}

#[test]
fn the_detail_is_read_once_for_each_snapshot() {
    let mut desk = Desk::with(vec![row("a"), row("b")], WIDE);
    desk.press("j k j");
    let asked =
        |desk: &Desk| desk.started.iter().filter(|job| matches!(job, Job::Review { .. })).count();
    assert_eq!(asked(&desk), 1, "one at a time");
    desk.answer(Slot::Detail, Ok(Outcome::Review(page("a"))));
    assert_eq!(asked(&desk), 2, "then the one that is selected now");
    desk.answer(Slot::Detail, Err(refusal()));
    desk.press("k j");
    assert_eq!(asked(&desk), 2, "a failure is not asked for over and over");
}

#[test]
fn the_page_of_the_row_below_is_read_ahead_once() {
    let mut desk = Desk::with(vec![row("a"), row("b"), row("c")], WIDE);
    let asked = |desk: &Desk| {
        let ids = desk.started.iter().filter_map(|job| match job {
            Job::Review { id } => Some(id.0.clone()),
            _ => None,
        });
        ids.collect::<Vec<_>>().join(" ")
    };
    assert_eq!(asked(&desk), "a", "nothing else is read before what is looked at");
    desk.answer(Slot::Detail, Ok(Outcome::Review(page("a"))));
    assert_eq!(asked(&desk), "a b");
    desk.press("j");
    assert_eq!(asked(&desk), "a b", "it is on its way");
    desk.answer(Slot::Ahead, Ok(Outcome::Review(page("b"))));
    assert_eq!(asked(&desk), "a b c", "it is here, and the next one is read");
    desk.answer(Slot::Ahead, Err(refusal()));
    assert_eq!(asked(&desk), "a b c", "nobody is there yet");
    desk.press("j");
    assert_eq!(asked(&desk), "a b c c", "now it is asked for, and told");
}

#[test]
fn a_page_newer_than_its_row_is_not_asked_for_again() {
    let mut desk = Desk::with(vec![row("a")], WIDE);
    let mut newer = page("a");
    newer.snapshot = oid('6');
    desk.answer(Slot::Detail, Ok(Outcome::Review(newer)));
    for _ in 0..5 {
        desk.picture();
        desk.send(Msg::Ticked { now_ms: desk.model.now_ms });
    }
    assert!(!desk.model.jobs.is_open(Slot::Detail), "the agent writes on: the next list tells");
    let mut told = row("a");
    told.snapshot = Some(oid('8'));
    refresh(&mut desk, vec![told]);
    assert!(desk.model.jobs.is_open(Slot::Detail), "and then it is read again");
}

#[test]
fn help_lists_the_keys_of_where_it_was_asked() {
    let mut desk = Desk::with(rows(), WIDE);
    desk.press("?");
    assert!(desk.screen().contains("Land it on its target"));
    desk.press("?");
    assert!(desk.model.sheets.is_empty());
}

#[test]
fn y_copies_and_q_quits() {
    let mut desk = Desk::with(rows(), WIDE);
    desk.press("y q");
    assert!(desk.effects.contains(&Effect::Copy("swift-fox".to_owned())));
    assert_eq!(desk.effects.last(), Some(&Effect::Quit));
}

#[test]
fn keys_are_written_as_they_are_read() {
    for text in ["j", "G", "*", "?", "ctrl-d", "alt-x", "Space", "Enter", "Esc", "S-Tab", "F1", "-"]
    {
        let key = KeyPress::parse(text).unwrap_or_else(|| panic!("{text} is a key"));
        assert_eq!(key.to_string(), text);
    }
    assert_eq!(KeyPress::parse("gg"), None);
    assert_eq!(parse_keys("g g").map(|keys| keys.len()), Some(2));
}

#[test]
fn the_command_table_is_sound() {
    let mut names = BTreeSet::new();
    let mut keys: BTreeMap<(Context, Vec<KeyPress>), &str> = BTreeMap::new();
    for command in commands() {
        assert!(names.insert((command.context, command.name)), "two {command:?}");
        assert!(command.name.contains('.'), "{command:?} has a verb and an object");
        assert!(command.help.len() <= 48 && !command.help.ends_with('.'), "help of {command:?}");
        for text in command.keys {
            let sequence = parse_keys(text).unwrap_or_else(|| panic!("{command:?}: `{text}`"));
            let other = keys.insert((command.context, sequence), command.name);
            assert_eq!(other, None, "{command:?} shares `{text}`");
        }
    }
    for (context, sequence) in keys.keys() {
        let longer = keys.keys().find(|(other, keys)| {
            other == context && keys.len() > sequence.len() && keys.starts_with(sequence)
        });
        assert_eq!(longer, None, "{sequence:?} is the beginning of another");
    }
}

#[test]
fn one_letter_is_one_verb() {
    // Named keys and digits mean what is in focus; `c` is an untaught alias of `x` in the list;
    // `l` and `h` go right and left: along a line, or into what is under the cursor.
    let excepted = ["c", "l", "h"];
    let mut verbs: BTreeMap<&str, BTreeSet<&str>> = BTreeMap::new();
    for command in commands() {
        for text in command.keys {
            let is_letter = text.chars().count() == 1 && !text.chars().all(|c| c.is_ascii_digit());
            if is_letter && !excepted.contains(text) {
                verbs.entry(text).or_default().insert(command.verb());
            }
        }
    }
    let several: Vec<_> = verbs.iter().filter(|(_, verbs)| verbs.len() > 1).collect();
    assert!(several.is_empty(), "{several:?}");
}

#[test]
fn an_answer_goes_with_what_it_speaks_of() {
    let mut desk = Desk::with(rows(), WIDE);
    desk.press("G m");
    assert!(desk.answer_text().starts_with("m: it is broken"), "{}", desk.answer_text());
    desk.press("k");
    assert_eq!(desk.answer_text(), "", "it was said of another row");
    desk.press("g g x");
    assert_eq!(desk.answer_text(), "x: it lands clean: nothing conflicts");
    desk.press("? Esc");
    assert_eq!(desk.answer_text(), "x: it lands clean: nothing conflicts", "help leaves no place");
    desk.press("Enter");
    assert_eq!(desk.answer_text(), "", "and of another screen");
    desk.answer(Slot::Detail, Ok(Outcome::Review(page("swift-fox"))));
    desk.press("q * j j");
    assert!(desk.answer_text().starts_with("3 stale marked"), "of the whole list");
}

#[test]
fn what_was_done_is_told_till_the_next_answer_and_its_keys_are_those_of_the_list() {
    let mut desk = Desk::with(rows(), WIDE);
    desk.press("m").planned_landing().press("Enter");
    desk.answer(Slot::Write, Ok(Outcome::Landed(Box::new(landing("swift-fox")))));
    let said = desk.answer_text().to_owned();
    assert!(said.starts_with("landed swift-fox") && said.ends_with("· u takes it back"), "{said}");
    desk.press("j Enter");
    assert!(desk.answer_text().ends_with("· u in the list takes it back"));
    desk.press("q");
    assert_eq!(desk.answer_text(), said);
    desk.press("u");
    desk.answer(Slot::PlanUndo, Ok(Outcome::PlannedUndo(undo_plan("discard"))));
    desk.undone("discard").press("L");
    assert_eq!(desk.answer_text(), "brought back swift-fox · ctrl-r in the list does it again");
}

#[test]
fn a_cut_answer_is_what_i_opens_till_the_cursor_moves() {
    let mut desk = Desk::with(rows(), (80, 24));
    desk.model.fail(&refusal().cause("a long cause, longer than any rule is wide".repeat(3)));
    assert!(desk.screen().contains("i all of it"), "{}", desk.screen());
    desk.press("j");
    assert!(!desk.screen().contains("i all of it"), "{}", desk.screen());
    desk.press("i");
    let row = desk.selected().to_owned();
    assert!(desk.screen().contains(&format!("{row}: ")), "{}", desk.screen());
    desk.press("Esc g g * d");
    let plan = Ok(Outcome::PlannedDiscard(discard_plan()));
    desk.answer(Slot::PlanDiscard, plan).picture();
    assert!(desk.screen().contains("i all of it"), "{}", desk.screen());
    desk.press("j i");
    assert!(!desk.answer_text().starts_with("* marks"), "{}", desk.answer_text());
}

/// Ticks wait while another program has the terminal: the first of them asks, and the answer finds a clock that has
/// gone on.
#[test]
fn time_away_does_not_count_as_what_reading_the_list_takes() {
    let mut desk = Desk::with(vec![row("a")], (120, 40));
    desk.send(Msg::Ticked { now_ms: NOW_MS + 4_000 });
    assert!(desk.model.jobs.is_open(Slot::Fleet), "the list is read");
    desk.send(Msg::Ticked { now_ms: NOW_MS + 16_000 });
    let list = Fleet { took_ms: 200, ..fleet(vec![row("a")]) };
    desk.answer(Slot::Fleet, Ok(Outcome::Fleet(list)));
    desk.send(Msg::Ticked { now_ms: NOW_MS + 19_000 });
    assert!(desk.model.jobs.is_open(Slot::Fleet), "and again, as always");
    let slow = Fleet { took_ms: 4_000, ..fleet(vec![row("a")]) };
    desk.answer(Slot::Fleet, Ok(Outcome::Fleet(slow)));
    desk.send(Msg::Ticked { now_ms: NOW_MS + 38_000 });
    assert!(!desk.model.jobs.is_open(Slot::Fleet), "what takes long is done less often");
    desk.send(Msg::Ticked { now_ms: NOW_MS + 39_000 });
    assert!(desk.model.jobs.is_open(Slot::Fleet));
}

#[test]
fn a_list_from_before_the_page_says_nothing_of_what_came_after_it() {
    let mut desk = Desk::with(vec![row("a")], (120, 40));
    desk.press("Enter");
    desk.answer(Slot::Review, Ok(Outcome::Review(page("a"))));
    desk.press("R");
    let newer = ReviewPage { snapshot: oid('6'), read_at_ms: NOW_MS + 2_000, ..page("a") };
    desk.answer(Slot::Review, Ok(Outcome::Review(newer)));
    let badge = |desk: &mut Desk| desk.screen().contains("R takes");
    assert!(!badge(&mut desk), "{}", desk.screen());
    // One that was begun before and ended after tells nothing either; one from after does.
    let list = |at: u64, took_ms: u64| {
        let mut row = row("a");
        row.snapshot = Some(oid('5'));
        Outcome::Fleet(Fleet { read_at_ms: NOW_MS + at, took_ms, ..fleet(vec![row]) })
    };
    for (tick, at, took_ms, is_told) in [(4_000, 3_000, 2_000, false), (15_000, 14_000, 100, true)]
    {
        desk.send(Msg::Ticked { now_ms: NOW_MS + tick });
        desk.answer(Slot::Fleet, Ok(list(at, took_ms)));
        assert_eq!(badge(&mut desk), is_told, "{}", desk.screen());
    }
}
