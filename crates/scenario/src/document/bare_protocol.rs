//! A file that holds only a protocol, without a scenario.

use super::Document;
use super::catalogue_ref::CatalogueRef;
use super::lock::{LockSettings, PortCount};
use super::missing::read_as;
use super::protocol::{ProtocolSource, ProtocolTable};
use super::rung::RungSetting;
use super::scenario::Scenario;
use super::scheduler::FairnessSetting;
use super::stop::{Observe, RunLimits};
use super::work::{Initial, Partners, Work};
use crate::DocumentError;
use crate::text::source::EffectiveText;
use crate::text::tree::{Field, GroupBody, SpannedName, SpannedNode, SpannedValue};

impl Document {
    /// Reads the tree of a protocol without a scenario: `Table(…)`, `Library(…)`, or the fields of a table in
    /// parentheses.
    ///
    /// The protocol becomes the work of a synthetic scenario. Errors therefore have the same paths as in a scenario,
    /// and point into the text as written.
    ///
    /// # Errors
    ///
    /// The protocol is not valid; the error has the position of the mistake.
    pub(crate) fn of_protocol(source: EffectiveText, root: SpannedNode) -> Result<Self, DocumentError> {
        let is_named = matches!(&root.value, SpannedValue::Group { name: Some(_), .. });
        let protocol = if is_named {
            read_as::<ProtocolSource>(&root, source.text())
        } else {
            read_as::<ProtocolTable>(&root, source.text()).map(ProtocolSource::Table)
        };
        let protocol = protocol.map_err(|failure| source.error(failure))?;
        let root = inside("work", inside("protocol", root));
        Ok(Self::of_parts(source, root, around(protocol)))
    }
}

/// Wraps a value in a group with one field. For errors, the field name and the group have the position of the value.
fn inside(field: &str, value: SpannedNode) -> SpannedNode {
    let span = value.span.clone();
    let name = SpannedName { text: field.to_owned(), span: value.head() };
    let body = GroupBody::Fields(vec![Field { name, value }]);
    SpannedNode { value: SpannedValue::Group { name: None, open: span.start, body }, span }
}

/// A synthetic scenario around a protocol. Its other fields are not used.
fn around(protocol: ProtocolSource) -> Scenario {
    Scenario {
        exclusion: None,
        title: None,
        seed: None,
        topology: CatalogueRef::unwritten("Complete(nodes: 2)"),
        ports: PortCount::default(),
        lock: LockSettings::default(),
        rung: RungSetting::default(),
        scheduler: CatalogueRef::unwritten("Sequential"),
        fairness: FairnessSetting::default(),
        disturbances: Vec::new(),
        faults: Vec::new(),
        work: Work::Interactions { protocol, way: Partners::default(), initial: Initial::All(String::new()) },
        stop: Vec::new(),
        limits: RunLimits::default(),
        observe: Observe::default(),
    }
}
