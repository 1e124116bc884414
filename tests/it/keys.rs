//! The key table of the design, typed key by key; keys of one's own; what lies behind single keys.

use std::collections::BTreeSet;

use shadowdeck::{
    app::{
        Context, Effect, Msg, Screen, Sheet, Wheel,
        command::{commands, find_command},
        job::{Job, Outcome, Slot},
        keymap::{KeyPress, Keymap, Lookup, parse_keys},
        viewport::Border,
    },
    config::KeySetting,
    review::{CommitLine, ConflictPage, SeenList, SeenRow, Stale, UndoPlan, Verdict},
    shadow::{RepoPath, Strategy},
};

use crate::desk::{
    Desk, NOW_MS, discard_plan, fleet, id, landing, log_entries, oid, page, places, refusal, row,
    rows, stale, sync_plan, undo_plan,
};

const WIDE: (u16, u16) = (120, 40);

/// For each place: keys that do something there, and keys that say what would.
const TABLE: &[(Context, &str, &str)] = &[
    (
        Context::Fleet,
        "j,k,Down,Up,ctrl-d,ctrl-u,ctrl-f,ctrl-b,g g,G,l,Right,J,K,Tab,S-Tab,Enter,Esc,q,ctrl-c,Space,*,v,m,d,u,x,\
         c,X,n,N,/,ctrl-p,i,y,Y,o,R,C,L,B,ctrl-o,ctrl-n,ctrl-i,ctrl-r,?,F1,:,ctrl-z,ctrl-l",
        "h,Left,r,a,A,t,T,b,0,e,E,1,2,3,4,5,.,[,],{,},(,),<,>,s,H,w,W,+,-,D,P",
    ),
    (
        Context::Review,
        "j,k,Down,Up,ctrl-d,ctrl-u,ctrl-f,ctrl-b,g g,G,h,l,Left,Right,J,K,Tab,S-Tab,Enter,Esc,q,ctrl-c,Space,r,v,m,d,\
         u,ctrl-r,x,X,a,A,t,T,e,E,1,2,3,4,5,.,[,],(,),{,},<,>,n,N,/,ctrl-p,s,H,w,W,+,-,i,y,o,R,L,B,D,ctrl-o,ctrl-n,ctrl-i,?,F1,:,z z,z t,z b,\
         z R,^,f,c",
        "*,b,0,Y,Delete,P,C",
    ),
    (
        Context::Conflicts,
        "j,k,Down,Up,ctrl-d,ctrl-u,ctrl-f,ctrl-b,g g,G,h,l,Left,Right,J,K,Tab,S-Tab,Enter,Esc,q,ctrl-c,Space,v,m,d,u,\
         ctrl-r,x,X,a,A,t,T,b,0,c,e,E,D,[,],(,),{,},n,N,/,ctrl-p,s,H,w,W,+,-,i,y,Y,o,R,L,ctrl-o,ctrl-n,ctrl-i,?,F1,:,z z,z t,z b",
        "r,*,1,5,.,<,>,B,P,C",
    ),
    (
        Context::Commits,
        "j,k,ctrl-d,ctrl-u,ctrl-f,ctrl-b,g g,G,Enter,Esc,q,ctrl-c,v,y,?,F1",
        "h,l,Space,m,d,u,x,a,t,b,1,[,n,/,R,C,L",
    ),
    (
        Context::LandSheet,
        "j,k,ctrl-d,ctrl-u,ctrl-f,ctrl-b,g g,G,Enter,Esc,q,ctrl-c,x,e,E,Space,Backspace,1,2,3,4,5,i,y,R,?,F1",
        "h,l,J,K,Tab,r,*,v,m,d,u,c,a,A,t,T,b,0,.,[,],{,},n,N,/,s,w,+,-,B,D,Y,o,C,P,L,:,ctrl-o",
    ),
    (
        Context::DiscardSheet,
        "j,k,ctrl-d,ctrl-u,ctrl-f,ctrl-b,g g,G,Enter,Esc,q,ctrl-c,Space,Tab,u,i,?,F1",
        "h,l,J,K,r,*,v,m,d,x,X,c,a,A,t,T,b,0,e,E,1,.,[,{,n,N,/,s,w,+,-,B,D,y,Y,o,R,C,P,L,:,ctrl-o",
    ),
    (
        Context::UndoSheet,
        "Enter,Esc,q,ctrl-c,?,F1",
        "j,h,l,J,K,Space,r,*,v,m,d,u,x,c,a,t,b,0,e,1,[,n,/,+,i,y,R,C,L,:,ctrl-o",
    ),
    (
        Context::SyncSheet,
        "Enter,Esc,q,ctrl-c,x,R,?,F1",
        "j,h,l,J,K,r,*,v,m,d,u,c,a,t,b,0,e,1,[,n,/,+,y,C,L,:,ctrl-o",
    ),
    (
        Context::Radar,
        "j,k,Down,Up,ctrl-d,ctrl-u,ctrl-f,ctrl-b,g g,G,h,l,Left,Right,J,K,Enter,Esc,q,ctrl-c,m,x,X,n,N,i,y,R,L,ctrl-o,ctrl-n,ctrl-i,?,\
         F1,:",
        "Tab,Space,r,*,v,d,u,c,a,t,b,0,e,1,[,+,C,P,/,s",
    ),
    (
        Context::Log,
        "j,k,ctrl-d,ctrl-u,ctrl-f,ctrl-b,g g,G,h,l,Left,Right,Enter,Esc,q,ctrl-c,u,ctrl-r,n,N,/,i,y,R,L,ctrl-o,ctrl-n,ctrl-i,?,F1,:",
        "J,K,Tab,Space,r,*,v,m,d,x,X,c,a,A,t,T,b,0,e,E,1,.,[,{,ctrl-p,s,H,w,W,+,-,B,D,Y,o,C,P",
    ),
    (
        Context::Why,
        "j,k,Down,Up,ctrl-d,ctrl-u,ctrl-f,ctrl-b,g g,G,y,i,Esc,q,ctrl-c,?,F1",
        "h,l,Space,m,d,u,x,r,Enter",
    ),
    (Context::Search, "Enter,Esc,ctrl-c,ctrl-s,Up,Down,ctrl-p,F1", ""),
    (Context::Palette, "Enter,Esc,ctrl-c,Tab,S-Tab,Up,Down,ctrl-f,ctrl-b,F1", ""),
    (Context::Text, "Esc,ctrl-s,ctrl-c,Tab,F1,Enter,ctrl-j,ctrl-u,ctrl-_,ctrl-/,ctrl-7,ctrl-r", ""),
    (Context::CreateSheet, "Enter,Esc,ctrl-c,F1", ""),
    (
        Context::Help,
        "j,k,ctrl-d,ctrl-u,ctrl-f,ctrl-b,g g,G,Enter,Esc,q,ctrl-c,n,N,/,?,:",
        "h,l,J,K,Tab,Space,r,*,v,m,d,u,x,a,t,b,e,1,[,+,y,R,C,L",
    ),
];

/// Commands that [`TABLE`] does not press, and why not.
const NOT_PRESSED: &[(Context, &str, &str)] = &[
    (
        Context::Review,
        "copy.comments",
        "there is no comment on that page; tests/it/notes.rs has some",
    ),
    (Context::Review, "delete.comment", "the same"),
];

fn desk_in(context: Context) -> Desk {
    let mut desk = Desk::with(rows(), WIDE);
    match context {
        Context::Review | Context::Commits => {
            desk.press("Enter").answer(Slot::Review, Ok(Outcome::Review(page("swift-fox"))));
            if context == Context::Commits {
                let commits = crate::scenes::facts::commits();
                desk.press("5").answer(Slot::Commits, Ok(Outcome::Commits(commits)));
            }
        }
        Context::Conflicts => {
            let page = crate::scenes::facts::conflict_page();
            let page = ConflictPage { id: id("calm-pine"), ..page };
            desk.press("n n n x").answer(Slot::Conflicts, Ok(Outcome::Conflicts(page)));
        }
        Context::LandSheet => drop(desk.press("m").planned_landing()),
        Context::DiscardSheet => {
            desk.press("* d");
            desk.answer(Slot::PlanDiscard, Ok(Outcome::PlannedDiscard(discard_plan())));
        }
        Context::UndoSheet => {
            desk.press("u");
            desk.answer(Slot::PlanUndo, Ok(Outcome::PlannedUndo(undo_plan("land"))));
        }
        Context::SyncSheet => {
            desk.press(": s y n c . s h a d o w Enter");
            desk.answer(Slot::PlanSync, Ok(Outcome::PlannedSync(Box::new(sync_plan()))));
        }
        Context::Radar => {
            let (radar, page) = (crate::scenes::facts::radar(), crate::scenes::facts::radar_page());
            desk.press("X").answer(Slot::Radar, Ok(Outcome::Radar(Box::new(radar))));
            desk.press("n").answer(Slot::RadarPair, Ok(Outcome::RadarPair(Box::new(page))));
        }
        Context::Log => drop(desk.press("L").answer(Slot::Log, Ok(Outcome::Log(log_entries())))),
        Context::Search => drop(desk.press("/")),
        Context::Palette => drop(desk.press(":")),
        Context::Text => {
            desk.press("m").planned_landing();
            desk.press("e");
        }
        Context::CreateSheet => drop(desk.press("C")),
        Context::Why => {
            desk.model.say("a long answer · ".repeat(16));
            desk.press("i");
        }
        Context::Help => drop(desk.press("?")),
        _ => {}
    }
    desk.picture();
    assert_eq!(desk.model.context(), context);
    desk
}

#[test]
fn every_key_does_what_the_table_says_or_says_why_not() {
    for (context, does, idle) in TABLE {
        for key in does.split(',') {
            let keys = parse_keys(key).expect("a key");
            let mut desk = desk_in(*context);
            let found = desk.model.keymap.find(*context, &keys);
            assert!(matches!(found, Lookup::Found(_)), "{key} in {context:?}: {found:?}");
            let writes = desk.writes().len();
            desk.press(key);
            let wrote = desk.writes().len() - writes;
            let approves = key == "Enter" && *context != Context::Search;
            assert!(wrote == 0 || approves, "{key} in {context:?} writes");
        }
        for key in idle.split(',').filter(|key| !key.is_empty()) {
            let mut desk = desk_in(*context);
            let (started, screens) = (desk.started.len(), desk.model.screens.clone());
            desk.press(key);
            let said = desk.answer_text().to_owned();
            assert!(said.starts_with(key), "{key} in {context:?} says `{said}`");
            assert_eq!(desk.model.context(), *context, "{key}");
            assert_eq!((desk.started.len(), &desk.model.screens), (started, &screens), "{key}");
        }
    }
}

#[test]
fn every_command_is_pressed_where_it_holds_or_is_excused() {
    let mut pressed = BTreeSet::new();
    for (context, does, _) in TABLE {
        let keymap = desk_in(*context).model.keymap;
        for key in does.split(',') {
            let keys = parse_keys(key).expect("a key");
            if let Lookup::Found(command) = keymap.find(*context, &keys) {
                pressed.insert((command.context, command.name));
            }
        }
    }
    for command in commands().filter(|command| command.keys.is_empty()) {
        let mut desk = desk_in(command.context);
        let letters: Vec<String> = command.name.chars().map(String::from).collect();
        desk.press(&format!(": {} Enter", letters.join(" ")));
        let said = desk.answer_text();
        assert!(!said.starts_with("there is no command"), "{command:?}: {said}");
        assert_eq!(desk.writes(), Vec::<&Job>::new(), "{command:?}");
        pressed.insert((command.context, command.name));
    }
    let all: BTreeSet<_> = commands().map(|command| (command.context, command.name)).collect();
    let excused = NOT_PRESSED.iter().map(|(context, name, _)| (*context, *name)).collect();
    let missing: BTreeSet<_> = all.difference(&pressed).copied().collect();
    assert_eq!(missing, excused);
}

#[test]
fn an_answer_in_full_says_when_the_keys_that_it_names_work() {
    let mut desk = desk_in(Context::Why);
    desk.press("m");
    let said = "m works when this is closed: land it on its target · Esc closes it";
    assert_eq!(desk.answer_text(), said);
    desk.press("Esc m");
    assert_eq!(desk.model.context(), Context::LandSheet);
}

#[test]
fn a_key_without_a_meaning_here_says_where_it_has_one() {
    let mut desk = Desk::with(rows(), WIDE);
    desk.press("r");
    let said = desk.answer_text();
    assert_eq!(said, "r does nothing here; in Review: tick the file and stay · ? shows the keys");
    desk.press("P");
    assert!(desk.answer_text().ends_with("comes with a later version"), "{}", desk.answer_text());
}

#[test]
fn the_palette_finds_by_letters_and_runs() {
    let mut desk = Desk::with(rows(), WIDE);
    desk.press(": l o g . s h o w Enter");
    assert_eq!(desk.model.screen(), Screen::Log);
    desk.press("Esc : n e x w a Tab");
    let Some(Sheet::Palette(palette)) = desk.model.sheets.last() else { panic!("it is open") };
    assert_eq!(palette.prompt.text, "next.wanting");
    desk.press("Enter");
    assert_eq!(desk.selected(), "brave-otter");
    desk.press(": 4 Enter");
    assert_eq!(desk.selected(), "calm-pine");
    desk.press(": w Enter");
    assert!(desk.answer_text().starts_with("nothing to save"));
    desk.press(": n o n s e n s e Enter");
    assert_eq!(desk.answer_text(), "there is no command `nonsense` here");
    desk.press(": q Enter");
    assert_eq!(desk.effects.last(), Some(&Effect::Quit));
}

#[test]
fn help_and_palette_approve_nothing() {
    let mut desk = desk_in(Context::LandSheet);
    desk.press("? Enter");
    assert_eq!(desk.writes(), Vec::<&Job>::new());
    assert_eq!(desk.answer_text(), "that is approved on the sheet itself: Enter");
    assert_eq!(desk.model.context(), Context::LandSheet);
}

#[test]
fn help_is_searched_and_run() {
    let mut desk = Desk::with(rows(), WIDE);
    desk.press("? / l o g Enter n N Enter");
    assert!(desk.model.sheets.is_empty());
    let mut desk = Desk::with(rows(), WIDE);
    desk.press("? / t a k e space".replace("space", "Space").as_str()).press("b a c k Enter Enter");
    assert!(desk.model.jobs.is_open(Slot::PlanUndo) || desk.model.screen() == Screen::Log);
}

#[test]
fn ctrl_o_goes_back_to_where_one_was() {
    let mut desk = Desk::with(rows(), WIDE);
    desk.press("G L");
    assert_eq!(desk.model.screen(), Screen::Log);
    desk.press("ctrl-o");
    assert_eq!((desk.model.screen(), desk.selected()), (Screen::Fleet, "lost-reed"));
    desk.press("ctrl-o");
    assert_eq!(desk.selected(), "swift-fox");
    desk.press("ctrl-n ctrl-i");
    assert_eq!(desk.model.screen(), Screen::Log);
    desk.press("ctrl-p o l d Enter");
    assert_eq!(desk.model.context(), Context::Log, "shadows are found from the list");
}

#[test]
fn a_range_of_rows_is_marked_at_once() {
    let mut desk = Desk::with(rows(), WIDE);
    desk.press("v j j Space");
    assert_eq!(desk.model.fleet.marked().len(), 3);
    desk.press("v k k Space");
    assert_eq!(desk.model.fleet.marked().len(), 0, "all of them were marked");
    desk.press("v Esc Space");
    assert_eq!(desk.model.fleet.marked().len(), 1, "Esc drops the range");
}

#[test]
fn a_shadow_is_made_by_enter_on_its_sheet_alone() {
    let mut desk = Desk::with(rows(), WIDE);
    desk.press("C t r y - 1");
    assert!(desk.screen().contains("aide-shadow/try-1"));
    assert_eq!(desk.writes(), Vec::<&Job>::new());
    desk.press("Enter Enter");
    assert_eq!(desk.writes(), [&Job::Create { id: Some("try-1".to_owned()) }]);
    let made = Outcome::Created { id: id("try-1"), warnings: Vec::new() };
    desk.answer(Slot::Write, Ok(made));
    let mut newer = rows();
    newer.push(row("try-1"));
    desk.answer(Slot::Fleet, Ok(Outcome::Fleet(fleet(newer))));
    assert_eq!(desk.selected(), "try-1");
    desk.press("C Enter");
    assert_eq!(desk.writes().last(), Some(&&Job::Create { id: None }));
}

#[test]
fn a_message_is_never_lost() {
    let mut desk = Desk::with(rows(), WIDE);
    desk.press("m").planned_landing();
    desk.press("e ctrl-u m i n e Esc Esc m");
    let Some(Job::PlanLand { options, .. }) = desk.started.last() else { panic!("plans") };
    assert!(options.message.as_deref().is_some_and(|text| text.starts_with("mine")), "{options:?}");
    desk.planned_landing();
    desk.press("2");
    let Some(Job::PlanLand { options, .. }) = desk.started.last() else { panic!("plans") };
    assert_eq!(options.strategy, Some(Strategy::Merge));
    assert!(options.message.is_some(), "another strategy keeps it");
    desk.planned_landing();
    desk.press("Enter").answer(Slot::Write, Ok(Outcome::Landed(Box::new(landing("swift-fox")))));
    assert!(desk.model.memory.marks.drafts.is_empty(), "what has landed is no draft any more");
}

#[test]
fn the_last_tick_is_taken_back_where_it_was_made() {
    let mut desk = desk_in(Context::DiscardSheet);
    desk.press("Space");
    assert!(desk.screen().contains("Enter discard 1"));
    desk.press("u");
    assert!(desk.screen().contains("Enter discard 2"));
    desk.press("u");
    assert_eq!(desk.answer_text(), "u: no tick was changed here");
}

#[test]
fn an_answer_is_not_said_again_below_the_sheet_that_says_it() {
    let mut desk = Desk::with(rows(), WIDE);
    desk.press("y m");
    assert_eq!(desk.answer_text(), "", "what was said before is no answer to this");
    desk.planned_landing();
    desk.press("Enter").answer(Slot::Write, Err(refusal()));
    assert_eq!(desk.screen().matches("your edit in src/api.rs").count(), 1);
}

/// The list as it was an hour ago: two more are there now, one conflicts now, one is gone.
fn before() -> SeenList {
    let mut seen: Vec<SeenRow> = rows().iter().map(SeenRow::of).collect();
    seen.retain(|row| !["brave-otter", "dry-elm"].contains(&row.id.0.as_str()));
    for row in &mut seen {
        row.conflicts = false;
    }
    seen.push(SeenRow::of(&row("gone-gull")));
    SeenList { time_ms: NOW_MS - 3_600_000, rows: seen }
}

fn back_after(seen: Option<SeenList>) -> Desk {
    let mut desk = Desk::unseen(WIDE);
    desk.answer(Slot::Seen, Ok(Outcome::Seen(seen)));
    desk.answer(Slot::Fleet, Ok(Outcome::Fleet(places(&[]))));
    desk.answer(Slot::Fleet, Ok(Outcome::Fleet(fleet(rows()))));
    desk.picture();
    desk
}

#[test]
fn on_return_the_list_says_what_is_new_and_n_walks_it() {
    let mut desk = back_after(Some(before()));
    let line = "since you looked 1h ago: 2 new, 1 now conflicts, 1 gone · n walks them";
    assert!(desk.screen().contains(line), "{}", desk.screen());
    desk.press("n");
    assert_eq!(desk.selected(), "brave-otter");
    assert!(desk.screen().contains("n walks the 2 left"));
    desk.press("n n");
    assert_eq!(desk.selected(), "calm-pine");
    assert!(!desk.screen().contains("n walks"));
    desk.press("n");
    assert_eq!(desk.selected(), "swift-fox", "then all that want a person");
    let kept = desk.started.iter().any(|job| matches!(job, Job::WriteSeen(_)));
    assert!(kept, "the list is remembered for the next visit");
}

#[test]
fn the_first_visit_has_no_news() {
    let mut desk = back_after(None);
    assert!(!desk.screen().contains("since you looked"));
}

#[test]
fn a_long_silence_is_an_absence_too() {
    let mut desk = back_after(None);
    desk.press("j");
    let hours = NOW_MS + 3 * 3_600_000;
    desk.send(Msg::Ticked { now_ms: hours });
    let mut now = rows();
    now[1].verdict = Verdict::Conflicts;
    desk.answer(Slot::Fleet, Ok(Outcome::Fleet(fleet(now))));
    desk.press("k");
    assert!(
        desk.screen().contains("since you looked 3h ago: 1 now conflicts"),
        "{}",
        desk.screen()
    );
}

#[test]
fn the_wheel_moves_and_a_click_selects_and_neither_approves() {
    let mut desk = Desk::with(rows(), WIDE);
    desk.send(Msg::Wheeled(Wheel::Down));
    assert_eq!(desk.selected(), "calm-pine");
    desk.send(Msg::Wheeled(Wheel::Up));
    assert_eq!(desk.selected(), "swift-fox");
    let line = desk.screen().lines().position(|line| line.contains("dry-elm")).expect("is shown");
    desk.send(Msg::Clicked { column: 10, row: u16::try_from(line).expect("a row") });
    assert_eq!(desk.selected(), "dry-elm");
    desk.press("m").planned_landing();
    for row in 0..40 {
        desk.send(Msg::Clicked { column: 10, row });
    }
    assert_eq!(desk.writes(), Vec::<&Job>::new());
}

#[test]
fn when_nothing_waits_the_rule_says_what_goes_on() {
    let mut works = row("keen-heron");
    works.processes = vec![shadowdeck::review::Process { pid: 1, name: "claude".to_owned() }];
    let mut desk = Desk::with(vec![works, stale("old", Stale::Idle)], WIDE);
    let said = "nothing waits for you: 1 at work, newest wrote 2h ago · L what happened";
    assert!(desk.screen().contains(said), "{}", desk.screen());
}

#[test]
fn a_broken_row_says_why_and_the_way_out() {
    let mut desk = Desk::with(rows(), WIDE);
    desk.press("G Enter");
    assert_eq!(desk.model.screen(), Screen::Fleet);
    for said in
        ["no .git file", "`git worktree repair", "neither read nor written", "R looks again"]
    {
        assert!(desk.answer_text().contains(said), "{said}: {}", desk.answer_text());
    }
    assert!(desk.screen().contains("has no .git file, so git…"), "{}", desk.screen());
    assert!(desk.screen().contains(" · i why"), "{}", desk.screen());
}

#[test]
fn columns_go_in_their_order_as_the_screen_narrows() {
    let shows = |width: u16| {
        let mut desk = Desk::with(rows(), (width, 24));
        let screen = desk.screen();
        let line = screen.lines().find(|line| line.contains("brave-otter")).expect("is shown");
        let list = line.split('│').next().unwrap_or_default().to_owned();
        ["−7", "+42", "new", "clean", "✓"].map(|cell| list.contains(cell))
    };
    assert_eq!(shows(100), [true; 5], "short names leave room for every column");
    let mut last = [true; 5];
    for width in (40..100).rev() {
        let now = shows(width);
        let gone = now.iter().take_while(|shown| !**shown).count();
        assert!(now[gone..].iter().all(|shown| *shown), "{width}: {now:?}");
        assert!(now.iter().zip(last).all(|(now, last)| last || !now), "{width}: {now:?}");
        last = now;
    }
    assert!(last[4], "the verdict's glyph never goes");
}

fn setting(name: &str, keys: &[&str], line: usize) -> KeySetting {
    let keys = keys.iter().map(|key| (*key).to_owned()).collect();
    KeySetting { name: name.to_owned(), keys, file: "config.toml".to_owned(), line }
}

#[test]
fn keys_of_ones_own_take_the_place_of_the_usual_ones() {
    let (keymap, faults) = Keymap::with(&[
        setting("land.shadow", &["M", "g m"], 2),
        setting("log.show", &[], 3),
        // Two that change places.
        setting("create.shadow", &["Y"], 4),
        setting("copy.path", &["C"], 5),
    ]);
    let headlines: Vec<_> = faults.iter().map(|fault| fault.headline.as_str()).collect();
    assert_eq!(headlines, Vec::<&str>::new());
    let mut desk = Desk::with(rows(), WIDE);
    desk.model.keymap = keymap;
    assert!(desk.screen().contains("M land swift-fox"), "the footer knows");
    desk.press("m");
    assert!(desk.model.sheets.is_empty() && desk.answer_text().starts_with("m does nothing here"));
    desk.press("L");
    assert_eq!(desk.model.screen(), Screen::Fleet);
    desk.press("C");
    assert_eq!(desk.answer_text(), "sent /repo/swift-fox to the terminal's clipboard");
    desk.press("g m");
    assert_eq!(desk.model.context(), Context::LandSheet);
}

#[test]
fn faults_in_keys_are_reported_with_their_line_and_cost_themselves_alone() {
    let (keymap, faults) = Keymap::with(&[
        setting("land.shadwo", &["M"], 2),
        setting("land.shadow", &["ctrl-"], 3),
        setting("log.show", &["d"], 4),
        setting("search.filter", &["f"], 5),
    ]);
    let headlines: Vec<_> = faults.iter().map(|fault| fault.headline.as_str()).collect();
    assert_eq!(
        headlines,
        [
            "config.toml, line 2: `keys.land.shadwo`: there is no such command",
            "config.toml, line 3: `keys.land.shadow`: `ctrl-` is no key",
            "config.toml, line 4: `keys.log.show`: d stands for `discard.shadows` in List too",
        ]
    );
    let of = |name: &str| keymap.keys_of(find_command(Context::Fleet, name).expect("is there"));
    assert_eq!((of("log.show"), of("land.shadow")), (vec!["L".to_owned()], vec!["m".to_owned()]));
    assert_eq!(of("search.filter"), ["f"]);
    let key = KeyPress::parse("f").expect("a key");
    assert!(matches!(keymap.find(Context::Fleet, &[key]), Lookup::Found(_)));
}

#[test]
fn the_border_of_the_file_list_is_dragged_in_review_and_conflicts() {
    for context in [Context::Review, Context::Conflicts] {
        let mut desk = desk_in(context);
        let Some(Border::Files(before)) = desk.model.viewport.border else {
            panic!("{context:?}: {:?}", desk.model.viewport.border)
        };
        let shown = desk.screen();
        desk.send(Msg::Dragged { column: before + 9, row: 9 });
        assert_eq!(desk.screen(), shown, "{context:?}: nothing was taken hold of");
        desk.send(Msg::Clicked { column: before, row: 9 });
        desk.send(Msg::Dragged { column: before + 9, row: 20 });
        desk.picture();
        assert_eq!(desk.model.viewport.border, Some(Border::Files(before + 9)), "{context:?}");
        desk.send(Msg::Released);
        desk.send(Msg::Dragged { column: 3, row: 9 });
        desk.picture();
        assert_eq!(desk.model.viewport.border, Some(Border::Files(before + 9)), "{context:?}");
        assert_eq!(desk.writes(), Vec::<&Job>::new());
    }
}

#[test]
fn what_is_pasted_never_runs_as_keys() {
    for context in [Context::Fleet, Context::Review, Context::Conflicts, Context::Log, Context::Why]
    {
        let mut desk = desk_in(context);
        let (started, effects) = (desk.started.len(), desk.effects.len());
        let screens = desk.model.screens.clone();
        desk.send(Msg::Pasted("aTA0b\r\nm\r\n*dq:q\r".to_owned()));
        assert_eq!((desk.started.len(), desk.effects.len()), (started, effects), "{context:?}");
        assert_eq!((desk.model.context(), &desk.model.screens), (context, &screens));
        assert_eq!(desk.answer_text(), "paste goes into text fields only", "{context:?}");
    }
}

#[test]
fn a_name_that_is_not_utf_8_is_written_alike_in_every_pane() {
    let path = RepoPath::new(b"caf\xe9.md".to_vec());
    let mut page = page("swift-fox");
    page.files[0].change.path = path.clone();
    let mut desk = Desk::with(rows(), WIDE);
    desk.answer(Slot::Detail, Ok(Outcome::Review(page)));
    let is_named = |desk: &mut Desk, place: &str| {
        let screen = desk.screen();
        assert!(screen.contains("caf\\xe9.md"), "{place}: {screen}");
    };
    is_named(&mut desk, "detail");
    desk.press("Enter");
    is_named(&mut desk, "review");
    desk.press("r");
    assert_eq!(desk.answer_text(), "ticked caf\\xe9.md · u takes the tick back");
    desk.press("ctrl-p");
    is_named(&mut desk, "files by name");

    let mut desk = Desk::with(rows(), WIDE);
    let mut conflicts = crate::scenes::facts::conflict_page();
    conflicts.id = id("calm-pine");
    conflicts.files[0].conflict.path = path.clone();
    desk.press("n n n x").answer(Slot::Conflicts, Ok(Outcome::Conflicts(conflicts)));
    is_named(&mut desk, "conflicts");

    let mut desk = Desk::with(rows(), WIDE);
    desk.press("d");
    let mut discard = discard_plan();
    discard.entries.retain(|entry| entry.id == id("old-idea"));
    discard.entries[0].id = id("swift-fox");
    discard.entries[0].holds.ignored = vec![path.clone()];
    desk.answer(Slot::PlanDiscard, Ok(Outcome::PlannedDiscard(discard)));
    is_named(&mut desk, "discard");

    let mut desk = Desk::with(rows(), WIDE);
    desk.press("u");
    let undo = UndoPlan { files: vec![path], ..undo_plan("land") };
    desk.answer(Slot::PlanUndo, Ok(Outcome::PlannedUndo(undo)));
    is_named(&mut desk, "undo");
}

#[test]
fn commits_that_stand_beside_each_other_are_no_run() {
    let commit = |digit, parents: &[char]| CommitLine {
        id: oid(digit),
        parents: parents.iter().map(|parent| oid(*parent)).collect(),
        author: "claude".into(),
        subject: format!("commit {digit}"),
        time_ms: NOW_MS,
    };
    // A side branch that was merged in, and a merge of the target, which is no commit of the shadow's.
    let commits = vec![
        commit('6', &['5', '4']),
        commit('4', &['a']),
        commit('5', &['3', 'b']),
        commit('3', &['a']),
    ];
    let open = || {
        let mut desk = Desk::with(rows(), WIDE);
        desk.press("Enter").answer(Slot::Review, Ok(Outcome::Review(page("swift-fox"))));
        desk.press("5").answer(Slot::Commits, Ok(Outcome::Commits(commits.clone())));
        desk
    };
    let asked = |desk: &Desk| match desk.started.last() {
        Some(Job::Run { newest, parents, .. }) => Some((newest.clone(), parents.clone())),
        _ => None,
    };
    let mut desk = open();
    desk.press("j v j Enter");
    let words = "Enter: 5555555 is beside 4444444, not below it: no one run";
    assert_eq!(desk.answer_text(), words);
    let mut desk = open();
    desk.press("v G Enter");
    let outside = ['a', 'b', 'a'].map(oid).to_vec();
    assert_eq!(asked(&desk), Some((oid('6'), outside)));
    let mut desk = open();
    desk.press("Enter");
    assert_eq!(asked(&desk), Some((oid('6'), ['5', '4'].map(oid).to_vec())));
    assert!(desk.answer_text().contains("without what it merged in"), "{}", desk.answer_text());
}

#[test]
fn what_works_everywhere_does_so_in_the_middle_of_a_sequence() {
    let mut desk = desk_in(Context::Fleet);
    desk.press("g ctrl-l");
    assert_eq!(desk.effects.last(), Some(&Effect::Redraw));
    desk.press("g j");
    assert_eq!(desk.answer_text(), "g j does nothing here · ? shows the keys");
    desk.press("g ctrl-c");
    assert_eq!(desk.effects.last(), Some(&Effect::Quit));
}

#[test]
fn without_a_list_nothing_is_made() {
    let mut desk = Desk::bare(WIDE);
    desk.answer(Slot::Fleet, Err(refusal()));
    desk.press("C");
    assert!(desk.model.sheets.is_empty());
    assert!(
        desk.answer_text().starts_with("C: the list could not be read"),
        "{}",
        desk.answer_text()
    );
}
