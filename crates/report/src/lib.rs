//! The output of acrasin, made from plain data: records, tables, plots, films.
//!
//! The results of a run are a [`record::RunRecord`]: ordered sections of figures, rendered as text, CSV or JSON lines.
//! Counts over time are a [`series::Series`], which [`plot`] draws as SVG. [`summary::Distribution`] has exact
//! statistics of integer samples.
//!
//! Nothing in this crate draws random values, reads a clock, writes a file or depends on the terminal: equal data
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
//! | module | contents |
//! |---|---|
//! | [`value`] | one figure or cell, and the formatting of numbers |
//! | [`summary`] | distributions of integer samples, means over repetitions |
//! | [`table`] | columns and rows as text, CSV or JSON lines |
//! | [`record`] | the record of a run, and figures over repetitions |
//! | [`rows`] | reads rows that were written |
//! | [`series`] | counts over time in bounded memory |
//! | [`spans`] | the intervals in which nodes are in their critical sections |
//! | [`film`] | the configurations of a run over time, compressed |
//! | [`observer`] | counters that observe a run |
//! | [`escape`] | escapes text for a terminal, JSON or XML |
//! | [`colours`] | the colours of plots and films |
//! | [`plot`] | a series, spans of time, or values of many runs as an SVG picture |

pub mod colours;
pub mod curves;
pub mod escape;
pub mod film;
mod layout;
pub mod observer;
// Pages draw their own plots.
#[cfg(not(target_family = "wasm"))]
pub mod plot;
pub mod record;
pub mod rows;
pub mod series;
pub mod spans;
pub mod summary;
pub mod table;
pub mod value;
