//! The catalogue of graph families by name.

use acrasin_catalogue::parameter::Parameter;

use super::entry::FamilyEntry;
use super::{barabasi_albert, geometric, gnp, lattice, line, regular, tree, triangular};

/// Graph families by name. A program can add families, which scenarios then name like the built-in ones.
pub type FamilyCatalogue = acrasin_catalogue::EntryCatalogue<FamilyEntry>;

impl acrasin_catalogue::Entry for FamilyEntry {
    const KIND: &'static str = "a graph family";

    fn shipped() -> Vec<Self> {
        vec![
            line::PATH,
            line::RING,
            line::STAR,
            line::COMPLETE,
            lattice::GRID,
            lattice::TORUS,
            triangular::TRIANGULAR,
            triangular::TRIANGULAR_TORUS,
            regular::RANDOM_REGULAR,
            gnp::GNP,
            barabasi_albert::BARABASI_ALBERT,
            geometric::RANDOM_GEOMETRIC,
            tree::UNIFORM_TREE,
        ]
    }

    fn name(&self) -> &'static str {
        self.name
    }

    fn parameters(&self) -> &'static [Parameter] {
        self.parameters
    }
}

#[cfg(test)]
mod tests {
    use acrasin_catalogue::parameter::{ParameterValue, Values};

    use super::*;
    use crate::family::{Family, FamilySize};
    use crate::parameter::GraphParameterError;

    /// One of each family with parameters scaled by `times`; with 0, parameters that every family refuses.
    fn each(times: u32) -> Vec<Family> {
        let of = |whole| ParameterValue::Count(u64::from(times * whole));
        let value = |parameter: &Parameter| match parameter.name {
            "nodes" => of(40),
            "rows" => of(5),
            "columns" => of(8),
            "degree" => of(3),
            "links" => of(2),
            "probability" => ParameterValue::Probability(f64::from(times) * 0.1),
            "radius" => ParameterValue::Positive(f64::from(times.max(1)) * 0.2),
            other => panic!("what is {other}?"),
        };
        let family = |entry: &FamilyEntry| {
            let values = entry
                .parameters
                .iter()
                .fold(Values::default(), |values, parameter| values.with(parameter.name, value(parameter)));
            entry.of(values).unwrap()
        };
        FamilyCatalogue::shipped().entries().iter().map(family).collect()
    }

    /// The digests for seed 1. A change here changes every result that uses the family, so the change log must
    /// mention it.
    #[test]
    fn golden_digests() {
        let digests: Vec<String> =
            each(1).iter().map(|family| format!("{:032x}", family.build(1).unwrap().digest())).collect();
        assert_eq!(digests, GOLDEN);
    }

    const GOLDEN: [&str; 13] = [
        "12d949123e0d2cb8cf7ad5c554a12b8f",
        "fe2ff9208c37f8605a3881e2dc1ea86d",
        "dc5ae95adf2ff4c6be339ae679f6deaa",
        "ac2af8dbd5df5e8d04af0f6e95bc4098",
        "d99ab5832f7a9f639dfb14cf131a2613",
        "0a33bae07ddc5710cfeb2f3c8a86b7a5",
        "37d754aa25ae9636931af3525729fe43",
        "4b587ada1176d3dbc384ebb7b46f8dbc",
        "e4b9c5999f490c088c66f75e2748e6d6",
        "8a3d0729b9f12639fa2ab8d20f91c894",
        "e47949d2baecc4fe246a9362d815a869",
        "bb3ef70e96676169475e02aacfe6ce5d",
        "40081846e01957ac47091989abc3c165",
    ];

    /// Memory estimates use these sizes.
    #[test]
    fn no_graph_is_much_larger_than_its_estimate() {
        for family in each(1).into_iter().chain(each(3)) {
            let graph = family.build(1).unwrap();
            let FamilySize { nodes, edges } = family.size();
            assert_eq!(u128::from(graph.nodes()), nodes, "{family:?}");
            let drawn = graph.edges().len() as f64;
            assert!(drawn <= edges as f64 * 1.3 && edges > 0, "{family:?}: {drawn} of about {edges}");
        }
    }

    #[test]
    fn the_seed_matters_exactly_where_the_entry_says() {
        for family in each(1) {
            let (one, two) = (family.build(1).unwrap(), family.build(2).unwrap());
            assert_eq!(one, family.build(1).unwrap());
            assert_eq!(one != two, family.entry().draws, "{family:?}");
        }
    }

    #[test]
    fn every_family_is_named_once_and_as_its_errors_do() {
        let catalogue = FamilyCatalogue::shipped();
        for (entry, wrong) in catalogue.entries().iter().zip(each(0)) {
            assert_eq!(catalogue.entries().iter().filter(|other| other.name == entry.name).count(), 1);
            assert!(entry.parameters.iter().all(|parameter| !parameter.meaning.is_empty()));
            let error: GraphParameterError = wrong.build(0).unwrap_err();
            assert_eq!(error.model(), entry.title);
            assert!(entry.parameters.iter().any(|parameter| parameter.name == error.parameter()));
        }
        assert_eq!(
            catalogue.with(line::RING).unwrap_err().to_string(),
            "there already is a graph family `Ring` (accepted: a new name)"
        );
    }

    #[test]
    fn parameters_are_of_their_kind() {
        let nodes = |value| line::RING.of(Values::default().with("nodes", value)).map(drop);
        assert!(nodes(ParameterValue::Count(3)).is_ok() && line::RING.of(Values::default()).is_err());
        assert_eq!(nodes(ParameterValue::Text("3".into())).unwrap_err().parameter(), "nodes");
        let refused = |probability| {
            let values = Values::default().with("nodes", ParameterValue::Count(3));
            gnp::GNP.of(values.with("probability", ParameterValue::Probability(probability))).is_err()
        };
        assert!(refused(1.5) && refused(f64::NAN) && !refused(1.0));
    }
}
