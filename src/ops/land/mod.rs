//! Landing: planned in the object store alone, shown, then carried out as one prepared transaction.
//! A plan touches nothing that the user sees; only `carry_out` does, and only what was confirmed.

mod carry_out;
mod guard;
mod merged;
mod message;
mod partial;
mod plan;
mod rebase;
mod rehearse;
mod remarks;
mod result;

pub use carry_out::{carry_out, carry_out_watched, find_holder, land_approved};
pub use message::{MESSAGE_CHARS_MAX, refuse_invalid as refuse_invalid_message};
pub use plan::{plan, refuse_untrusted};
pub(super) use rebase::replay_now;
pub(super) use result::commit_tree;
