//! The inputs of one round: activation, demand and draws.

use acrasin_runtime::choice::{Choices, Decision, pick_index};

use super::block::{BlockActivity, LANES};
use super::word::{LockCode, NodeWord};
use crate::RoundCancellation;
use crate::draw::{Draws, Priorities, Purpose, Stream};
use crate::round::{ActiveBlocks, Wanting};

/// The inputs of a round: active nodes, calls and draws.
#[derive(Clone, Copy, Debug)]
pub(crate) struct RoundInputs<'a> {
    pub(crate) active: ActiveBlocks<'a>,
    pub(crate) calls: RoundCalls<'a>,
    pub(crate) priorities: Priorities,
    /// The draws for [`Purpose::Priority`].
    pub(crate) stream: Stream,
    /// The draws for [`Purpose::Partner`], if a Lock requests only one neighbour.
    pub(crate) partners: Option<Stream>,
    /// The number of nodes.
    pub(crate) nodes: u32,
    /// The cancellation, checked before each chunk. A cancelled round leaves the configuration unchanged.
    pub(crate) cancellation: &'a RoundCancellation<'a>,
}

/// The calls of a round: idle nodes call Lock, nodes that hold their lock set call Unlock.
#[derive(Clone, Copy, Debug)]
pub(crate) enum RoundCalls<'a> {
    /// Idle nodes call Lock by this rule; every holder calls Unlock.
    Rule(Wanting, Stream),
    /// The calls are given as bits, one word per block.
    Given { wants: &'a [u64], unlocks: &'a [u64] },
}

impl RoundCalls<'_> {
    pub(crate) fn rule(wanting: Wanting, draws: Draws, round: u64) -> Self {
        Self::Rule(wanting, draws.stream(Purpose::Demand, round))
    }
}

impl RoundInputs<'_> {
    /// Determines which nodes of a block act, and which of these call Lock or Unlock.
    #[inline]
    pub(crate) fn activity(&self, block: u64) -> BlockActivity {
        let nodes = u64::from(self.nodes).saturating_sub(block * LANES as u64);
        let exists = if nodes >= LANES as u64 { u64::MAX } else { (1 << nodes) - 1 };
        let active = self.active.block(block) & exists;
        let (wants, unlocks) = match self.calls {
            RoundCalls::Rule(Wanting::Always, _) => (u64::MAX, u64::MAX),
            RoundCalls::Rule(Wanting::Never, _) => (0, u64::MAX),
            RoundCalls::Rule(Wanting::Chance(probability), stream) => {
                (stream.chances(block, probability), u64::MAX)
            }
            RoundCalls::Given { wants, unlocks } => {
                let bits = |blocks: &[u64]| blocks.get(block as usize).copied().unwrap_or(0);
                (bits(wants), bits(unlocks))
            }
        };
        BlockActivity { active, wants, unlocks }
    }

    /// The ports above 0 of the lock set that `node` requests. `present` are the ports with an edge, without port 0.
    pub(crate) fn claim<W: NodeWord>(&self, node: u32, present: W) -> W {
        match self.partners {
            None => present,
            Some(stream) => nth(present, pick_partner(stream, node, present.ones().number() as usize)),
        }
    }

    /// The lock sets that the nodes of a block request if they call Lock now: sets of ports that contain port 0.
    #[inline(always)]
    pub(crate) fn claims<W: NodeWord>(
        &self,
        first: u32,
        activity: BlockActivity,
        own: &[W; LANES],
        edges: &[W; LANES],
        into: &mut [W; LANES],
    ) {
        for (claim, edges) in into.iter_mut().zip(edges) {
            *claim = edges.present();
        }
        if self.partners.is_none() {
            return;
        }
        let mut rest = activity.active & activity.wants;
        while rest != 0 {
            let lane = rest.trailing_zeros();
            rest &= rest - 1;
            let at = lane as usize;
            if own[at].code() == LockCode::Idle {
                into[at] = self.claim(first + lane, edges[at].present() & !W::ONE) | W::ONE;
            }
        }
    }
}

/// The index of the neighbour that a node requests by a Lock on a pair; `None` without neighbours. The draw equals that
/// of [`World::pick_claim`](acrasin_runtime::World::pick_claim).
pub(crate) fn pick_partner(stream: Stream, node: u32, neighbours: usize) -> Option<usize> {
    let mut draws = stream.of_node(node);
    pick_index(&mut draws as &mut dyn Choices, neighbours, Decision::Partner)
}

/// A set with only the element at this index; empty for `None`.
fn nth<W: NodeWord>(mut set: W, place: Option<usize>) -> W {
    let Some(place) = place else { return W::NONE };
    for _ in 0..place {
        set = set & !super::activation::lowest(set);
    }
    super::activation::lowest(set)
}
