//! What the documents say of the program, compared with the program.

use std::fs;

use shadowdeck::app::command::{Context, commands};

use crate::support::root;

/// The text between two marker lines, and what is around it.
fn split<'a>(text: &'a str, name: &str) -> (&'a str, &'a str, &'a str) {
    let (open, close) = (format!("<!-- {name} -->\n"), format!("<!-- /{name} -->"));
    let start = text.find(&open).expect("the block's start is marked") + open.len();
    let end = text.find(&close).expect("the block's end is marked");
    (&text[..start], &text[start..end], &text[end..])
}

fn key_table() -> String {
    let mut table = String::new();
    for context in Context::ALL {
        let rows: Vec<_> = commands().filter(|command| command.context == context).collect();
        if rows.is_empty() {
            continue;
        }
        table += "\n**";
        table += context.title();
        table += "**\n\n| keys | does |\n|---|---|\n";
        for command in rows {
            let keys = match command.keys {
                // Found by its name, as help says too.
                [] => in_code(&format!(":{}", command.name)),
                keys => keys.iter().map(|key| in_code(key)).collect::<Vec<_>>().join(" "),
            };
            let help = command.help.replace('|', "\\|");
            table += &["| ", &keys, " | ", &help, " |\n"].concat();
        }
    }
    table + "\n"
}

fn in_code(key: &str) -> String {
    if key.contains('`') {
        format!("`` {key} ``")
    } else {
        format!("`{}`", key.replace('|', "\\|"))
    }
}

/// `UPDATE_README=1 cargo test --test it documents` writes the table anew.
#[test]
fn the_readme_s_key_table_is_the_program_s() {
    let path = root().join("README.md");
    let text = fs::read_to_string(&path).unwrap();
    let (before, found, after) = split(&text, "keys");
    let expected = key_table();
    if std::env::var_os("UPDATE_README").is_some() {
        fs::write(&path, [before, &expected, after].concat()).unwrap();
        return;
    }
    assert!(
        found == expected,
        "run `UPDATE_README=1 cargo test --test it documents`; the table should be:\n{expected}"
    );
}

#[test]
fn every_dependency_has_its_reason_in_the_architecture() {
    let manifest = fs::read_to_string(root().join("Cargo.toml")).unwrap();
    let manifest: toml::Table = manifest.parse().unwrap();
    let reasons = fs::read_to_string(root().join("ARCHITECTURE.md")).unwrap();
    for section in ["dependencies", "dev-dependencies"] {
        for name in manifest[section].as_table().unwrap().keys() {
            assert!(
                reasons.contains(&format!("`{name}`")),
                "{name} has no line in ARCHITECTURE.md"
            );
        }
    }
}

#[test]
fn every_picture_and_page_that_the_readme_names_is_there() {
    let text = fs::read_to_string(root().join("README.md")).unwrap();
    for part in text.split("](").skip(1) {
        let target = part.split(')').next().unwrap();
        assert!(
            target.starts_with("http") || root().join(target).exists(),
            "README.md names {target}"
        );
    }
}

#[test]
fn the_readme_s_settings_are_the_defaults() {
    let text = fs::read_to_string(root().join("README.md")).unwrap();
    let block = text.split("```toml\n").nth(1).unwrap().split("```").next().unwrap();
    let dir = tempfile::tempdir().unwrap();
    fs::write(dir.path().join("config.toml"), block).unwrap();
    let (config, reports) = shadowdeck::config::Config::read_dir(dir.path());
    assert_eq!(reports, []);
    assert_eq!(config, shadowdeck::config::Config::default());
}
