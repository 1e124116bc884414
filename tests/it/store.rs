//! What is stored reads back as it was written, whatever it holds, and a damaged file is an error by name.

use std::{ffi::OsStr, os::unix::ffi::OsStrExt, path::PathBuf, time::Duration};

use proptest::{collection::vec, option, prelude::*};
use shadowdeck::{
    review::{ChangedPath, Conflict, ConflictKind, Entry, Mode, Resolution},
    shadow::{
        BranchName, Oid, OperationId, RepoPath, ShadowId, ShadowRecord, State, Strategy as Way,
        record::StoredError,
    },
    store::{
        Advance, Decision, Fate, JournalEntry, Phase, ProcessMark, ShadowEntry, Store, Verb,
        journal::FORMAT, resolutions::Resolved,
    },
};

fn oid() -> impl Strategy<Value = Oid> {
    prop_oneof!["[0-9a-f]{40}", "[0-9a-f]{64}"].prop_map(|hex| Oid::parse(&hex).unwrap())
}

fn bytes() -> impl Strategy<Value = Vec<u8>> {
    prop_oneof![3 => "[ -~ü\n]{1,12}".prop_map(String::into_bytes), 1 => vec(1u8.., 1..8)]
}

fn path() -> impl Strategy<Value = PathBuf> {
    bytes().prop_map(|bytes| PathBuf::from("/").join(OsStr::from_bytes(&bytes)))
}

fn branch() -> impl Strategy<Value = BranchName> {
    "[a-z\"/]{1,12}".prop_map(BranchName)
}

fn entry() -> impl Strategy<Value = Entry> {
    let mode = prop_oneof![
        Just(Mode::File),
        Just(Mode::Executable),
        Just(Mode::Symlink),
        Just(Mode::Submodule)
    ];
    (mode, oid()).prop_map(|(mode, oid)| Entry { mode, oid })
}

fn changed() -> impl Strategy<Value = ChangedPath> {
    (bytes(), option::of(entry()), option::of(entry())).prop_map(|(path, old, new)| ChangedPath {
        path: RepoPath::new(path),
        old,
        new,
    })
}

fn advance() -> impl Strategy<Value = Advance> {
    (branch(), oid(), oid(), option::of(path()), option::of(path()), vec(changed(), 0..4)).prop_map(
        |(target, before, after, worktree, git_dir, paths)| Advance {
            target,
            before,
            after,
            worktree,
            git_dir,
            paths,
            modes: Vec::new(),
        },
    )
}

fn fate() -> impl Strategy<Value = Fate> {
    prop_oneof![
        Just(Fate::Trashed),
        Just(Fate::Restored),
        Just(Fate::Made),
        Just(Fate::Untouched),
        (oid(), oid()).prop_map(|(new_tip, whole)| Fate::Kept { new_tip, whole }),
        (oid(), oid()).prop_map(|(new_tip, whole)| Fate::PutBack { new_tip, whole }),
    ]
}

fn record() -> impl Strategy<Value = ShadowRecord> {
    (any::<u128>(), ".{1,8}", path(), option::of(path()), option::of(branch()), any::<u64>())
        .prop_map(|(number, text, path, original_path, branch, created_at_ms)| ShadowRecord {
            ulid: ulid::Ulid::from(number),
            id: ShadowId(text.clone()),
            path,
            original_path,
            original_branch: branch.clone(),
            branch,
            base_commit: None,
            target: None,
            convention: text.clone(),
            agent: Some(text.clone()),
            plan: None,
            strategy: Some(Way::Rebase),
            created_at_ms,
            state: State::Errored,
            requested: None,
            last_error: Some(StoredError {
                code: "io".to_owned(),
                message: text,
                details: serde_json::Map::new(),
                time_ms: created_at_ms,
            }),
        })
}

fn shadow() -> impl Strategy<Value = ShadowEntry> {
    let names = (".{1,8}", path(), path(), path());
    let rest = (option::of(branch()), oid(), option::of(oid()), fate(), option::of(record()));
    (names, rest).prop_map(|((id, path, git_dir, trash), (branch, tip, snapshot, fate, record))| {
        ShadowEntry {
            id: ShadowId(id),
            path,
            git_dir,
            branch,
            tip,
            snapshot,
            fate,
            trash,
            record_after: record.clone(),
            cleared: Vec::new(),
            modes: Vec::new(),
            record,
        }
    })
}

fn journal_entry() -> impl Strategy<Value = JournalEntry> {
    let phase = prop_oneof![
        Just(Phase::Intent),
        Just(Phase::Prepared),
        Just(Phase::Done),
        Just(Phase::Undone),
        Just(Phase::TakenBack)
    ];
    let verb = prop_oneof![
        Just(Verb::Create),
        Just(Verb::Land),
        Just(Verb::Discard),
        Just(Verb::Undo),
        Just(Verb::Gc)
    ];
    let ids = (any::<u128>(), option::of(any::<u128>()), any::<u32>(), any::<u64>());
    let rest = (
        phase,
        verb,
        option::of(advance()),
        vec(shadow(), 0..3),
        vec(".{0,12}", 0..3),
        option::of(any::<u64>()),
    );
    (ids, rest).prop_map(
        |((operation, other, pid, time), (phase, verb, advance, shadows, words, later))| {
            let other = other.map(|number| OperationId(number.into()));
            JournalEntry {
                format: FORMAT,
                operation: OperationId(operation.into()),
                verb,
                phase,
                process: ProcessMark { pid, started: time },
                started_ms: time,
                prepared_ms: later,
                closed_ms: later,
                undoes: other,
                undone_by: other,
                emptied_by: other,
                empties: other.into_iter().collect(),
                strategy: later.map(|_| Way::Merge),
                message: words.first().cloned(),
                advance,
                shadows,
                decision: None,
                rehearsal: words.last().map(PathBuf::from),
                pins: words.clone(),
                warnings: words,
            }
        },
    )
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn a_journal_entry_reads_back_as_it_was_written(entry in journal_entry()) {
        let json = entry.to_json().unwrap();
        prop_assert_eq!(JournalEntry::from_json(&json), Ok(entry));
    }

    #[test]
    fn a_record_reads_back_under_any_id(record in record()) {
        let dir = tempfile::tempdir().unwrap();
        let records = Store::new(dir.path().join("store")).records();
        records.write(&record).unwrap();
        prop_assert_eq!(records.read(&record.id).unwrap(), Some(record));
    }
}

#[test]
fn a_journal_keeps_its_order_and_closed_holds_over_open() {
    let dir = tempfile::tempdir().unwrap();
    let journal = Store::new(dir.path().join("store")).journal();
    let mut operations = Vec::new();
    for _ in 0..3 {
        let mut entry = JournalEntry::begin(journal.next_operation().unwrap(), Verb::Land);
        journal.write(&entry).unwrap();
        operations.push(entry.operation);
        assert_eq!(journal.read_open().unwrap(), [entry.clone()]);
        let open = entry.to_json().unwrap();
        journal.close(&mut entry, Phase::Done).unwrap();
        // A kill came between the closed entry and the removal of the open one.
        let name = format!("store/journal/open/{}.json", entry.operation);
        std::fs::write(dir.path().join(name), open).unwrap();
        assert_eq!(journal.read_open().unwrap(), []);
        assert_eq!(journal.read(entry.operation).unwrap(), Some(entry));
    }
    assert!(operations.is_sorted());
    let read: Vec<OperationId> =
        journal.read_all().unwrap().into_iter().map(|(operation, _)| operation).collect();
    assert_eq!(read, operations);
}

#[test]
fn a_format_of_the_future_is_refused_not_guessed() {
    let entry = JournalEntry::begin(OperationId(ulid::Ulid::generate()), Verb::Land);
    let mut json: serde_json::Value = serde_json::from_slice(&entry.to_json().unwrap()).unwrap();
    json["format"] = 2.into();
    let why = JournalEntry::from_json(json.to_string().as_bytes()).unwrap_err();
    assert!(why.contains("format 2"), "{why}");
}

#[test]
fn the_lock_is_one_a_repository_and_names_its_holder() {
    let dir = tempfile::tempdir().unwrap();
    let store = Store::new(dir.path().join("store"));
    let lock = store.lock("land one", Duration::ZERO).unwrap();
    let refused = store.lock("land two", Duration::ZERO).unwrap_err();
    assert!(refused.headline.contains("land one"), "{}", refused.headline);
    let share = lock.share().unwrap();
    drop(lock);
    assert!(store.lock("land two", Duration::ZERO).is_err(), "a share holds it");
    drop(share);
    store.lock("land two", Duration::from_secs(10)).unwrap();
}

#[test]
fn a_resolution_is_for_one_question() {
    let dir = tempfile::tempdir().unwrap();
    let resolutions = Store::new(dir.path().join("store")).resolutions();
    let side =
        |digit: &str| Some(Entry { mode: Mode::File, oid: Oid::parse(&digit.repeat(40)).unwrap() });
    let conflict = Conflict {
        path: RepoPath::new("a.txt"),
        working_path: None,
        kind: ConflictKind::Content,
        base: side("1"),
        target: side("2"),
        shadow: side("3"),
        names: Vec::new(),
        versions: None,
        moved_from: None,
        resolution: None,
    };
    let moved = Conflict { target: side("4"), ..conflict.clone() };
    let id = ShadowId("one".to_owned());
    let after = Some(Resolved::new(&conflict, Resolution::Union));
    let decision = Decision { shadow: id.clone(), before: None, after };
    resolutions.write(&decision).unwrap();
    let kept = resolutions.read(&id).unwrap();
    assert_eq!(kept[0].resolution, Resolution::Union);
    assert_eq!([conflict, moved].map(|conflict| kept[0].answers(&conflict)), [true, false]);
    resolutions.write(&decision.reversed()).unwrap();
    assert_eq!(resolutions.read(&id).unwrap(), []);
}
