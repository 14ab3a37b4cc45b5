//! Films: the configurations of a run at its moments, as key frames and differences, compressed, with an index. The format is
//! described in `crates/view/FILM.md`.
//!
//! | module | what |
//! |---|---|
//! | `head` | what is filmed: columns, positions, index of the chunks |
//! | `configuration` | one moment: values of columns, edges, messages under way |
//! | `number` | numbers and words as bytes, both ways |
//! | `write` | [`FilmWriter`]: frame after frame |
//! | `words` | a configuration as text and JSON |
//! | `drawing` | a configuration as SVG |
//! | `damaged` | what is wrong with a film that is read |
//! | `read` | [`Film::frames`]: the frames again, and what is damaged |

mod configuration;
mod damaged;
mod drawing;
mod head;
mod number;
mod read;
mod words;
mod write;

pub use configuration::{Configuration, Message, Value};
pub use damaged::Damaged;
pub use drawing::{NODES_MAX, drawing};
pub use head::{Chunk, Column, Counts, Head, Kind, Picture};
pub use read::{Frame, Frames};
pub use write::{CHANGED, Film, FilmWriter, GRANTED, Happened, Operation, VIOLATED};
