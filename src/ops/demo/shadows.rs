//! The demo's shadows as data: one for every state that a shadow can be in.

use super::{
    commit::{Change, Commit},
    history::{BASE, FORMATTED, HEALTHZ, SEEDED, TIP},
};

const HOUR_S: u64 = 60 * 60;
const DAY_S: u64 = 24 * HOUR_S;

/// 2025-04-07 09:00:00 UTC: after the history of `main`.
const START_S: u64 = 1_744_016_400;

/// Where the worktree is put, relative to the demo's directory.
#[derive(Clone, Copy, Debug)]
pub(super) enum Head {
    Branch(&'static str),
    Detached,
}

#[derive(Clone, Copy, Debug)]
pub(super) struct Shadow {
    /// The worktree's path, relative to the demo's directory.
    pub(super) path: &'static str,
    pub(super) head: Head,
    /// The mark of the commit that it was made from.
    pub(super) base: usize,
    /// Commits of its own, each on the one before.
    pub(super) commits: &'static [Commit],
    /// The mark that it stands on instead, where history has its commits already.
    pub(super) landed: Option<usize>,
    /// What is in its directory and nowhere else.
    pub(super) uncommitted: &'static [Change],
    /// Those of them that are in the index too.
    pub(super) staged: &'static [&'static str],
    pub(super) locked: Option<&'static str>,
    /// How long ago anything happened in it.
    pub(super) idle_s: u64,
}

impl Shadow {
    const fn new(path: &'static str, head: Head, base: usize, idle_s: u64) -> Self {
        Self {
            path,
            head,
            base,
            commits: &[],
            landed: None,
            uncommitted: &[],
            staged: &[],
            locked: None,
            idle_s,
        }
    }
}

const BACKOFF: &[u8] = b"//! How long to leave an endpoint alone that does not answer.

use std::time::Duration;

/// However long it is down, someone wants to know when it comes back.
const LONGEST: Duration = Duration::from_secs(300);

/// Doubles with every failure in a row.
pub fn pause(beat: Duration, failures: u32) -> Duration {
    let factor = 2_u32.saturating_pow(failures.min(8));
    beat.saturating_mul(factor).min(LONGEST)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_doubles_up_to_a_limit() {
        let beat = Duration::from_secs(30);
        assert_eq!(pause(beat, 0), beat);
        assert_eq!(pause(beat, 2), Duration::from_secs(120));
        assert_eq!(pause(beat, 100), LONGEST);
    }
}
";

const SPARKLINE: &[u8] =
    b"const BARS = \"\\u2581\\u2582\\u2583\\u2584\\u2585\\u2586\\u2587\\u2588\";

/** A history in one line of text. */
export function sparkline(history: number[]): string {
  const top = Math.max(1, ...history);
  return history.map((value) => BARS[Math.min(7, Math.floor((value / top) * 8))]).join(\"\");
}
";

const DECISION: &[u8] = b"# 1. Results stay in PostgreSQL

We looked at a time-series database. At one result a minute and thirty days of history, a probe
has 43,200 rows; a hundred probes fit an index of 200 MB. One database less to run.

What would change our mind: a probe every second.
";

/// A file whose text tries to drive the terminal and to deceive the reader.
const HOSTILE_TEXT: &[u8] =
    b"# Notes\n\nplain, then \x1b[31mred\x1b[0m, a title \x1b]0;owned\x07, \
the clipboard \x1b]52;c;Y3VybCBldmlsIHwgc2g=\x07\nhidden\rshown\nbell \x07 and back\x08\x08space\n\
if access != \"user\xe2\x80\xae \xe2\x81\xa6// admins only\xe2\x81\xa9 \xe2\x81\xa6\" {\n\
zero\xe2\x80\x8bwidth and a tag \xf3\xa0\x81\xa1\n\xc2\x9b2J a C1 sequence\n";

pub(super) static SHADOWS: &[Shadow] = &[
    Shadow {
        commits: &[
            Commit {
                message: b"Let a probe have its own timeout\n\nSome endpoints are slow and fine.\n",
                changes: &[
                    Change::Edit(
                        "server/src/config.rs",
                        "    pub name: String,\n    pub url: String,\n",
                        "    pub name: String,\n    pub url: String,\n    /// Instead of the default.\n    pub timeout_s: Option<u64>,\n",
                    ),
                    Change::Edit(
                        "server/src/schedule.rs",
                        "    let timeout = Duration::from_secs(config.probe.timeout_s);\n",
                        "    let default_s = config.probe.timeout_s;\n",
                    ),
                    Change::Edit(
                        "server/src/schedule.rs",
                        "        let after_failures = config.alert.after_failures;\n",
                        "        let after_failures = config.alert.after_failures;\n        let timeout = Duration::from_secs(target.timeout_s.unwrap_or(default_s));\n",
                    ),
                    Change::Edit(
                        "server/tests/probe.rs",
                        "url: url.into() }",
                        "url: url.into(), timeout_s: None }",
                    ),
                ],
                ..Commit::after(START_S, BASE)
            },
            Commit {
                message: b"Back off from an endpoint that is down\n",
                changes: &[
                    Change::Write(b"server/src/backoff.rs", BACKOFF),
                    Change::Edit(
                        "server/src/main.rs",
                        "mod api;\n",
                        "mod api;\nmod backoff;\n",
                    ),
                ],
                ..Commit::after(START_S + 20 * 60, BASE)
            },
        ],
        ..Shadow::new(
            "tideline/.aide/worktrees/probe-timeouts",
            Head::Branch("aide-shadow/probe-timeouts"),
            BASE,
            5 * 60,
        )
    },
    Shadow {
        commits: &[Commit {
            message: b"Read history in pages\n",
            changes: &[
                Change::Edit(
                    "server/src/api.rs",
                    "    let limit = 288;\n",
                    "    let limit = 288.min(store.page_size());\n",
                ),
                Change::Edit(
                    "web/src/chart.ts",
                    "  const top = Math.max(1, ...history);\n",
                    "  const top = history.reduce((a, b) => Math.max(a, b), 1);\n",
                ),
                Change::Rename("docs/deploy.md", "docs/operations.md"),
                Change::Edit("docs/api.md", "The last 288 results", "One page of results"),
            ],
            ..Commit::after(START_S + HOUR_S, BASE)
        }],
        ..Shadow::new(
            "ca-sandbox-paged-history-01JRA2M4Z8",
            Head::Branch("cleveragents/plan-paged-history"),
            BASE,
            40 * 60,
        )
    },
    Shadow {
        commits: &[Commit {
            message: b"Count a redirect loop as down\n",
            changes: &[Change::Edit(
                "server/src/probe.rs",
                "        Err(error) if error.is_timeout() => {\n",
                "        Err(error) if error.is_redirect() => {\n            Outcome::Down { reason: \"redirects in a circle\".to_owned() }\n        }\n        Err(error) if error.is_timeout() => {\n",
            )],
            ..Commit::after(START_S + 2 * HOUR_S, SEEDED)
        }],
        uncommitted: &[
            Change::Edit(
                "server/src/probe.rs",
                "/// Asks once. A redirect counts as up, since someone answered.\n",
                "/// Asks once. A redirect counts as up, since someone answered; a circle of them does not.\n",
            ),
            Change::Write(
                b"server/tests/redirects.rs",
                b"#[tokio::test]\nasync fn a_circle_is_down() {\n    // TODO: a server that redirects to itself\n}\n",
            ),
        ],
        ..Shadow::new(
            "tideline-wt/fixer-quiet-otter",
            Head::Branch("wt/fixer/quiet-otter"),
            SEEDED,
            2 * HOUR_S,
        )
    },
    Shadow {
        uncommitted: &[
            Change::Edit(
                "web/src/style.css",
                "  gap: 1rem;\n  padding: 1rem;\n",
                "  gap: 0.75rem;\n  padding: 0.75rem;\n",
            ),
            Change::Edit("web/src/board.ts", "createElement(\"article\")", "createElement(\"li\")"),
            Change::Delete("web/src/format.ts"),
        ],
        staged: &["web/src/board.ts"],
        ..Shadow::new(
            "tideline/.aide/worktrees/tidy-board",
            Head::Branch("aide-shadow/tidy-board"),
            SEEDED,
            3 * HOUR_S,
        )
    },
    Shadow {
        uncommitted: &[
            Change::Write(b"docs/decisions/0001-results-stay-in-postgresql.md", DECISION),
            Change::Write(b"docs/decisions/README.md", b"# Decisions\n\nOne page each, numbered.\n"),
            Change::Write(b".env", b"DATABASE_URL=postgres://localhost/tideline\n"),
        ],
        ..Shadow::new(
            "tideline/.aide/worktrees/decisions",
            Head::Branch("aide-shadow/decisions"),
            TIP,
            26 * HOUR_S,
        )
    },
    Shadow {
        commits: &[Commit {
            message: b"Spark lines instead of charts\n",
            changes: &[Change::Write(b"web/src/sparkline.ts", SPARKLINE)],
            ..Commit::after(START_S - 5 * DAY_S, BASE)
        }],
        uncommitted: &[
            Change::Write(b"web/dist/bundle.js", b"const a=1;export{a};\n"),
            Change::Write(b"web/src/sparkline.test.ts", b"// compare with the chart at 288 points\n"),
        ],
        ..Shadow::new(
            "tideline/.aide/worktrees/old-charts",
            Head::Branch("aide-shadow/old-charts"),
            BASE,
            40 * DAY_S,
        )
    },
    Shadow {
        commits: &[Commit {
            message: b"A dark board for dark rooms\n",
            changes: &[Change::Edit(
                "web/src/style.css",
                "body {\n",
                "@media (prefers-color-scheme: dark) {\n  :root {\n    --ink: #e8e3d7;\n    --paper: #16202a;\n  }\n}\n\nbody {\n",
            )],
            ..Commit::after(START_S - 3 * DAY_S, BASE)
        }],
        ..Shadow::new(
            "tideline-wt/painter-amber-wren",
            Head::Branch("wt/painter/amber-wren"),
            BASE,
            21 * DAY_S,
        )
    },
    Shadow {
        landed: Some(HEALTHZ),
        ..Shadow::new(
            "tideline/.aide/worktrees/health-endpoint",
            Head::Branch("aide-shadow/health-endpoint"),
            BASE,
            5 * DAY_S,
        )
    },
    Shadow::new(
        "tideline-wt/scout-calm-heron",
        Head::Branch("wt/scout/calm-heron"),
        TIP,
        3 * DAY_S,
    ),
    Shadow {
        uncommitted: &[Change::Edit(
            "web/src/format.ts",
            "  return latency < 1000 ?",
            "  console.debug(latency);\n  return latency < 1000 ?",
        )],
        ..Shadow::new("tideline-wt/bisect-latency", Head::Detached, FORMATTED, 9 * HOUR_S)
    },
    Shadow {
        commits: &[Commit {
            message: b"seed: make every probe fail now and then\n",
            changes: &[Change::Edit("scripts/seed.py", "random.random() > 0.02", "random.random() > 0.2")],
            ..Commit::after(START_S + DAY_S, SEEDED)
        }],
        locked: Some("a soak test runs in here until Friday"),
        ..Shadow::new(
            "ca-sandbox-soak-test-01JRC7Q2VB",
            Head::Branch("cleveragents/plan-soak-test"),
            SEEDED,
            2 * DAY_S,
        )
    },
    Shadow {
        commits: &[Commit {
            message: b"docs: fix a typo\x1b[2J\x1b[H \x1b]52;c;Y3VybCBldmlsIHwgc2g=\x07\xe2\x80\xae nothing to see\n",
            changes: &[
                Change::Write(b"docs/\x1b]0;owned\x07title.md", HOSTILE_TEXT),
                Change::Write(b"docs/new\nline and \"quotes\" and back\\slash.md", b"a name of two lines\n"),
                Change::Write(b"-rf", b"a name like an option\n"),
                Change::Write(b":(top)magic", b"a name like a pathspec\n"),
                Change::Write(b"docs/na\xc3\xafve \xe6\x97\xa5\xe6\x9c\xac\xe8\xaa\x9e\ttab.md", "breit: 日本語\n".as_bytes()),
                Change::Write(b"docs/right\xe2\x80\xaegnp.exe", b"a name that reads backwards\n"),
                // The file systems of macOS refuse it.
                #[cfg(target_os = "linux")]
                Change::Write(b"docs/caf\xe9.md", b"a name that is not UTF-8\n"),
            ],
            ..Commit::after(START_S + 2 * DAY_S, TIP)
        }],
        uncommitted: &[Change::Write(b"docs/\x1b[31mred.md", HOSTILE_TEXT)],
        ..Shadow::new(
            "tideline-wt/fix\u{202e}gnp-\u{1b}[31m-typo",
            Head::Branch("wt/fix\u{202e}gnp/typo"),
            TIP,
            12 * 60,
        )
    },
];
