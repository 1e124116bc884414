# Everyday commands; `just` lists them. Each is plain cargo underneath.

default:
    @just --list

# format, lints, tests: what a change must pass
check:
    cargo fmt --check
    cargo clippy --locked --all-targets -- -D warnings
    cargo test --locked

# the same as the merge gate, the demo run included
ci:
    .ci/run

# the cockpit on a throw-away repository
demo:
    cargo run --locked --release -- demo

# figures beside plain git, on shadows made in a clone of REPOSITORY
bench REPOSITORY:
    cargo build --locked --release --examples
    cargo bench --locked --bench list -- {{ REPOSITORY }}

# reading large diffs in a terminal, beside less, delta, tig, tuicr, gitui and a bare program, on shadows made in a clone of REPOSITORY
bench-screen REPOSITORY ROUNDS="5":
    cargo build --locked --release --examples
    cargo bench --locked --bench screen -- {{ REPOSITORY }} {{ ROUNDS }}

# kills and refusals at every system call of every write (EVERY-th point); needs strace and time
faults EVERY="1":
    cargo bench --locked --bench faults -- {{ EVERY }}

# a git that hangs at each git process (EVERY-th) of every write, before its work and after it; takes an hour
hangs EVERY="1":
    HANGS_EVERY={{ EVERY }} cargo test --locked --test it -- --nocapture hangs

# many processes and agents at once on 64 shadows, from SEED; then a look that nothing was lost
campaign SEED="1" OPERATIONS="40":
    CAMPAIGN_SEED={{ SEED }} CAMPAIGN_SHADOWS=64 CAMPAIGN_OPERATIONS={{ OPERATIONS }} cargo test --locked --release --test it -- --nocapture concurrency

# CASES random shadows on random screens: no panic, nothing obeyed, every changed line reached by keys
fuzz CASES="2000":
    PROPTEST_CASES={{ CASES }} cargo test --locked --release --test it -- --nocapture fuzz_review

# CASES random conflicts chosen place by place, and as many whole histories by side: all as git makes it; takes half an hour
fuzz-conflicts CASES="2000":
    PROPTEST_CASES={{ CASES }} cargo test --locked --release --test it -- --nocapture every_choice_is_what one_side_everywhere

# a minute of looking at 50 worktrees beside an agent's git; no index changes, no lock is made
footprint SECONDS="60":
    FOOTPRINT_SECONDS={{ SECONDS }} cargo test --locked --release --test it -- --nocapture footprint

# list, diff and landings of a real repository compared with git's own, in a copy
oracle REPOSITORY SEED="1":
    cargo run --locked --release --example oracle -- {{ REPOSITORY }} {{ SEED }}

# the patch of every commit of REPOSITORY's history, made of our hunks: applied by git, and counted as git counts
history REPOSITORY:
    HISTORY_REPOSITORY={{ REPOSITORY }} cargo test --locked --release --test it -- --nocapture history::

# draws what the README shows into screenshots/
screenshots:
    cargo run --locked --release --example screenshots

# licences, advisories and sources of every dependency
deny:
    cargo deny check
