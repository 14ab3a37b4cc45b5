//! A file that holds only a protocol, without a scenario.

use super::Document;
use super::lock::{Lock, Ports};
use super::missing::read_as;
use super::named::Named;
use super::protocol::{Protocol, Table};
use super::rung::Rung;
use super::scenario::Scenario;
use super::scheduler::Fairness;
use super::stop::{Limits, Observe};
use super::work::{Initial, Partners, Work};
use crate::DocumentError;
use crate::text::source::Source;
use crate::text::tree::{Body, Field, Name, Node, Value};

impl Document {
    /// Reads the tree of a protocol alone: `Table(…)`, `Library(…)`, or the fields of a table in parentheses.
    ///
    /// The protocol becomes the work of a synthetic scenario. Errors therefore have the same paths as in a scenario,
    /// and point into the text as written.
    ///
    /// # Errors
    ///
    /// The protocol is not valid; the error has its place.
    pub(crate) fn of_protocol(source: Source, root: Node) -> Result<Self, DocumentError> {
        let is_named = matches!(&root.value, Value::Group { name: Some(_), .. });
        let protocol = if is_named {
            read_as::<Protocol>(&root, source.text())
        } else {
            read_as::<Table>(&root, source.text()).map(Protocol::Table)
        };
        let protocol = protocol.map_err(|failure| source.error(failure))?;
        let root = inside("work", inside("protocol", root));
        Ok(Self::of_parts(source, root, around(protocol)))
    }
}

/// A group of one field around a value; field name and group begin where the value begins.
fn inside(field: &str, value: Node) -> Node {
    let span = value.span.clone();
    let name = Name { text: field.to_owned(), span: value.head() };
    let body = Body::Fields(vec![Field { name, value }]);
    Node { value: Value::Group { name: None, open: span.start, body }, span }
}

/// A synthetic scenario around a protocol, of which only the protocol is used.
fn around(protocol: Protocol) -> Scenario {
    Scenario {
        exclusion: None,
        title: None,
        seed: None,
        topology: Named::unwritten("Complete(nodes: 2)"),
        ports: Ports::default(),
        lock: Lock::default(),
        rung: Rung::default(),
        scheduler: Named::unwritten("Sequential"),
        fairness: Fairness::default(),
        disturbances: Vec::new(),
        faults: Vec::new(),
        work: Work::Interactions { protocol, way: Partners::default(), initial: Initial::All(String::new()) },
        stop: Vec::new(),
        limits: Limits::default(),
        observe: Observe::default(),
    }
}
