//! Films: the configurations of a run at its moments, as key frames and differences, compressed, with an index. The format is
//! described in `crates/view/FILM.md`.
//!
//! | module | what |
//! |---|---|
//! | `head` | what is filmed: columns, positions, index of the chunks |
//! | `configuration` | one moment: values of columns, edges, messages under way |
//! | `number` | numbers and words as bytes, both ways |
//! | `parts` | what leads from frame to frame, apart by what it says |
//! | `write` | [`FilmWriter`]: frame after frame |
//! | `halved` | every second frame of a film that is being written |
//! | `words` | a configuration as text and JSON |
//! | `drawing` | [`Drawing`]: configurations as SVG |
//! | `colouring` | what the colours of a drawing say |
//! | `shape` | colour and shape of a class of nodes |
//! | `hull` | the convex hull of discs: lock sets |
//! | `damaged` | what is wrong with a film that is read |
//! | `read` | [`Film::frames`]: the frames again, and what is damaged |

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

pub use colouring::Colouring;
pub use configuration::{Configuration, Message, Value};
pub use damaged::Damaged;
pub use drawing::{Drawing, NODES_MAX};
pub use head::{Chunk, Column, Counts, Head, Kind, Picture};
pub use hull::{hull_of_discs, is_inside};
pub use read::{Frame, Frames};
pub use write::{CHANGED, Film, FilmWriter, GRANTED, Happened, Operation, VIOLATED, in_base64};
