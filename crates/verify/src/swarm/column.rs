//! [`CoverageColumn`]: topology events at a node before an action.

/// The topology events at a node when it executes an action. An action may count in several columns.
///
/// "Since its last action" means since the start of the node's last action, or of the run.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
#[repr(u8)]
pub enum CoverageColumn {
    /// No edge of the node appeared or vanished since its last action.
    Calm = 0,
    /// The detector is not empty: D ≠ {} at the start of the action.
    Unread = 1,
    /// A port in D carries an edge at the start of the action: a new edge appeared on the port before the node read its
    /// detector.
    Reused = 2,
    /// A message in transit to or from the node was lost in a disconnection since its last action.
    Lost = 3,
    /// An unsent message of the node was discarded in a disconnection since its last action.
    Discarded = 4,
    /// An edge of the node appeared since its last action.
    Appeared = 5,
    /// The node has a Lock or Unlock outstanding or holds its lock set, and a port of its L is in D.
    MemberLeft = 6,
    /// The received message came through a port in D, over a new edge that appeared there before the node read its
    /// detector.
    ViaReused = 7,
}

impl CoverageColumn {
    /// All columns, in order.
    pub const ALL: [Self; 8] = [
        Self::Calm,
        Self::Unread,
        Self::Reused,
        Self::Lost,
        Self::Discarded,
        Self::Appeared,
        Self::MemberLeft,
        Self::ViaReused,
    ];

    /// The header of the column in tables.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Calm => "calm",
            Self::Unread => "D unread",
            Self::Reused => "D reused",
            Self::Lost => "lost",
            Self::Discarded => "discarded",
            Self::Appeared => "appeared",
            Self::MemberLeft => "left L",
            Self::ViaReused => "via D",
        }
    }

    /// The meaning of the column, as a clause that follows "an action of a node".
    #[must_use]
    pub fn meaning(self) -> &'static str {
        match self {
            Self::Calm => "no edge of the node has changed since its last action",
            Self::Unread => "D is not empty",
            Self::Reused => "a port in D carries an edge again",
            Self::Lost => {
                "a disconnection since its last action lost a message in transit to or from the node"
            }
            Self::Discarded => {
                "a disconnection since its last action discarded a message that had not left the node"
            }
            Self::Appeared => "an edge of the node has appeared since its last action",
            Self::MemberLeft => {
                "the node waits for a Lock or an Unlock, or holds its lock set, and a port of its L is in D"
            }
            Self::ViaReused => "the message received came by a port in D",
        }
    }
}
