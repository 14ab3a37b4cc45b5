//! An algorithm of handovers only, which tests every kind of parent port.

use acrasin_amoebot::AmoebotId;
use acrasin_amoebot::library::energy_distribution::Memory;
use acrasin_amoebot::run::execution::{FromFn, Uniform};
use acrasin_amoebot::{
    ActionError, ActionOrder, Adversary, Algorithm, Amoebot, AmoebotPort, Body, Cell, Effects, EnabledSet,
    End, EnergyDistribution, Movement, Orientation, SequentialExecution, System, View,
};
use acrasin_runtime::Seeded;
use acrasin_runtime::choice::Choices;

use super::watch::watched;
use super::{Outer, blob, is_full};

/// The bit that every handover toggles in the partner's memory.
const TOUCHED: u8 = 16;

/// Amoebots hand nodes over as long as they have handovers left. All bits of the memory but one count the remaining
/// handovers. The occupied nodes stay the same.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Jostle;

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Handover {
    Push,
    Pull,
}

/// A neighbour with which the handover is possible: the last one.
fn partner(handover: Handover, a: &View<'_, u8>) -> Option<AmoebotPort> {
    let contracts = handover == Handover::Pull;
    let fits = a.is_contracted() != contracts && !a.own().is_multiple_of(TOUCHED);
    a.neighbours().filter(|b| fits && b.contracted == contracts).last().map(|b| b.port)
}

impl Algorithm for Jostle {
    type Memory = u8;
    type Action = Handover;
    fn actions(&self) -> &[Handover] {
        &[Handover::Push, Handover::Pull]
    }
    fn order(&self) -> ActionOrder {
        ActionOrder::Any
    }
    fn enabled(&self, handover: Handover, a: &View<'_, u8>) -> bool {
        partner(handover, a).is_some()
    }
    fn execute(
        &self,
        handover: Handover,
        a: &View<'_, u8>,
        _: &mut dyn Choices,
    ) -> Result<Effects<u8>, ActionError> {
        let port = partner(handover, a).ok_or(ActionError::Undefined("no amoebot to hand over to"))?;
        // Its write to the partner must survive the writes of energy distribution.
        let theirs = a.read(port)? ^ TOUCHED;
        let movement = match handover {
            Handover::Push => Movement::Push(port),
            Handover::Pull => Movement::Pull(port),
        };
        Ok(Effects::none().write_own(a.own() - 1).write(port, theirs).then(movement))
    }
}

/// A blob with all orientations, in which every third amoebot is expanded if there is room.
pub(crate) fn crowd(n: usize, seed: u64) -> System<u8> {
    let mut free = blob(n, seed);
    let every: Vec<Orientation> = Orientation::all().collect();
    let mut amoebots = Vec::new();
    while let Some(head) = free.pop() {
        let beside = |cell: &Cell| head.direction_to(*cell).is_some();
        let tail = free.iter().position(beside).filter(|_| amoebots.len() % 3 == 0);
        let body = tail.and_then(|tail| Body::expanded(head, free.swap_remove(tail)));
        let orientation = every[(seed as usize + 5 * amoebots.len()) % 12];
        amoebots.push(Amoebot { body: body.unwrap_or(Body::contracted(head)), orientation, memory: 0 });
    }
    for amoebot in &mut amoebots {
        amoebot.memory = 3;
    }
    System::new(amoebots).expect("different cells")
}

pub(crate) fn distribution() -> EnergyDistribution<Jostle> {
    EnergyDistribution::new(Jostle, 4, |handover| match handover {
        Handover::Push => 2,
        Handover::Pull => 3,
    })
    .expect("in range")
}

pub(crate) fn start(distribution: &EnergyDistribution<Jostle>, seed: u64) -> System<Outer<Jostle>> {
    let crowd = crowd(24, seed);
    distribution.start(&crowd, &[0, crowd.len() / 2]).expect("connected")
}

#[test]
fn every_handover_keeps_the_forest() {
    let distribution = distribution();
    let mut pushes = 0;
    for seed in 0..12 {
        let start = start(&distribution, seed);
        let cells = start.cells();
        let run = |activation: &mut dyn FnMut(&EnabledSet, &mut Seeded) -> AmoebotId| {
            let mut own = Seeded::new(seed + 1);
            let mut adversary = FromFn(|enabled: &EnabledSet| activation(enabled, &mut own));
            let end =
                watched(&distribution, &distribution, start.clone(), &mut adversary, &mut Seeded::new(seed));
            let end = end.unwrap_or_else(|fault| panic!("seed {seed}: {fault}"));
            assert_eq!(end.system.cells(), cells);
            assert!(is_full(&distribution, &end.system));
            end.counts
        };
        pushes += run(&mut |enabled, own| Uniform.next(enabled, own)).moves;
        pushes += run(&mut |enabled, _| *enabled.ids().iter().min().expect("an amoebot")).moves;
        pushes += run(&mut |enabled, _| *enabled.ids().iter().max().expect("an amoebot")).moves;
    }
    assert!(pushes > 500, "{pushes}");
}

/// The run ends as without energy distribution: no amoebot can do a further handover.
#[test]
fn handovers_go_on_until_none_is_possible() {
    let distribution = distribution();
    let mut execution = SequentialExecution::new(&distribution, start(&distribution, 5));
    assert!(execution.run(1_000_000, &mut Uniform, &mut Seeded::new(5)));
    let inner = distribution.inner(execution.system());
    assert!(SequentialExecution::new(&Jostle, inner).has_terminated());
}

/// The effects of a push by an amoebot that wrongly keeps its place in the forest; its parent is then next to its tail.
pub(crate) fn unpruned_pusher(
    a: &View<'_, Outer<Jostle>>,
    effects: &Effects<Outer<Jostle>>,
) -> Effects<Outer<Jostle>> {
    let all = effects.writes().iter().fold(Effects::none(), |all, (port, written)| match *port {
        None => {
            let parent = a.own().parent.map(|parent| parent.moved_to(End::Tail));
            all.write_own(Memory { state: a.own().state, parent, ..*written })
        }
        Some(port) => all.write(port, *written),
    });
    effects.movement().into_iter().fold(all, Effects::then)
}
