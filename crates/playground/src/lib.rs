//! The simulator inside a page: the same crates, the same seed, the same digest.
//!
//! The page and the module talk through one buffer: [`exports`] says how. What is asked and answered is [`run`]'s, and does not
//! know that it is in a page:
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
