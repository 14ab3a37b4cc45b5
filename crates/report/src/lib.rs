//! What acrasin prints, made from plain data.
//!
//! A run ends in a [`record::RunRecord`]: ordered sections of figures. Text, CSV and JSON lines are three renderings
//! of that one list. Counts over time are a [`series::Series`], drawn as SVG by [`plot`]. Exact statistics over
//! integer samples come from [`summary::Distribution`].
//!
//! Nothing here draws random values, reads a clock, writes a file or knows about colours of a terminal: equal data
//! gives equal bytes.
//!
//! ```
//! use acrasin_report::record::{Ending, Figure, Manifest, RunRecord, Section, SectionName};
//! use acrasin_report::summary::Distribution;
//! use acrasin_report::value::TextStyle;
//!
//! let trials: Distribution = [1, 1, 2, 3].into_iter().collect();
//! let mut record = RunRecord::new(0, Manifest::new("0.1.0", 42), Ending::Served);
//! let mut locks = Section::of(SectionName::Locks);
//! locks.push(Figure::new("completed", "Locks completed", 4_u64));
//! locks.push(Figure::spread("trials", "trials per Lock", &trials));
//! record.push(locks);
//!
//! assert!(record.to_text(TextStyle::default()).contains("Locks completed"));
//! assert!(record.to_json_line().contains(r#""locks":{"completed":4,"#));
//! ```
//!
//! | module | what it holds |
//! |---|---|
//! | [`value`] | one figure or cell, and how numbers are written |
//! | [`summary`] | distributions of integer samples, means over repetitions |
//! | [`table`] | columns and rows as text, CSV or JSON lines |
//! | [`record`] | the record of a run, and figures over repetitions |
//! | [`rows`] | rows that were written, read back |
//! | [`series`] | counts over time in bounded memory |
//! | [`spans`] | when which node is inside |
//! | [`film`] | the configurations of a run at its moments, compressed |
//! | [`observer`] | what is counted while a run proceeds |
//! | [`escape`] | text from files, made fit for a terminal, JSON or XML |
//! | [`colours`] | the colours of plots and films |
//! | [`plot`] | a series, spans of time, or values of many runs as an SVG picture |

pub mod colours;
pub mod curves;
pub mod escape;
pub mod film;
mod layout;
pub mod observer;
// A page draws its own.
#[cfg(not(target_family = "wasm"))]
pub mod plot;
pub mod record;
pub mod rows;
pub mod series;
pub mod spans;
pub mod summary;
pub mod table;
pub mod value;
