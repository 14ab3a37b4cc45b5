//! Deliberately wrong rule sets: a check that cannot fail shows nothing.
//!
//! [`catalogue`] lists them. Each is the shipped algorithm behind [`Wrong`], which changes as little as possible around
//! it: a message is not sent, a guard is another, a report of the detector is thrown away, the body of one action is
//! another. The shipped code has no switch for any of them. With each goes a small instance that shows it, what a
//! checker must find there, and how many configurations that takes.
//!
//! | file | what |
//! |---|---|
//! | `fault.rs` | [`Fault`]: everything that can be wrong |
//! | `action_run.rs` | one execution of an action, for a fault to do otherwise |
//! | `rules.rs` | [`Wrong`], the rules with one [`Fault`] |
//! | `entry.rs` | [`Entry`]: a fault with its instance and its [`Consequence`] |
//! | `catalogue.rs` | the list of all |
//! | `setting.rs` | [`Setting`]: the instances, as constants |
//! | `messages.rs` | messages that are not sent; repairs that are missing |
//! | `guards.rs` | inverted, early and missing guards |
//! | `cleanup.rs` | clean-up that is missing, late, incomplete or done twice |
//! | `initiator.rs` | wrong bodies of Algorithm 1 |
//! | `participant.rs` | wrong bodies of Algorithm 2 |
//! | `specimen.rs` | [`Specimen`]: a fault of another algorithm, where it shows, and how |
//! | `tree_token.rs`, `critical_section.rs` | the wrong rule sets of these two: [`TOKEN_FAULTS`], [`SECTION_FAULTS`] |
//! | `worlds.rs` | [`WrongWorld`]: right rules in a world whose steps are not atomic; `configuration.rs` takes it apart |
//!
//! Left out, because they are the right rules in disguise: the lowest priority wins (priorities are uniform), the lock is
//! cleared before CleanUp in ReceiveRelease (CleanUp only clears it too), R is not cleared in one of the two places that
//! clear it, a set-lock is ignored while the lock is set (it never comes then: spec 2.4).

mod action_run;
mod catalogue;
mod cleanup;
mod configuration;
mod critical_section;
mod entry;
mod fault;
mod guards;
mod initiator;
mod messages;
mod participant;
mod rules;
mod setting;
mod specimen;
mod tree_token;
mod worlds;

pub use catalogue::catalogue;
pub use critical_section::{SECTION_FAULTS, SectionFault, SectionInstance, WrongSections};
pub use entry::{Consequence, Entry};
pub use fault::{CleanUpFault, Fault, GuardFault, InitiatorFault, ParticipantFault, Variable};
pub use rules::{Deviation, Wrong, shipped, with_fault, without_fault};
pub use setting::Setting;
pub use specimen::{Found, Specimen};
pub use tree_token::{TOKEN_FAULTS, TokenFault, TokenInstance, WrongToken};
pub use worlds::{WorldFault, WrongWorkbench, WrongWorld};
