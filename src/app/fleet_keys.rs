//! What the keys do in the list.

use std::ops::RangeInclusive;

use super::{
    Command, Context, Effect, Model, Screen, Sheet, away,
    command::always,
    compare, conflicts, create_sheet, discard_sheet,
    fleet::{self, Pane},
    group, help, land_sheet,
    list::half,
    log,
    prompt::{Prompt, Purpose},
    review, trail,
    undo_sheet::{self, Way},
    why_sheet,
};
use crate::review::{Stale, Verdict};

pub(super) fn no_shadow(model: &Model) -> Option<&'static str> {
    model.fleet.selected().is_none().then_some("there is no shadow here")
}

fn no_list(model: &Model) -> Option<&'static str> {
    let is_unreadable = model.fleet.failed.is_some() && model.fleet.listed.is_empty();
    is_unreadable.then_some("the list could not be read, so nothing can be made here")
}

fn cannot_land(model: &Model) -> Option<&'static str> {
    let Some(row) = model.fleet.selected() else { return Some("there is no shadow here") };
    if row.problem.is_none() && row.verdict == Verdict::Unknown && model.fleet.failed.is_some() {
        Some("the list could not be read · R tries again")
    } else if !model.fleet.complete && row.verdict == Verdict::Unknown {
        Some("not looked at yet")
    } else if row.problem.is_some() {
        Some("it is broken and cannot land · i says why")
    } else {
        None
    }
}

fn no_conflict(model: &Model) -> Option<&'static str> {
    let Some(row) = model.fleet.selected() else { return Some("there is no shadow here") };
    match row.verdict {
        Verdict::Clean => Some("it lands clean: nothing conflicts"),
        Verdict::Empty => Some("nothing was ever done in it"),
        Verdict::Landed => Some("it has landed already"),
        Verdict::Unknown if row.problem.is_some() => Some("it is broken · i says why"),
        Verdict::Conflicts | Verdict::Unknown => None,
    }
}

/// There is something of it to compare.
fn no_page(model: &Model) -> Option<&'static str> {
    let Some(row) = model.fleet.selected() else { return Some("there is no shadow here") };
    row.problem.is_some().then_some("it is broken · i says why")
}

fn step(model: &mut Model, rows: isize) -> Vec<Effect> {
    if model.fleet.pane == Pane::Detail {
        return scroll_detail(model, rows);
    }
    let count = model.fleet.visible_count();
    let before = model.fleet.cursor.index;
    model.fleet.cursor.step(rows, count);
    settle(model, before);
    Vec::new()
}

fn go(model: &mut Model, index: usize) -> Vec<Effect> {
    trail::note(model);
    let count = model.fleet.visible_count();
    let before = model.fleet.cursor.index;
    model.fleet.cursor.go(index, count);
    settle(model, before);
    Vec::new()
}

fn settle(model: &mut Model, before: usize) {
    model.fleet.moved = true;
    if model.fleet.cursor.index != before {
        model.fleet.detail_top = 0;
    }
    away::walk(model);
    fleet::keep_in_view(model);
}

/// The view stops at the end: how long the detail is depends on what is known of it.
fn scroll_detail(model: &mut Model, rows: isize) -> Vec<Effect> {
    model.fleet.detail_top =
        model.fleet.detail_top.saturating_add_signed(rows).min(model.detail_top_max());
    Vec::new()
}

fn step_wanting(model: &mut Model, forward: bool) -> Vec<Effect> {
    let Some(index) = model.fleet.find_wanting(forward) else {
        model.say("nothing waits for you");
        return Vec::new();
    };
    go(model, index)
}

fn toggle_mark(model: &mut Model) -> Vec<Effect> {
    if let Some(rows) = model.fleet.range_rows() {
        return mark_range(model, rows);
    }
    let Some(id) = model.fleet.selected().map(|row| row.id.clone()) else { return Vec::new() };
    if !model.fleet.marks.remove(&id) {
        model.fleet.marks.insert(id);
    }
    step(model, 1)
}

/// All of them are marked; where all are, none is.
fn mark_range(model: &mut Model, rows: RangeInclusive<usize>) -> Vec<Effect> {
    let count = rows.clone().count();
    let ids: Vec<_> =
        model.fleet.visible().skip(*rows.start()).take(count).map(|l| l.row.id.clone()).collect();
    let all_marked = ids.iter().all(|id| model.fleet.marks.contains(id));
    for id in ids {
        if all_marked {
            model.fleet.marks.remove(&id);
        } else {
            model.fleet.marks.insert(id);
        }
    }
    model.fleet.range = None;
    let what = if all_marked { "unmarked" } else { "marked" };
    model.say(format!("{count} {what} · d discards what is marked"));
    Vec::new()
}

fn toggle_range(model: &mut Model) -> Vec<Effect> {
    model.fleet.range = match model.fleet.range.take() {
        Some(_) => None,
        None => model.fleet.selected().map(|row| row.id.clone()),
    };
    let says = match model.fleet.range {
        Some(_) => "a range starts here: j k extend it, Space marks it, Esc drops it",
        None => "no range any more",
    };
    model.say(says);
    Vec::new()
}

fn toggle_stale(model: &mut Model) -> Vec<Effect> {
    let screen = &mut model.fleet;
    if screen.stale_wish {
        screen.stale_wish = false;
        screen.marks.clear();
        model.say("nothing is marked");
        return Vec::new();
    }
    screen.stale_wish = true;
    let stale: Vec<_> = screen
        .visible()
        .filter_map(|listed| listed.row.stale.map(|why| (listed.row.id.clone(), why)))
        .collect();
    let filtered_out = screen.counts().stale - stale.len();
    screen.marks.extend(stale.iter().map(|(id, _)| id.clone()));
    let count = |wanted| stale.iter().filter(|(_, why)| *why == wanted).count();
    let idle = format!("idle over {} d", model.config.stale_idle_days);
    let kinds = [(Stale::Landed, "landed"), (Stale::Empty, "empty"), (Stale::Idle, &idle)];
    let kinds: Vec<String> = kinds
        .into_iter()
        .map(|(why, word)| (count(why), word))
        .filter(|(count, _)| *count > 0)
        .map(|(count, word)| format!("{count} {word}"))
        .collect();
    let mut parts = vec![match &kinds[..] {
        [] => {
            let (done, rests) = (model.config.stale_done_days, model.config.stale_idle_days);
            format!("nothing is stale: landed or empty counts after {done} d, idle after {rests} d")
        }
        kinds => format!("{} stale marked: {}", stale.len(), kinds.join(", ")),
    }];
    if filtered_out > 0 {
        parts.push(format!("{filtered_out} filtered out"));
    }
    if !model.fleet.complete {
        parts.push("more join as they become known".to_owned());
    }
    parts.push("* unmarks".to_owned());
    model.say(parts.join(" · "));
    Vec::new()
}

/// A broken one has nothing to read: the whole reason is said, with its way out.
fn read(model: &mut Model) -> Vec<Effect> {
    if let Some(row) = model.fleet.selected()
        && row.snapshot.is_none()
        && row.problem.is_some()
    {
        let text = group::why(row, &model.config, model.now_ms);
        model.refuse(text);
        model.fleet.pane = Pane::Detail;
        return Vec::new();
    }
    let Some(id) = model.fleet.selected().map(|row| row.id.clone()) else { return Vec::new() };
    review::open(model, id)
}

fn land(model: &mut Model) -> Vec<Effect> {
    let Some(id) = model.fleet.selected().map(|row| row.id.clone()) else { return Vec::new() };
    land_sheet::open(model, id, None)
}

/// What is marked, or else the row under the cursor.
fn discard(model: &mut Model) -> Vec<Effect> {
    let mut ids: Vec<_> = model.fleet.marked().into_iter().map(|row| row.id.clone()).collect();
    if ids.is_empty() && !model.fleet.stale_wish {
        ids.extend(model.fleet.selected().map(|row| row.id.clone()));
    }
    discard_sheet::open(model, ids)
}

fn open_conflicts(model: &mut Model) -> Vec<Effect> {
    let Some(id) = model.fleet.selected().map(|row| row.id.clone()) else { return Vec::new() };
    conflicts::open(model, id)
}

fn open_filter(model: &mut Model) -> Vec<Effect> {
    let prompt = Prompt::new(Purpose::Filter, model.fleet.filter.clone());
    model.sheets.push(Sheet::Prompt(prompt));
    Vec::new()
}

fn peel(model: &mut Model) -> Vec<Effect> {
    if model.fleet.range.take().is_some() {
        model.say("no range any more");
        return Vec::new();
    }
    if model.fleet.pane == Pane::Detail {
        model.fleet.pane = Pane::List;
    } else if !model.fleet.filter.is_empty() {
        fleet::set_filter(model, "");
    }
    Vec::new()
}

fn switch_pane(model: &mut Model) -> Vec<Effect> {
    model.fleet.pane = match model.fleet.pane {
        Pane::List => Pane::Detail,
        Pane::Detail => Pane::List,
    };
    Vec::new()
}

fn refresh(model: &mut Model) -> Vec<Effect> {
    debug_assert_eq!(model.screen(), Screen::Fleet);
    model.fleet.unreadable = None;
    fleet::come_back(model)
}

fn copy_id(model: &mut Model) -> Vec<Effect> {
    let Some(id) = model.fleet.selected().map(|row| row.id.0.clone()) else { return Vec::new() };
    let what = id.clone();
    model.copy(&what, id)
}

fn copy_path(model: &mut Model) -> Vec<Effect> {
    let path = model.fleet.selected().map(|row| row.path.display().to_string());
    let Some(path) = path else { return Vec::new() };
    let what = path.clone();
    model.copy(&what, path)
}

fn open_shell(model: &mut Model) -> Vec<Effect> {
    let dir = model.fleet.selected().map(|row| row.path.clone());
    dir.map(|dir| Effect::OpenShell { dir }).into_iter().collect()
}

fn say_why(model: &mut Model) -> Vec<Effect> {
    let Some(row) = model.fleet.selected() else { return Vec::new() };
    let comments = model.fleet.open_comments.get(&row.id).copied().flatten();
    let comments = comments.map_or_else(String::new, |open| format!(", {}", open.words()));
    let text = format!("{}{comments}", group::why(row, &model.config, model.now_ms));
    why_sheet::explain(model, text);
    Vec::new()
}

const fn row(
    name: &'static str,
    help: &'static str,
    keys: &'static [&'static str],
    refusal: fn(&Model) -> Option<&'static str>,
    run: fn(&mut Model) -> Vec<Effect>,
) -> Command {
    Command { name, help, keys, context: Context::Fleet, refusal, run }
}

pub const COMMANDS: &[Command] = &[
    row("read.shadow", "Read its change", &["Enter", "l", "Right"], no_shadow, read),
    row("land.shadow", "Land it on its target", &["m"], cannot_land, land),
    row("discard.shadows", "Discard what is marked, or this one", &["d"], no_shadow, discard),
    row(
        "conflicts.show",
        "Show and settle its conflicts",
        &["x", "c"],
        no_conflict,
        open_conflicts,
    ),
    row("move.down", "Down", &["j", "Down"], no_shadow, |model| step(model, 1)),
    row("move.up", "Up", &["k", "Up"], no_shadow, |model| step(model, -1)),
    row("move.half-down", "Half a page down", &["ctrl-d"], no_shadow, |model| {
        step(model, half(model.viewport.list_rows))
    }),
    row("move.half-up", "Half a page up", &["ctrl-u"], no_shadow, |model| {
        step(model, -half(model.viewport.list_rows))
    }),
    row("move.page-down", "A page down", &["ctrl-f", "PageDown"], no_shadow, |model| {
        step(model, 2 * half(model.viewport.list_rows))
    }),
    row("move.page-up", "A page up", &["ctrl-b", "PageUp"], no_shadow, |model| {
        step(model, -2 * half(model.viewport.list_rows))
    }),
    row("move.first", "First row", &["g g", "Home"], no_shadow, |model| go(model, 0)),
    row("move.last", "Last row", &["G", "End"], no_shadow, |model| go(model, usize::MAX)),
    row("next.wanting", "Next that wants you", &["n"], always, |model| step_wanting(model, true)),
    row("previous.wanting", "The one before that wants you", &["N"], always, |model| {
        step_wanting(model, false)
    }),
    row("tick.mark", "Mark it and go down", &["Space"], no_shadow, toggle_mark),
    row("stale.mark", "Mark all stale ones; again: unmark", &["*"], always, toggle_stale),
    row("search.filter", "Filter by name, branch or agent", &["/"], always, open_filter),
    row("compare.base", "Compare it with another base or shadow", &["B"], no_page, compare::open),
    row("why.row", "Why it stands where it stands", &["i"], no_shadow, say_why),
    row("copy.id", "Copy its id", &["y"], no_shadow, copy_id),
    row("copy.path", "Copy its worktree's path", &["Y"], no_shadow, copy_path),
    row("open.shell", "A shell in its worktree", &["o"], no_shadow, open_shell),
    row("range.marks", "Start a range of rows, or drop it", &["v"], no_shadow, toggle_range),
    row("create.shadow", "Make a new shadow", &["C"], no_list, create_sheet::open),
    row("pane.switch", "List or detail", &["Tab", "S-Tab"], always, switch_pane),
    row("scroll.down", "Scroll the detail down", &["J"], no_shadow, |model| {
        scroll_detail(model, 1)
    }),
    row("scroll.up", "Scroll the detail up", &["K"], no_shadow, |model| scroll_detail(model, -1)),
    row("log.show", "What was done, and taking it back", &["L"], always, log::open),
    row("take-back.operation", "Take back the newest operation", &["u"], always, |model| {
        undo_sheet::open(model, Way::Back, None)
    }),
    row("redo.operation", "Do again what was taken back last", &["ctrl-r"], always, |model| {
        undo_sheet::open(model, Way::Again, None)
    }),
    row("again.list", "Read and sort the list again", &["R"], always, refresh),
    row("peel.filter", "Filter off", &["Esc"], always, peel),
    row("help.keys", "Show the keys that work here", &["?"], always, help::open),
    row("quit.program", "Quit; a write that runs is finished first", &["q"], always, Model::quit),
];
