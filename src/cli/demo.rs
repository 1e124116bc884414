//! `demo`: a throw-away repository with a shadow in every state; the cockpit on it, or a walk through it
//! without a terminal. Whatever happens, the directory that it made is removed at the end.

use serde_json::json;

use super::{Answer, Cockpit, Context, args::DemoArgs};
use crate::{
    ops::demo::{self, Temporary},
    report::{Code, Report},
};

pub(super) fn run(context: &Context, args: &DemoArgs, cockpit: &Cockpit) -> Result<Answer, Report> {
    if args.headless {
        return headless(context);
    }
    if !context.has_terminal || context.json {
        return Err(Report::user(Code::NeedsTerminal, "the demo's cockpit needs a terminal")
            .hint("`shadowdeck demo --headless` walks through it without one"));
    }
    let place = Temporary::new()?;
    let opened = demo::build(place.path())
        .and_then(|repository| cockpit(&repository, &context.config, &context.faults));
    let removed = place.remove();
    opened?;
    removed?;
    let text = "the demo's repository was removed; nothing of it is left\n";
    Ok(Answer::both(text, json!({})))
}

fn headless(context: &Context) -> Result<Answer, Report> {
    if context.json {
        let mut told = Vec::new();
        demo::headless(&mut told)?;
        let lines: Vec<_> = String::from_utf8_lossy(&told).lines().map(str::to_owned).collect();
        return Ok(Answer::both(String::new(), json!({ "report": lines })));
    }
    demo::headless(&mut std::io::stdout().lock())?;
    Ok(Answer::Nothing)
}
