//! The words for a step, in both directions: `["lock",u]`, `["recv",u,port,"win",true]`, ...
//!
//! | file | what |
//! |---|---|
//! | `elements.rs` | short arrays of words |
//! | `spelling.rs` | [`Spelling`]: what an algorithm says of its own messages and actions |
//! | `step.rs` | steps of any algorithm |
//! | `local.rs`, `tree_token.rs`, `critical_section.rs` | the words of one algorithm each |

mod critical_section;
mod elements;
mod local;
mod spelling;
mod step;
mod tree_token;

pub use elements::Reading;
pub use spelling::{Argument, Spelling};

pub(crate) use elements::Elements;
pub(crate) use step::{Asked, Call, Written, read_message, write_message, write_step};
