//! One macro activation of 512 nodes, without branches.
//!
//! The paper's sets correspond to the following. `P` are the competitors whose priorities are pending, `C` the
//! competitors, `H` the prepares on hold. `R` and `W` are the received replies. None of these sets is stored: they
//! follow from the published bits of the neighbours.

use crate::draw::Stream;

use super::fault::SlicedFault;
use super::lane_counts::LaneCounts;
use super::planes::{
    BITS_MAX, COMPETES, HELD, LANES, LEAVES, LOCK, Lanes, PORTS_MAX, PlaneBlock, PlaneShape, PortSide, SENT,
    TAKES, TOGGLE, back, for_each, side,
};

/// The bits set in at least two of three words.
#[inline(always)]
fn majority(a: u64, b: u64, c: u64) -> u64 {
    a & b | c & (a | b)
}

/// The bits set in at least two of the sets of all ports.
#[inline(always)]
fn several<S: PlaneShape>(sets: [u64; PORTS_MAX]) -> u64 {
    let [a, b, c, d, e, f, g] = sets;
    let (first, carry) = (a ^ b ^ c, majority(a, b, c));
    if S::PORTS == 5 {
        carry | majority(first, d, e)
    } else {
        carry | majority(d, e, f) | majority(first, d ^ e ^ f, g)
    }
}

/// The plane of the eastern neighbours, shifted to the nodes that read it. `next` is the word to the east.
#[inline(always)]
fn from_east<S: PlaneShape>(word: u64, next: u64) -> u64 {
    if S::FAULT.is(SlicedFault::WordsApart) { word >> 1 } else { word >> 1 | next << 63 }
}

/// The plane of the western neighbours, shifted to the nodes that read it. `previous` is the word to the west.
#[inline(always)]
fn from_west(word: u64, previous: u64) -> u64 {
    word << 1 | previous >> 63
}

/// Activates the active nodes of a block once.
///
/// Every block is a separate argument, and the body has no closures. Otherwise the compiler cannot prove that the
/// output does not overlap an input, and does not vectorise the loop.
#[inline(always)]
#[allow(clippy::too_many_arguments)]
pub(super) fn activate<S: PlaneShape, const N: usize>(
    own: &PlaneBlock<N>,
    east: &PlaneBlock<N>,
    west: &PlaneBlock<N>,
    above: &PlaneBlock<N>,
    above_west: &PlaneBlock<N>,
    below: &PlaneBlock<N>,
    below_east: &PlaneBlock<N>,
    active: &Lanes,
    wanting: &Lanes,
    starts: &Lanes,
    priorities: Stream,
    drawn: &[u64; BITS_MAX],
    out: &mut PlaneBlock<N>,
) -> LaneCounts {
    const { assert!(N == S::PLANES) }
    let (mut acting, mut trials, mut releases, mut late) = ([0; LANES], [0; LANES], [0; LANES], [0; LANES]);
    for lane in 0..LANES {
        // A plane of the neighbours on a port, moved to the nodes that read it.
        macro_rules! neighbour_plane {
            ($port:expr, $plane:expr) => {
                match const { side(S::KIND, $port) } {
                    PortSide::Own => own[$plane][lane],
                    PortSide::East => from_east::<S>(own[$plane][lane], east[$plane][lane]),
                    PortSide::West => from_west(own[$plane][lane], west[$plane][lane]),
                    PortSide::Above => above[$plane][lane],
                    PortSide::AboveWest => from_west(above[$plane][lane], above_west[$plane][lane]),
                    PortSide::Below => below[$plane][lane],
                    PortSide::BelowEast => from_east::<S>(below[$plane][lane], below_east[$plane][lane]),
                }
            };
        }
        let active = active[lane];
        let toggle = own[TOGGLE][lane];

        let (mut held, mut competes, mut pending) = ([0; PORTS_MAX], [0; PORTS_MAX], [0; PORTS_MAX]);
        let (mut locks, mut owes, mut candidates) = (0, 0, 0);
        let (mut unanswered, mut victory) = (0, u64::MAX);
        for_each!(PORT of S::PORTS, {
            held[PORT] = neighbour_plane!(PORT, HELD);
            competes[PORT] = neighbour_plane!(PORT, COMPETES);
            let awake = if PORT == 1 && S::FAULT.is(SlicedFault::AsleepReceives) { u64::MAX } else { active };
            pending[PORT] = (neighbour_plane!(PORT, TOGGLE) ^ own[SENT + PORT][lane]) & awake;
            // Set-locks and releases. They alternate within a lock, and no other node's come in between.
            locks |= pending[PORT] & !held[PORT] & !competes[PORT];
            owes |= competes[PORT] & !pending[PORT];
            candidates |= competes[PORT] & held[PORT];
            unanswered |= neighbour_plane!(PORT, SENT + const { back(S::KIND, PORT, S::FAULT) }) ^ toggle;
            if !(PORT == 2 && S::FAULT.is(SlicedFault::OneDefeatForgiven)) {
                victory &= neighbour_plane!(PORT, S::WON + const { back(S::KIND, PORT, S::FAULT) });
            }
        });
        let lock = own[LOCK][lane] ^ locks;
        out[LOCK][lane] = lock;
        candidates = if S::FAULT.is(SlicedFault::HoldsIgnored) { 0 } else { candidates | owes };

        let mut answer = [0; PORTS_MAX];
        let mut too_late = 0;
        for_each!(PORT of S::PORTS, {
            // First requests never wait, later ones wait while a candidate owes its priority, and prepares wait while
            // there are candidates.
            let obstacle = competes[PORT] & owes | !competes[PORT] & candidates;
            answer[PORT] = pending[PORT] & !(held[PORT] & obstacle);
            if S::FAULT.is(SlicedFault::LateRequestsWait) {
                answer[PORT] &= !(competes[PORT] & owes);
            }
            out[SENT + PORT][lane] = own[SENT + PORT][lane] ^ answer[PORT];
            too_late += (answer[PORT] & owes & competes[PORT]).count_ones();
        });
        late[lane] = u64::from(too_late);

        let mut alive = competes;
        for_each!(BIT of S::BITS, {
            let plane = S::PRIORITY + S::BITS - 1 - BIT;
            let (mut bid, mut high) = ([0; PORTS_MAX], 0);
            for_each!(PORT of S::PORTS, {
                let lost = BIT + 1 == S::BITS && S::FAULT.is(SlicedFault::LowBitLost);
                bid[PORT] = if lost { 0 } else { neighbour_plane!(PORT, plane) };
                high |= alive[PORT] & bid[PORT];
            });
            for_each!(PORT of S::PORTS, {
                alive[PORT] &= bid[PORT] | !high;
            });
        });
        let unless = |fault: SlicedFault, set: u64| if S::FAULT.is(fault) { 0 } else { set };
        let ties = unless(SlicedFault::TiesAreWon, several::<S>(alive));
        let decides = active
            & !(ties | unless(SlicedFault::LockIgnored, lock) | unless(SlicedFault::DecidesEarly, owes));
        for_each!(PORT of S::PORTS, {
            let kept = unless(SlicedFault::ResultsStay, !(held[PORT] | competes[PORT]));
            let stale = answer[PORT] & (held[PORT] | competes[PORT] | kept);
            out[S::WON + PORT][lane] = own[S::WON + PORT][lane] & !stale | alive[PORT] & decides;
        });

        let holds = own[HELD][lane];
        let competing = own[COMPETES][lane];
        let takes = own[TAKES][lane];
        let leaves = own[LEAVES][lane];
        let proceeds = active & !unanswered;
        let wants = if S::FAULT.is(SlicedFault::WantingIgnored) { active } else { active & wanting[lane] };
        let call = !(holds | competing | takes) & !leaves & wants;
        let prepared = holds & !competing & proceeds;
        let wins = competing & proceeds & victory;
        let fails = competing & proceeds & !victory;
        let granted = takes & !leaves & proceeds;
        let unlocks = takes & leaves & active;
        let released = !takes & leaves & proceeds;
        let trial = prepared | fails;
        let cast = call | trial | wins | unlocks;
        out[HELD][lane] = (holds | call | fails) & !(prepared | wins);
        out[COMPETES][lane] = (competing | prepared) & !wins;
        out[TAKES][lane] = (takes | wins) & !unlocks;
        out[LEAVES][lane] = (leaves | granted) & !released;
        out[TOGGLE][lane] = toggle ^ cast;
        let draws =
            if S::FAULT.is(SlicedFault::AsleepDraws) { holds & !competing & !unanswered } else { trial };
        for_each!(BIT of S::BITS, {
            let old = own[S::PRIORITY + BIT][lane];
            let random = priorities.plane_from(starts[lane], BIT as u32);
            let new = if S::DRAWN { random } else { random & drawn[BIT] };
            out[S::PRIORITY + BIT][lane] = old ^ (old ^ new) & draws;
        });
        acting[lane] = u64::from(active.count_ones());
        trials[lane] = u64::from(trial.count_ones());
        releases[lane] = u64::from(released.count_ones());
    }
    LaneCounts { active: acting, trials, releases, late }
}
