//! Settling conflicts place by place, key by key, on the scenes' facts.

use shadowdeck::{
    app::{Context, Effect, Msg},
    review::{
        Resolution,
        weave::{Lines, Take},
    },
};

use crate::{
    desk::text,
    scenes::World,
    states::{three_names, two_places},
};

fn world() -> World {
    let mut world = World::new(120, 40);
    world.conflicts = two_places();
    world.press("/ c a l m Enter x");
    world
}

fn screen(world: &World) -> String {
    text(&world.draw(&shadowdeck::ui::theme::Theme::default()))
}

fn answer(world: &World) -> &str {
    world.model.answer.as_ref().map_or("", |answer| &answer.text)
}

fn takes(world: &World) -> Vec<Option<Take>> {
    world.conflicts.files[0].takes.clone()
}

fn is_settled(world: &World) -> bool {
    world.conflicts.files[0].conflict.resolution.is_some()
}

/// What would land, as the screen has it.
fn result(world: &World) -> String {
    let screen = world.model.conflicts.as_ref().expect("is open");
    let shown = screen.result.as_ref().expect("a text");
    String::from_utf8(shown.text.as_bytes().to_vec()).expect("UTF-8")
}

#[test]
fn each_place_is_chosen_and_the_next_open_one_comes() {
    let mut world = world();
    assert!(screen(&world).contains("src/api.rs   conflict 1 of 2   both changed fn first"));
    world.press("a");
    assert_eq!(answer(&world), "src/api.rs: 1 of 2: agent-calm-pine's · 1 choice to make");
    assert_eq!(takes(&world), [Some(Take::Shadow), None]);
    assert!(!is_settled(&world), "one place is open");
    assert!(
        screen(&world).contains("conflict 2 of 2   both changed fn second"),
        "{}",
        screen(&world)
    );
    assert!(screen(&world).contains("1/2"), "{}", screen(&world));
    world.press("[ m");
    let words = "m waits: 1 choice to make, next is src/api.rs conflict 2 of 2";
    assert_eq!(answer(&world), words);
    world.press("t");
    assert!(answer(&world).ends_with("main's · m lands with these choices"), "{}", answer(&world));
    assert!(is_settled(&world));
    let lands =
        "use std::fs;\n\nfn first() {\n    own_one();\n}\n\nfn second() {\n    two(1);\n}\n";
    assert_eq!(result(&world), lands);
    world.press("m");
    assert!(screen(&world).contains("Land agent-calm-pine on main"));
}

#[test]
fn both_stand_in_either_order_and_the_base_comes_back() {
    let mut world = world();
    world.press("b [ b");
    assert_eq!(takes(&world)[0], Some(Take::Swapped));
    assert!(result(&world).contains("    own_one();\n    main_one();\n"), "{}", result(&world));
    world.press("[ b");
    assert_eq!(takes(&world)[0], Some(Take::Both));
    world.press("[ 0");
    assert!(result(&world).contains("    one();\n"), "{}", result(&world));
}

#[test]
fn each_choice_is_taken_back_alone_and_made_again() {
    let mut world = world();
    world.press("a t u");
    assert_eq!(takes(&world), [Some(Take::Shadow), None]);
    world.press("u u");
    assert_eq!(takes(&world), [None, None]);
    world.press("ctrl-r ctrl-r");
    assert_eq!(takes(&world), [Some(Take::Shadow), Some(Take::Target)]);
    assert!(is_settled(&world));
    // A whole side replaces both, and is one choice.
    world.press("A");
    assert_eq!(world.conflicts.files[0].conflict.resolution, Some(Resolution::Shadow));
    world.press("u");
    assert_eq!(takes(&world), [Some(Take::Shadow), Some(Take::Target)]);
    // Within a whole side one place is chosen otherwise.
    world.press("T ] a");
    assert_eq!(takes(&world), [Some(Take::Target), Some(Take::Shadow)]);
}

#[test]
fn a_place_is_written_in_the_result_and_kept_by_esc() {
    let mut world = world();
    world.press("e");
    assert_eq!(world.model.context(), Context::Text);
    assert!(screen(&world).contains("yours to write"), "{}", screen(&world));
    world.press("Esc");
    assert_eq!(answer(&world), "nothing was changed");
    assert_eq!(takes(&world), [None, None]);
    world.press("e / / Enter Esc");
    let Some(Take::Text(Lines(written))) = takes(&world)[0].clone() else { panic!("is written") };
    assert_eq!(written, b"//\n    main_one();\n    own_one();\n");
    world.press("[ t");
    assert!(
        answer(&world).contains("your edit was replaced, u brings it back"),
        "{}",
        answer(&world)
    );
    world.press("u");
    assert_eq!(takes(&world)[0], Some(Take::Text(Lines(written))));
}

#[test]
fn a_marker_that_is_written_is_pointed_at_once() {
    let mut world = world();
    world.press("e > > > > > > > Enter Esc");
    assert!(answer(&world).starts_with("line 1 is a conflict marker"), "{}", answer(&world));
    assert_eq!(takes(&world), [None, None]);
    world.press("Esc");
    assert!(matches!(takes(&world)[0], Some(Take::Text(_))));
}

/// What the editor is given, and what is made of what it leaves.
fn edited(world: &mut World, change: impl FnOnce(&str) -> String) {
    world.press("E");
    let Some(Effect::EditText { name, text, line }) = world.effects.pop() else {
        panic!("{:?}", world.effects)
    };
    assert_eq!((&name[..], line), (&b"api.rs"[..], 4));
    let left = change(str::from_utf8(&text).expect("UTF-8"));
    world.send(Msg::TextEdited { from: "editor", outcome: Ok(left.into_bytes()) });
}

#[test]
fn an_editor_of_ones_own_settles_what_it_leaves_without_markers() {
    let mut world = world();
    edited(&mut world, str::to_owned);
    assert_eq!(answer(&world), "back from the editor: nothing was changed");
    let first = "<<<<<<< main\n    main_one();\n||||||| base\n    one();\n=======\n    own_one();\n>>>>>>> agent-calm-pine\n";
    edited(&mut world, |text| text.replace(first, "    mine();\n"));
    assert_eq!(takes(&world)[0], Some(Take::Text(Lines(b"    mine();\n".to_vec()))));
    assert_eq!(takes(&world)[1], None, "{}", answer(&world));
    assert!(answer(&world).contains("1 place still between markers"), "{}", answer(&world));
    world.press("u");
    // Other lines were changed too, and markers are left: nothing is taken, and nothing lost.
    let other = |text: &str| text.replace("use std::fs;", "use std::io;");
    edited(&mut world, other);
    assert!(
        answer(&world).contains("line 4 is a conflict marker: nothing is chosen"),
        "{}",
        answer(&world)
    );
    edited(&mut world, |text| {
        assert!(text.contains("std::io"), "what was written is there again");
        text.to_owned()
    });
    let kept = &world.conflicts.files[0].conflict.resolution;
    let Some(Resolution::Text(Lines(text))) = kept else { panic!("{kept:?}") };
    assert!(text.starts_with(b"use std::io;"));
}

#[test]
fn names_of_one_file_are_one_choice() {
    for (key, words, kept) in [
        (
            "t",
            "it is named src/new.rs",
            [Resolution::Target, Resolution::Delete, Resolution::Delete],
        ),
        (
            "a",
            "it is named src/other.rs",
            [Resolution::Delete, Resolution::Delete, Resolution::Shadow],
        ),
        (
            "b",
            "both are kept, src/new.rs and src/other.rs",
            [Resolution::Target, Resolution::Delete, Resolution::Shadow],
        ),
    ] {
        let mut world = World::new(120, 40);
        world.conflicts = three_names();
        world.press("/ c a l m Enter x");
        assert!(screen(&world).contains("1 choice to make"), "{}", screen(&world));
        assert!(
            screen(&world).contains("t name it new.rs   a name it other.rs"),
            "{}",
            screen(&world)
        );
        world.press(key);
        assert!(answer(&world).contains(words), "{}", answer(&world));
        let answers: Vec<_> =
            world.conflicts.files.iter().map(|f| f.conflict.resolution.clone()).collect();
        assert_eq!(answers, kept.map(Some));
        world.press("u");
        assert!(world.conflicts.files.iter().all(|file| file.conflict.resolution.is_none()));
    }
}

/// Its lines are chosen once, whatever its names become; the name is a choice of its own.
#[test]
fn lines_and_name_of_a_renamed_file_are_chosen_apart() {
    let mut world = World::new(120, 40);
    let own = two_places().files.remove(0);
    world.conflicts = three_names();
    let versions = own.conflict.sides().map(|entry| entry.expect("all three").clone());
    for at in [0, 2] {
        let file = &mut world.conflicts.files[at];
        (file.weave, file.takes) = (own.weave.clone(), own.takes.clone());
        file.conflict.versions = Some(versions.clone());
    }
    world.press("/ c a l m Enter x");
    assert!(screen(&world).contains("3 choices to make"), "{}", screen(&world));
    world.press("t a");
    for at in [0, 2] {
        let takes = &world.conflicts.files[at].takes;
        assert_eq!(*takes, [Some(Take::Target), Some(Take::Shadow)], "{}", answer(&world));
    }
    assert!(answer(&world).ends_with("1 choice to make"), "{}", answer(&world));
    assert!(screen(&world).contains("t name it new.rs   a name it other.rs"), "{}", screen(&world));
    world.press("a");
    assert!(answer(&world).contains("it is named src/other.rs"), "{}", answer(&world));
    assert!(answer(&world).ends_with("m lands with these choices"), "{}", answer(&world));
    let answers = |world: &World| -> Vec<_> {
        world.conflicts.files.iter().map(|file| file.conflict.resolution.clone()).collect()
    };
    let named = answers(&world);
    assert_eq!(named[..2], [Some(Resolution::Delete), Some(Resolution::Delete)]);
    assert!(matches!(named[2], Some(Resolution::Places(_))), "{named:?}");
    // Named otherwise, its lines go along.
    world.press("u t");
    let named = answers(&world);
    assert!(matches!(named[0], Some(Resolution::Places(_))), "{named:?}");
    assert_eq!(named[1..], [Some(Resolution::Delete), Some(Resolution::Delete)]);
    world.press("u u u");
    assert!(screen(&world).contains("3 choices to make"), "{}", screen(&world));
    world.press("A");
    let whole = [Some(Resolution::Delete), Some(Resolution::Delete), Some(Resolution::Shadow)];
    assert_eq!(answers(&world), whole);
}

#[test]
fn what_was_chosen_before_is_shown_as_that() {
    let mut world = world();
    world.press("a t");
    world.conflicts.files[0].is_reused = true;
    world.press("R");
    assert!(screen(&world).contains("as chosen before"), "{}", screen(&world));
    // The agent goes on, and one place is another now.
    let mut moved = two_places();
    moved.snapshot = crate::scenes::facts::oid("moved");
    moved.files[0].takes = vec![Some(Take::Shadow), None];
    world.conflicts = moved;
    world.press("R");
    assert_eq!(answer(&world), "computed anew: 1 choice holds, 1 to look at");
}
