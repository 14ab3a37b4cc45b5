//! Journals of the entries of a wave, in sequential order.

/// Receives the entries of a wave in the order of the equivalent sequential run.
///
/// Parts of a wave that run in parallel write separate journals, which are joined in order. So a journal is the same
/// for every number of threads.
pub trait Journal<O>: Default + Send {
    /// Whether the journal stores entries. If not, none are collected for it.
    const KEEPS: bool = true;

    /// Records that a node has entered.
    fn entered(&mut self, node: u32, outcome: O);

    /// Appends the journal of the part that comes later in the order.
    fn append(&mut self, later: Self);
}

/// A journal that records nothing.
impl<O> Journal<O> for () {
    const KEEPS: bool = false;
    #[inline(always)]
    fn entered(&mut self, _node: u32, _outcome: O) {}
    #[inline(always)]
    fn append(&mut self, (): Self) {}
}

/// A journal of the nodes that entered, in the sequential order.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct EntryOrder(pub Vec<u32>);

impl<O> Journal<O> for EntryOrder {
    #[inline]
    fn entered(&mut self, node: u32, _outcome: O) {
        self.0.push(node);
    }
    fn append(&mut self, mut later: Self) {
        if self.0.is_empty() {
            self.0 = later.0;
        } else {
            self.0.append(&mut later.0);
        }
    }
}

/// A journal of the nodes that entered, in the sequential order, with their outcomes.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct EntryJournal<O>(pub Vec<(u32, O)>);

impl<O> Default for EntryJournal<O> {
    fn default() -> Self {
        Self(Vec::new())
    }
}

impl<O: Send> Journal<O> for EntryJournal<O> {
    #[inline]
    fn entered(&mut self, node: u32, outcome: O) {
        self.0.push((node, outcome));
    }
    fn append(&mut self, mut later: Self) {
        if self.0.is_empty() {
            self.0 = later.0;
        } else {
            self.0.append(&mut later.0);
        }
    }
}
