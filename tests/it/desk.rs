//! A cockpit without terminal and git: keys and answers in, state, effects and pictures out.

use std::{fmt::Write as _, path::PathBuf, sync::Arc};

use ratatui::{Terminal, backend::TestBackend, buffer::Buffer, layout::Rect};
use shadowdeck::{
    app::{
        Effect, Model, Msg,
        job::{Job, JobId, Outcome, Slot},
        keymap::parse_keys,
        start, update,
    },
    report::{Code, Report},
    review::{
        Block, Content, DiffStats, DiscardPlan, Discarded, Entry, FileChange, FileDiff, FileStatus,
        Fleet, LandPlan, Landing, LogEntry, Mode, RedoPlan, ReviewPage, Row, Stale, SyncPlan, Text,
        UndoPlan, Undone, Verdict,
        plan::{DiscardEntry, Holds},
    },
    shadow::{BranchName, Oid, OperationId, RepoPath, ShadowId, Strategy},
    ui::{self, theme::Theme},
};

/// 2026-03-01 12:00 UTC.
pub(crate) const NOW_MS: u64 = 1_772_366_400_000;
const HOUR_MS: u64 = 3_600_000;

pub(crate) fn oid(digit: char) -> Oid {
    Oid::parse(&digit.to_string().repeat(40)).expect("hex")
}

pub(crate) fn id(name: &str) -> ShadowId {
    ShadowId(name.to_owned())
}

pub(crate) fn operation(number: u128) -> OperationId {
    OperationId(ulid::Ulid::from(number))
}

/// A clean row of a few hours ago.
pub(crate) fn row(name: &str) -> Row {
    let mut row = Row::unread(id(name), PathBuf::from(format!("/repo/{name}")));
    row.branch = Some(BranchName(format!("wt/{name}")));
    row.target = Some(BranchName("main".to_owned()));
    row.stats = Some(DiffStats { files_changed: 2, insertions: 42, deletions: 7 });
    row.base = Some(oid('9'));
    row.tip = Some(oid('7'));
    row.snapshot = Some(oid('5'));
    row.ahead = Some(1);
    row.behind = Some(2);
    row.dirty = Some(name.ends_with("fox"));
    row.last_activity_ms = Some(NOW_MS - 2 * HOUR_MS);
    row.verdict = Verdict::Clean;
    row
}

pub(crate) fn stale(name: &str, why: Stale) -> Row {
    let mut row = row(name);
    row.stale = Some(why);
    row.verdict = match why {
        Stale::Idle => Verdict::Clean,
        Stale::Landed => Verdict::Landed,
        Stale::Empty => Verdict::Empty,
    };
    row.last_activity_ms = Some(NOW_MS - 30 * 24 * HOUR_MS);
    row
}

/// One row of every group.
pub(crate) fn rows() -> Vec<Row> {
    let mut asks = row("swift-fox");
    asks.requested = Some("retry calls that fail with 5xx".to_owned());
    asks.agent = Some("claude".to_owned());
    asks.last_activity_ms = Some(NOW_MS - 120_000);
    let mut clashes = row("calm-pine");
    clashes.verdict = Verdict::Conflicts;
    clashes.conflicts = vec![RepoPath::new("src/api.rs"), RepoPath::new("src/old.rs")];
    let mut works = row("keen-heron");
    works.processes = vec![shadowdeck::review::Process { pid: 4711, name: "claude".to_owned() }];
    works.last_activity_ms = Some(NOW_MS - 8_000);
    let mut broken = row("lost-reed");
    broken.problem = Some(
        "/repo/lost-reed has no .git file, so git run there would act on another repository; \
         `git worktree repair /repo/lost-reed` mends it"
            .to_owned(),
    );
    (broken.base, broken.tip, broken.ahead) = (None, None, None);
    (broken.behind, broken.dirty) = (None, None);
    broken.verdict = Verdict::Unknown;
    broken.snapshot = None;
    broken.stats = None;
    vec![
        asks,
        row("brave-otter"),
        row("dry-elm"),
        clashes,
        works,
        stale("old-idea", Stale::Idle),
        stale("plan-01jw2", Stale::Landed),
        stale("wide-oak", Stale::Empty),
        broken,
    ]
}

pub(crate) fn fleet(rows: Vec<Row>) -> Fleet {
    Fleet {
        name: "acme/api".to_owned(),
        target: Some(BranchName("main".to_owned())),
        target_tip: Some(oid('a')),
        rows,
        open_comments: std::collections::BTreeMap::new(),
        met: None,
        complete: true,
        read_at_ms: NOW_MS,
        took_ms: 0,
    }
}

pub(crate) fn places(names: &[&str]) -> Fleet {
    let rows = names.iter().map(|n| Row::unread(id(n), PathBuf::from(format!("/repo/{n}"))));
    Fleet { complete: false, ..fleet(rows.collect()) }
}

fn change(path: &str, status: FileStatus, insertions: u32, deletions: u32) -> FileChange {
    let entry = |digit| Some(Entry { mode: Mode::File, oid: oid(digit) });
    FileChange {
        path: RepoPath::new(path),
        old_path: None,
        status,
        old: if status == FileStatus::Added { None } else { entry('1') },
        new: entry('2'),
        insertions,
        deletions,
        binary: false,
    }
}

pub(crate) fn page(name: &str) -> ReviewPage {
    let old = "fn call(&self) -> Result<Response> {\n    self.client.get(url).send()\n}\n";
    let new =
        "fn call(&self) -> Result<Response> {\n    retry(3, || self.client.get(url).send())\n}\n";
    let text = |text: &str| Arc::new(Text::new(text.as_bytes().to_vec()));
    let edited = FileDiff::new(
        change("src/api.rs", FileStatus::Modified, 1, 1),
        Content::Text {
            old: text(old),
            new: text(new),
            blocks: vec![Block { old: 1..2, new: 1..2 }],
        },
    );
    let added = FileDiff::new(
        change("src/retry.rs", FileStatus::Added, 2, 0),
        Content::Text {
            old: text(""),
            new: text("use std::time::Duration;\n\n"),
            blocks: vec![Block { old: 0..0, new: 0..2 }],
        },
    );
    ReviewPage {
        id: id(name),
        target: BranchName("main".to_owned()),
        base: oid('9'),
        tip: oid('7'),
        snapshot: oid('5'),
        files: vec![edited, added],
        read_at_ms: NOW_MS,
    }
}

pub(crate) fn land_plan(name: &str) -> LandPlan {
    let files = page(name).files.into_iter().map(|file| file.change).collect::<Vec<_>>();
    LandPlan {
        id: id(name),
        branch: Some(BranchName(format!("wt/{name}"))),
        target: BranchName("main".to_owned()),
        strategy: Strategy::Merge,
        chosen_by: Some("the default for wt/*".to_owned()),
        message: "Retry calls that fail with 5xx\n\nThree attempts with back-off.\n".to_owned(),
        tip: oid('7'),
        snapshot: oid('5'),
        before: oid('a'),
        after: oid('4'),
        safety_net: Some(oid('3')),
        own_commit: None,
        carried: None,
        stats: DiffStats::of(&files),
        files,
        commits: 2,
        keep: false,
        part: None,
        target_worktree: Some(PathBuf::from("/repo/main")),
        edits_kept: 2,
        resolved: Vec::new(),
        runs: Vec::new(),
        verify: shadowdeck::review::Verify::Ask,
        trust: shadowdeck::review::Trust::AsRecorded,
        needs_trust: Vec::new(),
        at_work: Vec::new(),
        warnings: Vec::new(),
        remarks: Vec::new(),
    }
}

pub(crate) fn landing(name: &str) -> Landing {
    Landing {
        operation: operation(1),
        plan: land_plan(name),
        cleaned_up: true,
        warnings: Vec::new(),
    }
}

pub(crate) fn discard_entry(name: &str) -> DiscardEntry {
    DiscardEntry {
        id: id(name),
        branch: Some(BranchName(format!("wt/{name}"))),
        path: PathBuf::from(format!("/repo/{name}")),
        holds: Holds::default(),
        refused: None,
        processes: Vec::new(),
        last_activity_ms: Some(NOW_MS - 21 * 24 * HOUR_MS),
    }
}

/// One entry of every section.
pub(crate) fn discard_plan() -> DiscardPlan {
    let mut idea = discard_entry("old-idea");
    idea.holds = Holds {
        commits: 1,
        edited_files: 2,
        untracked_files: 1,
        ignored: vec![RepoPath::new(".env"), RepoPath::new("dev.sqlite")],
        elsewhere: None,
    };
    let mut landed = discard_entry("plan-01jw2");
    landed.holds.elsewhere = Some("landed as 77ab01e, tree equal".to_owned());
    let mut held = discard_entry("wide-oak");
    held.processes = vec![shadowdeck::review::Process { pid: 4711, name: "claude".to_owned() }];
    let mut refused = discard_entry("big-ash");
    refused.refused = Some("it is locked: keep this".to_owned());
    DiscardPlan { entries: vec![refused, idea, landed, held] }
}

pub(crate) fn undo_plan(verb: &str) -> UndoPlan {
    let moves = verb == "land";
    UndoPlan {
        operation: operation(1),
        verb: verb.to_owned(),
        shadows: vec![id("swift-fox")],
        target: moves.then(|| BranchName("main".to_owned())),
        from: moves.then(|| oid('4')),
        to: moves.then(|| oid('a')),
        files: if moves {
            vec![RepoPath::new("src/api.rs"), RepoPath::new("src/retry.rs")]
        } else {
            Vec::new()
        },
        chosen: None,
        trashed: (verb == "create").then(|| discard_plan().entries[1].holds.clone()),
    }
}

pub(crate) fn sync_plan() -> SyncPlan {
    let paths = |names: &[&str]| names.iter().map(|name| RepoPath::new(*name)).collect();
    SyncPlan {
        id: id("swift-fox"),
        branch: BranchName("aide-shadow/swift-fox".to_owned()),
        before: oid('4'),
        target: BranchName("main".to_owned()),
        target_tip: oid('a'),
        commits: 2,
        tree: oid('7'),
        files: paths(&["src/api.rs", "src/retry.rs", "Cargo.lock"]),
        uncommitted: paths(&["src/lib.rs"]),
        resolved: paths(&["Cargo.lock"]),
    }
}

pub(crate) fn redo_plan() -> RedoPlan {
    RedoPlan {
        operation: operation(2),
        redone: Some(operation(1)),
        verb: "land".to_owned(),
        shadows: vec![id("swift-fox")],
        target: Some(BranchName("main".to_owned())),
        from: Some(oid('a')),
        to: Some(oid('4')),
        files: vec![RepoPath::new("src/api.rs")],
        chosen: None,
    }
}

pub(crate) fn log_entries() -> Vec<LogEntry> {
    let entry = |number: u128, verb: &str, status: &str, hours: u64| LogEntry {
        operation: operation(number),
        verb: verb.to_owned(),
        shadows: vec![id("swift-fox")],
        target: (verb == "land").then(|| BranchName("main".to_owned())),
        before: (verb == "land").then(|| oid('a')),
        after: (verb == "land").then(|| oid('4')),
        time_ms: NOW_MS - hours * HOUR_MS,
        status: status.to_owned(),
        undoable: status == "done",
        undoable_why: match status {
            "done" => None,
            "undone" => Some("it was undone already".to_owned()),
            other => Some(format!("it is {other}")),
        },
        chosen: None,
    };
    vec![
        entry(3, "land", "done", 1),
        entry(1, "discard", "undone", 30),
        entry(2, "land", "unfinished", 5),
    ]
}

pub(crate) fn refusal() -> Report {
    Report::user(Code::DirtyOverlap, "your edit in src/api.rs is in the way")
        .hint("commit or stash it, then plan again")
}

/// The model with its surroundings played by the test.
pub(crate) struct Desk {
    pub(crate) model: Model,
    pub(crate) open: Vec<(Slot, JobId, Job)>,
    /// Every job that was ever started.
    pub(crate) started: Vec<Job>,
    pub(crate) effects: Vec<Effect>,
    size: (u16, u16),
}

impl Desk {
    /// Before anything has been read.
    pub(crate) fn new(size: (u16, u16)) -> Self {
        let mut desk = Self::unseen(size);
        desk.answer(Slot::Seen, Ok(Outcome::Seen(None)));
        desk
    }

    /// Not even what was there the last time.
    pub(crate) fn unseen(size: (u16, u16)) -> Self {
        let mut desk = Self::bare(size);
        desk.answer(Slot::Write, Ok(Outcome::Recovered(Vec::new())));
        desk.picture();
        desk
    }

    /// The first questions are asked, and none is answered.
    pub(crate) fn bare(size: (u16, u16)) -> Self {
        let mut desk = Self {
            model: Model { now_ms: NOW_MS, ..Model::default() },
            open: Vec::new(),
            started: Vec::new(),
            effects: Vec::new(),
            size,
        };
        let effects = start(&mut desk.model);
        desk.take(effects);
        desk
    }

    /// A whole list is on the screen.
    pub(crate) fn with(rows: Vec<Row>, size: (u16, u16)) -> Self {
        let mut desk = Self::new(size);
        desk.answer(Slot::Fleet, Ok(Outcome::Fleet(places(&[]))));
        desk.answer(Slot::Fleet, Ok(Outcome::Fleet(fleet(rows))));
        desk.picture();
        desk
    }

    fn take(&mut self, effects: Vec<Effect>) {
        for effect in &effects {
            match effect {
                Effect::StartJob { slot, id, job } => {
                    self.open.push((*slot, *id, job.clone()));
                    self.started.push(job.clone());
                }
                Effect::CancelJob { id } => self.open.retain(|(_, open, _)| open != id),
                _ => {}
            }
        }
        self.effects.extend(effects);
    }

    pub(crate) fn send(&mut self, msg: Msg) {
        let effects = update(&mut self.model, msg);
        self.take(effects);
    }

    /// Presses keys one by one, each on a drawn frame.
    #[track_caller]
    pub(crate) fn press(&mut self, keys: &str) -> &mut Self {
        for key in parse_keys(keys).expect("keys of the test are keys") {
            let frame = self.model.frame;
            self.send(Msg::KeyPressed { key, frame });
            self.picture();
        }
        self
    }

    /// Presses keys that are read together: no frame is drawn until they are taken.
    #[track_caller]
    pub(crate) fn burst(&mut self, keys: &str) -> &mut Self {
        let frame = self.model.frame;
        for key in parse_keys(keys).expect("keys of the test are keys") {
            self.send(Msg::KeyPressed { key, frame });
        }
        self
    }

    /// Answers the job that is open in `slot`.
    #[track_caller]
    pub(crate) fn answer(&mut self, slot: Slot, outcome: Result<Outcome, Report>) -> &mut Self {
        let place = self.open.iter().position(|(open, ..)| *open == slot);
        let (_, id, _) = self.open.remove(place.unwrap_or_else(|| panic!("{slot:?} is not open")));
        self.send(Msg::JobFinished { slot, id, outcome });
        self
    }

    /// Draws, as the loop does, and gives the buffer.
    pub(crate) fn picture(&mut self) -> Buffer {
        let (width, height) = self.size;
        let area = Rect::new(0, 0, width, height);
        self.model.fit(ui::layout::viewport(&self.model, area));
        let buffer = draw(&self.model, width, height);
        let frame = self.model.frame + 1;
        self.send(Msg::Drawn { frame });
        buffer
    }

    /// The same, as another theme shows it; it is not a frame of the loop.
    pub(crate) fn drawn_in(&self, theme: &Theme) -> Buffer {
        themed(&self.model, self.size, theme)
    }

    pub(crate) fn resize(&mut self, width: u16, height: u16) {
        self.size = (width, height);
        self.picture();
    }

    pub(crate) fn selected(&self) -> &str {
        self.model.fleet.selected().map_or("", |row| &row.id.0)
    }

    pub(crate) fn answer_text(&self) -> &str {
        self.model.answer.as_ref().map_or("", |answer| &answer.text)
    }

    pub(crate) fn screen(&mut self) -> String {
        text(&self.picture())
    }

    /// Jobs that write, as they were started.
    pub(crate) fn writes(&self) -> Vec<&Job> {
        self.started
            .iter()
            .filter(|job| {
                matches!(
                    job,
                    Job::Land(_)
                        | Job::Discard(_)
                        | Job::Undo(_)
                        | Job::Redo(_)
                        | Job::Sync(_)
                        | Job::Create { .. }
                )
            })
            .collect()
    }

    /// The plan has come and is drawn.
    pub(crate) fn planned_landing(&mut self) -> &mut Self {
        let plan = Box::new(land_plan("swift-fox"));
        self.answer(Slot::PlanLand, Ok(Outcome::PlannedLanding(plan))).picture();
        self
    }

    pub(crate) fn discarded(&mut self, names: &[&str]) -> &mut Self {
        let shadows = names.iter().map(|name| id(name)).collect();
        let done =
            Discarded { operation: operation(1), shadows, left: Vec::new(), warnings: Vec::new() };
        self.answer(Slot::Write, Ok(Outcome::Discarded(done)))
    }

    pub(crate) fn undone(&mut self, verb: &str) -> &mut Self {
        let done = Undone { operation: operation(2), plan: undo_plan(verb), warnings: Vec::new() };
        self.answer(Slot::Write, Ok(Outcome::Undone(done)))
    }
}

pub(crate) fn draw(model: &Model, width: u16, height: u16) -> Buffer {
    themed(model, (width, height), &Theme::default())
}

fn themed(model: &Model, (width, height): (u16, u16), theme: &Theme) -> Buffer {
    let mut terminal = Terminal::new(TestBackend::new(width, height)).expect("test backend");
    terminal.draw(|frame| ui::view(model, theme, frame)).expect("draws");
    terminal.backend().buffer().clone()
}

/// The characters, one line a row.
pub(crate) fn text(buffer: &Buffer) -> String {
    let width = usize::from(buffer.area.width).max(1);
    let mut out = String::new();
    for row in buffer.content.chunks(width) {
        let line: String = row.iter().map(ratatui::buffer::Cell::symbol).collect();
        writeln!(out, "{}", line.trim_end()).expect("writes to a string");
    }
    out
}
