//! The radar as a person sees it, and what its keys do.

use shadowdeck::{
    app::{
        Context, Effect, Msg,
        job::{Job, Outcome, Slot},
    },
    review::{Fleet, Meeting, Party, Progress, Radar, RadarPage, Row, Verdict},
};

use crate::{
    desk::{Desk, fleet, id, land_plan, landing, refusal, row, rows},
    matrix,
    scenes::facts::{calm_radar, long_radar, radar, radar_page, wide_radar},
};

const SIZES: [(u16, u16); 4] = [(40, 12), (80, 24), (120, 40), (200, 60)];

fn opened(size: (u16, u16), radar: Radar) -> Desk {
    let mut rows = rows();
    rows.extend(radar.shadows.iter().map(|shadow| row(&shadow.id.0)));
    let mut desk = Desk::with(rows, size);
    desk.press("X").answer(Slot::Radar, Ok(Outcome::Radar(Box::new(radar))));
    desk
}

#[track_caller]
fn check(name: &str, scene: impl Fn((u16, u16)) -> Desk) {
    for size in SIZES {
        let mut desk = scene(size);
        desk.picture();
        matrix::keep(&format!("{name}_{}x{}", size.0, size.1), &|theme| desk.drawn_in(theme));
    }
}

/// The oldest so many pairs are known.
fn partly(known: usize) -> Radar {
    let mut radar = radar();
    for pair in radar.pairs.iter_mut().skip(known) {
        pair.meeting = Meeting::Open;
    }
    radar
}

fn tell(desk: &mut Desk, radar: Radar) {
    let (slot, job, _) = *desk.open.iter().find(|open| open.0 == Slot::Radar).as_ref().unwrap();
    let told = Progress::Compared(Box::new(radar));
    desk.send(Msg::Progressed { slot: *slot, id: *job, told });
}

#[test]
fn radar_with_clashes_and_one_that_is_broken() {
    check("radar", |size| {
        let mut desk = opened(size, radar());
        desk.press("n");
        let Some((row, party)) = desk.model.radar.cell() else { panic!("a cell") };
        let page = RadarPage { a: row, b: party, ..radar_page() };
        desk.answer(Slot::RadarPair, Ok(Outcome::RadarPair(Box::new(page))));
        desk
    });
}

#[test]
fn radar_while_it_compares() {
    check("radar_comparing", |size| {
        let mut desk = Desk::with(rows(), size);
        desk.press("X");
        tell(&mut desk, partly(9));
        desk
    });
}

#[test]
fn radar_without_a_clash() {
    check("radar_calm", |size| opened(size, calm_radar()));
}

#[test]
fn radar_of_forty() {
    check("radar_forty", |size| {
        let mut desk = opened(size, wide_radar());
        desk.press("G l l l l l l l l l l l l l l l l l l l l l l l l l l l l l l");
        desk
    });
}

#[test]
fn radar_of_twenty_with_long_names() {
    check("radar_twenty", |size| {
        let mut desk = opened(size, long_radar());
        desk.press("j j");
        desk
    });
}

#[test]
fn the_matrix_takes_the_rows_and_columns_that_there_are() {
    for (size, rows, columns) in [((80, 24), 11, 17), ((120, 40), 20, 20), ((200, 60), 20, 20)] {
        let desk = opened(size, long_radar());
        let panes = desk.model.radar.panes(desk.model.viewport);
        assert_eq!((panes.rows, panes.columns), (rows, columns), "at {size:?}");
    }
    let mut desk = opened((80, 24), long_radar());
    assert!(desk.screen().contains(" main "), "{}", desk.screen());
    desk.press("G l l l l l l l l l l l l l l l l l l l l");
    let screen = desk.screen();
    assert!(screen.contains(" main ") && screen.contains(" 20\n"), "the branch stays: {screen}");
}

/// The list, with what is remembered of how its shadows meet.
fn listed(size: (u16, u16), met: Option<Radar>) -> Desk {
    let rows = radar().shadows.iter().map(|shadow| row(&shadow.id.0)).collect();
    let fleet = Fleet { met, ..fleet(rows) };
    let mut desk = Desk::with(fleet.rows.clone(), size);
    desk.press("R").answer(Slot::Fleet, Ok(Outcome::Fleet(fleet)));
    let at = |desk: &Desk| desk.model.fleet.selected().map(|row| row.id.clone());
    for _ in 0..7 {
        if at(&desk) == Some(id("agent-swift-fox")) {
            break;
        }
        desk.press("j");
    }
    desk
}

#[test]
fn the_detail_says_whom_it_clashes_with_as_far_as_that_is_known() {
    check("fleet_clashes", |size| listed(size, Some(radar())));
    let screen = |met| listed((120, 40), met).screen();
    assert!(!screen(None).contains("clashes"), "nobody compared");
    assert!(!screen(Some(partly(0))).contains("clashes"), "nor here");
    assert!(screen(Some(calm_radar())).contains("clashes with no other shadow"));
    let mut only_one = partly(0);
    let pair = only_one.pairs.iter_mut().find(|pair| matches!(pair.b, Party::Shadow(_)));
    pair.expect("a pair").meeting = Meeting::Clean;
    let screen = screen(Some(only_one));
    assert!(screen.contains("clashes with none of the 1 compared · 5 shadows not"), "{screen}");
}

#[test]
fn what_has_landed_has_no_place_in_the_order_and_is_not_called_clean() {
    let landed = radar().shadows[0].id.clone();
    let mut rows: Vec<Row> = radar().shadows.iter().map(|shadow| row(&shadow.id.0)).collect();
    rows[0].verdict = Verdict::Landed;
    let mut desk = Desk::with(rows, (120, 40));
    desk.press("X").answer(Slot::Radar, Ok(Outcome::Radar(Box::new(radar()))));
    assert!(desk.model.radar.turn(&landed).is_none());
    assert_eq!(desk.model.radar.rows.last(), Some(&landed), "it stands below those to land");
    desk.press("G x");
    assert_eq!(desk.answer_text(), "x: it has landed already");
    assert!(desk.screen().contains("no place in the order to land"), "{}", desk.screen());
}

#[test]
fn nothing_is_clean_before_it_is_known() {
    let mut desk = Desk::with(rows(), (120, 40));
    desk.press("X");
    assert!(desk.screen().contains("looking at the shadows"), "{}", desk.screen());
    let pairs = radar().pairs.len();
    tell(&mut desk, partly(0));
    let screen = desk.screen();
    assert!(screen.contains(&format!("comparing 0/{pairs}")), "{screen}");
    assert!(!screen.contains('✓') && !screen.contains("clean"), "{screen}");
    assert!(desk.model.radar.turns.is_empty(), "nor is the order");
    tell(&mut desk, partly(9));
    assert!(desk.screen().contains(&format!("comparing 9/{pairs}")));
    desk.press("j");
    let at = desk.model.radar.selected().cloned();
    desk.answer(Slot::Radar, Ok(Outcome::Radar(Box::new(radar()))));
    assert_eq!(desk.model.radar.selected(), at.as_ref(), "the cursor stays on its shadow");
    assert!(desk.screen().contains("of 28 not compared  "), "{}", desk.screen());
}

#[test]
fn the_cell_is_explained_and_its_lines_are_asked_for_once() {
    let mut desk = opened((120, 40), radar());
    let asked = |desk: &Desk| desk.open.iter().filter(|open| open.0 == Slot::RadarPair).count();
    assert_eq!(asked(&desk), 0, "a clean pair has no lines");
    desk.press("n");
    let (a, b) = desk.model.radar.cell().unwrap();
    let job = desk.open.iter().find(|open| open.0 == Slot::RadarPair).map(|open| open.2.clone());
    assert_eq!(job, Some(Job::RadarPair { a: a.clone(), b: b.clone() }));
    let page = RadarPage { a: a.clone(), b: b.clone(), ..radar_page() };
    desk.answer(Slot::RadarPair, Ok(Outcome::RadarPair(Box::new(page))));
    assert_eq!(asked(&desk), 0);
    assert!(desk.screen().contains("src/api.rs"), "{}", desk.screen());
    desk.press("i");
    let screen = desk.screen();
    assert!(screen.contains("clash in") && screen.contains("by pairs"), "{screen}");
    desk.press("Esc n N");
    assert_eq!(desk.model.radar.cell(), Some((a, b)), "and back");
    desk.answer(Slot::RadarPair, Err(refusal()));
    assert!(desk.screen().contains(&refusal().headline), "{}", desk.screen());
}

#[test]
fn its_keys_go_on_with_the_row_and_a_write_compares_again() {
    let mut desk = opened((120, 40), radar());
    let first = desk.model.radar.selected().cloned().unwrap();
    desk.press("Enter");
    assert_eq!(desk.model.context(), Context::Review);
    assert_eq!(desk.model.subject(), Some(&first));
    desk.press("q m");
    assert_eq!(desk.model.context(), Context::LandSheet);
    desk.press("Esc");
    let calm = desk.model.radar.rows.iter().position(|row| *row == id("agent-calm-pine")).unwrap();
    for _ in 0..calm {
        desk.press("j");
    }
    desk.press("x");
    assert_eq!(desk.model.context(), Context::Conflicts);
    desk.press("X");
    assert_eq!(desk.model.radar.selected(), Some(&id("agent-calm-pine")), "the one that was read");
    let last = desk.model.radar.turns.last().map(|turn| turn.id.clone());
    assert_eq!(last, Some(id("agent-lost-reed")), "what is not known is not among the first");
    desk.answer(Slot::Radar, Ok(Outcome::Radar(Box::new(radar()))));
    desk.press("g g m");
    let first = desk.model.radar.selected().cloned().unwrap();
    let plan = Box::new(land_plan(&first.0));
    desk.answer(Slot::PlanLand, Ok(Outcome::PlannedLanding(plan))).picture();
    desk.press("Enter").answer(Slot::Write, Ok(Outcome::Landed(Box::new(landing(&first.0)))));
    assert!(desk.open.iter().any(|open| open.0 == Slot::Radar), "what landed is compared with");
    desk.press("y");
    assert!(desk.effects.iter().any(|effect| matches!(effect, Effect::Copy(_))));
    assert!(desk.model.radar.parties().contains(&Party::Target(calm_radar().targets()[0].clone())));
}
