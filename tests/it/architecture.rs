//! The rules of ARCHITECTURE.md, read from the source: which room may import which, which crates live
//! in which room, how long a file may be, which names are not used.

mod source;

use std::{
    fs,
    path::{Path, PathBuf},
};

use source::{Named, paths, tokens};

use crate::support::root;

/// Room → rooms that it may import. A room may always import itself.
const MAY_IMPORT: &[(&str, &[&str])] = &[
    ("report", &[]),
    ("shadow", &["report"]),
    ("review", &["report", "shadow"]),
    ("git", &["report", "shadow", "review"]),
    ("store", &["report", "shadow", "review"]),
    ("config", &["report", "shadow", "review"]),
    ("highlight", &["report", "shadow", "review"]),
    ("ops", &["report", "shadow", "review", "git", "store", "config", "highlight"]),
    ("cli", &["report", "shadow", "review", "config", "highlight", "ops"]),
    ("app", &["report", "shadow", "review", "config"]),
    ("ui", &["report", "shadow", "review", "config", "app"]),
    (
        "runtime",
        &["report", "shadow", "review", "git", "store", "config", "highlight", "ops", "app", "ui"],
    ),
];

/// What lives in some rooms only: the path's first words, the rooms, and single files excepted.
const LIVES_IN: &[(&[&str], &[&str], &[&str])] = &[
    (&["gix"], &["git"], &[]),
    // main ends with an exit code; the terminal is handed to the editor.
    (&["std", "process"], &["git"], &["main.rs", "runtime/hand_over.rs"]),
    (&["ratatui"], &["ui", "runtime"], &[]),
    (&["tui_textarea"], &["app", "ui", "runtime"], &[]),
    (&["tokio"], &["runtime"], &[]),
    (&["syntect"], &["highlight"], &[]),
    (&["two_face"], &["highlight"], &[]),
    (&["clap"], &["cli"], &[]),
];

/// The one file that knows colours.
const COLOURS: &str = "ui/theme.rs";
const COLOUR_NAMES: &[&str] =
    &["black", "red", "green", "yellow", "blue", "magenta", "cyan", "white", "gray", "dark_gray"];

/// Over this a file fails; tests inside it are not counted.
const LINES_MAX: usize = 600;
/// Over this a file must be in [`LONG_ON_PURPOSE`].
const LINES_THOUGHT: usize = 400;
/// Long files that were looked at and found to be one subject. A file that is no longer long leaves.
const LONG_ON_PURPOSE: &[&str] = &[];

const BANNED_PREFIXES: &[&str] = &["get_", "handle_", "process_", "do_"];
/// What another crate's trait asks for.
const FOREIGN_NAMES: &[&str] = &["get_cursor_position"];
const BANNED_WORDS: &[&str] =
    &["util", "utils", "helper", "helpers", "manager", "managers", "common"];

/// What only one machine knows. Written in pieces, since this file is read too.
const MACHINE_PATHS: &[&str] = &[
    concat!("/ro", "ot/"),
    concat!("/ho", "me/"),
    concat!("/Us", "ers/"),
    concat!("/wo", "rk/"),
    concat!("/tmp", "/w/"),
    concat!("/tmp", "/bin"),
    concat!("../sha", "red"),
];

#[test]
fn every_file_keeps_the_rules() {
    let files = rust_files(&root().join("src"));
    assert!(files.len() > 10, "the source was not found");
    let mut faults: Vec<String> =
        files.iter().flat_map(|file| faults_of(&inner(file), &read(file))).collect();
    faults.sort();
    assert!(faults.is_empty(), "\n{}", faults.join("\n"));
}

#[test]
fn long_files_are_long_on_purpose() {
    let files = rust_files(&root().join("src"));
    let counted: Vec<(String, usize)> =
        files.iter().map(|file| (inner(file), lines_counted(&read(file)))).collect();
    let faults = length_faults(&counted, LONG_ON_PURPOSE);
    assert!(faults.is_empty(), "\n{}", faults.join("\n"));
}

#[test]
fn no_file_names_a_place_of_one_machine() {
    let mut faults = Vec::new();
    for file in text_files(&root()) {
        let text = read(&file);
        for place in MACHINE_PATHS.iter().filter(|place| text.contains(**place)) {
            faults.push(format!("{}: names {place}", file.display()));
        }
    }
    assert!(faults.is_empty(), "\n{}", faults.join("\n"));
}

/// What is wrong with the file `name` (relative to `src/`), were `text` its content.
fn faults_of(name: &str, text: &str) -> Vec<String> {
    let module = module_of(name);
    let words: Vec<&str> = module.iter().map(String::as_str).collect();
    let mut faults = Vec::new();
    for path in paths(text, &words) {
        faults.extend(room_fault(name, words.first().copied(), &path));
        faults.extend(crate_fault(name, words.first().copied(), &path));
    }
    let tokens = tokens(text);
    faults.extend(name_faults(&module, &tokens));
    if !is_colours(name) {
        faults.extend(colour_faults(&tokens));
    }
    if !text.starts_with("//! ") && name != "main.rs" {
        faults.push("has no header that says what lives here".to_owned());
    }
    faults.dedup();
    faults.iter().map(|fault| format!("{name}: {fault}")).collect()
}

fn room_fault(name: &str, room: Option<&str>, path: &Named) -> Option<String> {
    let (true, Some(room)) = (path.inside, room) else { return None };
    if name == "main.rs" || name == "lib.rs" {
        return None;
    }
    let Some((_, allowed)) = MAY_IMPORT.iter().find(|(known, _)| *known == room) else {
        return Some(format!("`{room}` is no room: add it to the table, or put the file into one"));
    };
    let Some(other) = path.segments.first() else {
        return Some("imports the whole crate under another name".to_owned());
    };
    if other == room {
        return None;
    }
    // Whoever may see this room would see the other's part, allowed or not.
    let passed_on =
        MAY_IMPORT.iter().any(|(_, may)| may.contains(&room) && !may.contains(&other.as_str()));
    if path.exported && passed_on {
        return Some(format!("`{room}` passes on a part of `{other}`"));
    }
    (!allowed.contains(&other.as_str())).then(|| format!("`{room}` may not import `{other}`"))
}

fn crate_fault(name: &str, room: Option<&str>, path: &Named) -> Option<String> {
    let (words, ..) = LIVES_IN.iter().find(|(words, rooms, files)| {
        !path.inside
            && path.segments.len() >= words.len()
            && path.segments.iter().zip(*words).all(|(segment, word)| segment == word)
            && !room.is_some_and(|room| rooms.contains(&room))
            && !files.contains(&name)
    })?;
    Some(format!("`{}` does not live in this room", words.join("::")))
}

fn name_faults(module: &[String], tokens: &[String]) -> Vec<String> {
    let mut faults: Vec<String> = module
        .iter()
        .filter(|word| is_banned(word))
        .map(|word| format!("a module is named `{word}`"))
        .collect();
    for pair in tokens.windows(2) {
        let [kind, name] = pair else { continue };
        match kind.as_str() {
            "fn" if !FOREIGN_NAMES.contains(&name.as_str())
                && BANNED_PREFIXES.iter().any(|prefix| name.starts_with(prefix)) =>
            {
                faults.push(format!("a function is named `{name}`"));
            }
            "mod" | "struct" | "enum" | "trait" | "type" if is_banned(name) => {
                faults.push(format!("a {kind} is named `{name}`"));
            }
            _ => {}
        }
    }
    faults
}

/// Whether one word of a name, however its words are joined, says nothing.
fn is_banned(name: &str) -> bool {
    let mut words = String::new();
    for c in name.chars() {
        if c.is_uppercase() {
            words.push('_');
        }
        words.extend(c.to_lowercase());
    }
    words.split('_').any(|word| BANNED_WORDS.contains(&word))
}

fn colour_faults(tokens: &[String]) -> Vec<String> {
    let mut faults = Vec::new();
    if tokens.iter().any(|token| token == "Color") {
        faults.push(format!("names a colour: they live in {COLOURS}"));
    }
    for triple in tokens.windows(3) {
        if triple[0] == "." && COLOUR_NAMES.contains(&triple[1].as_str()) && triple[2] == "(" {
            faults.push(format!("paints `.{}()`: colours live in {COLOURS}", triple[1]));
        }
    }
    faults
}

fn is_colours(name: &str) -> bool {
    name == COLOURS || name.starts_with(&COLOURS.replace(".rs", "/"))
}

fn length_faults(counted: &[(String, usize)], on_purpose: &[&str]) -> Vec<String> {
    let mut faults = Vec::new();
    for (name, lines) in counted {
        let listed = on_purpose.contains(&name.as_str());
        if *lines > LINES_MAX {
            faults.push(format!("{name}: {lines} lines, and {LINES_MAX} is the limit"));
        } else if *lines > LINES_THOUGHT && !listed {
            faults.push(format!(
                "{name}: {lines} lines: cut it by subject, or list it as long on purpose"
            ));
        } else if *lines <= LINES_THOUGHT && listed {
            faults.push(format!("{name}: {lines} lines: no longer long, take it off the list"));
        }
    }
    let gone = on_purpose.iter().filter(|name| !counted.iter().any(|(known, _)| known == *name));
    faults.extend(gone.map(|name| format!("{name}: listed as long, and is not there")));
    faults
}

/// Lines before the tests that a file carries at its end.
fn lines_counted(text: &str) -> usize {
    let lines: Vec<&str> = text.lines().collect();
    let tests = |pair: &[&str]| {
        pair[0] == "#[cfg(test)]" && pair[1].starts_with("mod ") && pair[1].ends_with('{')
    };
    lines.windows(2).position(tests).unwrap_or(lines.len())
}

/// `git/refs.rs` is the module `git::refs`; `git/mod.rs` is `git`; `lib.rs` and `main.rs` are the root.
fn module_of(name: &str) -> Vec<String> {
    let path = name.trim_end_matches(".rs");
    path.split('/')
        .filter(|word| !["mod", "lib", "main"].contains(word))
        .map(str::to_owned)
        .collect()
}

fn inner(file: &Path) -> String {
    file.strip_prefix(root().join("src")).unwrap().to_string_lossy().into_owned()
}

fn read(file: &Path) -> String {
    String::from_utf8_lossy(&fs::read(file).unwrap()).into_owned()
}

fn rust_files(dir: &Path) -> Vec<PathBuf> {
    let mut files = text_files(dir);
    files.retain(|file| file.extension().is_some_and(|extension| extension == "rs"));
    files
}

/// Every file that may hold text, sorted; what git and cargo make is left out.
fn text_files(dir: &Path) -> Vec<PathBuf> {
    let mut files = Vec::new();
    for entry in fs::read_dir(dir).unwrap() {
        let path = entry.unwrap().path();
        let name = path.file_name().unwrap().to_string_lossy().into_owned();
        if path.is_dir() {
            if !["target", ".git", ".aide"].contains(&name.as_str()) {
                files.extend(text_files(&path));
            }
        } else if name != ".git" && path.extension().is_none_or(|extension| extension != "png") {
            files.push(path);
        }
    }
    files.sort();
    files
}

#[test]
fn a_wrong_import_is_found_however_it_is_written() {
    let header = "//! Lives here.\n";
    let faults = |name: &str, text: &str| faults_of(name, &format!("{header}{text}")).join("; ");
    assert_eq!(faults("app/fleet.rs", "use crate::review::Row;"), "");
    assert_eq!(
        faults("app/fleet.rs", "use crate::ops::land;"),
        "app/fleet.rs: `app` may not import `ops`"
    );
    let braces =
        "use crate::{review::{Row, Fleet}, shadow::{name::{Oid}, State}, git::Repository};";
    assert_eq!(faults("app/fleet.rs", braces), "app/fleet.rs: `app` may not import `git`");
    assert_eq!(
        faults("app/fleet.rs", "use super::super::store;"),
        "app/fleet.rs: `app` may not import `store`"
    );
    assert_eq!(
        faults("app/mod.rs", "use super::ui::view;"),
        "app/mod.rs: `app` may not import `ui`"
    );
    assert_eq!(
        faults("app/mod.rs", "use self::super::ui::view;"),
        "app/mod.rs: `app` may not import `ui`"
    );
    assert_eq!(
        faults("git/refs.rs", "fn f() { crate::store::open() }"),
        "git/refs.rs: `git` may not import `store`"
    );
    assert_eq!(
        faults("cli/land.rs", "mod tests { use super::super::super::git::refs; }"),
        "cli/land.rs: `cli` may not import `git`"
    );
    assert_eq!(
        faults("ui/mod.rs", "use crate as all;"),
        "ui/mod.rs: imports the whole crate under another name"
    );
    assert_eq!(faults("ui/mod.rs", "use crate::*;"), "ui/mod.rs: `ui` may not import `*`");
    assert_eq!(
        faults("ops/mod.rs", "pub use crate::git::Repository;"),
        "ops/mod.rs: `ops` passes on a part of `git`"
    );
    assert_eq!(
        faults("ops/mod.rs", "pub(crate) use crate::git::Repository;"),
        "ops/mod.rs: `ops` passes on a part of `git`"
    );
    assert_eq!(
        faults("extra/mod.rs", "use crate::report::Report;"),
        "extra/mod.rs: `extra` is no room: add it to the table, or put the file into one"
    );
    assert_eq!(
        faults(
            "app/fleet.rs",
            "// use crate::git;\n/// [`crate::git`]\nconst A: &str = \"crate::git::b\";"
        ),
        ""
    );
}

#[test]
fn a_crate_outside_its_room_is_found() {
    let faults =
        |name: &str, text: &str| faults_of(name, &format!("//! Lives here.\n{text}")).join("; ");
    let strays = [
        ("ops/list.rs", "use gix::Repository;", "gix"),
        ("ops/list.rs", "fn f() -> gix::Repository {}", "gix"),
        ("store/mod.rs", "use std::{fs, process::{self, Command}};", "std::process"),
        ("runtime/mod.rs", "use std::process::Command;", "std::process"),
        ("app/mod.rs", "use ratatui as draw;", "ratatui"),
        ("ops/mod.rs", "use tui_textarea::TextArea;", "tui_textarea"),
        ("ui/mod.rs", "use tokio::sync::mpsc;", "tokio"),
        ("ui/mod.rs", "use syntect::parsing::Scope;", "syntect"),
        ("ui/mod.rs", "use {two_face::syntax, std::fs};", "two_face"),
        ("main.rs", "use clap::Parser;", "clap"),
        ("ops/mod.rs", "#[derive(clap::ValueEnum)] enum A {}", "clap"),
    ];
    for (name, text, what) in strays {
        let expected = format!("{name}: `{what}` does not live in this room");
        assert!(faults(name, text).contains(&expected), "{name} {text}: {}", faults(name, text));
    }
    let at_home = [
        ("git/command.rs", "use std::process::Command; use gix::bstr;"),
        (
            "runtime/hand_over.rs",
            "use std::process::Command; use tokio::sync; use ratatui::Terminal;",
        ),
        ("main.rs", "use std::process::ExitCode;"),
        ("app/land.rs", "use tui_textarea::TextArea;"),
        ("highlight.rs", "use {syntect::parsing, two_face::syntax};"),
        ("cli/mod.rs", "#[derive(clap::Parser)] struct A;"),
    ];
    for (name, text) in at_home {
        assert_eq!(faults(name, text), "", "{name} {text}");
    }
}

#[test]
fn colours_names_and_headers_are_looked_at() {
    let faults =
        |name: &str, text: &str| faults_of(name, &format!("//! Lives here.\n{text}")).join("; ");
    assert!(
        faults("ui/fleet.rs", "use ratatui::style::{Color, Style};").contains("names a colour")
    );
    assert!(faults("ui/fleet.rs", "fn f() { Color::Red }").contains("names a colour"));
    assert!(faults("ui/fleet.rs", "fn f() { text.red() }").contains("paints `.red()`"));
    assert_eq!(faults("ui/theme.rs", "use ratatui::style::Color; fn f() { Color::Red }"), "");
    assert!(faults("ui/fleet.rs", "fn handle_key() {}").contains("named `handle_key`"));
    assert!(faults("ops/mod.rs", "fn get_row() {}").contains("named `get_row`"));
    assert_eq!(faults("git/repository.rs", "fn target_row(common_dir: &Path) {}"), "");
    assert!(faults("git/utils.rs", "").contains("a module is named `utils`"));
    assert!(faults("git/mod.rs", "struct RefManager;").contains("named `RefManager`"));
    assert!(faults_of("git/mod.rs", "use std::fs;\n")[0].contains("no header"));
}

#[test]
fn the_list_of_long_files_is_exact() {
    let counted = |lines: usize| vec![("a.rs".to_owned(), lines)];
    assert!(length_faults(&counted(400), &[]).is_empty());
    assert!(length_faults(&counted(401), &[])[0].contains("cut it"));
    assert!(length_faults(&counted(401), &["a.rs"]).is_empty());
    assert!(length_faults(&counted(601), &["a.rs"])[0].contains("is the limit"));
    assert!(length_faults(&counted(400), &["a.rs"])[0].contains("no longer long"));
    assert!(length_faults(&counted(10), &["b.rs"])[0].contains("not there"));
    assert_eq!(lines_counted("a\nb\n#[cfg(test)]\nmod tests {\n}\n"), 2);
    assert_eq!(lines_counted("a\n#[cfg(test)]\nfn f() {}\n"), 3);
}
