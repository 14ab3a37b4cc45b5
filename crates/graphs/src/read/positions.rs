//! Positions of nodes in the plane, as given in a file.

use super::{ReadError, TextLine};
use crate::limits::COORDINATE_MAX;

/// Parses a coordinate; `None` if it is not a number or exceeds the limit.
pub(super) fn coordinate(field: &str) -> Option<f64> {
    field.parse().ok().filter(|value: &f64| value.abs() <= COORDINATE_MAX)
}

/// A description of valid coordinates.
pub(super) const COORDINATE: &str = "a number from -1e9 to 1e9";

/// Position lines, in reading order.
#[derive(Default)]
pub(super) struct PositionLines<'t> {
    given: Vec<(&'t str, [f64; 2], TextLine<'t>)>,
}

impl<'t> PositionLines<'t> {
    /// Adds a line with the name of a node and two coordinates.
    pub(super) fn push(
        &mut self,
        node: Option<&'t str>,
        fields: [Option<&'t str>; 3],
        line: TextLine<'t>,
        file: &str,
    ) -> Result<(), ReadError> {
        let (Some(node), [Some(x), Some(y), None]) = (node, fields) else {
            return Err(line.error(file, "an invalid line", "`@ NAME X Y`, the position of a node"));
        };
        let read = |field: &'t str| {
            coordinate(field).ok_or_else(|| line.field_error(file, field, "not a coordinate", COORDINATE))
        };
        self.given.push((node, [read(x)?, read(y)?], line));
        Ok(())
    }

    /// The names of the nodes in these lines, in reading order.
    pub(super) fn names(&self) -> impl Iterator<Item = &'t str> {
        self.given.iter().map(|&(name, ..)| name)
    }

    /// The position of every node; `None` without position lines. `numbers` are the nodes of the names. `missing` makes
    /// the error for a node without a position.
    pub(super) fn of_nodes(
        &self,
        nodes: u32,
        numbers: &[u32],
        file: &str,
        missing: impl Fn(u32) -> ReadError,
    ) -> Result<Option<Vec<[f64; 2]>>, ReadError> {
        if self.given.is_empty() {
            return Ok(None);
        }
        let mut at: Vec<Option<(u64, [f64; 2])>> = vec![None; nodes as usize];
        for (&(name, place, line), &node) in self.given.iter().zip(numbers) {
            if let Some((first, _)) = at[node as usize].replace((line.number, place)) {
                let problem = format!("a second position of `{name}`");
                let accepted = format!("one position per node; the first is on line {first}");
                return Err(line.error(file, problem, accepted));
            }
        }
        let each = (0..).zip(at).map(|(node, at)| at.map(|(_, place)| place).ok_or(node));
        each.collect::<Result<_, u32>>().map(Some).map_err(missing)
    }
}
