//! Writes that are watched and stopped, against real git: before the point of no return nothing has changed.

use std::{
    sync::{
        Arc, Mutex,
        atomic::{AtomicBool, Ordering},
    },
    time::Duration,
};

use shadowdeck::{
    app::job::Job,
    config::Config,
    ops::{Deck, discard, land, log, redo, undo},
    report::Code,
    review::{LandOptions, Progress, Watch},
    shadow::ShadowId,
};

use crate::support::{Fixture, fingerprint, script, write};

fn deck(fixture: &Fixture) -> Deck {
    for (key, value) in
        [("user.name", "Ana Test"), ("user.email", "ana@example.org"), ("commit.gpgSign", "false")]
    {
        fixture.git(["config", key, value]);
    }
    Deck::open(&fixture.repository, Config::default()).expect("a repository")
}

fn id(name: &str) -> ShadowId {
    ShadowId(name.to_owned())
}

fn hook(fixture: &Fixture, name: &str, body: &str) {
    script(&fixture.repository.join(".git/hooks").join(name), format!("#!/bin/sh\n{body}"));
}

#[test]
fn a_landing_stopped_in_its_hook_changes_nothing_and_its_lines_are_told() {
    let fixture = Fixture::new();
    let shadow = fixture.shadow("one");
    write(&shadow, "new.txt", "new\n");
    hook(&fixture, "pre-commit", "echo running 214 tests\nsleep 600\n");
    let deck = deck(&fixture);
    let before = (fixture.refs(), fingerprint(&fixture.repository.join(".git/worktrees")));
    let stop = AtomicBool::new(false);
    let lines = Mutex::new(Vec::new());
    let tell = |told: Progress| match told {
        Progress::Hook(name) => assert_eq!(name, "pre-commit"),
        Progress::Said(line) => {
            lines.lock().unwrap().push(line);
            stop.store(true, Ordering::Relaxed);
        }
        _ => {}
    };
    let plan = land::plan(&deck, &id("one"), &LandOptions::default(), &stop).expect("a plan");
    let watch = Watch { tell: &tell, stop: &stop };
    let report = land::carry_out_watched(&deck, &plan.confirm(), watch).expect_err("stopped");
    assert_eq!(report.code, Code::Timeout, "{report:?}");
    assert!(report.headline.contains("was stopped, as you asked"), "{report:?}");
    assert_eq!(*lines.lock().unwrap(), ["running 214 tests"]);
    assert_eq!(fixture.refs(), before.0);
    assert_eq!(fingerprint(&fixture.repository.join(".git/worktrees")), before.1);
    assert_eq!(log::read_log(&deck).expect("a log"), []);
}

#[test]
fn what_a_person_stopped_is_no_failure_on_record() {
    let fixture = Fixture::new();
    write(&fixture.shadow("one"), "new.txt", "new\n");
    hook(&fixture, "pre-commit", "echo running\nsleep 600\n");
    let deck = deck(&fixture);
    let stop = Arc::new(AtomicBool::new(false));
    let plan = land::plan(&deck, &id("one"), &LandOptions::default(), &stop).expect("a plan");
    let tell = |told: Progress| {
        stop.fetch_or(matches!(told, Progress::Said(_)), Ordering::Relaxed);
    };
    let perform = shadowdeck::runtime::perform(Arc::new(deck));
    let report = perform(Job::Land(Box::new(plan.confirm())), &stop, &tell).expect_err("stopped");
    assert_eq!(report.code, Code::Timeout, "{report:?}");
    let errors = fixture.program(["errors", "one", "--json"]).json();
    assert!(errors["last_error"].is_null(), "{errors}");
}

#[test]
fn a_discard_stopped_after_one_keeps_that_one_and_leaves_the_rest() {
    let fixture = Fixture::new();
    let names = ["a", "b", "c"];
    for name in names {
        write(&fixture.shadow(name), "only.txt", name);
    }
    let deck = deck(&fixture);
    let ids: Vec<ShadowId> = names.map(id).to_vec();
    let stop = AtomicBool::new(false);
    let tell = |told: Progress| {
        if matches!(told, Progress::Done { count: 0, of: 3 }) {
            stop.store(true, Ordering::Relaxed);
        }
    };
    let plan = discard::plan(&deck, &ids).expect("a plan").confirm(&ids);
    let watch = Watch { tell: &tell, stop: &stop };
    let done = discard::carry_out_watched(&deck, &plan, watch).expect("one goes");
    assert_eq!((done.shadows, done.left), (vec![id("a")], vec![id("b"), id("c")]));
    assert!(fixture.git(["worktree", "list"]).lines().count() == 3);
    let entries = log::read_log(&deck).expect("a log");
    assert_eq!(entries.last().map(|entry| entry.shadows.clone()), Some(vec![id("a")]));
    let back = undo::plan(&deck, None).expect("can be undone").confirm();
    undo::carry_out(&deck, &back, &|_| {}).expect("is undone");
    assert!(fixture.git(["worktree", "list"]).lines().count() == 4);
}

#[test]
fn waiting_for_the_lock_is_told_for_whom_and_can_be_stopped() {
    let fixture = Fixture::new();
    write(&fixture.shadow("one"), "new.txt", "new\n");
    let (deck, other) = (deck(&fixture), deck(&fixture));
    let stop = AtomicBool::new(false);
    let plan = land::plan(&deck, &id("one"), &LandOptions::default(), &stop).expect("a plan");
    let held = other.store.lock("land plan-7", Duration::from_secs(1)).expect("the lock");
    let holder = Mutex::new(String::new());
    let tell = |told: Progress| {
        if let Progress::Held(who) = told {
            *holder.lock().unwrap() = who;
            stop.store(true, Ordering::Relaxed);
        }
    };
    let watch = Watch { tell: &tell, stop: &stop };
    let report = land::carry_out_watched(&deck, &plan.confirm(), watch).expect_err("stopped");
    assert!(report.headline.contains("waiting for the lock was stopped"), "{report:?}");
    assert!(holder.lock().unwrap().contains("land plan-7"), "{holder:?}");
    drop(held);
}

#[test]
fn any_undo_that_stands_is_done_again_by_its_own_name_or_by_what_it_undid() {
    let fixture = Fixture::new();
    let deck = deck(&fixture);
    let stop = AtomicBool::new(false);
    write(&fixture.shadow("one"), "new.txt", "new\n");
    let plan = land::plan(&deck, &id("one"), &LandOptions::default(), &stop).expect("a plan");
    let landed = land::carry_out(&deck, &plan.confirm(), &|_| {}).expect("lands");
    assert!(redo::plan_of(&deck, Some(landed.operation)).is_err(), "it stands");
    let back = undo::plan(&deck, None).expect("a plan");
    assert_eq!(back.files.len(), 1);
    let undone = undo::carry_out(&deck, &back.confirm(), &|_| {}).expect("is undone");
    for named in [undone.operation, landed.operation] {
        let again = redo::plan_of(&deck, Some(named)).expect("a plan");
        assert_eq!(again.operation, undone.operation);
    }
}
