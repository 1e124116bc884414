//! Two short, friendly words for a name that nobody chose.

const FIRST: [&str; 32] = [
    "brave", "bright", "calm", "clear", "cosy", "crisp", "eager", "early", "fair", "fond", "free",
    "fresh", "gentle", "glad", "gold", "green", "happy", "kind", "light", "lively", "lucky",
    "mild", "neat", "noble", "quick", "quiet", "ready", "sunny", "swift", "warm", "wide", "wise",
];
const SECOND: [&str; 32] = [
    "ash", "birch", "brook", "cedar", "cloud", "crane", "dawn", "elm", "fern", "finch", "fox",
    "hare", "hill", "lake", "lark", "leaf", "maple", "moss", "oak", "otter", "owl", "pine", "pond",
    "reed", "river", "robin", "rose", "sky", "stone", "tide", "willow", "wren",
];

/// The words that `random` picks, as `swift-fox`.
pub fn two_words(random: u128) -> String {
    let pick =
        |list: &[&'static str; 32], shift: u32| list[(random >> shift) as usize % list.len()];
    format!("{}-{}", pick(&FIRST, 0), pick(&SECOND, 16))
}
