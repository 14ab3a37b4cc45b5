//! Exhaustive exploration of small populations, independent of the prover's exploration.

use std::collections::BTreeMap;

use acrasin_protocols::Table;

/// A claim as a function of configurations.
pub(crate) struct ExploredClaim<'c> {
    pub(crate) table: &'c Table,
    pub(crate) inputs: &'c [u16],
    /// Whether the claim covers an input.
    pub(crate) covers: &'c dyn Fn(&[u64]) -> bool,
    /// Whether a configuration is right for an input: the arguments are the input and the configuration.
    pub(crate) is_right: &'c dyn Fn(&[u64], &[u64]) -> bool,
}

impl ExploredClaim<'_> {
    /// The size of the smallest input with a wrong end, up to `largest` agents.
    pub(crate) fn smallest_wrong(&self, largest: u64) -> Option<u64> {
        (2..=largest).find(|&agents| {
            let shares = compositions(agents, self.inputs.len());
            shares.iter().any(|shares| {
                let mut input = vec![0; usize::from(self.table.state_count())];
                for (&state, share) in self.inputs.iter().zip(shares) {
                    input[usize::from(state)] += share;
                }
                (self.covers)(&input)
                    && has_wrong_end(self.table, &input, &|counts| (self.is_right)(&input, counts))
            })
        })
    }
}

/// All lists of `parts` numbers with this sum.
pub(crate) fn compositions(sum: u64, parts: usize) -> Vec<Vec<u64>> {
    if parts == 1 {
        return vec![vec![sum]];
    }
    let rests = |first| compositions(sum - first, parts - 1).into_iter();
    (0..=sum).flat_map(|first| rests(first).map(move |rest| [vec![first], rest].concat())).collect()
}

/// Whether a bottom component that the input reaches has a wrong configuration.
fn has_wrong_end(table: &Table, input: &[u64], is_right: &dyn Fn(&[u64]) -> bool) -> bool {
    let mut numbers = BTreeMap::from([(input.to_vec(), 0)]);
    let mut order = vec![input.to_vec()];
    let mut predecessors: Vec<Vec<usize>> = vec![Vec::new()];
    let mut successors: Vec<Vec<usize>> = Vec::new();
    while let Some(counts) = order.get(successors.len()).cloned() {
        let from = successors.len();
        let present: Vec<u16> = table.states().filter(|&state| counts[usize::from(state)] > 0).collect();
        let mut next = Vec::new();
        for &a in &present {
            for &b in &present {
                if a == b && counts[usize::from(a)] < 2 {
                    continue;
                }
                for outcome in table.outcomes(a, b) {
                    let mut after = counts.clone();
                    [a, b].into_iter().for_each(|state| after[usize::from(state)] -= 1);
                    after[usize::from(outcome.initiator)] += 1;
                    after[usize::from(outcome.responder)] += 1;
                    if after == counts {
                        continue;
                    }
                    let number = *numbers.entry(after.clone()).or_insert_with(|| {
                        order.push(after);
                        predecessors.push(Vec::new());
                        order.len() - 1
                    });
                    next.push(number);
                    predecessors[number].push(from);
                }
            }
        }
        successors.push(next);
    }
    // Components by the algorithm of Kosaraju: searches backwards, in reverse order of the ends of a search forwards,
    // find one component each.
    let mut finished = Vec::with_capacity(order.len());
    let mut seen = vec![false; order.len()];
    let mut open = vec![(0, 0)];
    seen[0] = true;
    while let Some((at, tried)) = open.last_mut() {
        let Some(&next) = successors[*at].get(*tried) else {
            finished.push(*at);
            open.pop();
            continue;
        };
        *tried += 1;
        if !std::mem::replace(&mut seen[next], true) {
            open.push((next, 0));
        }
    }
    let mut component = vec![usize::MAX; order.len()];
    let mut ends = Vec::new();
    for &root in finished.iter().rev() {
        if component[root] != usize::MAX {
            continue;
        }
        let own = ends.len();
        ends.push((true, false));
        component[root] = own;
        let mut open = vec![root];
        while let Some(at) = open.pop() {
            for &from in &predecessors[at] {
                if component[from] == usize::MAX {
                    component[from] = own;
                    open.push(from);
                }
            }
        }
    }
    for (number, next) in successors.iter().enumerate() {
        let (is_bottom, is_wrong) = &mut ends[component[number]];
        *is_bottom &= next.iter().all(|&next| component[next] == component[number]);
        *is_wrong |= !is_right(&order[number]);
    }
    ends.iter().any(|&(is_bottom, is_wrong)| is_bottom && is_wrong)
}
