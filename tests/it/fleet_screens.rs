//! The list before, between and without its facts; what is said where it does not fit; names and keys in full.

use shadowdeck::{
    app::{
        Effect, Msg, Sheet,
        help::HelpRow,
        job::{Job, Outcome, Slot},
    },
    report::{Code, Report},
    review::{
        Progress, Row, SeenList, SeenRow, Stale, Verdict,
        comment::OpenComments,
        flag::{FileFlag, Flag},
    },
    shadow::RepoPath,
    ui::theme::Theme,
};

use crate::{
    desk::{Desk, NOW_MS, fleet, id, page, places, refusal, row, rows, stale, text},
    pictures::check,
    scenes::World,
};

const WIDE: (u16, u16) = (120, 40);

fn seen_before() -> SeenList {
    SeenList { time_ms: NOW_MS - 3 * 3_600_000, rows: rows().iter().map(SeenRow::of).collect() }
}

/// Names are there, and what was known three hours ago.
pub(crate) fn known(size: (u16, u16)) -> Desk {
    let mut desk = Desk::unseen(size);
    desk.answer(Slot::Seen, Ok(Outcome::Seen(Some(seen_before()))));
    let names: Vec<String> = rows().into_iter().map(|row| row.id.0).collect();
    let mut names: Vec<&str> = names.iter().map(String::as_str).collect();
    names.push("new-newt");
    desk.answer(Slot::Fleet, Ok(Outcome::Fleet(places(&names)))).picture();
    desk
}

#[test]
fn what_was_known_is_shown_as_old_until_it_is_looked_at() {
    let mut desk = known(WIDE);
    let screen = desk.screen();
    assert!(screen.contains("as of 3h ago"), "{screen}");
    assert!(screen.contains("READY") && screen.contains("✗ 2 files"), "{screen}");
    let line = screen.lines().find(|line| line.contains("new-newt")).expect("is shown");
    assert!(line.contains("· looking"), "what nobody ever saw is not made up: {line}");
    assert_eq!(desk.selected(), "swift-fox");
    desk.press("j m");
    assert!(matches!(desk.model.sheets.last(), Some(Sheet::Land(_))), "it plans on fresh facts");
    desk.press("Esc");
    desk.press("/ n e w t Enter m");
    assert_eq!(desk.answer_text(), "m: not looked at yet");
    desk.press("Esc");
    let order = |desk: &Desk| -> Vec<String> {
        desk.model.fleet.visible().map(|listed| listed.row.id.0.clone()).collect()
    };
    let before = order(&desk);
    let mut now = rows();
    now[1].verdict = Verdict::Conflicts;
    now.push(row("new-newt"));
    desk.answer(Slot::Fleet, Ok(Outcome::Fleet(fleet(now))));
    assert_eq!(order(&desk), before, "a reader who has moved finds every row in its place");
    let screen = desk.screen();
    assert!(!screen.contains("as of") && screen.contains("changed place · R sorts"), "{screen}");
    assert!(desk.model.fleet.listed.iter().all(|listed| listed.as_of_ms.is_none()));
}

/// The worker of the first list tells this.
pub(crate) fn told(desk: &mut Desk, count: usize, rows: Vec<Row>) {
    let job = desk.open.iter().find(|(_, _, job)| *job == Job::FirstFleet).expect("it is read");
    let (slot, id) = (job.0, job.1);
    desk.send(Msg::Progressed { slot, id, told: Progress::Looked { rows, count, of: 10 } });
}

fn line_of(desk: &mut Desk, name: &str) -> String {
    let screen = desk.screen();
    screen.lines().find(|line| line.contains(name)).expect("is shown").to_owned()
}

#[test]
fn rows_turn_fresh_in_their_place_while_others_are_looked_at() {
    let mut desk = known(WIDE);
    assert!(desk.screen().contains("as of 3h ago  looking 0/10"), "{}", desk.screen());
    let order: Vec<_> = desk.model.fleet.visible().map(|listed| listed.row.id.clone()).collect();
    let mut now = rows();
    now[1].verdict = Verdict::Conflicts;
    now[1].conflicts = vec![RepoPath::new("src/new.rs")];
    now[2].verdict = Verdict::Unknown;
    now[2].stats = None;
    let mut new = row("new-newt");
    new.verdict = Verdict::Unknown;
    told(&mut desk, 4, vec![now[1].clone(), now[2].clone(), new, now[8].clone()]);
    assert!(desk.screen().contains("looking 4/10"), "{}", desk.screen());
    assert!(line_of(&mut desk, "brave-otter").contains("✗ 1 file"), "is of now");
    let old = line_of(&mut desk, "dry-elm");
    assert!(old.contains("✓ clean") && old.contains("+42"), "stays whole till it is known: {old}");
    let new = line_of(&mut desk, "new-newt");
    assert!(new.contains("· looking") && new.contains("+42"), "shows what is known: {new}");
    let broken = line_of(&mut desk, "lost-reed");
    assert!(broken.contains("has no .git file"), "{broken}");
    let now_order: Vec<_> =
        desk.model.fleet.visible().map(|listed| listed.row.id.clone()).collect();
    assert_eq!(now_order, order, "nothing has moved");
    assert!(desk.screen().contains("READY"), "and the heads stay");
    told(&mut desk, 10, rows());
    assert!(!desk.screen().contains("as of"), "none is old");
    assert!(desk.screen().contains("looking 10/10") && desk.screen().contains("READY"));
}

#[test]
fn what_was_known_does_not_cover_what_is() {
    let mut desk = Desk::unseen((80, 24));
    desk.answer(Slot::Fleet, Ok(Outcome::Fleet(places(&["brave-otter", "dry-elm"]))));
    let mut now = rows();
    now[1].verdict = Verdict::Conflicts;
    told(&mut desk, 1, vec![now[1].clone()]);
    desk.answer(Slot::Seen, Ok(Outcome::Seen(Some(seen_before()))));
    assert!(line_of(&mut desk, "brave-otter").contains('✗'));
    assert!(desk.model.fleet.find(&id("dry-elm")).is_some_and(|r| r.verdict == Verdict::Clean));
}

#[test]
fn old_rows_have_no_colour_of_their_own() {
    let mut desk = known((80, 24));
    let buffer = desk.picture();
    let screen = text(&buffer);
    let at = screen.lines().position(|line| line.contains("✗")).expect("a conflict");
    let line = screen.lines().nth(at).expect("is there");
    let column = line.chars().position(|character| character == '✗').expect("is there");
    let cell = &buffer[(u16::try_from(column).unwrap(), u16::try_from(at).unwrap())];
    assert_eq!(Some(cell.fg), Theme::default().quiet.fg);
}

#[test]
fn pictures_of_a_list_that_is_not_known_yet() {
    check("fleet_known", known);
    check("fleet_no_repository", no_repository);
    check("fleet_why", |size| {
        let mut desk = Desk::with(rows(), size);
        desk.press("G").answer(Slot::Detail, Err(refusal()));
        desk.model.say("a long answer · ".repeat(16));
        desk.press("i");
        desk
    });
}

fn no_repository(size: (u16, u16)) -> Desk {
    let mut desk = Desk::unseen(size);
    let report = Report::user(Code::NotARepository, "/srv/ana/notes is not in a git repository");
    desk.model.fleet.failed = Some(report);
    desk
}

#[test]
fn without_a_repository_the_screen_says_so_and_the_way_out() {
    let mut desk = no_repository((80, 24));
    let screen = desk.screen();
    for part in ["Not a git repository.", "/srv/ana/notes", "q  quit", "shadowdeck -C DIR"] {
        assert!(screen.contains(part), "{part}:\n{screen}");
    }
    desk.press("m d x Enter n");
    desk.press("q");
    assert_eq!(desk.effects.last(), Some(&Effect::Quit));
}

#[test]
fn a_list_that_cannot_be_read_looks_neither_pending_nor_clean() {
    let mut desk = Desk::new(WIDE);
    desk.answer(Slot::Fleet, Ok(Outcome::Fleet(places(&["a", "b"]))));
    desk.answer(Slot::Fleet, Err(refusal()));
    let screen = desk.screen();
    assert!(!screen.contains("looking"), "{screen}");
    assert!(screen.contains("! unknown") && screen.contains("could not be read"), "{screen}");
    desk.press("m");
    assert_eq!(desk.answer_text(), "m: the list could not be read · R tries again");
    let mut desk = Desk::with(rows(), WIDE);
    desk.send(Msg::Ticked { now_ms: NOW_MS + 60_000 });
    desk.answer(Slot::Fleet, Err(refusal()));
    let screen = desk.screen();
    assert!(screen.contains("not live, read 1m ago: your edit in src/api.rs"), "{screen}");
    assert!(screen.contains("not live · 9 shadows"), "{screen}");
}

#[test]
fn an_unreadable_shadow_is_no_pending_one_in_review() {
    let mut broken = row("a");
    broken.verdict = Verdict::Unknown;
    broken.problem = Some("its index is damaged".to_owned());
    let mut desk = Desk::with(vec![broken], WIDE);
    desk.press("Enter");
    assert!(desk.screen().contains("! cannot be read"), "{}", desk.screen());
}

#[test]
fn the_detail_opens_on_what_most_needs_eyes() {
    let mut world = World::new(120, 40);
    world.press("j k");
    let screen = text(&world.draw(&Theme::default()));
    let at = |part: &str| screen.find(part).unwrap_or_else(|| panic!("{part}:\n{screen}"));
    assert!(at("! M .github/ci.yml") < at("M src/api.rs"), "flagged ones first");
    assert!(screen.contains("CI file"), "{screen}");
    world.press("Enter r Esc");
    let screen = text(&world.draw(&Theme::default()));
    let at = |part: &str| screen.find(part).unwrap_or_else(|| panic!("{part}:\n{screen}"));
    assert!(at("src/api.rs") < at(".github/ci.yml"), "what was read comes last:\n{screen}");
    world.resize(80, 24);
    let screen = text(&world.draw(&Theme::default()));
    assert!(screen.contains("4 files"), "{screen}");
}

#[test]
fn a_name_too_long_keeps_its_end() {
    let mut desk = Desk::with(vec![row("swift-fox")], WIDE);
    let mut long = page("swift-fox");
    let path = "src/deeply/nested/directories/of/a/project/with/long/names/last_one.rs";
    long.files[0].change.path = RepoPath::new(path);
    desk.answer(Slot::Detail, Ok(Outcome::Review(long)));
    let screen = desk.screen();
    let line = screen.lines().find(|line| line.contains("M src/deep")).expect("is shown");
    assert!(line.contains("last_one.rs "), "{line}");
}

#[test]
fn names_that_are_not_text_are_written_alike_everywhere() {
    let path = RepoPath::new(b"caf\xe9.md");
    assert_eq!(path.to_lossy(), "caf\\xe9.md");
    assert_eq!(path.to_lossy(), shadowdeck::review::visible::visible(path.as_bytes()));
    let mut desk = Desk::with(vec![row("swift-fox")], WIDE);
    let mut odd = page("swift-fox");
    odd.files[0].change.path = path;
    desk.answer(Slot::Detail, Ok(Outcome::Review(odd)));
    assert!(desk.screen().contains("caf\\xe9.md"), "{}", desk.screen());
}

#[test]
fn help_says_each_key_once_what_follows_and_what_the_signs_mean() {
    let mut desk = Desk::with(rows(), (80, 24));
    desk.press("?");
    assert!(desk.screen().contains("more below"), "{}", desk.screen());
    let mut pages = desk.screen();
    for _ in 0..4 {
        desk.press("ctrl-f");
        pages.push_str(&desk.screen());
    }
    assert!(!desk.screen().contains("more below"), "{}", desk.screen());
    assert!(desk.screen().contains("its agent asks for review"), "{}", desk.screen());
    let mut tall = Desk::with(rows(), (120, 80));
    tall.press("?");
    let screen = tall.screen();
    assert_eq!(screen.matches("ctrl-c").count(), 1, "{screen}");
    assert_eq!(screen.matches("Show the keys that work here").count(), 1, "{screen}");
    tall.press("Esc m").planned_landing();
    tall.press("?");
    let screen = tall.screen();
    assert_eq!(screen.matches("ctrl-c").count(), 1, "{screen}");
}

#[test]
fn a_search_opens_empty_and_enter_alone_keeps_the_last() {
    let mut desk = Desk::with(rows(), WIDE);
    desk.press("/ f o x Enter");
    assert_eq!(desk.model.fleet.filter, "fox");
    desk.press("/");
    assert!(desk.screen().contains("filter: ▌fox"), "{}", desk.screen());
    desk.press("Enter");
    assert_eq!(desk.model.fleet.filter, "fox", "nothing was typed");
    desk.press("/ e l m");
    assert_eq!(desk.model.fleet.filter, "elm", "and what is typed is not put behind it");
    desk.press("Esc");
    assert_eq!(desk.model.fleet.filter, "fox");
    desk.press("/ ctrl-u Enter");
    assert_eq!(desk.model.fleet.filter, "");
    desk.press("/ Up");
    assert_eq!(desk.model.fleet.filter, "fox", "the last one is one key away");
}

#[test]
fn landing_is_never_the_hint_that_goes() {
    let name = "agent-with-a-name-that-nobody-would-choose-but-a-program-did";
    for width in [40, 60, 80, 100, 120] {
        let mut conflicts = row(name);
        conflicts.verdict = Verdict::Conflicts;
        conflicts.conflicts = vec![RepoPath::new("a")];
        let mut desk = Desk::with(vec![conflicts, stale("b", Stale::Idle)], (width, 24));
        let footer = |desk: &mut Desk| desk.screen().lines().last().unwrap_or_default().to_owned();
        assert!(footer(&mut desk).contains("m land"), "list, {width}: {}", footer(&mut desk));
        desk.press("Enter");
        assert!(footer(&mut desk).contains("m land"), "review, {width}: {}", footer(&mut desk));
    }
    for width in [40, 80, 120] {
        let mut world = World::new(width, 24);
        world.press("/ c a l m Enter x");
        let screen = text(&world.draw(&Theme::default()));
        let footer = screen.lines().last().unwrap_or_default().to_owned();
        assert!(footer.contains("m land"), "conflicts, {width}: {footer}");
    }
}

#[test]
fn an_answer_too_long_for_its_line_is_read_whole_by_i() {
    let mut desk = Desk::with(rows(), (40, 12));
    desk.press("*");
    assert!(desk.screen().contains("i all of it"), "{}", desk.screen());
    desk.press("i");
    let screen = desk.screen();
    assert!(screen.contains("1 idle over 14 d") && screen.contains("* unmarks"), "{screen}");
    desk.press("y");
    let Some(Effect::Copy(copied)) = desk.effects.last() else { panic!("is copied") };
    assert_eq!(copied, "3 stale marked: 1 landed, 1 empty, 1 idle over 14 d · * unmarks");
    desk.press("Esc i");
    assert!(desk.screen().contains("swift-fox: asks for review"), "then of the row");
    desk.press("i");
    assert!(desk.model.sheets.is_empty());
    assert_eq!(
        desk.model.fleet.find(&id("swift-fox")).map(|row| row.verdict),
        Some(Verdict::Clean)
    );
}

#[test]
fn borders_are_dragged_and_both_panes_keep_room() {
    let mut desk = Desk::with(rows(), WIDE);
    let border = |desk: &mut Desk| {
        let screen = desk.screen();
        screen
            .lines()
            .nth(3)
            .and_then(|line| line.chars().position(|c| c == '│'))
            .expect("a border")
    };
    let from = border(&mut desk);
    let drag = |desk: &mut Desk, from: usize, to: usize| {
        let column = |at: usize| u16::try_from(at).expect("a column");
        desk.send(Msg::Clicked { column: column(from), row: 6 });
        desk.send(Msg::Dragged { column: column(to), row: 7 });
        desk.send(Msg::Released);
        // What comes after the button is up drags nothing.
        desk.send(Msg::Dragged { column: 3, row: 3 });
    };
    drag(&mut desk, from, from - 11);
    assert_eq!(border(&mut desk), from - 11);
    drag(&mut desk, from - 11, 0);
    assert_eq!(border(&mut desk), 30);
    drag(&mut desk, 30, 500);
    assert_eq!(border(&mut desk), 120 - 31);
    assert_eq!(desk.selected(), "swift-fox", "the border is no row");
    let mut low = Desk::with(rows(), (80, 30));
    let rule = |desk: &mut Desk| {
        let screen = desk.screen();
        screen.lines().position(|line| line.starts_with("─ swift-fox")).expect("a rule")
    };
    let at = rule(&mut low);
    low.send(Msg::Clicked { column: 5, row: u16::try_from(at).expect("a row") });
    low.send(Msg::Dragged { column: 5, row: u16::try_from(at - 4).expect("a row") });
    assert_eq!(rule(&mut low), at - 4);
}

#[test]
fn what_is_longer_than_a_small_screen_is_scrolled_to_its_last_line() {
    let mut desk = Desk::with(rows(), (40, 12));
    let parts: Vec<String> = (1..=20).map(|number| format!("part {number:02}")).collect();
    desk.model.say(parts.join(" · "));
    desk.press("i");
    let screen = desk.screen();
    assert!(screen.contains("part 07") && !screen.contains("part 08"), "{screen}");
    assert!(screen.contains("13 more below") && screen.contains("j k scroll"), "{screen}");
    desk.press("j");
    let screen = desk.screen();
    assert!(screen.contains("part 08") && !screen.contains("part 01"), "{screen}");
    desk.press("G");
    let screen = desk.screen();
    assert!(screen.contains("part 20") && !screen.contains("more below"), "{screen}");
    desk.press("k g g");
    assert!(desk.screen().contains("part 01"));
    desk.press("y");
    let Some(Effect::Copy(all)) = desk.effects.last() else { panic!("it is copied") };
    assert!(all.ends_with("part 20"), "all of it, wherever one has scrolled to");
}

#[test]
fn help_on_a_small_screen_cuts_no_text_and_keeps_the_cursor_in_view() {
    for keys in ["?", "Enter ?", "L ?"] {
        let mut desk = Desk::with(rows(), (40, 12));
        desk.press(keys);
        let Some(Sheet::Help(sheet)) = desk.model.sheets.last() else { panic!("it is open") };
        for row in sheet.clone().rows(&desk.model.keymap) {
            let screen = desk.screen();
            let means: Vec<&str> = match row {
                HelpRow::Command(command) => command.help.split(' ').collect(),
                HelpRow::Sign(_, means) => means.split(' ').collect(),
                HelpRow::Blank => Vec::new(),
            };
            let at = screen.lines().position(|line| line.starts_with('▌')).expect("a cursor");
            let text = |line: &str| line.chars().skip(15).collect::<String>().trim().to_owned();
            let shown: Vec<String> = screen.lines().skip(at).map(text).collect();
            let shown = shown.join(" ");
            assert!(shown.starts_with(&means.join(" ")), "{means:?} in {shown}");
            desk.press("j");
        }
    }
}

#[test]
fn a_row_whose_files_were_not_all_searched_says_so_by_a_sign_of_its_own() {
    let flag = |flag| FileFlag { path: RepoPath::new("big.txt"), flag, why: String::new() };
    let with = |flags| Row { flags: Some(flags), ..row("wide-oak") };
    let behind = |flags: Vec<FileFlag>| {
        let mut desk = Desk::with(vec![with(flags)], (80, 24));
        let line = line_of(&mut desk, "wide-oak");
        line.split("wide-oak").nth(1).unwrap_or_default()[..3].trim().to_owned()
    };
    assert_eq!(behind(Vec::new()), "");
    assert_eq!(behind(vec![flag(Flag::Unsearched)]), "·");
    assert_eq!(behind(vec![flag(Flag::Unsearched), flag(Flag::Secret)]), "!", "the graver one");
}

/// Both in characters alone; in a narrow list the name comes first.
#[test]
fn a_row_says_that_work_is_uncommitted_and_that_comments_were_answered() {
    let behind = |size, dirty, open: Option<OpenComments>| {
        let mut fleet = fleet(vec![Row { dirty, ..row("wide-oak") }]);
        fleet.open_comments = open.map(|open| (id("wide-oak"), Some(open))).into_iter().collect();
        let mut desk = Desk::with(fleet.rows.clone(), size);
        desk.press("R").answer(Slot::Fleet, Ok(Outcome::Fleet(fleet)));
        let line = line_of(&mut desk, "wide-oak");
        let rest = line.split("wide-oak").nth(1).unwrap_or_default();
        rest.split('✓').next().unwrap_or_default().trim().to_owned()
    };
    let open = |count, answered| Some(OpenComments { count, answered });
    assert_eq!(behind((80, 24), Some(false), None), "");
    assert_eq!(behind((80, 24), Some(true), open(2, 0)), "+", "it is the agent's turn");
    assert_eq!(behind((80, 24), Some(true), open(3, 2)), "+ c2");
    assert_eq!(behind((40, 12), Some(true), open(3, 2)), "c2");
    assert_eq!(behind((80, 24), None, None), "", "what is not known is not said");
}

/// The way out, too: it is never what a narrow screen leaves out.
#[test]
fn the_way_out_is_never_the_hint_that_goes() {
    for keys in ["m", "d", "u", "?", "L", "X", "C"] {
        let mut desk = Desk::with(rows(), (40, 24));
        desk.press(keys);
        let screen = desk.screen();
        let footer = screen.lines().last().unwrap_or_default();
        let is_said = footer.contains("Esc") || footer.contains("q close");
        assert!(is_said, "{keys}: {footer}");
    }
}

#[test]
fn rows_that_are_out_of_sight_are_counted() {
    let rows: Vec<Row> = (0..60).map(|number| row(&format!("row-{number}"))).collect();
    for (size, first, all) in [((80, 24), "49 more below", 60), (WIDE, "25 more below", 60)] {
        let mut desk = Desk::with(rows.clone(), size);
        assert!(desk.screen().contains(first), "{}", desk.screen());
        desk.press("G");
        assert!(desk.screen().contains("more above ─"), "{}", desk.screen());
        desk.press("g g").press(&"j ".repeat(all / 2 + 9));
        let screen = desk.screen();
        assert!(screen.contains(" above, ") && screen.contains(" below ─"), "{screen}");
        desk.press("d");
        assert!(!desk.screen().contains(" below ─") || size.0 == 80, "a sheet is below it");
    }
    let mut desk = Desk::with(rows[..3].to_vec(), WIDE);
    assert!(!desk.screen().contains("more "), "{}", desk.screen());
}
