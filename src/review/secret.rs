//! Text that looks like a key or a token, by the shapes that its makers gave it. The secret itself is never told.

/// What follows the prefix.
#[derive(Clone, Copy)]
enum Chars {
    /// `A`–`Z`, digits.
    Upper,
    Letters,
    /// Letters, digits, `_`, `-`.
    Word,
}

impl Chars {
    fn holds(self, byte: u8) -> bool {
        match self {
            Self::Upper => byte.is_ascii_uppercase() || byte.is_ascii_digit(),
            Self::Letters => byte.is_ascii_alphanumeric(),
            Self::Word => byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-'),
        }
    }
}

/// With the article, its prefix, and how long what follows is: at least, at most.
struct Shape(&'static str, &'static str, Chars, usize, usize);

const SHAPES: &[Shape] = &[
    Shape("an AWS access key", "AKIA", Chars::Upper, 16, 16),
    Shape("an AWS access key", "ASIA", Chars::Upper, 16, 16),
    Shape("a GitHub token", "ghp_", Chars::Letters, 36, 255),
    Shape("a GitHub token", "gho_", Chars::Letters, 36, 255),
    Shape("a GitHub token", "ghu_", Chars::Letters, 36, 255),
    Shape("a GitHub token", "ghs_", Chars::Letters, 36, 255),
    Shape("a GitHub token", "ghr_", Chars::Letters, 36, 255),
    Shape("a GitHub token", "github_pat_", Chars::Word, 50, 255),
    Shape("a GitLab token", "glpat-", Chars::Word, 20, 255),
    Shape("a Slack token", "xoxb-", Chars::Word, 20, 255),
    Shape("a Slack token", "xoxp-", Chars::Word, 20, 255),
    Shape("a Slack token", "xoxa-", Chars::Word, 20, 255),
    Shape("a Slack token", "xoxr-", Chars::Word, 20, 255),
    Shape("a Slack token", "xoxs-", Chars::Word, 20, 255),
    Shape("a Slack token", "xapp-", Chars::Word, 20, 255),
    Shape("a Stripe key", "sk_live_", Chars::Letters, 20, 255),
    Shape("a Stripe key", "rk_live_", Chars::Letters, 20, 255),
    Shape("a Google API key", "AIza", Chars::Word, 35, 35),
    Shape("an npm token", "npm_", Chars::Letters, 36, 36),
    Shape("a PyPI token", "pypi-AgEI", Chars::Word, 50, 1_000),
    Shape("an Anthropic key", "sk-ant-", Chars::Word, 32, 255),
    Shape("an OpenAI key", "sk-proj-", Chars::Word, 32, 255),
    Shape("a Hugging Face token", "hf_", Chars::Letters, 34, 40),
    Shape("a DigitalOcean token", "dop_v1_", Chars::Letters, 64, 64),
    Shape("an age key", "AGE-SECRET-KEY-1", Chars::Upper, 58, 58),
];

/// A placeholder repeats itself; a key of that length does not.
const DIFFERENT_MIN: usize = 8;

/// What the line looks like, with the part that every such secret has: `a GitHub token (ghp_…)`.
pub(super) fn find(line: &[u8]) -> Option<String> {
    if is_private_key(line) {
        return Some("a private key".to_owned());
    }
    for at in 0..line.len() {
        let is_start = at == 0 || !Chars::Word.holds(line[at - 1]);
        // Every prefix begins with one of these.
        if !is_start || !matches!(line[at], b'A' | b'a' | b'd' | b'e'..=b'h' | b'n'..=b's' | b'x') {
            continue;
        }
        let rest = &line[at..];
        if is_token(rest) {
            return Some("a signed token (JWT)".to_owned());
        }
        let shape = SHAPES.iter().find(|shape| fits(rest, shape));
        if let Some(Shape(what, prefix, ..)) = shape {
            return Some(format!("{what} ({prefix}…)"));
        }
    }
    is_slack_hook(line).then(|| "a Slack webhook".to_owned())
}

fn fits(rest: &[u8], Shape(_, prefix, chars, min, max): &Shape) -> bool {
    let Some(rest) = rest.strip_prefix(prefix.as_bytes()) else { return false };
    let run = run(rest, *chars);
    (*min..=*max).contains(&run.len()) && is_random(run)
}

fn run(bytes: &[u8], chars: Chars) -> &[u8] {
    let end = bytes.iter().position(|byte| !chars.holds(*byte)).unwrap_or(bytes.len());
    &bytes[..end]
}

/// Neither `xxxx…` nor the one of the manual.
fn is_random(run: &[u8]) -> bool {
    let mut known = [false; 256];
    for byte in run {
        known[usize::from(*byte)] = true;
    }
    let different = known.iter().filter(|known| **known).count();
    different >= DIFFERENT_MIN && !contains(run, b"EXAMPLE") && !contains(run, b"xxxx")
}

/// `eyJ….eyJ….…`: head, claims and signature.
fn is_token(rest: &[u8]) -> bool {
    /// None is longer, and a line of megabytes is not walked to its end for each of its words.
    const BYTES_MAX: usize = 16 * 1024;
    if !rest.starts_with(b"eyJ") {
        return false;
    }
    let rest = &rest[..rest.len().min(BYTES_MAX)];
    let mut parts = rest.splitn(3, |byte| *byte == b'.');
    let mut part = || run(parts.next().unwrap_or_default(), Chars::Word);
    let (head, claims, signature) = (part(), part(), part());
    claims.starts_with(b"eyJ")
        && head.len() >= 16
        && claims.len() >= 16
        && signature.len() >= 20
        && is_random(signature)
}

fn is_private_key(line: &[u8]) -> bool {
    const BEGIN: &[u8] = b"-----BEGIN ";
    let Some(at) = find_bytes(line, BEGIN) else { return false };
    let rest = &line[at + BEGIN.len()..];
    let kind = rest.iter().position(|byte| !byte.is_ascii_uppercase() && *byte != b' ');
    let end = kind.unwrap_or(rest.len());
    rest[..end].ends_with(b"PRIVATE KEY") && rest[end..].starts_with(b"-----")
        || rest.starts_with(b"PGP PRIVATE KEY BLOCK-----")
}

fn is_slack_hook(line: &[u8]) -> bool {
    const HOOK: &[u8] = b"hooks.slack.com/services/T";
    find_bytes(line, HOOK).is_some_and(|at| {
        let rest = &line[at + HOOK.len()..];
        let end = rest.iter().position(|byte| *byte != b'/' && !Chars::Word.holds(*byte));
        let path = &rest[..end.unwrap_or(rest.len())];
        path.split(|byte| *byte == b'/').count() == 3 && path.len() >= 40 && is_random(path)
    })
}

fn contains(bytes: &[u8], wanted: &[u8]) -> bool {
    find_bytes(bytes, wanted).is_some()
}

fn find_bytes(bytes: &[u8], wanted: &[u8]) -> Option<usize> {
    // Nothing is looked for in most lines: the first byte decides quickly.
    let mut from = 0;
    while let Some(at) = bytes[from..].iter().position(|byte| *byte == wanted[0]) {
        if bytes[from + at..].starts_with(wanted) {
            return Some(from + at);
        }
        from += at + 1;
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Put together here, so that no scanner takes this file for a leak.
    fn key(prefix: &str, length: usize) -> String {
        prefix.to_owned() + &"Q7W2E9R4T6Y1U8I3".repeat(20)[..length]
    }

    #[test]
    fn every_shape_is_found_and_its_prefix_is_one_that_is_looked_for() {
        for Shape(what, prefix, _, min, _) in SHAPES {
            let line = format!("  token = \"{}\";", key(prefix, *min));
            assert_eq!(find(line.as_bytes()), Some(format!("{what} ({prefix}…)")), "{line}");
        }
        let dots = format!("{}.{}.{}", key("eyJ", 20), key("eyJ", 20), key("", 43));
        assert_eq!(find(dots.as_bytes()).as_deref(), Some("a signed token (JWT)"));
        let block = ["-----BEGIN RSA ", "PRIVATE KEY-----"].concat();
        assert_eq!(find(block.as_bytes()).as_deref(), Some("a private key"));
        let hook = format!(
            "https://hooks.slack.com/services/{}/{}/{}",
            key("T", 8),
            key("B", 8),
            key("", 24)
        );
        assert_eq!(find(hook.as_bytes()).as_deref(), Some("a Slack webhook"));
    }

    #[test]
    fn what_only_begins_alike_is_left_alone() {
        let aws = ["AKIA", "IOSFODNN7EXAMPLE"].concat();
        for line in [
            aws,
            format!("ghp_{}", "x".repeat(36)),
            key("ghp_", 20),
            key("AKIA", 30),
            key("MYAKIA", 16),
            key("sk_test_", 24),
            "-----BEGIN CERTIFICATE-----".to_owned(),
            "-----BEGIN PUBLIC KEY-----".to_owned(),
            "eyJhbGciOi.eyJzdWIiOi.".to_owned(),
            "https://hooks.slack.com/services/TXXXX/BXXXX/token".to_owned(),
            "the npm_config_registry of hf_hub".to_owned(),
        ] {
            assert_eq!(find(line.as_bytes()), None, "{line}");
        }
    }
}
