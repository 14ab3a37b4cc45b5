//! Tests of the reference scenario, and of every form of every field.

use std::collections::BTreeMap;
use std::num::NonZeroU32;

use acrasin_runtime::exclusion::local::{Action, Local};
use acrasin_runtime::scheduler::{Scheduler as _, Sequential};
use acrasin_runtime::{
    Choices, Decision, Demand, LockOnly, LockSetRule, Seeded, Setup, Timing, Topology, World,
};
use acrasin_scenario::document::lock::{LockRules, LockSet, PortCount, PriorityCount, SelfMessageSetting};
use acrasin_scenario::document::protocol::{
    GroupRuleSetting, MissingSetting, ProtocolSource, WrittenParameter, WrittenRule,
};
use acrasin_scenario::document::quantity::{Count, Integer, NodeName, Probability, Seed};
use acrasin_scenario::document::rung::RungSetting;
use acrasin_scenario::document::scheduler::{Disturbance, FairnessSetting};
use acrasin_scenario::document::stop::{SampleInterval, Stop, StopSetting};
use acrasin_scenario::document::work::{Initial, Partners, Repeats, Work};
use acrasin_scenario::scheduler::Schedulers;
use acrasin_scenario::{Catalogue, Document};

const REFERENCE: &str = include_str!("../reference.ron");

/// A small scenario in which one field is added or replaced.
fn with(field: &str) -> Document {
    let name = field.split(':').next().unwrap();
    let mut text = String::from("(");
    for default in ["topology: Ring(nodes: 5)", "scheduler: Sequential", "work: Idle"] {
        if !default.starts_with(name) {
            text += &format!("{default}, ");
        }
    }
    text += &format!("{field})");
    Document::parse(&text, "small.ron").unwrap_or_else(|error| panic!("{error}"))
}

#[test]
fn the_reference_has_every_field() {
    let document = Document::parse(REFERENCE, "reference.ron").unwrap_or_else(|error| panic!("{error}"));
    let scenario = document.scenario();
    assert_eq!(scenario.title.as_deref(), Some("Approximate majority on a torus"));
    assert_eq!(scenario.seed, Some(Seed(42)));
    assert_eq!(scenario.topology.text(), "Torus(rows: 6, columns: 6)");
    assert_eq!(scenario.ports, PortCount::Auto);
    assert_eq!(scenario.lock, Default::default());
    assert_eq!(scenario.rung, RungSetting::F4);
    assert_eq!(scenario.scheduler.text(), "SemiSynchronous(activation: Random(0.5))");
    assert_eq!(scenario.fairness, FairnessSetting::Auto);
    assert_eq!(
        scenario.disturbances,
        [
            Disturbance::Churn { rate: Probability(0.001) },
            Disturbance::Swizzle { links: Count(4), every: Count(200) }
        ]
    );
    let Work::Interactions { protocol: ProtocolSource::Table(table), way, initial } = &scenario.work else {
        panic!("the reference work is a table of interactions");
    };
    assert_eq!(table.states, ["A", "B", "U"]);
    assert_eq!(table.outputs["U"], "none");
    assert_eq!(table.inputs, ["A", "B"]);
    assert_eq!(table.rules[2], WrittenRule::OneWay("B + U -> B + B".into()));
    assert_eq!((table.default, table.group), (Some(MissingSetting::Null), GroupRuleSetting::EachOnce));
    assert_eq!(*way, Partners::AnyLocked);
    let shares = [("A".to_owned(), Probability(0.6)), ("B".to_owned(), Probability(0.4))];
    assert_eq!(*initial, Initial::Shares(BTreeMap::from(shares)));
    assert_eq!(scenario.stop.len(), 7);
    assert_eq!(scenario.stop[1], StopSetting::Word(Stop::OutputsStable));
    assert_eq!(scenario.stop[5], StopSetting::Word(Stop::Interactions(Count(1_000_000))));
    assert_eq!(scenario.limits.steps, Some(Count(1_000_000_000)));
    assert_eq!(scenario.observe.counts_every, Some(SampleInterval::Rounds(Count(10))));
}

/// The file is valid RON for every reader, not only for this crate.
#[test]
fn the_reference_is_read_by_the_ron_crate() {
    let value: ron::Value = ron::from_str(REFERENCE).unwrap();
    let ron::Value::Map(map) = value else { panic!("a scenario is a struct") };
    assert_eq!(map.len(), 13);
}

/// Two draws, a node and then one of its steps, instead of one draw over all enabled actions. The reference, the list
/// and the scheduler agree on this.
#[test]
fn sequential_draws_a_node_and_then_a_step() {
    let line = REFERENCE.lines().find(|line| line.trim_start().starts_with("//   Sequential ")).unwrap();
    let summary = Schedulers::shipped().find("Sequential").unwrap().summary;
    assert!(line.ends_with("one step at a time, of a uniformly chosen node that has one enabled"), "{line}");
    assert!(summary.ends_with("a uniformly chosen node takes one of its enabled steps"), "{summary}");

    /// A source of choices that records each question and always picks the last option.
    struct Asked(Vec<(Decision, u32)>);

    impl Choices for Asked {
        fn pick(&mut self, bound: NonZeroU32, why: Decision) -> u32 {
            self.0.push((why, bound.get()));
            bound.get() - 1
        }
    }

    let mut world = World::new(Setup {
        exclusion: Local::new(4),
        section: LockOnly,
        topology: Topology::from_edges(3, 2, &[(0, 1), (1, 2)]).unwrap(),
        states: vec![Demand::Forever; 3],
        lock_set: LockSetRule::Neighbourhood,
        timing: Timing::AtOnce,
    });
    let (mut scheduler, mut several) = (Sequential::<Action>::new(), 0);
    for _ in 0..200 {
        let mut asked = Asked(Vec::new());
        let mut turn = Vec::new();
        scheduler.plan(&world, &mut asked, &mut turn);
        let active = world.active().len() as u32;
        assert_eq!(asked.0[0], (Decision::Activation, active));
        assert!(asked.0[1..].iter().all(|(why, _)| *why != Decision::Activation), "{:?}", asked.0);
        assert_eq!(turn[0].actor(), world.active().last().copied());
        several += u32::from(asked.0.iter().any(|&(why, bound)| why == Decision::Action && bound > 1));
        world.apply(&turn[0], &mut Seeded::new(1), &mut ()).unwrap();
    }
    assert!(several > 0, "no node had several steps");
}

/// Every field of the schema is in the reference, and every word of every enum is mentioned.
#[test]
fn the_reference_mentions_every_word() {
    for word in [
        "Path",
        "Ring",
        "Star",
        "Complete",
        "Grid",
        "Torus",
        "Triangular",
        "TriangularTorus",
        "RandomRegular",
        "Gnp",
        "BarabasiAlbert",
        "RandomGeometric",
        "UniformTree",
        "File",
        "Contacts",
        "Mobility",
        "EdgeList",
        "Metis",
        "MatrixMarket",
        "Graph6",
        "Dot",
        "Instants",
        "Intervals",
        "Merge",
        "Drop",
        "Sort",
        "Published",
        "Mixed",
        "Neighbourhood",
        "Pair",
        "InMemory",
        "F1",
        "F2",
        "F3",
        "F4",
        "RoundRobin",
        "Asynchronous",
        "Waves",
        "NewestFirst",
        "Starve",
        "RandomPriorities",
        "Within",
        "Unbounded",
        "Library",
        "Randomised",
        "SymmetricRandomised",
        "Maximum",
        "Mean",
        "PickedPair",
        "Group",
        "All",
        "Nodes",
        "Forever",
        "Idle",
        "Steps",
        "callers",
        "rest",
    ] {
        assert!(mentioned(word), "{word}");
    }
    assert!(!mentioned("Publish"), "a part of a word is not the word");
}

/// Whether the reference contains the word, not only as a part of another one.
fn mentioned(word: &str) -> bool {
    REFERENCE.split(|letter: char| !letter.is_alphanumeric() && letter != '_').any(|other| other == word)
}

/// Every catalogue entry is in the reference: graphs, algorithms with their inputs, schedulers, adversaries.
#[test]
fn the_reference_mentions_what_the_catalogue_names() {
    let catalogue = Catalogue::shipped();
    for entry in catalogue.families().entries() {
        assert!(mentioned(entry.name), "{}", entry.name);
    }
    for entry in catalogue.schedulers().entries() {
        assert!(mentioned(entry.name), "{}", entry.name);
    }
    for entry in catalogue.adversaries().entries() {
        assert!(mentioned(entry.name), "{}", entry.name);
    }
    for entry in catalogue.exclusions().entries() {
        assert!(mentioned(entry.name), "{}", entry.name);
        for parameter in entry.parameters {
            assert!(mentioned(parameter.name), "{}: {}", entry.name, parameter.name);
        }
    }
}

#[test]
fn locks_rungs_and_fairness() {
    let lock = with("lock: (rules: Published, lock_set: Pair, self_messages: InMemory, priorities: 2)");
    let lock = &lock.scenario().lock;
    assert_eq!((lock.rules, lock.lock_set), (LockRules::Published, LockSet::Pair));
    assert_eq!(
        (lock.self_messages, lock.priorities),
        (SelfMessageSetting::InMemory, PriorityCount::Exactly(2))
    );
    assert_eq!(with("ports: 8").scenario().ports, PortCount::Exactly(8));
    assert_eq!(with("rung: F1").scenario().rung, RungSetting::F1);
    assert_eq!(with("ports: Auto").scenario().rung, RungSetting::F4);
    assert_eq!(with("fairness: Within(1e3)").scenario().fairness, FairnessSetting::Within(Count(1000)));
}

#[test]
fn works() {
    assert_eq!(
        with("work: Locks(each: 1)").scenario().work,
        Work::Locks { each: Repeats::Times(1), callers: None }
    );
    assert_eq!(
        with("work: Locks(each: Forever, callers: [0, 3])").scenario().work,
        Work::Locks { each: Repeats::Forever, callers: Some(vec![NodeName::from(0), NodeName::from(3)]) }
    );
    let library = with(
        r#"work: Interactions(protocol: Library(name: "averaging", parameters: {"m": 7, "x": [1.5, -2, "t", true]}),
            way: PickedPair, initial: Nodes(states: {"I": [0]}, rest: "S"))"#,
    );
    let Work::Interactions { protocol: ProtocolSource::Library { name, parameters }, way, initial } =
        &library.scenario().work
    else {
        panic!("a library protocol was written");
    };
    assert_eq!((name.as_str(), *way), ("averaging", Partners::PickedPair));
    assert_eq!(parameters["m"], WrittenParameter::Integer(7));
    assert_eq!(
        parameters["x"],
        WrittenParameter::List(vec![
            WrittenParameter::Real(1.5),
            WrittenParameter::Integer(-2),
            WrittenParameter::Text("t".into()),
            WrittenParameter::Flag(true)
        ])
    );
    assert_eq!(
        *initial,
        Initial::Nodes { states: BTreeMap::from([("I".into(), vec![NodeName::from(0)])]), rest: "S".into() }
    );
    let table = with(
        r#"work: Interactions(
            protocol: Table((states: ["A"], rules: [Randomised("A + A", [(1, "A + A")])], conserved: [{"A": -3}])),
            initial: Counts({"A": "10^2"}))"#,
    );
    let Work::Interactions { protocol: ProtocolSource::Table(table), initial, .. } = &table.scenario().work
    else {
        panic!("a table was written");
    };
    assert_eq!(table.rules, [WrittenRule::Randomised("A + A".into(), vec![(Count(1), "A + A".into())])]);
    assert_eq!(table.conserved, [BTreeMap::from([("A".into(), Integer(-3))])]);
    assert_eq!(*initial, Initial::Counts(BTreeMap::from([("A".into(), Count(100))]), None));
}

#[test]
fn counts_in_all_forms() {
    for (written, value) in [
        ("0", 0),
        ("1_000_000", 1_000_000),
        ("1e6", 1_000_000),
        ("1.5e3", 1500),
        ("2.50e1", 25),
        ("100e-2", 1),
        ("0e99999999999999999999", 0),
        ("+7", 7),
        ("0x10", 16),
        ("1e18", 1_000_000_000_000_000_000),
        ("123456789012345678e0", 123_456_789_012_345_678),
        (r#""10^6""#, 1_000_000),
        (r#""1e6""#, 1_000_000),
        (r#""1_000_000""#, 1_000_000),
        (r#""2^20""#, 1 << 20),
        (r#""1^99999999999""#, 1),
    ] {
        let document = with(&format!("stop: [Rounds({written})]"));
        assert_eq!(document.scenario().stop, [StopSetting::Word(Stop::Rounds(Count(value)))], "{written}");
    }
    assert_eq!(with("seed: 18446744073709551615").scenario().seed, Some(Seed(u64::MAX)));
}
