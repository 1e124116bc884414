//! Finding: a text across all files, folded or not; a key in help; a command by its name.

use shadowdeck::{
    app::{Context, Sheet, palette, review::ReviewScreen},
    review::{Content, FileStatus},
    ui::theme::Theme,
};

use crate::{
    desk::{Desk, rows, text},
    scenes::{World, facts},
};

fn answer(world: &World) -> &str {
    world.model.answer.as_ref().map_or("", |answer| &answer.text)
}

/// One changed line with the word, and two in a lockfile.
fn world() -> World {
    let files = vec![
        facts::text_file("a.rs", Some("before\n"), Some("a needle\n")),
        facts::text_file("Cargo.lock", Some("v1\n"), Some("Needle 1\nneedle 2\n")),
    ];
    World::with_pages(120, 40, vec![facts::page("agent-swift-fox", files)])
}

#[test]
fn search_counts_what_is_folded_and_n_goes_on_into_it() {
    let mut world = world();
    world.press("Enter / n e e d l e Enter");
    assert_eq!(
        answer(&world),
        "match 1 of 1, 2 more in what is folded of needle · n N walk them",
        "small letters match both cases"
    );
    world.press("n");
    assert_eq!(answer(&world), "match 2 of 3 of needle", "the lockfile is open");
    world.press("n n");
    assert_eq!(answer(&world), "match 1 of 3 of needle, around the end");
    world.press("/ z q z Enter");
    assert_eq!(answer(&world), "no match of zqz");
    for key in ["n", "N"] {
        world.press("j").press(key);
        assert_eq!(answer(&world), "no match of zqz", "{key}");
    }
    world.press("Esc n");
    assert_eq!(answer(&world), "n: nothing is searched for · / searches");
}

#[test]
fn a_search_says_which_files_it_did_not_look_into() {
    let named = |path, content| facts::with_content(path, FileStatus::Modified, content);
    let large = named("big.sql", Content::TooLarge { size: 90_000_000, size_max: 50_000_000 });
    let lost = named("gone.txt", Content::Unreadable { why: "it is gone".to_owned() });
    let read = facts::text_file("z.txt", Some("a\n"), Some("b\n"));
    let pages = vec![facts::page("agent-swift-fox", vec![large, lost, read])];
    let mut world = World::with_pages(120, 40, pages);
    world.press("Enter / q z q Enter");
    let words = "no match of qzq · not looked into: 2 files";
    assert_eq!(answer(&world), words);
    world.press("n");
    assert_eq!(answer(&world), words);
    world.press("Esc / b Enter");
    assert_eq!(answer(&world), "match 1 of 1 of b · not looked into: 2 files · n N walk them");
    assert!(
        text(&world.draw(&Theme::default()))
            .contains("1 matching line of b · not looked into: 2 files")
    );
}

#[test]
fn backwards_too_what_is_folded_opens() {
    let mut world = world();
    world.press("Enter / n e e d l e Enter N");
    assert_eq!(answer(&world), "match 3 of 3 of needle, around the end");
}

/// The lines of the list above the field, and the file that the cursor of the diff is in.
fn list_of_files(world: &World) -> (Vec<String>, usize) {
    let shown = text(&world.draw(&Theme::default()));
    let lines = shown.lines().skip_while(|line| !line.contains("─ Files "));
    let listed = lines.map(str::trim_end).map(str::to_owned).collect();
    let here = world.model.review.as_ref().and_then(ReviewScreen::file_index);
    (listed, here.expect("it is in a file"))
}

#[test]
fn files_are_listed_by_what_is_typed_and_chosen_by_arrows() {
    let names = ["src/api.rs", "src/api/call.rs", "docs/api.md", "README.md"];
    let file = |name: &&str| facts::text_file(name, Some("a\n"), Some("b\n"));
    let files = names.iter().map(file).collect();
    let mut world = World::with_pages(120, 40, vec![facts::page("agent-swift-fox", files)]);
    world.press("Enter r } } ctrl-p");
    let (listed, here) = list_of_files(&world);
    assert!(listed[0].contains("4 found"), "{listed:?}");
    assert!(listed.iter().any(|line| line.contains("▌ docs/api.md")), "{listed:?}");
    assert!(listed.iter().any(|line| line.contains("M +1 −1 · read")), "{listed:?}");
    assert_eq!(here, 2);
    world.press("a p i");
    let (listed, here) = list_of_files(&world);
    assert!(listed[0].contains("3 found"), "{listed:?}");
    assert_eq!(here, 2, "nothing moves while it is typed");
    world.press("ctrl-n Down ctrl-p Enter");
    let (_, chosen) = list_of_files(&world);
    assert!(listed[2].contains(names[chosen]), "{chosen} of {listed:?}");
    world.press("ctrl-o");
    assert_eq!(list_of_files(&world).1, 2, "and back");
    world.press("ctrl-p z z z Enter");
    assert_eq!(answer(&world), "there is no file like `zzz` here");
    assert_eq!(list_of_files(&world).1, 2);
}

#[test]
fn a_search_in_help_that_finds_nothing_says_so() {
    let mut desk = Desk::with(rows(), (120, 40));
    desk.press("? / z q");
    assert_eq!(desk.answer_text(), "no key here has zq in it");
    desk.press("Backspace Backspace l");
    assert_eq!(desk.answer_text(), "");
}

#[test]
fn the_palette_has_the_screen_s_own_commands_first_each_once() {
    for (keys, context) in [("", Context::Fleet), ("L", Context::Log)] {
        let mut desk = Desk::with(rows(), (120, 40));
        desk.press(keys).press(":");
        let Some(Sheet::Palette(open)) = desk.model.sheets.last() else { panic!("it is open") };
        let items = palette::items(&desk.model, open);
        let own = shadowdeck::app::command::commands().find(|command| command.context == context);
        assert_eq!(items.first().map(|item| item.name.as_str()), own.map(|command| command.name));
        let mut names: Vec<_> = items.iter().map(|item| item.name.clone()).collect();
        let all = names.len();
        names.sort();
        names.dedup();
        assert_eq!(names.len(), all, "{context:?}");
    }
    let mut desk = Desk::with(rows(), (120, 40));
    desk.press(": m");
    let Some(Sheet::Palette(open)) = desk.model.sheets.last() else { panic!("it is open") };
    let first = palette::items(&desk.model, open).swap_remove(0);
    assert_eq!(first.name, "land.shadow", "a key finds what it does");
}
