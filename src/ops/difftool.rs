//! What the user's own difftool is handed. Which one that is, only their own settings say: what a repository sets may
//! have been written by an agent.

use super::{Deck, path};
use crate::{
    git::{private, settings::Settings},
    report::{Code, Report},
    review::Beside,
    shadow::{Oid, RepoPath, ShadowId},
};

/// The file as it lies in the shadow, and what it was. `None` for a side that it is not there on.
pub fn read_sides(
    deck: &Deck,
    id: &ShadowId,
    path: &RepoPath,
    old: Option<&Oid>,
    has_new: Option<&Oid>,
) -> Result<Beside, Report> {
    require_tool(deck)?;
    let old = match old {
        Some(old) => private::read_blob(&private::local(&deck.repository)?, old)?,
        None => Vec::new(),
    };
    let new = match has_new {
        Some(_) => Some(path::resolve_path(deck, id, path.as_path())?),
        None => None,
    };
    Ok(Beside { path: path.clone(), old, new })
}

/// Read anew each time: a person who sets one tries again.
fn require_tool(deck: &Deck) -> Result<(), Report> {
    let settings = Settings::read(&deck.repository.common_dir, deck.git_timeout())?;
    if settings.has_own("diff.tool") || settings.has_own("merge.tool") {
        return Ok(());
    }
    let in_repository = settings.value("diff.tool").or(settings.value("merge.tool"));
    let headline = match in_repository {
        Some(_) => "only the repository sets a difftool, and that is not run",
        None => "no difftool is set",
    };
    Err(Report::user(Code::NotFound, headline).hint(
        "`git config --global diff.tool NAME` sets one (NAME: vimdiff, meld, …); \
         `git difftool --tool-help` lists those that git knows",
    ))
}
