//! Flags and folds of real shadows, as the program tells them.

use crate::support::{Fixture, write};

fn flags(fixture: &Fixture, id: &str) -> Vec<(String, String)> {
    let list = fixture.program(["list", "--json"]).json();
    let rows = list["worktrees"].as_array().unwrap();
    let row = rows.iter().find(|row| row["id"] == id).unwrap();
    let of = |flag: &serde_json::Value| {
        let text = |key: &str| flag[key].as_str().unwrap().to_owned();
        (text("flag"), text("path"))
    };
    row["flags"].as_array().unwrap_or_else(|| panic!("{row}")).iter().map(of).collect()
}

fn folded(fixture: &Fixture, id: &str) -> Vec<(String, String)> {
    let page = fixture.program(["diff", id, "--json"]).json();
    let files = page["files"].as_array().unwrap();
    let fold = |file: &serde_json::Value| {
        Some((file["path"].as_str()?.to_owned(), file["folded"].as_str()?.to_owned()))
    };
    files.iter().filter_map(fold).collect()
}

fn pairs(pairs: &[(&str, &str)]) -> Vec<(String, String)> {
    pairs.iter().map(|(one, other)| ((*one).to_owned(), (*other).to_owned())).collect()
}

#[test]
fn a_row_tells_what_its_files_are_flagged_for_and_reads_them_once() {
    let fixture = Fixture::new();
    fixture
        .write("tests/test_a.py", "def test_one():\n    assert 1\ndef test_two():\n    assert 2\n");
    fixture.write("src/a.rs", "fn a() {}\n");
    fixture.commit("base");
    let shadow = fixture.shadow("one");
    write(&shadow, ".github/ci.yml", "on: push\n");
    write(&shadow, "tests/test_a.py", "def test_one():\n    assert 1\n");
    let token = ["ghp_", "a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8"].concat();
    write(&shadow, "src/a.rs", format!("fn a() {{ \"{token}\" }}\n"));
    write(&shadow, "notes.md", "<<<<<<< ours\na\n=======\nb\n>>>>>>> theirs\n");
    write(&shadow, "big.txt", "x\n".repeat(200 << 10));
    let expected = pairs(&[
        ("secret", "src/a.rs"),
        ("conflict_markers", "notes.md"),
        ("ci", ".github/ci.yml"),
        ("deleted_tests", "tests/test_a.py"),
        ("unsearched", "big.txt"),
    ]);
    assert_eq!(flags(&fixture, "one"), expected);
    let text = fixture.program(["list"]).text();
    assert!(text.contains("! possible secret: src/a.rs and 3 more flags"), "{text}");
    assert!(text.contains("not searched: big.txt"), "{text}");
    assert!(fixture.program(["show", "one"]).text().contains("not searched: big.txt"));
    fixture.program(["notes", "one", "--add", "src/a.rs", "no"]);
    let plan = fixture.program(["land", "one", "--dry-run", "--json"]).json();
    let told: Vec<&str> =
        plan["warnings"].as_array().unwrap().iter().filter_map(|one| one.as_str()).collect();
    assert_eq!(told.first(), Some(&"1 comment open"), "{told:?}");
    for one in ["possible secret: src/a.rs", "CI file: .github/ci.yml", "not searched: big.txt"] {
        assert!(told.contains(&one), "{told:?}");
    }
    for args in [vec!["list", "--json"], vec!["list"], vec!["show", "one", "--json"]] {
        assert!(!fixture.program(args).text().contains(&token), "a secret is never told");
    }
    // The next list answers from what it remembers: no file is read for it.
    let cache = fixture.repository.join(".git/shadowdeck/cache/one.json");
    let known = std::fs::read_to_string(&cache).unwrap();
    assert!(!known.contains(&token), "nor is it kept");
    std::fs::write(&cache, known.replace("test is gone", "remembered test is gone")).unwrap();
    let list = fixture.program(["list", "--json"]).text();
    assert!(list.contains("remembered test is gone"), "{list}");
    write(&shadow, "src/a.rs", "fn a() { 1 }\n");
    assert_eq!(flags(&fixture, "one"), expected[1..]);
}

#[test]
fn attributes_of_the_shadow_hide_nothing_and_fold_nothing() {
    let fixture = Fixture::new();
    fixture.write(".gitattributes", "gen/* linguist-generated\n");
    fixture.write("gen/a.txt", "a\n");
    fixture.write("app.js", "ok();\n");
    fixture.commit("base");
    let shadow = fixture.shadow("one");
    let more = "gen/* linguist-generated\napp.js -diff linguist-generated\nkey export-ignore\n";
    write(&shadow, ".gitattributes", more);
    write(&shadow, "app.js", "ok();\nsteal();\n");
    write(&shadow, "key", "k\n");
    write(&shadow, "gen/a.txt", "b\n");
    let expected = pairs(&[
        ("hidden_by_attributes", "app.js"),
        ("hidden_by_attributes", "key"),
        ("attributes", ".gitattributes"),
    ]);
    assert_eq!(flags(&fixture, "one"), expected);
    assert_eq!(folded(&fixture, "one"), pairs(&[("gen/a.txt", "generated")]));
    let page = fixture.program(["diff", "one", "--json"]).text();
    assert!(page.contains("steal()"), "{page}");
    assert!(page.contains("say `-diff linguist-generated`, which is not obeyed here"), "{page}");
}

#[test]
fn what_lies_outside_the_paths_of_the_task_is_flagged() {
    let fixture = Fixture::new();
    fixture.write("src/api.rs", "a\n");
    fixture.write("src/other.rs", "a\n");
    fixture.commit("base");
    assert_eq!(fixture.program(["create", "--id", "one"]).exit_code, 0);
    let list = fixture.program(["list", "--json"]).json();
    let shadow = std::path::PathBuf::from(list["worktrees"][0]["path"].as_str().unwrap());
    for name in ["src/api.rs", "src/other.rs", "Cargo.lock"] {
        write(&shadow, name, "b\n");
    }
    let outside = pairs(&[("outside_task", "src/other.rs")]);
    let ask = |text: &str| {
        assert_eq!(fixture.program(["request", "one", "-m", text]).exit_code, 0);
        let is_of_task = |pair: &(String, String)| pair.0 == "outside_task";
        flags(&fixture, "one").into_iter().filter(is_of_task).collect::<Vec<_>>()
    };
    assert_eq!(ask("retry and/or fail in `src/api.rs`"), outside);
    assert_eq!(ask("retry calls that fail"), []);
    assert_eq!(ask("anything in src/"), []);
}

#[test]
fn rules_of_the_users_own_fold_and_keep_open() {
    let fixture = Fixture::new();
    fixture.write("src/a.rs", "fn a() {\nb();\n}\n");
    fixture.write("head.txt", "// @generated by x\na\n");
    fixture.commit("base");
    let shadow = fixture.shadow("one");
    write(&shadow, "src/a.rs", "fn a() {\n    b();\n}\n");
    write(&shadow, "head.txt", "// @generated by x\nb\n");
    write(&shadow, "new.txt", "// @generated, says the shadow\n");
    write(&shadow, "docs/api/x.html", "x\n");
    write(&shadow, "Cargo.lock", "x\n");
    let usual =
        [("Cargo.lock", "lockfile"), ("head.txt", "generated"), ("src/a.rs", "white space only")];
    assert_eq!(folded(&fixture, "one"), pairs(&usual));
    for dir in [".config/shadowdeck", "Library/Application Support/shadowdeck"] {
        let text = "[fold]\npatterns = ['docs/']\nnever = ['Cargo.lock']\n";
        write(&fixture.root().join("home").join(dir), "config.toml", text);
    }
    let own = [("docs/api/x.html", "your rule"), usual[1], usual[2]];
    assert_eq!(folded(&fixture, "one"), pairs(&own));
}

#[test]
fn names_that_do_not_show_what_they_are_are_flagged() {
    let fixture = Fixture::new();
    fixture.write("plain.txt", "a\n");
    fixture.commit("base");
    let shadow = fixture.shadow("one");
    let names = ["a\u{202e}txt.exe", "b\u{200b}.rs", "c\u{1b}[2J", "d\te", "e\nf", "Übung.txt"];
    for name in names {
        write(&shadow, name, "a\n");
    }
    let expected: Vec<_> = names[..5]
        .iter()
        .map(|name| ("hidden_characters".to_owned(), (*name).to_owned()))
        .collect();
    assert_eq!(flags(&fixture, "one"), expected);
    let list = fixture.program(["list"]).text();
    assert!(list.contains("! hidden characters: a<U+202E>txt.exe and 4 more flags"), "{list}");
}

/// On a file system that tells them apart.
#[cfg(target_os = "linux")]
#[test]
fn names_that_fold_into_one_are_flagged_with_the_other_and_look_different() {
    let fixture = Fixture::new();
    let (whole, parts) = ("caf\u{e9}.txt", "cafe\u{301}.txt");
    fixture.write(whole, "1\n2\n");
    fixture.write("Src/a.rs", "a\n");
    fixture.write("Old.txt", "a\nb\nc\n");
    fixture.commit("base");
    let shadow = fixture.shadow("one");
    write(&shadow, whole, "1\ntwo\n");
    write(&shadow, parts, "other\n");
    write(&shadow, "Makefile.hott", "1\n");
    write(&shadow, "Makefile.HoTT", "2\n");
    write(&shadow, "src/deep/b.rs", "b\n");
    fixture.git_in(&shadow, ["mv", "Old.txt", "old.txt"]);
    let clashes = ["Makefile.HoTT", "Makefile.hott", parts, "src/deep/b.rs"];
    let expected: Vec<_> = clashes.iter().map(|path| ("name_clash", *path)).collect();
    assert_eq!(flags(&fixture, "one"), pairs(&expected), "a rename of case leaves one name");
    let page = fixture.program(["diff", "one", "--json"]).json();
    let why = |path: &str| {
        let file = page["files"].as_array().unwrap().iter().find(|file| file["path"] == path);
        file.unwrap()["flags"][0]["reason"].as_str().unwrap().to_owned()
    };
    let spelled = "cafe<U+0301>.txt";
    assert_eq!(why(parts), format!("{spelled} and {whole} are one name on macOS"));
    let cased = "Makefile.HoTT and Makefile.hott are one name on macOS and Windows";
    assert_eq!(why("Makefile.HoTT"), cased);
    assert_eq!(why("src/deep/b.rs"), "src and Src are one name on macOS and Windows");
    let text = fixture.program(["show", "one"]).text();
    assert!(text.contains(spelled) && text.contains(whole), "{text}");
    // Landing leaves both names as they are.
    fixture.commit_in(&shadow, "both");
    fixture.program(["land", "one", "--yes"]);
    let names = fixture.git(["-c", "core.quotePath=false", "ls-tree", "--name-only", "main"]);
    assert!(names.lines().any(|name| name == parts) && names.lines().any(|name| name == whole));
    assert!(!names.contains("Old.txt"), "{names}");
}
