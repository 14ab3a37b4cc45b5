//! Tasks: the code that a node runs with exclusive access to its closed neighbourhood.

use acrasin_runtime::section::{CriticalSection, Locked};

use crate::draw::NodeDraws;

/// The critical section of a node in a wave. Unlike a critical section of the runtime, a task gets no list of members,
/// so that all its code can be inlined.
///
/// [`SectionTask`] makes a task of any [`CriticalSection`].
///
/// ```
/// use acrasin_engine::draw::NodeDraws;
/// use acrasin_engine::waves::{Held, WaveTask, TaskWaves};
/// use acrasin_engine::{Draws, Lattice, LatticeKind};
///
/// /// Takes one from each neighbour that has something.
/// struct Gather;
///
/// impl WaveTask for Gather {
///     type State = u32;
///     type Outcome = u32;
///     fn enter<H: Held<State = u32>>(&self, held: &mut H, _draws: &mut NodeDraws) -> u32 {
///         let mut gathered = 0;
///         for port in 1..=held.ports() {
///             if let Some(neighbour) = held.neighbour_mut(port) {
///                 gathered += (*neighbour).min(1);
///                 *neighbour = neighbour.saturating_sub(1);
///             }
///         }
///         *held.own_mut() += gathered;
///         gathered
///     }
/// }
///
/// let torus = Lattice::new(LatticeKind::Square, 10, 10)?;
/// let mut states = vec![1; 100];
/// let mut waves = TaskWaves::new(torus, Draws::new(1));
/// let wave = waves.run(0, &Gather, &mut states);
/// assert_eq!(wave.entered, 100);
/// assert_eq!(states.iter().sum::<u32>(), 100);
/// # Ok::<(), acrasin_engine::network::LatticeError>(())
/// ```
pub trait WaveTask: Sync {
    /// The state of a node.
    type State: Clone + Send + Sync;
    /// The result of an entry, reported to the [`Journal`](super::Journal).
    type Outcome: Send;

    /// Whether the node enters its critical section. Evaluated on the states at the node's turn.
    fn wants<H: Held<State = Self::State>>(&self, _held: &H) -> bool {
        true
    }

    /// Runs the section of the node, alone with its neighbours.
    ///
    /// The effects must be a function of `held` and `draws`. Anything else that it reads or writes would depend on
    /// which nodes run at the same time.
    fn enter<H: Held<State = Self::State>>(&self, held: &mut H, draws: &mut NodeDraws) -> Self::Outcome;
}

/// Exclusive access to the state of a node, and to the states of its neighbours by port.
pub trait Held {
    /// The state of a node.
    type State;

    /// The highest port. Neighbours are on ports in `1..=ports()`, not necessarily on all of them.
    fn ports(&self) -> u16;

    /// The state of the node itself.
    fn own(&self) -> &Self::State;

    /// The state of the node itself, mutably.
    fn own_mut(&mut self) -> &mut Self::State;

    /// The state of the neighbour on `port`, if there is one.
    fn neighbour(&self, port: u16) -> Option<&Self::State>;

    /// The state of the neighbour on `port`, mutably, if there is one.
    fn neighbour_mut(&mut self, port: u16) -> Option<&mut Self::State>;

    /// The number of neighbours. Cost: O(ports) if some ports can be without an edge.
    fn degree(&self) -> u16;

    /// The port of the `nth` neighbour, by increasing port, counted from 0; `None` if there are fewer. Cost: O(ports)
    /// if some ports can be without an edge.
    fn nth_port(&self, nth: u16) -> Option<u16> {
        (1..=self.ports()).filter(|&port| self.neighbour(port).is_some()).nth(usize::from(nth))
    }

    /// Runs `section` with this access, converted to the runtime's type [`Locked`].
    fn locked<R>(&mut self, section: impl FnOnce(&mut Locked<'_, Self::State>) -> R) -> R;
}

/// A [`CriticalSection`] of the runtime as a task. An entry takes 20 to 60 ns longer than with a section written as a
/// task.
#[derive(Clone, Copy, Debug)]
pub struct SectionTask<'a, C>(pub &'a C);

impl<C> WaveTask for SectionTask<'_, C>
where
    C: CriticalSection + Sync,
    C::State: Send + Sync,
    C::Outcome: Send,
{
    type State = C::State;
    type Outcome = C::Outcome;

    #[inline]
    fn wants<H: Held<State = C::State>>(&self, held: &H) -> bool {
        self.0.wants(held.own(), held.degree())
    }

    #[inline]
    fn enter<H: Held<State = C::State>>(&self, held: &mut H, draws: &mut NodeDraws) -> C::Outcome {
        held.locked(|locked| self.0.enter(locked, draws))
    }
}
