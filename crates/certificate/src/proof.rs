//! Checks that constraints have no solution in whole numbers.

use crate::cases::Cases;
use crate::error::CertificateFault;
use crate::format::{ProofNumber, ProofRule};
use crate::read::Certificate;
use crate::sum::{is_contradiction, rounded_down};
use crate::system::{ConstraintSystem, KeepGoing, SystemMark};
use crate::visitor::ProofVisitor;

/// A distinction whose cases are being checked.
struct OpenCases<'p, 'c> {
    cases: Cases<'c>,
    proofs: &'p [ProofNumber],
    /// The index of the case to be checked next.
    next: usize,
    /// A mark of the constraints in force before the current case, to which the system returns after it.
    before: SystemMark,
    at: u32,
}

/// Checks a proof that the constraints in force have no solution. Afterwards the same constraints are in force as
/// before. Returns the number of inferences.
///
/// Cases are checked depth first with a list of the open distinctions instead of recursion, because proofs are
/// thousands of levels deep.
pub(crate) fn check_proof<'c>(
    system: &mut ConstraintSystem<'c>,
    certificate: &Certificate,
    proof: ProofNumber,
    visitor: &mut dyn ProofVisitor,
    keep_going: &mut KeepGoing<'_>,
) -> Result<u64, CertificateFault> {
    let before = system.mark();
    let mut open: Vec<OpenCases<'_, 'c>> = Vec::new();
    let mut current = proof;
    let mut inferences = 0;
    loop {
        if keep_going().is_break() {
            return Err(CertificateFault::Interrupted);
        }
        inferences += 1;
        let proof = &certificate.proofs[current as usize];
        let at = proof.at;
        match &proof.rule {
            ProofRule::Farkas(sum) => {
                is_contradiction(system, sum, at, keep_going)?;
                visitor.contradiction(system, sum, open.len());
            }
            ProofRule::Cut { sum, then } => {
                let form = rounded_down(system, sum, at, keep_going)?;
                system.at_least_zero(&form).map_err(|fault| CertificateFault::new(at, fault.reason()))?;
                visitor.cut(system, &form, open.len());
                current = *then;
                continue;
            }
            ProofRule::Cases { distinction, of } => {
                let cases = Cases::of(system, distinction, at)?;
                if cases.len() != of.len() {
                    let [cases, proofs] = [cases.len(), of.len()];
                    return Err(CertificateFault::new(at, format!("{cases} cases have {proofs} proofs")));
                }
                visitor.cases(system, distinction, open.len());
                open.push(OpenCases { cases, proofs: of, next: 0, before: system.mark(), at });
            }
        }
        // To the next case that has not been checked.
        current = loop {
            let depth = open.len();
            let Some(top) = open.last_mut() else {
                system.back_to(before);
                return Ok(inferences);
            };
            system.back_to(top.before);
            if let Some(&next) = top.proofs.get(top.next) {
                top.cases
                    .assume(system, top.next)
                    .map_err(|fault| CertificateFault::new(top.at, fault.reason()))?;
                visitor.case(system, &top.cases, top.next, depth);
                top.next += 1;
                break next;
            }
            open.pop();
        };
    }
}
