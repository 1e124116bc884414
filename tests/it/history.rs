//! Every commit of a history, with git as the oracle: the patch that our hunks make of a change, applied by
//! `git apply`, gives the commit's tree, and our counts are git's.
//!
//! `just history REPOSITORY` walks a real one whole; here it is one of its own making, and the newest of this
//! program's own where its sources lie in a repository.

use std::{
    collections::BTreeMap,
    fmt::Write as _,
    io::Write as _,
    path::{Path, PathBuf},
    process::Stdio,
    sync::atomic::AtomicBool,
    time::Duration,
};

use shadowdeck::{
    git::{
        Repository,
        diff::{Comparisons, Pair},
        lines, private,
    },
    review::{
        Content, Entry, FileChange, FileDiff, FileStatus, HunkLine, LineKind, Mode, Text,
        diff::{CONTEXT_LINES, hunks},
    },
    shadow::{Oid, RepoPath},
};

use crate::support::Fixture;

const EMPTY_TREE: &str = "4b825dc642cb6eb9a060e54bf8d69288fbee4904";

const MADE_UP_COMMITS: usize = 500;
const OWN_COMMITS_MAX: usize = 100;

#[test]
fn hunks_of_every_commit_apply_and_count_as_gits() {
    let fixture = Fixture::unborn();
    if let Some(source) = std::env::var_os("HISTORY_REPOSITORY") {
        let commits = walk(&fixture, &cloned(&fixture, &source), usize::MAX);
        assert!(commits >= 60, "too little to tell: {commits}");
        return;
    }
    import(&fixture, &made_up_history(MADE_UP_COMMITS));
    assert_eq!(walk(&fixture, &fixture.repository, usize::MAX), MADE_UP_COMMITS);
    let sources = Path::new(env!("CARGO_MANIFEST_DIR"));
    if has_history(&fixture, sources) {
        let commits = walk(&fixture, &cloned(&fixture, sources.as_os_str()), OWN_COMMITS_MAX);
        assert!(commits > 0, "a repository has a commit");
    }
}

/// Sources out of an archive have none, nor have those that another repository lies around; a shallow clone has some.
fn has_history(fixture: &Fixture, sources: &Path) -> bool {
    let top = fixture.git_any(sources, ["rev-parse", "--show-cdup"]);
    let head = fixture.git_any(sources, ["rev-parse", "--verify", "--quiet", "HEAD^{commit}"]);
    top.status.success() && top.stdout.trim_ascii().is_empty() && head.status.success()
}

fn cloned(fixture: &Fixture, source: &std::ffi::OsStr) -> PathBuf {
    let copy = fixture.root().join("copy");
    let args: [&std::ffi::OsStr; 6] = [
        "clone".as_ref(),
        "-q".as_ref(),
        "--no-checkout".as_ref(),
        "--".as_ref(),
        source,
        copy.as_os_str(),
    ];
    fixture.git(args);
    copy
}

/// How many commits it was, the newest first.
#[expect(clippy::print_stdout, reason = "what a campaign came to is its result, too")]
fn walk(fixture: &Fixture, dir: &Path, commits_max: usize) -> usize {
    let opened = Repository::open(dir, Duration::from_secs(60)).unwrap();
    private::ensure(&opened).unwrap();
    let mut walk =
        Walk { fixture, dir: dir.to_owned(), commits: 0, files: 0, hunks: 0, faults: Vec::new() };
    walk.every_commit(&opened, commits_max);
    println!(
        "{} commits, {} files, {} hunks: {} differ",
        walk.commits,
        walk.files,
        walk.hunks,
        walk.faults.len()
    );
    assert!(walk.faults.is_empty(), "{}", walk.faults.join("\n"));
    assert!(walk.hunks >= walk.commits / 2, "{} hunks: too little to tell", walk.hunks);
    walk.commits
}

struct Walk<'a> {
    fixture: &'a Fixture,
    dir: PathBuf,
    commits: usize,
    files: usize,
    hunks: usize,
    faults: Vec<String>,
}

impl Walk<'_> {
    fn every_commit(&mut self, repository: &Repository, commits_max: usize) {
        let list = self.fixture.git_in(&self.dir, ["rev-list", "--parents", "HEAD"]);
        let mut comparisons = Comparisons::new(repository);
        let local = private::local(repository).unwrap();
        let attributes = Oid::parse(EMPTY_TREE).unwrap();
        for line in list.lines().take(commits_max) {
            let mut ids = line.split(' ');
            let new = Oid::parse(ids.next().unwrap()).unwrap();
            let old = Oid::parse(ids.next().unwrap_or(EMPTY_TREE)).unwrap();
            let pair = Pair { old, new };
            let changes = comparisons.read(&attributes, &pair).unwrap();
            let files: Vec<FileDiff> = changes
                .into_iter()
                .map(|change| lines::read_file(&local, change, &AtomicBool::new(false)).unwrap())
                .collect();
            self.count(&pair, &files);
            self.apply(&pair, &files);
            self.commits += 1;
            self.files += files.len();
        }
    }

    /// Our blocks have as many lines as git counts, and so has what it told us.
    fn count(&mut self, pair: &Pair, files: &[FileDiff]) {
        let args = [
            "-c",
            "diff.renameLimit=1000",
            "diff",
            "-M",
            "--numstat",
            "-z",
            pair.old.as_str(),
            pair.new.as_str(),
        ];
        let output = self.fixture.git_any(&self.dir, args).stdout;
        let mut fields = output.split(|byte| *byte == 0);
        let mut theirs = BTreeMap::new();
        while let Some(field) = fields.next().filter(|field| !field.is_empty()) {
            let mut parts = field.splitn(3, |byte| *byte == b'\t');
            let mut number =
                || String::from_utf8_lossy(parts.next().unwrap()).parse().unwrap_or(0_usize);
            let counts = (number(), number());
            let mut path = parts.next().unwrap();
            if path.is_empty() {
                fields.next();
                path = fields.next().unwrap();
            }
            theirs.insert(RepoPath::new(path), counts);
        }
        let told = files.iter().map(|file| {
            let counts = (file.change.insertions as usize, file.change.deletions as usize);
            (file.change.path.clone(), counts)
        });
        let told: BTreeMap<_, _> = told.collect();
        if told != theirs {
            self.faults.push(format!("{}: counts {told:?}, git's {theirs:?}", pair.new));
        }
        for file in files {
            let Content::Text { blocks, .. } = &file.content else { continue };
            let ours = (
                blocks.iter().map(|block| block.new.len()).sum::<usize>(),
                blocks.iter().map(|block| block.old.len()).sum::<usize>(),
            );
            if ours != theirs[&file.change.path] {
                let name = file.change.path.to_lossy();
                self.faults.push(format!(
                    "{} {name}: blocks {ours:?}, git's {:?}",
                    pair.new, theirs[&file.change.path]
                ));
            }
        }
    }

    /// What is no text, or is another kind of thing now, has no hunks: it goes into the index by its id.
    fn apply(&mut self, pair: &Pair, files: &[FileDiff]) {
        let index = self.fixture.root().join("index");
        let git = |args: &[&str], input: &[u8]| {
            let mut child = self.fixture.child("git", &self.dir);
            child.env("GIT_INDEX_FILE", &index).args(args);
            child.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
            let mut child = child.spawn().unwrap();
            let mut stdin = child.stdin.take().unwrap();
            let written = input.to_vec();
            let writer = std::thread::spawn(move || drop(stdin.write_all(&written)));
            let output = child.wait_with_output().unwrap();
            writer.join().unwrap();
            if output.status.success() {
                Ok(String::from_utf8_lossy(&output.stdout).trim().to_owned())
            } else {
                Err(String::from_utf8_lossy(&output.stderr).into_owned())
            }
        };
        let tree = git(&["rev-parse", &format!("{}^{{tree}}", pair.new)], b"").unwrap();
        let (mut patch, mut entries) = (Vec::new(), Vec::new());
        let mut hunk_count = 0;
        for file in files {
            match &file.content {
                Content::Text { old, new, .. } if file.change.status != FileStatus::TypeChanged => {
                    hunk_count += write_patch(&mut patch, file, old, new);
                }
                _ => {
                    let zero =
                        Entry { mode: Mode::File, oid: Oid::parse(&"0".repeat(40)).unwrap() };
                    let gone = file
                        .change
                        .old_path
                        .clone()
                        .filter(|_| file.change.status != FileStatus::Copied(0));
                    let paths =
                        [(gone, None), (Some(file.change.path.clone()), file.change.new.clone())];
                    for (path, entry) in
                        paths.into_iter().filter_map(|(path, entry)| Some((path?, entry)))
                    {
                        let mode = entry.as_ref().map_or("0", |entry| entry.mode.as_octal());
                        write!(entries, "{mode} {}\t", entry.as_ref().unwrap_or(&zero).oid)
                            .unwrap();
                        entries.extend(path.as_bytes());
                        entries.push(0);
                    }
                }
            }
        }
        let answer = git(&["read-tree", pair.old.as_str()], b"")
            .and_then(|_| {
                if patch.is_empty() {
                    Ok(String::new())
                } else {
                    git(&["apply", "--cached", "--whitespace=nowarn", "-"], &patch)
                }
            })
            .and_then(|_| {
                if entries.is_empty() {
                    Ok(String::new())
                } else {
                    git(&["update-index", "-z", "--index-info"], &entries)
                }
            })
            .and_then(|_| git(&["write-tree"], b""));
        self.hunks += hunk_count;
        if answer.as_ref() != Ok(&tree) {
            self.faults.push(format!("{}: its patch gives {answer:?}, not {tree}", pair.new));
        }
    }
}

/// As git writes it; gives the number of hunks.
fn write_patch(out: &mut Vec<u8>, file: &FileDiff, old: &Text, new: &Text) -> usize {
    let change = &file.change;
    let Content::Text { blocks, .. } = &file.content else { return 0 };
    write_head(out, change);
    let hunks = hunks(blocks, old.line_count(), CONTEXT_LINES);
    if hunks.is_empty() {
        return 0;
    }
    for (sign, side, entry) in [("---", "a", &change.old), ("+++", "b", &change.new)] {
        let path = if side == "a" {
            change.old_path.as_ref().unwrap_or(&change.path)
        } else {
            &change.path
        };
        let name = if entry.is_some() { quoted(side, path) } else { "/dev/null".to_owned() };
        writeln!(out, "{sign} {name}").unwrap();
    }
    for hunk in &hunks {
        let [old_start, old_lines, new_start, new_lines] = hunk.header();
        writeln!(out, "@@ -{old_start},{old_lines} +{new_start},{new_lines} @@").unwrap();
        for HunkLine { kind, old_index, new_index } in hunk.lines(blocks) {
            let (sign, line) = match kind {
                LineKind::Context => (b' ', old.line_with_end(old_index.unwrap())),
                LineKind::Removed => (b'-', old.line_with_end(old_index.unwrap())),
                LineKind::Added => (b'+', new.line_with_end(new_index.unwrap())),
            };
            out.push(sign);
            out.extend(line);
            if !line.ends_with(b"\n") {
                out.extend(b"\n\\ No newline at end of file\n");
            }
        }
    }
    hunks.len()
}

fn write_head(out: &mut Vec<u8>, change: &FileChange) {
    let old_path = change.old_path.as_ref().unwrap_or(&change.path);
    writeln!(out, "diff --git {} {}", quoted("a", old_path), quoted("b", &change.path)).unwrap();
    let zero = "0".repeat(40);
    match (&change.old, &change.new) {
        (None, Some(new)) => {
            writeln!(out, "new file mode {}\nindex {zero}..{}", new.mode.as_octal(), new.oid)
                .unwrap();
        }
        (Some(old), None) => {
            writeln!(out, "deleted file mode {}\nindex {}..{zero}", old.mode.as_octal(), old.oid)
                .unwrap();
        }
        (Some(old), Some(new)) if old.mode != new.mode => {
            writeln!(out, "old mode {}\nnew mode {}", old.mode.as_octal(), new.mode.as_octal())
                .unwrap();
        }
        _ => {}
    }
    if change.old_path.is_some() {
        let (verb, percent) = match change.status {
            FileStatus::Copied(percent) => ("copy", percent),
            FileStatus::Renamed(percent) => ("rename", percent),
            _ => panic!("only these have two paths"),
        };
        let (from, to) = (quoted("", old_path), quoted("", &change.path));
        writeln!(out, "similarity index {percent}%\n{verb} from {from}\n{verb} to {to}").unwrap();
    }
}

/// A name in quotes, each odd byte by its number.
fn quoted(side: &str, path: &RepoPath) -> String {
    let mut out = if side.is_empty() { String::from("\"") } else { format!("\"{side}/") };
    for byte in path.as_bytes() {
        match byte {
            b'"' | b'\\' | 0..0x20 | 0x7f.. => write!(out, "\\{byte:03o}").unwrap(),
            byte => out.push(char::from(*byte)),
        }
    }
    out.push('"');
    out
}

fn import(fixture: &Fixture, stream: &[u8]) {
    let file = fixture.root().join("stream");
    std::fs::write(&file, stream).unwrap();
    let input = std::fs::File::open(Path::new(&file)).unwrap();
    let mut git = fixture.child("git", &fixture.repository);
    let output = git.args(["fast-import", "--quiet"]).stdin(input).output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    fixture.git(["symbolic-ref", "HEAD", "refs/heads/main"]);
}

/// Names with blanks, quotes and bytes above ASCII; lines with and without an end, of both kinds; modes, renames,
/// deletions, links, binary files, a file where a directory was and one that becomes a link: decided by their number alone.
fn made_up_history(commits: usize) -> Vec<u8> {
    let mut dice = 7_usize;
    let mut below = |limit: usize| {
        dice = dice.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (dice >> 33) % limit
    };
    let names = ["plain.rs", "with blank.txt", "quo\\\"te", "d/\\303\\244.md", "d/e/crlf.bat"];
    let mut texts: Vec<Vec<String>> = vec![Vec::new(); names.len()];
    let mut out = Vec::new();
    for number in 0..commits {
        let about =
            format!("commit refs/heads/main\ncommitter A <a@b> {} +0000\ndata 1\nx\n", number + 1);
        out.extend(about.as_bytes());
        for _ in 0..=below(3) {
            let file = below(names.len());
            let end = if file == 4 { "\r\n" } else { "\n" };
            let text = &mut texts[file];
            for _ in 0..=below(9) {
                let at = below(text.len() + 1);
                match below(5) {
                    0 if at < text.len() => drop(text.remove(at)),
                    1 if at < text.len() => text[at] = format!("    {}{end}", text[at].trim()),
                    2 => text
                        .splice(at..at, (0..below(9)).map(|line| format!("same {line}{end}")))
                        .for_each(drop),
                    _ => text.insert(at, format!("line {} of it{end}", below(40))),
                }
            }
            let mut bytes = text.concat();
            if below(4) == 0 {
                bytes = bytes.trim_end().to_owned();
            }
            let mode = if below(6) == 0 { "100755" } else { "100644" };
            out.extend(
                format!("M {mode} inline \"{}\"\ndata {}\n{bytes}\n", names[file], bytes.len())
                    .as_bytes(),
            );
        }
        match number % 9 {
            3 => out.extend(b"M 100644 inline bin\ndata 4\n\0\x01\xff"),
            4 => out.extend(b"M 120000 inline link\ndata 8\nplain.rs\n"),
            5 => out.extend(b"R \"with blank.txt\" \"d/moved.txt\"\n"),
            6 => out.extend(b"R \"d/moved.txt\" \"with blank.txt\"\n"),
            7 => out.extend(b"D link\n"),
            8 if number % 2 == 0 => out.extend(b"M 120000 inline plain.rs\ndata 4\nlink\n"),
            8 => out.extend(b"M 100644 inline d/e\ndata 5\nfile\n\n"),
            _ => {}
        }
        if number % 9 == 3 {
            out.extend(format!("{}\n", number % 10).as_bytes());
        }
        out.push(b'\n');
    }
    out
}
