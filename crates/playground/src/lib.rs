//! The simulator as a WebAssembly module of a page. The module consists of the same crates as the command, so equal
//! seeds give equal digests.
//!
//! The page and the module communicate through one buffer, see [`exports`]. Requests and answers are types of [`run`],
//! which can also be used without a page:
//!
//! ```
//! use acrasin_playground::run::{Request, answer};
//!
//! let text = "(seed: 1, topology: Ring(nodes: 5), scheduler: Sequential, work: Locks(each: 1))";
//! let asked: Request = serde_json::from_value(serde_json::json!({ "text": text })).unwrap();
//! let told = answer(&asked, |_| ());
//! assert_eq!(told.exit, 0, "{told:?}");
//! assert!(told.digest.is_some());
//! ```

#![warn(missing_docs)]

pub mod exports;
pub mod run;
