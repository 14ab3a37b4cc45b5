//! `topology`: a graph family of the catalogue, or a file or trace.

use acrasin_engine::{Lattice, LatticeKind};
use acrasin_graphs::family::FamilyForm;
use acrasin_graphs::{Family, GraphParameterError};
use acrasin_protocols::uniform::TorusShape;
use serde::Deserialize as _;

use crate::document::quantity::Seed;
use crate::document::{ScenarioFields, TopologySource};
use crate::{Catalogue, Document, DocumentError};

/// The topology of the scenario, resolved.
pub(crate) enum ChosenTopology {
    /// A family, with its own seed if one is written.
    Family(Family, Option<u64>),
    Other(TopologySource),
}

impl ChosenTopology {
    /// Resolves the topology, and returns its fields with defaults.
    pub(crate) fn new<S>(
        document: &Document<S>,
        catalogue: &Catalogue,
    ) -> Result<(Self, ScenarioFields), DocumentError> {
        let refused = |failure| document.refused(failure);
        if let Some(topology) = document.topology() {
            let topology = topology.map_err(refused)?;
            let written = ScenarioFields::of(&topology);
            return Ok((Self::Other(topology), written));
        }
        let choice = document.choice("topology");
        let entry = choice.find(catalogue.families().entries(), TopologySource::NAMES).map_err(refused)?;
        let further: &[&str] = if entry.draws { &["seed"] } else { &[] };
        let chosen = choice.chosen(entry, further).map_err(refused)?;
        let mut fields = chosen.fields();
        let mut seed: Option<Seed> = None;
        if let [field] = chosen.further[..] {
            if let Some(field) = field {
                seed = Option::deserialize(field).map_err(|failure| refused(failure.at_node(field.node)))?;
            }
            fields = fields.and("seed", ScenarioFields::of(&seed));
        }
        let family = entry.of(chosen.values).map_err(|error| document.misfit("topology", &error))?;
        Ok((Self::Family(family, seed.map(|seed| seed.0)), fields))
    }

    /// Whether every agent can interact with every other one.
    pub(crate) fn is_complete(&self) -> bool {
        matches!(self, Self::Family(family, _) if family.entry().form == FamilyForm::Complete)
    }

    /// The shape of the ring or torus, if the graph is one.
    pub(super) fn torus_shape(&self) -> Option<TorusShape> {
        let Self::Family(family, _) = self else { return None };
        let count = |parameter| u32::try_from(family.values().count_of(parameter)).ok();
        let shape = match family.entry().form {
            FamilyForm::Ring => TorusShape::Ring { nodes: count("nodes")? },
            FamilyForm::Rows { is_triangular: false, is_torus: true } => {
                TorusShape::Torus { rows: count("rows")?, columns: count("columns")? }
            }
            _ => return None,
        };
        shape.is_sound().then_some(shape)
    }

    /// The torus for bit-sliced rounds, if the graph is a torus that they support.
    pub(super) fn lattice(&self) -> Option<Lattice> {
        let (Self::Family(family, _), Some(kind)) = (self, self.lattice_kind()) else { return None };
        let side = |parameter| u32::try_from(family.values().count_of(parameter)).ok();
        Lattice::new(kind, side("columns")?, side("rows")?).ok()
    }

    /// The kind of torus, if the graph is a lattice whose sides a torus can have.
    pub(super) fn lattice_kind(&self) -> Option<LatticeKind> {
        let Self::Family(family, _) = self else { return None };
        match family.entry().form {
            FamilyForm::Rows { is_triangular: false, is_torus: true } => Some(LatticeKind::Square),
            FamilyForm::Rows { is_triangular: true, is_torus: true } => Some(LatticeKind::Triangular),
            _ => None,
        }
    }

    /// Whether the graph changes with time.
    pub(super) fn is_trace(&self) -> bool {
        matches!(self, Self::Other(topology) if topology.is_trace())
    }
}

/// Converts an error of a graph family or mobility model about a parameter. The new error points at the parameter in
/// the scenario.
pub(crate) fn refused<S>(document: &Document<S>, model: &str, error: &GraphParameterError) -> DocumentError {
    let path = format!("topology.{}", error.parameter());
    let place = if document.locate(&path).is_some() { path.as_str() } else { "topology" };
    let message = format!("{model} with {} = {}", error.parameter(), error.found());
    document.error(place, message).accepting(error.accepted())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::document::quantity::{Count, NonNegative, Positive};
    use crate::document::topology::{ContactFormat, Duplicates, GraphFormat, SelfContacts, Unsorted};

    fn chosen(topology: &str) -> (ChosenTopology, ScenarioFields) {
        let text = format!("(topology: {topology}, scheduler: Sequential, work: Idle)");
        let document = Document::parse(&text, "small.ron").unwrap();
        ChosenTopology::new(&document, &Catalogue::shipped()).unwrap_or_else(|error| panic!("{error}"))
    }

    fn other(topology: &str) -> TopologySource {
        match chosen(topology) {
            (ChosenTopology::Other(topology), written) => {
                assert_eq!(written, ScenarioFields::of(&topology));
                topology
            }
            (ChosenTopology::Family(..), _) => panic!("{topology} is no family"),
        }
    }

    #[test]
    fn families_with_their_parameters() {
        for (topology, name, size, own) in [
            ("Torus(rows: 6, columns: 7)", "Torus", (42, 84), None),
            ("Gnp(nodes: 1e3, probability: 0.01, seed: 7)", "Gnp", (1000, 5000), Some(7)),
            ("BarabasiAlbert(nodes: 50, links: 2)", "BarabasiAlbert", (50, 100), None),
            ("RandomGeometric(nodes: 50, radius: 2, seed: None)", "RandomGeometric", (50, 1250), None),
        ] {
            let (ChosenTopology::Family(family, seed), _) = chosen(topology) else { panic!("{topology}") };
            assert_eq!((family.entry().name, seed), (name, own));
            assert_eq!((family.size().nodes, family.size().edges), size, "{topology}");
        }
    }

    #[test]
    fn what_is_no_family() {
        assert_eq!(
            other(r#"File(path: "a.mtx", format: MatrixMarket)"#),
            TopologySource::File { path: "a.mtx".into(), format: Some(GraphFormat::MatrixMarket) }
        );
        assert_eq!(
            other(
                r#"Contacts(path: "w.gz", format: Instants(resolution: 20), duplicates: Merge,
                self_contacts: Drop, unsorted: Sort, rounds_per_step: 40)"#,
            ),
            TopologySource::Contacts {
                path: "w.gz".into(),
                format: ContactFormat::Instants { resolution: Count(20) },
                duplicates: Duplicates::Merge,
                self_contacts: SelfContacts::Drop,
                unsorted: Unsorted::Sort,
                rounds_per_step: Count(40),
            }
        );
        assert_eq!(
            other(
                "Mobility(nodes: 75, side: 50, range: 3, speed: (0.5, 1.5), pause: 0, step: 20, \
                 duration: 3600, rounds_per_step: 40)"
            ),
            TopologySource::Mobility {
                nodes: Count(75),
                side: Positive(50.0),
                range: Positive(3.0),
                speed: (Positive(0.5), Positive(1.5)),
                pause: NonNegative(0.0),
                step: Positive(20.0),
                duration: Positive(3600.0),
                rounds_per_step: Count(40),
                seed: None,
            }
        );
    }

    /// The list of names equals the names that the type reads.
    #[test]
    fn the_names_are_those_of_the_type() {
        let document =
            Document::parse("(topology: Fil, scheduler: Sequential, work: Idle)", "n.ron").unwrap();
        let error = document.refused(document.choice("topology").read::<TopologySource>().unwrap_err());
        assert_eq!(error.accepted(), Some(&*TopologySource::NAMES.join(", ")));
    }
}
