//! What is wrong with the configuration: what sends git elsewhere or runs programs, what has changed since shadows
//! were first seen, what would publish the pins. Nothing of it is run, and nothing of it is changed.

use std::{collections::BTreeMap, sync::atomic::AtomicBool};

use super::Fault;
use crate::{
    git::{
        drivers, pins,
        settings::{Scope, Setting},
        worktrees::Worktrees,
    },
    ops::{Deck, ground::Ground, trust},
    report::Report,
};

/// What the repository's own configuration sets that runs a program at every look, or sends git elsewhere. None of
/// it runs while reviewing.
pub(super) fn faults(deck: &Deck, worktrees: &Worktrees) -> Vec<Fault> {
    let settings = &deck.repository.settings;
    let own = settings
        .all()
        .iter()
        .filter(|setting| matches!(setting.scope, Scope::Local | Scope::Worktree));
    let mut faults: Vec<Fault> =
        own.filter_map(|setting| find_fault(deck, worktrees, setting)).collect();
    faults.extend(program_faults(deck));
    faults.extend(mirror_faults(deck));
    faults
}

fn find_fault(deck: &Deck, worktrees: &Worktrees, setting: &Setting) -> Option<Fault> {
    let value = setting.value.as_deref().unwrap_or("true");
    let is_bool = matches!(
        value.to_ascii_lowercase().as_str(),
        "true" | "false" | "yes" | "no" | "on" | "off" | "1" | "0" | ""
    );
    let message = match setting.key.as_str() {
        "core.fsmonitor" if !is_bool => {
            format!("git runs `{value}` whenever it looks at a worktree; shadowdeck does not")
        }
        "core.hookspath" if is_in_worktree(worktrees, value) => {
            format!("hooks come from `{value}`, where whoever works in a worktree can change them")
        }
        "core.worktree" => format!("git in the main worktree acts on `{value}`"),
        // Where git keeps an index it had files, so it was not made bare.
        "core.bare"
            if settings_is_true(value) && deck.repository.common_dir.join("index").exists() =>
        {
            "git takes the repository for bare, and finds no main worktree".to_owned()
        }
        _ => return None,
    };
    let remedy = format!("if you did not set it: git config --local --unset {}", setting.key);
    Some(Fault::new("poisoned_config", setting.key.clone(), message, remedy))
}

fn settings_is_true(value: &str) -> bool {
    matches!(value.to_ascii_lowercase().as_str(), "true" | "yes" | "on" | "1")
}

fn is_in_worktree(worktrees: &Worktrees, value: &str) -> bool {
    let path = std::path::Path::new(value);
    let mut roots =
        worktrees.linked.iter().map(|worktree| &worktree.path).chain(&worktrees.main.path);
    !value.is_empty()
        && (path.is_relative() && !value.starts_with('~')
            || roots.any(|root| path.starts_with(root)))
}

/// A mirror push publishes every ref, the pins with all that they keep included.
fn mirror_faults(deck: &Deck) -> Vec<Fault> {
    let settings = &deck.repository.settings;
    let pinned = match pins::read_operations(&deck.repository) {
        Ok(pinned) => pinned,
        Err(report) => {
            return vec![Fault::new(
                "unreadable",
                "refs/shadowdeck",
                report.headline,
                "mend that first, then look again",
            )];
        }
    };
    if pinned.is_empty() {
        return Vec::new();
    }
    let mirrors = settings.all().iter().filter_map(|setting| {
        let name = setting.key.strip_prefix("remote.")?;
        let value = setting.value.as_deref().unwrap_or("true");
        let everything = |spec: &str| spec.trim_start_matches('+').starts_with("refs/*");
        match name.rsplit_once('.')? {
            (remote, "mirror") if settings_is_true(value) => Some(remote),
            (remote, "push") if everything(value) => Some(remote),
            _ => None,
        }
    });
    let mut mirrors: Vec<&str> = mirrors.collect();
    mirrors.sort_unstable();
    mirrors.dedup();
    mirrors
        .into_iter()
        .map(|remote| {
            Fault::new(
                "published_pins",
                format!("remote {remote}"),
                format!(
                    "a push to {remote} publishes every ref, and refs/shadowdeck/ pins what {} operations keep for undo",
                    pinned.len()
                ),
                format!("push branches only: git config --unset remote.{remote}.mirror, and git config remote.{remote}.push 'refs/heads/*'"),
            )
        })
        .collect()
}

/// Keys that start a program wherever git shows or converts something. Shadowdeck starts none of them, git does.
fn is_program(key: &str) -> bool {
    let (section, rest) = key.split_once('.').unwrap_or((key, ""));
    let variable = rest.rsplit('.').next().unwrap_or_default();
    match section {
        "core" => matches!(variable, "pager" | "editor" | "sshcommand" | "askpass" | "gitproxy"),
        "diff" => matches!(variable, "external" | "textconv" | "command"),
        "filter" => matches!(variable, "clean" | "smudge" | "process"),
        "merge" => variable == "driver",
        "gpg" => variable == "program",
        "credential" => variable == "helper",
        "sequence" => variable == "editor",
        "interactive" => variable == "difffilter",
        "pager" | "alias" => true,
        _ => false,
    }
}

/// One fault for all of them: which are the user's own is theirs to say.
fn program_faults(deck: &Deck) -> Option<Fault> {
    let own = drivers::untrusted_values(&deck.repository);
    let keys: Vec<&str> = own.keys().map(String::as_str).filter(|key| is_program(key)).collect();
    if keys.is_empty() {
        return None;
    }
    Some(Fault::new(
        "own_programs",
        keys.join(", "),
        "the repository's own config names programs that git runs; shadowdeck runs none of them while you look, \
         and filters and merge drivers not before you trust them",
        "`git config --show-origin --get-regexp .` shows them; what you did not set: git config --local --unset KEY",
    ))
}

/// What landing would ask `--trust` for.
pub(super) fn changes(deck: &Deck) -> Result<Vec<Fault>, Report> {
    let ground = Ground::read(deck, &AtomicBool::new(false))?;
    let mut changed: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for (id, words) in trust::read_changes(deck, &ground)? {
        for one in words {
            changed.entry(one).or_default().push(id.0.clone());
        }
    }
    let fault = |(words, ids): (String, Vec<String>)| {
        Fault::new(
            "untrusted_change",
            ids.join(", "),
            format!("{words} since then, and it was not trusted"),
            "look at it; if it is as it should be, the next landing with --trust takes it",
        )
    };
    Ok(changed.into_iter().map(fault).collect())
}
