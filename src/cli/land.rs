//! `land` and `resolve`: the plan is shown, confirmed, and then just that plan is carried out.

use std::{
    fmt::Write,
    os::unix::ffi::OsStrExt,
    path::{Path, PathBuf},
    sync::atomic::AtomicBool,
};

use serde::Deserialize;
use serde_json::{Value, json};

use super::{
    Answer, Context,
    args::LandArgs,
    conflict_args::{ResolveArgs, TakeArg},
    guard::{self, Answered},
    json as to_json, reading,
};
use crate::{
    ops::{
        Deck, errors, land, list, named_file,
        resolve::{self, Markers},
        target,
    },
    report::{Blame, Code, Report},
    review::{
        FileStatus, LandOptions, LandPlan, Only, PartPlan, Resolution, Trust, Verify, Way,
        accepted::Counts, count, count_of, visible::visible_str,
    },
    shadow::{BranchName, Oid, OperationId, RepoPath, ShadowId, Strategy},
};

pub(super) fn land(context: &Context, args: &LandArgs) -> Result<Answer, Report> {
    let deck = context.deck()?;
    guard::refuse_inside(context, &deck, "landing")?;
    let asked = Asked::read(context, args)?;
    if let Some(message) = &asked.message {
        land::refuse_invalid_message(message)?;
    }
    let id = list::find(&deck, &asked.id, guard::prefixes(context))?;
    let options = options(args, &asked)?;
    if let Some(target) = &options.target {
        target::remember(&deck, &id, target)?;
    }
    if let Some(holder) = land::find_holder(&deck)
        && !args.dry_run
    {
        super::complain(
            "note",
            &Report::new(Code::TargetBusy, Blame::User, format!("waiting for {holder}")),
        );
    }
    let answer = match (args.dry_run, args.yes) {
        (true, _) => plan(&deck, &id, &options).map(|plan| dry_answer(&plan)),
        (false, true) => land::land_approved(&deck, &id, &options, &|_| {}).map(|landing| {
            answer(&landing.plan, Some(landing.operation), landing.cleaned_up, &landing.warnings)
        }),
        (false, false) => ask_and_land(context, &deck, &id, &options),
    };
    answer.inspect_err(|report| {
        if !args.dry_run {
            // The refusal itself is told; that it could not be remembered changes nothing about it.
            let _ = errors::remember(&deck, &id, report);
        }
    })
}

fn plan(deck: &Deck, id: &ShadowId, options: &LandOptions) -> Result<LandPlan, Report> {
    land::plan(deck, id, options, &AtomicBool::new(false))
}

fn ask_and_land(
    context: &Context,
    deck: &Deck,
    id: &ShadowId,
    options: &LandOptions,
) -> Result<Answer, Report> {
    let plan = plan(deck, id, options)?;
    land::refuse_untrusted(&plan)?;
    for warning in plan.remarks.iter().chain(&plan.warnings) {
        super::complain("warning", &Report::new(Code::Usage, Blame::User, warning.clone()));
    }
    let part = plan.part.as_ref().map(|part| format!("{} of ", part_words(part).0));
    let part = part.unwrap_or_default();
    let question = format!(
        "land {part}{id} on {} by {}: {}, +{} −{}?",
        plan.target,
        plan.strategy.as_str(),
        count(plan.stats.files_changed, "file"),
        plan.stats.insertions,
        plan.stats.deletions
    );
    guard::confirm(context, Answered::NotYet, &question)?;
    let landing = land::carry_out(deck, &plan.confirm(), &|_| {})?;
    Ok(answer(&landing.plan, Some(landing.operation), landing.cleaned_up, &landing.warnings))
}

/// What flags or a request name.
struct Asked {
    id: String,
    strategy: Option<Strategy>,
    message: Option<String>,
}

/// The request of a tool, strict: an unknown key is refused, so that no wish is silently dropped.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Request {
    id: String,
    strategy: Option<Strategy>,
    commit_message: Option<String>,
}

impl Asked {
    fn read(context: &Context, args: &LandArgs) -> Result<Self, Report> {
        let flags = (args.strategy.map(Strategy::from), args.message.clone());
        let Some(file) = &args.request else {
            let Some(id) = args.id.clone() else {
                return Err(Report::user(Code::Usage, "land needs an ID, or --request FILE")
                    .hint("`shadowdeck list` names the shadows"));
            };
            return Ok(Self { id, strategy: flags.0, message: flags.1 });
        };
        let text = read_request(&context.cwd, file)?;
        let request: Request = serde_json::from_str(&text).map_err(|error| {
            Report::user(Code::InvalidValue, "the request is not {id, strategy, commit_message}")
                .cause(error.to_string())
                .unchanged()
                .hint("give these three keys only; strategy is merge, squash or rebase")
        })?;
        Ok(Self {
            id: request.id,
            strategy: request.strategy.or(Some(Strategy::Squash)),
            message: request.commit_message,
        })
    }
}

fn read_request(cwd: &Path, file: &Path) -> Result<String, Report> {
    String::from_utf8(named_file::read(cwd, file, "the request")?).map_err(|error| {
        Report::user(Code::InvalidValue, format!("the request {} is no UTF-8", file.display()))
            .caused_by(&error)
            .unchanged()
            .hint("name a file of JSON, or - for stdin")
    })
}

fn options(args: &LandArgs, asked: &Asked) -> Result<LandOptions, Report> {
    let expect = match &args.expect {
        None => None,
        Some(hex) => Some(Oid::parse(hex).ok_or_else(|| {
            Report::user(
                Code::InvalidValue,
                format!("`{}` is no full object id", hex.escape_debug()),
            )
            .unchanged()
            .hint("`show` and `list` give the snapshot's whole id")
        })?),
    };
    Ok(LandOptions {
        strategy: asked.strategy,
        message: asked.message.clone(),
        target: args.target.clone().map(BranchName),
        expect,
        keep: args.keep,
        only: read_only(&args.only),
        verify: if args.no_verify { Verify::Skip } else { Verify::Ask },
        trust: if args.trust { Trust::AsItStands } else { Trust::AsRecorded },
    })
}

fn read_only(paths: &[PathBuf]) -> Option<Only> {
    let paths: Vec<RepoPath> =
        paths.iter().map(|path| RepoPath::new(path.as_os_str().as_bytes())).collect();
    (!paths.is_empty()).then_some(Only::Paths(paths))
}

/// `3 of 7 hunks, 2 of 4 files`, and what of them stays in the shadow.
fn part_words(part: &PartPlan) -> (String, String) {
    let Counts { hunks, hunks_all, files, files_all } = part.counts;
    let left_out: Vec<String> = part.left_out.iter().map(RepoPath::to_lossy).collect();
    let left_out = if left_out.is_empty() { "no hunk".to_owned() } else { left_out.join(", ") };
    let (hunks, files) = (count_of(hunks, hunks_all, "hunk"), count_of(files, files_all, "file"));
    (format!("{hunks}, {files}"), left_out)
}

fn dry_answer(plan: &LandPlan) -> Answer {
    let consents = plan.needs_trust.iter();
    let consents = consents.map(|consent| format!("needs --trust: {}", consent.words));
    let warnings: Vec<String> = consents.chain(plan.warnings.iter().cloned()).collect();
    answer(plan, None, false, &warnings)
}

fn answer(
    plan: &LandPlan,
    operation: Option<OperationId>,
    cleaned_up: bool,
    warnings: &[String],
) -> Answer {
    let warnings = &[&plan.remarks, warnings].concat();
    let paths = |wanted: &dyn Fn(FileStatus) -> bool| -> Vec<String> {
        let files = plan.files.iter().filter(|file| wanted(file.status));
        files.map(|file| file.path.to_lossy()).collect()
    };
    // A renamed file is one that is gone and one that is new: whoever reads this keeps a list of files.
    let mut added = paths(&|status| {
        matches!(status, FileStatus::Added | FileStatus::Copied(_) | FileStatus::Renamed(_))
    });
    let mut deleted = paths(&|status| status == FileStatus::Deleted);
    let renamed = plan.files.iter().filter(|file| matches!(file.status, FileStatus::Renamed(_)));
    deleted.extend(renamed.filter_map(|file| file.old_path.as_ref()).map(RepoPath::to_lossy));
    added.sort();
    deleted.sort();
    let changed = paths(&|status| matches!(status, FileStatus::Modified | FileStatus::TypeChanged));
    let counts = [added.len(), changed.len(), deleted.len()];
    let json = json!({
        "operation": operation.map(|operation| operation.to_string()),
        "strategy": plan.strategy.as_str(),
        "target": plan.target.0,
        "before": plan.before.as_str(),
        "after": plan.after.as_str(),
        "commit": plan.after.as_str(),
        "added": added,
        "changed": changed,
        "deleted": deleted,
        "insertions": plan.stats.insertions,
        "deletions": plan.stats.deletions,
        "safety_net": plan.safety_net.is_some(),
        "safety_net_message": plan.own_commit,
        "carried": plan.carried.as_ref().map(Oid::as_str),
        "cleaned_up": cleaned_up,
        "part": plan.part.as_ref().map(part_json),
        "warnings": warnings,
    });
    Answer::both(panels(plan, operation, cleaned_up, counts, warnings), json)
}

fn part_json(part: &PartPlan) -> Value {
    let Counts { hunks, hunks_all, files, files_all } = part.counts;
    json!({
        "hunks": hunks,
        "hunks_all": hunks_all,
        "files": files,
        "files_all": files_all,
        "left_out": part.left_out.iter().map(RepoPath::to_lossy).collect::<Vec<_>>(),
    })
}

fn panels(
    plan: &LandPlan,
    operation: Option<OperationId>,
    cleaned_up: bool,
    [added, changed, deleted]: [usize; 3],
    warnings: &[String],
) -> String {
    let mut text = String::from("Apply Summary\n");
    let mut line = |name: &str, value: String| {
        // Writing to a String cannot fail.
        let _ = writeln!(text, "  {name:<10} {}", visible_str(&value));
    };
    line("shadow", plan.id.to_string());
    line(
        "target",
        format!("{} {} → {}", plan.target, plan.before.abbreviated(), plan.after.abbreviated()),
    );
    line("strategy", plan.strategy.as_str().to_owned());
    line("message", plan.message.lines().next().unwrap_or_default().to_owned());
    if !plan.runs.is_empty() {
        line("hooks", plan.runs.join(", "));
    }
    line("artifacts", format!("{added} added, {changed} changed, {deleted} deleted"));
    line("lines", format!("+{} -{}", plan.stats.insertions, plan.stats.deletions));
    if let Some(part) = &plan.part {
        let (counts, left_out) = part_words(part);
        line("part", counts);
        line("left out", left_out);
    }
    for warning in warnings {
        line("note", warning.clone());
    }
    let Some(operation) = operation else {
        text.push_str("\nNothing was changed: this is what landing would do.\n");
        return text;
    };
    let cleanup = if cleaned_up {
        "directory and branch are in the trash".to_owned()
    } else {
        format!("{} stays", plan.id)
    };
    let _ = write!(
        text,
        "\nSandbox Cleanup\n  {}\n\nNext Steps\n  shadowdeck undo {operation}   takes it back\n  \
         git show {}   shows what landed\n\n✓ OK  Changes applied\n",
        visible_str(&cleanup),
        plan.after.abbreviated()
    );
    text
}

pub(super) fn resolve(context: &Context, args: &ResolveArgs) -> Result<Answer, Report> {
    let deck = context.deck()?;
    guard::refuse_inside(context, &deck, "resolving")?;
    let id = list::find(&deck, &args.id, guard::prefixes(context))?;
    let path = RepoPath::new(args.path.as_os_str().as_bytes());
    let resolution = match args.take {
        _ if args.clear => None,
        None => read_content(context, &deck, &path, args)?,
        Some(TakeArg::Target) => Some(Resolution::Target),
        Some(TakeArg::Shadow) => Some(Resolution::Shadow),
        Some(TakeArg::Base) => Some(Resolution::Base),
        Some(TakeArg::Union) => Some(Resolution::Union),
        Some(TakeArg::Delete) => Some(Resolution::Delete),
    };
    let way = reading::way(args.strategy);
    let (page, cleared) = match (args.clear, way) {
        (true, Way::Rebase) => {
            let (page, cleared) = resolve::clear_steps(&deck, &id, &path)?;
            (page, Some(cleared))
        }
        _ => (resolve::resolve(&deck, &id, way, &path, resolution)?, None),
    };
    let open = page.files.iter().filter(|file| file.conflict.resolution.is_none()).count();
    let are = if open == 1 { "is" } else { "are" };
    let mut text = String::new();
    for step in cleared.iter().flatten() {
        let _ = writeln!(text, "open again in {}", visible_str(&step.words()));
    }
    let _ = writeln!(text, "{} {are} open", count_of(open, page.files.len(), "conflict file"));
    let mut json: Value = to_json::conflicts(&page);
    if let Some(cleared) = cleared {
        json["cleared"] = cleared.iter().map(|step| step.number).collect();
    }
    Ok(Answer::both(text, json))
}

/// The content of the file that was named; `-` is stdin.
fn read_content(
    context: &Context,
    deck: &Deck,
    path: &RepoPath,
    args: &ResolveArgs,
) -> Result<Option<Resolution>, Report> {
    let Some(file) = &args.file else { return Ok(None) };
    let bytes = named_file::read(&context.cwd, file, "the content")
        .map_err(|report| report.safe("nothing was recorded"))?;
    let markers = if args.allow_markers { Markers::Allowed } else { Markers::Refused };
    resolve::write_content(deck, path, &bytes, markers).map(Some)
}
