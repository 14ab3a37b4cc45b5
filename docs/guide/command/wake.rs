use acrasin::amoebot::algorithm::description::{Description, Facts, Placement};
use acrasin::amoebot::library::entry::{AlgorithmEntry, Construction, Needs};
use acrasin::amoebot::start::Contracted;
use acrasin::amoebot::{ActionError, ActionOrder, Algorithm, Convention, Effects, System, View};
use acrasin::prelude::*;

/// The memory of an amoebot: asleep, or its number of hops from the seed.
type Memory = Option<u32>;

struct Wake;

/// The guarded actions, written as if one amoebot acted at a time. There is one, so its label is `()`.
impl Algorithm for Wake {
    type Memory = Memory;
    type Action = ();

    fn actions(&self) -> &[()] {
        &[()]
    }

    fn order(&self) -> ActionOrder {
        ActionOrder::AsListed
    }

    /// The guard: the amoebot sleeps, and a neighbour is awake.
    fn enabled(&self, (): (), a: &View<'_, Memory>) -> bool {
        a.own().is_none() && a.any_neighbour(|b| b.memory.is_some())
    }

    /// The operations: one more hop than the nearest neighbour that is awake.
    fn execute(
        &self,
        (): (),
        a: &View<'_, Memory>,
        _: &mut dyn Choices,
    ) -> Result<Effects<Memory>, ActionError> {
        let nearest = a.neighbours().filter_map(|b| *b.memory).min();
        Ok(Effects::none().write_own(nearest.map(|hops| hops + 1)))
    }

    /// The conventions of the concurrency framework that the algorithm keeps. Only then are concurrent runs sound.
    fn conventions(&self) -> &'static [Convention] {
        Convention::ALL
    }
}

/// The description for runs, records and pictures.
impl Description for Wake {
    type Memory = Memory;
    type Algorithm = Self;

    fn algorithm(&self) -> &Self {
        self
    }

    fn facts(&self) -> Facts<'_> {
        Facts {
            states: &["asleep", "awake"],
            // A quantity of its own, which the record has at the end and over time.
            measures: &["hops"],
            is_static: true,
            ..Facts::default()
        }
    }

    fn state(&self, memory: &Memory) -> usize {
        usize::from(memory.is_some())
    }

    fn start(&self, placement: &Placement) -> Result<System<Memory>, String> {
        let start = Contracted::new(&placement.cells, &placement.orientations).with_seed(placement.seed);
        let system = start.system(|id| (id.index() == placement.seed).then_some(0));
        system.map_err(|error| error.to_string())
    }

    fn is_finished(&self, system: &System<Memory>) -> bool {
        system.ids().all(|id| system.memory(id).is_some())
    }

    fn measure(&self, system: &System<Memory>) -> Vec<u64> {
        vec![system.ids().filter_map(|id| *system.memory(id)).max().unwrap_or(0).into()]
    }
}

/// The entry of the catalogue.
pub(crate) const WAKE: AlgorithmEntry = AlgorithmEntry {
    name: "Wake",
    title: "waking up",
    summary: "amoebots: all wake up, and count their hops from the seed",
    parameters: &[],
    needs: Needs { seed: true, ..Needs::NOTHING },
    read: |_| Ok(Construction::algorithm(Wake)),
};
