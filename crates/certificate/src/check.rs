//! Checks a certificate against a protocol and a claim.

use acrasin_protocols::Table;
use acrasin_verify::population::Claim;

use crate::error::{CertificateFault, CertificateRefusal};
use crate::format::{StageEnd, StageKind, TreeNumber};
use crate::limits::{TREE_LEVELS_MAX, WAITING_BYTES_MAX};
use crate::net::ClaimNet;
use crate::read::Certificate;
use crate::step::{ClaimSide, NodeCheck, SideGoal};
use crate::system::{ConstraintSystem, KeepGoing};
use crate::view::StageView;
use crate::visitor::{NoVisitor, StageVisitor};

/// The size of an accepted certificate.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct CertificateSummary {
    nodes: u64,
    ranks: u64,
    layers: u64,
    macros: u64,
    disabled: u64,
    inferences: u64,
    live_at_end: u64,
}

impl CertificateSummary {
    /// The number of nodes of the trees of all sides.
    #[must_use]
    pub fn nodes(&self) -> u64 {
        self.nodes
    }

    /// The number of steps of each kind: rank, layer, macro, disabled.
    #[must_use]
    pub fn steps(&self) -> [(&'static str, u64); 4] {
        [("rank", self.ranks), ("layer", self.layers), ("macro", self.macros), ("disabled", self.disabled)]
    }

    /// The number of inferences of all proofs: contradictions, cuts and distinctions of cases.
    #[must_use]
    pub fn inferences(&self) -> u64 {
        self.inferences
    }

    /// The largest number of transitions that may still be live at a leaf of a tree; 0 proves that every fair execution
    /// falls silent.
    #[must_use]
    pub fn live_at_end(&self) -> u64 {
        self.live_at_end
    }
}

/// Checks that a certificate proves a claim for every population of two or more agents on the complete graph.
///
/// `inputs` are the states in which agents start, in the order in which the protocol lists them: certificates number
/// constraints in this order. `keep_going` is called at least once every few thousand operations, and may stop the
/// check.
///
/// All computations are in whole numbers, and every statement of the certificate is checked. Memory: proportional to
/// the certificate and to the transitions of the protocol, up to the [limits](crate::limits).
///
/// # Errors
///
/// [`CertificateRefusal`] with the first fault that was found: the certificate belongs to another protocol or claim, or
/// one of its steps or proofs is wrong. Also if `keep_going` stopped the check.
///
/// # Panics
///
/// Panics if the claim is about another table, or if the table has no such inputs.
pub fn check(
    certificate: &Certificate,
    table: &Table,
    inputs: &[u16],
    claim: &Claim,
    keep_going: &mut KeepGoing<'_>,
) -> Result<CertificateSummary, CertificateRefusal> {
    check_with(certificate, (table, inputs, claim), &mut NoVisitor, keep_going)
}

/// Checks like [`check`], and reports each part to a visitor.
pub(crate) fn check_with(
    certificate: &Certificate,
    (table, inputs, claim): (&Table, &[u16], &Claim),
    visitor: &mut dyn StageVisitor,
    keep_going: &mut KeepGoing<'_>,
) -> Result<CertificateSummary, CertificateRefusal> {
    let mut summary = CertificateSummary::default();
    let net = ClaimNet::new(table, inputs);
    let checked = is_of(certificate, table, &net, claim).and_then(|()| {
        certificate.sides.iter().try_for_each(|certified| {
            visitor.side(certified.value);
            let side = claim_side(table, claim, certified.value);
            let system = ConstraintSystem::new(&net)
                .map_err(|fault| CertificateFault::new(certified.at, fault.reason()))?;
            let check =
                NodeCheck { certificate, net: &net, side: &side, system, keep_going, visitor, inferences: 0 };
            check_side(check, certified.tree, &mut summary)
        })
    });
    match checked {
        Ok(()) => Ok(summary),
        Err(fault) => Err(CertificateRefusal::new(&certificate.text, &fault)),
    }
}

/// Checks that the certificate is about this protocol and has a tree for each side of the claim.
fn is_of(
    certificate: &Certificate,
    table: &Table,
    net: &ClaimNet,
    claim: &Claim,
) -> Result<(), CertificateFault> {
    let Certificate { states, states_at, transitions, transitions_at, sides, sides_at, .. } = certificate;
    if let Some((place, (found, own))) =
        states.iter().zip(table.state_names()).enumerate().find(|(_, (found, own))| found != own)
    {
        let reason = format!(
            "another protocol: its state {place} is `{own}`, but the certificate has `{}`",
            found.escape_debug()
        );
        return Err(CertificateFault::new(*states_at, reason));
    }
    if states.len() != net.state_count {
        let reason = format!(
            "another protocol: its number of states is {}, but that of the certificate is {}",
            net.state_count,
            states.len()
        );
        return Err(CertificateFault::new(*states_at, reason));
    }
    for (number, ((at, found), own)) in transitions.iter().zip(&net.transitions).enumerate() {
        let own = [own.pre, own.post];
        if *found != own {
            let reason = format!(
                "another protocol or other inputs: the transition {number} is {own:?}, \
                 but the certificate has {found:?}"
            );
            return Err(CertificateFault::new(*at, reason));
        }
    }
    if transitions.len() != net.transitions.len() {
        let [own, found] = [net.transitions.len(), transitions.len()];
        let reason = format!(
            "another protocol or other inputs: the number of transitions is {own}, but that of the certificate is {found}"
        );
        return Err(CertificateFault::new(*transitions_at, reason));
    }
    let wanted: &[bool] = if claim.is_eventual() { &[true] } else { &[true, false] };
    if let Some(side) = sides.iter().find(|side| !wanted.contains(&side.value)) {
        return Err(CertificateFault::new(
            side.at,
            "a claim about the end has only one side, with the value true",
        ));
    }
    match wanted.iter().find(|value| !sides.iter().any(|side| side.value == **value)) {
        Some(missing) => {
            Err(CertificateFault::new(*sides_at, format!("the side with the value {missing} is missing")))
        }
        None => Ok(()),
    }
}

/// The part of the claim about inputs for which the predicate has this value.
pub(crate) fn claim_side<'c>(table: &Table, claim: &'c Claim, value: bool) -> ClaimSide<'c> {
    let predicate = claim.predicate().formula();
    let goal = if claim.is_eventual() {
        SideGoal::End { formula: predicate }
    } else {
        let is_right = table.states().map(|state| claim.is_answer(state, value)).collect();
        SideGoal::Answer { is_right, predicate, value }
    };
    ClaimSide { given: claim.condition().map(|condition| condition.formula()), goal }
}

/// A node of the tree that is still to be checked.
struct WaitingNode {
    tree: TreeNumber,
    level: usize,
    branch: Option<(u16, bool)>,
    view: StageView,
}

fn check_side(
    mut check: NodeCheck<'_, '_>,
    root: TreeNumber,
    summary: &mut CertificateSummary,
) -> Result<(), CertificateFault> {
    let NodeCheck { certificate, net, side, .. } = check;
    let mut waiting = vec![WaitingNode { tree: root, level: 1, branch: None, view: StageView::new(net) }];
    while let Some(WaitingNode { tree, level, branch, mut view }) = waiting.pop() {
        let tree = &certificate.trees[tree as usize];
        if (check.keep_going)().is_break() {
            return Err(CertificateFault::Interrupted);
        }
        summary.nodes += 1;
        let mut before = view.clone();
        let mut is_contradiction = view.close(net);
        check.visitor.enter(level, branch, &before, &view);
        for step in &tree.steps {
            // Steps after a contradiction are not needed.
            if is_contradiction {
                break;
            }
            check.step(step, &view)?;
            *match &step.kind {
                StageKind::Rank { .. } => &mut summary.ranks,
                StageKind::Layer { .. } => &mut summary.layers,
                StageKind::Macro { .. } => &mut summary.macros,
                StageKind::Disabled { .. } => &mut summary.disabled,
            } += 1;
            before.clone_from(&view);
            step.dead.iter().for_each(|(_, number)| view.live[*number as usize] = false);
            is_contradiction = view.close(net);
            check.visitor.step(step, &before, &view);
        }
        if is_contradiction {
            check.visitor.impossible();
            continue;
        }
        match tree.end {
            StageEnd::Contradiction => {
                return Err(CertificateFault::new(
                    tree.at,
                    "this node has no proof, and its constraints do not contradict each other",
                ));
            }
            StageEnd::Proof(proof) => {
                check.visitor.leaf(&view);
                check.query(&view, proof, |system| side.wrong(system))?;
                summary.live_at_end = summary.live_at_end.max(view.live().count() as u64);
            }
            StageEnd::Split { at, state, present, empty } => {
                if net.occurring.binary_search(&state).is_err() {
                    return Err(CertificateFault::new(
                        at,
                        format!("the state {state} cannot occur, or does not exist"),
                    ));
                }
                if view.changes(net, state) {
                    let reason =
                        format!("a live transition changes the number of agents in the state {state}");
                    return Err(CertificateFault::new(at, reason));
                }
                if level == TREE_LEVELS_MAX {
                    return Err(CertificateFault::new(
                        at,
                        format!("the tree has more than {TREE_LEVELS_MAX} levels"),
                    ));
                }
                if (waiting.len() + 2) * view.size() > WAITING_BYTES_MAX {
                    let reason =
                        format!("the nodes still to be checked take more than {WAITING_BYTES_MAX} bytes");
                    return Err(CertificateFault::new(at, reason));
                }
                check.visitor.split(state);
                let mut without = view.clone();
                without.empty[usize::from(state)] = true;
                view.occupied[usize::from(state)] = true;
                let level = level + 1;
                waiting.push(WaitingNode { tree: empty, level, branch: Some((state, false)), view: without });
                waiting.push(WaitingNode { tree: present, level, branch: Some((state, true)), view });
            }
        }
    }
    summary.inferences += check.inferences;
    Ok(())
}
