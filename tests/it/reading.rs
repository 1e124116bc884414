//! How reading and settling behave, key by key, on the scenes' facts.

use shadowdeck::{
    app::{Effect, Screen},
    review::{
        Content, FileChange, FileDiff, FileStatus, Mode, Resolution, ReviewPage, stream::StreamRow,
    },
    shadow::{RepoPath, ShadowId},
};

use crate::{
    desk::text,
    scenes::{World, facts},
};

fn swift(files: Vec<FileDiff>) -> Vec<ReviewPage> {
    vec![facts::page("agent-swift-fox", files)]
}

fn screen(world: &World) -> String {
    text(&world.draw(&shadowdeck::ui::theme::Theme::default()))
}

fn answer(world: &World) -> &str {
    world.model.answer.as_ref().map_or("", |answer| &answer.text)
}

fn read(world: &World) -> (usize, usize) {
    let id = ShadowId("agent-swift-fox".into());
    world.model.fleet.read.get(&id).map_or((0, 0), |read| (read.read, read.files))
}

fn long_file(lines: usize) -> (String, String) {
    let old = "x\n".repeat(lines);
    let new: String = (0..lines).map(|line| format!("line {line}\n")).collect();
    (old, new)
}

#[test]
fn space_reads_all_files_and_ticks_each_at_its_end() {
    let mut world = World::new(120, 40);
    world.press("Enter Space");
    assert_eq!(answer(&world), "ticked .github/ci.yml · u takes the tick back");
    assert_eq!(read(&world), (1, 3));
    for _ in 0..8 {
        if read(&world).0 == 3 {
            break;
        }
        world.press("Space");
    }
    assert_eq!(answer(&world), "all 3 read, 1 folded · m land · Space next shadow");
    world.press("Space");
    assert_ne!(world.model.review.as_ref().unwrap().id.0, "agent-swift-fox");
}

#[test]
fn what_is_folded_is_passed_without_a_tick_and_named_on_the_land_sheet() {
    let mut world = World::new(120, 40);
    world.press("Enter }");
    let lock = screen(&world);
    assert!(lock.contains("Cargo.lock") && lock.contains("folded"), "{lock}");
    world.press("Space");
    assert_eq!(answer(&world), "Cargo.lock is folded: not ticked, the land sheet names it");
    assert_eq!(read(&world), (0, 3));
    world.press("r } r g g r } Space");
    assert_eq!(answer(&world), "all 3 read, 1 folded · m land · Space next shadow");
    world.press("H");
    assert_eq!(answer(&world), "3 read hidden · H shows all", "as many as are counted");
    world.press("m");
    let sheet = screen(&world);
    assert!(sheet.contains("folded: Cargo.lock"), "{sheet}");
    world.press("Esc H g g } Space Space");
    assert_ne!(world.model.review.as_ref().unwrap().id.0, "agent-swift-fox");
}

#[test]
fn what_is_read_is_not_counted_as_to_read() {
    let mut world = World::new(120, 40);
    let header = |world: &World| screen(world).lines().next().unwrap_or_default().to_owned();
    assert!(header(&world).contains(" 3 to read"), "{}", header(&world));
    world.press("Enter r } } r } r q");
    assert_eq!(read(&world), (3, 3));
    assert!(header(&world).contains(" 2 to read"), "{}", header(&world));
}

#[test]
fn a_long_file_is_paged_through_before_it_is_ticked() {
    let (old, new) = long_file(100);
    let files = vec![facts::text_file("long.txt", Some(&old), Some(&new))];
    let mut world = World::with_pages(80, 24, swift(files));
    world.press("Enter");
    let mut pages = 0;
    while read(&world).0 == 0 {
        world.press("Space");
        pages += 1;
        assert!(pages < 30, "it comes to an end");
    }
    // 200 changed lines in 20 rows, less what is kept in sight.
    assert!(pages > 9, "ticked after {pages} pages");
}

#[test]
fn what_lies_under_the_list_of_files_was_not_shown() {
    let (old, new) = long_file(4);
    let files = ["a.txt", "b.txt", "c.txt"];
    let files = files.map(|name| facts::text_file(name, Some(&old), Some(&new))).to_vec();
    let mut world = World::with_pages(40, 12, swift(files));
    world.press("Enter Tab j");
    assert!(!screen(&world).contains("line 1"), "{}", screen(&world));
    world.press("Space");
    assert_eq!(read(&world), (0, 3), "first it is looked at");
    assert!(screen(&world).contains("line 1"), "{}", screen(&world));
    world.press("Space Space");
    assert_eq!(read(&world), (1, 3), "{}", screen(&world));
}

#[test]
fn what_lies_left_of_the_scroll_was_not_shown() {
    let (old, new) = long_file(60);
    let wide = "wide ".repeat(40);
    let [old, new] = [old, new].map(|text| format!("{wide}\n{text}"));
    let files = ["a.txt", "b.txt", "c.txt"];
    let files = files.map(|name| facts::text_file(name, Some(&old), Some(&new))).to_vec();
    let mut world = World::with_pages(80, 24, swift(files));
    world.press("Enter l l l l ctrl-f ctrl-f ctrl-f ctrl-f ctrl-f ctrl-f ctrl-f ctrl-f");
    assert!(!screen(&world).contains("line 5"), "{}", screen(&world));
    world.press("g g Space");
    assert_eq!(read(&world), (0, 3), "the rest was scrolled out of sight");
    let scroll = |world: &World| world.model.review.as_ref().map(|review| review.scroll);
    assert_eq!(scroll(&world), Some(0), "unread lines are shown from their beginning");
    let mut pages = 0;
    while read(&world).0 == 0 {
        world.press("Space");
        pages += 1;
        assert!(pages < 30, "it comes to an end");
    }
    assert!(pages > 4, "ticked after {pages} pages");
    world.press("l l");
    world.press("Space");
    assert_eq!(scroll(&world), Some(0), "{}", screen(&world));
}

#[test]
fn lines_without_their_white_space_are_not_all_of_them() {
    let old: String = (0..100).map(|line| format!("line {line}\n")).collect();
    let files = vec![
        facts::text_file("a.md", Some(&old), Some(&old.replace("line", "  line"))),
        facts::text_file("b.md", Some("a\n"), Some("b\n")),
    ];
    let mut world = World::with_pages(80, 24, swift(files));
    world.press("Enter g g W W g g Space");
    assert_eq!(read(&world), (0, 2), "{}", screen(&world));
}

#[test]
fn jumping_to_the_end_is_not_reading() {
    let (old, new) = long_file(100);
    let files = vec![facts::text_file("long.txt", Some(&old), Some(&new))];
    let mut world = World::with_pages(80, 24, swift(files));
    world.press("Enter G Space");
    assert_eq!(read(&world), (0, 1), "the middle was never on the screen");
    world.press("r");
    assert_eq!(read(&world), (1, 1), "but a person may say so");
    world.press("u");
    assert_eq!(read(&world), (0, 1));
    assert_eq!(answer(&world), "long.txt: unread again · ctrl-r ticks it again");
    world.press("ctrl-r");
    assert_eq!(read(&world), (1, 1));
}

#[test]
fn a_new_snapshot_keeps_the_place_and_the_ticks_of_what_did_not_change() {
    let mut world = World::new(120, 40);
    world.press("Enter Space ] ]");
    let line = |world: &World| {
        let screen = world.model.review.as_ref().unwrap();
        let page = screen.page.as_ref().unwrap();
        let place = screen.stream.place(screen.cursor).unwrap();
        let StreamRow::Line(line) = place.row else { panic!("on a line") };
        let file = &page.files[place.file];
        shadowdeck::app::review::line_text(file, line).unwrap().to_vec()
    };
    let before = line(&world);
    let page = world.pages.iter_mut().find(|page| page.id.0 == "agent-swift-fox").unwrap();
    let new = format!("// new\n// lines\n{}", crate::scenes::sources::API_NEW);
    page.files[2] =
        facts::text_file("src/api.rs", Some(crate::scenes::sources::API_OLD), Some(&new));
    page.snapshot = facts::oid("another");
    world.press("R");
    assert_eq!(line(&world), before);
    assert_eq!(answer(&world), "1 file changed since the page before; ticks of the others hold");
    assert_eq!(read(&world), (1, 3));
}

#[test]
fn a_tick_falls_off_when_only_the_mode_changes() {
    let mut world = World::new(120, 40);
    world.press("Enter } r { r");
    let before = read(&world);
    let page = world.pages.iter_mut().find(|page| page.id.0 == "agent-swift-fox").unwrap();
    let ticked = world.model.review.as_ref().unwrap().file_index().unwrap();
    page.files[ticked].change.new.as_mut().unwrap().mode = Mode::Executable;
    page.snapshot = facts::oid("another");
    world.press("R");
    assert_eq!(read(&world), (before.0 - 1, before.1), "its lines are the same");
    assert!(
        answer(&world).starts_with("1 file changed since the page before"),
        "{}",
        answer(&world)
    );
    world.press("r");
    assert_eq!(read(&world), before, "read as it is now");
}

#[test]
fn files_and_hunks_are_walked_and_folds_open() {
    let mut world = World::new(80, 24);
    world.press("Enter } }");
    let file = |world: &World| world.model.review.as_ref().unwrap().file_index();
    assert_eq!(file(&world), Some(2));
    world.press("] ] { {");
    assert_eq!(file(&world), Some(1));
    assert!(screen(&world).contains("lockfile, folded"));
    world.press("Enter");
    assert!(screen(&world).contains("version = \"0.2.0\""));
    assert_eq!(read(&world), (0, 4), "what is open counts");
    world.press("G [ [ [ [ Enter");
    assert!(answer(&world).starts_with("Enter: nothing is folded"));
}

#[test]
fn search_walks_around_and_esc_peels_it_first() {
    let mut world = World::new(80, 24);
    world.press("Enter / r e t r y Enter");
    assert!(answer(&world).contains("of retry"), "{}", answer(&world));
    world.press("n n n n n n n n n n");
    assert!(world.model.review.as_ref().unwrap().search.is_some());
    world.press("Esc");
    assert!(world.model.review.as_ref().unwrap().search.is_none());
    assert_eq!(world.model.screen(), Screen::Review);
    world.press("Esc");
    assert_eq!(world.model.screen(), Screen::Fleet);
    world.press("Enter / z z z z Enter");
    assert_eq!(answer(&world), "no match of zzzz");
}

#[test]
fn a_hunk_is_copied_as_a_patch_s_lines() {
    let mut world = World::new(120, 40);
    world.press("Enter y");
    let copied = world.effects.iter().find_map(|effect| match effect {
        Effect::Copy(text) => Some(text.clone()),
        _ => None,
    });
    let copied = copied.expect("something was copied");
    assert!(copied.starts_with(".github/ci.yml\n"), "{copied}");
    assert!(copied.contains("-      - run: cargo deny check\n"), "{copied}");
}

#[test]
fn what_has_no_lines_is_said_in_words() {
    let files = vec![
        facts::with_content(
            "a.png",
            FileStatus::Modified,
            Content::Binary { old_size: Some(2_048), new_size: Some(5_000_000) },
        ),
        facts::with_content(
            "big.sql",
            FileStatus::Modified,
            Content::TooLarge { size: 90_000_000, size_max: 50_000_000 },
        ),
        facts::with_content(
            "lib",
            FileStatus::Modified,
            Content::Submodule { old: Some(facts::oid("1")), new: Some(facts::oid("2")) },
        ),
        facts::with_content(
            "secret",
            FileStatus::Modified,
            Content::Unreadable { why: "its filter is gone".into() },
        ),
    ];
    let mut world = World::with_pages(80, 24, swift(files));
    world.press("Enter");
    let screen = screen(&world);
    for words in [
        "binary, 2.0 KiB → 4.7 MiB",
        "85.8 MiB is over the limit of 47.6 MiB · Enter shows it",
        "submodule at ",
        "! cannot be read: its filter is gone",
    ] {
        assert!(screen.contains(words), "{words} in\n{screen}");
    }
}

#[test]
fn a_hundred_thousand_lines_and_five_megabytes_in_one_line_are_walked() {
    let (old, new) = long_file(100_000);
    let one_line = "y".repeat(5_000_000);
    let files = vec![
        facts::text_file("long.rs", Some(""), Some(&new)),
        facts::text_file("one-line.js", Some(&old[..2]), Some(&one_line)),
    ];
    let mut world = World::with_pages(120, 40, swift(files));
    let at = |world: &World| {
        let screen = world.model.review.as_ref().expect("it is open");
        (screen.file_index(), screen.cursor, screen.stream.last_stop(), screen.scroll)
    };
    world.press("Enter { Enter g g");
    let (_, first, last, _) = at(&world);
    assert!(last > 100_000, "every line is a row: {last}");
    for _ in 0..100 {
        world.press("j");
    }
    assert_eq!(at(&world).1, first + 100);
    world.press("G");
    assert_eq!((at(&world).0, at(&world).1), (Some(1), last));
    world.press("k ctrl-u ctrl-b");
    assert!((last - 200..last - 30).contains(&at(&world).1), "{:?} of {last}", at(&world));
    world.press("g g");
    assert_eq!(at(&world).1, first);
    world.press("ctrl-f ctrl-f ctrl-d");
    assert!((first + 30..first + 200).contains(&at(&world).1), "{:?}", at(&world));
    world.press("G Enter l l l");
    assert!(at(&world).3 > 0, "the long line goes by: {}", screen(&world));
}

#[test]
fn what_was_read_is_there_after_a_restart_and_the_list_says_so() {
    let mut world = World::new(120, 40);
    world.press("Enter Space Esc");
    let mut later = World::new(120, 40);
    later.marks = world.marks.clone();
    // Marks are asked for once the list is whole: this cockpit asked before they were put there.
    later.model = shadowdeck::app::Model::default();
    later.restart();
    assert_eq!(read(&later), (1, 3));
    later.press("Enter");
    let screen = later.model.review.as_ref().expect("is open");
    assert_eq!(screen.file_index(), Some(2), "the place is kept");
}

#[test]
fn a_later_review_opens_on_what_changed_since() {
    let mut world = World::new(120, 40);
    world.press("Enter Space Esc");
    let page = world.pages.iter_mut().find(|page| page.id.0 == "agent-swift-fox").expect("known");
    page.snapshot = facts::oid("another");
    let mut later = World::with_pages(120, 40, world.pages.clone());
    later.marks = world.marks.clone();
    later.model = shadowdeck::app::Model::default();
    later.restart();
    later.press("Enter");
    assert_eq!(answer(&later), "since you looked: 1 file, whole: not read before · 1 shows all");
    later.press("1");
    assert_eq!(answer(&later), "all: 4 files");
    later.press(".");
    assert!(answer(&later).starts_with("since you looked"), "{}", answer(&later));
}

#[test]
fn a_part_of_a_file_is_not_all_of_it() {
    let mut world = World::new(120, 40);
    world.press("Enter 4 Space Space Space");
    assert_eq!(read(&world), (0, 3));
    assert!(answer(&world).starts_with("the end of this view"), "{}", answer(&world));
}

#[test]
fn sides_stand_side_by_side_where_there_is_room() {
    use shadowdeck::review::stream::Layout;
    let layout = |world: &World| world.model.review.as_ref().map(|s| s.choices.layout);
    let mut world = World::new(80, 24);
    world.press("Enter s");
    assert!(answer(&world).starts_with("s: side by side wants 100 columns"), "{}", answer(&world));
    world.resize(160, 40);
    assert_eq!(layout(&world), Some(Layout::Beside), "by itself");
    world.press("s");
    assert_eq!(layout(&world), Some(Layout::Unified), "but a person decides");
    world.resize(120, 40);
    world.press("s j j Space w W + - z z z t z b H");
    assert_eq!(layout(&world), Some(Layout::Beside));
}

#[test]
fn chosen_lines_are_copied_and_jumps_are_undone() {
    let mut world = World::new(120, 40);
    world.press("Enter v j y");
    assert_eq!(answer(&world), "sent 2 lines to the terminal's clipboard");
    world.press("v Esc");
    assert_eq!(world.model.screen(), Screen::Review, "Esc lets go of the lines first");
    let cursor = |world: &World| world.model.review.as_ref().map(|screen| screen.cursor);
    let before = cursor(&world);
    world.press("G ctrl-o");
    assert_eq!(cursor(&world), before);
    world.press("ctrl-p r e t r y Enter");
    assert_eq!(
        world.model.review.as_ref().and_then(shadowdeck::app::review::ReviewScreen::file_index),
        Some(3)
    );
    world.press("e");
    let opened = world.effects.iter().any(|effect| {
        matches!(effect, Effect::OpenEditor { file, line: 1, .. } if file.as_bytes() == b"src/retry.rs")
    });
    assert!(opened, "{:?}", world.effects);
}

/// One file of so many hunks, each of one line, 40 lines apart.
fn hunks(count: usize, word: &str) -> FileDiff {
    let (mut old, mut new) = (String::new(), String::new());
    for hunk in 0..count {
        for line in 0..39 {
            let line = format!("line {line} of {hunk}\n");
            old.push_str(&line);
            new.push_str(&line);
        }
        old.push_str(&format!("old {hunk}\n"));
        new.push_str(&format!("{word} {hunk}\n"));
    }
    facts::text_file("many.txt", Some(&old), Some(&new))
}

fn start_again(world: &mut World) {
    world.model = shadowdeck::app::Model::default();
    world.restart();
}

fn head(world: &World) -> String {
    screen(world).lines().nth(2).unwrap_or_default().to_owned()
}

#[test]
fn space_ticks_each_hunk_that_it_has_shown() {
    let mut world = World::with_pages(80, 24, swift(vec![hunks(6, "new")]));
    world.press("Enter Space");
    assert_eq!(answer(&world), "ticked 2 hunks of many.txt, 4 to read · u takes the tick back");
    assert_eq!(read(&world), (0, 1), "the file is not read");
    world.press("u");
    assert_eq!(answer(&world), "2 hunks of many.txt: unread again · ctrl-r ticks it again");
    world.press("ctrl-r Space Tab");
    assert!(screen(&world).contains("3/6"), "{}", screen(&world));
    world.press("Tab Space Space Space");
    assert_eq!(read(&world), (1, 1));
}

#[test]
fn hunks_stay_read_through_a_rebase_and_an_edit_elsewhere() {
    let mut world = World::with_pages(80, 24, swift(vec![hunks(6, "new")]));
    world.press("Enter Space Space Space");
    assert_eq!(read(&world), (1, 1));
    world.press("Esc");
    // A line of the target's above all of it, and the agent has gone on in the last hunk.
    let Content::Text { old, new, .. } = &world.pages[0].files[0].content else { panic!("text") };
    let above = |text: &shadowdeck::review::Text| {
        format!("from main\n{}", String::from_utf8_lossy(text.as_bytes()))
    };
    let (old, new) = (above(old), above(new));
    world.pages[0].files = vec![facts::text_file("many.txt", Some(&old), Some(&new))];
    world.pages[0].snapshot = facts::oid("rebased");
    start_again(&mut world);
    assert_eq!(read(&world), (1, 1), "a rebase changes nothing of what was read");
    let new = new.replace("new 5", "newer 5");
    world.pages[0].files = vec![facts::text_file("many.txt", Some(&old), Some(&new))];
    world.pages[0].snapshot = facts::oid("edited");
    start_again(&mut world);
    assert_eq!(read(&world), (0, 1));
    world.press("Enter 1 Space");
    assert!(head(&world).contains("hunk 6 of 6"), "{}", screen(&world));
    world.press("Space");
    assert_eq!(read(&world), (1, 1), "just what changed had to be read: {}", answer(&world));
}

fn planned(world: &World) -> Option<shadowdeck::review::Only> {
    let Some(shadowdeck::app::Sheet::Land(sheet)) = world.model.sheets.last() else {
        panic!("the land sheet is open")
    };
    sheet.options.only.clone()
}

#[test]
fn hunks_and_files_are_left_out_and_taken_in() {
    let files = vec![hunks(3, "new"), facts::text_file("b.rs", None, Some("fn b() {}\n"))];
    let mut world = World::with_pages(120, 40, swift(files.clone()));
    world.press("Enter m");
    assert_eq!(planned(&world), None, "all of it is in at first");
    world.press("Esc ] ] t");
    assert_eq!(answer(&world), "hunk 2 of 3 of many.txt is left out · u takes that back");
    assert!(head(&world).contains("hunk 2 of 3  left out"), "{}", head(&world));
    let picture = screen(&world);
    assert!(picture.contains("▌  80      - old 1"), "{picture}");
    assert!(picture.contains("t       80 + new 1"), "{picture}");
    world.press("} T m");
    let Some(shadowdeck::review::Only::Accepted(accepted)) = planned(&world) else {
        panic!("a part")
    };
    let counts = accepted.counts(&files);
    assert_eq!((counts.hunks, counts.files), (2, 1));
    world.press("Esc a");
    assert!(screen(&world).contains("lands 3 of 4 hunks, 2 of 2 files"), "{}", screen(&world));
    world.press("u u ctrl-r");
    assert!(answer(&world).starts_with("b.rs is left out"), "{}", answer(&world));
    world.press("A { A");
    assert!(answer(&world).ends_with("all of it lands · u takes that back"), "{}", answer(&world));
    world.press("m");
    assert_eq!(planned(&world), None);
    world.press("Esc : t a r g e t . a l l Enter m");
    assert_eq!(answer(&world), "m: all of it is left out · a takes this hunk in, A the file");
    world.press("v } a");
    assert!(screen(&world).contains("lands "), "{}", screen(&world));
}

#[test]
fn a_choice_outlives_the_visit_and_never_takes_in_what_was_not_chosen_from() {
    let files = vec![hunks(3, "new"), facts::text_file("b.rs", None, Some("fn b() {}\n"))];
    let mut world = World::with_pages(120, 40, swift(files));
    world.press("Enter ] ] t Esc");
    let mut later = World::with_pages(120, 40, world.pages.clone());
    later.marks = world.marks.clone();
    later.model = shadowdeck::app::Model::default();
    later.restart();
    later.press("Enter");
    assert!(screen(&later).contains("lands 3 of 4 hunks, 2 of 2 files"), "{}", screen(&later));
    later.pages[0].files[0] = hunks(3, "newer");
    later.pages[0].snapshot = facts::oid("newer");
    later.press("R");
    assert!(answer(&later).ends_with("1 file left out until A takes it in"), "{}", answer(&later));
    assert!(screen(&later).contains("lands 1 of 4 hunks, 1 of 2 files"), "{}", screen(&later));
    // From the list it is the same choice.
    later.press("Esc m");
    assert!(planned(&later).is_some());
}

#[test]
fn commits_are_looked_at_one_by_one_and_in_a_run() {
    let mut world = World::new(120, 40);
    world.press("Enter 5");
    assert!(screen(&world).contains("Read the limit from the config"), "{}", screen(&world));
    world.press("j Enter");
    let words = format!("commit {} Retry calls", facts::commits()[1].id.abbreviated());
    assert!(answer(&world).starts_with(&words), "{}", answer(&world));
    assert!(screen(&world).contains("5 commits"));
    world.press("5 v j Enter");
    assert!(answer(&world).starts_with("2 commits, "), "{}", answer(&world));
    world.press("Space");
    assert_eq!(read(&world), (0, 3), "a part ticks nothing");
    world.press("5 v Esc Esc 1");
    assert_eq!(answer(&world), "all: 4 files");
}

#[test]
fn how_lines_are_shown_is_remembered() {
    use shadowdeck::review::stream::{Long, Space};
    let mut world = World::new(120, 40);
    world.press("Enter w W + Esc");
    let mut later = World::new(120, 40);
    later.marks = world.marks.clone();
    later.model = shadowdeck::app::Model::default();
    later.restart();
    later.press("Enter");
    let screen = later.model.review.as_ref().expect("is open");
    assert_eq!((screen.long, screen.space), (Long::Wraps, Space::Ignored));
    assert_eq!(screen.choices.context, 6);
}

#[test]
fn a_line_scrolled_out_of_sight_is_marked() {
    let mut world = World::new(80, 24);
    world.press("Enter } l");
    assert!(screen(&world).contains('«'), "{}", screen(&world));
    world.press("h");
    assert!(!screen(&world).contains('«'));
}

#[test]
fn quitting_waits_for_what_was_read_to_be_kept() {
    use crate::desk::{Desk, page, rows};
    use shadowdeck::app::job::{Job, Outcome, Slot};
    let mut desk = Desk::with(rows(), (120, 40));
    desk.answer(Slot::Marks, Ok(Outcome::Marks(Box::default())));
    desk.press("Enter").answer(Slot::Review, Ok(Outcome::Review(page("swift-fox"))));
    desk.press("r ctrl-c");
    assert!(!desk.effects.contains(&Effect::Quit), "the tick is on its way");
    let is_kept = |desk: &Desk| {
        let kept = desk.started.iter().filter_map(|job| match job {
            Job::Marks(marks) => Some(marks.len()),
            _ => None,
        });
        kept.sum::<usize>()
    };
    while let Some((slot, ..)) = desk.open.iter().find(|(slot, ..)| *slot == Slot::Marks) {
        desk.answer(*slot, Ok(Outcome::Marks(Box::default())));
    }
    assert!(is_kept(&desk) >= 3, "tick, place and snapshot");
    assert_eq!(desk.effects.last(), Some(&Effect::Quit));
}

#[test]
fn what_cannot_be_kept_is_told_before_the_end() {
    use crate::desk::{Desk, page, refusal, rows};
    use shadowdeck::app::job::{Outcome, Slot};
    let mut desk = Desk::with(rows(), (120, 40));
    desk.answer(Slot::Marks, Ok(Outcome::Marks(Box::default())));
    desk.press("Enter").answer(Slot::Review, Ok(Outcome::Review(page("swift-fox"))));
    desk.press("r ctrl-c");
    desk.answer(Slot::Marks, Err(refusal()));
    assert!(!desk.effects.contains(&Effect::Quit));
    assert!(desk.answer_text().starts_with("your edit in src/api.rs is in the way"));
    desk.press("ctrl-c ctrl-c");
    assert_eq!(desk.effects.last(), Some(&Effect::Quit), "nobody is held");
}

const TO_CONFLICTS: &str = "/ c a l m Enter x";

#[test]
fn three_choices_and_a_landing_in_six_keys() {
    let mut world = World::new(120, 40);
    world.press(TO_CONFLICTS).press("A T a");
    let choices: Vec<_> =
        world.conflicts.files.iter().map(|file| file.conflict.resolution.clone()).collect();
    let expected = [Resolution::Shadow, Resolution::Target, Resolution::Shadow];
    assert_eq!(choices, expected.map(Some));
    world.press("m");
    assert!(screen(&world).contains("Land agent-calm-pine on main"));
}

#[test]
fn m_waits_for_open_choices_and_says_where() {
    let mut world = World::new(80, 24);
    world.press(TO_CONFLICTS).press("t m");
    assert_eq!(answer(&world), "m waits: 2 choices to make, next is src/api.rs (you are on it)");
    world.press("[ m");
    assert_eq!(answer(&world), "m waits: 2 choices to make, next is src/api.rs");
}

#[test]
fn a_deletion_is_chosen_as_one_and_taken_back() {
    let mut world = World::new(80, 24);
    world.press(TO_CONFLICTS).press("] ] t");
    assert_eq!(world.conflicts.files[2].conflict.resolution, Some(Resolution::Delete));
    assert!(answer(&world).starts_with("src/old.rs: it is deleted"), "{}", answer(&world));
    world.press("u");
    assert_eq!(world.conflicts.files[2].conflict.resolution, None);
    assert!(screen(&world).contains("result: not chosen"));
    world.press("b");
    assert!(answer(&world).contains("both cannot stand"), "{}", answer(&world));
}

fn pane(world: &World) -> shadowdeck::app::conflicts::Pane {
    world.model.conflicts.as_ref().expect("is open").pane
}

fn conflict_file(world: &World) -> usize {
    world.model.conflicts.as_ref().expect("is open").cursor
}

#[test]
fn enter_goes_into_a_conflict_file_and_scrolls_nothing() {
    use shadowdeck::app::conflicts::Pane;
    for columns in [80, 120] {
        let mut world = World::new(columns, 40);
        world.press(TO_CONFLICTS).press("Enter Enter");
        assert_eq!(pane(&world), Pane::Target);
        assert!(!screen(&world).contains('«'), "{}", screen(&world));
        assert!(answer(&world).starts_with("Enter: nothing is folded"), "{}", answer(&world));
        world.press("l");
        assert_eq!(answer(&world), "no line on the screen goes further", "they all fit");
    }
}

#[test]
fn text_is_found_in_all_parts_of_all_conflict_files() {
    let mut world = World::new(120, 40);
    world.press(TO_CONFLICTS).press("/ p i n g Enter");
    assert_eq!(conflict_file(&world), 2);
    assert!(
        answer(&world).ends_with("matching lines of ping · n N walk them"),
        "{}",
        answer(&world)
    );
    world.press("n");
    assert!(answer(&world).starts_with("match 2 of "), "{}", answer(&world));
    world.press("N N");
    assert!(answer(&world).ends_with("around the end"), "{}", answer(&world));
    world.press("Esc n");
    assert_eq!(answer(&world), "n: nothing is searched for · / searches");
    world.press("/ z z z z Enter");
    assert_eq!(answer(&world), "no match of zzzz");
    world.press("ctrl-p t o m l Enter");
    assert_eq!(conflict_file(&world), 0);
    world.press("ctrl-p a p i Esc");
    assert_eq!(conflict_file(&world), 0, "Esc goes back");
}

#[test]
fn conflicts_are_walked_place_by_place() {
    let mut world = World::new(120, 40);
    world.press(TO_CONFLICTS).press("}");
    assert!(screen(&world).contains("src/api.rs   conflict 1 of 1"), "{}", screen(&world));
    let shown = |world: &World| {
        let screen = screen(world);
        screen.contains("timeout(self.limit)") && screen.contains("retry(self.attempts")
    };
    assert!(shown(&world), "both sides stand at what clashes:\n{}", screen(&world));
    world.press("] ] [ [");
    assert_eq!(conflict_file(&world), 0);
    world.press("[");
    assert_eq!(answer(&world), "this is the first file");
}

#[test]
fn how_conflicts_are_shown_is_the_reader_s_choice() {
    let mut world = World::new(120, 40);
    world.press(TO_CONFLICTS).press("} s");
    let beside = |world: &World| {
        screen(world).lines().any(|line| line.contains("│ t") && line.contains("│ a"))
    };
    assert!(beside(&world), "{}", screen(&world));
    world.press("w W");
    assert!(screen(&world).contains("white space ignored · wrapped"), "{}", screen(&world));
    world.press("H");
    assert_eq!(answer(&world), "H: no file here is settled");
    world.press("a H");
    assert!(answer(&world).ends_with("1 settled hidden · H shows all"), "{}", answer(&world));
    world.press("Tab Tab j j z t z z z b v j y");
    assert_eq!(answer(&world), "sent 2 lines to the terminal's clipboard");
    world.press("y");
    assert!(answer(&world).starts_with("sent the hunk of "), "{}", answer(&world));
    world.press("Y");
    assert_eq!(answer(&world), "sent src/old.rs to the terminal's clipboard");
    let mut narrow = World::new(80, 24);
    narrow.press(TO_CONFLICTS).press("s");
    assert!(
        answer(&narrow).starts_with("s: side by side wants 100 columns"),
        "{}",
        answer(&narrow)
    );
}

#[test]
fn a_choice_that_was_taken_back_is_made_again_and_the_list_counts_it() {
    let mut world = World::new(120, 40);
    world.press(TO_CONFLICTS).press("t");
    assert!(screen(&world).contains("u take back Cargo.toml"), "{}", screen(&world));
    world.press("u ctrl-r");
    assert_eq!(answer(&world), "Cargo.toml: chosen again");
    let takes = &world.conflicts.files[0].takes;
    assert_eq!(*takes, [Some(shadowdeck::review::weave::Take::Target)]);
    world.press("q q");
    assert!(screen(&world).contains("✗ 1/3 files"), "{}", screen(&world));
    world.press("x Space a Space t q");
    assert!(screen(&world).contains("✓ 3 settled"), "{}", screen(&world));
}

#[test]
fn what_was_settled_before_is_told_named_and_opened_again() {
    let mut world = World::new(80, 24);
    world.conflicts.files.truncate(2);
    world.conflicts.files[0].conflict.path = RepoPath::new("docs/deep/nested.md");
    for index in 0..2 {
        let path = world.conflicts.files[index].conflict.path.clone();
        facts::resolve(&mut world.conflicts, &path, Some(Resolution::Target));
    }
    world.press("/ c a l m Enter x { { {");
    for (columns, rows) in [(80, 24), (50, 14)] {
        world.resize(columns, rows);
        assert!(screen(&world).contains("nested.md"), "{}", screen(&world));
    }
    world.press("u");
    let choices: Vec<_> =
        world.conflicts.files.iter().map(|file| file.conflict.resolution.clone()).collect();
    assert_eq!(choices, [None, Some(Resolution::Target)], "{}", answer(&world));
    // The last choice: the result stands at the place that was decided.
    world.resize(80, 24).press("t");
    let conflicts = world.model.conflicts.as_ref().expect("is open");
    let start = conflicts.clashes[conflicts.clash].target.start as usize;
    assert_eq!(conflicts.cursors[2], start, "{}", screen(&world));
}

#[test]
fn a_line_of_which_the_changed_part_was_never_shown_is_not_ticked_by_space() {
    let line = |end: &str| format!("{}{end}\n", "y".repeat(5_000));
    let early = |begin: &str| format!("{begin}{}\n", "y".repeat(5_000));
    let files = vec![
        facts::text_file("early.md", Some(&early("a")), Some(&early("b"))),
        facts::text_file("far.md", Some(&line("old")), Some(&line("new"))),
        facts::text_file("z.rs", Some("a\n"), Some("b\n")),
    ];
    let mut world = World::with_pages(120, 40, swift(files));
    world.press("Enter { { { Space");
    assert_eq!(read(&world), (1, 3), "what changed lies within: {}", answer(&world));
    world.press("Space");
    assert!(answer(&world).starts_with("not ticked: "), "{}", answer(&world));
    world.press("Space Space");
    assert_eq!(read(&world), (2, 3), "it goes on to what else is unread");
    // Wrapped, it is cut as well where it takes more than half of the pane.
    for _ in 0..2 {
        world.press("g g } w Space Space");
        assert_eq!(read(&world), (2, 3), "{}", answer(&world));
    }
    world.press("r");
    assert_eq!(read(&world), (3, 3));
}

#[test]
fn a_head_tells_a_flag_with_its_reason_also_beside_read() {
    let mut world = World::new(120, 40);
    world.press("Enter g g");
    let flag = "! CI file: it runs with your secrets";
    assert!(head(&world).contains(flag), "{}", head(&world));
    world.press("r g g");
    assert!(head(&world).contains(&format!("{flag}  \u{2713} read")), "{}", head(&world));
    world.resize(40, 12);
    assert!(head(&world).contains("! CI file"), "{}", head(&world));
}

#[test]
fn esc_takes_what_i_said_away_before_it_leaves() {
    let mut world = World::new(120, 40);
    world.press("Enter j i");
    assert!(!answer(&world).is_empty());
    world.press("Esc");
    assert_eq!((answer(&world), world.model.screen()), ("", Screen::Review));
    world.press("Esc");
    assert_eq!(world.model.screen(), Screen::Fleet);
}

#[test]
fn large_numbers_of_the_file_list_stand_apart() {
    let (old, new) = ("x\n".repeat(50_000), "y\n".repeat(50_000));
    let mut world =
        World::with_pages(120, 40, swift(vec![facts::text_file("a.rs", Some(&old), Some(&new))]));
    world.press("Enter");
    world.press("Enter");
    assert!(screen(&world).contains("+50,000 \u{2212}50,000"), "{}", screen(&world));
}

/// Two of 80 columns that look alike up to the cut.
#[test]
fn what_changed_behind_the_cut_is_shown_before_it_is_ticked() {
    let line =
        "a line of words that goes on and on, further than a pane of eighty columns has room for";
    let old = format!("one\n{line}\ntwo\n");
    let new = format!("one\n{line}, and more\ntwo\n");
    let short = facts::text_file("b.txt", Some("x\n"), Some("y\n"));
    let files = || vec![facts::text_file("a.txt", Some(&old), Some(&new)), short.clone()];
    let mut world = World::with_pages(80, 24, swift(files()));
    world.press("Enter");
    let added = |world: &World| {
        let screen = screen(world);
        screen
            .lines()
            .find(|line| line.contains(" + a line") || line.contains("and more"))
            .map(str::to_owned)
    };
    assert!(added(&world).is_some_and(|row| row.contains('❯')), "{}", screen(&world));
    world.press("Space");
    assert_eq!(read(&world).0, 0);
    assert_eq!(
        answer(&world),
        "scrolled to what changed in this line, right of the cut · Space reads on"
    );
    assert!(added(&world).is_some_and(|row| row.contains("and more")), "{}", screen(&world));
    world.press("Space");
    assert_eq!(answer(&world), "ticked a.txt · u takes the tick back");
    assert_eq!(world.model.review.as_ref().unwrap().scroll, 0);
    // Wide enough, or wrapped, nothing of it is cut off.
    for (columns, keys) in [(200, "Enter s Space"), (80, "Enter w Space")] {
        let mut world = World::with_pages(columns, 24, swift(files()));
        world.press(keys);
        assert_eq!(answer(&world), "ticked a.txt · u takes the tick back", "{columns} {keys}");
    }
}

#[test]
fn a_change_that_is_all_folded_is_counted_and_read_on_into() {
    let mut page = facts::pages().remove(0);
    page.files.retain(|file| file.fold.is_some());
    let lock = page.files[0].clone();
    page.files.push(FileDiff {
        change: FileChange { path: RepoPath::new("z/Cargo.lock"), ..lock.change.clone() },
        ..lock
    });
    let mut world = World::with_pages(120, 40, vec![page]);
    world.press("Enter");
    assert_eq!(read(&world), (0, 2), "there is nothing else to count");
    world.press("Space");
    assert_eq!(read(&world), (0, 2), "it opened, and was not on the screen before");
    world.press("Space");
    assert_eq!(read(&world), (1, 2));
    world.press("Space Space");
    assert_eq!(answer(&world), "all 2 read · m land · Space next shadow");
    assert!(screen(&world).contains(" 2/2 read"), "{}", screen(&world));
    world.press("u");
    assert_eq!(read(&world), (1, 2));
    world.press("r");
    assert_eq!(read(&world), (2, 2), "r ticks it too");
}

fn numbered_lines(changed: usize) -> [String; 2] {
    let line = |number: usize| match number {
        10 => "fn run() {\n".to_owned(),
        number if number > 10 => format!("    line {number}\n"),
        number => format!("line {number}\n"),
    };
    let old: String = (1..=60).map(line).collect();
    let new =
        old.replace(&format!("    line {changed}\n"), &format!("    line {changed} changed\n"));
    [old, new]
}

#[test]
fn lines_before_the_first_change_and_behind_the_last_have_a_row_that_opens() {
    let [old, new] = numbered_lines(30);
    let files = vec![facts::text_file("a.rs", Some(&old), Some(&new))];
    let mut world = World::with_pages(120, 40, swift(files));
    world.press("Enter");
    let drawn = screen(&world);
    assert!(drawn.contains("26 lines ···· fn run") && drawn.contains("27 lines ····"), "{drawn}");
    let cursor = world.model.review.as_ref().unwrap().cursor;
    assert_eq!(cursor, 2, "it begins at what is shown");
    world.press("k Enter");
    assert!(screen(&world).contains(" fn run() {"), "{}", screen(&world));
    world.press("G Enter G");
    assert!(screen(&world).contains("line 60"), "{}", screen(&world));
    assert!(!screen(&world).contains("····"), "{}", screen(&world));
    world.press("z R g g");
    assert!(screen(&world).contains("26 lines, Enter"), "{}", screen(&world));
    world.press("z R");
    let rows = world.model.review.as_ref().unwrap().stream.row_count();
    assert_eq!((rows, answer(&world)), (62, "all of this file"));
    // What is found in them is counted, also where no line stands around a change.
    for keys in ["", "- - - "] {
        world.press(&format!("z R {keys}/ l i n e Space 5"));
        assert!(screen(&world).contains("folded"), "{}", screen(&world));
        world.press("Esc + + +");
    }
}

#[test]
fn s_pressed_again_leaves_the_layout_to_the_width() {
    let mut world = World::new(160, 40);
    let layout = |world: &World| world.model.memory.marks.layout;
    world.press("Enter s");
    assert!(layout(&world).is_some());
    assert!(screen(&world).lines().nth(1).unwrap_or_default().contains("one column"));
    world.press("s");
    assert_eq!(layout(&world), None);
    // Chosen where it is narrow, it is given up where it is narrow.
    world.resize(120, 40);
    world.press("s");
    assert!(screen(&world).lines().nth(1).unwrap_or_default().contains("side by side"));
    world.press("s");
    assert_eq!(layout(&world), None);
}

#[test]
fn f_gives_the_diff_the_columns_of_the_files() {
    let mut world = World::new(120, 40);
    world.press("Enter");
    let cells = |world: &World| world.model.review.as_ref().unwrap().code_cells;
    let before = cells(&world);
    world.press("f");
    assert_eq!(cells(&world), before + 32);
    assert!(!screen(&world).contains("▾ src"), "{}", screen(&world));
    world.press("Tab");
    assert!(screen(&world).contains("▾ src"), "{}", screen(&world));
    world.press("Tab f");
    assert_eq!(cells(&world), before);
    world.resize(90, 30);
    world.press("f");
    assert!(answer(&world).starts_with("f: files stand beside the diff from 100 columns on"));
}

#[test]
fn scrolling_stops_at_the_longest_line_and_says_where_it_is() {
    let line = format!("{}end", "\t".repeat(30));
    let files = vec![facts::text_file("a.txt", Some("x\n"), Some(&format!("{line}\n")))];
    let mut world = World::with_pages(80, 24, swift(files));
    world.press("Enter");
    for _ in 0..40 {
        world.press("l");
    }
    let scroll = world.model.review.as_ref().unwrap().scroll;
    assert!(screen(&world).contains("end"), "{}", screen(&world));
    assert!(screen(&world).contains(&format!("from column {}", scroll + 1)), "{}", screen(&world));
    world.press("^");
    assert_eq!(world.model.review.as_ref().unwrap().scroll, 0);
    assert!(!screen(&world).contains("from column"));
}
