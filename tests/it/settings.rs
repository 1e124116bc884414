//! The user's settings file through the program: a fault is shown, and reading goes on.

use crate::support::{Fixture, write};

#[test]
fn a_fault_in_the_settings_is_told_with_its_line_and_does_not_stop_the_list() {
    let fixture = Fixture::new();
    fixture.shadow("one");
    // On Linux and macOS alike, below the home directory that the fixture gives.
    for dir in [".config/shadowdeck", "Library/Application Support/shadowdeck"] {
        let file = fixture.root().join("home").join(dir);
        write(&file, "config.toml", "theme = 'dark'\n\n[stale]\nidle_dayz = 3\n");
    }
    let run = fixture.program(["list", "--json"]);
    assert_eq!(run.exit_code, 0, "{}", run.stderr);
    assert_eq!(run.json()["worktrees"].as_array().map(Vec::len), Some(1));
    assert!(run.stderr.contains("line 4"), "{}", run.stderr);
    assert!(run.stderr.contains("stale.idle_dayz"), "{}", run.stderr);
}
