//! A [`Series`](crate::series::Series) as an SVG line plot; [`Group`]s of runs as points, bands and distributions.
//!
//! The picture depends on the series and the [`PlotOptions`] alone: equal input gives equal bytes, on every platform.
//! Text is set in the reader's sans-serif font; no font file is read, so widths of text are estimates on the safe
//! side.
//!
//! - Axes start at zero for counts, have units, and a power of ten in the name of the axis once numbers are large.
//! - At most [`MAX_DRAWN`] lines are drawn, those with the largest counts; the legend says how many are not.
//! - The seven dark colours of the Okabe-Ito palette and a grey are used (its yellow is hardly visible on white), in the
//!   order of the columns: [`COLOURS`]. From the ninth line on lines carry rings. (Dashes were tried: they cannot be told from a solid line where counts jitter.)

mod axis;
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
