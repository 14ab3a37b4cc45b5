//! Joint movements: amoebots push and pull each other through bonds, and all movements of a half happen at once.
//!
//! Every lattice edge between cells of different owners is a bond at the beginning of a half. Each side may release it.
//! A bond keeps its direction and length, so both of its ends move alike. The displacements of all points follow from
//! these demands up to a translation, which an anchor fixes. A half that is not possible is a [`JointConflict`] and has
//! no effect.
//!
//! | module | content |
//! |---|---|
//! | `action` | plans of amoebots |
//! | `bonds` | bonds, the points with which they move, handovers |
//! | `conflict` | the classes of conflicts |
//! | `displacement` | rigid classes and their displacements; blocks of contradictory demands |
//! | `order` | a quick proof that no two edges collide |
//! | `collision` | the exact test whether two edges collide during a half |
//! | `rules` | deviations from the rules |
//! | `half` | one movement half |

mod action;
mod bonds;
mod collision;
mod conflict;
mod displacement;
mod half;
mod order;
mod rules;

pub use action::{Anchor, BondSides, JointAction, JointPlan};
pub use conflict::{BondOwner, ConflictTime, EdgeOwners, JointConflict};
pub use half::{JointFigures, JointMove, move_jointly, move_under};
pub(crate) use half::{bonds_after, move_with};
pub use rules::MovementRules;
