//! [`JointConflict`]: the reason why a movement half is not possible.

use std::cmp::Ordering;
use std::fmt;

/// The owner of a cell or bond. Amoebots come before objects.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum BondOwner {
    /// An amoebot by its number.
    Amoebot(u32),
    /// An object by its number.
    Object(u32),
}

impl fmt::Display for BondOwner {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Amoebot(number) => write!(f, "amoebot {number}"),
            Self::Object(number) => write!(f, "object {number}"),
        }
    }
}

/// A time in a movement half, from 0 to 1, as a fraction in lowest terms.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct ConflictTime {
    numerator: i64,
    denominator: i64,
}

impl ConflictTime {
    /// The beginning of the half.
    pub const ZERO: Self = Self { numerator: 0, denominator: 1 };
    /// The end of the half.
    pub const ONE: Self = Self { numerator: 1, denominator: 1 };

    /// The fraction `numerator / denominator` in lowest terms.
    ///
    /// # Panics
    ///
    /// The denominator is 0.
    #[must_use]
    pub fn new(numerator: i64, denominator: i64) -> Self {
        assert!(denominator != 0, "a denominator of 0");
        let divisor = common_divisor(numerator.unsigned_abs(), denominator.unsigned_abs()) as i64;
        let divisor = divisor * denominator.signum();
        Self { numerator: numerator / divisor, denominator: denominator / divisor }
    }

    /// The numerator.
    #[must_use]
    pub fn numerator(self) -> i64 {
        self.numerator
    }

    /// The denominator, positive.
    #[must_use]
    pub fn denominator(self) -> i64 {
        self.denominator
    }
}

fn common_divisor(mut a: u64, mut b: u64) -> u64 {
    while b != 0 {
        (a, b) = (b, a % b);
    }
    a
}

impl Ord for ConflictTime {
    fn cmp(&self, other: &Self) -> Ordering {
        let left = i128::from(self.numerator) * i128::from(other.denominator);
        left.cmp(&(i128::from(other.numerator) * i128::from(self.denominator)))
    }
}

impl PartialOrd for ConflictTime {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

/// Writes `2/5`, or `1` for a whole number.
impl fmt::Display for ConflictTime {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.denominator {
            1 => write!(f, "{}", self.numerator),
            denominator => write!(f, "{}/{denominator}", self.numerator),
        }
    }
}

/// The owners of an edge, sorted: two for a bond, one for an edge inside a body or an object.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct EdgeOwners {
    /// The first owner.
    pub first: BondOwner,
    /// The second owner of a bond.
    pub second: Option<BondOwner>,
}

impl EdgeOwners {
    /// The owners of a bond.
    #[must_use]
    pub fn of_bond(a: BondOwner, b: BondOwner) -> Self {
        Self { first: a.min(b), second: Some(a.max(b)) }
    }

    /// The owner of an edge inside a body or an object.
    #[must_use]
    pub fn of_body(owner: BondOwner) -> Self {
        Self { first: owner, second: None }
    }

    /// One or two owners, in increasing order.
    pub fn iter(self) -> impl Iterator<Item = BondOwner> {
        std::iter::once(self.first).chain(self.second)
    }
}

impl fmt::Display for EdgeOwners {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.second {
            None => write!(f, "{}", self.first),
            Some(second) => write!(f, "{}-{second}", self.first),
        }
    }
}

/// A conflict of a movement half. The classes are checked in this order, and the first one that applies is reported.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum JointConflict {
    /// Expanded amoebots expand or push, or contracted amoebots contract or pull.
    Invalid {
        /// All such amoebots, in increasing order.
        offenders: Vec<u32>,
    },
    /// Amoebots push or pull without a matching neighbour, or over a released bond.
    Handover {
        /// All amoebots whose push or pull does not match, in increasing order.
        offenders: Vec<u32>,
    },
    /// The structure is not connected by the remaining bonds.
    Connectivity {
        /// The connected parts, each in increasing order, sorted by their first owner.
        parts: Vec<Vec<BondOwner>>,
    },
    /// No displacements satisfy all movements.
    Structural {
        /// The moving amoebots in blocks of contradictory demands, and the amoebots that contract although both of
        /// their nodes have bonds to one cell. In increasing order.
        offenders: Vec<u32>,
    },
    /// Two edges that share no end touch at some time of the half.
    Collision {
        /// The infimum of all times at which such edges touch.
        time: ConflictTime,
        /// All pairs of edges that touch at that time, each edge given by its owners. In increasing order.
        pairs: Vec<(EdgeOwners, EdgeOwners)>,
    },
    /// A cell would be beyond the limit of the lattice.
    OutsideLattice {
        /// The amoebot or object of the cell.
        owner: BondOwner,
    },
}

impl JointConflict {
    /// The amoebots that cause the conflict, in increasing order: the offenders, the amoebots outside of the largest
    /// part, or the owners of the edges that touch first.
    #[must_use]
    pub fn amoebots(&self) -> Vec<u32> {
        let owners: Vec<BondOwner> = match self {
            Self::Invalid { offenders } | Self::Handover { offenders } | Self::Structural { offenders } => {
                return offenders.clone();
            }
            Self::Connectivity { parts } => {
                // The first of several largest parts.
                let largest = parts.iter().rev().max_by_key(|part| part.len());
                parts.iter().filter(|part| Some(*part) != largest).flatten().copied().collect()
            }
            Self::Collision { pairs, .. } => {
                pairs.iter().flat_map(|(a, b)| a.iter().chain(b.iter())).collect()
            }
            Self::OutsideLattice { owner } => vec![*owner],
        };
        let mut amoebots: Vec<u32> = owners
            .into_iter()
            .filter_map(|owner| match owner {
                BondOwner::Amoebot(amoebot) => Some(amoebot),
                BondOwner::Object(_) => None,
            })
            .collect();
        amoebots.sort_unstable();
        amoebots.dedup();
        amoebots
    }

    /// The name of the class of conflict, such as `collision`.
    #[must_use]
    pub fn class(&self) -> &'static str {
        match self {
            Self::Invalid { .. } => "invalid",
            Self::Handover { .. } => "handover",
            Self::Connectivity { .. } => "connectivity",
            Self::Structural { .. } => "structural",
            Self::Collision { .. } => "collision",
            Self::OutsideLattice { .. } => "outside the lattice",
        }
    }
}

/// The maximum number of offenders that a message names.
const NAMED: usize = 8;

impl fmt::Display for JointConflict {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let list = |offenders: &[u32]| {
            let names: Vec<String> = offenders.iter().take(NAMED).map(u32::to_string).collect();
            let more = if offenders.len() > NAMED { ", .." } else { "" };
            format!("amoebots {}{more}", names.join(", "))
        };
        match self {
            Self::Invalid { offenders } => {
                write!(
                    f,
                    "movements that the amoebots cannot make in their present shape: {}",
                    list(offenders)
                )
            }
            Self::Handover { offenders } => {
                write!(f, "one half of a handover without the other: {}", list(offenders))
            }
            Self::Connectivity { parts } => {
                let first: Vec<String> = parts
                    .iter()
                    .take(NAMED)
                    .filter_map(|part| part.first())
                    .map(BondOwner::to_string)
                    .collect();
                write!(
                    f,
                    "the structure falls into {} parts, which contain {}",
                    parts.len(),
                    first.join(", ")
                )
            }
            Self::Structural { offenders } => write!(f, "contradictory movements: {}", list(offenders)),
            Self::Collision { time, pairs } => {
                write!(f, "a collision at time {time}")?;
                match pairs.first() {
                    Some((a, b)) => write!(f, ": {a} with {b}"),
                    None => Ok(()),
                }
            }
            Self::OutsideLattice { owner } => write!(f, "{owner} leaves the lattice"),
        }
    }
}

impl std::error::Error for JointConflict {}
