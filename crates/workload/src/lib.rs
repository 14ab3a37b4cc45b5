//! What `acrasin bench` runs: the workloads of the lock layer and of amoebots, their naive counterparts, and what memory
//! alone costs.
//!
//! Everything measured is compiled here, once, for concrete types. A [`Work`] does the same amount of work in every
//! sample; how much is a constant of the workload and the size, never tuned from a clock, so the digest at the end is a
//! function of workload, size, seed and number of samples.
//!
//! | module | what |
//! |---|---|
//! | `catalogue` | [`FAMILIES`], and the [`groups`] of rows that were asked for |
//! | `row` | [`Ask`], [`Row`] |
//! | `work` | [`Work`], and what is [`Counted`] |
//! | `lock_rounds` | M1 to M4: the lock protocol, message by message |
//! | `exclusions` | T1 and C1: the token along a tree, local critical sections |
//! | `tasks`, `partner`, `mutexes`, `cell` | L1 and P6: critical sections without messages |
//! | `pairs` | P1 to P4: uniform pairs without locks |
//! | `tables` | P7: a protocol as a table, without messages and with all of them |
//! | `amoebots` | A1 to A3: chain M, hexagon formation, other algorithms |
//! | `acting` | algorithms one amoebot at a time, in waves, in tiles |
//! | `hexagon_loop` | hexagon formation as one would write it for this algorithm alone |
//! | `graph` | random regular graphs |
//! | `memory` | the floor under every figure |

mod acting;
mod amoebots;
mod catalogue;
mod cell;
mod exclusions;
mod graph;
mod hexagon_loop;
mod lock_rounds;
mod memory;
mod mutexes;
mod pairs;
mod partner;
mod row;
mod tables;
mod tasks;
mod work;

pub use catalogue::{FAMILIES, groups};
pub use lock_rounds::WARM_UP;
pub use memory::{Floor, MemoryTimes};
pub use row::{Ask, AskError, Family, Group, Row};
pub use work::{Counted, Unit, Work};
