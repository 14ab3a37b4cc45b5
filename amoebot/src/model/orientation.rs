//! Orientations: an amoebot's labels for the six directions.

use crate::model::lattice::{Direction, Rotation};

/// The sense of rotation in which an amoebot counts its ports.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Chirality {
    /// Counter-clockwise, like the directions of the lattice.
    Standard,
    /// Clockwise: the mirror image of the directions of the lattice.
    Mirrored,
}

acrasin_runtime::pack_variants!(Chirality { Standard, Mirrored });

/// The direction of each label, by chirality and the direction of label 1. Precomputed, since every access through a
/// port needs it.
const DIRECTIONS: [[[Direction; 6]; 6]; 2] = {
    let mut directions = [[[Direction::East; 6]; 6]; 2];
    let mut at = 0;
    while at < 36 {
        let (first, turns) = (at / 6, at % 6);
        directions[0][first][turns] = Direction::from_index((first + turns) as u8);
        directions[1][first][turns] = Direction::from_index((first + 6 - turns) as u8);
        at += 1;
    }
    directions
};

/// The local frame of an amoebot: the direction of its port 1, and its sense of rotation.
///
/// The assumption variants of the canonical model are properties of all orientations together. They are *common* (all
/// orientations are equal), *common chirality*, *common direction* (port 1 has the same direction for all) and
/// *assorted* (none of these).
///
/// ```
/// use acrasin_amoebot::{Chirality, Direction, Orientation};
/// let turned = Orientation { first: Direction::West, chirality: Chirality::Mirrored };
/// assert_eq!(turned.direction(2), Direction::NorthWest); // clockwise of west
/// assert_eq!(turned.label(Direction::NorthWest), 2);
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Orientation {
    /// The direction of port 1.
    pub first: Direction,
    /// The sense of rotation in which ports are counted.
    pub chirality: Chirality,
}

acrasin_runtime::pack_fields!(Orientation { first, chirality });

impl Orientation {
    /// The orientation of the lattice: port 1 is east, and ports are counted counter-clockwise.
    pub const COMMON: Self = Self { first: Direction::East, chirality: Chirality::Standard };

    /// All twelve orientations.
    pub fn all() -> impl Iterator<Item = Self> {
        let both = [Chirality::Standard, Chirality::Mirrored];
        both.into_iter()
            .flat_map(|chirality| Direction::ALL.into_iter().map(move |first| Self { first, chirality }))
    }

    /// The lattice direction that this amoebot labels `label`, 1 to 6.
    ///
    /// # Panics
    ///
    /// Panics if the label is not 1 to 6.
    #[inline]
    #[must_use]
    pub const fn direction(self, label: u8) -> Direction {
        assert!(label >= 1 && label <= 6, "labels go from 1 to 6");
        DIRECTIONS[self.chirality as usize][self.first as usize][label as usize - 1]
    }

    /// This amoebot's label, 1 to 6, for a lattice direction.
    #[inline]
    #[must_use]
    pub const fn label(self, direction: Direction) -> u8 {
        let turns = match self.chirality {
            Chirality::Standard => direction.index() + 6 - self.first.index(),
            Chirality::Mirrored => self.first.index() + 6 - direction.index(),
        };
        turns % 6 + 1
    }

    /// The lattice rotation that this amoebot calls `rotation`.
    #[must_use]
    pub const fn rotation(self, rotation: Rotation) -> Rotation {
        match (self.chirality, rotation) {
            (Chirality::Standard, _) => rotation,
            (Chirality::Mirrored, Rotation::Clockwise) => Rotation::Counterclockwise,
            (Chirality::Mirrored, Rotation::Counterclockwise) => Rotation::Clockwise,
        }
    }
}

impl Default for Orientation {
    fn default() -> Self {
        Self::COMMON
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn labels_and_directions_are_one_to_one_in_every_frame() {
        assert_eq!(Orientation::all().count(), 12);
        for orientation in Orientation::all() {
            for direction in Direction::ALL {
                assert_eq!(orientation.direction(orientation.label(direction)), direction);
            }
            assert_eq!(orientation.direction(1), orientation.first);
            // The next label is one turn further in the amoebot's own sense of rotation.
            let way = orientation.rotation(Rotation::Counterclockwise);
            for label in 1..6 {
                assert_eq!(orientation.direction(label).turned(way), orientation.direction(label + 1));
            }
        }
    }

    #[test]
    fn the_common_frame_is_the_lattice() {
        for (i, direction) in Direction::ALL.into_iter().enumerate() {
            assert_eq!(Orientation::COMMON.label(direction), i as u8 + 1);
        }
    }

    #[test]
    #[should_panic(expected = "labels go from 1 to 6")]
    fn there_is_no_seventh_label() {
        let _ = Orientation::COMMON.direction(7);
    }
}
