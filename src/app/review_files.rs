//! Going to a file by a few of its letters: the best match comes into view while they are typed.

use super::{
    Effect, Model, Sheet,
    prompt::{Prompt, Purpose},
    review::keep_in_view,
    review_moves::go_to_file,
};
use crate::review::visible::visible;

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

pub(super) fn open(model: &mut Model) -> Vec<Effect> {
    if let Some(screen) = &mut model.review {
        screen.leave_mark();
    }
    model.sheets.push(Sheet::Prompt(Prompt::new(Purpose::File, "")));
    Vec::new()
}

pub(super) fn changed(model: &mut Model, text: &str) {
    let Some(page) = model.review.as_ref().and_then(|screen| screen.page.clone()) else { return };
    let names = page.files.iter().map(|file| visible(file.change.path.as_bytes()));
    let mut found: Vec<(i32, usize, String)> = names
        .enumerate()
        .filter_map(|(index, name)| Some((likeness(text, &name)?, index, name)))
        .collect();
    found.sort_by_key(|(score, index, _)| (std::cmp::Reverse(*score), *index));
    if text.is_empty() {
        return;
    }
    let Some((_, best, name)) = found.first() else {
        model.refuse(format!("no file is like {text}"));
        return;
    };
    let (best, others) = (*best, found.len() - 1);
    let more = if others == 0 { String::new() } else { format!(" · {others} more like it") };
    model.say(format!("{name}{more}"));
    go_to_file(model, best);
}

pub(super) fn kept(model: &mut Model) -> Vec<Effect> {
    keep_in_view(model);
    Vec::new()
}

/// Back to where the reader was.
pub(super) fn dropped(model: &mut Model) -> Vec<Effect> {
    super::review_moves::go_back(model)
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
