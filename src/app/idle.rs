//! Keys that do nothing where they were pressed: what they would do, and where.

use super::{
    Command, Context, Model,
    keymap::{KeyPress, Lookup, written},
};

/// Keys that are kept for what is not built yet, so that no finger learns another meaning of them.
const LATER: &[(&str, &[Context], &str)] = &[("P", SCREENS, "opening a pull request")];
const SCREENS: &[Context] = &[Context::Fleet, Context::Review, Context::Conflicts];

/// Where a key means something, in the order a person meets the places.
const PLACES: [Context; 10] = [
    Context::Fleet,
    Context::Review,
    Context::Conflicts,
    Context::LandSheet,
    Context::DiscardSheet,
    Context::Radar,
    Context::Log,
    Context::Help,
    Context::UndoSheet,
    Context::SyncSheet,
];

/// One sentence for the bottom rule.
pub(super) fn explain(model: &Model, context: Context, pressed: &[KeyPress]) -> String {
    let key = written(pressed);
    let later = LATER.iter().find(|(text, places, _)| *text == key && places.contains(&context));
    if let Some((.., what)) = later {
        return format!("{key}: {what} comes with a later version");
    }
    if context == Context::Why
        && let Some(command) = below(model, pressed)
    {
        return format!(
            "{key} works when this is closed: {} · Esc closes it",
            lower_first(command.help)
        );
    }
    let there = PLACES.iter().find_map(|place| {
        let mut commands = model.keymap.elsewhere(pressed);
        commands.find(|command| command.context == *place && *place != context)
    });
    match there {
        Some(command) => format!(
            "{key} does nothing here; in {}: {} · ? shows the keys",
            command.context.title(),
            lower_first(command.help)
        ),
        None => format!("{key} does nothing here · ? shows the keys"),
    }
}

/// What the keys mean on the screen or sheet that an answer in full speaks of.
fn below(model: &Model, pressed: &[KeyPress]) -> Option<&'static Command> {
    let context = model.context_under(model.sheets.len().saturating_sub(1));
    match model.keymap.find(context, pressed) {
        Lookup::Found(command) => Some(command),
        Lookup::Prefix | Lookup::Nothing => None,
    }
}

fn lower_first(text: &str) -> String {
    let mut characters = text.chars();
    characters
        .next()
        .map_or_else(String::new, |first| first.to_lowercase().chain(characters).collect())
}
