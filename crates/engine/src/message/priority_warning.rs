//! A warning about too few priorities: runs can then be so slow that they seem to hang.

use std::fmt;

/// The warning that K is below the number of nodes within distance 2, all of which a node may have to beat in a trial.
///
/// Most trials then end in a tie, and the messages per Lock multiply. An example is a triangular torus on which every
/// idle node calls Lock and half of the nodes are active per round. There a Lock takes 56 083 messages at K = 2, and
/// 187 at K = 64 (`shared/spec/performance.md`, section 4.3).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct PriorityWarning {
    /// K, the number of priorities.
    pub priorities: u32,
    /// The largest number of contenders within distance 2.
    pub contenders: u32,
}

impl PriorityWarning {
    /// The warning; `None` if K is large enough.
    pub(crate) fn of(priorities: u32, contenders: u32) -> Option<Self> {
        (priorities < contenders).then_some(Self { priorities, contenders })
    }
}

impl fmt::Display for PriorityWarning {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { priorities, contenders } = self;
        write!(
            f,
            "K = {priorities} priorities for up to {contenders} contenders within distance 2: most trials end in a tie, \
             and a Lock needs many more messages (on the triangular torus 56083 at K = 2, but 187 at K = 64). \
             Take K = {} or more",
            contenders.next_power_of_two()
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_warning_begins_below_the_number_of_contenders() {
        assert_eq!(PriorityWarning::of(18, 18), None);
        let priority_warning = PriorityWarning::of(17, 18).unwrap();
        assert!(
            priority_warning
                .to_string()
                .starts_with("K = 17 priorities for up to 18 contenders within distance 2")
        );
        assert!(priority_warning.to_string().ends_with("Take K = 32 or more"));
    }
}
