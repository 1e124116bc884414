//! Tests that a change takes away or lets check less. A test that moved, to another place or another file, is still
//! there; one that was rewritten under another name is too: only what has nothing in its place is flagged.

use std::collections::BTreeSet;

use super::{
    Block, Content, FileDiff, FileStatus, HunkLine, Text, count,
    flag::{Finding, Flag, added, removed},
    test_names::{Declared, Kind, declared},
    visible::visible_str,
};

/// Longer files hold no tests that a person wrote.
const BYTES_MAX: usize = 2 << 20;
/// So many are named.
const NAMED_MAX: usize = 3;

struct Tests {
    /// Where they begin, on both sides: code above them may assert too.
    from: [u32; 2],
    old: Vec<Declared>,
    new: Vec<Declared>,
}

/// Of all files at once: what is gone from one may have come to another.
pub(super) fn judge(files: &mut [FileDiff]) {
    let tests: Vec<Option<Tests>> = files.iter().map(read).collect();
    if tests.iter().all(Option::is_none) {
        return;
    }
    let mut come = BTreeSet::new();
    for tests in tests.iter().flatten() {
        come.extend(fresh(tests).map(|test| test.name.as_str()));
    }
    let asserted = added_assertions(files);
    let found: Vec<Vec<Finding>> = files
        .iter()
        .zip(&tests)
        .map(|(file, tests)| match tests {
            Some(tests) => judge_file(file, tests, &come, &asserted),
            None => Vec::new(),
        })
        .collect();
    for (file, found) in files.iter_mut().zip(found) {
        file.findings.extend(found);
    }
}

/// `None` where neither side declares a test.
fn read(file: &FileDiff) -> Option<Tests> {
    let Content::Text { old, new, blocks } = &file.content else { return None };
    let after_text = new;
    if blocks.is_empty() || old.as_bytes().len().max(new.as_bytes().len()) > BYTES_MAX {
        return None;
    }
    let before = file.change.old_path.as_ref().unwrap_or(&file.change.path);
    let side = |path: &[u8], text: &Text| Kind::of(path, text).map(|kind| declared(kind, text));
    let (before, after) = (before.as_bytes(), file.change.path.as_bytes());
    let (was, is) = (side(before, old), side(after, new));
    let (old, new) = (was.unwrap_or_default(), is.unwrap_or_default());
    let first = || old.first().map_or(u32::MAX, |test| test.line);
    let old_from = if Kind::is_within_source(before) { first() } else { 0 };
    let from = [old_from, tests_begin(after_text)];
    // What had no test before loses none.
    (!old.is_empty() || !new.is_empty()).then_some(Tests { from, old, new })
}

/// Where a source file says that its tests begin; what they share may stand above the first of them.
fn tests_begin(text: &Text) -> u32 {
    let begins = |at: &u32| {
        let line = std::str::from_utf8(text.line(*at)).unwrap_or_default();
        line.contains("cfg(test)") || line.contains("import.meta.vitest")
    };
    (0..text.line_count()).find(begins).unwrap_or(0)
}

fn fresh(tests: &Tests) -> impl Iterator<Item = &Declared> {
    let known: BTreeSet<&str> = tests.old.iter().map(|test| test.name.as_str()).collect();
    tests.new.iter().filter(move |test| !known.contains(test.name.as_str()))
}

/// Lines that check something and are new somewhere, without their indentation.
fn added_assertions(files: &[FileDiff]) -> BTreeSet<Vec<u8>> {
    let mut all = BTreeSet::new();
    for file in files {
        if let Content::Text { new, blocks, .. } = &file.content
            && Kind::of(file.change.path.as_bytes(), new).is_some()
        {
            let lines = blocks.iter().flat_map(|block| block.new.clone()).map(|at| new.line(at));
            all.extend(lines.filter(|line| is_assertion(line)).map(|l| l.trim_ascii().to_vec()));
        }
    }
    all
}

fn judge_file(
    file: &FileDiff,
    tests: &Tests,
    come: &BTreeSet<&str>,
    asserted: &BTreeSet<Vec<u8>>,
) -> Vec<Finding> {
    let Content::Text { old, new, blocks } = &file.content else { return Vec::new() };
    let here: BTreeSet<&str> = tests.new.iter().map(|test| test.name.as_str()).collect();
    let is_gone =
        |test: &&Declared| !here.contains(test.name.as_str()) && !come.contains(test.name.as_str());
    let gone: Vec<&Declared> = tests.old.iter().filter(is_gone).collect();
    let mut found = Vec::new();
    if gone.len() > fresh(tests).count() {
        let lines = gone.iter().map(|test| removed(test.line));
        let verb = if gone.len() == 1 { "is" } else { "are" };
        let why = format!("{} {verb} gone: {}", count(gone.len(), "test"), names(&gone));
        found.push(Finding::of_lines(Flag::DeletedTests, why, lines));
    }
    let (mut whys, mut lines) = (Vec::new(), Vec::new());
    let skipped = newly_skipped(tests);
    if !skipped.is_empty() {
        let verb = if skipped.len() == 1 { "does" } else { "do" };
        whys.push(format!("{} {verb} not run any more", names(&skipped)));
        lines.extend(skipped.iter().filter_map(|test| test.skip).map(added));
    }
    let alone = newly_alone(tests);
    if !alone.is_empty() {
        let verb = if alone.len() == 1 { "runs" } else { "run" };
        whys.push(format!("only {} {verb} now, no test beside", names(&alone)));
        lines.extend(alone.iter().filter_map(|test| test.only).map(added));
    }
    if gone.is_empty() && file.change.status != FileStatus::Deleted {
        let lost = lost_assertions(tests, old, new, blocks, asserted);
        if !lost.is_empty() {
            let verb = if lost.len() == 1 { "is" } else { "are" };
            let what = count(lost.len(), "assertion");
            whys.push(format!("{what} {verb} gone, and none came"));
            lines.extend(lost);
        }
    }
    if !whys.is_empty() {
        found.push(Finding::of_lines(Flag::WeakenedTests, whys.join("; "), lines));
    }
    found
}

/// Those that ran before.
fn newly_skipped(tests: &Tests) -> Vec<&Declared> {
    let ran = |name: &str| tests.old.iter().any(|test| test.name == name && test.skip.is_none());
    tests.new.iter().filter(|test| test.skip.is_some() && ran(&test.name)).collect()
}

/// Those that alone are to run, where all were before; also in a new file: some runners leave out all others for it.
fn newly_alone(tests: &Tests) -> Vec<&Declared> {
    if tests.old.iter().any(|test| test.only.is_some()) {
        return Vec::new();
    }
    tests.new.iter().filter(|test| test.only.is_some()).collect()
}

/// Only where none at all came in their place.
fn lost_assertions(
    tests: &Tests,
    old: &Text,
    new: &Text,
    blocks: &[Block],
    asserted: &BTreeSet<Vec<u8>>,
) -> Vec<HunkLine> {
    let [from, new_from] = tests.from;
    let came = |at: u32| at >= new_from && is_assertion(new.line(at));
    if blocks.iter().flat_map(|block| block.new.clone()).any(came) {
        return Vec::new();
    }
    let is_lost = |at: &u32| {
        let line = old.line(*at);
        *at >= from && is_assertion(line) && !asserted.contains(line.trim_ascii())
    };
    blocks.iter().flat_map(|block| block.old.clone()).filter(is_lost).map(removed).collect()
}

fn names(tests: &[&Declared]) -> String {
    let mut named: Vec<String> = tests
        .iter()
        .take(NAMED_MAX)
        .map(|test| visible_str(&test.name.chars().take(60).collect::<String>()))
        .collect();
    if tests.len() > NAMED_MAX {
        named.push(format!("{} more", tests.len() - NAMED_MAX));
    }
    named.join(", ")
}

/// These hold whatever the code does.
const HOLLOW: &[&str] = &[
    "assert!(true)",
    "assert(true)",
    "assert True",
    "assert.ok(true)",
    "assertTrue(true)",
    "assertTrue(True)",
    "expect(true).to",
    "EXPECT_TRUE(true)",
    "ASSERT_TRUE(true)",
];
/// How lines begin that check something, where no word of it tells so.
const BEGINS: &[&str] = &[
    "t.Error",
    "t.Fatal",
    "require.",
    "EXPECT_",
    "ASSERT_",
    "REQUIRE(",
    "REQUIRE_",
    "CHECK(",
    "CHECK_",
    "BOOST_CHECK",
    "BOOST_REQUIRE",
    "TEST_ASSERT",
];

/// Whether the line checks something.
fn is_assertion(line: &[u8]) -> bool {
    let Ok(line) = std::str::from_utf8(line) else { return false };
    let line = line.trim();
    let is_none = ["//", "#", "*", "/*", "use ", "import ", "from "]
        .iter()
        .any(|begin| line.starts_with(begin));
    if is_none || HOLLOW.iter().any(|hollow| line.contains(hollow)) {
        return false;
    }
    let expects = line.match_indices("expect(").any(|(at, _)| !line[..at].ends_with('.'));
    expects
        || line.contains("assert")
        || line.contains("Assert")
        || line.contains(".should")
        || BEGINS.iter().any(|begin| line.starts_with(begin))
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;
    use crate::{
        review::{Entry, FileChange, Mode},
        shadow::{Oid, RepoPath},
    };

    fn file(path: &str, old: &str, new: &str) -> FileDiff {
        let entry = |digit: &str| Entry {
            mode: Mode::File,
            oid: Oid::parse(&digit.repeat(40)).expect("40 digits"),
        };
        let text = |text: &str| Arc::new(Text::new(text.as_bytes().to_vec()));
        let (before, after) = (text(old), text(new));
        let lines = |text: &str| text.split_inclusive('\n').map(str::to_owned).collect::<Vec<_>>();
        let ops = similar::capture_diff_slices(similar::Algorithm::Myers, &lines(old), &lines(new));
        let index = |at: usize| u32::try_from(at).expect("few lines");
        let side = |range: std::ops::Range<usize>| index(range.start)..index(range.end);
        let blocks = ops
            .iter()
            .filter(|op| !matches!(op, similar::DiffOp::Equal { .. }))
            .map(|op| Block { old: side(op.old_range()), new: side(op.new_range()) })
            .collect();
        let change = FileChange {
            path: RepoPath::new(path),
            old_path: None,
            status: if new.is_empty() { FileStatus::Deleted } else { FileStatus::Modified },
            old: Some(entry("1")),
            new: (!new.is_empty()).then(|| entry("2")),
            insertions: 1,
            deletions: 1,
            binary: false,
        };
        FileDiff::new(change, Content::Text { old: before, new: after, blocks })
    }

    fn told(mut files: Vec<FileDiff>) -> Vec<(Flag, String)> {
        judge(&mut files);
        files.into_iter().flat_map(|file| file.findings).map(|f| (f.flag, f.why)).collect()
    }

    const TWO: &str =
        "#[test]\nfn one() {\n    assert!(a);\n}\n#[test]\nfn two() {\n    assert!(b);\n}\n";

    #[test]
    fn a_test_that_is_gone_is_named() {
        let one = "#[test]\nfn one() {\n    assert!(a);\n}\n";
        let why = "1 test is gone: two".to_owned();
        assert_eq!(told(vec![file("a.rs", TWO, one)]), [(Flag::DeletedTests, why)]);
        let why = "2 tests are gone: one, two".to_owned();
        assert_eq!(told(vec![file("a.rs", TWO, "")]), [(Flag::DeletedTests, why)]);
    }

    #[test]
    fn a_test_that_moved_or_has_another_name_is_still_there() {
        let one = "#[test]\nfn one() {\n    assert!(a);\n}\n";
        let two = "#[test]\nfn two() {\n    assert!(b);\n}\n";
        assert_eq!(told(vec![file("a.rs", TWO, one), file("b.rs", "", two)]), []);
        assert_eq!(told(vec![file("a.rs", TWO, &TWO.replace("two", "other"))]), []);
    }

    #[test]
    fn a_test_that_runs_no_more_is_told_and_a_new_one_that_never_ran_is_not() {
        let skipped = TWO.replacen("#[test]\nfn two", "#[test]\n#[ignore]\nfn two", 1);
        let why = "two does not run any more".to_owned();
        assert_eq!(told(vec![file("a.rs", TWO, &skipped)]), [(Flag::WeakenedTests, why)]);
        let new = format!("{TWO}#[test]\n#[ignore = \"needs a disk\"]\nfn new() {{}}\n");
        assert_eq!(told(vec![file("a.rs", TWO, &new)]), []);
        let (run, skip) = ("it('a', f)\n", "it.skip('a', f)\n");
        let why = "it a does not run any more".to_owned();
        assert_eq!(told(vec![file("a.test.js", run, skip)]), [(Flag::WeakenedTests, why)]);
    }

    #[test]
    fn a_test_that_alone_runs_is_told_where_all_ran_before() {
        let (all, one) = ("it('a', f)\nit('b', f)\n", "it.only('a', f)\nit('b', f)\n");
        let why = "only it a runs now, no test beside".to_owned();
        assert_eq!(told(vec![file("a.test.js", all, one)]), [(Flag::WeakenedTests, why.clone())]);
        assert_eq!(told(vec![file("a.test.js", "", one)]), [(Flag::WeakenedTests, why)]);
        assert_eq!(told(vec![file("a.test.js", one, all)]), []);
        assert_eq!(told(vec![file("a.test.js", one, &format!("{one}it('c', f)\n"))]), []);
        let why = "only describe a, it b run now, no test beside".to_owned();
        let two = "fdescribe('a', f)\nfit('b', f)\n";
        assert_eq!(
            told(vec![file("a.spec.ts", all, two)]).last(),
            Some(&(Flag::WeakenedTests, why))
        );
    }

    #[test]
    fn assertions_without_another_in_their_place_are_told() {
        let less = TWO.replace("    assert!(b);\n", "");
        let why = "1 assertion is gone, and none came".to_owned();
        assert_eq!(told(vec![file("a.rs", TWO, &less)]), [(Flag::WeakenedTests, why)]);
        assert_eq!(
            told(vec![file("a.rs", TWO, &TWO.replace("assert!(b)", "assert_eq!(b, 1)"))]),
            []
        );
        let code = format!("fn f() {{\n    assert!(x);\n}}\n{TWO}");
        assert_eq!(told(vec![file("a.rs", &code, &code.replace("    assert!(x);\n", ""))]), []);
    }

    #[test]
    fn what_is_asserted_outside_the_tests_takes_no_assertion_s_place() {
        let why = "1 assertion is gone, and none came".to_owned();
        let hollow = TWO.replace("assert!(b)", "assert!(true)");
        assert_eq!(told(vec![file("a.rs", TWO, &hollow)]), [(Flag::WeakenedTests, why.clone())]);
        let code = format!("fn f() {{\n}}\n#[cfg(test)]\n{TWO}");
        let new = code.replace("fn f() {\n", "fn f() {\n    assert!(x);\n");
        let new = new.replace("    assert!(b);\n", "");
        assert_eq!(told(vec![file("a.rs", &code, &new)]), [(Flag::WeakenedTests, why)]);
        let script = "f()\nif (import.meta.vitest) {\n  it('a', f)\n}\n";
        let why = "1 test is gone: it a".to_owned();
        assert_eq!(told(vec![file("src/a.ts", script, "f()\n")]), [(Flag::DeletedTests, why)]);
    }

    #[test]
    fn assertions_are_told_from_what_looks_alike() {
        for yes in ["assert_eq!(a, b);", "  expect(x).toBe(1)", "self.assertTrue(x)", "t.Fatal(x)"]
        {
            assert!(is_assertion(yes.as_bytes()), "{yes}");
        }
        for no in [
            "assert!(true);",
            "assert True",
            "x.expect(\"y\");",
            "// assert that",
            "use pretty::assert_eq;",
            "let x = 1;",
        ] {
            assert!(!is_assertion(no.as_bytes()), "{no}");
        }
    }
}
