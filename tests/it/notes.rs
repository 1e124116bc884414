//! Comments as agents meet them: read, added, answered and settled on the command line, held at their lines through
//! edits, kept apart for each shadow, lost by nobody.

use std::{fs, path::Path, thread};

use serde_json::Value;

use shadowdeck::{
    app::{
        Effect, Msg, Sheet,
        job::{Job, Outcome, Slot},
        review_comments::here,
    },
    report::{Code, Report},
    review::{
        comment::{Author, Change, Notes, Side, Status, Thread, apply},
        passage::Line,
    },
    ui::theme::Theme,
};

use crate::{
    desk::{Desk, page, rows, text},
    matrix,
    scenes::{NOW_MS, World},
    support::{Fixture, Run, fingerprint, write},
};

const CODE: &str = "fn call() {\n    let wait = Duration::from_millis(50);\n    retry(wait);\n}\n";

/// A shadow with a new file.
fn shadow() -> (Fixture, std::path::PathBuf) {
    let fixture = Fixture::new();
    let dir = fixture.shadow("fox");
    write(&dir, "src/retry.rs", CODE);
    (fixture, dir)
}

fn notes(fixture: &Fixture) -> Value {
    let run = fixture.program(["notes", "fox", "--json"]);
    assert_eq!(run.exit_code, 0, "{}", run.stderr);
    run.json()
}

#[track_caller]
fn add(fixture: &Fixture, target: &str, text: &str) -> Run {
    let run = fixture.program(["notes", "fox", "--json", "--add", target, text]);
    assert_eq!(run.exit_code, 0, "{}", run.stderr);
    run
}

#[test]
fn a_note_is_added_read_answered_and_resolved_and_no_worktree_is_touched() {
    let (fixture, dir) = shadow();
    let readme = fixture.repository.join("README.md");
    let state = || (fingerprint(&dir), fs::read(&readme).unwrap(), fixture.refs());
    let before = state();
    let run = add(&fixture, "src/retry.rs:2", "50 ms is too short\n\nfor *staging*");
    assert_eq!(run.json()["notes"][0]["number"], 1);
    add(&fixture, "./src/retry.rs", "the whole file");
    add(&fixture, "README.md:3-4", "a file that did not change");
    let all = notes(&fixture);
    let note = &all["notes"][0];
    assert_eq!(note["path"], "src/retry.rs");
    assert_eq!(
        (&note["line"], &note["end_line"], &note["side"]),
        (&2.into(), &2.into(), &"new".into())
    );
    assert_eq!(note["lines"][0]["text"], "    let wait = Duration::from_millis(50);");
    assert_eq!(note["before"][0]["text"], "fn call() {");
    assert_eq!((&note["status"], &note["outdated"]), (&"open".into(), &false.into()));
    assert_eq!(
        (&note["author"], &note["text"]),
        (&"agent".into(), &"50 ms is too short\n\nfor *staging*".into())
    );
    assert!(note["time"].as_u64().unwrap() > 1_600_000_000_000);
    assert_eq!(all["notes"][1]["line"], Value::Null);
    assert_eq!((&all["notes"][2]["line"], &all["notes"][2]["end_line"]), (&3.into(), &4.into()));

    let run = fixture.program(["notes", "fox", "--reply", "1", "it is 500 now"]);
    assert!(run.exit_code == 0 && run.text().contains("> it is 500 now"), "{}", run.text());
    let run = fixture.program(["notes", "fox", "--resolve", "1"]);
    assert!(run.text().contains("src/retry.rs:2 (agent says done)"), "{}", run.text());
    let note = &notes(&fixture)["notes"][0];
    assert_eq!(
        (&note["status"], note["thread"].as_array().unwrap().len()),
        (&"resolved".into(), 2)
    );
    let text = fixture.program(["notes", "fox"]).text();
    assert!(text.starts_with("# 3 comments on fox, 3 open\n"), "{text}");
    assert_eq!(before, state());
}

#[test]
fn what_cannot_be_is_refused_with_its_code_and_nothing_is_kept() {
    let (fixture, _) = shadow();
    let refused = [
        (vec!["--add", "src/gone.rs:1", "x"], "invalid_path"),
        (vec!["--add", "../README.md:1", "x"], "invalid_path"),
        (vec!["--add", "/etc/passwd", "x"], "invalid_path"),
        (vec!["--add", "src/retry.rs:5", "x"], "invalid_value"),
        (vec!["--add", "src/retry.rs:0", "x"], "invalid_value"),
        (vec!["--add", "src/retry.rs:3-2", "x"], "invalid_value"),
        (vec!["--add", "src/retry.rs:1", " \n"], "invalid_value"),
        (vec!["--reply", "7", "x"], "not_found"),
        (vec!["--reply", "x", "x"], "invalid_value"),
        (vec!["--resolve", "1"], "not_found"),
        (vec!["--resolve", "one"], "invalid_value"),
    ];
    for (args, code) in refused {
        let run = fixture.program([&["notes", "fox", "--json"], &args[..]].concat());
        assert_eq!((run.exit_code, run.error_code().as_str()), (4, code), "{args:?}");
    }
    let run = fixture.program(["notes", "nobody", "--json"]);
    assert_eq!(run.error_code(), "not_found");
    assert_eq!(notes(&fixture)["notes"], Value::Array(Vec::new()));
    assert_eq!(fixture.program(["notes", "fox"]).text(), "no comments on fox\n");
}

#[test]
fn a_file_that_is_named_like_a_line_is_that_file_and_no_name_is_said_so() {
    let (fixture, shadow) = shadow();
    for name in ["col:3", "a:5-2"] {
        write(&shadow, name, "one\n");
        add(&fixture, name, "of the file");
    }
    let found = notes(&fixture)["notes"].clone();
    assert_eq!((&found[0]["path"], &found[0]["line"]), (&Value::from("col:3"), &Value::Null));
    assert_eq!(found[1]["path"], "a:5-2");
    add(&fixture, "col:3:1", "of its line");
    assert_eq!(notes(&fixture)["notes"][2]["line"], 1);
    let run = fixture.program(["notes", "fox", "--add", "", "x", "--json"]);
    assert!(run.text().contains("\"the path is empty\""), "{}", run.text());
}

#[test]
fn a_note_holds_at_its_line_through_edits_moves_and_renames_or_is_outdated() {
    let (fixture, dir) = shadow();
    add(&fixture, "src/retry.rs:2", "too short");
    let place = || {
        let all = notes(&fixture);
        let note = all["notes"][0].clone();
        (note["path"].clone(), note["line"].clone(), note["outdated"].clone())
    };
    write(&dir, "src/retry.rs", format!("// a head\n\n{CODE}"));
    assert_eq!(place(), ("src/retry.rs".into(), 4.into(), false.into()));
    fs::rename(dir.join("src/retry.rs"), dir.join("again.rs")).unwrap();
    assert_eq!(place(), ("again.rs".into(), 4.into(), false.into()), "a new file, renamed");
    write(&dir, "again.rs", CODE.replace("50", "500"));
    assert_eq!(place(), ("src/retry.rs".into(), 2.into(), true.into()));
    let text = fixture.program(["notes", "fox"]).text();
    assert!(text.contains("(outdated, open)") && text.contains("from_millis(50)"), "{text}");

    // A file of the base that the shadow renames, and one of which it deletes a line.
    add(&fixture, "README.md:5", "why five?");
    fixture.git_in(&dir, ["mv", "README.md", "LIESMICH.md"]);
    let all = notes(&fixture);
    assert_eq!(
        (&all["notes"][1]["path"], &all["notes"][1]["line"]),
        (&"LIESMICH.md".into(), &5.into())
    );
    write(&dir, "LIESMICH.md", "1\n2\n3\n4\n6\n7\n8\n9\n10\n");
    assert_eq!(notes(&fixture)["notes"][1]["outdated"], true);
    fs::remove_file(dir.join("again.rs")).unwrap();
    assert_eq!(notes(&fixture)["notes"].as_array().unwrap().len(), 2, "none is lost");
}

#[test]
fn a_discard_and_its_undo_keep_the_notes_and_a_new_shadow_of_the_name_has_none() {
    let (fixture, _) = shadow();
    add(&fixture, "src/retry.rs:2", "too short");
    let discarded = fixture.program(["discard", "fox", "--yes", "--json"]);
    let operation = discarded.json()["operation"].as_str().unwrap().to_owned();

    let again = fixture.program(["create", "--id", "fox", "--json"]);
    assert_eq!(again.exit_code, 0, "{}", again.stderr);
    assert_eq!(notes(&fixture)["notes"], Value::Array(Vec::new()), "it is another shadow");
    assert_eq!(fixture.program(["discard", "fox", "--yes"]).exit_code, 0);
    let undone = fixture.program(["undo", operation.as_str(), "--yes"]);
    assert_eq!(undone.exit_code, 0, "{}", undone.stderr);
    assert_eq!(notes(&fixture)["notes"][0]["text"], "too short");

    // Where another tool removed and made it anew.
    let dir = fixture.root().join("shadows/fox");
    fixture.git(["worktree", "remove", "--force", dir.to_str().unwrap()]);
    fixture.git(["branch", "-D", "aide-shadow/fox"]);
    fixture.shadow("fox");
    assert_eq!(notes(&fixture)["notes"], Value::Array(Vec::new()));
}

#[test]
fn processes_that_write_at_once_lose_nothing_of_each_other() {
    const WRITERS: usize = 4;
    const EACH: usize = 5;
    let (fixture, _) = shadow();
    thread::scope(|scope| {
        for writer in 0..WRITERS {
            let fixture = &fixture;
            scope.spawn(move || {
                for turn in 0..EACH {
                    add(fixture, "src/retry.rs:2", &format!("{writer}/{turn}"));
                }
            });
        }
    });
    let all = notes(&fixture);
    let all = all["notes"].as_array().unwrap();
    let mut numbers: Vec<u64> = all.iter().map(|note| note["number"].as_u64().unwrap()).collect();
    numbers.dedup();
    assert_eq!(numbers.len(), WRITERS * EACH);
    for (writer, turn) in (0..WRITERS).flat_map(|w| (0..EACH).map(move |t| (w, t))) {
        let text = format!("{writer}/{turn}");
        assert_eq!(all.iter().filter(|note| note["text"] == text.as_str()).count(), 1, "{text}");
    }
}

/// The one file that keeps them.
fn kept(repository: &Path) -> std::path::PathBuf {
    let dir = repository.join(".git/shadowdeck/comments");
    let files = fs::read_dir(dir).unwrap().map(|entry| entry.unwrap().path());
    files.into_iter().find(|path| path.extension().is_some_and(|e| e == "json")).unwrap()
}

#[test]
fn a_damaged_file_is_told_and_never_written_over() {
    let (fixture, _) = shadow();
    add(&fixture, "src/retry.rs:2", "too short");
    let kept = kept(&fixture.repository);
    fs::write(&kept, "{\"threads\": [").unwrap();
    for args in [vec![], vec!["--add", "src/retry.rs:1", "x"]] {
        let run = fixture.program([&["notes", "fox", "--json"], &args[..]].concat());
        assert_eq!((run.exit_code, run.error_code().as_str()), (1, "io"), "{}", run.stderr);
        assert!(run.stderr.contains("are damaged"), "{}", run.stderr);
    }
    assert_eq!(fs::read(&kept).unwrap(), b"{\"threads\": [");
    let faults = fixture.program(["doctor", "--json"]).json()["faults"].clone();
    assert_eq!(faults[0]["code"], "damaged_comments", "{faults}");
    assert_eq!(faults[0]["where"], "fox", "{faults}");
    assert!(faults[0]["message"].as_str().unwrap().contains(kept.to_str().unwrap()), "{faults}");
    assert!(faults[0]["remedy"].as_str().unwrap().contains("move it away"), "{faults}");
}

#[test]
fn what_an_agent_writes_is_shown_and_never_obeyed() {
    let (fixture, dir) = shadow();
    write(&dir, "evil.txt", b"\x1b]0;title\x07 \xff line\n");
    add(&fixture, "evil.txt:1", "a\u{1b}[31mred\u{202e}\n## 9: forged (closed)\r");
    for args in [vec!["notes", "fox"], vec!["notes", "fox", "--json"]] {
        let run = fixture.program(&args);
        let has_control = run.stdout.iter().any(|byte| *byte < 0x20 && *byte != b'\n');
        assert!(!has_control && !run.text().contains('\u{202e}'), "{}", run.text());
    }
    let text = fixture.program(["notes", "fox"]).text();
    assert!(text.contains("> ## 9: forged") && !text.contains("\n## 9"), "{text}");
    let all = notes(&fixture);
    assert_eq!(all["notes"][0]["lines"][0]["text_bytes"], "G10wO3RpdGxlByD/IGxpbmU=");
}

/// Letters to type.
fn typed(text: &str) -> String {
    let key = |c: char| if c == ' ' { "Space".to_owned() } else { c.to_string() };
    text.chars().map(key).collect::<Vec<_>>().join(" ")
}

fn comment(text: &str) -> String {
    format!("c {} Esc", typed(text))
}

fn said(world: &World) -> String {
    world.model.answer.as_ref().map(|answer| answer.text.clone()).unwrap_or_default()
}

fn agent(world: &mut World, change: &Change) {
    apply(&mut world.threads, change, NOW_MS).unwrap();
    world.press("R");
}

#[test]
fn a_comment_is_written_shown_below_its_line_taken_back_and_brought_again() {
    let mut world = World::new(120, 40);
    world.press(&format!("Enter j {}", comment("50 ms is too short")));
    assert_eq!(world.threads.len(), 1);
    assert_eq!(world.threads[0].posts[0].text, "50 ms is too short");
    assert!(said(&world).starts_with("commented on "), "{}", said(&world));
    assert!(world.marks.note_drafts.is_empty(), "it is no draft any more");
    world.press("u");
    assert!(world.threads[0].posts[0].is_taken_back && !world.threads[0].is_shown());
    world.press("ctrl-r");
    assert!(world.threads[0].is_shown());
    world.press("< >");
    assert_eq!(said(&world), "comment 1, open · i shows all of it, c answers");
}

#[test]
fn a_comment_whose_text_is_emptied_stays_and_that_is_said() {
    let mut world = World::new(120, 40);
    world.press(&format!("Enter j {}", comment("why")));
    world.press("e Backspace Backspace Backspace ctrl-s");
    assert!(world.threads[0].is_shown() && world.threads[0].posts[0].text == "why");
    assert_eq!(said(&world), "the comment stays as it was · Delete on it takes it back");
    assert!(world.marks.note_drafts.is_empty());
}

#[test]
fn a_thread_goes_on_is_agreed_to_and_opened_again() {
    let mut world = World::new(120, 40);
    world.press(&format!("Enter {}", comment("why")));
    let number = world.threads[0].number;
    agent(&mut world, &Change::Reply { number, author: Author::Agent, text: "done".to_owned() });
    agent(&mut world, &Change::Put { number, status: Status::Resolved });
    world.press("g g > > Enter");
    assert_eq!(world.threads[0].status, Status::Closed, "{}", said(&world));
    world.press("u");
    assert_eq!(world.threads[0].status, Status::Resolved);
    world.press(&format!("g g > > {}", comment("not yet")));
    assert_eq!((world.threads[0].posts.len(), world.threads[0].status), (3, Status::Open));
    world.press("g g > > e Space a t Space a l l ctrl-s");
    assert_eq!(world.threads[0].posts[2].text, "not yet at all");
    world.press("Y");
    let copied = world.effects.iter().rev().find_map(|effect| match effect {
        Effect::Copy(text) => Some(text.clone()),
        _ => None,
    });
    let copied = copied.unwrap();
    assert!(copied.contains("> not yet at all") && copied.contains("agent:"), "{copied}");
    world.press("i");
    assert!(matches!(world.model.sheets.last(), Some(Sheet::Why(_))));
}

#[test]
fn what_the_agent_has_answered_is_not_taken_back_and_a_new_snapshot_keeps_the_cursor_on_it() {
    let mut world = World::new(120, 40);
    world.press(&format!("Enter j j {}", comment("why")));
    let number = world.threads[0].number;
    let on_it = |world: &World| here(world.model.review.as_ref().unwrap()).map(|t| t.number);
    assert_eq!(on_it(&world), Some(number));
    agent(&mut world, &Change::Reply { number, author: Author::Agent, text: "so".to_owned() });
    assert_eq!(on_it(&world), Some(number), "after R");
    world.press("u");
    assert!(said(&world).contains("is answered by now"), "{}", said(&world));
    assert_eq!(world.threads[0].shown().count(), 2);
    // An answer to that is one's own last word.
    world.press(&comment("and now"));
    world.press("u");
    assert_eq!(world.threads[0].shown().count(), 2, "{}", said(&world));
}

#[test]
fn what_could_not_be_kept_can_still_be_taken_back_and_what_never_can_be_blocks_nothing() {
    let mut desk = Desk::with(rows(), (120, 40));
    desk.press("Enter").answer(Slot::Review, Ok(Outcome::Review(page("swift-fox"))));
    let mut threads = Vec::new();
    let mut answer = |desk: &mut Desk| {
        let open = desk.open.iter().find_map(|(_, _, job)| match job {
            Job::Notes { id, changes } => Some((id.clone(), changes.clone())),
            _ => None,
        });
        let (id, changes) = open.expect("comments are asked for");
        let answers = changes.iter().map(|c| apply(&mut threads, c, NOW_MS)).collect();
        let notes = Notes { id, threads: threads.clone(), answers };
        desk.answer(Slot::Notes, Ok(Outcome::Notes(notes)));
        threads.first().is_some_and(Thread::is_shown)
    };
    answer(&mut desk);
    desk.press(&format!("r {}", comment("why")));
    assert!(answer(&mut desk));
    // The disk is full: nothing is taken back, and `u` tries it again.
    let full = || Err(Report::user(Code::Io, "no room"));
    desk.press("u").answer(Slot::Notes, full());
    assert_eq!(desk.answer_text(), "no room");
    desk.press("ctrl-r");
    assert!(desk.answer_text().contains("nothing was taken back"), "{}", desk.answer_text());
    desk.press("u u").answer(Slot::Notes, full());
    desk.press("u");
    assert!(!answer(&mut desk), "{}", desk.answer_text());
    desk.press("ctrl-r").answer(Slot::Notes, full());
    desk.press("ctrl-r");
    assert!(answer(&mut desk));
    // Deleting it fails: `u` does not bring back what is there.
    desk.press("g g > Delete").answer(Slot::Notes, full());
    desk.press("u");
    assert!(!answer(&mut desk));
    desk.press("ctrl-r");
    assert!(answer(&mut desk));
}

#[test]
fn tab_in_an_answer_says_that_there_is_nothing_else() {
    let mut world = World::new(120, 40);
    world.press(&format!("Enter {} c Tab", comment("why")));
    assert_eq!(said(&world), "Tab: this is on comment 1 and nothing else");
    let drawn = text(&world.draw(&Theme::default()));
    assert!(!drawn.contains("what it is on"), "{drawn}");
    world.press("Esc c Tab");
    assert!(said(&world).starts_with("Tab: "), "a draft goes on");
}

#[test]
fn tab_widens_what_a_comment_is_on_and_the_file_list_means_the_file() {
    let mut world = World::new(120, 40);
    world.press(&format!("Enter ] c Tab Tab {} ctrl-s", typed("x")));
    let spots: Vec<bool> = world.threads.iter().map(|t| t.spot.passage.is_some()).collect();
    assert_eq!(spots.len(), 1);
    world.press(&format!("Tab {}", comment("of the file")));
    assert!(world.threads[1].spot.passage.is_none());
    world.press("Tab c Esc");
    assert_eq!(world.threads.len(), 2, "an empty one is none");
}

/// A line that only the target has is on no side of the change that Review shows.
#[test]
fn a_comment_on_the_targets_side_is_on_the_bases_line_or_says_that_it_is_on_the_file() {
    let mut world = World::new(120, 40);
    world.conflicts = crate::states::two_places();
    world.press("/ c a l m Enter x Tab");
    let on = |world: &mut World| {
        let screen = world.model.conflicts.as_ref().expect("it is open");
        let row = screen.cursors[0];
        let text = screen.row_text(0, row).expect("a line").to_vec();
        world.press("c");
        let told = said(world);
        world.press(&format!("{} Esc", typed("why")));
        let spot = world.threads.last().expect("a comment").spot.clone();
        world.press("k");
        let lines = spot.passage.map(|passage| (spot.side, passage.lines[0].as_bytes().to_vec()));
        (text, lines, told)
    };
    let rows: Vec<_> = (0..2).map(|_| on(&mut world)).collect();
    let [(added, none, told), (gone, of_base, _)] = &rows[..] else { unreachable!("two") };
    assert_eq!((&gone[..], &added[..]), (&b"    one();"[..], &b"    main_one();"[..]));
    assert_eq!(*of_base, Some((Side::Old, b"    one();".to_vec())));
    assert_eq!(*none, None);
    assert!(told.ends_with("the comment is on the file"), "{told}");
}

#[test]
fn a_comment_among_conflicts_is_on_the_shadows_line() {
    let mut world = World::new(120, 40);
    world.press("/ c a l m Enter x Tab Tab");
    world.press(&comment("keep this"));
    assert_eq!(world.threads.len(), 1, "{}", said(&world));
    assert!(world.threads[0].spot.passage.is_some());
    assert!(said(&world).ends_with("Review shows it · u takes it back"), "{}", said(&world));
    world.press(&format!("S-Tab S-Tab {}", comment("of the file")));
    assert!(world.threads[1].spot.passage.is_none());
}

#[test]
fn a_comment_is_edited_in_the_editor_and_an_edit_that_was_cut_off_goes_on() {
    let mut world = World::new(120, 40);
    world.press(&format!("Enter j j {} E", comment("why")));
    assert_eq!(world.effects.last(), Some(&Effect::EditMessage { text: "why".to_owned() }));
    let outcome = Ok("# why\n\nsay\n".to_owned());
    drop(shadowdeck::app::update(&mut world.model, Msg::MessageEdited { outcome }));
    world.press("Esc");
    assert_eq!(world.threads[0].posts[0].text, "# why\n\nsay");
    world.press("u");
    assert_eq!(world.threads[0].posts[0].text, "why");
    world.press(&format!("e {}", typed(" not")));
    drop(shadowdeck::app::update(&mut world.model, Msg::Ticked { now_ms: NOW_MS + 1000 }));
    // As it is after the program was ended: only the draft is left.
    world.model.sheets.clear();
    world.press("e Esc");
    assert_eq!(world.threads[0].posts[0].text, "why not", "{}", said(&world));
    assert!(world.marks.note_drafts.is_empty());
}

#[test]
fn a_draft_outlives_the_program() {
    let mut world = World::new(120, 40);
    world.press(&format!("Enter c {}", typed("half a th")));
    let effects = shadowdeck::app::update(&mut world.model, Msg::Ticked { now_ms: NOW_MS + 1000 });
    drop(effects);
    let id = world.model.review.as_ref().unwrap().id.clone();
    assert_eq!(world.model.memory.marks.note_drafts[&id].0[0].text, "half a th");
    world.press(&format!("{} Esc", typed("ought")));
    assert_eq!(world.threads[0].posts[0].text, "half a thought");
    assert!(world.model.memory.marks.note_drafts.is_empty());
}

#[test]
fn a_draft_is_of_its_place_and_none_is_lost() {
    let mut world = World::new(120, 40);
    world.press(&format!("Enter j c {} ctrl-c", typed("here")));
    assert!(said(&world).starts_with("a draft, which nobody else reads"), "{}", said(&world));
    world.press("j j c");
    assert!(said(&world).starts_with("a draft on "), "{}", said(&world));
    world.press(&format!("{} Tab ctrl-c", typed("there")));
    let id = world.model.review.as_ref().unwrap().id.clone();
    let drafts = |world: &World| -> Vec<String> {
        let drafts = world.marks.note_drafts.get(&id).map_or(&[][..], |drafts| &drafts.0);
        drafts.iter().map(|draft| draft.text.clone()).collect()
    };
    assert_eq!(drafts(&world), ["here", "there"]);
    world.press("k k c");
    assert_eq!(said(&world), "what you had begun to write here");
    world.press(&format!("{} Esc", typed(" too")));
    assert_eq!(drafts(&world), ["there"], "{}", said(&world));
    world.press("G : g o . d r a f t Enter Esc");
    assert_eq!(drafts(&world), Vec::<String>::new());
    let texts: Vec<&str> = world.threads.iter().map(|t| t.posts[0].text.as_str()).collect();
    assert_eq!(texts, ["here too", "there"]);
}

#[test]
fn comments_are_drawn_at_every_size() {
    for (columns, rows) in [(40, 12), (80, 24), (120, 40), (200, 60)] {
        let mut world = World::new(columns, rows);
        world.press(&format!("Enter j {}", comment("50 ms is too short for the staging proxy")));
        let number = world.threads[0].number;
        let text = "it is 500 ms now".to_owned();
        agent(&mut world, &Change::Reply { number, author: Author::Agent, text });
        let name = |what: &str| format!("{what}_{columns}x{rows}");
        matrix::keep(&name("comment_row"), &|theme| world.draw(theme));
        world.press("g g > i");
        matrix::keep(&name("comment_thread"), &|theme| world.draw(theme));
        world.press(&format!("Esc j c {} Enter {}", typed("two"), typed("lines")));
        matrix::keep(&name("comment_sheet"), &|theme| world.draw(theme));
        world.press("Esc");
        // As it is where the agent has rewritten the lines.
        if let Some(passage) = &mut world.threads[0].spot.passage {
            passage.lines = vec![Line::Text("gone by now".to_owned())];
        }
        world.threads[0].posts[0].time_ms = 0;
        world.press("R");
        matrix::keep(&name("comment_outdated"), &|theme| world.draw(theme));
    }
}

#[test]
fn a_comment_that_came_after_the_page_is_not_called_outdated() {
    let mut world = World::new(120, 40);
    world.press(&format!("Enter j {}", comment("too short")));
    if let Some(passage) = &mut world.threads[0].spot.passage {
        passage.lines = vec![Line::Text("written since".to_owned())];
    }
    world.press("R g g");
    let picture = text(&world.draw(&Theme::default()));
    assert!(picture.contains("on a line newer than this page · R"), "{picture}");
    assert!(!picture.contains("outdated"), "{picture}");
}
