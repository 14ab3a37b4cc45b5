//! The workloads of `acrasin bench`: locks, uniform pairs and amoebots, the naive loops for comparison, and the cost of
//! memory alone.
//!
//! All measured code is compiled here, once, for concrete types. A [`Workload`] does the same amount of work in every
//! sample. This amount depends only on the workload and the size, not on a clock. The final digest is therefore a
//! function of workload, size, seed and number of samples.
//!
//! | module | content |
//! |---|---|
//! | `catalogue` | [`FAMILIES`], and the [`groups`] of requested rows |
//! | `row` | [`Ask`], [`WorkloadRow`] |
//! | `work` | [`Workload`], and its counters [`SampleCounts`] |
//! | `lock_rounds` | M1 to M4: the lock protocol, message by message |
//! | `exclusions` | T1 and C1: the token on a tree, local critical sections |
//! | `tasks`, `partner`, `mutexes`, `cell` | L1 and P6: critical sections without messages |
//! | `pairs` | P1 to P4: uniform pairs without locks |
//! | `tables` | P7: a protocol as a table, without messages and with all of them |
//! | `amoebots` | A1 to A3: chain M, hexagon formation, other algorithms |
//! | `acting` | algorithms one amoebot at a time, in waves, in tiles |
//! | `hexagon_loop` | hexagon formation as a loop written for this algorithm alone |
//! | `graph` | random regular graphs |
//! | `memory` | the lower bound that memory accesses set on every time |

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
pub use row::{Ask, AskError, WorkloadFamily, WorkloadGroup, WorkloadRow};
pub use work::{SampleCounts, Unit, Workload};
