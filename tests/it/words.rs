//! What the command line says: true, once, and with a way on. Wording itself may change; these laws may not.

use std::{fs, path::Path};

use crate::support::{Fixture, root, write};

fn sources(dir: &Path, found: &mut Vec<(String, String)>) {
    for entry in fs::read_dir(dir).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            sources(&path, found);
        } else {
            found.push((path.display().to_string(), fs::read_to_string(&path).unwrap()));
        }
    }
}

#[test]
fn a_hint_is_something_to_do_and_what_is_safe_is_said_beside_it() {
    let mut found = Vec::new();
    sources(&root().join("src"), &mut found);
    for (file, text) in found {
        for after in text.split(".hint(").skip(1) {
            let words = after.trim_start().trim_start_matches("format!(").trim_start();
            let words = words.trim_start_matches('"');
            assert!(!words.starts_with("nothing "), "{file}: a hint that begins `{:.60}`", words);
        }
    }
}

#[test]
fn a_refusal_says_once_that_nothing_was_changed() {
    let fixture = Fixture::new();
    let shadow = fixture.shadow("one");
    write(&shadow, "README.md", "theirs\n");
    fixture.write("README.md", "ours\n");
    fixture.commit("ours");
    for args in [
        &["land", "one", "--yes"][..],
        &["land", "one", "-m", "", "--yes"],
        &["discard", "one"],
        &["undo", "nonsense", "--yes"],
        &["undo", "--yes"],
        &["land", "nobody", "--yes"],
    ] {
        let run = fixture.program(args);
        assert_ne!(run.exit_code, 0, "{args:?}");
        assert_eq!(
            run.stderr.matches("nothing was changed").count(),
            1,
            "{args:?}: {}",
            run.stderr
        );
        assert_eq!(run.stderr.matches("\nhint: ").count(), 1, "{args:?}: {}", run.stderr);
        let json = fixture.program([args, &["--json"]].concat()).json();
        let help = json["error"]["help"].as_str().unwrap();
        assert!(!help.contains("nothing was changed"), "{args:?}: {help}");
        assert_eq!(json["error"]["details"]["safe"], "nothing was changed", "{args:?}");
    }
}

#[test]
fn what_is_only_the_beginning_of_a_name_is_told_as_that() {
    let fixture = Fixture::new();
    for name in ["three", "thread", "one"] {
        fixture.shadow(name);
    }
    let told = |handle: &str| {
        let json = fixture.program(["land", handle, "--yes", "--json"]).json();
        assert_eq!(json["error"]["code"], "not_found", "{handle}");
        json["error"]["message"].as_str().unwrap().to_owned()
    };
    assert_eq!(told("on"), "`on` is only the beginning of one");
    assert_eq!(told("thr"), "`thr` is only the beginning of thread and three");
    assert_eq!(told("x"), "there is no shadow `x`");
    assert!(told("").contains("empty"));
    let shown = fixture.program(["show", "x"]);
    assert!(!shown.stderr.contains("land"), "{}", shown.stderr);
}
