//! What a person writes in place of a choice: one place in the result, or the whole file in their own editor, where
//! the places that are open stand between markers.

use tui_textarea::{CursorMove, TextArea};

use super::{
    Effect, Model,
    conflict_choices::{choose, choose_answer, takes_of},
    conflicts::{ConflictsScreen, Pane},
    text_field, why_sheet,
};
use crate::{
    report::Report,
    review::{
        ConflictFile, ConflictPage, Content, FileDiff, Resolution, ThreeSides, count,
        name::visible_name,
        weave::{Lines, Markers, Place, Take, Weave, marked_lines, marker_size},
    },
    shadow::RepoPath,
};

/// More is read and written better in an editor of one's own.
const LINES_MAX: usize = 2_000;

/// A text area over the result.
#[derive(Debug)]
pub struct Editor {
    pub area: TextArea<'static>,
    /// `None`: the whole file is edited.
    pub place: Option<Place>,
    before: Vec<u8>,
    /// How its lines end.
    end: &'static str,
    /// A marker was pointed at; it is meant so.
    insists: bool,
}

impl Editor {
    fn new(text: &[u8], place: Option<Place>) -> Option<Self> {
        let before = text.to_vec();
        let text = std::str::from_utf8(text).ok()?;
        let is_dos =
            text.contains("\r\n") && text.matches("\r\n").count() == text.matches('\n').count();
        let end = if is_dos { "\r\n" } else { "\n" };
        let lines: Vec<String> =
            text.strip_suffix(end).unwrap_or(text).split(end).map(str::to_owned).collect();
        if lines.len() > LINES_MAX {
            return None;
        }
        let area = text_field::new(lines, CursorMove::Top);
        Some(Self { area, place, before, end, insists: false })
    }

    /// A text that did not end its last line still does not.
    fn text(&self) -> Vec<u8> {
        let lines = self.area.lines();
        let mut text = lines.join(self.end);
        let is_gone = lines.len() == 1 && text.is_empty();
        if !is_gone && (self.before.is_empty() || self.before.ends_with(b"\n")) {
            text.push_str(self.end);
        }
        text.into_bytes()
    }

    pub(super) fn write(&mut self) -> &mut TextArea<'static> {
        self.insists = false;
        &mut self.area
    }
}

/// What there is to edit of a file without places.
fn whole_text(screen: &ConflictsScreen, file: &ConflictFile) -> Option<Vec<u8>> {
    if let Some(result) = &screen.result {
        return Some(result.text.as_bytes().to_vec());
    }
    let side =
        if file.conflict.sides()[2].is_some() { &file.shadow_diff } else { &file.target_diff };
    match side.as_ref().map(|diff| &diff.content) {
        Some(Content::Text { new, .. }) => Some(new.as_bytes().to_vec()),
        _ => None,
    }
}

/// The place that is shown, over the result: as chosen, or both sides' lines.
pub(super) fn edit(model: &mut Model) -> Vec<Effect> {
    let Some(screen) = &mut model.conflicts else { return Vec::new() };
    let Some(file) = screen.file() else { return Vec::new() };
    let place = file.weave.as_ref().and_then(|weave| weave.places().nth(screen.clash)).cloned();
    let editor = match &place {
        Some(own) => {
            let takes = takes_of(file);
            let take = takes.get(screen.clash).cloned().flatten().unwrap_or(Take::Both);
            Editor::new(&own.text(&take), place)
        }
        None => whole_text(screen, file).and_then(|text| Editor::new(&text, None)),
    };
    match editor {
        Some(editor) => {
            screen.pane = Pane::Result;
            screen.files_open = false;
            screen.editor = Some(editor);
        }
        None => model.refuse("e: it is long, or no UTF-8 text · E edits it in $EDITOR"),
    }
    Vec::new()
}

/// The text is kept, whichever key ends it. A conflict marker in it is pointed at once.
pub(super) fn end_edit(model: &mut Model) -> Vec<Effect> {
    let Some(screen) = &mut model.conflicts else { return Vec::new() };
    let Some(editor) = &mut screen.editor else { return Vec::new() };
    let text = editor.text();
    let marked = marked_lines(&text);
    if let Some(line) = marked.first().filter(|_| !editor.insists) {
        editor.insists = true;
        let line = format!("line {line} is a conflict marker");
        model.refuse(format!("{line}: take it out · Esc again keeps it as it is"));
        return Vec::new();
    }
    let Some(Editor { place, before, .. }) = screen.editor.take() else { return Vec::new() };
    if text == before {
        model.say("nothing was changed");
        return Vec::new();
    }
    let Some(place) = place else {
        return choose_answer(model, Resolution::Text(Lines(text)), "as edited");
    };
    let weave = screen.file().and_then(|file| file.weave.as_ref());
    // The file may have moved on meanwhile: what was written is for just these lines.
    let at = weave.and_then(|weave| weave.places().position(|other| *other == place));
    let Some(at) = at else {
        let copied = String::from_utf8_lossy(&text).into_owned();
        why_sheet::show(model, "What you wrote", copied.clone());
        model.refuse("these lines have changed meanwhile · what you wrote is here, and sent to the terminal's clipboard");
        return vec![Effect::Copy(copied)];
    };
    screen.clash = at;
    choose(model, Take::Text(Lines(text)))
}

fn markers<'a>(size: usize, target: &'a str, shadow: &'a str) -> Markers<'a> {
    Markers { size, target, base: "base", shadow }
}

/// The size of the markers in an editor: told apart from every line of the file.
fn size_of(file: &ConflictFile) -> usize {
    let places = file.weave.iter().flat_map(Weave::places);
    let texts = places.flat_map(|place| [&place.base.0, &place.target.0, &place.shadow.0]);
    marker_size(&texts.map(Vec::as_slice).collect::<Vec<_>>())
}

/// The whole file as it would land, in the person's own editor.
pub(super) fn edit_outside(model: &mut Model) -> Vec<Effect> {
    let Some(screen) = &model.conflicts else { return Vec::new() };
    let (Some(page), Some(file)) = (&screen.page, screen.file()) else { return Vec::new() };
    let path = &file.conflict.path;
    let Some(text) = text_outside(screen, page, file) else {
        model.refuse("E: there is no text of it");
        return Vec::new();
    };
    let mark = text.split(|byte| *byte == b'\n').position(|line| line.starts_with(b"<<<<<<<"));
    let line = u32::try_from(mark.unwrap_or(0) + 1).unwrap_or(1);
    vec![Effect::EditText { name: file_name(path), text, line }]
}

/// What could not be taken as it was; else as it would land, what is open between markers.
fn text_outside(
    screen: &ConflictsScreen,
    page: &ConflictPage,
    file: &ConflictFile,
) -> Option<Vec<u8>> {
    let own = screen.draft.as_ref().filter(|(of, _)| *of == file.conflict.path);
    let drafted = own.map(|(_, text)| text.clone());
    drafted.or_else(|| match (&file.weave, &file.conflict.resolution) {
        (Some(weave), None | Some(Resolution::Places(_))) => {
            Some(weave.marked(&file.takes, markers(size_of(file), &page.target.0, &page.id.0)))
        }
        _ => whole_text(screen, file),
    })
}

fn file_name(path: &RepoPath) -> Vec<u8> {
    path.as_bytes().rsplit(|byte| *byte == b'/').next().unwrap_or_default().to_vec()
}

/// `D`: the three versions and the file as it would land, in the user's own mergetool.
pub(super) fn open_mergetool(model: &mut Model) -> Vec<Effect> {
    let Some(screen) = &model.conflicts else { return Vec::new() };
    let (Some(page), Some(file)) = (&screen.page, screen.file()) else { return Vec::new() };
    let sides = |diff: &Option<FileDiff>| match &diff.as_ref()?.content {
        Content::Text { old, new, .. } => Some([old, new].map(|text| text.as_bytes().to_vec())),
        _ => None,
    };
    let (Some([base, target]), Some([_, shadow]), Some(text)) =
        (sides(&file.target_diff), sides(&file.shadow_diff), text_outside(screen, page, file))
    else {
        model.refuse("D: it is long, or no text · E edits it in $EDITOR");
        return Vec::new();
    };
    let has_base = file.target_diff.as_ref().is_some_and(|diff| diff.change.old.is_some());
    let (path, base) = (file.conflict.path.clone(), has_base.then_some(base));
    model.say(format!("opening {}", visible_name(path.as_bytes())));
    let sides = ThreeSides { name: file_name(&path), base, target, shadow, text };
    vec![Effect::OpenMergetool(Box::new(sides))]
}

/// Back from there: place by place where nothing else was edited, else the whole text.
pub(super) fn edited(
    model: &mut Model,
    from: &str,
    outcome: Result<Vec<u8>, Report>,
) -> Vec<Effect> {
    let text = match outcome {
        Ok(text) => text,
        Err(report) => {
            model.fail(&report);
            return Vec::new();
        }
    };
    let Some(screen) = &mut model.conflicts else { return Vec::new() };
    let (Some(page), Some(file)) = (&screen.page, screen.file()) else { return Vec::new() };
    let path = file.conflict.path.clone();
    let is_same = match &file.conflict.resolution {
        None | Some(Resolution::Places(_)) => false,
        Some(_) => whole_text(screen, file).as_ref() == Some(&text),
    };
    let takes = takes_of(file);
    let own = markers(size_of(file), &page.target.0, &page.id.0);
    let read = file.weave.as_ref().and_then(|weave| weave.read_back(&text, &takes, own));
    if is_same || read.as_ref() == Some(&takes) {
        model.say(format!("back from the {from}: nothing was changed"));
        return Vec::new();
    }
    if let (Some(weave), Some(read)) = (&file.weave, read) {
        let open = read.iter().filter(|take| take.is_none()).count();
        let resolution = Resolution::Places(weave.decided(&read));
        let left = format!("as edited, {} still between markers", count(open, "place"));
        screen.draft = None;
        let words = if open > 0 { &left } else { "as edited" };
        return choose_answer(model, resolution, words);
    }
    let marked = marked_lines(&text);
    let insists = screen.draft.as_ref() == Some(&(path.clone(), text.clone()));
    if let Some(line) = marked.first().filter(|_| !insists) {
        let name = visible_name(path.as_bytes());
        screen.draft = Some((path, text));
        model.refuse(format!(
            "{name}: line {line} is a conflict marker: nothing is chosen · E opens your text again, left so it is kept"
        ));
        return Vec::new();
    }
    screen.draft = None;
    choose_answer(model, Resolution::Text(Lines(text)), "as edited")
}

/// A file of bytes, a link or a submodule has no text.
pub(super) fn no_text(model: &Model) -> Option<&'static str> {
    let screen = model.conflicts.as_ref()?;
    let file = screen.file()?;
    let has_text = file.weave.is_some() || whole_text(screen, file).is_some();
    (!has_text).then_some("it has no text to edit")
}
