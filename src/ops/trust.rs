//! Whether configuration and hooks are still as they were when a shadow was made or first seen, or as the user has
//! trusted them. What is otherwise is told in words before anything of it runs.

use super::{Deck, ground::Ground, places, target};
use crate::{
    git::{
        drivers,
        fingerprint::{self, mark},
        hooks::Hooks,
        obstacles::Place,
        settings::Settings,
        worktrees,
    },
    report::{Code, Report},
    review::{ChangedPath, Consent, Fingerprint, Trust, trust::HOOK_FILE},
    shadow::{BranchName, Oid, RepoPath, ShadowId},
};

/// What stands between a shadow and the programs that landing it runs, as it is now.
#[derive(Clone, Debug)]
pub struct Safeguards {
    /// As they apply where the target is checked out.
    pub settings: Settings,
    pub hooks: Hooks,
    pub fingerprint: Fingerprint,
    /// Names just this fingerprint.
    pub mark: String,
}

pub fn read(deck: &Deck, place: Option<&Place>, target: &Oid) -> Result<Safeguards, Report> {
    let settings = match place {
        Some(place) => place.settings()?,
        // Read anew: this program may have been open for long.
        None => Settings::read(&deck.repository.common_dir, deck.repository.timeout)?,
    };
    let hooks = Hooks::of(&deck.repository, place, &settings, target)?;
    let fingerprint = fingerprint::read(&settings, &hooks)?;
    let mark = mark_of(&fingerprint)?;
    Ok(Safeguards { settings, hooks, fingerprint, mark })
}

fn mark_of(fingerprint: &Fingerprint) -> Result<String, Report> {
    let parts = [&fingerprint.config, &fingerprint.hooks].into_iter().flatten();
    let parts = parts.flat_map(|(name, value)| [name.as_str(), value.as_str()]);
    mark(std::iter::once("as it stands").chain(parts))
}

/// What has changed since the shadow was made, unless the user has trusted just that. A shadow that was never seen
/// is seen now.
pub fn find_changes(deck: &Deck, id: &ShadowId, now: &Safeguards) -> Result<Vec<Consent>, Report> {
    let trusts = deck.store.trusts();
    let Some(seen) = trusts.read_seen(id)? else {
        trusts.write_seen(id, &now.fingerprint)?;
        return Ok(Vec::new());
    };
    if seen == now.fingerprint || trusts.read_trusted()?.as_ref() == Some(&now.fingerprint) {
        return Ok(Vec::new());
    }
    let told = seen.differences_to(&now.fingerprint).into_iter();
    Ok(told
        .map(|words| {
            // Where to look at it.
            let place = if words.starts_with(HOOK_FILE) {
                format!(", in {}", now.hooks.dir.display())
            } else {
                String::new()
            };
            Consent {
                words: format!("{words} since {id} was first seen{place}"),
                mark: now.mark.clone(),
            }
        })
        .collect())
}

/// Filters and merge drivers that would have to run and that nobody has trusted.
pub fn find_drivers(deck: &Deck, now: &Safeguards, of_shadow: &[String]) -> Vec<Consent> {
    let own = drivers::untrusted_in(&deck.repository, &now.settings);
    let mut names: Vec<String> = own.iter().map(drivers::Driver::name).collect();
    names.extend_from_slice(of_shadow);
    names.sort();
    names.dedup();
    names
        .into_iter()
        .map(|name| Consent {
            words: format!("the repository's own config defines {name}, a program that would run"),
            mark: now.mark.clone(),
        })
        .collect()
}

/// Hooks that the landing itself would change.
pub fn find_hook_changes(
    id: &ShadowId,
    hooks: &Hooks,
    changes: &[ChangedPath],
) -> Result<Option<Consent>, Report> {
    let made_of: Vec<&ChangedPath> =
        changes.iter().filter(|change| hooks.are_made_of(&change.path)).collect();
    if made_of.is_empty() {
        return Ok(None);
    }
    let names: Vec<String> =
        made_of.iter().map(|change| RepoPath::to_lossy(&change.path)).collect();
    let states: Vec<String> = made_of.iter().map(|change| format!("{:?}", change.new)).collect();
    let parts = names.iter().chain(&states).map(String::as_str);
    Ok(Some(Consent {
        words: format!("{id} changes hooks that will run from then on: {}", names.join(", ")),
        mark: mark(std::iter::once("hooks that land").chain(parts))?,
    }))
}

/// What the person's trust does not cover.
pub fn uncovered(trust: &Trust, consents: Vec<Consent>) -> Vec<Consent> {
    consents.into_iter().filter(|consent| !trust.covers(&consent.mark)).collect()
}

pub fn refuse_untrusted(id: &ShadowId, needed: &[Consent]) -> Result<(), Report> {
    let Some(first) = needed.first() else { return Ok(()) };
    let more = match needed.len() {
        1 => String::new(),
        count => format!(", and {} more", count - 1),
    };
    let words: Vec<String> = needed.iter().map(|consent| consent.words.clone()).collect();
    let marks: Vec<String> = needed.iter().map(|consent| consent.mark.clone()).collect();
    let mut report = Report::user(
        Code::NotTrusted,
        format!("landing {id} needs your trust: {}{more}", first.words),
    )
    .safe("nothing was changed, and nothing of it was run")
    .hint("look at it, and if it is as it should be, land with --trust")
    .detail("needs_trust", words.clone())
    .detail("marks", marks);
    report.causes = words;
    Err(report)
}

/// The user trusts configuration and hooks as they stand, for all shadows.
pub fn write_trusted(deck: &Deck, now: &Safeguards) -> Result<(), Report> {
    deck.store.trusts().write_trusted(&now.fingerprint)
}

/// An undo or a redo of a landing moves the target's files as a landing does, and asks nobody: a filter that only the
/// repository defines and nobody has trusted refuses it. Hooks that changed since the shadow was first seen, and that
/// nobody has trusted, are left out; the answer says so.
pub fn find_changed_hooks(
    deck: &Deck,
    shadows: &[ShadowId],
    target: &BranchName,
) -> Result<Option<String>, Report> {
    let now = read_for(deck, Some(target))?;
    if let Some(driver) = find_drivers(deck, &now, &[]).into_iter().next() {
        return Err(Report::user(Code::NotTrusted, driver.words)
            .unchanged()
            .hint("take it out of the repository's config, or trust it: land a shadow with --trust")
            .detail("mark", driver.mark));
    }
    let trusts = deck.store.trusts();
    let of_hooks =
        |one: &Fingerprint| (one.hooks.clone(), one.config.get("core.hookspath").cloned());
    let mut known = trusts.read_trusted()?.into_iter().collect::<Vec<_>>();
    for id in shadows {
        match trusts.read_seen(id)? {
            Some(seen) => known.push(seen),
            // It was never seen, so nothing of it is known to have changed.
            None => return Ok(None),
        }
    }
    let is_known = known.iter().any(|one| of_hooks(one) == of_hooks(&now.fingerprint));
    Ok((!is_known)
        .then(|| "hooks have changed, and nobody has trusted them: none was run".to_owned()))
}

/// For a shadow that was just made.
pub fn note_made(deck: &Deck, id: &ShadowId, target: Option<&BranchName>) -> Result<(), Report> {
    let now = read_for(deck, target)?;
    deck.store.trusts().write_seen(id, &now.fingerprint)
}

/// Shadows that others made are known from when they are first listed.
pub fn note_first_sights(deck: &Deck, ground: &Ground) {
    let trusts = deck.store.trusts();
    let mut read: Vec<(Option<BranchName>, Option<Fingerprint>)> = Vec::new();
    for place in ground.shadows().filter(|place| !trusts.was_seen(&place.worktree.id)) {
        let target = ground.target_of(place);
        let known = read.iter().position(|(of, _)| *of == target).unwrap_or_else(|| {
            let now = read_for(deck, target.as_ref()).ok();
            read.push((target, now.map(|now| now.fingerprint)));
            read.len() - 1
        });
        // Where this cannot be read or kept, landing looks again and says so.
        if let Some(fingerprint) = &read[known].1 {
            let _ = trusts.write_seen(&place.worktree.id, fingerprint);
        }
    }
}

/// What has changed since each shadow was first seen, and the user has not trusted, in words. Looks only.
pub fn read_changes(deck: &Deck, ground: &Ground) -> Result<Vec<(ShadowId, Vec<String>)>, Report> {
    let trusts = deck.store.trusts();
    let trusted = trusts.read_trusted()?;
    let mut read: Vec<(Option<BranchName>, Fingerprint)> = Vec::new();
    let mut changed = Vec::new();
    for place in ground.shadows() {
        let id = &place.worktree.id;
        let Some(seen) = trusts.read_seen(id)? else { continue };
        let target = ground.target_of(place);
        let known = read.iter().position(|(of, _)| *of == target);
        let at = if let Some(at) = known {
            at
        } else {
            read.push((target.clone(), read_for(deck, target.as_ref())?.fingerprint));
            read.len() - 1
        };
        let now = &read[at].1;
        if seen != *now && trusted.as_ref() != Some(now) {
            changed.push((id.clone(), seen.differences_to(now)));
        }
    }
    Ok(changed)
}

fn read_for(deck: &Deck, target: Option<&BranchName>) -> Result<Safeguards, Report> {
    let (target, tip) = target::find_tip(deck, target)?;
    let worktrees = worktrees::read(&deck.repository)?;
    let place = places::find_place(deck, &worktrees, &target)?;
    read(deck, place.as_ref(), &tip)
}
