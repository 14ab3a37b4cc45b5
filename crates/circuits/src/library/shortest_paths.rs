//! A shortest path tree to one source in a structure without holes (Padalkin, Scheideler 2024, restated).
//!
//! A portal is a maximal row of amoebots along an axis. For each of the three axes there is a tree: all edges along the
//! axis, and the first edge between each two adjacent portals. A tour roots this tree at the source. The distance of an
//! amoebot is half the sum of the distances of its three portals in their trees. So a neighbour that is in the parent
//! portal for two of the axes is one step nearer.
//!
//! | round | sends | receives |
//! |---|---|---|
//! | tour, check | as [`RootedTour`](super::RootedTour) | the parent edge |
//! | portal | a parent edge to another portal: beep on the lane along that side | neighbours on that side are counted |

use super::tour::TourNumbers;
use super::visit::{Tour, turned};
use crate::circuit::{BeepPlan, CircuitView, Pin, PinSet};
use crate::demands::{Demands, FrameDemand};
use crate::round::{CoinToss, RoundTable, Seat};

/// Construction of a tree of shortest paths to a source.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ShortestPaths {
    /// The number of the source amoebot.
    pub source: u32,
}

/// The rounds of the shortest path tree, with the axis, 0 to 2.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ShortestPathsRound {
    /// Transmits the next bit of the tour.
    Tour(u8),
    /// Amoebots with an active visit beep: silence means that no bits are left.
    Check(u8),
    /// Determines the parent portals.
    Portal(u8),
}

acrasin_runtime::pack_variants!(ShortestPathsRound { Tour(axis), Check(axis), Portal(axis) });

/// The memory of an amoebot.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ShortestPathsMemory {
    is_source: bool,
    numbers: TourNumbers,
    /// The lanes along the upper and lower side of the portal.
    lanes: Option<[PinSet; 2]>,
    /// For each label, the number of axes for which the neighbour is in the parent portal.
    counts: [u8; 6],
    /// The label of the next amoebot on a shortest path; `None` before the end and at the source.
    pub towards: Option<u8>,
}

acrasin_runtime::pack_fields!(ShortestPathsMemory { is_source, numbers, lanes, counts, towards });

/// Whether the edge at a label is in the tree of an axis: it is along the axis, or the first edge between two portals.
fn is_tree_edge(seat: &Seat, axis: u8, label: u8) -> bool {
    let along = axis + 1;
    let has = |by: u8| seat.has(turned(along, by));
    match (label + 6 - along) % 6 {
        1 => !has(2),
        2 | 4 => !has(3),
        5 => !has(4),
        _ => true,
    }
}

fn numbers(seat: &Seat, axis: u8, is_source: bool) -> TourNumbers {
    let labels: Vec<u8> = seat.labels().filter(|label| is_tree_edge(seat, axis, *label)).collect();
    TourNumbers::new(Tour::at(&labels, is_source, seat.pins))
}

impl ShortestPathsMemory {
    /// The side of the portal on which the parent portal is, 0 for the upper side; `None` if the parent edge does not
    /// lead to another portal.
    fn parent_side(&self, axis: u8) -> Option<usize> {
        let parent = self.numbers.parent()?;
        match (parent + 6 - (axis + 1)) % 6 {
            1 | 2 => Some(0),
            4 | 5 => Some(1),
            _ => None,
        }
    }
}

impl RoundTable for ShortestPaths {
    type Memory = ShortestPathsMemory;
    type RoundName = ShortestPathsRound;

    fn start(&self, seat: &Seat) -> (ShortestPathsMemory, Option<ShortestPathsRound>) {
        let is_source = seat.number == self.source;
        let memory = ShortestPathsMemory {
            is_source,
            numbers: numbers(seat, 0, is_source),
            lanes: None,
            counts: [0; 6],
            towards: None,
        };
        (memory, Some(ShortestPathsRound::Tour(0)))
    }

    fn name(&self, round: ShortestPathsRound) -> &'static str {
        match round {
            ShortestPathsRound::Tour(_) => "tour",
            ShortestPathsRound::Check(_) => "check",
            ShortestPathsRound::Portal(_) => "portal",
        }
    }

    fn demands(&self) -> Demands {
        Demands { pins: 4, frame: FrameDemand::Common }
    }

    fn send(
        &self,
        round: ShortestPathsRound,
        seat: &Seat,
        memory: &mut ShortestPathsMemory,
        _coins: &mut CoinToss<'_>,
        plan: &mut BeepPlan<'_>,
    ) {
        match round {
            ShortestPathsRound::Tour(_) => memory.numbers.send_tour(plan),
            ShortestPathsRound::Check(_) => memory.numbers.send_check(plan),
            ShortestPathsRound::Portal(axis) => {
                plan.reset();
                let label = |by: u8| turned(axis + 1, by);
                // Joined between two neighbours with a common neighbour on that side.
                let lanes = [(1, 2, 0), (5, 4, 1)].map(|(ahead, behind, lane)| {
                    let joined = |along: u8, common: u8| seat.has(label(along)) && seat.has(label(common));
                    let ahead = joined(0, ahead).then(|| Pin::head(label(0), lane));
                    let behind = joined(3, behind).then(|| Pin::head(label(3), seat.pins - 1 - lane));
                    plan.set(ahead.into_iter().chain(behind))
                });
                memory.lanes = Some(lanes);
                if let Some(side) = memory.parent_side(axis) {
                    plan.beep(lanes[side]);
                }
            }
        }
    }

    fn receive(
        &self,
        round: ShortestPathsRound,
        seat: &Seat,
        memory: &mut ShortestPathsMemory,
        heard: &CircuitView<'_>,
    ) -> Option<ShortestPathsRound> {
        match round {
            ShortestPathsRound::Tour(axis) => {
                memory.numbers.receive_tour(heard);
                Some(ShortestPathsRound::Check(axis))
            }
            ShortestPathsRound::Check(axis) if memory.numbers.receive_check(heard) => {
                Some(ShortestPathsRound::Tour(axis))
            }
            ShortestPathsRound::Check(axis) => Some(ShortestPathsRound::Portal(axis)),
            ShortestPathsRound::Portal(axis) => {
                let lanes = memory.lanes.map(|lanes| lanes.map(|lane| heard.on(lane)));
                for (heard, side) in lanes.into_iter().flatten().zip([[1, 2], [4, 5]]) {
                    for label in side.map(|by| turned(axis + 1, by)) {
                        memory.counts[usize::from(label - 1)] += u8::from(heard && seat.has(label));
                    }
                }
                if axis < 2 {
                    memory.numbers = numbers(seat, axis + 1, memory.is_source);
                    return Some(ShortestPathsRound::Tour(axis + 1));
                }
                memory.towards = (1..=6).find(|label| memory.counts[usize::from(label - 1)] >= 2);
                None
            }
        }
    }

    fn states(&self, round: ShortestPathsRound, memories: &[ShortestPathsMemory]) -> Option<String> {
        matches!(round, ShortestPathsRound::Tour(_))
            .then(|| memories.iter().map(|memory| memory.numbers.state()).collect::<Vec<_>>().join(","))
    }
}
