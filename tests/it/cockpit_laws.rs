//! Laws that hold for every run of keys and every size of screen.

use proptest::prelude::*;
use shadowdeck::{
    app::{
        Msg, Sheet,
        command::commands,
        discard_sheet,
        job::{Job, Outcome, Slot},
        keymap::{Key, KeyPress, parse_keys},
        land_sheet, plan_sheet,
    },
    review::{
        Beside, ConflictPage, Copies, Discarded, FileDiff, LandPlan, Painted, RadarPage, Redone,
        SyncPlan, Synced, Undone, moved::find_moved,
    },
    shadow::{RepoPath, ShadowId},
};

use crate::desk::{
    Desk, discard_plan, draw, fleet, land_plan, landing, log_entries, operation, page, redo_plan,
    refusal, rows, sync_plan, undo_plan,
};

/// What may happen to a cockpit.
#[derive(Clone, Debug)]
enum Act {
    Key(KeyPress),
    /// Of the oldest open job: well or not.
    Answer {
        well: bool,
    },
    Paste,
    Tick,
    Resize(u16, u16),
}

fn keys() -> impl Strategy<Value = KeyPress> {
    let table: Vec<KeyPress> =
        commands().flat_map(|c| c.keys).filter_map(|keys| parse_keys(keys)).flatten().collect();
    prop_oneof![
        6 => prop::sample::select(table),
        1 => any::<char>().prop_map(|c| KeyPress::plain(Key::Char(c))),
    ]
}

fn acts() -> impl Strategy<Value = Vec<Act>> {
    let act = prop_oneof![
        8 => keys().prop_map(Act::Key),
        6 => prop::bool::weighted(0.8).prop_map(|well| Act::Answer { well }),
        1 => Just(Act::Paste),
        1 => Just(Act::Tick),
        1 => (0_u16..130, 0_u16..45).prop_map(|(width, height)| Act::Resize(width, height)),
    ];
    prop::collection::vec(act, 0..60)
}

/// No conflict is left.
fn calm(id: &ShadowId) -> ConflictPage {
    let LandPlan { target, before, snapshot, tip, .. } = land_plan("x");
    let id = id.clone();
    ConflictPage {
        id,
        target,
        before,
        snapshot,
        base: tip,
        step: None,
        files: Vec::new(),
        read_at_ms: 0,
    }
}

fn beside(path: RepoPath) -> Beside {
    Beside { path, old: Vec::new(), new: None }
}

fn synced(plan: SyncPlan) -> Synced {
    let after = plan.before.clone();
    Synced { operation: operation(4), plan, after, warnings: Vec::new() }
}

fn outcome(job: &Job) -> Outcome {
    match job {
        Job::Places | Job::FirstFleet | Job::Fleet => Outcome::Fleet(fleet(rows())),
        Job::Review { id }
        | Job::Part { id, .. }
        | Job::Run { id, .. }
        | Job::Against { id, .. } => Outcome::Review(page(&id.0)),
        Job::Commits { .. } => Outcome::Commits(Vec::new()),
        Job::Names => Outcome::Names(Vec::new()),
        Job::Sides { path, .. } => Outcome::Sides(Box::new(beside(path.clone()))),
        Job::Lines(change) => {
            let read = page("x").files.remove(0);
            Outcome::Lines(Box::new(FileDiff::new((**change).clone(), read.content)))
        }
        Job::Marks(_) => Outcome::Marks(Box::default()),
        Job::Notes { id, .. } => Outcome::Notes(shadowdeck::review::comment::Notes {
            id: id.clone(),
            threads: Vec::new(),
            answers: Vec::new(),
        }),
        Job::Conflicts { id, .. } | Job::Resolve { id, .. } => Outcome::Conflicts(calm(id)),
        Job::Highlight { text, lines, .. } => Outcome::Tokens {
            text: text.clone(),
            lines: lines.clone(),
            painted: Painted { tokens: vec![Vec::new(); lines.len()], is_guess: false },
        },
        Job::FindMoved { page } => Outcome::Moved {
            page: page.clone(),
            moved: find_moved(&page.files, &Copies::new()),
            copies: Ok(Copies::new()),
        },
        Job::PlanLand { id, .. } => Outcome::PlannedLanding(Box::new(land_plan(&id.0))),
        Job::Land(plan) => Outcome::Landed(Box::new(landing(&plan.plan().id.0))),
        Job::PlanDiscard { .. } => Outcome::PlannedDiscard(discard_plan()),
        Job::Discard(plan) => Outcome::Discarded(Discarded {
            operation: operation(1),
            shadows: plan.entries().iter().map(|entry| entry.id.clone()).collect(),
            left: Vec::new(),
            warnings: Vec::new(),
        }),
        Job::PlanUndo { operation } => {
            Outcome::PlannedUndo(undo_plan(if operation.is_some() { "land" } else { "discard" }))
        }
        Job::Undo(plan) => Outcome::Undone(Undone {
            operation: operation(2),
            plan: plan.plan().clone(),
            warnings: Vec::new(),
        }),
        Job::PlanRedo { .. } => Outcome::PlannedRedo(redo_plan()),
        Job::Redo(plan) => Outcome::Redone(Redone {
            operation: operation(3),
            plan: plan.plan().clone(),
            warnings: Vec::new(),
        }),
        Job::PlanSync { id } => {
            Outcome::PlannedSync(Box::new(SyncPlan { id: id.clone(), ..sync_plan() }))
        }
        Job::Sync(plan) => Outcome::Synced(Box::new(synced(plan.plan().clone()))),
        Job::Radar => Outcome::Radar(Box::new(crate::scenes::facts::radar())),
        Job::RadarPair { a, b } => {
            let page = crate::scenes::facts::radar_page();
            Outcome::RadarPair(Box::new(RadarPage { a: a.clone(), b: b.clone(), ..page }))
        }
        Job::Log => Outcome::Log(log_entries()),
        Job::Create { id } => Outcome::Created {
            id: ShadowId(id.clone().unwrap_or_else(|| "calm-owl".to_owned())),
            warnings: Vec::new(),
        },
        Job::ReadSeen | Job::WriteSeen(_) => Outcome::Seen(None),
        Job::Recover => Outcome::Recovered(Vec::new()),
    }
}

/// The plan that is on top and was drawn.
fn drawn_plan(desk: &Desk) -> bool {
    match desk.model.sheets.last() {
        Some(Sheet::Land(sheet)) => {
            matches!(sheet.face, land_sheet::Face::Planned(_)) && sheet.drawn_in.is_some()
        }
        Some(Sheet::Discard(sheet)) => {
            matches!(sheet.face, discard_sheet::Face::Planned(_)) && sheet.drawn_in.is_some()
        }
        Some(Sheet::Undo(sheet)) => {
            matches!(sheet.face, plan_sheet::Face::Planned(_)) && sheet.drawn_in.is_some()
        }
        Some(Sheet::Sync(sheet)) => {
            matches!(sheet.face, plan_sheet::Face::Planned(_)) && sheet.drawn_in.is_some()
        }
        Some(Sheet::Create(sheet)) => sheet.drawn_in.is_some(),
        _ => false,
    }
}

/// Plays one act; whatever it does, a repository is written to by an approved plan only.
fn play(desk: &mut Desk, act: &Act) {
    let (before, approved) = (desk.writes().len(), drawn_plan(desk));
    let mut may_write = false;
    match act {
        Act::Key(key) => {
            may_write = approved && key.key == Key::Enter;
            desk.send(Msg::KeyPressed { key: *key, frame: desk.model.frame });
            desk.picture();
        }
        Act::Answer { well } => {
            let Some((slot, _, job)) = desk.open.first().cloned() else { return };
            let answer = if *well { Ok(outcome(&job)) } else { Err(refusal()) };
            // Taking back a discard only brings back: it acts by itself.
            may_write = slot == Slot::PlanUndo;
            desk.answer(slot, answer);
            desk.picture();
        }
        Act::Paste => desk.send(Msg::Pasted("*d\r\nmq".to_owned())),
        Act::Tick => desk.send(Msg::Ticked { now_ms: desk.model.now_ms + 10_000 }),
        Act::Resize(width, height) => desk.resize(*width, *height),
    }
    let wrote = desk.writes().len() - before;
    assert!(wrote == 0 || (may_write && wrote == 1), "{act:?} wrote: {:?}", desk.writes());
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(192))]

    #[test]
    fn any_keys_keep_the_invariants_and_only_enter_on_a_drawn_plan_writes(acts in acts()) {
        let mut desk = Desk::new((80, 24));
        for act in &acts {
            play(&mut desk, act);
        }
    }

    #[test]
    fn every_screen_draws_at_every_size(keys in prop::collection::vec(keys(), 0..12), width in 0_u16..140, height in 0_u16..50) {
        let mut desk = Desk::with(rows(), (width, height));
        for key in keys {
            play(&mut desk, &Act::Key(key));
            play(&mut desk, &Act::Answer { well: true });
        }
    }
}

/// One long day at the keys, always the same one.
#[test]
fn ten_thousand_keys_break_nothing_and_write_nothing_unapproved() {
    let table: Vec<KeyPress> =
        commands().flat_map(|c| c.keys).filter_map(|keys| parse_keys(keys)).flatten().collect();
    let mut desk = Desk::with(rows(), (80, 24));
    let mut seed = 0x5eed_u64;
    let mut next = || {
        seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
        usize::try_from(seed >> 33).expect("31 bits")
    };
    for _ in 0..10_000 {
        let roll = next();
        let act = match roll % 16 {
            0 => Act::Paste,
            1 => Act::Tick,
            2..=5 => Act::Answer { well: next() % 5 > 0 },
            _ => Act::Key(table[next() % table.len()]),
        };
        play(&mut desk, &act);
    }
}

#[test]
fn no_size_panics() {
    let mut desk = Desk::with(rows(), (120, 40));
    desk.press("m").planned_landing();
    for width in 0..60 {
        for height in 0..24 {
            draw(&desk.model, width, height);
        }
    }
}
