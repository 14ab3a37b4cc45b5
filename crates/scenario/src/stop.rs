//! Stop conditions of a user's crate.
//!
//! A condition is one entry of the catalogue: its name, its parameters, and the function that makes it. The list `stop`
//! of a population scenario can then contain it, alongside the built-in conditions.
//!
//! ```
//! use acrasin_catalogue::parameter::{Parameter, ParameterError, ParameterKind};
//! use acrasin_process::{Condition, StopCondition};
//! use acrasin_scenario::stop::StopEntry;
//! use acrasin_scenario::{Catalogue, Document, Plan};
//!
//! /// This number of agents or more are in one state.
//! struct Many {
//!     state: usize,
//!     agents: u64,
//! }
//!
//! impl Condition for Many {
//!     fn holds(&self, counts: &[u64]) -> bool {
//!         counts[self.state] >= self.agents
//!     }
//! }
//!
//! const MANY: StopEntry = StopEntry {
//!     name: "Many",
//!     summary: "this number of agents are in one state",
//!     parameters: &[
//!         Parameter::required("state", ParameterKind::Text, "the state"),
//!         Parameter::required("agents", ParameterKind::Count, "the number of agents"),
//!     ],
//!     make: |values, scene| {
//!         let state = scene.state("state", values.text("state").unwrap_or_default())?;
//!         Ok(StopCondition::of_counts(Many { state, agents: values.count_of("agents") }))
//!     },
//! };
//!
//! let catalogue = Catalogue::shipped().with_stop(MANY)?;
//! let text = r#"(
//!     topology: Complete(nodes: 100),
//!     scheduler: Sequential,
//!     work: Interactions(protocol: Library(name: "two-way-epidemic"), initial: Counts({"I": 1, "S": 99})),
//!     stop: [Many(state: "I", agents: 40)],
//! )"#;
//! let document = Document::parse(text, "many.ron")?;
//! assert!(Plan::with_catalogue(&catalogue, &document, "".as_ref()).is_ok());
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

use acrasin_catalogue::parameter::{Parameter, ParameterError, Values};
use acrasin_catalogue::{Entry, EntryCatalogue};
use acrasin_process::StopCondition;

/// A catalogue entry of a stop condition: its name and parameters.
#[derive(Clone, Copy, Debug)]
pub struct StopEntry {
    /// The name in scenarios.
    pub name: &'static str,
    /// A summary of one line.
    pub summary: &'static str,
    /// The parameters, in display order.
    pub parameters: &'static [Parameter],
    /// Makes the condition from the values of its parameters. Required parameters are present, and each value has the
    /// kind of its parameter. An error is reported at the position of its parameter.
    pub make: fn(&Values, StopScene<'_>) -> Result<StopCondition, ParameterError>,
}

/// Stop conditions by name. The catalogue has no built-in ones: those are part of the file format.
pub type Stops = EntryCatalogue<StopEntry>;

impl Entry for StopEntry {
    const KIND: &'static str = "a stop condition";

    fn shipped() -> Vec<Self> {
        Vec::new()
    }

    fn name(&self) -> &'static str {
        self.name
    }

    fn parameters(&self) -> &'static [Parameter] {
        self.parameters
    }
}

/// Facts about the run that a stop condition ends.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct StopScene<'a> {
    /// The names of the states, in the order in which they are counted. A run without a protocol has none.
    pub states: &'a [String],
}

impl StopScene<'_> {
    /// The position of a state among the counts.
    ///
    /// # Errors
    ///
    /// There is no such state. The error is about the parameter that names it.
    pub fn state(&self, parameter: &'static str, name: &str) -> Result<usize, ParameterError> {
        self.states.iter().position(|state| state == name).ok_or_else(|| {
            let error = ParameterError::new(parameter, format!("there is no state `{name}`"));
            if self.states.is_empty() {
                return error.accepting("a run with a protocol: work: Interactions(…)");
            }
            error.accepting(self.states.join(", "))
        })
    }
}
