//! Deliberately wrong rule sets, to show that the checks can fail.
//!
//! [`catalogue`] lists them. Each rule set is the shipped algorithm in a wrapper, [`Wrong`]. The wrapper suppresses a
//! message, replaces a guard or the body of one action, or drops a report of the detector. The shipped code has no
//! switch for any of these faults. Each entry has a small instance, the consequence that a checker must find there, and
//! the number of configurations needed.
//!
//! | file | contents |
//! |---|---|
//! | `fault.rs` | [`RuleFault`]: everything that can be wrong |
//! | `action_run.rs` | one execution of an action, which a fault can alter |
//! | `rules.rs` | [`Wrong`], the rules with one [`RuleFault`] |
//! | `entry.rs` | [`WrongEntry`]: a fault with its instance and its [`Consequence`] |
//! | `catalogue.rs` | the complete list |
//! | `setting.rs` | [`Setting`]: the instances, as constants |
//! | `messages.rs` | messages that are not sent; repairs that are missing |
//! | `guards.rs` | inverted, early and missing guards |
//! | `cleanup.rs` | clean-up that is missing, late, incomplete or done twice |
//! | `initiator.rs` | wrong bodies of Algorithm 1 |
//! | `participant.rs` | wrong bodies of Algorithm 2 |
//! | `fault_sample.rs` | [`FaultSample`]: a fault of another algorithm, with its instance and consequence |
//! | `tree_token.rs`, `critical_section.rs` | the wrong rule sets of these two: [`TOKEN_FAULTS`], [`SECTION_FAULTS`] |
//! | `worlds.rs` | [`WrongWorld`]: right rules in a world whose steps are not atomic; `configuration.rs` unpacks it |
//!
//! Four faults are left out, because runs cannot differ from those of the right rules. In the first, the lowest
//! priority wins, but priorities are uniform. In the second, ReceiveRelease clears the lock before CleanUp, which could
//! only clear it as well. In the third, only one of the two places that clear R does so. In the fourth, a set-lock is
//! ignored while the lock is set, but none arrives then (spec 2.4).

mod action_run;
mod catalogue;
mod cleanup;
mod configuration;
mod critical_section;
mod entry;
mod fault;
mod fault_sample;
mod guards;
mod initiator;
mod messages;
mod participant;
mod rules;
mod setting;
mod tree_token;
mod worlds;

pub use catalogue::catalogue;
pub use critical_section::{SECTION_FAULTS, SectionFault, SectionInstance, WrongSections};
pub use entry::{Consequence, WrongEntry};
pub use fault::{CleanUpFault, GuardFault, InitiatorFault, ParticipantFault, RuleFault, Variable};
pub use fault_sample::{FaultSample, FaultSearch};
pub use rules::{Deviation, Wrong, shipped, with_fault, without_fault};
pub use setting::Setting;
pub use tree_token::{TOKEN_FAULTS, TokenFault, TokenInstance, WrongToken};
pub use worlds::{WorldFault, WrongWorkbench, WrongWorld};
