//! Which conventions of the concurrency framework hold for which algorithms.

use acrasin_amoebot::AmoebotId;
use acrasin_amoebot::algorithm::Convention;
use acrasin_amoebot::check::Scope;
use acrasin_amoebot::check::conditions::{Conventions, EXAMPLES_MAX, conventions};
use acrasin_amoebot::library::energy_sharing::EnergyRates;
use acrasin_amoebot::library::{basic_shape, binary_counter, energy_sharing, forest, hexagon};
use acrasin_amoebot::run::execution::{SequentialExecution, UniformEnabled};
use acrasin_amoebot::{
    ActionError, ActionOrder, Algorithm, Amoebot, AmoebotPort, BasicShape, BinaryCounter, Body, Boundary,
    Cell, Chirality, ChiralityAgreement, Coating, ConvexHull, Direction, Effects, EnergyDistribution,
    EnergySharing, Erosion, Forest, ForestRepair, ForestWalk, Hexagon, LocalCompression,
    MaximalIndependentSet, Movement, Orientation, Shape, System, TokenElection, UniversalCoating, View,
    enabled_actions, explore, start,
};
use acrasin_runtime::Seeded;
use acrasin_runtime::choice::Choices;

use Convention::{Monotonicity, PhaseStructure, Static, Validity};

const STATES_MAX: usize = 1 << 20;

fn shapes(n: usize) -> Vec<Vec<Cell>> {
    Shape::all_connected(n).unwrap().iter().map(|shape| shape.cells().to_vec()).collect()
}

/// Whether the only fault is this: idle amoebots follow "some" neighbour, here the first, and an arriving amoebot can
/// be the first.
fn only_whom_to_follow_differs(found: &Conventions<hexagon::Memory>) -> bool {
    found.aborted == 0
        && found.not_monotone == found.examples.len()
        && found.examples.iter().all(|(state, id)| {
            let system = state.system();
            system.memory(*id).state == hexagon::State::Idle && {
                let view = View::new(&system, *id);
                enabled_actions(&Hexagon, view).eq([hexagon::Action::Alpha2])
            }
        })
}

#[test]
fn hexagon_formation_meets_the_conventions_except_the_followed_neighbour() {
    let mut not_monotone = Vec::new();
    for n in 1..=4 {
        let starts = shapes(n)
            .into_iter()
            .flat_map(|cells| (0..n).map(move |seed| Hexagon::start(&cells, seed, &[]).unwrap()));
        let found = conventions(&Hexagon, starts, STATES_MAX).unwrap();
        assert!(only_whom_to_follow_differs(&found), "{n}: {found:?}");
        assert!(n < 4 || found.compared > 600, "newcomers were compared: {}", found.compared);
        not_monotone.push(found.not_monotone);
    }
    assert_eq!(not_monotone, [0, 0, 0, 9]);
}

#[test]
fn basic_shapes_meet_the_conventions_except_the_followed_neighbour() {
    for form in [basic_shape::TargetShape::Line, basic_shape::TargetShape::Triangle] {
        let algorithm = BasicShape { form };
        let starts = shapes(4)
            .into_iter()
            .flat_map(|cells| (0..4).map(move |seed| BasicShape::start(&cells, seed, &[]).unwrap()));
        let found = conventions(&algorithm, starts, STATES_MAX).unwrap();
        assert!(found.compared > 300 && only_whom_to_follow_differs(&found), "{form:?}: {found:?}");
    }
}

#[test]
fn where_no_amoebot_moves_there_are_no_newcomers() {
    let erosion = shapes(4).into_iter().map(|cells| Erosion::start(&cells, &[]).unwrap());
    let found = conventions(&Erosion, erosion, STATES_MAX).unwrap();
    assert!(found.are_met() && found.compared == 0 && found.states > 44);
    let independent = shapes(4).into_iter().map(|cells| MaximalIndependentSet::start(&cells, &[]).unwrap());
    assert!(conventions(&MaximalIndependentSet, independent, STATES_MAX).unwrap().are_met());
}

/// The algorithm counts free cells, so an amoebot that enters one changes the effects.
#[test]
fn local_compression_is_not_monotone() {
    // λ = 1: moves are allowed or not, and nothing else is drawn.
    let algorithm = LocalCompression::new(1.0).unwrap();
    let starts = shapes(3).into_iter().map(|cells| LocalCompression::start(&cells, &[]).unwrap());
    let found = conventions(&algorithm, starts, STATES_MAX).unwrap();
    assert_eq!(found.aborted, 0);
    assert!(found.not_monotone > 0 && found.not_monotone < found.compared);
    assert!(found.examples.len() == EXAMPLES_MAX.min(found.not_monotone));
}

#[test]
fn too_many_states_are_an_error() {
    let starts = shapes(3).into_iter().map(|cells| Hexagon::start(&cells, 0, &[]).unwrap());
    assert!(conventions(&Hexagon, starts, 10).is_err());
}

/// The conventions that are declared but violated, and those that hold in all these systems but are not declared.
fn faults<A: Algorithm<Memory: Send + Sync> + Sync>(
    algorithm: &A,
    starts: impl IntoIterator<Item = System<A::Memory>>,
) -> Vec<(Convention, &'static str)> {
    let found = conventions(algorithm, starts, STATES_MAX).expect("few states");
    assert!(found.states > 1);
    let declared = algorithm.conventions();
    let broken = found.broken(declared).into_iter().map(|convention| (convention, "is not met"));
    let hidden = Convention::ALL.iter().filter(|convention| !declared.contains(convention));
    let hidden = hidden.filter(|convention| found.meets(**convention));
    broken.chain(hidden.map(|convention| (*convention, "is not declared"))).collect()
}

/// Orientations that turn from one amoebot to the next, every second one mirrored.
fn assorted(n: usize) -> Vec<Orientation> {
    let frames: Vec<Orientation> = Orientation::all().collect();
    (0..n).map(|i| frames[(i * 7) % frames.len()]).collect()
}

fn line(first: Cell, direction: Direction, n: usize) -> Vec<Cell> {
    start::line(first, direction, n).unwrap()
}

fn hexagons(n: usize) -> Vec<System<hexagon::Memory>> {
    let of =
        |cells: Vec<Cell>| (0..n).map(|seed| Hexagon::start(&cells, seed, &[]).unwrap()).collect::<Vec<_>>();
    shapes(n).into_iter().flat_map(of).collect()
}

/// Four contracted amoebots in a run of hexagon formation. In this state an arriving amoebot changes the effects, and
/// few other states are reachable from it.
fn late_hexagon() -> System<hexagon::Memory> {
    let mut best = None;
    for (seed, start) in hexagons(4).into_iter().enumerate() {
        let mut execution = SequentialExecution::new(&Hexagon, start);
        while !execution.has_terminated() {
            let system = execution.system();
            let found = conventions(&Hexagon, [system.clone()], STATES_MAX).expect("few states");
            if found.meets(Monotonicity) {
                break;
            }
            let is_better = best.as_ref().is_none_or(|(states, _)| found.states < *states);
            if is_better && system.ids().all(|id| system.body(id).is_contracted()) {
                best = Some((found.states, system.clone()));
            }
            execution.run(1, &mut UniformEnabled, &mut Seeded::new(seed as u64));
        }
    }
    best.expect("hexagon formation is not monotone").1
}

/// Energy sharing without the two counters for the ledger, which are never read. Without them there are fewer states.
struct NoLedger(EnergySharing);

impl Algorithm for NoLedger {
    type Memory = energy_sharing::Memory;
    type Action = energy_sharing::Action;
    fn actions(&self) -> &[energy_sharing::Action] {
        self.0.actions()
    }
    fn order(&self) -> ActionOrder {
        self.0.order()
    }
    fn enabled(&self, action: energy_sharing::Action, view: &View<'_, energy_sharing::Memory>) -> bool {
        self.0.enabled(action, view)
    }
    fn execute(
        &self,
        action: energy_sharing::Action,
        view: &View<'_, energy_sharing::Memory>,
        choices: &mut dyn Choices,
    ) -> Result<Effects<energy_sharing::Memory>, ActionError> {
        let effects = self.0.execute(action, view, choices)?;
        assert_eq!(effects.movement(), None);
        Ok(effects.writes().iter().fold(Effects::none(), |effects, (port, memory)| {
            let memory = energy_sharing::Memory { harvested: 0, uses: 0, ..*memory };
            match port {
                Some(port) => effects.write(*port, memory),
                None => effects.write_own(memory),
            }
        }))
    }
    fn conventions(&self) -> &'static [Convention] {
        self.0.conventions()
    }
}

#[test]
fn the_library_declares_what_holds() {
    let root = [AmoebotId(0)];
    let cells = |n| shapes(n).into_iter();
    let mut table = Vec::new();
    let mut row = |name, faults: Vec<(Convention, &'static str)>| table.push((name, faults));

    row("hexagon", faults(&Hexagon, hexagons(4)));
    for form in [
        basic_shape::TargetShape::Line,
        basic_shape::TargetShape::Triangle,
        basic_shape::TargetShape::Hexagon,
    ] {
        let of = |cells: Vec<Cell>| {
            (0..4).map(|seed| BasicShape::start(&cells, seed, &[]).unwrap()).collect::<Vec<_>>()
        };
        row("basic shape", faults(&BasicShape { form }, cells(4).flat_map(of)));
    }
    row("erosion", faults(&Erosion, cells(4).map(|cells| Erosion::start(&cells, &assorted(4)).unwrap())));
    row("forest", faults(&Forest, cells(4).map(|cells| Forest::start(&cells, &root, &assorted(4)).unwrap())));
    let walk = ForestWalk::new(&[1, 3, 4]).unwrap();
    row(
        "forest walk",
        faults(&walk, cells(4).map(|cells| walk.start(&cells, root[0], &assorted(4)).unwrap())),
    );
    let starts = cells(4).map(|cells| Forest::start(&cells, &root, &assorted(4)).unwrap());
    let forests = explore(&Forest, starts, Forest::is_finished, Scope::default()).unwrap().finals;
    // Restarted with another crashed amoebot each time.
    let crashed = forests.iter().flat_map(|forest| {
        let not_root = (0..4).filter(|id| *forest.system().memory(AmoebotId(*id)) != forest::Memory::Root);
        not_root
            .map(|id| ForestRepair::start(&forest.system(), &[AmoebotId(id)]).unwrap())
            .collect::<Vec<_>>()
    });
    row("forest repair", faults(&ForestRepair, crashed));
    row(
        "maximal independent set",
        faults(
            &MaximalIndependentSet,
            cells(4).map(|cells| MaximalIndependentSet::start(&cells, &assorted(4)).unwrap()),
        ),
    );
    row(
        "chirality",
        faults(
            &ChiralityAgreement,
            cells(4).map(|cells| ChiralityAgreement::start(&cells, 0, &assorted(4)).unwrap()),
        ),
    );
    row("boundary", faults(&Boundary, cells(4).map(|cells| Boundary::start(&cells, &[]).unwrap())));
    row(
        "token election",
        faults(&TokenElection, cells(2).map(|cells| TokenElection::start(&cells, &[]).unwrap())),
    );

    use binary_counter::CounterOperation::{Decrement, Increment, TestZero};
    let operations = [Increment, Decrement, TestZero, Increment, Increment, Decrement, Increment];
    let counter = BinaryCounter::start(&line(Cell::ORIGIN, Direction::East, 4), 2, &operations, &[]);
    row("binary counter", faults(&BinaryCounter, counter));

    let sharing = EnergySharing::new(EnergyRates { capacity: 2, transfer: 1, demand: 1 }).unwrap();
    let triples = cells(3).map(|cells| EnergySharing::start(&cells, &root, &[]).unwrap());
    row("energy sharing", faults(&NoLedger(sharing), triples));
    let distribution = EnergyDistribution::new(Hexagon, 1, |_| 1).unwrap();
    let late = distribution.start(&late_hexagon(), &[0]).unwrap();
    let paid = hexagons(2).into_iter().map(|hexagon| distribution.start(&hexagon, &[0]).unwrap());
    row("energy distribution of hexagon", faults(&distribution, paid.chain([late])));
    let distribution = EnergyDistribution::new(Erosion, 1, |_| 1).unwrap();
    let paid = cells(3).map(|cells| distribution.start(&Erosion::start(&cells, &[]).unwrap(), &[0]).unwrap());
    row("energy distribution of erosion", faults(&distribution, paid));

    // The first neighbour by the ports depends on the orientation.
    let wall = line(Cell::new(-20, -1).unwrap(), Direction::East, 40);
    let turned = Orientation::all().filter(|frame| frame.chirality == Chirality::Standard);
    let beside = turned.flat_map(|frame| {
        let standing = |cells: Vec<Cell>| {
            let lowest = cells.iter().map(|cell| cell.y()).min().unwrap();
            let up = |cell: &Cell| cell.translated(0, -lowest).unwrap();
            Coating::start(&cells.iter().map(up).collect::<Vec<_>>(), &wall, &[frame; 3]).unwrap()
        };
        cells(3).map(standing).collect::<Vec<_>>()
    });
    row("coating", faults(&Coating, beside));
    let object = [Cell::ORIGIN];
    let round = cells(3).flat_map(|cells| {
        let around = Cell::ORIGIN.neighbours().flat_map(|beside| {
            let to = |cell: &Cell, near: &Cell| {
                cell.translated(beside.x() - near.x(), beside.y() - near.y()).unwrap()
            };
            let moved = |near| cells.iter().map(|cell| to(cell, near)).collect::<Vec<_>>();
            cells.iter().map(moved).collect::<Vec<_>>()
        });
        around.filter(|cells| !cells.contains(&Cell::ORIGIN)).collect::<Vec<_>>()
    });
    let starts = round.map(|cells| UniversalCoating::start(&cells, &object, &[]).unwrap());
    row("universal coating", faults(&UniversalCoating, starts));
    let arm = (1..=6).map(|x| Cell::new(x, 0).unwrap()).collect::<Vec<_>>();
    row("convex hull", faults(&ConvexHull, [ConvexHull::start(&arm, &object, 0, &[]).unwrap()]));

    // λ = 1: moves are allowed or not, and nothing else is drawn.
    let compression = LocalCompression::new(1.0).unwrap();
    let triples = cells(3).map(|cells| LocalCompression::start(&cells, &[]).unwrap());
    row("local compression", faults(&compression, triples));

    let wrong: Vec<_> = table.iter().filter(|(_, faults)| !faults.is_empty()).collect();
    assert!(wrong.is_empty(), "{wrong:#?}");
}

/// An algorithm with other declared conventions.
struct Claims<'a, A>(&'a A, &'static [Convention]);

impl<A: Algorithm> Algorithm for Claims<'_, A> {
    type Memory = A::Memory;
    type Action = A::Action;
    fn actions(&self) -> &[A::Action] {
        self.0.actions()
    }
    fn order(&self) -> ActionOrder {
        self.0.order()
    }
    fn enabled(&self, action: A::Action, view: &View<'_, A::Memory>) -> bool {
        self.0.enabled(action, view)
    }
    fn execute(
        &self,
        action: A::Action,
        view: &View<'_, A::Memory>,
        choices: &mut dyn Choices,
    ) -> Result<Effects<A::Memory>, ActionError> {
        self.0.execute(action, view, choices)
    }
    fn conventions(&self) -> &'static [Convention] {
        self.1
    }
}

/// Expands to the first port, free or not.
struct Bump;

impl Algorithm for Bump {
    type Memory = ();
    type Action = ();
    fn actions(&self) -> &[()] {
        &[()]
    }
    fn order(&self) -> ActionOrder {
        ActionOrder::AsListed
    }
    fn enabled(&self, (): (), view: &View<'_, ()>) -> bool {
        view.is_contracted()
    }
    fn execute(&self, (): (), _: &View<'_, ()>, _: &mut dyn Choices) -> Result<Effects<()>, ActionError> {
        Ok(Effects::none().then(Movement::Expand(AmoebotPort::head(1))))
    }
}

#[test]
fn false_declarations_are_caught() {
    let pairs = || {
        let contracted = |cell: &Cell| Amoebot {
            body: Body::contracted(*cell),
            orientation: Orientation::COMMON,
            memory: (),
        };
        shapes(2).into_iter().map(move |cells| System::new(cells.iter().map(contracted).collect()).unwrap())
    };
    assert_eq!(
        faults(&Bump, pairs()),
        [(PhaseStructure, "is not declared"), (Monotonicity, "is not declared")]
    );
    assert_eq!(faults(&Claims(&Bump, Convention::FRAMEWORK), pairs()), [(Validity, "is not met")]);

    let compression = LocalCompression::new(1.0).unwrap();
    let triples = || shapes(3).into_iter().map(|cells| LocalCompression::start(&cells, &[]).unwrap());
    assert_eq!(faults(&compression, triples()), []);
    assert_eq!(
        faults(&Claims(&compression, Convention::ALL), triples()),
        [PhaseStructure, Monotonicity, Static].map(|convention| (convention, "is not met"))
    );

    assert_eq!(faults(&Claims(&Hexagon, Convention::FRAMEWORK), hexagons(4)), [(Monotonicity, "is not met")]);
    // Among three amoebots none sees a newcomer that is not the first neighbour; hence the four above.
    assert_eq!(faults(&Claims(&Hexagon, Convention::FRAMEWORK), hexagons(3)), []);
    let erosion = || shapes(3).into_iter().map(|cells| Erosion::start(&cells, &[]).unwrap());
    let hidden = faults(&Claims(&Erosion, &[Validity]), erosion());
    assert_eq!(hidden, [PhaseStructure, Monotonicity, Static].map(|other| (other, "is not declared")));
}

#[test]
fn nothing_is_declared_unless_it_is_said() {
    assert_eq!(Bump.conventions(), []);
    assert_eq!(Erosion.conventions(), Convention::ALL);
    assert_eq!(Hexagon.conventions(), Convention::NOT_MONOTONE);
    assert!(Convention::FRAMEWORK.iter().all(|convention| Convention::ALL.contains(convention)));
}
