//! Review and Conflicts as a person sees them: the characters, then the styles, at three sizes.

use crate::{matrix, scenes::World};

#[track_caller]
fn check(name: &str, keys: &str) {
    for (columns, rows) in [(40, 12), (80, 24), (120, 40), (200, 60)] {
        let mut world = World::new(columns, rows);
        world.press(keys);
        matrix::keep(&format!("{name}_{columns}x{rows}"), &|theme| world.draw(theme));
    }
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
