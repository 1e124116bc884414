//! Conflicts key by key: lines that are longer than the screen, the sides beside each other, and what a key that does
//! nothing says.

use shadowdeck::{
    app::Screen,
    review::{ConflictKind, ConflictPage, weave::Take},
    ui::theme::Theme,
};

use crate::{
    desk::text,
    scenes::{World, facts},
    states::two_places,
};

fn world(page: ConflictPage) -> World {
    let mut world = World::new(120, 40);
    world.conflicts = page;
    world.press("/ c a l m Enter x");
    world
}

fn screen(world: &World) -> String {
    text(&world.draw(&Theme::default()))
}

fn answer(world: &World) -> &str {
    world.model.answer.as_ref().map_or("", |answer| &answer.text)
}

/// Both sides changed the end of a line of 60 kB.
fn long() -> ConflictPage {
    let mut page = facts::conflict_page();
    let line = |end: &str| format!("first\n{}END {end}\nlast\n", "x".repeat(60_000));
    let (base, target, shadow) = (line("base"), line("main"), line("own"));
    let versions = [&base, &target, &shadow].map(|text| Some(&text[..]));
    page.files = vec![facts::conflict("app.js", ConflictKind::Content, versions)];
    page
}

#[test]
fn a_search_shows_its_match_however_far_in_a_line() {
    let mut world = world(long());
    world.press("/ E N D Enter");
    assert!(screen(&world).contains("END "), "{}", screen(&world));
    // Back at the beginning the same line is gone to again, and then the next one.
    let scrolled = world.model.conflicts.as_ref().expect("is open").scroll;
    assert!(scrolled > 59_000, "{scrolled}");
    world.press("n");
    assert!(screen(&world).contains("END main"), "{}", screen(&world));
    world.press("Esc");
    assert_eq!(world.model.screen(), Screen::Conflicts);
}

#[test]
fn the_end_of_a_long_line_is_scrolled_to_and_wraps_over_more_than_two_rows() {
    let mut scrolls = world(long());
    scrolls.press("Tab");
    let mut presses = 0;
    while !screen(&scrolls).contains("END own") {
        scrolls.press("l");
        presses += 1;
        assert!(presses < 200, "{}", screen(&scrolls));
    }
    let mut wraps = world(long());
    wraps.press("w");
    let of_a_side = |rail: &str| {
        let screen = screen(&wraps);
        let rows = screen.lines().filter(|row| row.contains(&format!("│ {rail}")));
        rows.filter(|row| row.contains("xxxxxxxxxxxxxxxxxxxxxxxxxxxxxx")).count()
    };
    assert!(of_a_side("t") > 4 && of_a_side("a") > 4, "{}", screen(&wraps));
}

#[test]
fn an_answer_of_i_is_closed_before_the_screen_is_left() {
    let mut world = world(two_places());
    world.press("i");
    assert!(answer(&world).ends_with("it is open: t a b 0 e choose"), "{}", answer(&world));
    world.press("Esc");
    assert_eq!(world.model.screen(), Screen::Conflicts);
    assert_eq!(answer(&world), "");
    world.press("Esc");
    assert_eq!(world.model.screen(), Screen::Fleet);
}

#[test]
fn b_again_is_the_other_order_of_the_same_place() {
    let mut world = world(two_places());
    world.press("b");
    let takes = |world: &World| world.conflicts.files[0].takes.clone();
    assert_eq!(takes(&world), [Some(Take::Both), None]);
    assert!(answer(&world).contains("b again: the other order"), "{}", answer(&world));
    world.press("b");
    assert_eq!(takes(&world), [Some(Take::Swapped), None]);
    world.press("b Space b");
    assert_eq!(takes(&world), [Some(Take::Both), Some(Take::Both)]);
}

#[test]
fn a_whole_side_is_one_choice_whatever_places_it_settles() {
    let mut world = world(two_places());
    world.press("A");
    assert!(screen(&world).contains("m land with 1 choice "), "{}", screen(&world));
}

#[test]
fn beside_each_other_the_place_stands_in_one_row_and_plus_says_where_it_can_do_nothing() {
    let mut page = facts::conflict_page();
    let base: String = (0..60).map(|line| format!("line {line}\n")).collect();
    let target = format!("new 1\nnew 2\nnew 3\n{base}").replace("line 50\n", "main 50\n");
    let shadow = base.replace("line 50\n", "own 50\n");
    let versions = [&base, &target, &shadow].map(|text| Some(&text[..]));
    page.files = vec![facts::conflict("a.txt", ConflictKind::Content, versions)];
    let mut world = world(page);
    world.press("s");
    let screen = screen(&world);
    let same = screen.lines().any(|row| row.contains("main 50") && row.contains("own 50"));
    assert!(same, "{screen}");
    let mut world = self::world(two_places());
    world.press("s Tab +");
    assert!(answer(&world).contains("all the room"), "{}", answer(&world));
}

#[test]
fn what_is_written_stands_in_its_numbered_place_among_its_lines() {
    let mut world = world(two_places());
    world.press("e");
    let shown = screen(&world);
    let rows: Vec<&str> = shown.lines().skip_while(|row| !row.contains("yours to write")).collect();
    for (row, words) in rows[1..].iter().zip([
        ["2", ""],
        ["3", "fn first() {"],
        ["e", "4"],
        ["e", "5"],
        ["6", "}"],
        ["7", ""],
    ]) {
        let right = row.split_once('│').expect("a list at the left").1;
        let fields: Vec<&str> = right.splitn(2, words[0]).collect();
        assert!(fields.len() == 2 && fields[1].contains(words[1]), "{words:?}\n{shown}");
    }
}
