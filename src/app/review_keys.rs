//! The keys of Review: the rows of its table, and what they ask for.

use super::{
    Command, Context, Effect, Model, Sheet,
    command::always,
    comment_sheet, commits_sheet, compare, conflicts, discard_sheet, help, land_sheet, log,
    prompt::{Prompt, Purpose},
    review::{self, Pane, View},
    review_away, review_chosen as chosen, review_comments as comments, review_done, review_files,
    review_moves as moves,
    review_open::{read_again, remember},
    review_parts as parts,
    review_reading::{read_on, tick_here},
    review_remarks as remarks,
    review_rows::{self, Rest},
    review_views as views, review_why,
};

/// What was read is what lands: the plan is for this page's snapshot.
fn land(model: &mut Model) -> Vec<Effect> {
    let Some(screen) = &model.review else { return Vec::new() };
    let (id, expect) = (screen.id.clone(), screen.whole.as_ref().map(|page| page.snapshot.clone()));
    if parts::is_nothing(model, &id) {
        model.refuse("m: all of it is left out · a takes this hunk in, A the file");
        return Vec::new();
    }
    land_sheet::open(model, id, expect)
}

fn discard(model: &mut Model) -> Vec<Effect> {
    let ids = model.subject().cloned().into_iter().collect();
    discard_sheet::open(model, ids)
}

fn show_conflicts(model: &mut Model) -> Vec<Effect> {
    let Some(id) = model.subject().cloned() else { return Vec::new() };
    conflicts::open(model, id)
}

fn open_search(model: &mut Model) -> Vec<Effect> {
    // `Esc` goes back to where it began, and so does what matches nowhere.
    if let Some(screen) = &mut model.review {
        screen.leave_mark();
    }
    let known = model.review.as_ref().and_then(|screen| screen.search.as_ref());
    let text = known.map(|search| search.needle.clone()).unwrap_or_default();
    model.sheets.push(Sheet::Prompt(Prompt::new(Purpose::Search, text)));
    Vec::new()
}

/// One layer at a time: the list over the diff, the chosen lines, the hits, then the screen.
fn peel(model: &mut Model) -> Vec<Effect> {
    // Where it is long it is a panel that `Esc` closes: the same key leaves nothing else where it is short.
    if model.answer.take_if(|answer| answer.is_explanation()).is_some() {
        return Vec::new();
    }
    if moves::in_files(model) {
        return moves::focus(model, Pane::Diff);
    }
    if chosen::let_go(model) {
        return Vec::new();
    }
    leave(model)
}

fn leave(model: &mut Model) -> Vec<Effect> {
    remember(model);
    model.leave()
}

fn no_page(model: &Model) -> Option<&'static str> {
    let has_page = model.review.as_ref().is_some_and(|screen| screen.page.is_some());
    (!has_page).then_some("still reading it")
}

fn no_search(model: &Model) -> Option<&'static str> {
    let searches = model.review.as_ref().is_some_and(|screen| screen.search.is_some());
    (!searches).then_some("nothing is searched for · / searches")
}

const fn row(
    name: &'static str,
    help: &'static str,
    keys: &'static [&'static str],
    refusal: fn(&Model) -> Option<&'static str>,
    run: fn(&mut Model) -> Vec<Effect>,
) -> Command {
    Command { name, help, keys, context: Context::Review, refusal, run }
}

pub const COMMANDS: &[Command] = &[
    row("read.on", "Read on: page, tick the file, next", &["Space"], no_page, read_on),
    row("land.shadow", "Land it on its target", &["m"], no_page, land),
    row("discard.shadows", "Discard this one", &["d"], always, discard),
    row("conflicts.show", "Show and settle its conflicts", &["x"], always, show_conflicts),
    row("move.down", "Down", &["j", "Down"], no_page, |model| moves::step(model, 1)),
    row("move.up", "Up", &["k", "Up"], no_page, |model| moves::step(model, -1)),
    row("move.half-down", "Half a page down", &["ctrl-d"], no_page, |model| {
        moves::half_page(model, 1)
    }),
    row("move.half-up", "Half a page up", &["ctrl-u"], no_page, |model| {
        moves::half_page(model, -1)
    }),
    row("move.page-down", "A page down", &["ctrl-f", "PageDown"], no_page, |model| {
        moves::page(model, 1)
    }),
    row("move.page-up", "A page up", &["ctrl-b", "PageUp"], no_page, |model| {
        moves::page(model, -1)
    }),
    row("move.first", "Top", &["g g", "Home"], no_page, |model| moves::go(model, 0)),
    row("move.last", "End", &["G", "End"], no_page, |model| moves::go(model, usize::MAX)),
    row("scroll.right", "Scroll right; out of the list", &["l", "Right"], no_page, |model| {
        moves::scroll(model, 1)
    }),
    row("scroll.left", "Scroll left", &["h", "Left"], no_page, |model| moves::scroll(model, -1)),
    row("scroll.start", "Lines from their beginning", &["^"], no_page, moves::scroll_home),
    row("place.top", "This line to the top", &["z t"], no_page, |model| {
        moves::rest(model, Rest::Top)
    }),
    row("place.middle", "This line to the middle", &["z z"], no_page, |model| {
        moves::rest(model, Rest::Middle)
    }),
    row("place.bottom", "This line to the bottom", &["z b"], no_page, |model| {
        moves::rest(model, Rest::Bottom)
    }),
    row("next.hunk", "Next hunk", &["]", ")"], no_page, |model| moves::step_hunk(model, 1)),
    row("previous.hunk", "The hunk before", &["[", "("], no_page, |model| {
        moves::step_hunk(model, -1)
    }),
    row("next.file", "Next file", &["}"], no_page, |model| moves::step_file(model, 1)),
    row("previous.file", "The file before", &["{"], no_page, |model| moves::step_file(model, -1)),
    row("next.remark", "Next flag or comment", &[">"], no_page, |model| remarks::step(model, 1)),
    row("previous.remark", "The flag or comment before", &["<"], no_page, |model| {
        remarks::step(model, -1)
    }),
    row("scroll.down", "Down in the other pane: next file", &["J"], no_page, |model| {
        moves::step_other(model, 1)
    }),
    row("scroll.up", "Up in the other pane: the file before", &["K"], no_page, |model| {
        moves::step_other(model, -1)
    }),
    row("pane.switch", "Files or diff", &["Tab", "S-Tab"], no_page, moves::switch_pane),
    row("pane.hide", "The files beside the diff, or not", &["f"], no_page, moves::switch_files),
    row("open.fold", "Open the fold, go in; close a comment", &["Enter"], no_page, moves::enter),
    row("tick.file", "Tick the file and stay", &["r"], no_page, tick_here),
    row("shadow.hunk", "Take this hunk in", &["a"], no_page, parts::take_hunk),
    row("shadow.file", "Take the file in", &["A"], no_page, parts::take_file),
    row("target.hunk", "Leave this hunk out", &["t"], no_page, parts::leave_hunk),
    row("target.file", "Leave the file out", &["T"], no_page, parts::leave_file),
    row("shadow.all", "Take all of it in", &[], no_page, parts::take_all),
    row("target.all", "Leave all of it out", &[], no_page, parts::leave_all),
    row(
        "take-back.tick",
        "Take the last tick or choice back",
        &["u"],
        review_done::nothing_done,
        review_done::take_back,
    ),
    row(
        "redo.tick",
        "Do again what u took back",
        &["ctrl-r"],
        review_done::nothing_undone,
        review_done::again,
    ),
    row("view.all", "All of the change", &["1"], no_page, |model| views::show(model, View::All)),
    row("view.since", "What changed since you looked", &["2"], no_page, |model| {
        views::show(model, View::Since)
    }),
    row("view.uncommitted", "What is uncommitted", &["3"], no_page, |model| {
        views::show(model, View::Uncommitted)
    }),
    row("view.committed", "What is committed", &["4"], no_page, |model| {
        views::show(model, View::Committed)
    }),
    row("view.commits", "Its commits: one, or a run of them", &["5"], no_page, commits_sheet::open),
    row("view.turn", "Since you looked, and back", &["."], no_page, views::toggle_since),
    row("compare.base", "Compare with another base or shadow", &["B"], no_page, compare::open),
    row(
        "layout.switch",
        "Side by side, or one column",
        &["s"],
        no_page,
        review_rows::switch_layout,
    ),
    row("read.hide", "Hide the files that are read", &["H"], no_page, views::switch_read),
    row("wrap.lines", "Wrap long lines, or cut them", &["w"], no_page, views::switch_wrap),
    row("space.show", "Changes of white space, or none", &["W"], no_page, views::switch_space),
    row("context.more", "More lines around changes", &["+", "="], no_page, |model| {
        views::change_context(model, 1)
    }),
    row("context.less", "Fewer lines around changes", &["-"], no_page, |model| {
        views::change_context(model, -1)
    }),
    row(
        "context.file",
        "All of this file, or its changes only",
        &["z R"],
        no_page,
        moves::switch_whole,
    ),
    row("search.text", "Search in this page", &["/"], no_page, open_search),
    row(
        "find.file",
        "Go to a file by some of its letters",
        &["ctrl-p"],
        no_page,
        review_files::open,
    ),
    row("next.match", "Next match", &["n"], no_search, |model| review::step_match(model, 1)),
    row("previous.match", "The match before", &["N"], no_search, |model| {
        review::step_match(model, -1)
    }),
    row("range.lines", "Choose lines from here on", &["v"], no_page, chosen::toggle_range),
    row("comment.here", "Comment on this; answer a comment", &["c"], no_page, comment_sheet::open),
    row("delete.comment", "Delete your comment here", &["Delete"], comments::no_own, |model| {
        comments::take_back_here(model)
    }),
    row("show.comments", "Show all comments", &[], comments::none, comments::show_all),
    row(
        "go.draft",
        "Go on with a comment begun elsewhere",
        &[],
        comment_sheet::no_draft,
        comment_sheet::go_on,
    ),
    row("copy.comments", "Copy all comments", &["Y"], comments::none, comments::copy_all),
    row("copy.hunk", "Copy this hunk, or the chosen lines", &["y"], no_page, chosen::copy),
    row(
        "edit.file",
        "Open the editor at this line; edit your comment",
        &["e"],
        no_page,
        chosen::edit,
    ),
    row("edit.outside", "The same, your comment in $EDITOR too", &["E"], no_page, |model| {
        chosen::edit_outside(model)
    }),
    row("tool.file", "Open it in your difftool", &["D"], no_page, review_away::open_difftool),
    row("open.shell", "A shell in its worktree", &["o"], always, chosen::shell),
    row("why.here", "Why: this line, its file, the verdict", &["i"], no_page, review_why::say),
    row("again.page", "Take the newest snapshot, keep the place", &["R"], always, read_again),
    row("log.show", "What was done, and taking it back", &["L"], always, log::open),
    row("help.keys", "Show the keys that work here", &["?"], always, help::open),
    row("peel.review", "Close what is open, then back", &["Esc"], always, peel),
    row("quit.review", "Back to the list", &["q"], always, leave),
];
