//! The notation for steps, for reading and writing: `["lock",u]`, `["recv",u,port,"win",true]`, ...
//!
//! | file | contents |
//! |---|---|
//! | `elements.rs` | short JSON arrays |
//! | `step_codec.rs` | [`StepCodec`]: the notation of an algorithm's own messages and actions |
//! | `step.rs` | steps of any algorithm |
//! | `local.rs`, `tree_token.rs`, `critical_section.rs` | one algorithm each |

mod critical_section;
mod elements;
mod local;
mod step;
mod step_codec;
mod tree_token;

pub use elements::Reading;
pub use step_codec::{Argument, StepCodec};

pub(crate) use elements::Elements;
pub(crate) use step::{WrittenCall, WrittenLockSet, WrittenStep, read_message, write_message, write_step};
