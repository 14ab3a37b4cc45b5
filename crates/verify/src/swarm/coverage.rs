//! [`Coverage`]: counts of actions by topology event.

use std::fmt::{self, Write as _};
use std::hash::Hasher;

use acrasin_runtime::exclusion::{Exclusion, LABELS_MAX, Promise as _};
use acrasin_runtime::{LockOnly, NodeId, Port, Status, World};

use super::column::CoverageColumn;
use super::swarmed::Swarmed;

/// Counts of executed actions by topology event.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Coverage {
    cells: [[u64; CoverageColumn::ALL.len()]; LABELS_MAX],
}

impl Default for Coverage {
    fn default() -> Self {
        Self { cells: [[0; CoverageColumn::ALL.len()]; LABELS_MAX] }
    }
}

impl Coverage {
    /// The count of an action of this algorithm in a column.
    #[must_use]
    pub fn count<E: Swarmed>(&self, action: E::Action, column: CoverageColumn) -> u64 {
        self.cells[E::action(action)][column as usize]
    }

    /// The possible cells whose count is zero.
    pub fn empty<E: Swarmed>(&self) -> impl Iterator<Item = (E::Action, CoverageColumn)> + '_ {
        cells::<E>().filter(|&(action, column)| {
            E::impossible(action, column).is_none() && self.count::<E>(action, column) == 0
        })
    }

    /// The cells with a nonzero count although they are impossible under the right rules.
    pub fn impossible<E: Swarmed>(&self) -> impl Iterator<Item = (E::Action, CoverageColumn)> + '_ {
        cells::<E>().filter(|&(action, column)| {
            E::impossible(action, column).is_some() && self.count::<E>(action, column) > 0
        })
    }

    /// Adds the counts of `other`.
    pub fn add(&mut self, other: &Self) {
        for (sum, addend) in self.cells.as_flattened_mut().iter_mut().zip(other.cells.as_flattened()) {
            *sum += addend;
        }
    }

    pub(super) fn digest_into<E: Swarmed>(&self, hasher: &mut impl Hasher) {
        for &count in self.cells[..E::ACTIONS.len()].as_flattened() {
            hasher.write_u64(count);
        }
    }

    /// A text table; `-` marks impossible cells.
    #[must_use]
    pub fn table<E: Swarmed>(&self) -> String {
        let mut table = format!("{:<17}", "action");
        let mut write = |text: fmt::Arguments<'_>| table.write_fmt(text).expect("a string takes everything");
        for column in CoverageColumn::ALL {
            write(format_args!("{:>10}", column.name()));
        }
        for &action in E::ACTIONS {
            write(format_args!("\n{:<17}", action.to_string()));
            for column in CoverageColumn::ALL {
                match (E::impossible(action, column), self.count::<E>(action, column)) {
                    (Some(_), 0) => write(format_args!("{:>10}", "-")),
                    (_, count) => write(format_args!("{count:>10}")),
                }
            }
        }
        table + "\n"
    }
}

fn cells<E: Swarmed>() -> impl Iterator<Item = (E::Action, CoverageColumn)> {
    E::ACTIONS.iter().flat_map(|&action| CoverageColumn::ALL.map(|column| (action, column)))
}

/// The events at a node since its last action.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct NodeEvents {
    pub(super) lost: bool,
    pub(super) discarded: bool,
    pub(super) appeared: bool,
}

/// The columns in which one execution of an action counts, as bits.
#[derive(Clone, Copy, Debug)]
pub(super) struct Situation(u8);

impl Situation {
    /// The columns of an action of `node`. `port` is the port of the received message if the action is a receipt.
    #[inline]
    pub(super) fn of<E: Exclusion>(
        world: &World<E, LockOnly>,
        node: NodeId,
        port: Option<Port>,
        mark: NodeEvents,
    ) -> Self {
        let topology = world.topology();
        let detector = topology.detector(node);
        if detector.is_empty() {
            return Self(
                1 << if mark.appeared { CoverageColumn::Appeared as u8 } else { CoverageColumn::Calm as u8 },
            );
        }
        let reused = || detector.iter().any(|port| topology.link(node, port).is_some());
        let member_left = || {
            let lock_set = E::Promise::lock_set(world.exclusion(), world.memory(node));
            lock_set.is_some_and(|members| detector.iter().any(|port| members.contains(port)))
        };
        let columns = [
            (CoverageColumn::Unread, true),
            (CoverageColumn::Reused, reused()),
            // Both need a disconnection of this node, so D is not empty.
            (CoverageColumn::Lost, mark.lost),
            (CoverageColumn::Discarded, mark.discarded),
            (CoverageColumn::Appeared, mark.appeared),
            (CoverageColumn::MemberLeft, world.status(node) != Status::Idle && member_left()),
            (CoverageColumn::ViaReused, port.is_some_and(|port| detector.contains(port))),
        ];
        Self(columns.into_iter().fold(0, |bits, (column, holds)| bits | u8::from(holds) << column as u8))
    }
}

impl Coverage {
    #[inline]
    pub(super) fn executed<E: Swarmed>(&mut self, action: E::Action, situation: Situation) {
        let row = &mut self.cells[E::action(action)];
        let mut bits = situation.0;
        while bits != 0 {
            row[bits.trailing_zeros() as usize] += 1;
            bits &= bits - 1;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::wrong::{Wrong, shipped};
    use acrasin_runtime::exclusion::AlgorithmLabels as _;
    use acrasin_runtime::exclusion::local::{Action, Local};
    use acrasin_runtime::{Demand, LockSetRule, Setup, Timing, Topology};

    #[test]
    fn rows_and_columns_are_numbered_in_order() {
        for (number, &action) in Wrong::ACTIONS.iter().enumerate() {
            assert_eq!(Wrong::action(action), number);
        }
        for (number, column) in CoverageColumn::ALL.into_iter().enumerate() {
            assert_eq!(column as usize, number);
        }
    }

    #[test]
    fn a_table_has_sixteen_impossible_cells() {
        let coverage = Coverage::default();
        assert_eq!(coverage.empty::<Wrong>().count(), 16 * 8 - 16);
        assert_eq!(coverage.table::<Wrong>().matches(" -").count(), 16);
        assert_eq!(coverage.impossible::<Wrong>().count(), 0);
    }

    #[test]
    fn a_reused_port_is_seen() {
        let mut topology = Topology::from_edges(3, 1, &[(0, 1)]).unwrap();
        topology.disconnect(NodeId(0), Port(1)).unwrap();
        topology.connect(NodeId(0), Port(1), NodeId(2), Port(1)).unwrap();
        let world = World::new(Setup {
            exclusion: shipped(Local::new(1)),
            section: LockOnly,
            topology,
            states: vec![Demand::Times(0); 3],
            lock_set: LockSetRule::Neighbourhood,
            timing: Timing::AtOnce,
        });
        let mut coverage = Coverage::default();
        let mark = NodeEvents { lost: true, discarded: false, appeared: true };
        let action = Action::ReceivePrepare;
        coverage.executed::<Wrong>(action, Situation::of(&world, NodeId(0), Some(Port(1)), mark));
        let hit: Vec<CoverageColumn> = CoverageColumn::ALL
            .into_iter()
            .filter(|&column| coverage.count::<Wrong>(action, column) == 1)
            .collect();
        assert_eq!(
            hit,
            [
                CoverageColumn::Unread,
                CoverageColumn::Reused,
                CoverageColumn::Lost,
                CoverageColumn::Appeared,
                CoverageColumn::ViaReused
            ]
        );
    }
}
