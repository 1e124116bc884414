//! Draws what the README shows into `screenshots/`: `cargo run --example screenshots [DIRECTORY]`.
//! Buffer → SVG → PNG, with a font that comes along, so that every machine makes the same pictures.

#![allow(clippy::print_stdout, reason = "tells which files were written")]

use std::{fmt::Write as _, fs, path::PathBuf, sync::Arc};

use ratatui::{
    buffer::{Buffer, Cell},
    style::{Color, Modifier},
};
use resvg::{tiny_skia, usvg};
use shadowdeck::ui::{
    glyphs::Glyphs,
    theme::{Depth, Ground, Theme},
};
use unicode_width::UnicodeWidthStr;

#[path = "../tests/scenes/mod.rs"]
#[allow(dead_code, unreachable_pub, reason = "the tests use the rest")]
mod scenes;

use scenes::{SCENES, Scene, World};

const WIDE: (u16, u16) = (120, 40);
const NARROW: (u16, u16) = (80, 24);
/// One cell in pixels; the font's advance is 0.602 of its size.
const CELL_WIDTH: f32 = 9.03;
const CELL_HEIGHT: f32 = 18.0;
const FONT_SIZE: f32 = 15.0;
const BASELINE: f32 = 13.5;
const PADDING: f32 = 12.0;
/// Pictures are read on dense screens.
const SCALE: f32 = 1.5;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let directory = std::env::args_os().nth(1).map_or_else(|| "screenshots".into(), PathBuf::from);
    fs::create_dir_all(&directory)?;
    let fonts = fonts();
    let dark = Theme::default();
    let light = Theme::built_in(Ground::Light, Depth::True, &Glyphs::UNICODE);
    let all = SCENES.iter().map(|scene| (scene, "", WIDE, &dark));
    let others = [(&SCENES[0], "-80x24", NARROW, &dark), (&SCENES[1], "-light", WIDE, &light)];
    for (scene, suffix, size, theme) in all.chain(others) {
        let path = directory.join(format!("{}{suffix}.png", scene.name));
        write(&path, &draw(scene, size, theme), theme, &fonts)?;
        println!("{}", path.display());
    }
    Ok(())
}

fn draw(scene: &Scene, (columns, rows): (u16, u16), theme: &Theme) -> Buffer {
    let mut world = World::new(columns, rows);
    world.press(scene.keys);
    world.draw(theme)
}

fn fonts() -> Arc<usvg::fontdb::Database> {
    let mut fonts = usvg::fontdb::Database::new();
    fonts.load_font_data(epaint_default_fonts::HACK_REGULAR.to_vec());
    fonts.set_monospace_family("Hack");
    Arc::new(fonts)
}

fn write(
    path: &std::path::Path,
    buffer: &Buffer,
    theme: &Theme,
    fonts: &Arc<usvg::fontdb::Database>,
) -> Result<(), Box<dyn std::error::Error>> {
    let svg = svg(buffer, theme);
    let options = usvg::Options { fontdb: Arc::clone(fonts), ..usvg::Options::default() };
    let tree = usvg::Tree::from_str(&svg, &options)?;
    let size = tree.size().to_int_size().scale_by(SCALE).ok_or("a picture of no size")?;
    let mut pixels =
        tiny_skia::Pixmap::new(size.width(), size.height()).ok_or("a picture of no size")?;
    let transform = tiny_skia::Transform::from_scale(SCALE, SCALE);
    resvg::render(&tree, transform, &mut pixels.as_mut());
    pixels.save_png(path)?;
    Ok(())
}

/// Colours as the screen shows them.
struct Ink {
    text: String,
    ground: Option<String>,
    bold: bool,
    underlined: bool,
}

fn ink(cell: &Cell, theme: &Theme) -> Ink {
    let default_text = theme.text.fg.unwrap_or(Color::White);
    let (mut text, mut ground) = (cell.fg, cell.bg);
    if cell.modifier.contains(Modifier::REVERSED) {
        (text, ground) = (if ground == Color::Reset { theme.ground } else { ground }, text);
        if ground == Color::Reset {
            ground = default_text;
        }
    }
    Ink {
        text: hex(text).or_else(|| hex(default_text)).unwrap_or_default(),
        ground: hex(ground),
        bold: cell.modifier.contains(Modifier::BOLD),
        underlined: cell.modifier.contains(Modifier::UNDERLINED),
    }
}

/// The pictures are in true colour: the other depths are the terminal's own.
fn hex(color: Color) -> Option<String> {
    match color {
        Color::Rgb(red, green, blue) => Some(format!("#{red:02x}{green:02x}{blue:02x}")),
        _ => None,
    }
}

fn svg(buffer: &Buffer, theme: &Theme) -> String {
    let columns = f32::from(buffer.area.width);
    let (width, height) = (
        columns * CELL_WIDTH + 2.0 * PADDING,
        f32::from(buffer.area.height) * CELL_HEIGHT + 2.0 * PADDING,
    );
    let ground = hex(theme.ground).unwrap_or_default();
    let mut grounds = String::new();
    let mut texts = String::new();
    for (y, row) in (0u16..).zip(buffer.content.chunks(usize::from(buffer.area.width))) {
        write_row(row, PADDING + f32::from(y) * CELL_HEIGHT, theme, &mut grounds, &mut texts);
    }
    format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width:.2} {height:.2}\" \
         width=\"{width:.2}\" height=\"{height:.2}\" font-family=\"Hack, monospace\" \
         font-size=\"{FONT_SIZE}\">\n<rect width=\"100%\" height=\"100%\" fill=\"{ground}\"/>\n\
         {grounds}{texts}</svg>\n"
    )
}

/// Each character has its own place, so that no font can shift the grid.
fn write_row(row: &[Cell], top: f32, theme: &Theme, grounds: &mut String, texts: &mut String) {
    let x = |column: usize| PADDING + f32::from(u16::try_from(column).unwrap_or(0)) * CELL_WIDTH;
    let mut start = 0;
    while start < row.len() {
        let ink = ink(&row[start], theme);
        let same = |cell: &&Cell| {
            cell.fg == row[start].fg
                && cell.bg == row[start].bg
                && cell.modifier == row[start].modifier
        };
        let end = start + row[start..].iter().take_while(same).count();
        if let Some(ground) = &ink.ground {
            let width = x(end) - x(start);
            writeln!(
                grounds,
                "<rect x=\"{:.2}\" y=\"{top:.2}\" width=\"{width:.2}\" height=\"{CELL_HEIGHT}\" fill=\"{ground}\"/>",
                x(start)
            )
            .expect("writes to a string");
        }
        write_text(&row[start..end], start, top, &ink, texts);
        start = end;
    }
}

/// Signs that the font lacks, as lines in a cell of 9 by 18.
fn strokes(symbol: &str) -> Option<&'static str> {
    match symbol {
        "✓" => Some("M1.2 9.6 L3.6 12.6 L7.8 4.8"),
        "✗" => Some("M1.6 5.2 L7.4 12.8 M7.4 5.2 L1.6 12.8"),
        _ => None,
    }
}

fn write_strokes(strokes: &str, x: f32, y: f32, ink: &Ink, out: &mut String) {
    let width = if ink.bold { 1.9 } else { 1.4 };
    writeln!(
        out,
        "<path d=\"{strokes}\" transform=\"translate({x:.2} {y:.2})\" fill=\"none\" \
         stroke=\"{}\" stroke-width=\"{width}\" stroke-linecap=\"round\"/>",
        ink.text
    )
    .expect("writes to a string");
}

fn write_text(cells: &[Cell], start: usize, top: f32, ink: &Ink, out: &mut String) {
    let x = |column: usize| PADDING + f32::from(u16::try_from(column).unwrap_or(0)) * CELL_WIDTH;
    let (mut places, mut text) = (String::new(), String::new());
    let mut covered = 0;
    for (offset, cell) in cells.iter().enumerate() {
        let symbol = cell.symbol();
        if covered > 0 {
            covered -= 1;
            continue;
        }
        covered = symbol.width().saturating_sub(1);
        if symbol.trim().is_empty() {
            continue;
        }
        if let Some(strokes) = strokes(symbol) {
            write_strokes(strokes, x(start + offset), top, ink, out);
            continue;
        }
        write!(places, "{:.1} ", x(start + offset)).expect("writes to a string");
        // Further characters of a cell sit on the first: they need no place of their own.
        for character in symbol.chars() {
            match character {
                '<' => text.push_str("&lt;"),
                '>' => text.push_str("&gt;"),
                '&' => text.push_str("&amp;"),
                _ => text.push(character),
            }
        }
    }
    if text.is_empty() {
        return;
    }
    let mut style = format!("fill=\"{}\"", ink.text);
    if ink.bold {
        // The font has one weight: a fine stroke makes the other.
        write!(style, " stroke=\"{}\" stroke-width=\"0.7\"", ink.text).expect("writes to a string");
    }
    if ink.underlined {
        style.push_str(" text-decoration=\"underline\"");
    }
    writeln!(
        out,
        "<text x=\"{}\" y=\"{:.2}\" {style}>{text}</text>",
        places.trim_end(),
        top + BASELINE
    )
    .expect("writes to a string");
}
