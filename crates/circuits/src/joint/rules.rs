//! [`MovementRules`]: deviations from the rules of joint movements.

/// Deviations from the rules: one is the rule of another simulator, the others are wrong variants that checks must
/// catch.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct MovementRules {
    /// The rule of another simulator: amoebots must be connected without objects, and each object must have a bond to
    /// an amoebot.
    pub objects_do_not_connect: bool,
    /// Wrong: bonds that merge at the end of a contraction count as collisions.
    pub merged_bonds_collide: bool,
    /// Correct but slower: every pair of edges whose boxes overlap is tested, even if the order of points already
    /// excludes collisions.
    pub every_pair_is_tested: bool,
    /// Wrong: edges may pass through each other.
    pub collisions_are_ignored: bool,
    /// Wrong: an amoebot may contract with bonds from both nodes to one cell.
    pub double_bonds_are_allowed: bool,
    /// Wrong: the bond opposite to an expansion may move with the head.
    pub opposite_may_be_marked: bool,
    /// Wrong: the bond in the direction of an expansion stays at the tail unless it is marked.
    pub forward_is_not_marked: bool,
    /// Wrong: a bond is released only if both sides release it.
    pub both_sides_must_release: bool,
    /// Wrong: a handover needs no bond.
    pub handovers_need_no_bond: bool,
}
