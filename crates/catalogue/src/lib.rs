//! Catalogues of everything that scenarios select by name: protocols, amoebot algorithms, graph families, schedulers,
//! adversaries.
//!
//! Each item is described once, by an [`Entry`] with its name and its parameters. An [`EntryCatalogue`] holds the
//! built-in entries and those that a program adds. Scenario files, lists and error messages read the entries from it. A
//! parameter in a scenario becomes a [`ParameterValue`](parameter::ParameterValue) of the
//! [`ParameterKind`](parameter::ParameterKind) that the entry declares, so an entry needs no code to read it.
//!
//! ```
//! use acrasin_catalogue::{EntryCatalogue, Entry, parameter::{Parameter, ParameterKind, ParameterValue, Values}};
//!
//! #[derive(Clone, Copy)]
//! struct Shape(&'static str);
//!
//! impl Entry for Shape {
//!     const KIND: &'static str = "a shape";
//!
//!     fn shipped() -> Vec<Self> {
//!         vec![Shape("Line"), Shape("Disc")]
//!     }
//!
//!     fn name(&self) -> &'static str {
//!         self.0
//!     }
//!
//!     fn parameters(&self) -> &'static [Parameter] {
//!         const { &[Parameter::required("side", ParameterKind::Count, "how long")] }
//!     }
//! }
//!
//! let catalogue = EntryCatalogue::<Shape>::shipped().with(Shape("Star"))?;
//! assert_eq!(catalogue.find("Star").unwrap().parameters()[0].name, "side");
//! let refused = catalogue.with(Shape("Line")).err().unwrap();
//! assert_eq!(refused.to_string(), "there already is a shape `Line` (accepted: a new name)");
//!
//! let values = Values::default().with("side", ParameterValue::Count(3));
//! assert_eq!(values.checked(Shape("Star").parameters()).unwrap().count_of("side"), 3);
//! # Ok::<(), acrasin_catalogue::NameTaken>(())
//! ```

mod catalogue;
pub mod parameter;
mod words;

pub use catalogue::{Entry, EntryCatalogue, NameTaken};
pub use words::counted;
