//! Parts chosen by keys on a real repository: what is accepted lands, what is left out stays; plain git as the oracle.

use std::sync::{Arc, atomic::AtomicBool};

use shadowdeck::{
    app::{Screen, Sheet, review::View},
    config::Config,
    ops::Deck,
    review::accepted::Counts,
    runtime,
};

use crate::{
    desk::Desk,
    support::{Fixture, write},
};

/// A cockpit whose jobs are the real operations, done one after the other.
pub(crate) struct Live {
    pub(crate) desk: Desk,
    perform: runtime::Perform,
}

impl Live {
    pub(crate) fn new(fixture: &Fixture) -> Self {
        let deck = Deck::open(&fixture.repository, Config::default()).unwrap();
        let mut live =
            Self { desk: Desk::bare((120, 40)), perform: runtime::perform(Arc::new(deck)) };
        live.settle();
        live
    }

    pub(crate) fn settle(&mut self) {
        while let Some((slot, _, job)) = self.desk.open.first().cloned() {
            let answer = (self.perform)(job, &Arc::new(AtomicBool::new(false)), &|_| {});
            self.desk.answer(slot, answer).picture();
        }
    }

    /// Of the plan on the sheet.
    fn counts(&self) -> Option<Counts> {
        let Some(Sheet::Land(sheet)) = self.desk.model.sheets.last() else { panic!("a sheet") };
        sheet.plan().expect("is planned").part.as_ref().map(|part| part.counts)
    }

    pub(crate) fn press(&mut self, keys: &str) {
        for key in keys.split(' ') {
            self.desk.press(key);
            self.settle();
        }
    }
}

fn lines(changed: &[usize]) -> String {
    (0..60).fold(String::new(), |text, line| {
        let word = if changed.contains(&line) { "changed" } else { "line" };
        text + &format!("{word} {line}\n")
    })
}

/// Two files of three hunks, one of them committed, and a new file; `main` has gone on.
fn prepared() -> Fixture {
    let fixture = Fixture::new();
    fixture.git(["config", "user.name", "Ana Test"]);
    fixture.git(["config", "user.email", "ana@example.org"]);
    fixture.write("a.txt", lines(&[]));
    fixture.write("b.txt", lines(&[]));
    fixture.commit("base");
    let shadow = fixture.shadow("one");
    write(&shadow, "a.txt", lines(&[5, 30, 55]));
    fixture.commit_in(&shadow, "a");
    write(&shadow, "b.txt", lines(&[5, 30, 55]));
    write(&shadow, "c.txt", "new\n");
    fixture.write("main.txt", "moves\n");
    fixture.commit("main moves");
    fixture
}

fn file(fixture: &Fixture, name: &str) -> String {
    fixture.git(["show", &format!("main:{name}")])
}

#[test]
fn what_is_accepted_lands_and_what_is_left_stays_and_lands_next() {
    let fixture = prepared();
    let mut live = Live::new(&fixture);
    // The second hunk of a.txt, the last of b.txt and all of c.txt stay.
    live.press("Enter g g ] ] t } ] ] ] t } T m");
    let counts = live.counts().expect("a part");
    assert_eq!((counts.hunks, counts.hunks_all, counts.files, counts.files_all), (4, 7, 2, 3));
    live.press("Enter");
    assert_eq!(live.desk.model.screen(), Screen::Fleet, "{}", live.desk.answer_text());
    assert_eq!(file(&fixture, "a.txt"), lines(&[5, 55]).trim_end());
    assert_eq!(file(&fixture, "b.txt"), lines(&[5, 30]).trim_end());
    assert_eq!(fixture.git(["ls-tree", "--name-only", "main", "c.txt"]), "");
    // The rest is the whole of what the shadow proposes now, and nothing of it is left out.
    live.press("/ o n e Enter Enter");
    let page = live.desk.screen();
    assert!(page.contains("a.txt") && page.contains("c.txt"), "{page}");
    assert!(!page.contains("left out"), "{page}");
    live.press("m Enter");
    assert_eq!(file(&fixture, "a.txt"), lines(&[5, 30, 55]).trim_end());
    assert_eq!(file(&fixture, "b.txt"), lines(&[5, 30, 55]).trim_end());
    assert_eq!(file(&fixture, "c.txt"), "new");
    assert_eq!(fixture.git(["status", "--porcelain"]), "");
}

#[test]
fn nothing_accepted_lands_nothing_and_all_accepted_is_the_whole() {
    let fixture = prepared();
    let before = fixture.refs();
    let mut live = Live::new(&fixture);
    live.press("Enter : t a r g e t . a l l Enter m");
    assert!(live.desk.answer_text().starts_with("m: all of it is left out"));
    live.press("Esc m");
    assert!(live.desk.screen().contains("nothing of what one proposes is accepted"));
    assert_eq!(fixture.refs(), before);
    live.press("Esc Enter A } A } A m");
    assert_eq!(live.counts(), None, "all of it is no part");
    live.press("Enter");
    assert_eq!(file(&fixture, "b.txt"), lines(&[5, 30, 55]).trim_end());
    assert_eq!(fixture.git(["worktree", "list"]).lines().count(), 1, "it is whole and gone");
}

#[test]
fn a_landing_that_fails_in_the_cockpit_is_on_record_for_the_agent() {
    let fixture = prepared();
    let hook = fixture.repository.join(".git/hooks/pre-commit");
    crate::support::script(&hook, "#!/bin/sh\necho lint: 3 problems\nexit 1\n");
    let mut live = Live::new(&fixture);
    live.press("m Enter");
    let errors = fixture.program(["errors", "one", "--json"]).json();
    assert_eq!(errors["last_error"]["code"], "hook_rejected", "{}", live.desk.screen());
}

/// How far the only shadow is read, as its row says.
fn read(live: &mut Live) -> String {
    live.press("R");
    let fleet = &live.desk.model.fleet;
    let count = fleet.listed.first().and_then(|listed| fleet.read_of(&listed.row));
    let text = count.map_or_else(String::new, |count| format!("{}/{}", count.read, count.files));
    let screen = live.desk.screen();
    assert!(screen.contains(&format!(" {text} ")), "{text}: {screen}");
    text
}

#[test]
fn after_a_part_landed_the_count_is_of_the_rest_and_nothing_of_the_targets_is_new() {
    let fixture = prepared();
    let mut live = Live::new(&fixture);
    // All is read, and the second hunk of a.txt stays.
    live.press("Enter g g Space Space Space Space Space Space Space g g ] ] t Esc");
    assert_eq!(read(&mut live), "3/3");
    live.press("m Enter");
    assert_eq!(file(&fixture, "c.txt"), "new");
    assert_eq!(read(&mut live), "1/1");
    live.press("Enter");
    let screen = live.desk.screen();
    assert!(screen.contains("1/1 read") && !screen.contains("b.txt"), "{screen}");
    assert_eq!(
        live.desk.answer_text(),
        "nothing changed since you looked; this is view 1 still",
        "what came from main is not the agent's"
    );
    live.press("Esc u Enter");
    assert_eq!(read(&mut live), "3/3", "{}", live.desk.answer_text());
    live.press("Enter");
    assert!(live.desk.screen().contains("3/3 read"), "{}", live.desk.screen());
}

#[test]
fn since_a_person_looked_shows_what_the_agent_did_and_not_what_a_rebase_brought() {
    let fixture = prepared();
    let shadow = fixture.root().join("shadows").join("one");
    let mut live = Live::new(&fixture);
    live.press("Enter r } r } r Esc");
    let rebase = |line: usize| {
        fixture.write("a.txt", lines(&[line]));
        fixture.commit("main changes what the shadow changes elsewhere");
        fixture.git_in(&shadow, ["rebase", "-q", "--autostash", "main"]);
    };
    rebase(15);
    live.press("R Enter");
    let said = live.desk.answer_text().to_owned();
    assert_eq!(said, "nothing changed since you looked; this is view 1 still");
    assert!(live.desk.screen().contains("a.txt"), "{}", live.desk.screen());
    live.press("Esc");
    write(&shadow, "b.txt", lines(&[5, 30, 45, 55]));
    rebase(16);
    live.press("R Enter");
    let said = live.desk.answer_text().to_owned();
    assert_eq!(said, "since you looked, without what main did: 1 file · 1 shows all");
    let screen = live.desk.screen();
    assert!(screen.contains("changed 45") && !screen.contains("changed 16"), "{screen}");
}

#[test]
fn what_was_never_read_is_never_taken_for_seen() {
    let fixture = prepared();
    let shadow = fixture.root().join("shadows").join("one");
    let mut live = Live::new(&fixture);
    // Looked into, nothing ticked: coming back shows all of it, not only what came since.
    live.press("Enter 2");
    assert_eq!(
        live.desk.answer_text(),
        "2: this is the first time that you look at it; view 1 shows all"
    );
    live.press("Esc");
    write(&shadow, "b.txt", lines(&[5, 30, 45, 55]));
    live.press("R Enter");
    let view = |live: &Live| live.desk.model.review.as_ref().map(|screen| screen.view);
    assert_eq!(view(&live), Some(View::All), "{}", live.desk.answer_text());
    // One file is read; another that is not changes again: it is shown whole.
    live.press("g g r");
    assert!(live.desk.answer_text().starts_with("ticked a.txt"), "{}", live.desk.answer_text());
    live.press("Esc");
    write(&shadow, "a.txt", lines(&[5, 20, 30, 55]));
    write(&shadow, "b.txt", lines(&[5, 30, 45, 50, 55]));
    live.press("R Enter");
    assert_eq!(
        live.desk.answer_text(),
        "since you looked: 2 files, 1 of them whole: not read before · 1 shows all"
    );
    let page = live.desk.model.review.as_ref().and_then(|screen| screen.page.clone()).unwrap();
    let lines: Vec<u32> = page.files.iter().map(|file| file.change.insertions).collect();
    assert_eq!(lines, [1, 5], "one since it was read, and all that b.txt changes");
    live.press("g g Space Space Space");
    let said = live.desk.answer_text().to_owned();
    assert!(said.starts_with("all that changed is read, 1 file never · 1 shows all"), "{said}");
}

#[test]
fn since_you_looked_knows_the_page_that_r_took_away() {
    let fixture = prepared();
    let shadow = fixture.root().join("shadows").join("one");
    let mut live = Live::new(&fixture);
    live.press("Enter r");
    write(&shadow, "a.txt", lines(&[5, 20, 30, 55]));
    live.press("R 2");
    let said = live.desk.answer_text().to_owned();
    assert_eq!(said, "since you looked: 1 file · 1 shows all");
    let screen = live.desk.screen();
    assert!(screen.contains("changed 20") && !screen.contains("changed 30"), "{screen}");
}
