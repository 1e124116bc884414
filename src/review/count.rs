//! Counts in words. Every face says them with this one function, so that none of them says `1 files`.

use std::fmt::Display;

/// `1 file`, `3 files`: any whole number, and a noun whose plural ends in `s`.
pub fn count(number: impl Display, one: &str) -> String {
    let number = number.to_string();
    if number == "1" { format!("1 {one}") } else { format!("{number} {one}s") }
}

/// `1 of 3 files is`, `2 of 3 files are`, `0 of 1 file is`: a part of a whole.
pub fn count_of(part: impl Display, whole: impl Display, one: &str) -> String {
    format!("{part} of {}", count(whole, one))
}

/// The first ten of a list, and how many more there are: `a, b and 1498 more`.
pub fn first_ten(names: &[String]) -> String {
    const NAMED_MAX: usize = 10;
    let first = names[..names.len().min(NAMED_MAX)].join(", ");
    match names.len().saturating_sub(NAMED_MAX) {
        0 => first,
        more => format!("{first} and {more} more"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_one_is_one() {
        assert_eq!(
            [0, 1, 2, 11, 21].map(|n| count(n, "file")).join(", "),
            "0 files, 1 file, 2 files, 11 files, 21 files"
        );
        assert_eq!(count_of(0, 1, "conflict file"), "0 of 1 conflict file");
        assert_eq!(count_of(1_usize, 2_u32, "hunk"), "1 of 2 hunks");
    }
}
