//! Random histories of three versions: one side everywhere is the tree that git's plumbing makes of the stages.
//! `PROPTEST_CASES=500 cargo test conflicts_sides` tries more of them.

use std::{fs, path::Path};

use proptest::{prelude::*, test_runner::Config as Cases};
use shadowdeck::{
    ops::{land, resolve},
    report::Code,
    review::{LandOptions, Resolution, Way},
    shadow::Strategy as Landing,
};

use crate::{
    conflicts_git::{by_hand, deck, id, planned, read},
    support::{Fixture, write},
};

const NAMES: [&str; 3] = ["a.txt", "b.txt", "dir/c.txt"];

fn cases() -> Cases {
    let more = std::env::var("PROPTEST_CASES").ok().and_then(|count| count.parse().ok());
    Cases { cases: more.unwrap_or(8), failure_persistence: None, ..Cases::default() }
}

/// Of few different lines; `None` where there is no such file.
fn file() -> impl Strategy<Value = Option<String>> {
    let line = prop::sample::select(vec!["a\n", "b\n", "c\n", "}\n", "\n"]);
    let text = prop::collection::vec(line, 1..9).prop_map(|lines| lines.concat());
    prop::option::weighted(0.8, text)
}

fn tree() -> impl Strategy<Value = [Option<String>; 3]> {
    [file(), file(), file()]
}

fn lay(dir: &Path, files: &[Option<String>; 3]) {
    for (name, text) in NAMES.iter().zip(files) {
        match text {
            Some(text) => write(dir, name, text),
            None => drop(fs::remove_file(dir.join(name))),
        }
    }
}

proptest! {
    #![proptest_config(cases())]

    #[test]
    fn one_side_everywhere_is_what_gits_stages_give(trees in [tree(), tree(), tree()]) {
        let [base, main, own] = &trees;
        let fixture = Fixture::new();
        lay(&fixture.repository, base);
        fixture.git(["add", "-A"]);
        fixture.git(["commit", "-q", "--allow-empty", "-m", "base"]);
        let shadow = fixture.shadow("one");
        for (dir, files) in [(&shadow, own), (&fixture.repository, main)] {
            lay(dir, files);
            fixture.git_in(dir, ["add", "-A"]);
            fixture.git_in(dir, ["commit", "-q", "--allow-empty", "-m", "goes on"]);
        }
        let deck = deck(&fixture);
        let page = read(&deck, "one");
        if page.files.is_empty() {
            return Ok(());
        }
        for (stage, side) in [(2, Resolution::Target), (3, Resolution::Shadow)] {
            for file in &page.files {
                let path = &file.conflict.path;
                let chosen = resolve::resolve(&deck, &id("one"), Way::Whole, path, Some(side.clone()));
                match chosen {
                    Ok(_) => {}
                    // Renamed by git's own guess: no side of it is whole.
                    Err(report) if report.code == Code::MarkersLeft => return Ok(()),
                    Err(report) => panic!("{report:?}"),
                }
            }
            let expected = by_hand(&fixture, "one", stage);
            if expected == fixture.git(["rev-parse", "main^{tree}"]) {
                let options = LandOptions { strategy: Some(Landing::Squash), ..LandOptions::default() };
                let uncancelled = std::sync::atomic::AtomicBool::new(false);
                let refused = land::plan(&deck, &id("one"), &options, &uncancelled).unwrap_err();
                prop_assert_eq!(refused.code, Code::NothingToLand);
                continue;
            }
            prop_assert_eq!(planned(&fixture, &deck, "one", Landing::Squash), expected);
        }
    }
}
