//! A [`Series`](crate::series::Series) as an SVG line plot; [`Group`]s of runs as points, bands and distributions.
//!
//! The picture depends only on the data and the [`PlotOptions`]: equal input gives equal bytes, on every platform. Text
//! uses the sans-serif font of the viewer. No font file is read, so text widths are estimated generously.
//!
//! - Axes of counts start at zero and have units; for large numbers the axis label has a power of ten.
//! - At most [`MAX_DRAWN`] lines are drawn, those with the largest counts; the legend says how many are omitted.
//! - Columns have the [`COLOURS`] in order: the seven dark ones of the Okabe-Ito palette and a grey, because its yellow
//!   is hardly visible on white. From the ninth line on, lines carry rings. (Dashes would look like a solid line where
//!   counts jitter.)
//! - A line that coincides with an earlier one is drawn as dashes over it, with smaller marks, so that both are seen.

mod axis;
mod coincidence;
mod coordinate;
mod frame;
mod group;
mod labels;
mod legend;
mod shares;
mod spans;
mod svg;
mod trace;
mod values;

pub use crate::colours::COLOURS;
pub use axis::Scale;
pub use group::{Band, Group, Scales};
pub use legend::MAX_DRAWN;
pub use shares::shares_svg;
pub use spans::spans_svg;
pub use svg::{PlotError, PlotOptions, plot_svg};
pub use values::values_svg;
