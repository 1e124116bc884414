//! `config`: the user's settings. Needs no repository, and only the editor changes them.

use serde_json::{Value, json};

use super::{
    Answer, Context, Editor,
    args::{ConfigAction, ConfigArgs},
    table,
};
use crate::{
    config::{self, Config, Origin},
    report::{Code, Report},
    review::visible::visible_str,
};

pub(super) fn config(
    context: &Context,
    args: &ConfigArgs,
    editor: &Editor,
) -> Result<Answer, Report> {
    match args.action {
        Some(ConfigAction::Edit) => edit(context, editor),
        None => Ok(list()),
        Some(ConfigAction::Path) => path(),
        Some(ConfigAction::Default) => {
            let text = config::default_file();
            Ok(Answer::both(text.clone(), json!({"default": text})))
        }
    }
}

/// What is wrong with the file afterwards is told, with its line.
fn edit(context: &Context, editor: &Editor) -> Result<Answer, Report> {
    if !context.has_terminal || context.json {
        return Err(Report::user(Code::NeedsTerminal, "an editor needs a terminal")
            .unchanged()
            .hint("`shadowdeck config path` prints where the file is"));
    }
    let path = Config::make_file()?;
    editor(&path)?;
    let (_, faults) = Config::load();
    for fault in &faults {
        super::complain("warning", fault);
    }
    let text = path.to_string_lossy().into_owned();
    Ok(Answer::both(visible_str(&text) + "\n", json!({"path": text})))
}

fn path() -> Result<Answer, Report> {
    let Some(path) = Config::path() else {
        return Err(Report::environment(
            Code::Io,
            "there is no home directory to keep settings in",
        )
        .hint("set HOME; until then the defaults are in force"));
    };
    let text = path.to_string_lossy().into_owned();
    Ok(Answer::both(visible_str(&text) + "\n", json!({"path": text})))
}

fn list() -> Answer {
    let path = Config::path().map(|path| path.to_string_lossy().into_owned());
    let listed = Config::list();
    let settings: Vec<Value> = listed
        .iter()
        .map(|setting| {
            let (from, line) = match &setting.origin {
                Origin::Default => ("default", None),
                Origin::File { line } => ("file", Some(*line)),
            };
            json!({"key": setting.key, "value": setting.value, "from": from, "line": line, "what": setting.what})
        })
        .collect();
    let rows: Vec<Vec<String>> = listed
        .iter()
        .map(|setting| {
            let from = match setting.origin {
                Origin::Default => "default".to_owned(),
                Origin::File { line } => format!("line {line}"),
            };
            let value = match &setting.value {
                Value::Null => "not set".to_owned(),
                Value::String(text) => visible_str(text),
                other => other.to_string(),
            };
            vec![visible_str(&setting.key), value, from, setting.what.to_owned()]
        })
        .collect();
    Answer::both(table::aligned(&rows), json!({"path": path, "settings": settings}))
}
