//! What must hold before a landing is planned, and again before it is carried out. Reads only.

use crate::{
    git::{
        conditions,
        obstacles::{self, Place},
        settle,
        snapshot::{self, Snapshot},
        submodules,
        worktrees::{self, Worktree, Worktrees},
    },
    ops::{
        Deck, carried, places, target,
        trust::{self, Safeguards},
    },
    report::{Code, Report},
    review::{ChangedPath, Consent, LandOptions, first_ten},
    shadow::{BranchName, Oid, RepoPath, ShadowId, ShadowRecord},
};

/// The facts that a landing stands on.
pub(super) struct Ground {
    pub worktree: Worktree,
    pub record: Option<ShadowRecord>,
    pub target: BranchName,
    pub before: Oid,
    pub tip: Oid,
    /// The user's own uncommitted work, carried in, where the target does not have that commit.
    pub carried: Option<Oid>,
    pub snapshot: Snapshot,
    /// Where the target is checked out, if anywhere.
    pub place: Option<Place>,
    pub safeguards: Safeguards,
    /// Changes of configuration and hooks that nobody has consented to.
    pub needs_trust: Vec<Consent>,
}

pub(super) fn read_ground(
    deck: &Deck,
    id: &ShadowId,
    options: &LandOptions,
) -> Result<Ground, Report> {
    let (found, ground) = places::find_shadow(deck, id)?;
    let record = found.record()?.cloned();
    let target = options.target.clone().or_else(|| ground.target_of(&found));
    let (target, _) = target::find_tip(deck, target.as_ref())?;
    let worktree = found.worktree;
    refuse_broken(&worktree)?;
    let worktrees = worktrees::read(&deck.repository)?;
    let before = read_target(deck, &worktree, &target)?;
    let tip = worktree.head.tip().cloned().ok_or_else(|| refuse_unborn(id))?;
    let carried = carried::find(deck, record.as_ref(), [&before, &tip])?;
    refuse_state(&worktree, record.as_ref(), options)?;
    let place = places::find_place(deck, &worktrees, &target)?;
    refuse_under_way(deck, &worktrees, &target, place.as_ref())?;
    let safeguards = trust::read(deck, place.as_ref(), &before)?;
    let changes = trust::find_changes(deck, id, &safeguards)?;
    if options.trust.covers(&safeguards.mark) {
        deck.repository.trust_config(safeguards.fingerprint.config.clone());
    }
    let snapshot = snapshot::read(&deck.repository, &worktree)?;
    refuse_unfit_snapshot(id, &snapshot)?;
    let mut needs_trust = trust::uncovered(&options.trust, changes);
    let drivers = trust::find_drivers(deck, &safeguards, &snapshot.own_drivers);
    if !drivers.is_empty() {
        // Without them the files are read raw, and that is not what would land.
        needs_trust.extend(drivers);
        trust::refuse_untrusted(id, &needs_trust)?;
    }
    Ok(Ground {
        worktree,
        record,
        target,
        before,
        tip,
        carried,
        snapshot,
        place,
        safeguards,
        needs_trust,
    })
}

/// What a plan may be shown without, but nothing may land without.
pub(super) fn refuse_unmet(deck: &Deck) -> Result<(), Report> {
    conditions::refuse_without_identity(&deck.repository)
}

/// A commit of a submodule that only the shadow holds would be named by the target, and go with the shadow's trash;
/// one that nobody has cannot be checked out by anyone.
/// `history`: the commit whose own commits land too, whatever a later one of them takes back.
pub(super) fn refuse_unpushed(
    deck: &Deck,
    ground: &Ground,
    changes: &[ChangedPath],
    history: Option<&Oid>,
) -> Result<(), Report> {
    let mut changes = changes.to_vec();
    if let Some(after) = history {
        let planning = |subcommand| deck.repository.planning(subcommand);
        let (from, to) = (ground.before.as_str(), after.as_str());
        changes.extend(obstacles::changed_in_commits(planning, from, to)?);
    }
    let main = worktrees::read(&deck.repository)?.main.path;
    let found =
        submodules::find_unpushed(&deck.repository, &ground.worktree, main.as_deref(), &changes)?;
    let Some(first) = found.first() else { return Ok(()) };
    let (id, path) = (&ground.worktree.id, first.path.to_lossy());
    let named = found.iter().map(|one| format!("{} at {}", one.path.to_lossy(), one.commit));
    let named = named.collect::<Vec<_>>().join(", ");
    let (who, hint) = match &first.held_in {
        Some(held_in) => (
            "only it holds",
            format!(
                "push {path} from the shadow, or fetch from {} into the main worktree's {path}; then land again",
                held_in.display()
            ),
        ),
        None => (
            "no repository here holds",
            format!(
                "`git submodule update --init {path}` in the shadow fetches it where the remote has it; then land again"
            ),
        ),
    };
    Err(Report::user(Code::WrongState, format!("{id} names submodule commits that {who}: {named}"))
        .cause("no remote branch known there has them, and no module of the main worktree")
        .unchanged()
        .hint(hint)
        .detail("submodule", path)
        .detail("commit", first.commit.as_str()))
}

fn refuse_broken(worktree: &Worktree) -> Result<(), Report> {
    let Some(problem) = &worktree.problem else { return Ok(()) };
    Err(Report::user(Code::WrongState, format!("{} cannot be landed: {problem}", worktree.id))
        .safe("nothing was changed, and nothing in it was run")
        .hint("mend that first; `git worktree repair` often can, then land it again"))
}

fn refuse_unborn(id: &ShadowId) -> Report {
    Report::user(Code::UnbornHead, format!("{id} has no commit yet"))
        .unchanged()
        .hint("commit something on its branch first")
}

fn read_target(deck: &Deck, worktree: &Worktree, target: &BranchName) -> Result<Oid, Report> {
    if worktree.head.branch() == Some(target) {
        return Err(Report::user(
            Code::WrongState,
            format!("{} is on {target} itself and cannot land on it", worktree.id),
        )
        .unchanged()
        .hint("name another branch with --target"));
    }
    settle::read_tip(&deck.repository, target)?.ok_or_else(|| {
        Report::user(Code::NotFound, format!("there is no branch {target} to land on"))
            .unchanged()
            .hint("name another with --target")
    })
}

fn refuse_state(
    worktree: &Worktree,
    record: Option<&ShadowRecord>,
    options: &LandOptions,
) -> Result<(), Report> {
    let id = &worktree.id;
    if let Some(record) = record
        && !record.state.may_land()
    {
        return Err(Report::user(
            Code::WrongState,
            format!("{id} is {}, and such a shadow does not land", record.state.as_str()),
        )
        .unchanged()
        .hint("land another one, or make a new shadow with `shadowdeck create`"));
    }
    if let Some(reason) = &worktree.locked
        && !options.keep
    {
        return Err(refuse_locked(id, reason));
    }
    if options.keep {
        let at_work = places::at_work_in(worktree);
        if !at_work.is_empty() {
            return Err(Report::user(
                Code::ShadowBusy,
                format!("{id} cannot be moved while {} is at work in it", places::named(&at_work)),
            )
            .unchanged()
            .hint("land it without --keep, or when that process has ended"));
        }
    }
    Ok(())
}

pub(super) fn refuse_locked(id: &ShadowId, reason: &str) -> Report {
    let why = if reason.is_empty() { String::new() } else { format!(": {reason}") };
    Report::user(Code::Locked, format!("{id} is locked{why}"))
        .unchanged()
        .hint("land it with --keep, or `git worktree unlock` it first")
        .detail("reason", reason)
}

fn refuse_under_way(
    deck: &Deck,
    worktrees: &Worktrees,
    target: &BranchName,
    place: Option<&Place>,
) -> Result<(), Report> {
    let main = (&deck.repository.common_dir, worktrees.main.path.as_ref());
    let linked = worktrees.linked.iter().map(|linked| (&linked.admin_dir, Some(&linked.path)));
    for (git_dir, path) in std::iter::once(main).chain(linked) {
        let checked_out = place.is_some_and(|place| place.git_dir == *git_dir);
        if let Some(what) = conditions::find_under_way(git_dir, target, checked_out) {
            let path = path.unwrap_or(git_dir).display();
            return Err(Report::user(
                Code::TargetBusy,
                format!("a {what} is under way in {path}, and moving {target} would break it"),
            )
            .unchanged()
            .hint(format!("finish or abort that {what}, then land again"))
            .detail("worktree", path.to_string()));
        }
    }
    Ok(())
}

fn refuse_unfit_snapshot(id: &ShadowId, snapshot: &Snapshot) -> Result<(), Report> {
    let list = |paths: &[RepoPath]| -> String {
        paths.iter().map(RepoPath::to_lossy).collect::<Vec<_>>().join(", ")
    };
    if let Some(what) = &snapshot.in_progress {
        return Err(Report::user(Code::ShadowBusy, format!("a {what} is under way in {id}"))
            .unchanged()
            .hint(format!("finish or abort that {what} there, then land again")));
    }
    if snapshot.unmerged {
        return Err(Report::user(
            Code::ShadowBusy,
            format!("{id} has unmerged files in its index"),
        )
        .unchanged()
        .hint("resolve and stage them there, then land again"));
    }
    if !snapshot.embedded.is_empty() {
        return Err(Report::user(
            Code::WrongState,
            format!("{id} holds a repository of its own in {}", list(&snapshot.embedded)),
        )
        .cause("its files would not land, only a link to a commit that nobody else has")
        .unchanged()
        .hint("move it out of the shadow, or remove its .git, then land again"));
    }
    if !snapshot.moved_submodules.is_empty() {
        return Err(Report::user(
            Code::WrongState,
            format!("{id} has a submodule at another commit: {}", list(&snapshot.moved_submodules)),
        )
        .unchanged()
        .hint(
            "where the shadow did not mean to move it, `git submodule update` there; else push it, and commit its \
             move there yourself",
        ));
    }
    Ok(())
}

/// What was chosen for these conflicts may be why nothing is left of it.
pub(super) fn refuse_landed(ground: &Ground, resolved: &[RepoPath]) -> Report {
    let id = &ground.worktree.id;
    if let Some(first) = resolved.first() {
        let named: Vec<String> = resolved.iter().map(RepoPath::to_lossy).collect();
        return Report::user(
            Code::NothingToLand,
            format!(
                "what was chosen for the conflicts of {id} leaves nothing of it to land: {} stays as {} has it",
                first_ten(&named),
                ground.target
            ),
        )
        .safe("nothing was changed; what it proposes is still in the shadow, and not all of it in the target")
        .hint(format!(
            "`shadowdeck resolve {id} {} --take shadow` chooses otherwise",
            first.to_lossy()
        ))
        .detail("files", named);
    }
    Report::user(
        Code::NothingToLand,
        format!("everything that {id} proposes is in {} already", ground.target),
    )
    .unchanged()
    .hint(format!("`shadowdeck discard {id}` puts it away"))
}
