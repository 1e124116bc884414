//! An agent asks for review: what it says is kept with the shadow, shown first, and ends with what answers it.

use serde_json::{Value, json};

use crate::support::{Fixture, write};

fn row(fixture: &Fixture) -> Value {
    fixture.program(["show", "one", "--json"]).json()["worktree"].clone()
}

fn requested(fixture: &Fixture) -> Value {
    row(fixture)["requested"].clone()
}

#[test]
fn an_agent_asks_from_inside_its_shadow_and_says_it_anew() {
    let fixture = Fixture::new();
    fixture.write("a.txt", "a\n");
    fixture.commit("base");
    let shadow = fixture.shadow("one");
    write(&shadow, "a.txt", "b\n");
    let ask = |args: &[&str]| fixture.program_in(&shadow, args, b"");
    let run = ask(&["request", "one"]);
    assert_eq!(run.exit_code, 0, "{}", run.stderr);
    assert_eq!(requested(&fixture), "");
    let run = ask(&["request", "one", "-m", "retry\nall \u{1b}[31m calls", "--json"]);
    let expected = json!({"id": "one", "requested": "retry\nall \u{1b}[31m calls", "replaced": ""});
    assert_eq!(run.json(), expected);
    let text = fixture.program(["show", "one"]).text();
    assert!(text.contains("asks for review: retry") && !text.contains('\u{1b}'), "{text}");
    // What is refused leaves what was asked before.
    let (most, more) = ("é".repeat(2000), "é".repeat(2001));
    for wrong in ["", " \n", &more] {
        let run = ask(&["request", "one", "-m", wrong, "--json"]);
        assert_eq!((run.exit_code, &run.json()["error"]["code"]), (4, &json!("invalid_message")));
    }
    assert_eq!(requested(&fixture), expected["requested"]);
    assert_eq!(ask(&["request", "one", "-m", &most]).exit_code, 0);
    assert_eq!(requested(&fixture), most);
    let run = ask(&["request", "nobody", "--json"]);
    assert_eq!((run.exit_code, &run.json()["error"]["code"]), (4, &json!("not_found")));
    assert_eq!(std::fs::read(shadow.join("a.txt")).unwrap(), b"b\n");
    assert_eq!(fixture.program_in(&shadow, ["land", "one", "--yes"], b"").exit_code, 4);
}

#[test]
fn landing_rolling_back_and_discarding_end_it_and_undo_brings_it_back() {
    let fixture = Fixture::new();
    fixture.write("a.txt", "a\n");
    fixture.write("b.txt", "a\n");
    fixture.commit("base");
    fixture.program(["create", "--id", "one"]);
    let shadow = std::path::PathBuf::from(row(&fixture)["path"].as_str().unwrap());
    for name in ["a.txt", "b.txt"] {
        write(&shadow, name, "b\n");
    }
    let done = |args: &[&str]| {
        let run = fixture.program(args);
        assert_eq!(run.exit_code, 0, "{args:?}: {}", run.stderr);
    };
    done(&["request", "one", "-m", "look"]);
    done(&["commit", "one", "-m", "work"]);
    assert_eq!(requested(&fixture), "look", "a commit answers nothing");
    done(&["rollback", "one", "--yes"]);
    assert_eq!(requested(&fixture), Value::Null);
    done(&["undo", "--yes"]);
    assert_eq!(requested(&fixture), "look");
    done(&["discard", "one", "--yes"]);
    done(&["undo", "--yes"]);
    assert_eq!(requested(&fixture), "look");
    done(&["land", "one", "--only", "a.txt", "--yes"]);
    assert_eq!(requested(&fixture), "look", "the rest still asks");
    done(&["land", "one", "--keep", "--yes"]);
    assert_eq!(requested(&fixture), Value::Null);
    done(&["undo", "--yes"]);
    assert_eq!(requested(&fixture), "look");
}
