//! Reading a diff: the map at its right, moved lines, lines that face each other, ends of lines.

use std::sync::atomic::AtomicBool;

use shadowdeck::{
    app::Msg,
    config::Config,
    ops::{Deck, diff},
    report::{Code, Report},
    review::{FileDiff, FileStatus},
    shadow::ShadowId,
};

use crate::{
    matrix,
    scenes::{World, facts},
    support::{Fixture, write},
};

const SIZES: [(u16, u16); 3] = [(80, 24), (120, 40), (200, 60)];

/// A hundred numbered lines, some of them edited.
fn long_file(name: &str, edited: &[usize]) -> FileDiff {
    let line = |number: usize| format!("let value_{number} = {number};\n");
    let old: String = (0..100).map(line).collect();
    let edit = |number: usize| {
        if edited.contains(&number) {
            format!("let value_{number} = found({number});\n")
        } else {
            line(number)
        }
    };
    let new: String = (0..100).map(edit).collect();
    facts::text_file(name, Some(&old), Some(&new))
}

const RETRY: &str = "fn retry(times: u32) -> Result<()> {\n    for wait in waits(times) {\n        sleep(wait);\n        \
                     call()?;\n    }\n    Ok(())\n}\n";

fn world(size: (u16, u16), files: Vec<FileDiff>) -> World {
    let mut world = World::with_pages(size.0, size.1, vec![facts::page("agent-swift-fox", files)]);
    world.press("Enter");
    world
}

fn long_page() -> Vec<FileDiff> {
    let all: Vec<usize> = (0..100).step_by(4).collect();
    ["src/a.rs", ".github/ci.yml", "src/c.rs"].map(|name| long_file(name, &all)).into()
}

/// A function goes to a file of its own, one level deeper; around it lines are new.
fn moved_page() -> Vec<FileDiff> {
    let inside: String = RETRY.lines().map(|line| format!("    {line}\n")).collect();
    vec![
        facts::text_file(
            "src/api.rs",
            Some(&format!("use std::io;\n\n{RETRY}\nfn main() {{}}\n")),
            Some("use std::io;\n\nfn main() {}\n"),
        ),
        facts::text_file(
            "src/retry.rs",
            None,
            Some(&format!("mod tries {{\n    use super::waits;\n\n{inside}}}\n")),
        ),
    ]
}

fn picture(name: &str, files: &dyn Fn() -> Vec<FileDiff>, keys: &str) {
    for (columns, rows) in SIZES {
        let mut world = world((columns, rows), files());
        world.press(keys);
        matrix::keep(&format!("{name}_{columns}x{rows}"), &|theme| world.draw(theme));
    }
}

fn screen(world: &World) -> String {
    crate::desk::text(&world.draw(&shadowdeck::ui::theme::Theme::default()))
}

/// The last column of the body, a letter a row.
fn map(world: &World) -> String {
    let columns = usize::from(world.area.width);
    let text = screen(world);
    let body = text.lines().skip(2).take(usize::from(world.area.height) - 4);
    body.map(|line| line.chars().nth(columns - 1).unwrap_or(' ')).collect()
}

fn cursor(world: &World) -> usize {
    world.model.review.as_ref().expect("a review is open").cursor
}

#[test]
fn the_map_tells_what_lies_where() {
    picture("diff_map", &long_page, "j j");
    picture("diff_map_read", &long_page, "r } / v a l u e _ 4 0 Enter");
}

#[test]
fn moved_lines_are_told_from_new_ones() {
    picture("diff_moved", &moved_page, "j");
}

#[test]
fn ends_of_lines_alone_are_a_sentence() {
    let files = || {
        let old = "set A=1\nset B=2\nrun\n";
        vec![facts::text_file("run.bat", Some(old), Some(&old.replace('\n', "\r\n")))]
    };
    picture("diff_endings", &files, "j");
    let world = world((120, 40), files());
    assert!(screen(&world).contains("only line endings changed: LF → CRLF"));
}

#[test]
fn lines_that_are_alike_face_each_other() {
    let old = "fn main() {\n    let a = read(path)?;\n    let b = parse(&a);\n}\n";
    let new = "fn main() {\n    // first the text\n    let a = read(&path)?;\n    if a.is_empty() {\n        \
               return None;\n    }\n    let b = parse(&a)?;\n}\n";
    let files = || vec![facts::text_file("src/main.rs", Some(old), Some(new))];
    let mut world = world((120, 40), files());
    world.press("s");
    let screen = screen(&world);
    for (left, right) in [("read(path)", "read(&path)"), ("parse(&a);", "parse(&a)?;")] {
        let line = screen.lines().find(|line| line.contains(left)).expect("it is drawn");
        assert!(line.contains(right), "{screen}");
    }
    picture("diff_facing", &files, "s");
}

#[test]
fn a_map_of_what_fits_the_pane_is_empty() {
    let world = world((120, 40), moved_page());
    assert_eq!(map(&world).trim(), "");
}

#[test]
fn the_map_shows_changes_ticks_flags_and_hits() {
    let mut world = world((120, 40), long_page());
    let unread = map(&world);
    assert!(unread.contains('+') && unread.contains('!') && !unread.contains('·'), "{unread:?}");
    world.press("r");
    let read = map(&world);
    assert!(read.contains('·'), "{read:?}");
    assert_eq!(read.chars().count(), unread.chars().count());
    world.press("/ v a l u e _ 9 6 Enter");
    assert!(map(&world).contains('▪'), "{:?}", map(&world));
    world.press("u Esc");
    assert!(!map(&world).contains('·'), "the tick is taken back");
}

#[test]
fn a_click_and_a_drag_in_the_map_go_there() {
    let mut world = world((120, 40), long_page());
    world.press("j j");
    let (before, count) = (cursor(&world), world.model.review.as_ref().unwrap().stream.row_count());
    let send = |world: &mut World, msg| {
        world.tell(msg);
        cursor(world)
    };
    // Not in the column: nothing.
    assert_eq!(send(&mut world, Msg::Clicked { column: 118, row: 30 }), before);
    let low = send(&mut world, Msg::Clicked { column: 119, row: 37 });
    assert!(low > count * 9 / 10, "{low} of {count}");
    assert_eq!(
        send(&mut world, Msg::Dragged { column: 60, row: 2 }),
        1,
        "it follows the row alone"
    );
    let half = send(&mut world, Msg::Dragged { column: 119, row: 20 });
    assert!(half.abs_diff(count / 2) < count / 20, "{half} of {count}");
    assert_eq!(send(&mut world, Msg::Released), half);
    assert_eq!(send(&mut world, Msg::Dragged { column: 119, row: 3 }), half, "the button is up");
    world.press("ctrl-o");
    assert_eq!(cursor(&world), before, "one way back, to where the button went down");
}

#[test]
fn a_moved_line_names_its_other_place_and_leads_there() {
    let mut world = world((120, 40), moved_page());
    let shown = screen(&world);
    let line = |text: &str| {
        shown.lines().find(|line| line.contains(text)).expect("it is drawn").to_owned()
    };
    assert!(line("›+     fn retry").contains("›+"), "{shown}");
    assert!(line("‹- fn retry").contains("‹-"), "{shown}");
    assert!(line("use super::waits").contains(" + "), "{shown}");
    world.press("j j i");
    let told = screen(&world);
    assert!(told.contains("moved from here to src/retry.rs line 4"), "{told}");
    let before = cursor(&world);
    world.press("Enter");
    let screen_there = world.model.review.as_ref().unwrap();
    assert_eq!(screen_there.file().unwrap().change.path.to_lossy(), "src/retry.rs");
    world.press("Enter");
    assert_eq!(cursor(&world), before, "and from there back");
    world.press("ctrl-o ctrl-o");
    assert_eq!(cursor(&world), before);
}

/// Space until the file is ticked, or to the end of what there is; and all that was on the screen meanwhile.
fn read_on(world: &mut World, keys: &str) -> (usize, String) {
    let mut drawn = screen(world);
    for key in keys.split_whitespace().chain(["Space"; 12]) {
        world.press(key);
        drawn += &screen(world);
        let read = world.model.fleet.read.get(&ShadowId("agent-swift-fox".into()));
        if read.is_some_and(|read| read.read > 0) {
            return (1, drawn);
        }
    }
    (0, drawn)
}

#[test]
fn a_tick_is_honest_in_every_layout() {
    let number = |word: &str| -> String { (0..60).map(|n| format!("{word}_{n};\n")).collect() };
    let all = |drawn: &str, word: &str| (0..60).all(|n| drawn.contains(&format!("{word}_{n};")));
    let files = || vec![facts::text_file("a.rs", Some(&number("before")), Some(&number("after")))];
    for keys in ["", "s", "s s", "w", "s w", "j j s", "G s", "s G s", "w s G w s", "W", "W s W"] {
        let mut world = world((120, 24), files());
        let (ticked, drawn) = read_on(&mut world, keys);
        assert_eq!(ticked, 1, "`{keys}`: it comes to an end");
        assert!(all(&drawn, "before") && all(&drawn, "after"), "`{keys}`: {drawn}");
    }
    // What was folded was not read before it was opened.
    let lock = vec![facts::text_file("Cargo.lock", None, Some(&number("locked")))];
    let mut lock = world((120, 24), lock);
    let (ticked, drawn) = read_on(&mut lock, "Enter");
    assert!(ticked == 1 && all(&drawn, "locked"), "{drawn}");
}

#[test]
fn white_space_that_was_not_shown_is_not_ticked() {
    let old: String = (0..60).map(|n| format!("line_{n};\n")).collect();
    let new = old.replace("line_3;", "other;").replace("line_50;", "    line_50;");
    let mut world = world((120, 24), vec![facts::text_file("a.rs", Some(&old), Some(&new))]);
    let (ticked, drawn) = read_on(&mut world, "W");
    assert_eq!(ticked, 0, "{drawn}");
    assert!(drawn.contains("what differs in white space alone is not ticked"), "{drawn}");
    let (ticked, drawn) = read_on(&mut world, "W");
    assert_eq!(ticked, 1, "{drawn}");
}

#[test]
fn a_copy_is_told_and_stays_an_added_file() {
    let fixture = Fixture::new();
    let lines: String = (0..50).map(|n| format!("line {n} of what is copied\n")).collect();
    write(&fixture.repository, "src/a.rs", &lines);
    fixture.commit("a file");
    let shadow = fixture.shadow("one");
    write(&shadow, "src/b.rs", lines.replace("line 7 ", "another "));
    write(&shadow, "src/c.rs", "nothing that was there\n");
    let deck = Deck::open(&fixture.repository, Config::default()).unwrap();
    let page = diff::read_review(&deck, &ShadowId("one".into()), &AtomicBool::new(false)).unwrap();
    let copies = diff::read_copies(&deck, &page).unwrap();
    let known: Vec<_> =
        copies.iter().map(|(path, copied)| (path.to_lossy(), copied.words())).collect();
    assert_eq!(known.len(), 1, "{known:?}");
    assert_eq!(known[0].0, "src/b.rs");
    assert!(known[0].1.starts_with("copied from src/a.rs, 9"), "{known:?}");
    let change = &page.files[0].change;
    assert_eq!((change.status, change.insertions), (FileStatus::Added, 50), "as git counts it");

    let mut world = World::with_pages(120, 40, vec![facts::page("agent-swift-fox", page.files)]);
    world.copies = Ok(copies);
    world.press("Enter");
    let shown = screen(&world);
    let head = shown.lines().find(|line| line.contains(" src/b.rs")).expect("it is drawn");
    assert!(head.contains("A  +50") && head.contains(&known[0].1), "{shown}");
    world.press("i");
    assert!(screen(&world).contains(&format!("src/b.rs is new · {}", known[0].1)));

    // Where looking for it failed, the head does not read as that of any new file.
    world.copies = Err(Report::user(Code::Timeout, "git diff-tree did not end"));
    world.press("Esc R");
    let shown = screen(&world);
    let head = shown.lines().find(|line| line.contains(" src/b.rs")).expect("it is drawn");
    assert!(head.contains("a copy? not known · i"), "{shown}");
    world.press("i");
    let why = "whether it is a copy is not known: git diff-tree did not end";
    assert!(screen(&world).contains(why), "{}", screen(&world));

    let json = fixture.program(["diff", "one", "--json"]).json();
    let files = &json["files"];
    assert_eq!((&files[0]["copied_from"], &files[0]["status"]), (&"src/a.rs".into(), &"A".into()));
    assert!(files[1]["copied_from"].is_null() && files[1]["similarity"].is_null(), "{files}");
}

/// Git keeps UTF-8 of a file that the target's attributes call UTF-16.
#[test]
fn a_file_in_another_encoding_is_text_where_the_target_says_so() {
    let utf16 = |text: &str| -> Vec<u8> {
        [0xfeff].into_iter().chain(text.encode_utf16()).flat_map(u16::to_le_bytes).collect()
    };
    let fixture = Fixture::new();
    write(&fixture.repository, ".gitattributes", "*.u16 working-tree-encoding=UTF-16\n");
    write(&fixture.repository, "text.u16", utf16("hi\n"));
    fixture.commit("another encoding");
    let shadow = fixture.shadow("one");
    write(&shadow, "text.u16", utf16("hi\nyo\n"));
    // What the agent says itself of another file is not obeyed.
    write(&shadow, "app.js", "evil()\n");
    write(&shadow, ".gitattributes", "*.u16 working-tree-encoding=UTF-16\n*.js -diff\n");
    let deck = Deck::open(&fixture.repository, Config::default()).unwrap();
    let page = diff::read_review(&deck, &ShadowId("one".into()), &AtomicBool::new(false)).unwrap();
    let file = page.files.iter().find(|file| file.change.path.to_lossy() == "text.u16").unwrap();
    let change = &file.change;
    assert_eq!((change.insertions, change.deletions, change.binary), (1, 0, false));
    let mut world = world((120, 40), page.files);
    world.press("} }");
    let shown = screen(&world);
    assert!(shown.contains("2 + yo") && !shown.contains("binary"), "{shown}");
    assert!(shown.contains("1 + evil()"), "{shown}");
    assert!(shown.contains("attributes of this shadow hide it"), "{shown}");
}

#[test]
fn a_moved_submodule_names_the_commits_it_came_by() {
    let fixture = Fixture::new();
    let library = fixture.root().join("library");
    std::fs::create_dir(&library).unwrap();
    fixture.git_in(&library, ["init", "-q"]);
    write(&library, "l.c", "l\n");
    fixture.commit_in(&library, "library");
    fixture.git(["submodule", "--quiet", "add", library.to_str().unwrap(), "vendor/lib"]);
    fixture.commit("submodule");
    let shadow = fixture.shadow("one");
    fixture.git_in(&shadow, ["submodule", "--quiet", "update", "--init"]);
    for subject in ["mend the leak", "and its test\u{1b}[31m"] {
        write(&shadow.join("vendor/lib"), "fix.c", subject);
        fixture.commit_in(&shadow.join("vendor/lib"), subject);
    }
    let deck = Deck::open(&fixture.repository, Config::default()).unwrap();
    let page = diff::read_review(&deck, &ShadowId("one".into()), &AtomicBool::new(false)).unwrap();
    let passed: Vec<_> = page.files[0].passed.iter().map(|passed| &passed.subject[..]).collect();
    assert_eq!(passed, ["and its test\u{1b}[31m", "mend the leak"]);
    let mut world = world((120, 40), page.files);
    world.press("j");
    let screen = screen(&world);
    assert!(
        screen.contains("+ and its test␛[31m") && screen.contains("+ mend the leak"),
        "{screen}"
    );
}
