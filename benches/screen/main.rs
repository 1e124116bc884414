//! Reading diffs in a real terminal, beside the programs that people read them with, and beside the least that
//! such a program can do: interleaved in one run, medians, and above all ratios.
//!
//! `cargo bench --bench screen -- REPOSITORY [ROUNDS] [SCENARIO]`; without a repository it does nothing.

#![allow(
    clippy::print_stdout,
    clippy::panic,
    reason = "a report is what this program is for, and a fault ends it"
)]

#[path = "../fixture/mod.rs"]
mod fixture;
mod pty;
mod scenario;

use std::{collections::BTreeMap, path::Path, time::Duration};

use fixture::{Load, Shadows, child, git_any, make};
use pty::Running;
use scenario::{AT_ONCE, Contender, OURS, Scenario, Step, scenarios};

const PROGRAM: &str = env!("CARGO_BIN_EXE_shadowdeck");
const LIMIT: Duration = Duration::from_secs(20);
const SHADOWS: usize = 20;

/// Of each measure, what each round gave.
type Measures = BTreeMap<(usize, &'static str), Vec<f64>>;

fn main() {
    // cargo passes `--bench` to a harness of one's own.
    let words: Vec<String> =
        std::env::args().skip(1).filter(|word| !word.starts_with("--")).collect();
    let Some(source) = words.first() else {
        println!("name a repository to make shadows from; nothing was measured");
        return;
    };
    let rounds = words.get(1).map_or(5, |word| word.parse().expect("a number of rounds"));
    let only = words.get(2);
    let dir = tempfile::tempdir().expect("a temporary directory");
    let home = tempfile::tempdir().expect("a temporary directory");
    let source = Path::new(source).canonicalize().expect("the repository is there");
    let shadows = make(&source, dir.path(), SHADOWS, 1, Load::Large);
    // Once for all: what the first list ever costs is another benchmark's question.
    let listed = child(PROGRAM, &shadows.repository).args(["list"]).output().expect("it starts");
    assert!(listed.status.success(), "{}", String::from_utf8_lossy(&listed.stderr));
    println!("{SHADOWS} shadows, {rounds} rounds, a screen of 160×48; medians, times in ms\n");
    for scenario in scenarios(&shadows, dir.path()) {
        if only.is_none_or(|only| scenario.name.starts_with(only.as_str())) {
            run(&scenario, &shadows, home.path(), rounds);
        }
    }
}

fn run(scenario: &Scenario, shadows: &Shadows, home: &Path, rounds: usize) {
    let (present, missing): (Vec<_>, Vec<_>) =
        scenario.contenders.iter().partition(|contender| is_there(contender));
    let mut all: Vec<Measures> = vec![Measures::new(); present.len()];
    // One that does not get there in its time is not waited for again.
    let mut faults: Vec<Option<String>> = vec![None; present.len()];
    for round in 0..rounds {
        for turn in 0..present.len() {
            // Each begins a round in its turn.
            let index = (round + turn) % present.len();
            if faults[index].is_none() {
                let contender = present[index];
                let dir = match contender.name {
                    OURS | AT_ONCE => {
                        forget_places(&shadows.repository);
                        &shadows.repository
                    }
                    _ => &scenario.dir,
                };
                faults[index] = measure(contender, dir, home, &mut all[index]).err();
            }
        }
    }
    report(scenario, &present, &all);
    let names: Vec<&str> = missing.iter().map(|contender| contender.name).collect();
    if !names.is_empty() {
        println!("\nnot on this machine: {}", names.join(", "));
    }
    for (contender, fault) in present.iter().zip(&faults) {
        if let Some(fault) = fault {
            println!("\n{}: {fault}", contender.name);
        }
    }
    println!();
}

/// Each round is a first reading: where the one before it ended is not gone back to.
fn forget_places(repository: &Path) {
    match std::fs::remove_file(repository.join(".git/shadowdeck/marks.json")) {
        Err(error) if error.kind() != std::io::ErrorKind::NotFound => panic!("{error}"),
        _ => {}
    }
}

fn is_there(contender: &Contender) -> bool {
    let program = &contender.program;
    program.is_empty()
        || Path::new(program).exists()
        || std::env::var_os("PATH")
            .is_some_and(|path| std::env::split_paths(&path).any(|dir| dir.join(program).is_file()))
}

/// Step by step; what is known by then stays where one of them fails.
fn measure(
    contender: &Contender,
    dir: &Path,
    home: &Path,
    measures: &mut Measures,
) -> Result<(), String> {
    let mut running = Running::start(&contender.words, dir, home);
    let mut outcome = Ok(());
    for (order, step) in contender.steps.iter().enumerate() {
        outcome = take(step, order * 2, &mut running, measures);
        if outcome.is_err() {
            break;
        }
    }
    let place = (usize::MAX, "peak memory, MB");
    measures.entry(place).or_default().push(running.peak_memory());
    running.end();
    outcome
}

fn take(
    step: &Step,
    order: usize,
    running: &mut Running,
    measures: &mut Measures,
) -> Result<(), String> {
    let mut keep = |order: usize, name: &'static str, value: f64| {
        measures.entry((order, name)).or_default().push(value);
    };
    let missed = |text: &str| format!("{text:?} did not come within {} s", LIMIT.as_secs());
    match step {
        Step::Ready { name, text } => {
            let at = running.wait_for(text, LIMIT).ok_or_else(|| missed(text))?;
            keep(order, name, ms(at - running.started));
        }
        Step::Rest => running.come_to_rest(),
        Step::Keys(keys) => {
            running.press(keys);
            running.come_to_rest();
        }
        Step::Until { name, keys, text } => {
            if running.shows(text) {
                return Err(format!("{text:?} was there before its key"));
            }
            let pressed = running.press(keys);
            let at = running.wait_for(text, LIMIT).ok_or_else(|| missed(text))?;
            keep(order, name, ms(at.saturating_duration_since(pressed)));
        }
        Step::Paced { names, key, count, pause } => {
            let times = running.paced(key, *count, *pause);
            let mut times: Vec<f64> = times.into_iter().map(ms).collect();
            times.sort_by(f64::total_cmp);
            let at = |percent: usize| times.get(times.len().saturating_sub(1) * percent / 100);
            let (Some(middle), Some(slowest)) = (at(50), at(99)) else {
                return Err(format!("nothing changed at {key:?}"));
            };
            keep(order, names[0], *middle);
            keep(order + 1, names[1], *slowest);
        }
        Step::Burst { name, key, count } => {
            let time = running.burst(key, *count);
            keep(order, name, time.map(ms).ok_or_else(|| format!("nothing changed at {key:?}"))?);
        }
    }
    Ok(())
}

fn ms(time: Duration) -> f64 {
    time.as_secs_f64() * 1000.0
}

fn median(values: &[f64]) -> Option<f64> {
    let mut values = values.to_vec();
    values.sort_by(f64::total_cmp);
    values.get(values.len() / 2).copied()
}

/// A row a measure, a column a program; in brackets ours as so many times theirs.
fn report(scenario: &Scenario, present: &[&Contender], all: &[Measures]) {
    println!("### {}\n", scenario.name);
    let names: Vec<&str> = present.iter().map(|contender| contender.name).collect();
    println!("| | {} |\n|---|{}", names.join(" | "), "---:|".repeat(names.len()));
    let mut rows: Vec<(usize, &'static str)> = Vec::new();
    for measures in all {
        for place in measures.keys() {
            if !rows.iter().any(|(_, name)| *name == place.1) {
                rows.push(*place);
            }
        }
    }
    rows.sort_by_key(|(order, _)| *order);
    for (_, name) in rows {
        let value = |measures: &Measures| {
            let found = measures.iter().find(|((_, known), _)| *known == name);
            found.and_then(|(_, values)| median(values))
        };
        let ours = all.first().and_then(value);
        let cells = all.iter().enumerate().map(|(index, measures)| match (value(measures), ours) {
            (None, _) => "–".to_owned(),
            (Some(value), Some(ours)) if index > 0 && value > 0.0 => {
                format!("{value:.1} ({:.2})", ours / value)
            }
            (Some(value), _) => format!("{value:.1}"),
        });
        println!("| {name} | {} |", cells.collect::<Vec<_>>().join(" | "));
    }
}

/// git's own patch of what a shadow changed, for the floor to show.
fn patch(dir: &Path) -> Vec<u8> {
    git_any(dir, &["diff"]).stdout
}
