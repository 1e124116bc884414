//! `demo`: a throw-away repository with a shadow in every state.

use serde_json::json;

use super::{Answer, Context, args::DemoArgs};
use crate::{
    ops::demo,
    report::{Doing, Report},
};

pub(super) fn run(_context: &Context, _args: &DemoArgs) -> Result<Answer, Report> {
    let dir = std::env::temp_dir().join(format!("shadowdeck-demo-{}", ulid::Ulid::generate()));
    std::fs::create_dir(&dir).doing(format!("make {}", dir.display()))?;
    let repository = demo::build(&dir)?;
    let text = format!("built {}; `shadowdeck -C` there opens it\n", repository.display());
    Ok(Answer::both(text, json!({"repository": repository.to_string_lossy()})))
}
