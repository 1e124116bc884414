//! The command line: one of the two faces. It asks `ops`, prints text or one JSON object, and ends with
//! an exit code. Names, flags, keys and codes are a promise to scripts.

pub mod answer;
pub mod args;
mod colour;
mod config;
mod conflict_args;
mod create;
mod demo;
mod discard;
mod doctor;
mod gc;
pub mod guard;
mod help;
mod json;
mod land;
mod log;
mod notes;
mod radar;
mod reading;
mod request;
mod rework;
mod sync;
mod table;
mod undo;

use std::{
    ffi::OsString,
    io::{IsTerminal, Write},
    path::{Path, PathBuf},
};

use clap::{CommandFactory, Parser};

pub use answer::Answer;
use args::{Cli, Command};

use crate::{
    config::Config,
    ops::{self, Deck, recover},
    report::{Blame, Code, Report},
    review::visible,
};

/// What every command has at hand.
#[derive(Debug)]
pub struct Context {
    /// Where the program was started: a shadow there must not land itself.
    pub cwd: PathBuf,
    /// The directory whose repository is meant (`-C`, else `cwd`).
    pub dir: PathBuf,
    pub json: bool,
    pub config: Config,
    /// What is wrong with the user's settings file; the defaults stand in.
    pub faults: Vec<Report>,
    /// Both stdin and stdout are a terminal: a question can be seen and answered.
    pub has_terminal: bool,
}

impl Context {
    /// What an earlier run left unfinished is settled first, and told.
    pub fn deck(&self) -> Result<Deck, Report> {
        let deck = Deck::open(&self.dir, self.config.clone())?;
        match recover::recover(&deck) {
            Ok(told) => told.into_iter().for_each(|words| {
                complain("note", &Report::new(Code::Usage, Blame::User, words));
            }),
            // Reading goes on; whatever writes asks again.
            Err(report) => complain("warning", &report),
        }
        Ok(deck)
    }
}

/// What opens the cockpit. It opens the repository around the directory by itself, once something is on the screen, and settles what an
/// earlier run left unfinished.
pub type Cockpit = dyn Fn(&Path, &Config, &[Report]) -> Result<(), Report>;

/// What opens the user's own editor on a file and waits for its end.
pub type Editor = dyn Fn(&Path) -> Result<(), Report>;

/// What takes the terminal: passed in by the binary, since this face may not import the other one.
#[derive(Clone, Copy)]
pub struct Hands<'a> {
    pub cockpit: &'a Cockpit,
    pub editor: &'a Editor,
}

/// Runs one command line, `args` without the program's name; the exit code.
pub fn run(args: Vec<OsString>, cwd: &Path, hands: Hands<'_>) -> u8 {
    let wants_json = args.iter().take_while(|arg| *arg != "--").any(|arg| arg == "--json");
    let name = std::iter::once(OsString::from("shadowdeck"));
    match Cli::try_parse_from(name.chain(args)) {
        Ok(cli) => run_parsed(cli, cwd, hands),
        Err(error) if wants_json && error.use_stderr() => {
            let first = error.to_string();
            let first = first.lines().next().unwrap_or_default().trim_start_matches("error: ");
            let report = Report::user(Code::Usage, first).hint(
                "`shadowdeck --help` lists the commands, `shadowdeck COMMAND --help` its flags",
            );
            fail(&report, Wanted::Json)
        }
        // An argument may be a name out of a repository, and is told in it.
        Err(error) if error.use_stderr() => {
            guard::tell(&visible::visible_lines(error.to_string().as_bytes()));
            Code::Usage.exit_code()
        }
        // Help and version are answers.
        Err(answer) => {
            let _ = answer.print();
            0
        }
    }
}

fn run_parsed(cli: Cli, cwd: &Path, hands: Hands<'_>) -> u8 {
    let wanted = if cli.json { Wanted::Json } else { Wanted::Text };
    let (config, faults) = Config::load();
    let context = Context {
        cwd: cwd.to_owned(),
        dir: cli.dir.map_or_else(|| cwd.to_owned(), |dir| cwd.join(dir)),
        json: cli.json,
        config,
        faults,
        has_terminal: std::io::stdin().is_terminal() && std::io::stdout().is_terminal(),
    };
    let effect = cli.command.as_ref().map_or(Effect::Looks, Effect::of);
    let outcome = match cli.command {
        Some(command) => {
            context.faults.iter().for_each(|fault| complain("warning", fault));
            dispatch(&context, command, hands)
        }
        None => open_cockpit(&context, hands.cockpit),
    };
    match outcome {
        Ok(answer) => print(&answer, wanted, effect),
        Err(report) => {
            let deck = ops::gc::concerns_store(&report)
                .then(|| Deck::open(&context.dir, context.config.clone()));
            let report = match deck {
                Some(Ok(deck)) => ops::gc::mend_store(&deck, report),
                _ => report,
            };
            fail(&report, wanted)
        }
    }
}

fn dispatch(context: &Context, command: Command, hands: Hands<'_>) -> Result<Answer, Report> {
    match command {
        Command::List(args) => reading::list(context, &args),
        Command::Show(args) => reading::show(context, &args),
        Command::Diff(args) => reading::diff(context, &args),
        Command::Conflicts(args) => reading::conflicts(context, &args),
        Command::Radar(_) => radar::radar(context),
        Command::Notes(args) => notes::notes(context, &args),
        Command::Request(args) => request::request(context, &args),
        Command::Create(args) => create::create(context, &args),
        Command::Path(args) => create::path(context, &args),
        Command::Land(args) => land::land(context, &args),
        Command::Resolve(args) => land::resolve(context, &args),
        Command::Discard(args) => discard::discard(context, &args),
        Command::Commit(args) => rework::commit(context, &args),
        Command::Rollback(args) => rework::rollback(context, &args),
        Command::Sync(args) => sync::sync(context, &args),
        Command::Redo(args) => undo::redo(context, &args),
        Command::Errors(args) => rework::errors(context, &args),
        Command::Undo(args) => undo::undo(context, &args),
        Command::Log(args) => log::log(context, &args),
        Command::Gc(args) => gc::gc(context, &args),
        Command::Doctor(args) => doctor::doctor(context, &args),
        Command::Config(args) => config::config(context, &args, hands.editor),
        Command::Demo(args) => demo::run(context, &args, hands.cockpit),
    }
}

fn open_cockpit(context: &Context, cockpit: &Cockpit) -> Result<Answer, Report> {
    if !context.has_terminal || context.json {
        return Err(Report::user(Code::NeedsTerminal, "the cockpit needs a terminal")
            .hint("`shadowdeck list` prints the shadows without one"));
    }
    cockpit(&context.dir, &context.config, &context.faults)?;
    Ok(Answer::Nothing)
}

/// What a command leaves behind, besides its answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Effect {
    Looks,
    Changes,
}

impl Effect {
    fn of(command: &Command) -> Self {
        match command {
            Command::Land(args) if args.dry_run => Self::Looks,
            Command::Gc(args) if args.dry_run => Self::Looks,
            Command::Notes(args) if args.only_reads() => Self::Looks,
            Command::Doctor(args) if !args.fix => Self::Looks,
            Command::Conflicts(args) if args.ask.is_some() => Self::Changes,
            Command::List(_)
            | Command::Show(_)
            | Command::Diff(_)
            | Command::Conflicts(_)
            | Command::Radar(_)
            | Command::Path(_)
            | Command::Errors(_)
            | Command::Log(_)
            | Command::Config(_)
            | Command::Demo(_) => Self::Looks,
            Command::Create(_)
            | Command::Land(_)
            | Command::Resolve(_)
            | Command::Discard(_)
            | Command::Notes(_)
            | Command::Request(_)
            | Command::Commit(_)
            | Command::Rollback(_)
            | Command::Sync(_)
            | Command::Undo(_)
            | Command::Redo(_)
            | Command::Gc(_)
            | Command::Doctor(_) => Self::Changes,
        }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Wanted {
    Text,
    Json,
}

/// Writes the answer; the exit code. What was done stays done, whether or not the answer can be written.
fn print(answer: &Answer, wanted: Wanted, effect: Effect) -> u8 {
    let Err(error) = write(answer, wanted) else { return 0 };
    let report = Report::environment(Code::Io, "the answer could not be written to stdout")
        .cause(error.to_string());
    match effect {
        Effect::Looks => {
            complain("error", &report.unchanged().hint("ask again, with room for the answer"));
            Code::Io.exit_code()
        }
        Effect::Changes => {
            let operation = match answer {
                Answer::Both { json, .. } => json["operation"].as_str(),
                Answer::Bytes(_) | Answer::Nothing => None,
            };
            let done = operation.map_or_else(
                || "what was asked for is done".to_owned(),
                |operation| format!("what was asked for is done: operation {operation}"),
            );
            complain("warning", &report.safe(done).hint("`shadowdeck log` lists operations"));
            0
        }
    }
}

/// A reader that has gone away (`| head`) is no failure.
fn write(answer: &Answer, wanted: Wanted) -> std::io::Result<()> {
    let bytes = match (answer, wanted) {
        (Answer::Nothing, _) => return Ok(()),
        (Answer::Bytes(bytes), _) => bytes.clone(),
        (Answer::Both { text, .. }, Wanted::Text) => text.clone().into_bytes(),
        (Answer::Both { json, .. }, Wanted::Json) => format!("{}\n", json::text(json)).into_bytes(),
    };
    let mut stdout = std::io::stdout().lock();
    match stdout.write_all(&bytes).and_then(|()| stdout.flush()) {
        Err(error) if error.kind() != std::io::ErrorKind::BrokenPipe => Err(error),
        _ => Ok(()),
    }
}

fn fail(report: &Report, wanted: Wanted) -> u8 {
    complain("error", report);
    if wanted == Wanted::Json {
        // Told on stderr already.
        let _ = write(&Answer::both(String::new(), json::error(report)), Wanted::Json);
    }
    report.code.exit_code()
}

/// Words for a person, on stderr; whatever a repository put into them is made visible.
fn complain(kind: &str, report: &Report) {
    let mut text = format!("{kind}: {}\n", visible::visible_str(&report.headline));
    for cause in &report.causes {
        text.extend(["  ", &visible::visible_str(cause), "\n"]);
    }
    if let Some(safe) = &report.safe {
        text.extend(["  ", &visible::visible_str(safe), "\n"]);
    }
    if let Some(hint) = &report.hint {
        text.extend(["hint: ", &visible::visible_str(hint), "\n"]);
    }
    // Nothing can be said where stderr is closed.
    let _ = std::io::stderr().lock().write_all(text.as_bytes());
}

/// The whole command line as clap knows it: for completions, manual and tests.
pub fn command() -> clap::Command {
    Cli::command()
}
