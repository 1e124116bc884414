//! Reading a diff, clause by clause: what it can show and what it can be asked, each as a picture at three sizes, in
//! every depth and on both grounds.

use std::sync::Arc;

use shadowdeck::{
    app::Msg,
    review::{
        Content, Copied, Copies, Entry, FileChange, FileDiff, FileStatus, LineKind, Mode,
        comment::{self, Author, Change},
        diff::Passed,
        fold_rules::FoldRules,
        judge::{Given, judge},
    },
    shadow::RepoPath,
};

use crate::{
    matrix,
    scenes::{NOW_MS, World, facts, sources},
};

type Size = (u16, u16);

const SIZES: [Size; 3] = [(80, 24), (120, 40), (200, 60)];

fn world((columns, rows): Size, files: Vec<FileDiff>, keys: &str) -> World {
    let page = facts::page("agent-swift-fox", files);
    let mut world = World::with_pages(columns, rows, vec![page]);
    world.press(keys);
    world
}

/// Of the usual day.
fn day((columns, rows): Size, keys: &str) -> World {
    let mut world = World::new(columns, rows);
    world.press(keys);
    world
}

/// Letter by letter.
fn typed(text: &str) -> String {
    let key = |letter| if letter == ' ' { "Space ".to_owned() } else { format!("{letter} ") };
    text.chars().map(key).collect()
}

fn retry() -> String {
    sources::RETRY_NEW.repeat(2)
}

/// A file as something else than edited: its status, its former name, its modes.
fn changed(
    file: FileDiff,
    status: FileStatus,
    old_path: Option<&str>,
    modes: [Mode; 2],
) -> FileDiff {
    let with = |entry: Option<Entry>, mode| entry.map(|entry| Entry { mode, ..entry });
    let change = FileChange {
        status,
        old_path: old_path.map(RepoPath::new),
        old: with(file.change.old.clone(), modes[0]),
        new: with(file.change.new.clone(), modes[1]),
        ..file.change
    };
    FileDiff::new(change, file.content)
}

/// One file of everything that a tree can hold and git can say of it.
fn kinds() -> Vec<FileDiff> {
    let text = facts::text_file;
    let (old, new) = (retry(), retry().replacen("times", "attempts", 1));
    let edited = |path| text(path, Some(&old), Some(&new));
    let link = text("latest", Some("releases/1.4"), Some("../../etc/passwd"));
    let tool = changed(
        text("bin/tool", Some("a"), Some("a")),
        FileStatus::Modified,
        None,
        [Mode::File, Mode::Executable],
    );
    let module = Content::Submodule { old: Some(facts::oid("1")), new: Some(facts::oid("2")) };
    let mut module = changed(
        facts::with_content("lib/http", FileStatus::Modified, module),
        FileStatus::Modified,
        None,
        [Mode::Submodule; 2],
    );
    let passed = |kind, subject: &str| Passed { kind, subject: subject.into() };
    module.passed = vec![
        passed(LineKind::Added, "close the socket on a redirect"),
        passed(LineKind::Removed, "keep the socket open"),
    ];
    let image = Content::Binary { old_size: Some(2_048), new_size: Some(5_000_000) };
    let mut files = vec![
        changed(
            edited("src/again.rs"),
            FileStatus::Renamed(87),
            Some("src/retry.rs"),
            [Mode::File; 2],
        ),
        text("src/client/retry.rs", None, Some(&old)),
        tool,
        changed(link, FileStatus::Modified, None, [Mode::Symlink; 2]),
        changed(
            text("config", Some("limit = 3\n"), Some("etc/config")),
            FileStatus::TypeChanged,
            None,
            [Mode::File, Mode::Symlink],
        ),
        module,
        facts::with_content("logo.png", FileStatus::Modified, image),
        text("src/empty.rs", None, Some("")),
        text("src/old.rs", Some("fn old() {}\n"), None),
    ];
    files.sort_by(|one, other| one.change.path.cmp(&other.change.path));
    files
}

fn of_kinds(size: Size, keys: &str) -> World {
    let mut world = world(size, kinds(), "");
    let copied = Copied { from: RepoPath::new("src/retry.rs"), similarity: 96 };
    world.copies = Ok(Copies::from([(RepoPath::new("src/client/retry.rs"), copied)]));
    world.press("Enter");
    world.press(keys);
    world
}

/// Ends of lines of each kind, and none.
fn ends() -> Vec<FileDiff> {
    vec![
        facts::text_file("Makefile", Some("all:\n\tcargo build"), Some("all:\n\tcargo build\n")),
        facts::text_file("VERSION", Some("1.4"), Some("1.5")),
        facts::text_file(
            "run.bat",
            Some("set A=1\r\nset B=2\nrun\r\n"),
            Some("set A=1\r\nset B=3\r\nrun\n"),
        ),
    ]
}

/// Deep in a long function; a block that is only indented, and lines longer than any screen.
fn long() -> Vec<FileDiff> {
    let body = |edit: &dyn Fn(usize) -> String| -> String {
        let lines: String = (0..60).map(edit).collect();
        format!(
            "mod client;\n\nimpl Client {{\n    pub fn send_with_retries(&self) -> Result<()> {{\n{lines}    }}\n}}\n"
        )
    };
    let step =
        |number: usize| format!("        self.step({number}, \"{}\")?;\n", "x".repeat(number % 7));
    let wide = |word: &str| {
        let all: String = (0..24).map(|at| format!("{word}_{at} + 漢字, ")).collect();
        format!("let all = [{all}];\n")
    };
    let old = body(&step);
    let new = body(&|number| match number {
        12 => format!("        if self.is_open() {{\n    {}        }}\n", step(number)),
        40..44 => format!("    {}", step(number)),
        50 => step(number).replace("step", "last_step"),
        _ => step(number),
    });
    vec![
        facts::text_file("src/client.rs", Some(&old), Some(&new)),
        facts::text_file("src/wide.rs", Some(&wide("before")), Some(&wide("after"))),
    ]
}

/// Text that would move, colour, hide or turn round what is on a screen, were it obeyed.
fn hostile() -> Vec<FileDiff> {
    let mut files = vec![
        facts::text_file(
            "src/\u{1b}[31mred\u{202e}sr.exe\n.rs",
            Some("plain\n"),
            Some(concat!(
                "esc \u{1b}[2J\u{1b}]52;c;UFdORUQ=\u{7} and \u{9b}31m\n",
                "bidi if access != \"user\u{202e} \u{2066}// check\u{2069} \u{2066}\" {\n",
                "zero\u{200b}width, bom \u{feff}, soft\u{ad}hyphen, tag \u{e0041}\n",
                "tab\tstops\tare\tkept\n",
                "e\u{301}\u{301}\u{301} combining, 漢字 wide, 👩\u{200d}👩\u{200d}👧 joined\n",
                "mid\rreturn, nul \0, bell \u{7}, back\u{8}space, del \u{7f}\n",
            )),
        ),
        facts::text_file("src/аpi.rs", None, Some("fn cаll() {} // with Cyrillic а\n")),
    ];
    let name = RepoPath::new(&b"docs/caf\xe9 \xff\xfe.md"[..]);
    let change = FileChange { path: name, ..facts::text_file("a", None, Some("b\n")).change };
    let latin = Content::Text {
        old: Arc::default(),
        new: Arc::new(shadowdeck::review::Text::new(b"caf\xe9, latin one\n".to_vec())),
        blocks: facts::blocks("", "one line\n"),
    };
    files.push(FileDiff::new(change, latin));
    judge(&mut files, &Given { rules: FoldRules::default(), ..Given::default() });
    files
}

/// Comments of every state: asked, answered, said to be done, closed; on a line, on lines, on a file.
fn commented(size: Size, keys: &str) -> World {
    let mut world = day(size, "Enter j j j");
    world.press(&format!("c {} Esc", typed("why no clippy?")));
    world.press(&format!("}} }} ] v j j c {} Esc", typed("all of these by *name*")));
    world.press(&format!("}} c S-Tab {} Esc", typed("needs a test")));
    let numbers: Vec<u32> = world.threads.iter().map(|thread| thread.number).collect();
    let mut say = |change: Change| {
        comment::apply(&mut world.threads, &change, NOW_MS).expect("a change that can be");
    };
    let text = "because it took nine minutes\nof every run".to_owned();
    say(Change::Reply { number: numbers[0], author: Author::Agent, text });
    say(Change::Resolve { number: numbers[1] });
    world.press("R g g");
    world.press(keys);
    world
}

/// Somebody writes in the last file.
fn edit(world: &mut World) {
    let page = &mut world.pages[0];
    let new = sources::RETRY_NEW.replace("50", "500");
    *page.files.last_mut().expect("files") = facts::text_file("src/retry.rs", None, Some(&new));
    page.snapshot = facts::oid("a later snapshot");
}

/// Read once, and since then edited by its agent.
fn edited_since(size: Size, keys: &str) -> World {
    let mut world = day(size, "Enter r } } r } r Esc");
    edit(&mut world);
    world.press("R Enter");
    world.press(keys);
    world
}

/// Back from the editor, in which something was written.
fn back_from_editor(size: Size) -> World {
    let mut world = day(size, "Enter } } ] e");
    edit(&mut world);
    world.tell(Msg::CameBack { from: "editor", outcome: Ok(()) });
    world.tell(Msg::Ticked { now_ms: NOW_MS + 60_000 });
    world
}

/// Too much of everything: files, lines, one line, one blob.
fn large() -> Vec<FileDiff> {
    let line = "function f(a,b){return a+b}".repeat(200);
    let lines: String = (0..12_000).map(|at| format!("insert into log values ({at});\n")).collect();
    let blob = Content::TooLarge { size: 104_857_600, size_max: 33_554_432 };
    let mut files = vec![
        facts::text_file("dist/app.js", Some("old()\n"), Some(&format!("{line}\n"))),
        facts::text_file("dump.sql", Some("a\n"), Some(&lines)),
        facts::with_content("fixtures/all.json", FileStatus::Modified, blob),
    ];
    files.extend((0..400).map(|at| {
        let path = format!("src/part_{:02}/file_{at:04}.rs", at / 40);
        facts::text_file(&path, Some("old();\n"), Some("new();\n"))
    }));
    files
}

type Scene = (&'static str, fn(Size) -> World);

const SCENES: &[Scene] = &[
    // What a diff shows.
    ("read_kinds", |size| of_kinds(size, "g g j")),
    ("read_kinds_end", |size| of_kinds(size, "G")),
    ("read_ends", |size| world(size, ends(), "Enter j")),
    ("read_other_layout", |size| day(size, "Enter } } s ]")),
    ("read_context", |size| day(size, "Enter } } + ] k")),
    ("read_fold", |size| day(size, "Enter } } ] ] k k k k")),
    ("read_fold_opened", |size| day(size, "Enter } } ] ] k k k k Enter")),
    ("read_sticky", |size| world(size, long(), "Enter ] ctrl-d")),
    ("read_space", |size| world(size, long(), "Enter W")),
    ("read_scrolled", |size| world(size, long(), "Enter } l l l l")),
    ("read_scrolled_other", |size| world(size, long(), "Enter s } l l")),
    ("read_wrapped", |size| world(size, long(), "Enter w }")),
    ("read_wrapped_other", |size| world(size, long(), "Enter s w }")),
    // Views.
    ("read_committed", |size| day(size, "Enter 4 W")),
    ("read_commit", |size| day(size, "Enter 5 Enter")),
    ("read_commits_run", |size| day(size, "Enter 5 v j Enter")),
    // Progress.
    ("read_since", |size| edited_since(size, "")),
    ("read_changed_since", |size| edited_since(size, "1 g g")),
    ("read_hidden", |size| edited_since(size, "1 H")),
    ("read_done", |size| day(size, "Enter r } } r } r G")),
    // Noise.
    ("read_opened_fold", |size| day(size, "Enter } Enter")),
    // Comments.
    ("read_comments", |size| commented(size, "")),
    ("read_comment_closed", |size| commented(size, "> > > Enter z z")),
    // Finding.
    ("read_find_file", |size| day(size, "Enter ctrl-p r s")),
    ("read_palette", |size| day(size, "Enter : c o p y")),
    ("read_search_folded", |size| day(size, "Enter / v e r s i o n")),
    // Hand-off.
    ("read_edited", back_from_editor),
    // Safe display.
    ("read_hostile", |size| world(size, hostile(), "Enter g g j")),
    ("read_hostile_other", |size| world(size, hostile(), "Enter s g g j w")),
    // Large.
    ("read_large", |size| world(size, large(), "Enter g g")),
    ("read_large_opened", |size| world(size, large(), "Enter g g Enter l l l l l l")),
    ("read_large_lifted", |size| world(size, large(), "Enter g g } } Enter")),
    ("read_large_end", |size| world(size, large(), "Enter G")),
];

#[test]
fn what_can_be_read_is_kept_as_it_is_seen() {
    for (name, scene) in SCENES {
        for size in SIZES {
            let world = scene(size);
            matrix::keep(&format!("{name}_{}x{}", size.0, size.1), &|theme| world.draw(theme));
        }
    }
}
