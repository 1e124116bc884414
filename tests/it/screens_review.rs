//! Review and Conflicts as a person sees them: the characters, then the styles, at three sizes.

use shadowdeck::ui::{
    glyphs::Glyphs,
    theme::{Depth, Ground, Theme},
};

use crate::{desk::styled, scenes::World};

fn check(name: &str, keys: &str) {
    for (columns, rows) in [(40, 12), (80, 24), (120, 40), (200, 60)] {
        let mut world = World::new(columns, rows);
        world.press(keys);
        keep(&format!("{name}_{columns}x{rows}"), &styled(&world.draw(&Theme::default())));
    }
}

#[track_caller]
fn keep(name: &str, picture: &str) {
    insta::with_settings!({ omit_expression => true, prepend_module_to_snapshot => false }, {
        insta::assert_snapshot!(name, picture);
    });
}

const TO_CONFLICTS: &str = "/ c a l m Enter x";

#[test]
fn review_opens_at_the_first_unread_file() {
    check("review", "Enter");
}

#[test]
fn review_reads_on() {
    check("review_read_on", "Enter Space ] j");
}

#[test]
fn review_lists_its_files() {
    check("review_files", "Enter Tab");
}

#[test]
fn review_finds_text() {
    check("review_search", "Enter / u r l Enter n");
}

#[test]
fn conflicts_show_both_sides() {
    check("conflicts", TO_CONFLICTS);
}

#[test]
fn conflicts_show_what_would_land() {
    check("conflicts_result", &format!("{TO_CONFLICTS} a T ["));
}

#[test]
fn conflicts_word_a_deletion_as_one() {
    check("conflicts_delete", &format!("{TO_CONFLICTS} ] ]"));
}

#[test]
fn characters_alone_tell_the_screens_apart() {
    let theme = Theme::built_in(Ground::Dark, Depth::None, &Glyphs::ASCII);
    for (name, keys) in [("review", "Enter Space"), ("conflicts", TO_CONFLICTS)] {
        let mut world = World::new(100, 30);
        world.press(keys);
        keep(&format!("{name}_ascii"), &styled(&world.draw(&theme)));
    }
}

#[test]
fn review_stands_side_by_side_and_wraps() {
    let theme = Theme::default();
    for (name, keys) in
        [("beside", "Enter Space s ]"), ("wrapped", "Enter Space w"), ("committed", "Enter 4 W")]
    {
        let mut world = World::new(120, 40);
        world.press(keys);
        keep(&format!("review_{name}_120x40"), &styled(&world.draw(&theme)));
    }
}

#[test]
fn sixteen_colours_and_none_show_the_same_characters() {
    let depths = [("16", Depth::Sixteen), ("none", Depth::None)];
    for (name, keys) in [("review", "Enter Space v j"), ("conflicts", TO_CONFLICTS)] {
        let mut world = World::new(80, 24);
        world.press(keys);
        let colours = crate::desk::text(&world.draw(&Theme::default()));
        for (depth_name, depth) in depths {
            let theme = Theme::built_in(Ground::Dark, depth, &Glyphs::UNICODE);
            let picture = world.draw(&theme);
            assert_eq!(crate::desk::text(&picture), colours, "{name} in {depth_name}");
            keep(&format!("{name}_{depth_name}_80x24"), &styled(&picture));
        }
    }
}
