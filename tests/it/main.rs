//! Tests across the rooms' borders, one module a boundary. Real git is the oracle, the environment is
//! set for each child, every directory is a temporary one; nothing sleeps, retries or is ignored.

#![allow(
    clippy::unwrap_used,
    clippy::panic,
    reason = "a failed expectation of a test is its result"
)]

mod answered;
mod architecture;
mod as_text;
mod behaviour;
mod bursts;
mod cockpit_laws;
mod compare;
mod concurrency;
mod config;
mod conflicts_ask;
mod conflicts_git;
mod conflicts_long;
mod conflicts_pane;
mod conflicts_rebase;
mod conflicts_sides;
mod conflicts_told;
mod create;
mod demo;
#[allow(dead_code, reason = "a hand of tools: not every tool is in use at every commit")]
mod desk;
mod diff_view;
mod discard;
mod doctor;
mod documents;
#[cfg(debug_assertions)]
mod faults;
mod fields;
mod find;
mod first_day;
mod flag_screens;
mod flags;
mod fleet_screens;
#[cfg(target_os = "linux")]
mod footprint;
mod frames;
mod fuzz_review;
mod gate;
mod gc;
#[cfg(debug_assertions)]
mod hangs;
mod headless;
mod history;
mod hooks;
mod keys;
mod land;
mod large;
mod leftovers;
mod list;
mod matrix;
mod mended;
mod notes;
mod partial;
mod peers;
mod pictures;
mod properties;
mod radar;
mod radar_screen;
mod read;
mod reading;
mod reading_scenes;
mod recover;
mod redo;
mod replaced;
mod request;
mod resolve;
mod review_parts;
mod rollback;
#[path = "../scenes/mod.rs"]
#[allow(dead_code, unreachable_pub, reason = "the screenshots use the rest")]
mod scenes;
mod screens_review;
mod settings;
mod sheets;
mod signing;
mod sparse;
mod states;
mod stopping;
mod store;
mod submodules;
#[allow(dead_code, reason = "a hand of tools: not every tool is in use at every commit")]
mod support;
mod sync;
mod sync_sheet;
mod terminal;
mod told;
mod trash;
mod trust;
mod undo;
mod words;
