//! What `--help` says after the flags: exit codes and examples.

pub(super) const MAIN_HELP: &str = "\
Exit codes:
  0  done, or read; also when what was read is a conflict
  1  failed, and nothing is half-done
  2  wrong usage
  3  it would conflict: nothing was changed, the files are named
  4  refused: nothing was changed, the reason and what to do next are named

Examples:
  shadowdeck list
  shadowdeck -C ../api diff fix-login --stat
";

pub(super) const SYNC_HELP: &str = "\
A merge is of commits: what is uncommitted in the shadow stays as it lies, and stops it where the merge would
write the same file. No hook runs; landing asks them all. Files are merged by the target's attributes, as a landing
merges them.

Exit codes: 0 merged, 1 failed with nothing half-done, 3 it would conflict, 4 refused; `shadowdeck --help`
lists them all.

Examples:
  shadowdeck sync fix-login
  shadowdeck sync fix-login --with-resolutions
";

pub(super) const RADAR_HELP: &str = "\
All that the shadows hold is compared, uncommitted work included, two at a time: also the order to land in that
it suggests goes by pairs.
";

pub(super) const LAND_HELP: &str = "\
Exit codes: 0 landed, 1 failed with nothing half-done, 3 it would conflict, 4 refused; `shadowdeck --help`
lists them all.

Examples:
  shadowdeck land fix-login --dry-run
  shadowdeck land fix-login --strategy squash -m 'Fix the login' --yes
";

pub(super) const DISCARD_HELP: &str = "\
Exit codes: 0 discarded, 1 failed with nothing half-done, 4 refused; `shadowdeck --help` lists them all.

Examples:
  shadowdeck discard old-charts
  shadowdeck discard --stale --yes
";

pub(super) const UNDO_HELP: &str = "\
Exit codes: 0 taken back, 1 failed with nothing half-done, 4 refused; `shadowdeck --help` lists them all.

Examples:
  shadowdeck undo
  shadowdeck log, then shadowdeck undo 01JD5W8Q --yes
";
