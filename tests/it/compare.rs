//! Comparing with another base or another shadow: choosing it, reading it, and that nothing of it lands.

use std::{fs, sync::atomic::AtomicBool};

use shadowdeck::{
    app::review::View,
    config::Config,
    ops::{Deck, compare, diff},
    review::{Against, Content, ReviewPage, marks::Marks, stream::Layout},
    shadow::{BranchName, Oid, ShadowId},
    ui::theme::Theme,
};

use crate::{
    desk::text,
    matrix,
    scenes::{World, facts},
    support::{Fixture, script, write},
};

fn screen(world: &World) -> String {
    text(&world.draw(&Theme::default()))
}

fn answer(world: &World) -> &str {
    world.model.answer.as_ref().map_or("", |answer| &answer.text)
}

fn view(world: &World) -> View {
    world.model.review.as_ref().expect("a review is open").view
}

fn swift() -> ShadowId {
    ShadowId("agent-swift-fox".into())
}

/// Typed letter by letter.
fn typed(text: &str) -> String {
    text.chars().map(|c| format!("{c} ")).collect()
}

fn compared(size: (u16, u16), with: &str) -> World {
    let mut world = World::new(size.0, size.1);
    world.press(&format!("Enter B {} Enter", typed(with)));
    world
}

#[test]
fn the_picker_and_what_is_compared_as_they_are_drawn() {
    for (columns, rows) in [(40, 12), (80, 24), (120, 40), (200, 60)] {
        let keep = |name: &str, world: &World| {
            matrix::keep(&format!("{name}_{columns}x{rows}"), &|theme| world.draw(theme));
        };
        let mut world = World::new(columns, rows);
        world.press("Enter B");
        keep("compare_picker", &world);
        world.press("n o s u c h");
        keep("compare_typed", &world);
        keep("compared_with_branch", &compared((columns, rows), "release"));
        keep("compared_with_shadow", &compared((columns, rows), "brave-otter"));
    }
}

#[test]
fn two_shadows_stand_side_by_side_and_both_are_named() {
    let world = compared((120, 40), "brave-otter");
    let shown = screen(&world);
    assert_eq!(view(&world), View::Against);
    let rule = shown.lines().nth(1).expect("a rule");
    assert!(rule.contains("left agent-brave-otter   right agent-swift-fox"), "{rule}");
    let layout = world.model.review.as_ref().map(|screen| screen.choices.layout);
    assert_eq!(layout, Some(Layout::Beside), "from 100 columns on");
    assert!(answer(&world).starts_with("compared with agent-brave-otter: 2 files"), "{shown}");
    let world = compared((80, 24), "brave-otter");
    assert!(screen(&world).contains("- agent-brave-otter   + agent-swift-fox"));
    let world = compared((120, 40), "release");
    let rule = screen(&world).lines().nth(1).expect("a rule").to_owned();
    assert!(rule.contains("- release/2.4 ") && rule.contains("not what lands"), "{rule}");
}

#[test]
fn the_base_is_named_in_every_view() {
    let mut world = World::new(120, 40);
    world.press("Enter");
    let base = facts::pages()[0].base.abbreviated().to_string();
    assert!(screen(&world).contains(&format!(" base {base} ")), "{}", screen(&world));
    world.press("4");
    assert!(screen(&world).contains(&format!(" base {base} ")));
    world.press("3");
    assert!(screen(&world).contains(" tip "));
}

#[test]
fn what_was_chosen_is_remembered_till_it_is_left_or_taken_back_in_the_same_picker() {
    let mut world = compared((120, 40), "release");
    let chosen = Against::Branch(BranchName("release/2.4".into()));
    assert_eq!(world.marks.against.get(&swift()), Some(&chosen));
    let again = |marks: &Marks| {
        let mut world = World::new(120, 40);
        world.marks = marks.clone();
        world.model = shadowdeck::app::Model::default();
        world.restart();
        world.press("Enter");
        world
    };
    assert_eq!(view(&again(&world.marks)), View::Against, "also by another run");
    world.press("q Enter");
    assert_eq!(view(&world), View::Against);
    world.press("1");
    assert_eq!(view(&world), View::All);
    world.press("R");
    assert_eq!(view(&world), View::All, "R keeps the view that was chosen");
    assert_eq!(view(&again(&world.marks)), View::All, "what was left does not come back");
    world.press("B r e l e a s e Enter");
    assert_eq!(view(&world), View::Against);
    world.press("B Enter");
    assert_eq!(answer(&world), "agent-swift-fox is shown as it lands again");
    assert_eq!(world.marks.against.get(&swift()), None);
    assert_eq!(view(&again(&world.marks)), View::All);
}

#[test]
fn the_list_compares_too_and_what_is_wrong_is_named() {
    let mut world = World::new(120, 40);
    world.press(&format!("B {} Enter", typed("brave-otter")));
    assert_eq!(view(&world), View::Against);
    world.press(&format!("B {} Enter", typed("gone")));
    assert!(answer(&world).starts_with("`gone` names no commit"), "{}", answer(&world));
    assert_eq!(view(&world), View::Against, "what was there stays");
    world.press(&format!("B {} Enter", typed("same")));
    assert_eq!(answer(&world), "same: nothing differs from it");
    let kept = world.marks.against.get(&swift());
    assert_eq!(kept, Some(&Against::Shadow(ShadowId("agent-brave-otter".into()))));
    // A base that is gone when it is opened again: the change is shown, with the reason.
    let mut world = World::new(120, 40);
    let gone = Against::Revision("gone".into());
    world.model.memory.marks.against.insert(swift(), gone.clone());
    world.marks.against.insert(swift(), gone);
    world.press("Enter");
    assert_eq!(view(&world), View::All);
    assert!(answer(&world).starts_with("`gone` names no commit"));
    assert!(screen(&world).contains("ci.yml"), "{}", screen(&world));
}

#[test]
fn ticks_of_a_comparison_are_its_own() {
    let mut world = compared((120, 40), "brave-otter");
    let read = |world: &World| world.model.fleet.read.get(&swift()).map(|read| read.read);
    world.press("r");
    assert!(answer(&world).starts_with("ticked src/retry.rs"), "{}", answer(&world));
    assert_eq!(read(&world), Some(0), "nothing of what lands was read");
    world.press("1");
    let screen = world.model.review.as_ref().expect("a review");
    let readings: Vec<_> = (0..screen.page.as_ref().expect("a page").files.len())
        .map(|file| screen.reading(&world.model.memory.marks.ticks, file))
        .collect();
    assert!(readings.iter().all(|reading| *reading == shadowdeck::review::ticks::Reading::Unread));
    world.press(&format!("B {} Enter", typed("brave-otter")));
    let screen = world.model.review.as_ref().expect("a review");
    let reading = screen.reading(&world.model.memory.marks.ticks, 0);
    assert_eq!(reading, shadowdeck::review::ticks::Reading::Read, "there it is read");
    world.press("t");
    assert!(answer(&world).contains("not in a comparison"), "{}", answer(&world));
    world.press("T");
    assert!(world.marks.accepted.is_empty());
}

#[test]
fn a_landing_never_follows_it_and_says_so() {
    let mut world = compared((120, 40), "brave-otter");
    world.press("m");
    let shown = screen(&world);
    assert!(shown.contains("above is beside agent-brave-otter: not what lands"), "{shown}");
    assert!(shown.contains("4 files"), "its own change: {shown}");
    world.press("Esc 1 m");
    assert!(!screen(&world).contains("not what lands"));
}

fn deck(fixture: &Fixture) -> Deck {
    let config = Config::default();
    Deck::open(&fixture.repository, config).expect("a repository")
}

fn paths(page: &ReviewPage) -> Vec<String> {
    page.files
        .iter()
        .map(|file| String::from_utf8_lossy(file.change.path.as_bytes()).into())
        .collect()
}

#[test]
fn real_git_compares_shadows_and_commits_and_nothing_of_the_repository_s_config_runs() {
    let fixture = Fixture::new();
    fixture.write("a.txt", "one\n");
    fixture.commit("one");
    fixture.git(["tag", "v1"]);
    let (mine, theirs) = (fixture.shadow("mine"), fixture.shadow("theirs"));
    write(&mine, "a.txt", "mine\n");
    write(&theirs, "a.txt", "theirs\n");
    write(&theirs, "only.txt", "theirs alone\n");
    fixture.commit_in(&mine, "mine");
    write(&mine, "a.txt", "mine, and more\n");
    // What an agent could have written down to be run.
    let ran = fixture.root().join("ran");
    let evil = fixture.root().join("evil");
    script(&evil, format!("#!/bin/sh\necho ran >> '{}'\nexit 1\n", ran.display()));
    let evil = evil.to_str().expect("a path");
    for key in ["diff.external", "diff.x.textconv", "diff.x.command", "core.pager", "core.editor"] {
        fixture.git(["config", key, evil]);
    }
    fixture.git(["config", "core.fsmonitor", evil]);
    fs::create_dir_all(fixture.repository.join(".git/info")).expect("a directory");
    fs::write(fixture.repository.join(".git/info/attributes"), "*.txt diff=x\n").expect("written");
    let deck = deck(&fixture);
    let cancel = AtomicBool::new(false);
    let id = ShadowId("mine".into());
    let page = diff::read_review(&deck, &id, &cancel).expect("a page");
    let read =
        |against: &Against| compare::read_comparison(&deck, &id, &page.snapshot, against, &cancel);
    let beside = read(&Against::Shadow(ShadowId("theirs".into()))).expect("a comparison");
    assert_eq!(paths(&beside), ["a.txt", "only.txt"]);
    let Content::Text { old, new, .. } = &beside.files[0].content else { panic!("text") };
    assert_eq!((old.line(0), new.line(0)), (&b"theirs"[..], &b"mine, and more"[..]));
    assert_eq!(beside.snapshot, page.snapshot);
    // `HEAD~1` is the shadow's own, and uncommitted work counts.
    let revision = |text: &str| read(&Against::Revision(text.to_owned()));
    let before = revision("HEAD~1").expect("a comparison");
    assert_eq!(before.base.as_str(), fixture.git(["rev-parse", "v1"]).trim());
    assert_eq!(paths(&revision("HEAD").expect("a comparison")), ["a.txt"]);
    assert_eq!(read(&Against::Tag("v1".into())).expect("a comparison").files, before.files);
    for wrong in ["nosuch", "--output=x", "v1:a.txt", "", "HEAD~99"] {
        let report = revision(wrong).expect_err("names no commit");
        assert!(report.headline.contains("names no commit"), "{wrong}: {report:?}");
    }
    assert!(read(&Against::Shadow(ShadowId("gone".into()))).is_err());
    let names = compare::read_choices(&deck).expect("names");
    let words: Vec<String> = names.iter().map(|name| name.against.words()).collect();
    assert!(
        words.contains(&"main".to_owned()) && words.contains(&"tag v1".to_owned()),
        "{words:?}"
    );
    assert!(!ran.exists(), "{}", fs::read_to_string(&ran).unwrap_or_default());
}

#[test]
fn the_header_counts_what_its_ticks_are_on() {
    let mut world = compared((120, 40), "brave-otter");
    let header = |world: &World| screen(world).lines().next().expect("a header").to_owned();
    assert!(header(&world).contains(" 0/2 compared"), "{}", header(&world));
    world.press("r } r");
    assert!(header(&world).contains(" 2/2 compared"), "{}", header(&world));
    let mut world = compared((120, 40), "brave-otter");
    world.press("r u");
    assert!(header(&world).contains(" 0/2 compared"), "{}", header(&world));
    world.press("1");
    assert!(header(&world).contains(" 0/3 read"), "{}", header(&world));
}

#[test]
fn a_run_of_commits_across_a_merge_of_the_target_is_what_the_shadow_did() {
    let fixture = Fixture::new();
    let lines = |changed: &[(usize, &str)]| -> String {
        let line = |at: usize| changed.iter().find(|(line, _)| *line == at).map(|(_, text)| *text);
        (0..40).map(|at| format!("{}\n", line(at).unwrap_or("line"))).collect()
    };
    fixture.write("a.txt", lines(&[]));
    fixture.commit("base");
    let shadow = fixture.shadow("mine");
    write(&shadow, "a.txt", lines(&[(5, "one")]));
    fixture.commit_in(&shadow, "one");
    write(&shadow, "a.txt", lines(&[(5, "one"), (15, "two")]));
    fixture.commit_in(&shadow, "two");
    fixture.write("a.txt", lines(&[(15, "theirs"), (35, "theirs")]));
    fixture.write("theirs.txt", "theirs\n");
    fixture.commit("theirs");
    fixture.git_any(&shadow, ["merge", "-q", "main"]);
    write(&shadow, "a.txt", lines(&[(5, "one"), (15, "both"), (35, "theirs")]));
    fixture.commit_in(&shadow, "merge main");
    write(&shadow, "b.txt", "three\n");
    fixture.commit_in(&shadow, "three");
    let deck = deck(&fixture);
    let (id, cancel) = (ShadowId("mine".into()), AtomicBool::new(false));
    let whole = diff::read_review(&deck, &id, &cancel).expect("a page");
    let commits = diff::read_commits(&deck, &whole.base, &whole.tip).expect("commits");
    assert_eq!(commits.len(), 4, "{commits:?}");
    let run = |chosen: std::ops::RangeInclusive<usize>| {
        let run = &commits[chosen];
        let is_outside = |parent: &&Oid| run.iter().all(|commit| commit.id != **parent);
        let parents: Vec<Oid> =
            run.iter().flat_map(|commit| &commit.parents).filter(is_outside).cloned().collect();
        diff::read_run(&deck, &id, run[0].id.clone(), &parents, &cancel).expect("a page")
    };
    assert_eq!(run(0..=3).files, whole.files, "all of them are the whole change");
    let (added, removed) =
        (|page: &ReviewPage| sum(page, true), |page: &ReviewPage| sum(page, false));
    // Of the merge alone it is how it was settled, as `git show --remerge-diff` has it.
    let merge = run(1..=1);
    assert_eq!(paths(&merge), ["a.txt"]);
    let git =
        fixture.git(["show", "--remerge-diff", "--format=", "--numstat", commits[1].id.as_str()]);
    let git: Vec<&str> = git.split_whitespace().collect();
    assert_eq!([added(&merge).to_string(), removed(&merge).to_string()], git[..2]);
    // Across it nothing that the target did is there.
    let across = run(0..=2);
    assert_eq!(paths(&across), ["a.txt", "b.txt"]);
    let Content::Text { new, blocks, .. } = &across.files[0].content else { panic!("text") };
    let came: Vec<_> =
        blocks.iter().flat_map(|block| block.new.clone()).map(|at| new.line(at)).collect();
    assert_eq!(came, [&b"both"[..]]);
    assert_eq!(paths(&run(2..=2)), ["a.txt"]);
    assert_eq!(added(&run(2..=3)), 2);
}

fn sum(page: &ReviewPage, added: bool) -> u32 {
    let of = |file: &shadowdeck::review::FileDiff| {
        if added { file.change.insertions } else { file.change.deletions }
    };
    page.files.iter().map(of).sum()
}
