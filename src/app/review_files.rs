//! Going to a file by a few of its letters: what is like them, the likest first, in Review and among conflicts.

use super::{
    Effect, Model, Screen, palette,
    prompt::Purpose,
    review::{ReviewScreen, panes},
    review_moves::go_to_file,
};
use crate::review::{name::visible_name, ticks::Reading};

/// Higher is better; `None` where the letters do not stand in the path in this order. Letters in a row, at the
/// beginning of a word and in the name count more.
pub fn likeness(letters: &str, path: &str) -> Option<i32> {
    let path: Vec<char> = path.to_lowercase().chars().collect();
    let name = path.iter().rposition(|letter| *letter == '/').map_or(0, |at| at + 1);
    // Letters that all stand in the name are better looked for there than from the first directory on.
    let score =
        [0, name].into_iter().filter_map(|from| score_from(letters, &path, from, name)).max()?;
    // Of equals the shorter.
    Some(score * 1_000 - i32::try_from(path.len()).unwrap_or(1_000).min(1_000))
}

fn score_from(letters: &str, path: &[char], from: usize, name: usize) -> Option<i32> {
    let (mut at, mut score, mut last) = (from, 0, None);
    for letter in letters.to_lowercase().chars().filter(|letter| !letter.is_whitespace()) {
        let found = at + path[at..].iter().position(|other| *other == letter)?;
        let starts = found == 0 || !path[found - 1].is_alphanumeric();
        score += 1 + 2 * i32::from(starts) + 3 * i32::from(found > 0 && last == Some(found - 1));
        score += i32::from(found >= name);
        last = Some(found);
        at = found + 1;
    }
    Some(score)
}

/// A file of what is read.
pub(super) struct Choice {
    /// Its place in the page.
    pub index: usize,
    pub name: String,
    pub says: String,
}

/// The likest first, of equals in their order; all of them where nothing is typed.
pub(super) fn choices(model: &Model, letters: &str) -> Vec<Choice> {
    let names: Vec<String> = if model.screen() == Screen::Conflicts {
        let files = model.conflicts.as_ref().map_or(&[][..], |screen| screen.files());
        files.iter().map(|file| visible_name(file.conflict.path.as_bytes())).collect()
    } else {
        let page = model.review.as_ref().and_then(|screen| screen.page.as_ref());
        let files = page.map_or(&[][..], |page| &page.files);
        files.iter().map(|file| visible_name(file.change.path.as_bytes())).collect()
    };
    let mut found: Vec<(i32, usize)> = names
        .iter()
        .enumerate()
        .filter_map(|(index, name)| Some((likeness(letters, name)?, index)))
        .collect();
    if !letters.is_empty() {
        found.sort_by_key(|(score, index)| (std::cmp::Reverse(*score), *index));
    }
    let choice = |(_, index): (i32, usize)| {
        let (name, says) = (names[index].clone(), says(model, index));
        Choice { index, name, says }
    };
    found.into_iter().map(choice).collect()
}

/// `M +30 −5 · read`.
fn says(model: &Model, index: usize) -> String {
    if model.screen() == Screen::Conflicts {
        let file = model.conflicts.as_ref().and_then(|screen| screen.files().get(index));
        let is_settled = file.is_some_and(|file| file.conflict.resolution.is_some());
        return if is_settled { "settled" } else { "to settle" }.to_owned();
    }
    let Some(screen) = &model.review else { return String::new() };
    let Some(file) = screen.page.as_ref().and_then(|page| page.files.get(index)) else {
        return String::new();
    };
    let change = &file.change;
    let mut says = change.status.letter().to_string();
    for (sign, lines) in [("+", change.insertions), ("−", change.deletions)] {
        if lines > 0 {
            says = format!("{says} {sign}{lines}");
        }
    }
    let state = match screen.reading(&model.memory.marks.ticks, index) {
        Reading::Read => " · read",
        Reading::ChangedSince => " · changed since you looked",
        Reading::Unread if screen.choices.folded.contains(&index) => " · folded",
        Reading::Unread => "",
    };
    says + state
}

/// The list begins at the file that is read.
pub(super) fn open(model: &mut Model) -> Vec<Effect> {
    let here = match model.screen() {
        Screen::Conflicts => model.conflicts.as_ref().map(|screen| screen.cursor),
        _ => model.review.as_ref().and_then(ReviewScreen::file_index),
    };
    palette::open_at(model, Purpose::File, here.unwrap_or(0))
}

pub(super) fn choose(model: &mut Model, index: usize) -> Vec<Effect> {
    if model.screen() == Screen::Conflicts {
        let (rows, viewport) = (panes(model.viewport).rows, model.viewport);
        if let Some(screen) = &mut model.conflicts {
            screen.go(index, rows);
            screen.keep_in_view(viewport);
        }
        return Vec::new();
    }
    if let Some(screen) = &mut model.review {
        screen.leave_mark();
    }
    go_to_file(model, index)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_and_beginnings_win() {
        let best = |letters: &str, paths: &[&'static str]| {
            paths.iter().copied().max_by_key(|path| likeness(letters, path))
        };
        assert_eq!(best("api", &["src/a/plain.rs", "src/api.rs"]), Some("src/api.rs"));
        assert_eq!(best("rt", &["art/x", "src/retry.rs", "src/rt.rs"]), Some("src/rt.rs"));
        assert_eq!(likeness("zz", "src/api.rs"), None);
        assert!(likeness("SRC", "src/api.rs").is_some());
    }
}
