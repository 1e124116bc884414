//! What the radar says of two, beside what git says once one of them has really landed.

use std::collections::{BTreeMap, BTreeSet};

use crate::support::{Fixture, write};

const FILES: [&str; 2] = ["one.txt", "two.txt"];
const SLOTS: u64 = 5;

struct Dice(u64);

impl Dice {
    fn below(&mut self, count: u64) -> u64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
        (self.0 >> 33) % count
    }

    /// Another line in one of a few places that do not touch each other.
    fn edit(&mut self, at: &std::path::Path, by: &str) {
        let file = FILES[usize::try_from(self.below(2)).unwrap()];
        let slot = usize::try_from(self.below(SLOTS)).unwrap() * 5 + 2;
        let text = std::fs::read_to_string(at.join(file)).unwrap();
        let with = format!("{by} {}", self.below(1 << 20));
        let line = |(at, line): (usize, &str)| if at == slot { with.clone() } else { line.into() };
        let lines: Vec<String> = text.lines().enumerate().map(line).collect();
        write(at, file, lines.join("\n") + "\n");
    }
}

/// Files in which two commits conflict.
fn conflicts(fixture: &Fixture, one: &str, other: &str) -> (String, BTreeSet<String>) {
    let asked = ["merge-tree", "--write-tree", "--name-only", "--no-messages", one, other];
    let output = fixture.git_any(&fixture.repository, asked);
    let text = String::from_utf8(output.stdout).unwrap();
    let mut lines = text.lines().map(str::to_owned);
    (lines.next().unwrap(), lines.collect())
}

/// Shadows of older and newer targets, one of them empty, one landed as one commit.
fn repository(dice: &mut Dice) -> (Fixture, Vec<String>) {
    let fixture = Fixture::new();
    let lines: String = (0..25).map(|at| format!("line {at}\n")).collect();
    for file in FILES {
        fixture.write(file, lines.clone());
    }
    fixture.commit("files");
    let mut names = Vec::new();
    for name in ["a", "b", "c", "d"] {
        let at = fixture.shadow(name);
        for _ in 0..=dice.below(2) {
            dice.edit(&at, name);
        }
        fixture.commit_in(&at, name);
        names.push(name.to_owned());
        if dice.below(3) == 0 {
            let branch = format!("aide-shadow/{name}");
            let (tree, conflicts) = conflicts(&fixture, "main", &branch);
            if conflicts.is_empty() {
                let landed = fixture.git(["commit-tree", &tree, "-p", "main", "-m", "landed"]);
                fixture.git(["reset", "-q", "--hard", landed.trim()]);
            }
        }
        if dice.below(2) == 0 {
            dice.edit(&fixture.repository, "main");
            fixture.commit("main goes on");
        }
    }
    fixture.shadow("empty");
    names.push("empty".to_owned());
    (fixture, names)
}

#[test]
fn two_clash_where_the_second_has_more_to_settle_once_the_first_landed() {
    let (mut clashing, mut of_main) = (0, 0);
    for seed in [3, 5, 8, 13, 21, 34] {
        let (fixture, names) = repository(&mut Dice(seed));
        let run = fixture.program(["radar", "--json"]);
        assert_eq!(run.exit_code, 0, "{}", run.stderr);
        let found = run.json();
        let mut said: BTreeMap<[String; 2], BTreeSet<String>> = BTreeMap::new();
        for pair in found["pairs"].as_array().unwrap() {
            let [a, b] = ["a", "b"].map(|end| pair[end].as_str().unwrap().to_owned());
            let files = pair["files"].as_array().unwrap().iter();
            let files: BTreeSet<String> =
                files.map(|file| file.as_str().unwrap().to_owned()).collect();
            assert!(a != "empty" && b != "empty", "seed {seed}: {a} {b} {files:?}");
            said.insert([b.clone(), a.clone()], files.clone());
            said.insert([a, b], files);
        }
        for first in &names {
            let branch = format!("aide-shadow/{first}");
            let (tree, own) = conflicts(&fixture, "main", &branch);
            if !own.is_empty() {
                continue;
            }
            let landed =
                fixture.git(["commit-tree", &tree, "-p", "main", "-p", &branch, "-m", "landed"]);
            for then in names.iter().filter(|then| *then != first) {
                let branch = format!("aide-shadow/{then}");
                let anyway = conflicts(&fixture, "main", &branch).1;
                let by_then = conflicts(&fixture, landed.trim(), &branch).1;
                let more: BTreeSet<String> = by_then.difference(&anyway).cloned().collect();
                let said = said.get(&[first.clone(), then.clone()]).cloned().unwrap_or_default();
                let said: BTreeSet<String> = said.difference(&anyway).cloned().collect();
                assert_eq!(said, more, "seed {seed}: {first} lands, then {then}");
                clashing += more.len();
                of_main += conflicts(&fixture, &format!("aide-shadow/{first}"), &branch)
                    .1
                    .difference(&said)
                    .count();
            }
        }
    }
    assert!(clashing > 4 && of_main > 4, "{clashing} that clash, {of_main} that are main's doing");
}
