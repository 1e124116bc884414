//! What the scenes' repository holds, as the operations would tell it.

use std::{path::PathBuf, sync::Arc};

use shadowdeck::{
    report::{Code, Report},
    review::{
        Against, Block, ClashFile, CommitLine, Comparable, Conflict, ConflictFile, ConflictKind,
        ConflictPage, Content, DiffStats, DiscardEntry, DiscardPlan, Entry, FileChange, FileDiff,
        FileStatus, Fleet, LandOptions, LandPlan, LogEntry, Meeting, Mode, Party, Process, Radar,
        RadarPage, RadarPair, RadarShadow, RebaseStep, Resolution, ReviewPage, Row, Stale, Text,
        Verdict, clash::clashes, plan::Holds, radar::ClashLines, weave::Weave,
    },
    shadow::{BranchName, Oid, OperationId, RepoPath, ShadowId, Strategy},
};
use similar::{Algorithm, DiffOp, capture_diff_slices};

use super::{NOW_MS, sources};

const MINUTE_MS: u64 = 60_000;
const DAY_MS: u64 = 24 * 60 * MINUTE_MS;

/// An id that the content decides, as in git.
pub fn oid(content: &str) -> Oid {
    let mut hash: u64 = 0xcbf2_9ce4_8422_2325;
    for byte in content.bytes() {
        hash = (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
    }
    Oid::parse(&format!("{hash:016x}{hash:016x}{:08x}", hash >> 32)).expect("40 hex digits")
}

fn entry(content: &str) -> Entry {
    Entry { mode: Mode::File, oid: oid(content) }
}

pub fn blocks(old: &str, new: &str) -> Vec<Block> {
    let old: Vec<&str> = old.split_inclusive('\n').collect();
    let new: Vec<&str> = new.split_inclusive('\n').collect();
    let index = |at: usize| u32::try_from(at).expect("few lines");
    capture_diff_slices(Algorithm::Myers, &old, &new)
        .iter()
        .filter(|op| !matches!(op, DiffOp::Equal { .. }))
        .map(|op| Block {
            old: index(op.old_range().start)..index(op.old_range().end),
            new: index(op.new_range().start)..index(op.new_range().end),
        })
        .collect()
}

pub fn text_file(path: &str, old: Option<&str>, new: Option<&str>) -> FileDiff {
    let blocks = blocks(old.unwrap_or_default(), new.unwrap_or_default());
    let status = match (old, new) {
        (None, _) => FileStatus::Added,
        (_, None) => FileStatus::Deleted,
        _ => FileStatus::Modified,
    };
    let text = |text: Option<&str>| Arc::new(Text::new(text.unwrap_or_default().into()));
    let sum = |lines: &dyn Fn(&Block) -> usize| {
        u32::try_from(blocks.iter().map(lines).sum::<usize>()).expect("few lines")
    };
    let change = FileChange {
        path: RepoPath::new(path),
        old_path: None,
        status,
        old: old.map(entry),
        new: new.map(entry),
        insertions: sum(&|block| block.new.len()),
        deletions: sum(&|block| block.old.len()),
        binary: false,
    };
    FileDiff::new(change, Content::Text { old: text(old), new: text(new), blocks })
}

pub fn with_content(path: &str, status: FileStatus, content: Content) -> FileDiff {
    let binary = matches!(content, Content::Binary { .. });
    let mut file = text_file(path, Some("a"), Some("b"));
    file.change = FileChange { status, binary, insertions: 0, deletions: 0, ..file.change };
    FileDiff::new(file.change, content)
}

pub fn empty_page() -> ReviewPage {
    page("nothing", Vec::new())
}

pub fn page(id: &str, files: Vec<FileDiff>) -> ReviewPage {
    ReviewPage {
        id: ShadowId(id.into()),
        target: BranchName("main".into()),
        base: oid("base"),
        tip: oid(&format!("tip of {id}")),
        snapshot: oid(&format!("snapshot of {id}")),
        files,
        read_at_ms: NOW_MS - 3 * MINUTE_MS,
    }
}

pub fn pages() -> Vec<ReviewPage> {
    let swift = vec![
        text_file(".github/ci.yml", Some(sources::CI_OLD), Some(sources::CI_NEW)),
        text_file("Cargo.lock", Some(sources::LOCK_OLD), Some(sources::LOCK_NEW)),
        text_file("src/api.rs", Some(sources::API_OLD), Some(sources::API_NEW)),
        text_file("src/retry.rs", None, Some(sources::RETRY_NEW)),
    ];
    let pine = vec![
        text_file("src/api.rs", Some(sources::API_OLD), Some(sources::API_NEW)),
        text_file("src/old.rs", Some(sources::OLD_RS), Some(sources::OLD_RS_SHADOW)),
    ];
    vec![page("agent-swift-fox", swift), page("agent-calm-pine", pine)]
}

struct Known {
    id: &'static str,
    verdict: Verdict,
    stats: (u32, u32, u32),
    age_ms: u64,
    stale: Option<Stale>,
    agent: Option<&'static str>,
    works: bool,
}

const fn known(id: &'static str, verdict: Verdict, stats: (u32, u32, u32), age_ms: u64) -> Known {
    Known { id, verdict, stats, age_ms, stale: None, agent: None, works: false }
}

fn rows() -> Vec<Row> {
    let stale = |id, verdict, stats, days: u64, why| Known {
        stale: Some(why),
        ..known(id, verdict, stats, days * DAY_MS)
    };
    let works = |id, stats, seconds: u64| Known {
        works: true,
        agent: Some("claude"),
        ..known(id, Verdict::Clean, stats, seconds * 1_000)
    };
    let all = [
        known("agent-swift-fox", Verdict::Clean, (4, 26, 7), 2 * MINUTE_MS),
        known("agent-brave-otter", Verdict::Clean, (6, 118, 30), 14 * MINUTE_MS),
        known("plan-01jx9", Verdict::Clean, (6, 9, 9), 31 * MINUTE_MS),
        known("agent-calm-pine", Verdict::Conflicts, (8, 310, 12), 60 * MINUTE_MS),
        works("agent-keen-heron", (5, 204, 11), 8),
        works("agent-dry-elm", (2, 16, 0), 1),
        stale("plan-01jw2", Verdict::Landed, (9, 60, 4), 2, Stale::Landed),
        stale("agent-slow-wren", Verdict::Clean, (4, 77, 20), 16, Stale::Idle),
        stale("old-idea", Verdict::Clean, (1, 1, 1), 21, Stale::Idle),
        stale("agent-wide-oak", Verdict::Empty, (0, 0, 0), 30, Stale::Empty),
        stale("plan-01jc0", Verdict::Clean, (9, 240, 2), 40, Stale::Idle),
    ];
    let mut rows: Vec<Row> = all.iter().map(row).collect();
    rows[0].requested = Some("retry calls that fail with 5xx".into());
    rows[3].conflicts = ["Cargo.toml", "src/api.rs", "src/old.rs"].map(RepoPath::new).to_vec();
    let mut lost = Row::unread(ShadowId("agent-lost-reed".into()), "/w/agent-lost-reed".into());
    lost.problem = Some(
        "/w/agent-lost-reed has no .git file, so git run there would act on another repository; \
         `git worktree repair /w/agent-lost-reed` mends it"
            .into(),
    );
    lost.last_activity_ms = Some(NOW_MS - 5 * DAY_MS);
    rows.push(lost);
    rows
}

fn row(known: &Known) -> Row {
    let (files_changed, insertions, deletions) = known.stats;
    let mut row = Row::unread(ShadowId(known.id.into()), PathBuf::from("/w").join(known.id));
    let convention = if known.id.starts_with("plan") { "plan" } else { "agent" };
    row.branch = Some(BranchName(format!("wt/{}", known.id.replacen('-', "/", 1))));
    row.target = Some(BranchName("main".into()));
    row.base_ref = Some("main".into());
    row.stats = Some(DiffStats { files_changed, insertions, deletions });
    row.convention = convention.into();
    row.agent = known.agent.map(Into::into);
    row.base = Some(oid("base"));
    row.tip = Some(oid(&format!("tip of {}", known.id)));
    row.snapshot = Some(oid(&format!("snapshot of {}", known.id)));
    row.ahead = Some(1);
    row.behind = Some(2);
    row.dirty = Some(known.works || known.id.ends_with("fox"));
    row.last_activity_ms = Some(NOW_MS - known.age_ms);
    row.verdict = known.verdict;
    row.stale = known.stale;
    if known.works {
        row.processes = vec![Process { pid: 4711, name: "claude".into() }];
    }
    row
}

pub fn fleet(complete: bool) -> Fleet {
    let rows =
        rows().into_iter().map(|row| if complete { row } else { Row::unread(row.id, row.path) });
    Fleet {
        name: "acme/api".into(),
        target: Some(BranchName("main".into())),
        target_tip: Some(oid("tip of main")),
        rows: rows.collect(),
        open_comments: std::collections::BTreeMap::new(),
        met: None,
        complete,
        read_at_ms: NOW_MS,
        took_ms: 0,
    }
}

/// As git weaves the two sides: what only one of them changed is merged.
fn weave(target: &FileDiff, shadow: &FileDiff) -> Option<Weave> {
    let (
        Content::Text { old, new: of_target, blocks: target },
        Content::Text { new: of_shadow, blocks: shadow, .. },
    ) = (&target.content, &shadow.content)
    else {
        return None;
    };
    let clashes = clashes(target, shadow);
    let (mut text, mut at) = (Vec::new(), 0);
    while at <= old.line_count() {
        let block = |blocks: &[Block]| blocks.iter().find(|block| block.old.start == at).cloned();
        let before = at;
        if let Some(clash) = clashes.iter().find(|clash| clash.base.start == at) {
            text.extend(b"<<<<<<<\n");
            text.extend(of_target.lines(clash.target.clone()));
            text.extend(b"|||||||\n");
            text.extend(old.lines(clash.base.clone()));
            text.extend(b"=======\n");
            text.extend(of_shadow.lines(clash.shadow.clone()));
            text.extend(b">>>>>>>\n");
            at = clash.base.end;
        } else if let Some(block) = block(target) {
            text.extend(of_target.lines(block.new));
            at = block.old.end;
        } else if let Some(block) = block(shadow) {
            text.extend(of_shadow.lines(block.new));
            at = block.old.end;
        }
        if at == before {
            text.extend(old.lines(at..(at + 1).min(old.line_count())));
            at += 1;
        }
    }
    Weave::parse(&text, 7)
}

pub fn conflict(path: &str, kind: ConflictKind, sides: [Option<&str>; 3]) -> ConflictFile {
    let [base, target, shadow] = sides;
    let diff =
        |to: Option<&str>| (to.is_some() || base.is_some()).then(|| text_file(path, base, to));
    let (target_diff, shadow_diff) = (diff(target), diff(shadow));
    let both = target_diff.as_ref().zip(shadow_diff.as_ref());
    let weave = both.filter(|_| kind == ConflictKind::Content).and_then(|(t, s)| weave(t, s));
    ConflictFile {
        conflict: Conflict {
            path: RepoPath::new(path),
            working_path: None,
            kind,
            base: base.map(entry),
            target: target.map(entry),
            shadow: shadow.map(entry),
            names: Vec::new(),
            versions: None,
            moved_from: None,
            resolution: None,
        },
        target_diff,
        shadow_diff,
        result: None,
        takes: vec![None; weave.iter().flat_map(Weave::places).count()],
        weave,
        told: Default::default(),
        is_reused: false,
    }
}

pub fn conflict_page() -> ConflictPage {
    let manifest = |version: &str| {
        format!("[package]\nname = \"api\"\nversion = \"{version}\"\nedition = \"2024\"\n")
    };
    let (base, target, shadow) = (manifest("0.1.0"), manifest("0.1.1"), manifest("0.2.0"));
    let mut files = vec![
        conflict("Cargo.toml", ConflictKind::Content, [Some(&base), Some(&target), Some(&shadow)]),
        conflict(
            "src/api.rs",
            ConflictKind::Content,
            [Some(sources::API_OLD), Some(sources::API_TARGET), Some(sources::API_NEW)],
        ),
        conflict(
            "src/old.rs",
            ConflictKind::ModifyDelete,
            [Some(sources::OLD_RS), None, Some(sources::OLD_RS_SHADOW)],
        ),
    ];
    files[2].told[0].by = Some(CommitLine {
        id: oid("drop"),
        parents: Vec::new(),
        author: "Ana".into(),
        subject: "drop the old client".into(),
        time_ms: NOW_MS - 2 * 24 * 60 * MINUTE_MS,
    });
    ConflictPage {
        id: ShadowId("agent-calm-pine".into()),
        target: BranchName("main".into()),
        before: oid("tip of main"),
        snapshot: oid("snapshot of agent-calm-pine"),
        base: oid("base"),
        step: None,
        files,
        read_at_ms: NOW_MS - MINUTE_MS,
    }
}

/// Why a rebase does not go on, as planning it says.
pub fn stopped(page: &ConflictPage) -> Report {
    let words = page.step.as_ref().map(RebaseStep::words).unwrap_or_default();
    let id = &page.id;
    let files: Vec<_> = page.files.iter().map(|file| file.conflict.path.to_lossy()).collect();
    Report::user(
        Code::Conflicts,
        format!("a rebase of {id} on main stops at {words}; it conflicts in {}", files.join(", ")),
    )
    .unchanged()
    .hint("settle them, or land it by squash or merge")
    .detail("step", page.step.as_ref().map(|step| step.number))
}

/// As the operation would: the choice is kept, and the result is there.
pub fn resolve(page: &mut ConflictPage, path: &RepoPath, resolution: Option<Resolution>) {
    let Some(file) = page.files.iter_mut().find(|file| file.conflict.path == *path) else { return };
    let new = |diff: &Option<FileDiff>| match diff.as_ref().map(|diff| &diff.content) {
        Some(Content::Text { new, .. }) => Some((**new).clone()),
        _ => None,
    };
    file.result = match &resolution {
        Some(Resolution::Target) => new(&file.target_diff),
        Some(Resolution::Shadow) => new(&file.shadow_diff),
        _ => None,
    };
    file.set_answer(resolution);
}

/// Shadows of one target, and which of them clash in which files; nothing is known of `lost`.
pub fn radar_of(names: &[&str], clashes: &[(&str, &str, &[&str])], lost: Option<&str>) -> Radar {
    let main = BranchName("main".into());
    let id = |name: &str| ShadowId(name.into());
    let meeting = |a: &str, b: &str| {
        if lost.is_some_and(|lost| lost == a || lost == b) {
            let lost = lost.unwrap_or_default();
            return Meeting::Unknown(format!("{lost}: /w/{lost} has no .git file"));
        }
        let is_it = |(one, other, _): &&(&str, &str, &[&str])| {
            (*one == a && *other == b) || (*one == b && *other == a)
        };
        let Some((.., files)) = clashes.iter().find(is_it) else { return Meeting::Clean };
        let file = |path: &&str| ClashFile {
            path: RepoPath::new(*path),
            kind: ConflictKind::Content,
            places: vec![ClashLines { a: 4..5, b: 4..6 }],
        };
        Meeting::Clash(files.iter().map(file).collect())
    };
    let mut pairs = Vec::new();
    for (at, name) in names.iter().enumerate() {
        let (a, b) = (id(name), Party::Target(main.clone()));
        pairs.push(RadarPair { a, b, meeting: meeting(name, "main"), through_target: vec![] });
        for other in &names[at + 1..] {
            let b = Party::Shadow(id(other));
            pairs.push(RadarPair {
                a: id(name),
                b,
                meeting: meeting(name, other),
                through_target: vec![],
            });
        }
    }
    let shadow =
        |name: &&str| RadarShadow { id: id(name), target: Some(main.clone()), is_done: false };
    Radar { shadows: names.iter().map(shadow).collect(), pairs, read_at_ms: NOW_MS - MINUTE_MS }
}

pub fn radar() -> Radar {
    let names = [
        "agent-swift-fox",
        "agent-brave-otter",
        "plan-01jx9",
        "agent-calm-pine",
        "agent-keen-heron",
        "agent-dry-elm",
        "agent-lost-reed",
    ];
    let clashes: &[(&str, &str, &[&str])] = &[
        ("agent-swift-fox", "agent-brave-otter", &["Cargo.toml", "src/api.rs"]),
        ("agent-swift-fox", "agent-keen-heron", &["src/api.rs"]),
        ("agent-calm-pine", "main", &["Cargo.toml", "src/api.rs", "src/old.rs"]),
        ("agent-calm-pine", "agent-swift-fox", &["src/api.rs"]),
        ("agent-calm-pine", "plan-01jx9", &["src/old.rs"]),
    ];
    radar_of(&names, clashes, Some("agent-lost-reed"))
}

/// The same shadows with nothing that clashes.
pub fn calm_radar() -> Radar {
    radar_of(&["agent-swift-fox", "agent-brave-otter", "plan-01jx9"], &[], None)
}

/// Forty, some of which clash.
pub fn wide_radar() -> Radar {
    let names: Vec<String> = (1..=40).map(|at| format!("agent-of-many-words-{at:02}")).collect();
    let names: Vec<&str> = names.iter().map(String::as_str).collect();
    let clashes: Vec<(&str, &str, &[&str])> = (0..40)
        .flat_map(|a| (a + 1..40).map(move |b| (a, b)))
        .filter(|(a, b)| (a * 7 + b * 3) % 11 == 0)
        .map(|(a, b)| (names[a], names[b], &["src/api.rs"][..]))
        .collect();
    radar_of(&names, &clashes, None)
}

/// Twenty with long names, some of which clash, one of them with the branch too.
pub fn long_radar() -> Radar {
    let names: Vec<String> =
        (1..=20).map(|at| format!("claude-retry-calls-that-fail-with-5xx-{at:02}")).collect();
    let names: Vec<&str> = names.iter().map(String::as_str).collect();
    let files = &["src/api.rs", "src/client/retry.rs", "Cargo.toml"];
    let clashes: Vec<(&str, &str, &[&str])> = (0..20)
        .flat_map(|a| (a + 1..20).map(move |b| (a, b)))
        .filter(|(a, b)| (a * 7 + b * 5) % 17 == 0)
        .map(|(a, b)| (names[a], names[b], &files[..=(a + b) % 3]))
        .chain([(names[4], "main", &files[1..])])
        .collect();
    radar_of(&names, &clashes, None)
}

/// The first two of [`radar`] that clash.
pub fn radar_page() -> RadarPage {
    let page = conflict_page();
    RadarPage {
        a: ShadowId("agent-swift-fox".into()),
        b: Party::Shadow(ShadowId("agent-brave-otter".into())),
        files: page.files,
    }
}

pub fn commits() -> Vec<CommitLine> {
    let commit = |subject: &str, below: &str, hours: u64| CommitLine {
        id: oid(subject),
        parents: vec![oid(below)],
        author: "claude".into(),
        subject: subject.into(),
        time_ms: NOW_MS - hours * 60 * MINUTE_MS,
    };
    let (retry, limit) = ("Retry calls that fail with 5xx", "Read the limit from the config");
    vec![commit(limit, retry, 2), commit(retry, "the base", 3)]
}

pub fn land_plan(page: &ReviewPage, options: &LandOptions) -> LandPlan {
    let files: Vec<FileChange> = page.files.iter().map(|file| file.change.clone()).collect();
    LandPlan {
        id: page.id.clone(),
        branch: Some(BranchName("wt/agent/swift-fox".into())),
        target: page.target.clone(),
        strategy: options.strategy.unwrap_or(Strategy::Merge),
        chosen_by: options.strategy.is_none().then(|| "the default for wt/*".to_owned()),
        message: options.message.clone().unwrap_or_else(|| {
            "Retry calls that fail with 5xx\n\nThree attempts with back-off; the limit is in\nthe config.\n"
                .into()
        }),
        tip: page.tip.clone(),
        snapshot: page.snapshot.clone(),
        before: oid("tip of main"),
        after: oid("what lands"),
        safety_net: Some(oid("uncommitted work")),
        own_commit: None,
        carried: None,
        stats: DiffStats::of(&files),
        files,
        commits: 2,
        keep: options.keep,
        part: None,
        target_worktree: Some("/srv/api".into()),
        edits_kept: 2,
        resolved: Vec::new(),
        runs: vec!["pre-merge-commit".into()],
        verify: shadowdeck::review::Verify::Ask,
        trust: shadowdeck::review::Trust::AsRecorded,
        needs_trust: Vec::new(),
        at_work: Vec::new(),
        warnings: Vec::new(),
        remarks: Vec::new(),
    }
}

pub fn discard_plan(ids: &[ShadowId]) -> DiscardPlan {
    let entries = rows().into_iter().filter(|row| ids.contains(&row.id)).map(|row| {
        let holds = match row.id.0.as_str() {
            "plan-01jw2" => Holds { elsewhere: Some("landed".into()), ..Holds::default() },
            "agent-wide-oak" => Holds { elsewhere: Some("empty".into()), ..Holds::default() },
            "old-idea" => Holds {
                commits: 1,
                untracked_files: 1,
                ignored: [".env", "dev.sqlite"].map(RepoPath::new).to_vec(),
                ..Holds::default()
            },
            "agent-slow-wren" => Holds { commits: 4, edited_files: 2, ..Holds::default() },
            _ => Holds { commits: 2, ..Holds::default() },
        };
        DiscardEntry {
            id: row.id,
            branch: row.branch,
            path: row.path,
            holds,
            refused: None,
            processes: row.processes,
            last_activity_ms: row.last_activity_ms,
        }
    });
    DiscardPlan { entries: entries.collect() }
}

pub fn log() -> Vec<LogEntry> {
    let entry = |number: u64, verb: &str, ids: &[&str], minutes: u64, status: &str| LogEntry {
        operation: OperationId::parse(&format!("01KKQ0000000000000000000{number:02}"))
            .expect("an operation id"),
        verb: verb.into(),
        shadows: ids.iter().map(|id| ShadowId((*id).into())).collect(),
        target: (verb == "land").then(|| BranchName("main".into())),
        before: (verb == "land").then(|| oid(ids[0])),
        after: (verb == "land").then(|| oid(&format!("after {}", ids[0]))),
        time_ms: NOW_MS - minutes * MINUTE_MS,
        status: status.into(),
        undoable: status == "done",
        undoable_why: (status != "done").then(|| format!("it is {status}")),
        chosen: None,
    };
    vec![
        entry(4, "land", &["agent-neat-crow"], 6, "done"),
        entry(3, "discard", &["plan-01jb1", "plan-01jb2", "agent-old-yew"], 41, "done"),
        entry(2, "land", &["plan-01jw2"], 95, "undone"),
        entry(1, "create", &["agent-swift-fox"], 130, "done"),
    ]
}

/// Branches and tags to compare with.
pub fn names() -> Vec<Comparable> {
    let name = |against, subject: &str| Comparable {
        against,
        tip: oid(subject),
        subject: subject.to_owned(),
    };
    vec![
        name(Against::Branch(BranchName("main".to_owned())), "Read the limit from the config"),
        name(Against::Branch(BranchName("release/2.4".to_owned())), "Release 2.4"),
        name(Against::Tag("v2.4.0".to_owned()), "Release 2.4"),
        name(Against::Revision("origin/main".to_owned()), "Read the limit from the config"),
    ]
}

const THEIR_RETRY: &str = "use std::thread;\n\npub fn retry<T>(call: impl Fn() -> Option<T>) -> Option<T> {\n    loop {\n        if let Some(value) = call() {\n            return Some(value);\n        }\n        thread::yield_now();\n    }\n}\n";
const OUR_RETRY: &str = "use std::time::Duration;\n\npub fn retry<T>(times: u32, call: impl Fn() -> Option<T>) -> Option<T> {\n    for _ in 0..times {\n        if let Some(value) = call() {\n            return Some(value);\n        }\n        std::thread::sleep(Duration::from_millis(50));\n    }\n    None\n}\n";

/// Two answers to one task; `gone` names no commit, and `same` is just this.
pub fn comparison(
    page: ReviewPage,
    snapshot: Oid,
    against: &Against,
) -> Result<ReviewPage, Report> {
    let files = match against {
        Against::Revision(text) if text == "gone" => {
            return Err(Report::user(Code::NotFound, "`gone` names no commit")
                .unchanged()
                .hint("choose a shadow, a branch or a tag, or write a commit as git takes it"));
        }
        Against::Revision(text) if text == "same" => Vec::new(),
        _ => vec![
            text_file("src/retry.rs", Some(THEIR_RETRY), Some(OUR_RETRY)),
            text_file("src/wait.rs", Some("pub const WAIT_MS: u64 = 50;\n"), None),
        ],
    };
    let base = oid(&against.words());
    Ok(ReviewPage { base, snapshot, files, ..page })
}
