//! What the message-level rungs have in common: who is active, who wants, what is counted, what is too large.

mod activation;
mod figures;
mod limit;

pub use activation::{ActiveBlocks, ActiveNodes, Wanting};
pub use figures::Figures;
pub use limit::{MemoryLimit, TooLarge};
