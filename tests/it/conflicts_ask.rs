//! A conflict handed back to the agent: a comment with all three versions, asked once, taken back like any other.

use std::fs;

use serde_json::{Value, json};

use shadowdeck::review::comment::Author;

use crate::{
    desk::text,
    scenes::World,
    states::two_places,
    support::{Fixture, fingerprint, write},
};

const README: &str = "1\n2\n3\n4\n5\n```\n7\n";

/// `README.md` is changed by both, `gone.txt` deleted by one and edited by the other, `icon` is binary.
fn conflicted() -> (Fixture, std::path::PathBuf) {
    let fixture = Fixture::new();
    fixture.write("README.md", README);
    fixture.write("gone.txt", "g\n");
    fixture.write("icon", "\0base");
    fixture.commit("three files");
    let shadow = fixture.shadow("one");
    write(&shadow, "README.md", README.replace('5', "the agent's"));
    write(&shadow, "gone.txt", "edited\n");
    write(&shadow, "icon", "\0shadow");
    fixture.write("README.md", README.replace('5', "main's"));
    fixture.write("icon", "\0main's");
    fs::remove_file(fixture.repository.join("gone.txt")).unwrap();
    fixture.commit("main moves");
    (fixture, shadow)
}

fn ask(fixture: &Fixture, paths: &[&str]) -> (i32, Value) {
    let run = fixture.program([&["conflicts", "one", "--json", "--ask"], paths].concat());
    (run.exit_code, run.json())
}

fn notes(fixture: &Fixture) -> Vec<Value> {
    let json = fixture.program(["notes", "one", "--json"]).json();
    json["notes"].as_array().unwrap().clone()
}

#[test]
fn each_conflict_becomes_a_note_with_its_three_versions_and_no_repository_is_written() {
    let (fixture, shadow) = conflicted();
    let state = || (fixture.refs(), fingerprint(&shadow), fixture.git(["status", "--porcelain"]));
    let before = state();
    let (exit_code, json) = ask(&fixture, &[]);
    assert_eq!((exit_code, &json["notes"]), (0, &json!([1, 2, 3])), "{json}");
    assert_eq!(json["files"].as_array().unwrap().len(), 3);
    let notes = notes(&fixture);
    let texts: Vec<&str> = notes.iter().map(|note| note["text"].as_str().unwrap()).collect();
    assert_eq!(notes[0]["path"], "README.md");
    assert_eq!((&notes[0]["author"], &notes[0]["line"]), (&json!("reviewer"), &Value::Null));
    assert!(texts[0].starts_with("README.md conflicts with main (content).\n"), "{}", texts[0]);
    let main = fixture.git(["rev-parse", "main"]);
    let base = fixture.git(["rev-parse", "main~1"]);
    assert!(texts[0].contains(&format!("for main at {main}, since {base}.")), "{}", texts[0]);
    assert!(texts[0].contains("shadowdeck notes one --resolve N"));
    for (whose, line) in [
        ("The base, before both", "5"),
        ("The target, main", "main's"),
        ("The shadow, one", "the agent's"),
    ] {
        let version = README.replace('5', line);
        let section = format!("\n{whose}:\n\n````\n{version}````\n");
        assert!(texts[0].contains(&section), "{section}\n{}", texts[0]);
    }
    assert!(texts[1].contains("(modify/delete)"), "{}", texts[1]);
    assert!(texts[1].contains("The target, main: it has no such file.\n"), "{}", texts[1]);
    let icon = fixture.git(["rev-parse", "main:icon"]);
    assert!(
        texts[2].contains(&format!("The target, main: binary, 7 bytes, {icon}.\n")),
        "{}",
        texts[2]
    );
    assert!(texts[2].contains("The base, before both: binary, 5 bytes, "), "{}", texts[2]);
    assert_eq!(state(), before);
}

#[test]
fn the_same_conflict_is_asked_about_once_and_anew_when_a_version_is_another() {
    let (fixture, shadow) = conflicted();
    let run = fixture.program(["conflicts", "one", "--ask", "README.md", "gone.txt"]);
    assert!(run.text().contains("asked the agent about README.md as note 1; "), "{}", run.text());
    assert!(run.text().contains("asked the agent about gone.txt as note 2; "), "{}", run.text());
    let (exit_code, json) = ask(&fixture, &["icon", "gone.txt"]);
    assert_eq!((exit_code, &json["error"]["code"]), (4, &json!("already_exists")), "{json}");
    assert_eq!(json["error"]["details"]["number"], 2);
    let (exit_code, json) = ask(&fixture, &["README.md", "none.txt"]);
    assert_eq!((exit_code, &json["error"]["code"]), (4, &json!("not_found")), "{json}");
    assert_eq!(notes(&fixture).len(), 2, "all of it, or nothing");
    write(&shadow, "gone.txt", "edited again\n");
    let (exit_code, json) = ask(&fixture, &["gone.txt"]);
    assert_eq!((exit_code, &json["notes"]), (0, &json!([3])), "{json}");
}

#[test]
fn the_cockpit_asks_about_the_file_under_the_cursor_once() {
    let mut world = World::new(140, 40);
    world.conflicts = two_places();
    world.press("/ c a l m Enter x : a s k Space t h e Space a g e n t Enter");
    assert_eq!(world.threads.len(), 1);
    let thread = &world.threads[0];
    assert_eq!(thread.spot.path.to_lossy(), "src/api.rs");
    let post = &thread.posts[0];
    assert_eq!(post.author, Author::Reviewer);
    for line in ["    one();\n", "    main_one();\n", "    own_one();\n"] {
        assert!(post.text.contains(line), "{}", post.text);
    }
    let number = thread.number;
    let said = |world: &World| world.model.answer.as_ref().unwrap().text.clone();
    let words = format!(
        "asked the agent about src/api.rs as note {number} · it reads: shadowdeck notes agent-calm-pine · \
         u takes it back"
    );
    assert_eq!(said(&world), words);
    world.press(": a s k Space t h e Space a g e n t Enter");
    assert_eq!(world.threads.len(), 1);
    // It stands among what `u` takes back, after the choice before it and before the one after it.
    world.press("u");
    assert_eq!(said(&world), format!("taken back: comment {number} · ctrl-r does it again"));
    assert!(world.threads[0].posts[0].is_taken_back);
    world.press("ctrl-r");
    assert!(!world.threads[0].posts[0].is_taken_back);
    world.press(": a s k Space t h e Space a g e n t Enter");
    let screen = text(&world.draw(&shadowdeck::ui::theme::Theme::default()));
    assert!(screen.contains(&format!("in note {number}")), "{screen}");
}
