//! The tests that a file declares, by line and without a parser: name, place, and whether each is told not to run.
//! A form that is not known here declares nothing, so nothing is said of it.

use super::Text;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    Rust,
    Python,
    Script,
    Go,
    /// Java, Kotlin, C#: a line above says so.
    Annotated,
    Ruby,
    /// C and C++: the macros of the usual frameworks.
    Macros,
}

impl Kind {
    /// `None` for what holds no tests that are known here. Source files may hold their own.
    pub(super) fn of(path: &[u8], text: &Text) -> Option<Self> {
        Self::of_name(path).or_else(|| Self::within(path, text))
    }

    fn has_comment_of_lines(self) -> bool {
        !matches!(self, Self::Python | Self::Ruby)
    }

    /// Code that is no test may stand above them.
    pub(super) fn is_within_source(path: &[u8]) -> bool {
        matches!(Self::of_name(path), None | Some(Self::Rust))
    }

    /// Of a file that is not called a test: it takes in what its tests need.
    fn within(path: &[u8], text: &Text) -> Option<Self> {
        let name = std::str::from_utf8(path).ok()?.rsplit('/').next()?;
        let (_, end) = name.rsplit_once('.')?;
        let has = |words: &[&str]| {
            let text = std::str::from_utf8(text.as_bytes()).unwrap_or_default();
            words.iter().any(|word| text.contains(word))
        };
        match end {
            "py" => has(&["import unittest", "import pytest", "from unittest import"])
                .then_some(Self::Python),
            "js" | "jsx" | "mjs" | "cjs" | "ts" | "tsx" | "mts" | "cts" => {
                has(&["import.meta.vitest"]).then_some(Self::Script)
            }
            _ => None,
        }
    }

    fn of_name(path: &[u8]) -> Option<Self> {
        let path = std::str::from_utf8(path).ok()?;
        let name = path.rsplit('/').next()?;
        let (stem, end) = name.rsplit_once('.')?;
        let mut directories = path.split('/').rev().skip(1);
        let in_tests = directories
            .any(|part| matches!(part, "test" | "tests" | "__tests__" | "spec" | "specs" | "e2e"));
        match end {
            "rs" => Some(Self::Rust),
            "py" => (in_tests || stem.starts_with("test_") || stem.ends_with("_test"))
                .then_some(Self::Python),
            "js" | "jsx" | "mjs" | "cjs" | "ts" | "tsx" | "mts" | "cts" => (in_tests
                || matches!(stem.rsplit('.').next(), Some("test" | "spec")))
            .then_some(Self::Script),
            "go" => stem.ends_with("_test").then_some(Self::Go),
            "c" | "cc" | "cpp" | "cxx" | "h" | "hh" | "hpp" => Some(Self::Macros),
            "java" | "kt" | "kts" | "cs" => Some(Self::Annotated),
            "rb" => (in_tests || stem.ends_with("_test") || stem.ends_with("_spec"))
                .then_some(Self::Ruby),
            _ => None,
        }
    }
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Declared {
    pub(super) name: String,
    pub(super) line: u32,
    /// Where it says that it is not to run.
    pub(super) skip: Option<u32>,
    /// Where it says that it alone is to run.
    pub(super) only: Option<u32>,
}

pub(super) fn declared(kind: Kind, text: &Text) -> Vec<Declared> {
    let mut reader = Reader {
        kind,
        is_test: false,
        skip: None,
        rest: None,
        whole: None,
        is_out: false,
        found: Vec::new(),
    };
    for index in 0..text.line_count() {
        if let Ok(line) = std::str::from_utf8(text.line(index)) {
            reader.take(index, line.trim());
        }
    }
    let Reader { whole, mut found, .. } = reader;
    for test in &mut found {
        test.skip = test.skip.or(whole);
    }
    found
}

struct Reader {
    kind: Kind,
    /// The lines above say that what follows is a test.
    is_test: bool,
    /// And that it is not to run.
    skip: Option<u32>,
    /// The class that begins above is not to run.
    rest: Option<u32>,
    /// Nothing of the file is.
    whole: Option<u32>,
    /// Within a comment that goes over lines.
    is_out: bool,
    found: Vec<Declared>,
}

impl Reader {
    fn take(&mut self, index: u32, line: &str) {
        if self.is_out || self.kind.has_comment_of_lines() && line.starts_with("/*") {
            self.is_out = !line.contains("*/");
            return;
        }
        match self.kind {
            Kind::Rust => self.rust(index, line),
            Kind::Python => self.python(index, line),
            Kind::Script => {
                if let Some((name, told)) = script(line) {
                    self.push_told(index, name, told);
                } else if line.starts_with("this.skip()") {
                    self.skip_last(index);
                }
            }
            Kind::Go => self.go(index, line),
            Kind::Annotated => self.annotated(index, line),
            Kind::Ruby => self.ruby(index, line),
            Kind::Macros => self.macros(index, line),
        }
    }

    fn push(&mut self, line: u32, name: String, skip: Option<u32>) {
        let skip = skip.or(self.rest);
        self.found.push(Declared { name, line, skip, only: None });
    }

    fn push_told(&mut self, line: u32, name: String, told: Told) {
        let is = |word: Told| (told == word).then_some(line);
        self.found.push(Declared { name, line, skip: is(Told::Skip), only: is(Told::Only) });
    }

    fn forget(&mut self) {
        (self.is_test, self.skip) = (false, None);
    }

    /// The body of the last one says that it does not go on.
    fn skip_last(&mut self, index: u32) {
        if let Some(last) = self.found.last_mut() {
            last.skip.get_or_insert(index);
        }
    }

    fn rust(&mut self, index: u32, line: &str) {
        let mut line = line;
        while let Some(rest) = line.strip_prefix("#[") {
            let end = rest.find(['(', ']', '=', ' ']).unwrap_or(rest.len());
            match rest[..end].rsplit(':').next() {
                Some("test" | "rstest" | "test_case") => self.is_test = true,
                Some("ignore") => self.skip = Some(index),
                Some("cfg")
                    if ["cfg(any())", "cfg(false)"].iter().any(|no| rest.starts_with(no)) =>
                {
                    self.skip = Some(index);
                }
                _ => {}
            }
            match rest.split_once("] ") {
                Some((_, behind)) => line = behind.trim_start(),
                None => return,
            }
        }
        let name = word_behind(line, "fn ");
        if let Some(name) = name.filter(|_| self.is_test) {
            let skip = self.skip;
            self.push(index, name, skip);
        } else if self.skip.is_some() && word_behind(line, "mod ").is_some() {
            self.rest = self.skip;
        }
        if !line.is_empty() && !line.starts_with("//") {
            self.forget();
        }
    }

    fn python(&mut self, index: u32, line: &str) {
        if line.starts_with('@') {
            let skips = [
                "@pytest.mark.skip",
                "@pytest.mark.xfail",
                "@unittest.skip",
                "@unittest.expectedFailure",
                "@skip",
            ];
            if skips.iter().any(|skip| line.starts_with(skip)) {
                self.skip = Some(index);
            }
            return;
        }
        let is_mark = line.starts_with("pytestmark") && line.contains("pytest.mark.skip");
        if is_mark || line.contains("allow_module_level=True") {
            self.whole = Some(index);
            return;
        }
        let line = line.strip_prefix("async ").unwrap_or(line);
        let name = word_behind(line, "def ").filter(|name| name.starts_with("test"));
        let name =
            name.or_else(|| word_behind(line, "class ").filter(|name| name.starts_with("Test")));
        if let Some(name) = name {
            let skip = self.skip;
            self.push(index, name, skip);
        } else if ["pytest.skip(", "self.skipTest("].iter().any(|skip| line.starts_with(skip)) {
            self.skip_last(index);
        }
        if !line.is_empty() && !line.starts_with('#') {
            self.forget();
        }
    }

    fn go(&mut self, index: u32, line: &str) {
        let name = line.strip_prefix("func ").map(word).filter(|name| {
            ["Test", "Fuzz", "Benchmark"].iter().any(|begin| name.starts_with(begin))
        });
        if let Some(name) = name {
            self.push(index, name.to_owned(), None);
        } else if line.starts_with("t.Skip") || line.starts_with("b.Skip") {
            self.skip_last(index);
        }
    }

    fn annotated(&mut self, index: u32, line: &str) {
        const TESTS: &[&str] =
            &["@Test", "@ParameterizedTest", "@RepeatedTest", "[Test", "[Fact", "[Theory"];
        if TESTS.iter().any(|test| line.starts_with(test)) {
            self.is_test = true;
        }
        let skips = ["@Disabled", "@Ignore", "[Ignore"];
        if skips.iter().any(|skip| line.starts_with(skip))
            || line.starts_with('[') && line.contains("Skip =")
        {
            self.skip = Some(index);
        }
        if line.is_empty() || line.starts_with(['@', '[', '/', '*']) {
            return;
        }
        if self.is_test
            && let Some((before, _)) = line.split_once('(')
        {
            let name = before.split(['`', ' ']).rfind(|part| !part.is_empty());
            // Names between backticks hold blanks.
            let quoted = before.split('`').nth(1);
            let skip = self.skip;
            self.push(index, quoted.or(name).unwrap_or_default().to_owned(), skip);
        } else if self.skip.is_some() && word_behind(line, "class ").is_some() {
            self.rest = self.skip;
        }
        self.forget();
    }

    fn macros(&mut self, index: u32, line: &str) {
        const SKIPS: &[&str] = &["GTEST_SKIP(", "TEST_IGNORE", "SKIP("];
        if SKIPS.iter().any(|skip| line.starts_with(skip)) {
            return self.skip_last(index);
        }
        if let Some(rest) =
            ["void test_", "static void test_"].iter().find_map(|begin| line.strip_prefix(begin))
        {
            return self.push(index, format!("test_{}", word(rest)), None);
        }
        let Some((begin, rest)) = line.split_once('(') else { return };
        let rest = rest.trim_start();
        let named = match begin {
            "TEST" | "TEST_F" | "TEST_P" | "TYPED_TEST" => {
                let Some((suite, name)) = rest.split_once(',') else { return };
                format!("{}.{}", suite.trim(), word(name.trim_start()))
            }
            "TEST_CASE" | "SCENARIO" => quoted(rest).unwrap_or_default().to_owned(),
            "BOOST_AUTO_TEST_CASE" | "START_TEST" => word(rest).to_owned(),
            _ => return,
        };
        let is_off = named.contains("DISABLED_")
            || ["[.", "[!hide]", "doctest::skip("].iter().any(|skip| rest.contains(skip));
        self.push(index, named.replace("DISABLED_", ""), is_off.then_some(index));
    }

    fn ruby(&mut self, index: u32, line: &str) {
        let begin = word(line);
        let rest = line[begin.len()..].trim_start();
        match begin {
            "def" if rest.starts_with("test_") => self.push(index, word(rest).to_owned(), None),
            "skip" | "pending" => self.skip_last(index),
            _ => {
                let (told, begin) = told_before(begin);
                let is_known =
                    ["it", "specify", "scenario", "test", "describe", "context"].contains(&begin);
                let name = quoted(rest.trim_start_matches('(')).filter(|_| is_known);
                let Some(name) = name else { return };
                let behind = &rest[rest.find(name).map_or(0, |at| at + name.len())..];
                let told = match told {
                    Told::Run if behind.contains("focus: true") || behind.contains(":focus") => {
                        Told::Only
                    }
                    Told::Run if behind.contains("skip: ") || behind.contains(":skip") => {
                        Told::Skip
                    }
                    told => told,
                };
                self.push_told(index, format!("{begin} {name}"), told);
            }
        }
    }
}

/// Whether it is to run, as its own line says.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Told {
    Run,
    Skip,
    /// And nothing beside it.
    Only,
}

/// `xit` is left out, `fit` alone is run.
fn told_before(word: &str) -> (Told, &str) {
    let told = [("x", Told::Skip), ("f", Told::Only)];
    let found = told.iter().find_map(|(sign, told)| Some((*told, word.strip_prefix(*sign)?)));
    found.unwrap_or((Told::Run, word))
}

/// `it.skip('name'`: what it is called, and whether it is left out.
fn script(line: &str) -> Option<(String, Told)> {
    let is_part = |char: char| char.is_ascii_alphanumeric() || matches!(char, '_' | '.');
    let end = line.find(|char| !is_part(char))?;
    let (chain, rest) = line.split_at(end);
    let mut parts = chain.split('.');
    let base = parts.next()?;
    let (told, plain) = told_before(base);
    let sort = match plain {
        "it" | "test" | "specify" => "it",
        "describe" | "context" | "suite" => "describe",
        _ => return None,
    };
    let name = quoted(rest.strip_prefix('(')?.trim_start())?;
    let told = parts.fold(told, |told, part| match part {
        "skip" | "todo" | "fixme" | "failing" => Told::Skip,
        "only" => Told::Only,
        _ => told,
    });
    Some((format!("{sort} {name}"), told))
}

fn quoted(text: &str) -> Option<&str> {
    let sign = text.chars().next().filter(|sign| matches!(sign, '"' | '\'' | '`'))?;
    text[1..].split(sign).next()
}

fn word(text: &str) -> &str {
    let end = text.find(|char: char| !char.is_alphanumeric() && char != '_');
    &text[..end.unwrap_or(text.len())]
}

/// The word behind `key`, which begins the line or stands behind a blank.
fn word_behind(line: &str, key: &str) -> Option<String> {
    let at = line.find(key)?;
    let begins = at == 0 || line.as_bytes()[at - 1] == b' ';
    let name = word(&line[at + key.len()..]);
    (begins && !name.is_empty()).then(|| name.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(path: &str, text: &str) -> Vec<(String, bool)> {
        let text = Text::new(text.as_bytes().to_vec());
        let kind = Kind::of(path.as_bytes(), &text).expect("a kind of test");
        declared(kind, &text).into_iter().map(|test| (test.name, test.skip.is_some())).collect()
    }

    #[track_caller]
    fn check(path: &str, text: &str, expected: &[(&str, bool)]) {
        let expected: Vec<_> =
            expected.iter().map(|(name, is)| ((*name).to_owned(), *is)).collect();
        assert_eq!(names(path, text), expected);
    }

    #[test]
    fn each_language_declares_its_tests() {
        check(
            "src/a.rs",
            "#[test]\nfn one() {}\nfn no() {}\n#[tokio::test]\n#[ignore = \"slow\"]\nasync fn two() {}\n#[test] fn three() {}\n",
            &[("one", false), ("two", true), ("three", false)],
        );
        check(
            "tests/test_a.py",
            "class TestA:\n    def test_one(self):\n        pass\n    @pytest.mark.skip(reason='x')\n    def test_two(self):\n        pass\ndef no(): pass\n",
            &[("TestA", false), ("test_one", false), ("test_two", true)],
        );
        check(
            "a.test.ts",
            "describe('a', () => {\n  it('one', f)\n  it.skip('two', f)\n  xit(\"three\", f)\n  item('no')\n})\n",
            &[("describe a", false), ("it one", false), ("it two", true), ("it three", true)],
        );
        check(
            "a_test.go",
            "func TestOne(t *testing.T) {\n}\nfunc TestTwo(t *testing.T) {\n\tt.Skip(\"x\")\n}\nfunc no() {}\n",
            &[("TestOne", false), ("TestTwo", true)],
        );
        check(
            "A.java",
            "@Test\npublic void one() {}\n@Disabled\n@Test\nvoid two() {}\nvoid no() {}\n",
            &[("one", false), ("two", true)],
        );
        check(
            "a_spec.rb",
            "describe \"a\" do\n  it \"one\" do\n  end\n  xit 'two' do\n  end\nend\n",
            &[("describe a", false), ("it one", false), ("it two", true)],
        );
    }

    #[test]
    fn what_alone_is_to_run_is_known() {
        let only = |path: &str, text: &str| -> Vec<String> {
            let text = Text::new(text.as_bytes().to_vec());
            let kind = Kind::of(path.as_bytes(), &text).expect("a kind of test");
            let all = declared(kind, &text);
            all.into_iter().filter(|test| test.only.is_some()).map(|test| test.name).collect()
        };
        for line in
            ["it.only('a', f)", "fit('a', f)", "test.only('a', f)", "it.concurrent.only('a', f)"]
        {
            assert_eq!(only("a.test.ts", &format!("{line}\n")), ["it a"], "{line}");
        }
        for line in ["describe.only('a', f)", "fdescribe('a', f)", "fcontext(\"a\", f)"] {
            assert_eq!(only("a.spec.js", &format!("{line}\n")), ["describe a"], "{line}");
        }
        for line in ["fit 'a' do", "it 'a', focus: true do", "it 'a', :focus do"] {
            assert_eq!(only("a_spec.rb", &format!("{line}\n")), ["it a"], "{line}");
        }
        let none = "fit(model)\nfilter('a')\nform.only('a')\nxit('b', f)\nit('c', f)\n";
        assert_eq!(only("a.test.ts", none), [""; 0]);
    }

    #[test]
    fn what_leaves_out_a_class_or_a_file_leaves_out_its_tests() {
        let text = "pytestmark = pytest.mark.skip\ndef test_one(): pass\n";
        check("test_a.py", text, &[("test_one", true)]);
        let text = "pytest.skip(\"no\", allow_module_level=True)\ndef test_one(): pass\n";
        check("test_a.py", text, &[("test_one", true)]);
        let text = "@Disabled\npublic class A {\n@Test\nvoid one() {}\n}\n";
        check("A.java", text, &[("one", true)]);
        check("a.test.js", "it('a', function () {\n  this.skip()\n})\n", &[("it a", true)]);
        check(
            "a_spec.rb",
            "it 'a', skip: 'no' do\nit 'b' do\n",
            &[("it a", true), ("it b", false)],
        );
    }

    #[test]
    fn source_files_hold_tests_of_their_own() {
        check(
            "src/sum.py",
            "import unittest\ndef add(): pass\nclass T(unittest.TestCase):\n    def test_add(self): pass\n\
             if __name__ == '__main__':\n    unittest.main()\n",
            &[("test_add", false)],
        );
        check(
            "src/sum.ts",
            "export const add = 1\nif (import.meta.vitest) {\n  it('adds', f)\n  it.skip('no', f)\n}\n",
            &[("it adds", false), ("it no", true)],
        );
        check(
            "src/a.rs",
            "/*\n#[test]\nfn gone() {}\n*/\n#[cfg(any())]\nmod tests {\n#[test]\nfn one() {}\n}\n",
            &[("one", true)],
        );
        check(
            "a_test.cc",
            "TEST(Sum, Adds) {\n  EXPECT_EQ(1, f());\n}\nTEST_F(Sum, DISABLED_No) {\n}\nTEST(Sum, Skips) {\n\
             GTEST_SKIP();\n}\nTEST_CASE(\"all\", \"[.]\") {\n}\nvoid test_c(void) {\n}\n",
            &[
                ("Sum.Adds", false),
                ("Sum.No", true),
                ("Sum.Skips", true),
                ("all", true),
                ("test_c", false),
            ],
        );
        let plain = Text::new(b"def test_of_a_kind(): pass\n".to_vec());
        assert_eq!(Kind::of(b"src/a.py", &plain), None);
    }
}
