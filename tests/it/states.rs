//! The states that get forgotten: one table of scenes, each kept as a picture in four sizes and every
//! depth. `pictures`, `screens_review` and `fleet_screens` have the plain screens.

use shadowdeck::{
    app::{
        Msg,
        job::{Outcome, Slot},
    },
    report::{Code, Report},
    review::{
        Conflict, ConflictFile, ConflictKind, ConflictPage, Content, Entry, FileChange, FileDiff,
        FileStatus, LandPlan, Mode, Process, Progress, SeenList, SeenRow, Stale, Step, Undone,
        accepted::Counts,
    },
    shadow::{RepoPath, Strategy},
    ui::{
        glyphs::Glyphs,
        theme::{Depth, Ground, Theme},
    },
};

use crate::{
    conflicts_rebase::stopping,
    desk::{
        Desk, NOW_MS, discard_plan, fleet, land_plan, landing, log_entries, oid, operation, page,
        redo_plan, refusal, row, rows, stale, text, undo_plan,
    },
    fleet_screens::{known, told},
    matrix,
    pictures::check,
    scenes::{World, facts},
    sheets::{consent, newer, planned, shadow_moved, tell},
};

type Size = (u16, u16);
type Scenes<Stage> = &'static [(&'static str, fn(Size) -> Stage)];

fn desk(keys: &str, size: Size) -> Desk {
    let mut desk = Desk::with(rows(), size);
    desk.answer(Slot::Detail, Ok(Outcome::Review(page("swift-fox"))));
    desk.press(keys);
    desk
}

/// On the sheet that plans a landing, or on what came of it.
fn sheet(size: Size, plan: Result<LandPlan, Report>) -> Desk {
    let mut desk = desk("m", size);
    match plan {
        Ok(plan) => planned(&mut desk, plan),
        Err(report) => drop(desk.answer(Slot::PlanLand, Err(report))),
    }
    desk
}

fn with_hooks() -> LandPlan {
    LandPlan {
        runs: vec!["pre-merge-commit".to_owned(), "commit-msg".to_owned()],
        ..land_plan("swift-fox")
    }
}

fn lands(size: Size, told: Vec<Progress>) -> Desk {
    let mut desk = sheet(size, Ok(with_hooks()));
    desk.resize(120, 40);
    desk.press("Enter");
    desk.resize(size.0, size.1);
    for told in told {
        tell(&mut desk, told);
    }
    desk.send(Msg::Ticked { now_ms: NOW_MS + 28_000 });
    desk
}

fn hook_runs() -> Vec<Progress> {
    let said = ["running 214 tests", "test api::retry ... ok"];
    let said = said.map(|line| Progress::Said(line.to_owned()));
    let hook = Progress::Hook("pre-merge-commit".to_owned());
    [Step::Hooks.into(), hook].into_iter().chain(said).collect()
}

fn consents(size: Size) -> Desk {
    let plan = LandPlan {
        needs_trust: vec![
            consent("the hook file pre-commit was changed", "one"),
            consent("the config defines filter.crypt.clean, which its files go through", "two"),
        ],
        at_work: vec![Process { pid: 4711, name: "claude".to_owned() }],
        warnings: vec!["2 files are ignored and do not land: .env, dev.sqlite".to_owned()],
        ..with_hooks()
    };
    let mut desk = sheet(size, Ok(plan));
    desk.press("Space");
    desk
}

fn hook_refused(size: Size) -> Desk {
    let output: Vec<String> = (1..=12).map(|line| format!("checking src/{line}.rs")).collect();
    let report = Report::user(Code::HookRejected, "the hook pre-merge-commit rejected it")
        .unchanged()
        .hint("see to what the hook says, or land with --no-verify")
        .detail("hook", "pre-merge-commit")
        .detail("output", output.join("\n"));
    let mut desk = lands(size, Vec::new());
    desk.answer(Slot::Write, Err(report));
    desk
}

fn moved(size: Size) -> Desk {
    let mut desk = sheet(size, Err(shadow_moved()));
    let mut part = newer();
    part.base = oid('5');
    desk.answer(Slot::Compare, Ok(Outcome::Review(part)));
    desk
}

fn part(size: Size) -> Desk {
    let part = shadowdeck::review::PartPlan {
        counts: Counts { hunks: 3, hunks_all: 7, files: 2, files_all: 4 },
        left_out: ["src/retry.rs", "src/x.rs"].map(RepoPath::new).to_vec(),
        whole: oid('8'),
    };
    let plan = LandPlan {
        strategy: Strategy::Squash,
        chosen_by: None,
        part: Some(part),
        keep: true,
        ..land_plan("swift-fox")
    };
    sheet(size, Ok(plan))
}

fn discards(size: Size) -> Desk {
    let mut desk = desk("* d", size);
    desk.answer(Slot::PlanDiscard, Ok(Outcome::PlannedDiscard(discard_plan()))).picture();
    desk.press("G Enter");
    tell(&mut desk, Step::Trash.into());
    tell(&mut desk, Progress::Done { count: 30, of: 50 });
    desk
}

fn cut_short(size: Size) -> Desk {
    let mut desk = Desk::bare(size);
    let words = "the landing of swift-fox was taken back; main is as before".to_owned();
    desk.answer(Slot::Write, Ok(Outcome::Recovered(vec![words])));
    desk.answer(Slot::Seen, Ok(Outcome::Seen(None)));
    desk.answer(Slot::Fleet, Ok(Outcome::Fleet(fleet(rows()))));
    desk
}

fn away(size: Size) -> Desk {
    let mut before: Vec<SeenRow> = rows().iter().skip(1).map(SeenRow::of).collect();
    before[0] = SeenRow::of(&row("gone-by"));
    let seen = SeenList { time_ms: NOW_MS - 3 * 3_600_000, rows: before };
    let mut desk = Desk::unseen(size);
    desk.answer(Slot::Seen, Ok(Outcome::Seen(Some(seen))));
    desk.answer(Slot::Fleet, Ok(Outcome::Fleet(fleet(rows()))));
    if desk.model.jobs.is_open(Slot::Fleet) {
        desk.answer(Slot::Fleet, Ok(Outcome::Fleet(fleet(rows()))));
    }
    desk
}

fn not_live(size: Size) -> Desk {
    let mut desk = desk("", size);
    desk.send(Msg::Ticked { now_ms: NOW_MS + 60_000 });
    desk.answer(Slot::Fleet, Err(refusal()));
    desk
}

const DESKS: Scenes<Desk> = &[
    ("fleet_looking", |size| {
        let mut desk = known(size);
        told(&mut desk, 4, rows().into_iter().skip(1).take(4).collect());
        desk
    }),
    ("fleet_broken", |size| desk("G m", size)),
    ("fleet_broken_why", |size| desk("G i", size)),
    ("fleet_refused", |size| desk("j x", size)),
    ("fleet_range", |size| desk("j v j j", size)),
    ("fleet_filtering", |size| desk("/ e l", size)),
    ("fleet_detail", |size| desk("Tab", size)),
    ("fleet_landed", |size| {
        let mut desk = lands(size, Vec::new());
        desk.answer(Slot::Write, Ok(Outcome::Landed(Box::new(landing("swift-fox")))));
        desk
    }),
    ("fleet_landing", |size| {
        let mut desk = lands(size, hook_runs());
        desk.press("Esc q");
        desk
    }),
    ("fleet_undone", |size| {
        let mut desk = desk("u", size);
        let plan = undo_plan("discard");
        desk.answer(Slot::PlanUndo, Ok(Outcome::PlannedUndo(plan.clone())));
        let done = Undone { operation: operation(2), plan, warnings: Vec::new() };
        desk.answer(Slot::Write, Ok(Outcome::Undone(done)));
        desk
    }),
    ("fleet_cut_short", cut_short),
    ("fleet_away", away),
    ("fleet_not_live", not_live),
    ("fleet_nothing_waits", |size| {
        let mut works = row("keen-heron");
        works.processes = vec![Process { pid: 4711, name: "claude".to_owned() }];
        Desk::with(vec![works, stale("wide-oak", Stale::Empty)], size)
    }),
    ("land_consent", consents),
    ("land_part", part),
    ("land_moved", moved),
    ("land_hook_runs", |size| lands(size, hook_runs())),
    ("land_hook_refused", hook_refused),
    ("land_waits", |size| {
        let holder = Progress::Held("`land plan-7` (process 812)".to_owned());
        lands(size, vec![Step::Lock.into(), holder])
    }),
    ("land_too_late", |size| {
        let mut desk = lands(size, vec![Step::Advance.into()]);
        desk.press("ctrl-c");
        desk
    }),
    ("discard_running", discards),
    ("discard_refused", |size| {
        let mut desk = desk("* d", size);
        desk.answer(Slot::PlanDiscard, Err(refusal()));
        desk
    }),
    ("redo", |size| {
        let mut desk = desk("ctrl-r", size);
        desk.answer(Slot::PlanUndo, Ok(Outcome::PlannedRedo(redo_plan())));
        desk
    }),
    ("undo_refused", |size| {
        let mut desk = desk("u", size);
        desk.answer(Slot::PlanUndo, Err(refusal()));
        desk
    }),
    ("create", |size| desk("C n e w - n e w t", size)),
    ("create_refused", |size| {
        let mut desk = desk("C Enter", size);
        desk.answer(Slot::Write, Err(refusal()));
        desk
    }),
    ("palette", |size| desk(": l a n d", size)),
    ("log_empty", |size| {
        let mut desk = desk("L", size);
        desk.answer(Slot::Log, Ok(Outcome::Log(Vec::new())));
        desk
    }),
    ("log_over", |size| {
        let mut desk = desk("L", size);
        desk.answer(Slot::Log, Ok(Outcome::Log(log_entries())));
        desk.press("g g Enter u");
        desk
    }),
    ("review_reading", |size| {
        let mut desk = Desk::with(rows(), size);
        desk.press("Enter m");
        desk
    }),
    ("review_newer", |size| {
        let mut desk = desk("Enter", size);
        let mut now = rows();
        now[0].snapshot = Some(oid('6'));
        desk.send(Msg::Ticked { now_ms: NOW_MS + 60_000 });
        desk.answer(Slot::Fleet, Ok(Outcome::Fleet(fleet(now))));
        if desk.model.jobs.is_open(Slot::Newer) {
            desk.answer(Slot::Newer, Ok(Outcome::Review(newer())));
        }
        desk
    }),
];

#[test]
fn every_state_of_the_list_and_the_sheets_is_kept() {
    for (name, scene) in DESKS {
        check(name, scene);
    }
}

/// What has no lines, and what is too much to show.
fn odd_files() -> Vec<FileDiff> {
    let long = "x".repeat(5_000);
    let with = |path, content| facts::with_content(path, FileStatus::Modified, content);
    vec![
        facts::text_file("Cargo.lock", Some("a\n"), Some(&"b\n".repeat(8_412))),
        facts::text_file("app.js", Some("old\n"), Some(&long)),
        with("a.png", Content::Binary { old_size: Some(2_048), new_size: Some(5_000_000) }),
        with("big.sql", Content::TooLarge { size: 90_000_000, size_max: 50_000_000 }),
        with("lib", Content::Submodule { old: Some(facts::oid("1")), new: Some(facts::oid("2")) }),
        with("secret", Content::Unreadable { why: "its filter is gone".into() }),
    ]
}

fn entry(mode: Mode, content: &str) -> Entry {
    Entry { mode, oid: facts::oid(content) }
}

/// One conflict of each kind that has no lines to choose between.
fn kinds() -> ConflictPage {
    let mut page = facts::conflict_page();
    let template = page.files.pop().expect("a conflict");
    let file = |path: &str, kind, sides: [Option<Entry>; 3], content: Option<Content>| {
        let mut file: ConflictFile = template.clone();
        let [base, target, shadow] = sides;
        let diff = |to: &Option<Entry>| {
            let change = FileChange {
                path: RepoPath::new(path),
                binary: matches!(content, Some(Content::Binary { .. })),
                old: base.clone(),
                new: to.clone(),
                insertions: 0,
                deletions: 0,
                status: FileStatus::Modified,
                old_path: None,
            };
            let content = content.clone()?;
            to.is_some().then_some(FileDiff::new(change, content))
        };
        (file.target_diff, file.shadow_diff) = (diff(&target), diff(&shadow));
        let conflict = &mut file.conflict;
        (conflict.path, conflict.kind) = (RepoPath::new(path), kind);
        (conflict.base, conflict.target, conflict.shadow) = (base, target, shadow);
        file
    };
    let plain = |content| Some(entry(Mode::File, content));
    let binary = Content::Binary { old_size: Some(2_048), new_size: Some(4_096) };
    let module = Content::Submodule { old: Some(facts::oid("1")), new: Some(facts::oid("2")) };
    page.files = vec![
        file("src/x.rs", ConflictKind::RenameRename, [plain("1"), plain("1"), None], None),
        file("logo.png", ConflictKind::Binary, [plain("1"), plain("2"), plain("3")], Some(binary)),
        file(
            "run.sh",
            ConflictKind::Mode,
            [None, Some(entry(Mode::Executable, "1")), plain("1")],
            None,
        ),
        file(
            "lib",
            ConflictKind::Submodule,
            ["1", "2", "3"].map(|at| Some(entry(Mode::Submodule, at))),
            Some(module),
        ),
    ];
    page
}

/// Those of one name that two things want, and those of what is no plain file.
fn clashes() -> ConflictPage {
    let mut page = facts::conflict_page();
    let with = |path, kind, versions, modes: [Mode; 3]| {
        let mut file = facts::conflict(path, kind, versions);
        let Conflict { base, target, shadow, .. } = &mut file.conflict;
        for (entry, mode) in [base, target, shadow].into_iter().zip(modes) {
            if let Some(entry) = entry {
                entry.mode = mode;
            }
        }
        file
    };
    let own = Some("fn go() {\n    own();\n}\n");
    let main = Some("fn go() {\n    main();\n}\n");
    let (plain, links) = ([Mode::File; 3], [Mode::Symlink; 3]);
    let types = [Mode::File, Mode::File, Mode::Symlink];
    page.files = vec![
        with("src/go.rs", ConflictKind::AddAdd, [None, main, own], plain),
        with("lib", ConflictKind::FileDirectory, [None, None, own], plain),
        with("new/go.rs", ConflictKind::DirectoryRename, [None, None, own], plain),
        with("latest", ConflictKind::Symlink, [Some("v1"), Some("v2"), Some("v3")], links),
        with(
            "run",
            ConflictKind::DistinctTypes,
            [Some("a\n"), Some("b\n"), Some("bin/run")],
            types,
        ),
    ];
    page.files[1].told[0].below = ["lib/a.rs", "lib/b.rs"].map(RepoPath::new).to_vec();
    page.files[2].conflict.moved_from = Some(RepoPath::new("old/go.rs"));
    page
}

fn of_clashes(size: Size, keys: &str) -> World {
    let mut world = World::new(size.0, size.1);
    world.conflicts = clashes();
    world.press("/ c a l m Enter x");
    world.press(keys);
    world
}

/// One file with two places.
pub(crate) fn two_places() -> ConflictPage {
    let base = "use std::fs;\n\nfn first() {\n    one();\n}\n\nfn second() {\n    two();\n}\n";
    let (target, shadow) = (base.replace("one", "main_one"), base.replace("one", "own_one"));
    let target = target.replace("two();", "two(1);");
    let shadow = shadow.replace("two();", "two(2);\n    three();");
    let mut page = facts::conflict_page();
    let versions = [base, &target, &shadow].map(Some);
    page.files = vec![facts::conflict("src/api.rs", ConflictKind::Content, versions)];
    page
}

fn places(size: Size, keys: &str) -> World {
    let mut world = World::new(size.0, size.1);
    world.conflicts = two_places();
    world.press("/ c a l m Enter x");
    world.press(keys);
    world
}

/// One file that each side gave another name.
pub(crate) fn three_names() -> ConflictPage {
    let mut page = facts::conflict_page();
    let text = Some("fn go() {}\n");
    let names = ["src/new.rs", "src/old.rs", "src/other.rs"];
    let file = |name, versions| facts::conflict(name, ConflictKind::RenameRename, versions);
    page.files = vec![
        file(names[0], [None, text, None]),
        file(names[1], [text, None, None]),
        file(names[2], [None, None, text]),
    ];
    for file in &mut page.files {
        let others = names.map(RepoPath::new).into_iter();
        file.conflict.names = others.filter(|name| *name != file.conflict.path).collect();
    }
    page
}

fn renamed(size: Size, keys: &str) -> World {
    let mut world = World::new(size.0, size.1);
    world.conflicts = three_names();
    world.press("/ c a l m Enter x");
    world.press(keys);
    world
}

/// What was chosen before the agent went on.
fn reused(size: Size) -> World {
    let mut world = places(size, "a t");
    for file in &mut world.conflicts.files {
        file.is_reused = true;
    }
    world.press("R");
    world
}

fn world((columns, rows): Size, keys: &str) -> World {
    let mut world = World::new(columns, rows);
    world.press(keys);
    world
}

fn of_kinds(size: Size, keys: &str) -> World {
    let mut world = World::new(size.0, size.1);
    world.conflicts = kinds();
    world.press("/ c a l m Enter x");
    world.press(keys);
    world
}

fn huge(size: Size, keys: &str) -> World {
    let pages = vec![facts::page("agent-swift-fox", odd_files())];
    let mut world = World::with_pages(size.0, size.1, pages);
    world.press(keys);
    world
}

const WORLDS: Scenes<World> = &[
    ("review_huge", |size| huge(size, "Enter g g")),
    ("review_refused", |size| world(size, "Enter n")),
    ("review_why", |size| world(size, "Enter i i")),
    ("review_commits", |size| world(size, "Enter 5")),
    ("review_uncommitted", |size| world(size, "Enter 3")),
    ("review_searching", |size| world(size, "Enter / u r l")),
    ("review_left_out", |size| world(size, "Enter } } ] t")),
    ("review_chosen_lines", |size| world(size, "Enter v j j")),
    ("conflicts_settled", |size| world(size, "/ c a l m Enter x a t a")),
    ("conflicts_files", |size| world(size, "/ c a l m Enter x a Tab")),
    ("conflicts_rename", |size| of_kinds(size, "")),
    ("conflicts_binary", |size| of_kinds(size, "}")),
    ("conflicts_mode", |size| of_kinds(size, "} }")),
    ("conflicts_submodule", |size| of_kinds(size, "} } }")),
    ("conflicts_add_add", |size| of_clashes(size, "")),
    ("conflicts_directory", |size| of_clashes(size, "}")),
    ("conflicts_directory_rename", |size| of_clashes(size, "} }")),
    ("conflicts_symlink", |size| of_clashes(size, "} } }")),
    ("conflicts_types", |size| of_clashes(size, "} } } }")),
    ("conflicts_step", |size| {
        let mut world = stopping(size.0, size.1);
        world.press("x a");
        world
    }),
    ("conflicts_places", |size| places(size, "b Space")),
    ("conflicts_places_settled", |size| places(size, "t 0 [ a")),
    ("conflicts_edited", |size| places(size, "e x Enter y")),
    ("conflicts_names", |size| renamed(size, "")),
    ("conflicts_names_settled", |size| renamed(size, "b")),
    ("conflicts_reused", reused),
];

#[test]
fn every_state_of_reading_and_settling_is_kept() {
    for (name, scene) in WORLDS {
        for size in [(40, 12), (80, 24), (120, 40), (200, 60)] {
            let world = scene(size);
            matrix::keep(&format!("{name}_{}x{}", size.0, size.1), &|theme| world.draw(theme));
        }
    }
}

/// What each screen tells without any style: cursor, marks, verdicts, sides, open choices.
const TOLD: &[(&str, &str, &[&str])] = &[
    ("list", "* j", &["\n> . agent-brave", "\n #. old-idea", "x 3 files", "v clean", "= landed"]),
    ("list", "G", &["\n> ! agent-lost-reed", "0 empty", " @ agent-swift-fox", " * agent-keen"]),
    ("list, range", "v j", &[" |@ agent-swift-fox", ">|. agent-brave"]),
    (
        "review",
        "Enter r",
        &["1/3 read", "v clean", "|>  10   10 ", "- run: cargo deny", " v M ci.yml"],
    ),
    ("review, range", "Enter v j", &["|#  10   10", "|>  11   11"]),
    ("review, left out", "Enter } } ] t", &["left out", "|t        3 + use"]),
    ("conflicts", TO_CONFLICTS, &["\n>x Cargo.toml", "| t ", "| a ", "|> ? t main's   a agent"]),
    ("conflicts, chosen", "a T", &["\n v Cargo.toml", "shadow's", "main's", "\n>x src/old.rs"]),
    ("land", "m", &["2 merge#", "1 squash ", "read     nothing of it yet"]),
    ("discard", "* d", &["\n>   # plan-01jw2", "\n    # old-idea"]),
    ("discard, unticked", "* d Space", &["     plan-01jw2", "Enter discard 4"]),
    ("log", "L", &["\n>", "undone"]),
    ("commits", "Enter 5", &["\n> ", "2 commits"]),
    ("commands", ":", &["\n> "]),
];

const TO_CONFLICTS: &str = "/ c a l m Enter x";

#[test]
fn nothing_hangs_on_colour_alone() {
    let plain = Theme::built_in(Ground::Dark, Depth::None, &Glyphs::ASCII);
    for (name, keys, told) in TOLD {
        let before = if name.starts_with("conflicts,") { TO_CONFLICTS } else { "" };
        let screen = text(&world((120, 40), &format!("{before} {keys}")).draw(&plain));
        for part in *told {
            assert!(screen.contains(part), "{name}: {part:?} in\n{screen}");
        }
    }
}

#[test]
fn a_screen_too_small_says_its_size() {
    let mut desk = desk("", (36, 9));
    matrix::keep("tiny_36x9", &|theme| desk.drawn_in(theme));
    assert_eq!(text(&desk.picture()).trim_end(), "needs 40×10, is 36×9 · q quits");
}
