//! Names that look alike, or are one to a file system that folds them, and are not the same to git.

use std::borrow::Cow;

use unicode_normalization::{UnicodeNormalization, is_nfc};
use unicode_segmentation::UnicodeSegmentation;

use super::visible::{push_visible, visible};

/// As [`visible`], for a name. Of a letter that is written in parts, or by a sign that stands for another, the parts are
/// marked: it would look like the one that most programs write.
pub fn visible_name(bytes: &[u8]) -> String {
    let Some(name) = str::from_utf8(bytes).ok().filter(|name| !is_nfc(name)) else {
        return visible(bytes);
    };
    let mut out = String::with_capacity(bytes.len() * 2);
    for cluster in name.graphemes(true) {
        let parts = cluster.chars().count();
        // So many of them are not there in the usual writing.
        let extra = if is_nfc(cluster) { 0 } else { parts - cluster.nfc().count().min(parts) };
        let marked = match (is_nfc(cluster), parts) {
            (true, _) => 0..0,
            (false, 1) => 0..1,
            (false, _) => 1..1 + extra.max(1),
        };
        for (index, character) in cluster.chars().enumerate() {
            if marked.contains(&index) {
                out.push_str(&format!("<U+{:04X}>", u32::from(character)));
            } else {
                push_visible(&mut out, character);
            }
        }
    }
    out
}

/// What a file system takes a name for that tells neither cases apart nor ways to write a letter.
pub fn folded(name: &[u8]) -> Cow<'_, [u8]> {
    match str::from_utf8(name) {
        Ok(text) if text.is_ascii() => Cow::Owned(name.to_ascii_lowercase()),
        Ok(text) => {
            Cow::Owned(text.nfd().flat_map(fold_case).nfc().collect::<String>().into_bytes())
        }
        Err(_) => Cow::Borrowed(name),
    }
}

/// One case, also of letters that have two small ones.
fn fold_case(letter: char) -> impl Iterator<Item = char> {
    // It has a capital that is another letter's too.
    let own = (letter == 'ı').then_some(letter);
    let cased = own.is_none().then(|| letter.to_uppercase().flat_map(char::to_lowercase));
    own.into_iter().chain(cased.into_iter().flatten())
}

/// The systems that take both for one, which fold alike.
pub fn systems_that_fold(one: &[u8], other: &[u8]) -> &'static str {
    let written = |name: &[u8]| Some(str::from_utf8(name).ok()?.nfc().collect::<String>());
    if written(one) == written(other) { "macOS" } else { "macOS and Windows" }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_letter_in_parts_is_told_from_the_whole_one() {
        let shown = |name: &str| visible_name(name.as_bytes());
        assert_eq!(shown("caf\u{e9}.txt"), "café.txt");
        assert_eq!(shown("cafe\u{301}.txt"), "cafe<U+0301>.txt");
        assert_eq!(shown("\u{1112}\u{1161}\u{11ab}"), "\u{1112}<U+1161><U+11AB>");
        assert_eq!(shown("\u{212b}"), "<U+212B>");
        // What has no whole sign is no other writing; nor is what is no UTF-8.
        assert_eq!(shown("x\u{300}\u{e17}\u{e35}"), "x\u{300}\u{e17}\u{e35}");
        assert_eq!(visible_name(b"e\xcc"), "e\\xcc");
        assert_eq!(shown("a\u{202e}b\n"), "a<U+202E>b␊");
        // Of a pile of marks the one that makes the letter another is marked.
        let pile = format!("e{}", "\u{301}".repeat(100));
        assert_eq!(shown(&pile), format!("e<U+0301>{}", "\u{301}".repeat(99)));
    }

    #[test]
    fn names_that_fold_alike_are_one() {
        let is_one = |one: &str, other: &str| folded(one.as_bytes()) == folded(other.as_bytes());
        for (one, other) in [
            ("a.HoTT", "A.hott"),
            ("\u{e9}", "e\u{301}"),
            ("É", "e\u{301}"),
            ("ς", "Σ"),
            ("ß", "SS"),
        ] {
            assert!(is_one(one, other), "{one} {other}");
        }
        assert!(!is_one("i", "ı") && !is_one("e", "é") && folded(b"A\xff") != folded(b"a\xff"));
    }
}
