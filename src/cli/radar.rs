//! `radar`: who clashes with whom, and where; and the order to land in that makes the fewest conflicts.

use std::{fmt::Write, ops::Range, sync::atomic::AtomicBool};

use serde_json::{Map, Value, json};

use super::{Answer, Context, json as to_json, table};
use crate::{
    ops::radar,
    report::Report,
    review::{
        ClashFile, Radar, RadarPair, count, count_of,
        name::visible_name,
        radar_order::{Turn, consequences, order},
        visible::visible_str,
    },
    shadow::{RepoPath, ShadowId},
};

/// Places in one file that the text names.
const PLACES_MAX: usize = 3;

pub(super) fn radar(context: &Context) -> Result<Answer, Report> {
    let deck = context.deck()?;
    let radar = radar::read(&deck, &AtomicBool::new(false))?;
    let turns = order(&radar);
    Ok(Answer::both(text(&radar, &turns), to_object(&radar, &turns)))
}

fn to_object(radar: &Radar, turns: &[Turn]) -> Value {
    let unknown: Vec<Value> = radar
        .unknown()
        .map(|(pair, why)| json!({"a": pair.a, "b": pair.b.name(), "why": why}))
        .collect();
    let names =
        |files: &[RepoPath]| -> Vec<String> { files.iter().map(RepoPath::to_lossy).collect() };
    let order: Vec<Value> = turns
        .iter()
        .map(|turn| {
            json!({
                "id": turn.id,
                "target": radar.shadow(&turn.id).and_then(|shadow| shadow.target.as_ref()),
                "files": names(&turn.files),
                "after": turn.after,
                "known": !turn.is_unsure,
            })
        })
        .collect();
    json!({
        "pairs": radar.pairs.iter().filter_map(pair).collect::<Vec<_>>(),
        "unknown": unknown,
        "order": order,
    })
}

/// All that git finds in conflict between the two, also what is not theirs but their target's.
fn pair(pair: &RadarPair) -> Option<Value> {
    let own = pair.meeting.files().iter().map(|file| (file, false));
    let through = pair.through_target.iter().map(|file| (file, true));
    let mut files: Vec<(&ClashFile, bool)> = own.chain(through).collect();
    files.sort_by_key(|(file, _)| &file.path);
    let clashes: Vec<Value> = files.iter().map(|(file, through)| clash(file, *through)).collect();
    (!files.is_empty()).then(|| {
        json!({
            "a": pair.a,
            "b": pair.b.name(),
            "files": files.iter().map(|(file, _)| file.path.to_lossy()).collect::<Vec<_>>(),
            "through_target": files.iter().all(|(_, through)| *through),
            "clashes": clashes,
        })
    })
}

fn clash(file: &ClashFile, through_target: bool) -> Value {
    let mut object = Map::new();
    to_json::put_path(&mut object, "path", Some(&file.path));
    object.insert("kind".to_owned(), json!(file.kind.as_str()));
    let lines = |range: &Range<u32>| json!([range.start + 1, range.end - range.start]);
    let places: Vec<Value> = file
        .places
        .iter()
        .map(|place| json!({"a": lines(&place.a), "b": lines(&place.b)}))
        .collect();
    object.insert("lines".to_owned(), Value::Array(places));
    object.insert("through_target".to_owned(), json!(through_target));
    Value::Object(object)
}

fn text(radar: &Radar, turns: &[Turn]) -> String {
    let mut text = String::new();
    let pairs: Vec<&RadarPair> = radar.clashing().collect();
    match (radar.shadows.len(), pairs.len()) {
        (0, _) => return "no shadows; `shadowdeck create` makes one\n".to_owned(),
        _ if radar.unknown().next().is_some() => put_incomplete(&mut text, radar),
        (shadows, 0) => {
            let _ = writeln!(
                text,
                "nothing clashes: {} compared, {}",
                count(shadows, "shadow"),
                count(radar.compared_count(), "pair")
            );
        }
        (shadows, clashing) => {
            let _ = writeln!(
                text,
                "{} of {} clash, among {}",
                clashing,
                count(radar.pairs.len(), "pair"),
                count(shadows, "shadow")
            );
        }
    }
    for pair in pairs {
        let _ = writeln!(text, "{} ✗ {}", visible_str(&pair.a.0), visible_str(pair.b.name()));
        let rows: Vec<Vec<String>> = pair.meeting.files().iter().map(file_cells).collect();
        text.push_str(&table::aligned(&rows));
    }
    for (pair, why) in radar.unknown() {
        let (a, b) = (visible_str(&pair.a.0), visible_str(pair.b.name()));
        let _ = writeln!(text, "! {a} and {b} were not compared: {}", visible_str(why));
    }
    put_order(&mut text, radar, turns);
    text
}

/// `3 of 10 pairs compared, 7 not; 4 of 6 shadows not at all; of those compared none clashes`
fn put_incomplete(text: &mut String, radar: &Radar) {
    let (shadows, unread) = (radar.shadows.len(), radar.uncompared().count());
    let pairs = count_of(radar.compared_count(), radar.pairs.len(), "pair");
    let _ = write!(text, "{pairs} compared, {} not", radar.unknown().count());
    if unread > 0 {
        let _ = write!(text, "; {} not at all", count_of(unread, shadows, "shadow"));
    }
    let _ = match (radar.compared_count(), radar.clashing().count()) {
        (0, _) => writeln!(text),
        (_, 0) => writeln!(text, "; of those compared none clashes"),
        (_, 1) => writeln!(text, "; of those compared 1 clashes"),
        (_, clashing) => writeln!(text, "; of those compared {clashing} clash"),
    };
}

fn file_cells(file: &ClashFile) -> Vec<String> {
    let mut places: Vec<String> = file.places.iter().take(PLACES_MAX).map(place_text).collect();
    if file.places.len() > PLACES_MAX {
        places.push(format!("{} more", file.places.len() - PLACES_MAX));
    }
    let path = format!("  {}", visible_name(file.path.as_bytes()));
    vec![path, file.kind.as_str().to_owned(), places.join(", ")]
}

fn place_text(place: &crate::review::radar::ClashLines) -> String {
    format!("{} ↔ {}", lines_text(&place.a), lines_text(&place.b))
}

/// Counted from 1; none left where a side took them out.
fn lines_text(lines: &Range<u32>) -> String {
    match lines.end.saturating_sub(lines.start) {
        0 => format!("out after {}", lines.start),
        1 => format!("{}", lines.start + 1),
        _ => format!("{}-{}", lines.start + 1, lines.end),
    }
}

/// Said only where it matters in which order they land.
fn put_order(text: &mut String, radar: &Radar, turns: &[Turn]) {
    if turns.iter().all(|turn| turn.after.is_empty()) {
        return;
    }
    let is_best = turns.iter().all(|turn| turn.is_best || turn.is_unsure);
    text.push_str(if is_best {
        "order that makes the fewest conflicts, by pairs:\n"
    } else {
        "order that makes few conflicts, by pairs; too many clash to weigh all orders:\n"
    });
    let rows: Vec<Vec<String>> = (1..).zip(turns).map(|(at, turn)| turn_cells(at, turn)).collect();
    text.push_str(&table::aligned(&rows));
    for turn in turns {
        for hit in consequences(radar, &turn.id) {
            let _ = writeln!(
                text,
                "if {} lands first, {} gets {}",
                visible_str(&hit.first.0),
                visible_str(&hit.then.0),
                count(hit.files, "conflict")
            );
        }
    }
}

fn turn_cells(at: usize, turn: &Turn) -> Vec<String> {
    let conflicts = match (turn.files.len(), turn.is_unsure) {
        (0, false) => "no conflict".to_owned(),
        (0, true) => "not known".to_owned(),
        (files, false) => count(files, "conflict"),
        (files, true) => format!("{} or more", count(files, "conflict")),
    };
    let names: Vec<String> = turn.after.iter().map(|id: &ShadowId| visible_str(&id.0)).collect();
    let after = if names.is_empty() { String::new() } else { format!("with {}", names.join(", ")) };
    vec![format!("  {at}"), visible_str(&turn.id.0), conflicts, after]
}
