//! Styles by meaning. The only file that may name a colour; palettes lie in `assets/themes/`.
//! Every meaning survives without colour: signs, glyphs and words carry it, styles only repeat it.

use ratatui::style::{Color, Modifier, Style};
use serde::Deserialize;

use crate::{
    report::{Code, Report},
    review::{LineKind, token::TokenClass},
};

pub use super::glyphs::Glyphs;

/// How many colours the terminal shows.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Depth {
    /// `NO_COLOR`, or a terminal that has none: weight, reverse and signs only.
    None,
    Sixteen,
    Indexed,
    True,
}

/// Which of the built-in palettes fits the terminal's background.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ground {
    Dark,
    Light,
}

/// Whom a palette is made for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Vision {
    #[default]
    Usual,
    /// Does not tell red from green: good is blue, bad orange, the target teal.
    ColourBlind,
}

/// A theme as its file tells it.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Palette {
    #[serde(default)]
    pub vision: Vision,
    pub ground: Ink,
    pub roles: Roles<Ink>,
    pub tints: Tints<Ink>,
    pub tokens: Tokens<Ink>,
}

/// A true colour, and its place in the 256-colour table.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(try_from = "(String, u8)")]
pub struct Ink {
    pub rgb: [u8; 3],
    pub index: u8,
}

impl TryFrom<(String, u8)> for Ink {
    type Error = String;

    fn try_from((text, index): (String, u8)) -> Result<Self, String> {
        let wrong = || format!("`{text}` is not a colour like \"#1b2c3d\"");
        let digits = text.strip_prefix('#').filter(|digits| digits.len() == 6);
        let number = digits.and_then(|digits| u32::from_str_radix(digits, 16).ok());
        let [_, red, green, blue] = number.ok_or_else(wrong)?.to_be_bytes();
        Ok(Self { rgb: [red, green, blue], index })
    }
}

#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Roles<T> {
    pub text: T,
    pub quiet: T,
    pub focus: T,
    pub good: T,
    pub bad: T,
    pub attention: T,
    pub target: T,
    pub shadow: T,
}

/// Backgrounds, so faint that text keeps its contrast on each.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Tints<T> {
    pub cursor: T,
    pub added: T,
    pub removed: T,
    pub added_word: T,
    pub removed_word: T,
    #[serde(rename = "match")]
    pub hit: T,
}

#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Tokens<T> {
    pub comment: T,
    pub keyword: T,
    pub string: T,
    pub number: T,
    pub constant: T,
    #[serde(rename = "type")]
    pub type_name: T,
    pub function: T,
    pub attribute: T,
    pub tag: T,
    pub punctuation: T,
}

/// What the screens draw with.
#[derive(Clone, Debug)]
pub struct Theme {
    pub depth: Depth,
    /// What is read: code, ids, values.
    pub text: Style,
    /// Line numbers, ages, labels, heads, done rows, what has no focus.
    pub quiet: Style,
    /// The cursor's bar, marks, keys in the footer, the name of the pane in focus.
    pub focus: Style,
    pub good: Style,
    pub bad: Style,
    pub attention: Style,
    /// The sides of a conflict.
    pub target: Style,
    pub shadow: Style,
    /// Backgrounds only: draw them under a row, then the row's text over them.
    pub cursor_row: Style,
    added: Style,
    removed: Style,
    added_word: Style,
    removed_word: Style,
    /// A match of the search.
    pub hit: Style,
    tokens: Tokens<Style>,
    pub glyphs: &'static Glyphs,
    /// The background that the palette was made for, for pictures of the screen.
    pub ground: Color,
}

const DARK: &str = include_str!("../../assets/themes/dark.toml");
const LIGHT: &str = include_str!("../../assets/themes/light.toml");
const BLIND_DARK: &str = include_str!("../../assets/themes/colour-blind-dark.toml");
const BLIND_LIGHT: &str = include_str!("../../assets/themes/colour-blind-light.toml");

impl Palette {
    pub fn built_in(ground: Ground) -> Self {
        Self::made_for(Vision::Usual, ground)
    }

    pub fn made_for(vision: Vision, ground: Ground) -> Self {
        let source = match (vision, ground) {
            (Vision::Usual, Ground::Dark) => DARK,
            (Vision::Usual, Ground::Light) => LIGHT,
            (Vision::ColourBlind, Ground::Dark) => BLIND_DARK,
            (Vision::ColourBlind, Ground::Light) => BLIND_LIGHT,
        };
        Self::parse(source).expect("a test reads the built-in themes")
    }

    pub fn parse(source: &str) -> Result<Self, Report> {
        toml::from_str(source).map_err(|error| {
            Report::user(Code::InvalidValue, "the theme cannot be read")
                .cause(error.to_string())
                .hint("each colour is a pair: [\"#1b2c3d\", 17]")
        })
    }
}

impl Default for Theme {
    fn default() -> Self {
        Self::built_in(Ground::Dark, Depth::True, &Glyphs::UNICODE)
    }
}

impl Theme {
    pub fn built_in(ground: Ground, depth: Depth, glyphs: &'static Glyphs) -> Self {
        Self::new(&Palette::built_in(ground), depth, glyphs)
    }

    pub fn new(palette: &Palette, depth: Depth, glyphs: &'static Glyphs) -> Self {
        let roles = roles(palette, depth);
        let tints = tints(&palette.tints, depth);
        Self {
            depth,
            text: roles.text,
            quiet: roles.quiet,
            focus: roles.focus,
            good: roles.good,
            bad: roles.bad,
            attention: roles.attention,
            target: roles.target,
            shadow: roles.shadow,
            cursor_row: tints.cursor,
            added: tints.added,
            removed: tints.removed,
            added_word: tints.added_word,
            removed_word: tints.removed_word,
            hit: tints.hit,
            tokens: tokens(&palette.tokens, depth),
            glyphs,
            ground: rgb(palette.ground),
        }
    }

    /// Foreground only, and muted: syntax never competes with a role.
    pub fn token(&self, class: TokenClass) -> Style {
        let tokens = &self.tokens;
        match class {
            TokenClass::Comment => tokens.comment,
            TokenClass::Keyword => tokens.keyword,
            TokenClass::String => tokens.string,
            TokenClass::Number => tokens.number,
            TokenClass::Constant => tokens.constant,
            TokenClass::Type => tokens.type_name,
            TokenClass::Function => tokens.function,
            TokenClass::Attribute => tokens.attribute,
            TokenClass::Tag => tokens.tag,
            TokenClass::Punctuation => tokens.punctuation,
        }
    }

    /// The faint tint of a whole line.
    pub fn line(&self, kind: LineKind) -> Style {
        match kind {
            LineKind::Context => Style::new(),
            LineKind::Added => self.added,
            LineKind::Removed => self.removed,
        }
    }

    /// The strong tint of the words that changed inside a line.
    pub fn word(&self, kind: LineKind) -> Style {
        match kind {
            LineKind::Context => Style::new(),
            LineKind::Added => self.added_word,
            LineKind::Removed => self.removed_word,
        }
    }

    /// The `+`, `-` or blank before a line.
    pub fn sign(&self, kind: LineKind) -> (&'static str, Style) {
        match kind {
            LineKind::Context => (" ", self.quiet),
            LineKind::Added => ("+", self.good),
            LineKind::Removed => ("-", self.bad),
        }
    }
}

fn rgb(ink: Ink) -> Color {
    Color::Rgb(ink.rgb[0], ink.rgb[1], ink.rgb[2])
}

/// `None` where the depth has no such choice.
fn color(ink: Ink, depth: Depth) -> Option<Color> {
    match depth {
        Depth::True => Some(rgb(ink)),
        Depth::Indexed => Some(Color::Indexed(ink.index)),
        Depth::Sixteen | Depth::None => None,
    }
}

fn roles(palette: &Palette, depth: Depth) -> Roles<Style> {
    let inks = &palette.roles;
    // Of sixteen there is no orange; red is told from blue as well.
    let (good, target) = match palette.vision {
        Vision::Usual => (Color::Green, Color::Blue),
        Vision::ColourBlind => (Color::Blue, Color::Cyan),
    };
    let plain = Style::new();
    let role = |ink: Ink, sixteen: Option<Color>, none: Modifier| match depth {
        Depth::None => plain.add_modifier(none),
        Depth::Sixteen => sixteen.map_or(plain, |color| plain.fg(color)),
        Depth::Indexed | Depth::True => color(ink, depth).map_or(plain, |color| plain.fg(color)),
    };
    let empty = Modifier::empty();
    Roles {
        text: role(inks.text, None, empty),
        quiet: role(inks.quiet, Some(Color::DarkGray), Modifier::DIM),
        focus: role(inks.focus, Some(Color::Cyan), Modifier::REVERSED),
        good: role(inks.good, Some(good), empty),
        bad: role(inks.bad, Some(Color::Red), Modifier::BOLD),
        attention: role(inks.attention, Some(Color::Yellow), Modifier::BOLD),
        target: role(inks.target, Some(target), empty),
        shadow: role(inks.shadow, Some(Color::Magenta), empty),
    }
}

fn tints(inks: &Tints<Ink>, depth: Depth) -> Tints<Style> {
    let tint = |ink: Ink, below: Modifier| match color(ink, depth) {
        Some(color) => Style::new().bg(color),
        None => Style::new().add_modifier(below),
    };
    let empty = Modifier::empty();
    Tints {
        cursor: tint(inks.cursor, empty),
        added: tint(inks.added, empty),
        removed: tint(inks.removed, empty),
        added_word: tint(inks.added_word, Modifier::UNDERLINED),
        removed_word: tint(inks.removed_word, Modifier::UNDERLINED),
        hit: tint(inks.hit, Modifier::REVERSED),
    }
}

/// Sixteen colours are the roles'; syntax has none left to use.
fn tokens(inks: &Tokens<Ink>, depth: Depth) -> Tokens<Style> {
    let token = |ink: Ink| color(ink, depth).map_or(Style::new(), |color| Style::new().fg(color));
    let comment = match depth {
        Depth::Sixteen => Style::new().fg(Color::DarkGray),
        Depth::None => Style::new().add_modifier(Modifier::DIM),
        Depth::Indexed | Depth::True => token(inks.comment),
    };
    Tokens {
        comment,
        keyword: token(inks.keyword),
        string: token(inks.string),
        number: token(inks.number),
        constant: token(inks.constant),
        type_name: token(inks.type_name),
        function: token(inks.function),
        attribute: token(inks.attribute),
        tag: token(inks.tag),
        punctuation: token(inks.punctuation),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn luminance([red, green, blue]: [u8; 3]) -> f64 {
        let linear = |channel: u8| {
            let share = f64::from(channel) / 255.0;
            if share <= 0.040_45 { share / 12.92 } else { ((share + 0.055) / 1.055).powf(2.4) }
        };
        0.2126 * linear(red) + 0.7152 * linear(green) + 0.0722 * linear(blue)
    }

    /// As WCAG counts it.
    fn contrast(one: [u8; 3], other: [u8; 3]) -> f64 {
        let (one, other) = (luminance(one), luminance(other));
        (one.max(other) + 0.05) / (one.min(other) + 0.05)
    }

    /// What xterm shows for an index of the 256-colour table, from 16 up.
    fn xterm(index: u8) -> [u8; 3] {
        match index {
            0..16 => panic!("the first sixteen are the user's own"),
            16..232 => {
                let level = |step: u8| if step == 0 { 0 } else { 55 + 40 * step };
                let place = index - 16;
                [level(place / 36), level(place / 6 % 6), level(place % 6)]
            }
            232.. => [8 + 10 * (index - 232); 3],
        }
    }

    #[test]
    fn text_is_readable_on_every_tint() {
        let grounds = [Ground::Dark, Ground::Light];
        let all = grounds.map(|ground| [Vision::Usual, Vision::ColourBlind].map(|v| (v, ground)));
        for (vision, ground) in all.into_iter().flatten() {
            let Palette { vision: made_for, ground: page, roles, tints, tokens } =
                Palette::made_for(vision, ground);
            assert_eq!(made_for, vision);
            // Without `..`, here and below: what is new is looked at, too.
            let Tints { cursor, added, removed, added_word, removed_word, hit } = tints;
            let grounds = [
                ("ground", page),
                ("cursor", cursor),
                ("added", added),
                ("removed", removed),
                ("added_word", added_word),
                ("removed_word", removed_word),
                ("match", hit),
            ];
            let Roles { text, quiet, focus, good, bad, attention, target, shadow } = roles;
            let marked = [quiet, focus, good, bad, attention, target, shadow];
            let names = ["quiet", "focus", "good", "bad", "attention", "target", "shadow"];
            let mut inks = vec![("text", text, 7.0)];
            inks.extend(names.into_iter().zip(marked).map(|(name, ink)| (name, ink, 4.5)));
            let Tokens {
                comment,
                keyword,
                string,
                number,
                constant,
                type_name,
                function,
                attribute,
                tag,
                punctuation,
            } = tokens;
            let tokens = [comment, keyword, string, number, constant, type_name];
            let tokens = tokens.into_iter().chain([function, attribute, tag, punctuation]);
            inks.extend(tokens.map(|ink| ("a token", ink, 4.5)));
            let mut faint = Vec::new();
            for (on, under) in grounds {
                for (name, ink, enough) in inks.iter().copied() {
                    let exact = contrast(ink.rgb, under.rgb);
                    let indexed = contrast(xterm(ink.index), xterm(under.index));
                    if exact < enough || indexed < enough {
                        faint.push(format!(
                            "{vision:?} {ground:?}: {name} on {on}: {exact:.2}, indexed {indexed:.2}, wants {enough}"
                        ));
                    }
                }
            }
            assert!(faint.is_empty(), "{}", faint.join("\n"));
        }
    }

    /// Red and green are one to whoever cannot tell them apart: blue then says which is which.
    #[test]
    fn good_and_bad_differ_in_blue_where_red_and_green_are_one() {
        for ground in [Ground::Dark, Ground::Light] {
            let Palette { roles, tints, .. } = Palette::made_for(Vision::ColourBlind, ground);
            let blueness = |[red, green, blue]: [u8; 3]| {
                i32::from(blue) - i32::midpoint(i32::from(red), i32::from(green))
            };
            for (good, bad) in [
                (roles.good, roles.bad),
                (tints.added, tints.removed),
                (tints.added_word, tints.removed_word),
            ] {
                assert!(blueness(good.rgb) > 5 && blueness(bad.rgb) < -5, "{good:?} {bad:?}");
            }
        }
        let blind = Palette::made_for(Vision::ColourBlind, Ground::Dark);
        let theme = Theme::new(&blind, Depth::Sixteen, &Glyphs::UNICODE);
        assert_eq!((theme.good.fg, theme.bad.fg), (Some(Color::Blue), Some(Color::Red)));
    }

    #[test]
    fn no_color_names_no_color() {
        let theme = Theme::built_in(Ground::Dark, Depth::None, &Glyphs::ASCII);
        let styles = [
            theme.text,
            theme.quiet,
            theme.focus,
            theme.good,
            theme.bad,
            theme.attention,
            theme.target,
            theme.shadow,
            theme.cursor_row,
            theme.word(LineKind::Added),
            theme.line(LineKind::Removed),
            theme.token(TokenClass::Keyword),
        ];
        assert!(styles.iter().all(|style| style.fg.is_none() && style.bg.is_none()));
    }

    #[test]
    fn a_wrong_color_is_named() {
        let report = Palette::parse(&DARK.replace("#9da3ae", "grey")).expect_err("is wrong");
        assert!(report.causes[0].contains("`grey`"), "{report:?}");
    }
}
