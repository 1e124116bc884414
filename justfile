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

# kills and refusals at every system call of every write (EVERY-th point); needs strace and time
faults EVERY="1":
    cargo bench --locked --bench faults -- {{ EVERY }}

# list, diff and landings of a real repository compared with git's own, in a copy
oracle REPOSITORY SEED="1":
    cargo run --locked --release --example oracle -- {{ REPOSITORY }} {{ SEED }}

# draws the scenes that the tests look at into screenshots/
screenshots:
    cargo run --locked --release --example screenshots

# licences, advisories and sources of every dependency
deny:
    cargo deny check
