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
            assert!(!words.starts_with("nothing "), "{file}: a hint that begins `{words:.60}`");
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

#[test]
fn an_operation_is_named_by_its_beginning_where_that_fits_one_alone() {
    let fixture = Fixture::new();
    for name in ["one", "two"] {
        fixture.shadow(name);
        assert_eq!(fixture.program(["discard", name, "--yes"]).exit_code, 0);
    }
    let log = fixture.program(["log", "--json"]).json();
    let name = log["operations"][1]["operation"].as_str().unwrap().to_owned();
    let undo = |name: &str| fixture.program(["undo", name, "--yes", "--json"]);
    let both = undo(&name[..4]);
    assert_eq!(both.error_code(), "ambiguous");
    assert_eq!(both.json()["error"]["details"]["candidates"].as_array().unwrap().len(), 2);
    assert_eq!(undo(&name[..3]).error_code(), "not_found");
    assert_eq!(undo("").error_code(), "not_found");
    let other = log["operations"][0]["operation"].as_str().unwrap();
    let shared = name.bytes().zip(other.bytes()).take_while(|(a, b)| a == b).count();
    let undone = undo(&name[..=shared].to_ascii_lowercase());
    assert_eq!(undone.json()["undone"], name.as_str(), "{}", undone.stderr);
}

#[test]
fn nothing_stale_is_not_no_shadows() {
    let fixture = Fixture::new();
    assert!(fixture.program(["list", "--stale"]).text().contains("create"));
    fixture.shadow("one");
    let text = fixture.program(["list", "--stale"]).text();
    assert!(text.contains("nothing is stale") && !text.contains("no shadows"), "{text}");
}

#[test]
fn show_names_the_branch_once() {
    let fixture = Fixture::new();
    fixture.shadow("one");
    let text = fixture.program(["show", "one"]).text();
    assert_eq!(text.matches("aide-shadow/one").count(), 1, "{text}");
}

#[test]
fn a_repository_without_a_commit_is_told_alike_by_list_and_create() {
    let fixture = Fixture::unborn();
    let told = |args: &[&str]| fixture.program([args, &["--json"]].concat()).json();
    assert_eq!(told(&["create"])["error"], told(&["list"])["error"]);
    let invalid = told(&["create", "--id", "No Id"]);
    assert_eq!(invalid["error"]["code"], "invalid_id");
}

#[test]
fn path_without_a_file_is_the_shadow_itself() {
    let fixture = Fixture::new();
    let shadow = fixture.shadow("one").display().to_string() + "\n";
    for args in [&["path", "one"][..], &["path", "one", "."], &["path", "one", "./"]] {
        assert_eq!(fixture.program(args).text(), shadow, "{args:?}");
    }
    assert_eq!(
        fixture.program(["path", "one", "./a/./b"]).text().trim(),
        format!("{}/a/b", shadow.trim())
    );
}

#[test]
fn an_unknown_theme_costs_itself_alone() {
    let fixture = Fixture::new();
    let config = fixture.root().join("home/.config/shadowdeck");
    write(&config, "config.toml", "\ntheme = 'neon'\n");
    let run = fixture.program(["list"]);
    assert_eq!(run.exit_code, 0);
    assert!(run.stderr.contains("line 2") && run.stderr.contains("neon"), "{}", run.stderr);
}

#[test]
fn help_names_exit_codes_and_examples() {
    let fixture = Fixture::new();
    for args in [&["--help"][..], &["land", "--help"], &["discard", "--help"], &["undo", "--help"]]
    {
        let text = fixture.program(args).text();
        assert!(text.contains("Exit codes") && text.contains("Examples:"), "{args:?}: {text}");
    }
}
