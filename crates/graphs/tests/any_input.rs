//! Arbitrary bytes: a reader returns a graph or an error, and never panics. Written graphs are read back.

use std::num::NonZeroU32;

use acrasin_graphs::read::{self, FileFormat};
use acrasin_graphs::trace::{self, TraceFormat, TraceOptions};
use acrasin_graphs::{Graph, ReadError, write};
use proptest::prelude::*;

/// Whether an error states the problem and what would be accepted.
fn is_useful(error: &ReadError) -> bool {
    error.to_string().starts_with("input") && !error.problem().is_empty() && !error.accepted().is_empty()
}

fn every_reader(bytes: &[u8]) {
    for (format, ..) in FileFormat::ALL {
        match read::from_bytes(bytes, "input", format) {
            Ok(loaded) => assert!(loaded.graph.nodes() > 0),
            Err(error) => assert!(is_useful(&error)),
        }
        for has_weights in [false, true] {
            let listed = read::utf8(bytes).ok().map(|text| format.list(text, "input", has_weights));
            match listed {
                Some(Ok(listed)) => assert!(listed.arcs(true).len() >= listed.arcs(false).len()),
                Some(Err(error)) => assert!(is_useful(&error)),
                None => {}
            }
        }
    }
    for format in [TraceFormat::ContactList, TraceFormat::Intervals] {
        let strict = TraceOptions::strict(NonZeroU32::MAX);
        let lenient = TraceOptions { sort: true, merge: true, drop_self_contacts: true, ..strict };
        for options in [strict, lenient] {
            match trace::from_bytes(bytes, "input", format, &options) {
                Ok(trace) => assert!(trace.schedule().begins() > 0),
                Err(error) => assert!(is_useful(&error)),
            }
        }
    }
}

fn any_graph() -> impl Strategy<Value = Graph> {
    (2u32..40).prop_flat_map(|nodes| {
        prop::collection::btree_set((0..nodes, 0..nodes), 0..80).prop_map(move |pairs| {
            let mut edges: Vec<(u32, u32)> =
                pairs.into_iter().filter(|(u, v)| u != v).map(|(u, v)| (u.min(v), u.max(v))).collect();
            edges.sort_unstable();
            edges.dedup();
            Graph::new(nodes.into(), edges).unwrap()
        })
    })
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 400, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn bytes(bytes in prop::collection::vec(any::<u8>(), 0..200)) {
        every_reader(&bytes);
    }

    #[test]
    fn text_made_of_what_the_formats_use(
        parts in prop::collection::vec(prop::sample::select(vec![
            "0", "1", "2", "3", "17", "-5", "99999999999999999999", "0.5", " ", " ", "\t", ",", "\n", "\n", "\r\n", "#",
            "%", "%%MatrixMarket matrix coordinate ", "pattern ", "real ", "general\n", "symmetric\n", "~", "?", "D", "~~",
            "graph", "digraph ", "strict ", "subgraph ", "{", "}", "[", "]", "--", "->", ";", "=", ":", "+", "\"", "\\", "<",
            ">", "/*", "*/", "//", "a", "é", "\u{feff}", ">>graph6<<", "&", "\r", "Source", "Target", "weight", "011", "9007199254740992", "-9007199254740992",
        ]), 0..40),
    ) {
        every_reader(parts.concat().as_bytes());
    }

    #[test]
    fn graph6_characters(text in "[?-~]{1,40}") {
        every_reader(text.as_bytes());
    }

    #[test]
    fn graphs_written_as_metis_are_read_back(graph in any_graph()) {
        let loaded = read::from_bytes(write::metis(&graph).as_bytes(), "input", FileFormat::Metis).unwrap();
        prop_assert_eq!(loaded.graph.label(0), "1");
        prop_assert_eq!(loaded.graph.with_labels(None).unwrap(), graph);
    }

    #[test]
    fn graphs_written_as_edge_lists_are_read_back(graph in any_graph(), scale in 1u64..1000) {
        // The nodes with edges, under other names.
        let degrees = graph.degrees();
        let text: String =
            graph.edges().iter().map(|(u, v)| format!("{} {}\n", u64::from(*v) * scale, u64::from(*u) * scale)).collect();
        prop_assume!(!text.is_empty());
        let loaded = read::from_bytes(text.as_bytes(), "input", FileFormat::EdgeList).unwrap();
        prop_assert_eq!(loaded.graph.nodes() as usize, degrees.iter().filter(|&&degree| degree > 0).count());
        prop_assert_eq!(loaded.graph.edges().len(), graph.edges().len());
        let again = write::edge_list(&loaded.graph).unwrap();
        let again = read::from_bytes(again.as_bytes(), "input", FileFormat::EdgeList).unwrap();
        prop_assert_eq!(&again.graph, &loaded.graph);
        prop_assert_eq!(again.notes, read::ReadNotes::default());
        prop_assert_eq!(write::edge_list(&graph).is_err(), degrees.contains(&0));
    }
}
