//! The demo project's history as data: a small web service, two authors, fixed dates.
//! The files' texts are in `assets/demo`; here stands how they came about.

use super::commit::{Author, Change, Commit};

macro_rules! files {
    ($($path:literal)+) => {
        /// The project's files as they are after the early commits.
        pub(super) static FILES: &[(&str, &str)] =
            &[$(($path, include_str!(concat!("../../../assets/demo/", $path))),)+];
    };
}

files! {
    "README.md"
    "docs/api.md"
    "docs/deploy.md"
    "migrations/001_probes.sql"
    "migrations/002_incidents.sql"
    "scripts/seed.py"
    "server/src/alert.rs"
    "server/src/api.rs"
    "server/src/config.rs"
    "server/src/incident.rs"
    "server/src/main.rs"
    "server/src/probe.rs"
    "server/src/schedule.rs"
    "server/src/store.rs"
    "server/tests/probe.rs"
    "web/index.html"
    "web/package.json"
    "web/src/api.ts"
    "web/src/board.ts"
    "web/src/chart.ts"
    "web/src/format.ts"
    "web/src/main.ts"
    "web/src/style.css"
    "web/tsconfig.json"
}

const ADA: Author = Author { name: "Ada Lindqvist", email: "ada@tideline.example" };
const BEN: Author = Author { name: "Ben Okafor", email: "ben@tideline.example" };
pub(super) const AGENT: Author = Author { name: "Agent", email: "agent@tideline.example" };

/// 2025-03-03 08:00:00 UTC.
const START_S: u64 = 1_740_988_800;
const DAY_S: u64 = 24 * 60 * 60;

pub(super) const MAIN: &str = "main";

/// Marks that shadows start from.
pub(super) const FORMATTED: usize = 6;
pub(super) const BASE: usize = 9;
pub(super) const HEALTHZ: usize = 10;
pub(super) const SEEDED: usize = 12;
pub(super) const TIP: usize = 15;

/// The early commits leave every file as [`FILES`] has it.
const EARLY: usize = SEEDED;

const MANIFEST: &str = "[workspace]\nmembers = [\"server\"]\nresolver = \"3\"\n\n\
[workspace.package]\nversion = \"0.4.0\"\nedition = \"2024\"\n";
const IGNORED: &str = "target/\nnode_modules/\ndist/\n.env\n";

/// Every commit of `main`; a commit's mark is its position, from 1.
pub(super) static COMMITS: &[Commit] = &[
    Commit {
        author: ADA,
        message: b"Ask an endpoint whether it is up\n",
        changes: &[
            Change::Write(b"Cargo.toml", MANIFEST.as_bytes()),
            Change::Write(b".gitignore", IGNORED.as_bytes()),
            Change::Add("README.md"),
            Change::Add("server/src/main.rs"),
            Change::Add("server/src/config.rs"),
            Change::Add("server/src/probe.rs"),
            Change::Add("server/src/schedule.rs"),
        ],
        ..Commit::after(START_S, 0)
    },
    Commit {
        author: ADA,
        message: b"Keep every result in the database\n\nThirty days of history at one result a minute are 43,200 rows a probe.\n",
        changes: &[Change::Add("server/src/store.rs"), Change::Add("migrations/001_probes.sql")],
        ..Commit::after(START_S + DAY_S, 1)
    },
    Commit {
        author: BEN,
        message: b"Show the probes on a board\n",
        changes: &[
            Change::Add("web/index.html"),
            Change::Add("web/package.json"),
            Change::Add("web/tsconfig.json"),
            Change::Add("web/src/main.ts"),
            Change::Add("web/src/api.ts"),
            Change::Add("web/src/board.ts"),
            Change::Add("web/src/style.css"),
        ],
        ..Commit::after(START_S + 3 * DAY_S, 2)
    },
    Commit {
        author: ADA,
        message: b"Open an incident after repeated failures\n",
        changes: &[
            Change::Add("server/src/alert.rs"),
            Change::Add("server/src/incident.rs"),
            Change::Add("migrations/002_incidents.sql"),
            Change::Edit(
                "server/src/schedule.rs",
                "                store.record(&target.name, &outcome).await?;\n",
                "                store.record(&target.name, &outcome).await?;\n                \
                 alert::consider(&store, &target.name, after_failures).await?;\n",
            ),
        ],
        ..Commit::after(START_S + 4 * DAY_S, 3)
    },
    Commit {
        author: ADA,
        message: b"Serve the API that the board reads\n",
        changes: &[Change::Add("server/src/api.rs")],
        ..Commit::after(START_S + 6 * DAY_S, 4)
    },
    Commit {
        author: BEN,
        message: b"Write latencies as people read them\n",
        changes: &[
            Change::Add("web/src/format.ts"),
            Change::Edit(
                "web/src/board.ts",
                "probe.up ? String(probe.latency_ms) : \"down\"",
                "probe.up ? formatLatency(probe.latency_ms) : \"down\"",
            ),
        ],
        ..Commit::after(START_S + 7 * DAY_S, 5)
    },
    Commit {
        author: BEN,
        message: b"Draw the history as a line\n",
        changes: &[Change::Add("web/src/chart.ts")],
        ..Commit::after(START_S + 9 * DAY_S, 6)
    },
    Commit {
        author: BEN,
        message: b"docs: the API, and how to deploy\n",
        changes: &[Change::Add("docs/api.md"), Change::Add("docs/deploy.md")],
        ..Commit::after(START_S + 10 * DAY_S, 7)
    },
    Commit {
        author: ADA,
        message: b"Skip beats that were missed instead of catching up\n\nAfter a suspended laptop woke, every probe was asked a hundred times at once.\n",
        changes: &[
            Change::Add("server/tests/probe.rs"),
            Change::Edit(
                "server/src/schedule.rs",
                "            let mut ticks = interval(beat);\n",
                "            let mut ticks = interval(beat);\n            \
                 ticks.set_missed_tick_behavior(MissedTickBehavior::Skip);\n",
            ),
        ],
        ..Commit::after(START_S + 14 * DAY_S, 8)
    },
    Commit {
        author: AGENT,
        message: b"Answer /healthz for the load balancer\n",
        changes: &[Change::Edit(
            "server/src/api.rs",
            "        .with_state(store);\n",
            "        .route(\"/healthz\", get(|| async { \"ok\" }))\n        .with_state(store);\n",
        )],
        ..Commit::after(START_S + 15 * DAY_S, BASE)
    },
    Commit {
        author: ADA,
        message: b"Merge branch 'aide-shadow/health-endpoint'\n",
        changes: &[Change::Edit(
            "server/src/api.rs",
            "        .with_state(store);\n",
            "        .route(\"/healthz\", get(|| async { \"ok\" }))\n        .with_state(store);\n",
        )],
        merged: Some(HEALTHZ),
        ..Commit::after(START_S + 16 * DAY_S, BASE)
    },
    Commit {
        author: BEN,
        message: b"Fill a development database with made-up results\n",
        changes: &[Change::Add("scripts/seed.py")],
        ..Commit::after(START_S + 17 * DAY_S, 11)
    },
    Commit {
        author: BEN,
        message: b"Drop the chart: nobody looked at it\n",
        changes: &[Change::Delete("web/src/chart.ts")],
        ..Commit::after(START_S + 21 * DAY_S, SEEDED)
    },
    Commit {
        author: ADA,
        message: b"docs: the wiki says how to run it, and is kept up to date\n",
        changes: &[
            Change::Delete("docs/deploy.md"),
            Change::Edit(
                "README.md",
                "See `docs/api.md` for the endpoints and `docs/deploy.md` for running it on a server.\n",
                "See `docs/api.md` for the endpoints, and the wiki for running it on a server.\n",
            ),
        ],
        ..Commit::after(START_S + 22 * DAY_S, 13)
    },
    Commit {
        author: ADA,
        message: b"api: a day of history at whatever interval is configured\n",
        changes: &[Change::Edit(
            "server/src/api.rs",
            "    let limit = 288;\n",
            "    let limit = store.results_per_day();\n",
        )],
        ..Commit::after(START_S + 24 * DAY_S, 14)
    },
];

/// What the early commits did to `path` after it was added, the latest first.
pub(super) fn early_edits(
    path: &str,
) -> impl Iterator<Item = (&'static str, &'static str)> + use<'_> {
    let first_parents = COMMITS[..EARLY].iter().rev().filter(|commit| commit.merged.is_none());
    first_parents.flat_map(|commit| commit.changes.iter().rev()).filter_map(move |change| {
        match change {
            Change::Edit(edited, old, new) if *edited == path => Some((*old, *new)),
            _ => None,
        }
    })
}
