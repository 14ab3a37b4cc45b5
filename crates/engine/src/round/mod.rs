//! Parts shared by the rungs that run messages: activation, calls to Lock, counters and memory limits.

mod activation;
mod figures;
mod limit;

pub use activation::{ActiveBlocks, ActiveNodes, Wanting};
pub use figures::Figures;
pub use limit::{MemoryLimit, TooLarge};
