//! The entries of the network constructors.

use super::built::Built;
use super::entry::LazyEntry;
use crate::network::{CycleCover, GlobalLine, GlobalStar, Links, OnLine, OnStar};

fn named<const N: usize>(classes: [&str; N]) -> Vec<String> {
    classes.map(str::to_owned).into()
}

/// The entry of the spanning star: agents build a star that includes all of them.
pub(super) const STAR: LazyEntry = LazyEntry {
    name: "global-star",
    summary: "agents build a spanning star: edges also have states",
    classes: "centre, leaf",
    parameters: &[],
    make: |_| {
        Ok(Box::new(Built {
            constructor: GlobalStar,
            classes: named(["centre", "leaf"]),
            states: &[OnStar::Centre, OnStar::Leaf],
            class: |state| usize::from(*state == OnStar::Leaf),
            is_built: Links::is_spanning_star,
        }))
    },
};

/// The entry of the spanning line: agents build a path that includes all of them.
pub(super) const LINE: LazyEntry = LazyEntry {
    name: "global-line",
    summary: "agents build a spanning line: edges also have states",
    classes: "alone, end, inside, leader, walker",
    parameters: &[],
    make: |_| {
        Ok(Box::new(Built {
            constructor: GlobalLine,
            classes: named(["alone", "end", "inside", "leader", "walker"]),
            states: &[OnLine::Alone, OnLine::End, OnLine::Inside, OnLine::Leader, OnLine::Walker],
            class: |state| match state {
                OnLine::Alone => 0,
                OnLine::End => 1,
                OnLine::Inside => 2,
                OnLine::Leader => 3,
                OnLine::Walker => 4,
            },
            is_built: Links::is_spanning_line,
        }))
    },
};

/// The entry of cycle cover: agents build cycles that cover all but at most two of them.
pub(super) const CYCLES: LazyEntry = LazyEntry {
    name: "cycle-cover",
    summary: "agents build cycles that cover all but at most two of them: edges also have states",
    classes: "0, 1, 2: how many active edges",
    parameters: &[],
    make: |_| {
        Ok(Box::new(Built {
            constructor: CycleCover,
            classes: named(["0", "1", "2"]),
            states: &[0, 1, 2],
            class: |degree| usize::from(*degree),
            is_built: Links::is_cycle_cover,
        }))
    },
};
