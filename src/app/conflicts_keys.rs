//! What the keys do while conflicts are settled.

use super::{
    Answer, Command, Context, Effect, Model,
    command::always,
    comment_sheet,
    conflict_choices::{choose, choose_answer, choose_both, choose_file},
    conflict_edit::{edit, edit_outside, no_text, open_mergetool},
    conflict_moves::{
        copy, enlarge, enter, in_list, less_context, make_alike, more_context, next_clash, rest,
        scroll, step, step_file, step_other, step_page, switch_layout, switch_pane, switch_settled,
        switch_space, switch_wrap, toggle_range,
    },
    conflict_search as search,
    conflicts::{self, ConflictsScreen, Pane, can_both, can_both_files},
    discard_sheet, help, log,
    review::panes,
    review_comments, review_files,
    review_rows::Rest,
};
use crate::review::{
    Conflict, ConflictFile, Entry, Resolution, ask, name::visible_name, weave::Take,
};

fn screen(model: &Model) -> Option<&ConflictsScreen> {
    model.conflicts.as_ref()
}

fn rows(model: &Model) -> usize {
    panes(model.viewport).rows
}

fn next_open(model: &mut Model) -> Vec<Effect> {
    let rows = rows(model);
    let Some(screen) = &mut model.conflicts else { return Vec::new() };
    match screen.next_open() {
        Some(next) => screen.go_to(next, rows),
        None => model.say("nothing is open · m lands with these choices"),
    }
    Vec::new()
}

/// What one side did with the file.
fn side_words(
    name: &str,
    [own, base]: [Option<&Entry>; 2],
    file: &ConflictFile,
    side: usize,
) -> String {
    let told = &file.told[side];
    let other = told.renamed.as_ref().map(|other| visible_name(other.as_bytes()));
    match (own, base, other) {
        (None, ..) if !told.below.is_empty() => format!("{name} has a directory there"),
        (None, _, Some(other)) => format!("{name} renamed it to {other}"),
        (None, Some(_), None) => format!("{name} deleted it"),
        (None, None, None) if file.conflict.moved_from.is_some() => {
            format!("{name} renamed its directory")
        }
        (None, None, None) => format!("{name} has no such file"),
        (Some(_), _, Some(other)) => format!("{name} renamed {other} to it"),
        (Some(_), None, None) => format!("{name} added it"),
        (Some(_), Some(_), None) => format!("{name} changed it"),
    }
}

/// What each side did, what was chosen, and what waits for it.
fn say_why(model: &mut Model) -> Vec<Effect> {
    let Some(screen) = screen(model) else { return Vec::new() };
    let (Some(page), Some(file)) = (&screen.page, screen.file()) else { return Vec::new() };
    let Conflict { path, kind, names, resolution, .. } = &file.conflict;
    let [base, target, shadow] = file.conflict.sides();
    let sides = if names.is_empty() {
        let target = side_words(&page.target.0, [target, base], file, 0);
        format!("{target} · {}", side_words(&page.id.0, [shadow, base], file, 1))
    } else {
        "each side gave it another name".to_owned()
    };
    let chosen = match (resolution.is_some(), screen.open_count()) {
        (true, 0) => "it is settled, m lands".to_owned(),
        (true, open) => format!("it is settled, {open} to make"),
        (false, _) => {
            let fits = [(true, "t"), (true, "a"), (can_both(file), "b")];
            let rest = [(base.is_some(), "0"), (no_text(model).is_none(), "e")];
            let keys: Vec<_> = fits.into_iter().chain(rest).filter(|(fits, _)| *fits).collect();
            let keys: Vec<_> = keys.into_iter().map(|(_, key)| key).collect();
            format!("it is open: {} choose", keys.join(" "))
        }
    };
    let text = format!(
        "{}, {} conflict: {sides} · {chosen}",
        visible_name(path.as_bytes()),
        kind.as_str()
    );
    model.answer = Some(Answer::of_row(text));
    Vec::new()
}

fn shell(model: &mut Model) -> Vec<Effect> {
    let id = screen(model).map(|screen| screen.id.clone());
    if let Some(row) = id.and_then(|id| model.fleet.find(&id)) {
        return vec![Effect::OpenShell { dir: row.path.clone() }];
    }
    model.refuse("o: its worktree is not known");
    Vec::new()
}

fn discard(model: &mut Model) -> Vec<Effect> {
    let ids = model.subject().cloned().into_iter().collect();
    discard_sheet::open(model, ids)
}

fn show_list(model: &mut Model) -> Vec<Effect> {
    let has_list = panes(model.viewport).files > 0;
    if let Some(screen) = &mut model.conflicts {
        screen.pane = Pane::Files;
        screen.files_open = !has_list && !screen.files_open;
    }
    Vec::new()
}

fn copy_path(model: &mut Model) -> Vec<Effect> {
    let file = screen(model).and_then(ConflictsScreen::file);
    let Some(path) = file.map(|file| file.conflict.path.to_lossy()) else { return Vec::new() };
    let what = visible_name(path.as_bytes());
    model.copy(&what, path)
}

fn copy_here(model: &mut Model) -> Vec<Effect> {
    if in_list(model) { copy_path(model) } else { copy(model) }
}

fn ask_agent(model: &mut Model) -> Vec<Effect> {
    let Some(screen) = screen(model) else { return Vec::new() };
    let (Some(page), Some(file)) = (&screen.page, screen.file()) else { return Vec::new() };
    let path = visible_name(file.conflict.path.as_bytes());
    let (id, change) = (screen.id.clone(), ask::change(page, file));
    review_comments::ask_agent(model, id, change, &path);
    Vec::new()
}

/// One layer at a time, as in Review.
fn peel(model: &mut Model) -> Vec<Effect> {
    if model.answer.take_if(|answer| answer.is_explanation()).is_some() {
        return Vec::new();
    }
    if let Some(screen) = &mut model.conflicts
        && screen.files_open
    {
        screen.files_open = false;
        return Vec::new();
    }
    if let Some(screen) = &mut model.conflicts {
        if screen.range.take().is_some() {
            model.say("no lines are chosen");
            return Vec::new();
        }
        if screen.needle.take().is_some() {
            return Vec::new();
        }
    }
    model.leave()
}

fn no_file(model: &Model) -> Option<&'static str> {
    let Some(screen) = screen(model) else { return Some("nothing conflicts") };
    match (&screen.page, &screen.failed) {
        (None, None) => Some("still working it out"),
        (None, Some(_)) => Some("the conflicts could not be read · R tries again"),
        (Some(page), _) if page.files.is_empty() => Some("nothing conflicts"),
        (Some(_), _) => None,
    }
}

fn no_union(model: &Model) -> Option<&'static str> {
    no_file(model).or_else(|| {
        let fits = screen(model).and_then(ConflictsScreen::file).is_some_and(can_both);
        (!fits).then_some("both cannot stand here")
    })
}

fn no_both_files(model: &Model) -> Option<&'static str> {
    no_file(model).or_else(|| {
        let fits = screen(model).and_then(ConflictsScreen::file).is_some_and(can_both_files);
        (!fits).then_some("only one side has a file here")
    })
}

fn no_edit(model: &Model) -> Option<&'static str> {
    no_file(model).or_else(|| no_text(model))
}

fn no_places(model: &Model) -> Option<&'static str> {
    no_file(model).or_else(|| {
        let file = screen(model).and_then(ConflictsScreen::file);
        let has_places = file.is_some_and(|file| file.weave.is_some());
        (!has_places).then_some("no lines clash here: a mergetool has nothing to merge")
    })
}

fn no_base(model: &Model) -> Option<&'static str> {
    no_file(model).or_else(|| {
        let file = screen(model).and_then(ConflictsScreen::file);
        let has_base = file.is_some_and(|file| file.conflict.sides()[0].is_some());
        (!has_base).then_some("the base has no such file")
    })
}

fn no_choice(model: &Model) -> Option<&'static str> {
    let is_some =
        |screen: &ConflictsScreen| !screen.taken.is_empty() || screen.settled_here().is_some();
    let has_some = screen(model).is_some_and(is_some);
    (!has_some).then_some("nothing is chosen for this file, and no choice was made just now")
}

fn no_choice_again(model: &Model) -> Option<&'static str> {
    let has_choice = screen(model).is_some_and(ConflictsScreen::has_choice_to_redo);
    (!has_choice).then_some("nothing was taken back here")
}

fn cannot_land(model: &Model) -> Option<&'static str> {
    match screen(model) {
        Some(screen) if screen.page.is_some() => None,
        Some(screen) if screen.failed.is_some() => Some("its conflicts could not be read"),
        _ => Some("not looked at yet"),
    }
}

const fn row(
    name: &'static str,
    help: &'static str,
    keys: &'static [&'static str],
    refusal: fn(&Model) -> Option<&'static str>,
    run: fn(&mut Model) -> Vec<Effect>,
) -> Command {
    Command { name, help, keys, context: Context::Conflicts, refusal, run }
}

pub const COMMANDS: &[Command] = &[
    row("target.hunk", "As the target has it", &["t"], no_file, |model| {
        choose(model, Take::Target)
    }),
    row("shadow.hunk", "As the shadow has it", &["a"], no_file, |model| {
        choose(model, Take::Shadow)
    }),
    row("both.hunk", "Both, and stay; again: the other order", &["b"], no_union, choose_both),
    row("base.hunk", "As it was before both", &["0"], no_base, |model| choose(model, Take::Base)),
    row("target.file", "The whole file as the target has it", &["T"], no_file, |model| {
        choose_file(model, &Take::Target)
    }),
    row("shadow.file", "The whole file as the shadow has it", &["A"], no_file, |model| {
        choose_file(model, &Take::Shadow)
    }),
    row("both.file", "Keep both files, under two names", &[], no_both_files, |model| {
        choose_file(model, &Take::Both)
    }),
    row("delete.file", "Delete the file", &[], no_file, |model| {
        choose_answer(model, Resolution::Delete, "it is deleted")
    }),
    row("edit.hunk", "Edit the result here", &["e"], no_edit, edit),
    row("edit.outside", "Edit the result in $EDITOR", &["E"], no_edit, edit_outside),
    row("tool.file", "Settle it in your mergetool", &["D"], no_places, open_mergetool),
    row("comment.here", "Comment on this, for its agent", &["c"], no_file, |model| {
        comment_sheet::open_in_conflicts(model)
    }),
    row(
        "go.draft",
        "Go on with a comment begun elsewhere",
        &[],
        comment_sheet::no_draft,
        comment_sheet::go_on,
    ),
    row("ask.agent", "Ask the agent to settle the file", &[], no_file, ask_agent),
    row("next.open", "Next open choice", &["Space"], no_file, next_open),
    row("take-back.choice", "Take the last choice back", &["u"], no_choice, conflicts::take_back),
    row(
        "redo.choice",
        "Make the choice again",
        &["ctrl-r"],
        no_choice_again,
        conflicts::choose_again,
    ),
    row("land.shadow", "Land it with these choices", &["m"], cannot_land, conflicts::land),
    row("discard.shadows", "Discard this one", &["d"], always, discard),
    row("conflicts.list", "The list of conflict files", &["x"], no_file, show_list),
    row("next.conflict", "Next conflict", &["]", ")"], no_file, |model| next_clash(model, 1)),
    row("previous.conflict", "The conflict before", &["[", "("], no_file, |model| {
        next_clash(model, -1)
    }),
    row("next.file", "Next file", &["}"], no_file, |model| step_file(model, 1)),
    row("previous.file", "The file before", &["{"], no_file, |model| step_file(model, -1)),
    row("scroll.down", "Down in the other pane", &["J"], no_file, |model| step_other(model, 1)),
    row("scroll.up", "Up in the other pane", &["K"], no_file, |model| step_other(model, -1)),
    row("move.down", "Down", &["j", "Down"], no_file, |model| step(model, 1)),
    row("move.up", "Up", &["k", "Up"], no_file, |model| step(model, -1)),
    row("move.half-down", "Half a page down", &["ctrl-d"], no_file, |model| step_page(model, 1, 2)),
    row("move.half-up", "Half a page up", &["ctrl-u"], no_file, |model| step_page(model, -1, 2)),
    row("move.page-down", "A page down", &["ctrl-f", "PageDown"], no_file, |model| {
        step_page(model, 1, 1)
    }),
    row("move.page-up", "A page up", &["ctrl-b", "PageUp"], no_file, |model| {
        step_page(model, -1, 1)
    }),
    row("move.first", "Top", &["g g", "Home"], no_file, |model| step(model, isize::MIN + 1)),
    row("move.last", "End", &["G", "End"], no_file, |model| step(model, isize::MAX)),
    row("scroll.right", "Scroll right; out of the list", &["l", "Right"], no_file, |model| {
        scroll(model, 1)
    }),
    row("scroll.left", "Scroll left", &["h", "Left"], no_file, |model| scroll(model, -1)),
    row("pane.switch", "Files, target, shadow, result", &["Tab"], no_file, |model| {
        switch_pane(model, 1)
    }),
    row("pane.back", "Result, shadow, target, files", &["S-Tab"], no_file, |model| {
        switch_pane(model, -1)
    }),
    row("open.file", "Go into the file; open the fold", &["Enter"], no_file, enter),
    row("place.top", "This line to the top", &["z t"], no_file, |model| rest(model, Rest::Top)),
    row("place.middle", "This line to the middle", &["z z"], no_file, |model| {
        rest(model, Rest::Middle)
    }),
    row("place.bottom", "This line to the bottom", &["z b"], no_file, |model| {
        rest(model, Rest::Bottom)
    }),
    row(
        "context.more",
        "Enlarge the part; of the list, more lines",
        &["+", "="],
        no_file,
        |model| {
            if in_list(model) { more_context(model) } else { enlarge(model) }
        },
    ),
    row("context.less", "All parts alike; of the list, fewer lines", &["-"], no_file, |model| {
        if in_list(model) { less_context(model) } else { make_alike(model) }
    }),
    row("search.text", "Search in all parts", &["/"], no_file, search::open),
    row("next.match", "Next match", &["n"], search::no_search, |model| search::step(model, 1)),
    row("previous.match", "The match before", &["N"], search::no_search, |model| {
        search::step(model, -1)
    }),
    row(
        "find.file",
        "Go to a file by some of its letters",
        &["ctrl-p"],
        no_file,
        review_files::open,
    ),
    row("layout.switch", "The sides side by side, or not", &["s"], no_file, switch_layout),
    row("read.hide", "Hide the files that are settled", &["H"], no_file, switch_settled),
    row("wrap.lines", "Wrap long lines, or cut them", &["w"], no_file, switch_wrap),
    row("space.show", "Changes of white space, or none", &["W"], no_file, switch_space),
    row("range.lines", "Choose lines from here on", &["v"], no_file, toggle_range),
    row("why.conflict", "Why: each side, and what was chosen", &["i"], no_file, say_why),
    row("copy.hunk", "Copy this hunk, or the chosen lines", &["y"], no_file, copy_here),
    row("copy.path", "Copy the path", &["Y"], no_file, copy_path),
    row("open.shell", "A shell in its worktree", &["o"], always, shell),
    row("again.conflicts", "Work them out again", &["R"], always, conflicts::read_again),
    row("log.show", "What was done, and taking it back", &["L"], always, log::open),
    row("help.keys", "Show the keys that work here", &["?"], always, help::open),
    row("peel.conflicts", "Close what is open, then back", &["Esc"], always, peel),
    row("quit.conflicts", "Back", &["q"], always, Model::leave),
];
