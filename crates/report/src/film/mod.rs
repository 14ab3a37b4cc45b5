//! Films: the configurations of a run over time, as key frames and differences, compressed and indexed.
//! `crates/view/FILM.md` describes the format.
//!
//! | module | contents |
//! |---|---|
//! | `head` | the description of a film: columns, positions, index of the chunks |
//! | `configuration` | one frame: values of columns, edges, messages in transit |
//! | `number` | numbers and words as bytes, for reading and writing |
//! | `parts` | the differences between frames, split by type |
//! | `write` | [`FilmWriter`]: writes frames |
//! | `halved` | drops every second frame while a film is written |
//! | `words` | a configuration as text and JSON |
//! | `drawing` | [`FrameDrawing`]: configurations as SVG |
//! | `colouring` | the meaning of the colours |
//! | `shape` | colour and shape of a class of nodes |
//! | `hull` | the convex hull of discs: lock sets |
//! | `damaged` | errors of reading a film |
//! | `read` | [`Film::frames`]: reads frames |

mod colouring;
mod configuration;
mod damaged;
mod drawing;
mod halved;
mod head;
mod hull;
mod number;
mod parts;
mod read;
mod shape;
mod words;
mod write;

pub use colouring::ColumnColours;
pub use configuration::{FrameConfiguration, Message, NodeValue};
pub use damaged::Damaged;
pub use drawing::{FrameDrawing, NODES_MAX};
pub use head::{Chunk, ColumnKind, CountSeries, Head, NodeColumn, NodePositions};
pub use hull::{hull_of_discs, is_inside};
pub use read::{Frame, Frames};
pub use write::{CHANGED, Film, FilmWriter, FrameChange, FrameEvents, GRANTED, VIOLATED, in_base64};
