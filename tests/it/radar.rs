//! Who clashes with whom, beside what git itself says of the same commits; and how many pairs git is asked about.

use std::{collections::BTreeSet, fs, path::PathBuf, sync::atomic::AtomicBool};

use serde_json::Value;
use shadowdeck::{
    config::Config,
    ops::{self, Deck, list},
    shadow::ShadowId,
};

use crate::support::{Fixture, script, write};

/// Ten lines, one of them replaced.
fn lines(number: usize, with: &str) -> String {
    (1..=10).map(|at| if at == number { format!("{with}\n") } else { format!("{at}\n") }).collect()
}

/// `one` and `two` change the same line of one file, `two` without a commit; `three` another file.
fn three() -> Fixture {
    let fixture = Fixture::new();
    fixture.write("other.txt", lines(0, ""));
    fixture.commit("second");
    write(&fixture.shadow("one"), "README.md", lines(5, "one"));
    fixture.commit_in(&fixture.root().join("shadows/one"), "one");
    write(&fixture.shadow("two"), "README.md", lines(5, "two"));
    write(&fixture.shadow("three"), "new/file.txt", "untracked\n");
    fixture
}

fn radar(fixture: &Fixture) -> Value {
    let run = fixture.program(["radar", "--json"]);
    assert_eq!(run.exit_code, 0, "{}", run.stderr);
    run.json()
}

/// As `a b: files`, sorted.
fn pairs(radar: &Value) -> Vec<String> {
    let pair = |pair: &Value| {
        let files: Vec<&str> =
            pair["files"].as_array().unwrap().iter().map(|file| file.as_str().unwrap()).collect();
        let mut ends = [pair["a"].as_str().unwrap(), pair["b"].as_str().unwrap()];
        ends.sort_unstable();
        format!("{} {}: {}", ends[0], ends[1], files.join(" "))
    };
    let mut found: Vec<String> = radar["pairs"].as_array().unwrap().iter().map(pair).collect();
    found.sort();
    found
}

/// git, writing down each line that `merge-tree` is asked.
struct Counted {
    dir: PathBuf,
}

impl Counted {
    fn new(fixture: &Fixture) -> Self {
        let dir = fixture.root().join("counted");
        let path = std::env::var("PATH").unwrap();
        let log = dir.join("asked");
        let text = format!(
            "#!/bin/sh\nPATH='{path}'\nfor word in \"$@\"; do\n\
             if [ \"$word\" = merge-tree ]; then\n\
             cat >'{log}.'$$; cat '{log}.'$$ >>'{log}'; echo >>'{log}-starts'\n\
             exec git \"$@\" <'{log}.'$$\nfi\ndone\nexec git \"$@\"\n",
            log = log.display()
        );
        script(&dir.join("git"), text);
        Self { dir }
    }

    /// Pairs and processes of one `radar`.
    fn radar(&self, fixture: &Fixture) -> (usize, usize) {
        for name in ["asked", "asked-starts"] {
            let _ = fs::remove_file(self.dir.join(name));
        }
        let path = format!("{}:{}", self.dir.display(), std::env::var("PATH").unwrap());
        let output = fixture
            .child(env!("CARGO_BIN_EXE_shadowdeck"), &fixture.repository)
            .args(["radar", "--json"])
            .env("PATH", path)
            .output()
            .unwrap();
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        let count = |name: &str| {
            fs::read_to_string(self.dir.join(name)).map_or(0, |text| text.lines().count())
        };
        (count("asked"), count("asked-starts"))
    }
}

#[test]
fn uncommitted_work_clashes_too_and_the_lines_are_named() {
    let fixture = three();
    let found = radar(&fixture);
    assert_eq!(pairs(&found), ["one two: README.md"]);
    let clash = &found["pairs"][0]["clashes"][0];
    assert_eq!(clash["kind"], "content");
    assert_eq!(clash["lines"], serde_json::json!([{"a": [5, 1], "b": [5, 1]}]));
    assert_eq!(found["unknown"], serde_json::json!([]));
    let order: Vec<&str> = found["order"]
        .as_array()
        .unwrap()
        .iter()
        .map(|turn| turn["id"].as_str().unwrap())
        .collect();
    assert_eq!(order, ["one", "three", "two"]);
    let text = fixture.program(["radar"]).text();
    assert_eq!(
        text,
        "1 of 6 pairs clash, among 3 shadows\n\
         one ✗ two\n  README.md  content  5 ↔ 5\n\
         order that makes the fewest conflicts, by pairs:\n  \
         1  one    no conflict\n  2  three  no conflict\n  3  two    1 conflict   with one\n\
         if one lands first, two gets 1 conflict\nif two lands first, one gets 1 conflict\n"
    );
}

#[test]
fn the_target_is_one_to_clash_with_and_names_are_the_readers() {
    let fixture = three();
    fixture.write("README.md", lines(5, "main"));
    fixture.write("new", "a file where a shadow has a directory\n");
    fixture.commit("moved on");
    let found = pairs(&radar(&fixture));
    assert_eq!(
        found,
        ["main one: README.md", "main three: new", "main two: README.md", "one two: README.md"]
    );
    // As git has it, of the same commits.
    let output = fixture.git_any(
        &fixture.repository,
        ["merge-tree", "--write-tree", "--name-only", "--no-messages", "main", "aide-shadow/one"],
    );
    assert!(String::from_utf8_lossy(&output.stdout).ends_with("\nREADME.md\n"));
}

#[test]
fn what_one_only_has_from_its_target_is_no_clash_of_the_two() {
    let fixture = three();
    fixture.write("README.md", lines(5, "main"));
    fixture.commit("moved on");
    write(&fixture.shadow("late"), "other.txt", "its own file\n");
    fixture.commit_in(&fixture.root().join("shadows/late"), "late");
    write(&fixture.shadow("later"), "README.md", lines(5, "main").replace("10\n", "ten\n"));
    fixture.commit_in(&fixture.root().join("shadows/later"), "later");
    let found = radar(&fixture);
    // As git has it, of the same commits; only whose it is is added.
    assert!(pairs(&found).contains(&"late one: README.md".to_owned()), "{found}");
    let of = |one: &str, other: &str| {
        let all = found["pairs"].as_array().unwrap().iter();
        let is_it = |pair: &&Value| {
            let ends = [pair["a"].as_str().unwrap(), pair["b"].as_str().unwrap()];
            ends.contains(&one) && ends.contains(&other)
        };
        all.clone().find(is_it).unwrap()["through_target"].as_bool().unwrap()
    };
    assert!(of("late", "one") && of("late", "two"), "{found}");
    assert!(!of("one", "two") && !of("one", "main") && !of("one", "later"), "{found}");
    let turn = found["order"].as_array().unwrap().iter().find(|turn| turn["id"] == "late").unwrap();
    assert_eq!((&turn["files"], &turn["after"]), (&Value::Array(vec![]), &Value::Array(vec![])));
    let text = fixture.program(["radar"]).text();
    assert!(!text.contains("late ✗") && !text.contains("✗ late\n"), "{text}");
    assert!(!text.contains("late gets"), "{text}");
    compare(&fixture);
    assert_eq!(known(&fixture, "late").unwrap().0, Vec::<String>::new());
    // And so it comes: one lands, and late still merges cleanly.
    let run = fixture.program(["resolve", "one", "README.md", "--take", "shadow"]);
    assert_eq!(run.exit_code, 0, "{}", run.stderr);
    let run = fixture.program(["land", "one", "--yes"]);
    assert_eq!(run.exit_code, 0, "{}", run.stderr);
    let merge = ["merge-tree", "--write-tree", "main", "aide-shadow/late"];
    assert!(fixture.git_any(&fixture.repository, merge).status.success());
    let merge = ["merge-tree", "--write-tree", "main", "aide-shadow/later"];
    assert!(fixture.git_any(&fixture.repository, merge).status.success());
}

#[test]
fn only_the_pairs_of_what_changed_are_asked_again() {
    let fixture = three();
    for name in ["four", "five"] {
        fixture.shadow(name);
    }
    let git = Counted::new(&fixture);
    // 10 pairs of 5 shadows, and each with its target.
    assert_eq!(git.radar(&fixture), (15, 1));
    assert_eq!(git.radar(&fixture), (0, 0));
    write(&fixture.root().join("shadows/four"), "four.txt", "new\n");
    assert_eq!(git.radar(&fixture), (5, 1));
    fixture.write("unrelated.txt", "main goes on\n");
    fixture.commit("third");
    assert_eq!(git.radar(&fixture), (5, 1), "shadows meet each other as before");
    write(&fixture.root().join("shadows/two"), "two.txt", "new\n");
    assert_eq!(git.radar(&fixture), (5, 1), "nor is more asked after the target moved");
    fixture.shadow("six");
    assert_eq!(git.radar(&fixture), (6, 1), "five others and the target");
    assert_eq!(fixture.program(["discard", "six", "--yes"]).exit_code, 0);
    assert_eq!(git.radar(&fixture), (0, 0), "whoever is gone is not asked about");
    assert_eq!(fixture.program(["undo", "--yes"]).exit_code, 0);
    assert_eq!(git.radar(&fixture), (6, 1), "and asked again when it is back, but none else");
    assert_eq!(fixture.program(["discard", "six", "--yes"]).exit_code, 0);
    fixture.write("sub/.gitattributes", "*.txt merge=binary\n");
    fixture.commit("other attributes");
    assert_eq!(git.radar(&fixture), (15, 1), "everything is judged anew");
}

#[test]
fn one_broken_shadow_is_named_and_the_rest_is_compared() {
    let fixture = three();
    fs::remove_file(fixture.root().join("shadows/three/.git")).unwrap();
    let found = radar(&fixture);
    assert_eq!(pairs(&found), ["one two: README.md"]);
    let unknown = found["unknown"].as_array().unwrap();
    let ends: BTreeSet<&str> = unknown
        .iter()
        .flat_map(|pair| [pair["a"].as_str().unwrap(), pair["b"].as_str().unwrap()])
        .collect();
    assert_eq!(ends, BTreeSet::from(["main", "one", "three", "two"]));
    assert_eq!(unknown.len(), 3);
    let last = found["order"].as_array().unwrap().last().unwrap().clone();
    assert_eq!((last["id"].as_str(), last["known"].as_bool()), (Some("three"), Some(false)));
    assert!(
        fixture.program(["radar"]).text().contains("! one and three were not compared: three:")
    );
}

#[test]
fn no_common_history_is_no_answer_for_the_others() {
    let fixture = three();
    let lone = fixture.shadow("lone");
    fixture.git_in(&lone, ["checkout", "-q", "--orphan", "lone"]);
    fixture.commit_in(&lone, "of its own");
    let found = radar(&fixture);
    assert_eq!(pairs(&found), ["one two: README.md"]);
    let unknown = found["unknown"].as_array().unwrap();
    assert_eq!(unknown.len(), 4, "{unknown:?}");
    assert!(unknown.iter().all(|pair| pair["why"].as_str().unwrap().contains("no common history")));
}

#[test]
fn shadows_of_different_targets_are_compared_too() {
    let fixture = three();
    fixture.git(["branch", "release", "main"]);
    let run = fixture.program(["show", "two", "--target", "release", "--json"]);
    assert_eq!(run.exit_code, 0, "{}", run.stderr);
    let found = radar(&fixture);
    assert_eq!(pairs(&found), ["one two: README.md"]);
    // They never land on the same branch, so the order is not theirs to decide.
    let after: Vec<&Value> =
        found["order"].as_array().unwrap().iter().map(|turn| &turn["after"]).collect();
    assert!(after.iter().all(|after| after.as_array().unwrap().is_empty()), "{after:?}");
}

#[test]
fn whoever_has_nothing_left_to_land_has_no_place_in_the_order() {
    let fixture = three();
    fixture.shadow("idle");
    let order = || -> Vec<String> {
        let found = radar(&fixture);
        let turns = found["order"].as_array().unwrap().clone();
        turns.iter().map(|turn| turn["id"].as_str().unwrap().to_owned()).collect()
    };
    let mut named = order();
    named.sort();
    assert_eq!(named, ["one", "three", "two"], "an empty one has no turn");
    fixture.commit_in(&fixture.root().join("shadows/three"), "three");
    fixture.git(["merge", "-q", "--no-edit", "aide-shadow/three"]);
    assert!(!order().contains(&"three".to_owned()), "{:?}", order());
}

#[test]
fn nothing_to_compare_and_nothing_that_clashes_are_said() {
    let fixture = Fixture::new();
    assert_eq!(fixture.program(["radar"]).text(), "no shadows; `shadowdeck create` makes one\n");
    fixture.shadow("one");
    fixture.shadow("two");
    let text = fixture.program(["radar"]).text();
    assert_eq!(text, "nothing clashes: 2 shadows compared, 3 pairs\n");
}

/// In this process: another one's environment may have other settings, and by those answers are remembered.
fn compare(fixture: &Fixture) {
    let deck = Deck::open(&fixture.repository, Config::default()).unwrap();
    ops::radar::read(&deck, &AtomicBool::new(false)).unwrap();
}

/// Whom one clashes with, how many it was compared with, and how many not.
fn known(fixture: &Fixture, one: &str) -> Option<(Vec<String>, usize, usize)> {
    let deck = Deck::open(&fixture.repository, Config::default()).unwrap();
    let fleet = list::read_fleet_meeting(&deck, &AtomicBool::new(false)).unwrap();
    let met = fleet.met?;
    let clashes = met.clashes_of(&ShadowId(one.to_owned()));
    let names = clashes.with.iter().map(|(id, files)| format!("{id} {}", files.len())).collect();
    Some((names, clashes.compared, clashes.not_compared))
}

#[test]
fn the_list_says_what_the_radar_found_and_nothing_that_is_not_known() {
    let fixture = three();
    assert_eq!(known(&fixture, "one"), None, "nobody compared");
    compare(&fixture);
    assert_eq!(known(&fixture, "one"), Some((vec!["two 1".to_owned()], 2, 0)));
    write(&fixture.root().join("shadows/two"), "README.md", lines(5, "otherwise"));
    assert_eq!(known(&fixture, "one"), Some((vec![], 1, 1)), "two is another now");
    assert_eq!(known(&fixture, "two"), Some((vec![], 0, 2)));
    fixture.write("unrelated.txt", "main goes on\n");
    fixture.commit("third");
    compare(&fixture);
    fixture.write("unrelated.txt", "and on\n");
    fixture.commit("fourth");
    assert_eq!(known(&fixture, "two"), Some((vec!["one 1".to_owned()], 2, 0)), "main is no part");
    fs::remove_file(fixture.root().join("shadows/three/.git")).unwrap();
    assert_eq!(known(&fixture, "two"), Some((vec!["one 1".to_owned()], 1, 1)));
}
