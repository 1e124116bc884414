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
    Shape("a Slack token", "xoxe-", Chars::Word, 20, 255),
    Shape("a Slack token", "xapp-", Chars::Word, 20, 255),
    Shape("a Stripe key", "sk_live_", Chars::Letters, 20, 255),
    Shape("a Stripe key", "rk_live_", Chars::Letters, 20, 255),
    Shape("a Stripe secret", "whsec_", Chars::Letters, 32, 255),
    Shape("a Google client secret", "GOCSPX-", Chars::Word, 28, 28),
    Shape("a Google API key", "AIza", Chars::Word, 35, 35),
    Shape("an npm token", "npm_", Chars::Letters, 36, 36),
    Shape("a PyPI token", "pypi-AgEI", Chars::Word, 50, 1_000),
    Shape("an Anthropic key", "sk-ant-", Chars::Word, 32, 255),
    Shape("an OpenAI key", "sk-proj-", Chars::Word, 32, 255),
    Shape("an OpenAI key", "sk-svcacct-", Chars::Word, 32, 255),
    Shape("an OpenAI key", "sk-admin-", Chars::Word, 32, 255),
    Shape("an OpenAI key", "sk-", Chars::Letters, 48, 48),
    Shape("a Hugging Face token", "hf_", Chars::Letters, 34, 40),
    Shape("a DigitalOcean token", "dop_v1_", Chars::Letters, 64, 64),
    Shape("an age key", "AGE-SECRET-KEY-1", Chars::Upper, 58, 58),
];

/// A placeholder repeats itself; a key of that length does not.
const DIFFERENT_MIN: usize = 8;
/// Nobody draws these: they say that the key is to be put in their place.
const STAND_INS: &[&[u8]] =
    &[b"example", b"xxxx", b"your", b"placeholder", b"redacted", b"changeme"];

/// What the line looks like, with the part that every such secret has: `a GitHub token (ghp_…)`. Of a private key
/// the line below it tells whether there is one, or only its name.
pub(super) fn find(line: &[u8], below: &[u8]) -> Option<String> {
    if is_private_key(line, below) {
        return Some("a private key".to_owned());
    }
    for at in 0..line.len() {
        let is_start = at == 0 || !Chars::Word.holds(line[at - 1]);
        // Every prefix begins with one of these.
        if !is_start
            || !matches!(line[at], b'A' | b'G' | b'a' | b'd' | b'e'..=b'h' | b'n'..=b's' | b'w' | b'x')
        {
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
    let lower = run.to_ascii_lowercase();
    different >= DIFFERENT_MIN && !STAND_INS.iter().any(|word| contains(&lower, word))
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
        // John Doe's, of every manual.
        && !contains(claims, b"IkpvaG4gRG9l")
}

fn is_private_key(line: &[u8], below: &[u8]) -> bool {
    const BEGIN: &[u8] = b"-----BEGIN ";
    let Some(at) = find_bytes(line, BEGIN) else { return false };
    let rest = &line[at + BEGIN.len()..];
    let kind = rest.iter().position(|byte| !byte.is_ascii_uppercase() && *byte != b' ');
    let (kind, rest) = rest.split_at(kind.unwrap_or(rest.len()));
    let is_key = kind.ends_with(b"PRIVATE KEY") || kind.ends_with(b"PRIVATE KEY BLOCK");
    let heads: [&[u8]; 3] = [b"Proc-Type:", b"Version:", b"Comment:"];
    let follows = |line: &[u8]| heads.iter().any(|head| line.starts_with(head)) || has_body(line);
    let is_no_code = |byte: &u8| byte.is_ascii_whitespace() || matches!(byte, b'"' | b'\'' | b'`');
    let is_alone = line[..at].iter().chain(&rest[rest.len().min(5)..]).all(is_no_code);
    // In a source file the rest may stand in the same line, behind `\n`.
    is_key
        && rest.starts_with(b"-----")
        && (is_alone || has_body(&rest[5..]) || follows(below.trim_ascii()))
}

/// A line of what a key is made of.
fn has_body(line: &[u8]) -> bool {
    let is_base64 = |byte: &u8| byte.is_ascii_alphanumeric() || matches!(byte, b'+' | b'/' | b'=');
    line.split(|byte| !is_base64(byte)).any(|run| run.len() >= 32 && is_random(run))
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

    fn find(line: &[u8]) -> Option<String> {
        super::find(line, b"")
    }

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
        let in_source = format!("\"{block}\\n{}\\n\"", key("MIIE", 60));
        for (line, below) in [
            (&block, key("MIIE", 60)),
            (&block, format!("  \"{}\\n\"", key("MIIE", 60))),
            (&block, "Proc-Type: 4,ENCRYPTED".to_owned()),
            (&block, "short".to_owned()),
            (&in_source, String::new()),
        ] {
            let found = super::find(line.as_bytes(), below.as_bytes());
            assert_eq!(found.as_deref(), Some("a private key"), "{line} {below}");
        }
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
            "sk-ant-api03-YOUR_ANTHROPIC_API_KEY_GOES_HERE_0123".to_owned(),
            "sk-proj-placeholder-Q7W2E9R4T6Y1U8I3Q7W2E9R4".to_owned(),
            ["if text.starts_with(\"-----BEGIN ", "PRIVATE KEY-----\")"].concat(),
            ["-----BEGIN ", "PRIVATE KEY-----\\nMIIE...\\n"].concat(),
            [
                "eyJhbGciOiJIUzI1NiIsInR5cCI6IkpXVCJ9.",
                "eyJzdWIiOiIxMjM0NTY3ODkwIiwibmFtZSI6IkpvaG4gRG9lIiwiaWF0IjoxNTE2MjM5MDIyfQ.",
                "SflKxwRJSMeKKF2QT4fwpMeJf36POk6yJV_adQssw5c",
            ]
            .concat(),
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
