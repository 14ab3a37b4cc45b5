//! Exact order statistics over integer samples, and means over repetitions.
//!
//! Definitions, used everywhere in this crate:
//!
//! - The *median* of n sorted samples is the middle one if n is odd, and the mean of the two middle ones if n is even.
//! - The *q % quantile* is by nearest rank: the smallest sample that at least q % of all samples do not exceed. This is
//!   the sample of rank ⌈q n / 100⌉. It is always one of the samples.
//! - The *standard error* of a mean over n ≥ 2 repetitions is s / √n, with s² the unbiased sample variance.

mod distribution;
mod fit;
mod repetition;

pub use distribution::{Distribution, Spread};
pub use fit::LineFit;
pub use repetition::{MeanWithError, median, quantile};
