//! Readers of graph files.
//!
//! | module | format | extensions |
//! |---|---|---|
//! | [`edge_list`] | edge list, SNAP | `.txt` `.edges` `.edgelist` `.el` `.csv` `.tsv` |
//! | [`metis`] | METIS | `.graph` `.metis` |
//! | [`matrix_market`] | Matrix Market, coordinate | `.mtx` |
//! | [`graph6`] | graph6, digraph6 | `.g6` `.d6` |
//! | [`dot`] | DOT (Graphviz) | `.dot` `.gv` |
//!
//! Each reads a text, with a name for errors; [`from_path`] reads a file, decompressed if it is gzip. Input is
//! untrusted: anything that is not accepted is a [`ReadError`] with file, line, the offending text and what would be
//! accepted. The limits of [`crate::limits`] hold.
//!
//! Self-loops and repeated edges are dropped and counted in [`ReadNotes`], or are errors where the format forbids them.
//! [`ListedGraph`] keeps directions, weights and repeated edges. Edge lists and DOT can contain positions of nodes
//! ([`Loaded::positions`]).
//!
//! ```
//! use acrasin_graphs::read::edge_list;
//!
//! let loaded = edge_list::parse("# three friends\n10 20\n20 10\n20 30\n30 30\n", "friends.txt")?;
//! assert_eq!(loaded.graph.edges(), [(0, 1), (1, 2)]);
//! assert_eq!(loaded.graph.label(2), "30");
//! assert_eq!((loaded.notes.duplicates_merged, loaded.notes.self_loops_dropped), (1, 1));
//!
//! let error = edge_list::parse("1 2\n3\n", "friends.txt").unwrap_err();
//! assert_eq!(error.line(), Some(2));
//! # Ok::<(), acrasin_graphs::ReadError>(())
//! ```

pub mod dot;
mod dot_token;
pub mod edge_list;
mod error;
mod file;
mod format;
#[cfg(target_family = "wasm")]
mod given;
pub mod graph6;
mod loaded;
pub mod matrix_market;
pub mod metis;
mod names;
mod positions;
mod text;

pub use error::ReadError;
pub use file::open;
pub use format::{FileFormat, from_bytes, from_path, listed_from_path};
#[cfg(target_family = "wasm")]
pub use given::give;
pub use loaded::{EdgeDirections, ListedGraph, Loaded, ReadNotes};
pub use text::{NotText, utf8, without_mark};

pub(crate) use file::bytes_of;
pub(crate) use names::Names;
pub(crate) use text::{Separator, TextLine, text_of};
