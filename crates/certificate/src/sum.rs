//! Computes exact sums of constraints with factors.

use num_bigint::BigInt;
use num_integer::Integer;
use num_traits::{CheckedAdd, CheckedMul, FromPrimitive, ToPrimitive};

use crate::error::CertificateFault;
use crate::format::{ProofFactor, ProofFraction};
use crate::limits::DENOMINATOR_BITS_MAX;
use crate::system::{ConstraintSystem, KeepGoing, LinearForm};

/// The number of terms that are added before the caller is asked whether to continue.
const TERMS_BETWEEN_LOOKS: usize = 1 << 12;

/// A type of whole numbers in sums: `i128`, or `BigInt` for sums that overflow it.
trait WholeNumber:
    Integer + Clone + CheckedAdd + CheckedMul + FromPrimitive + ToPrimitive + TryFrom<BigInt>
{
    fn bit_count(&self) -> u64;
}

impl WholeNumber for i128 {
    fn bit_count(&self) -> u64 {
        u64::from(128 - self.unsigned_abs().leading_zeros())
    }
}

impl WholeNumber for BigInt {
    fn bit_count(&self) -> u64 {
        self.bits()
    }
}

/// Σ factor · constraint, multiplied by the positive common denominator of the factors.
struct ScaledSum<N> {
    /// The variables with nonzero factors, in increasing order.
    terms: Vec<(u32, N)>,
    constant: N,
    denominator: N,
}

/// Checks that the sum of the constraints is a negative constant.
pub(crate) fn is_contradiction(
    system: &ConstraintSystem<'_>,
    sum: &[ProofFactor],
    at: u32,
    keep_going: &mut KeepGoing<'_>,
) -> Result<(), CertificateFault> {
    fn judged<N: WholeNumber>(sum: &ScaledSum<N>, at: u32) -> Result<(), CertificateFault> {
        if let Some((_, factor)) = sum.terms.first() {
            let count = sum.terms.len();
            let sign = if *factor < N::zero() { "negative" } else { "positive" };
            return Err(CertificateFault::new(
                at,
                format!(
                    "the sum is not a contradiction: variables remain ({count}), the first with a {sign} factor"
                ),
            ));
        }
        if sum.constant >= N::zero() {
            return Err(CertificateFault::new(
                at,
                "the sum is not a contradiction: its constant is not negative",
            ));
        }
        Ok(())
    }
    validate(system, sum)?;
    match scaled::<i128>(system, sum, at, keep_going)? {
        Some(small) => judged(&small, at),
        None => judged(&large(system, sum, at, keep_going)?, at),
    }
}

/// The sum of the constraints with its constant rounded down. Fails if a factor of the sum is not a whole number.
pub(crate) fn rounded_down(
    system: &ConstraintSystem<'_>,
    sum: &[ProofFactor],
    at: u32,
    keep_going: &mut KeepGoing<'_>,
) -> Result<LinearForm, CertificateFault> {
    fn divided<N: WholeNumber>(sum: &ScaledSum<N>, at: u32) -> Result<LinearForm, CertificateFault> {
        let number = |number: &N| {
            number.to_i128().filter(|number| number.unsigned_abs() < 1 << 126).ok_or_else(|| {
                CertificateFault::new(
                    at,
                    "a factor of the rounded sum has more than 126 bits, which this check does not accept",
                )
            })
        };
        let mut terms = Vec::with_capacity(sum.terms.len());
        for (variable, factor) in &sum.terms {
            let (quotient, rest) = factor.div_mod_floor(&sum.denominator);
            if !rest.is_zero() {
                return Err(CertificateFault::new(at, "a factor of the rounded sum is not a whole number"));
            }
            terms.push((*variable, number(&quotient)?));
        }
        Ok(LinearForm { terms, constant: number(&sum.constant.div_floor(&sum.denominator))? })
    }
    validate(system, sum)?;
    match scaled::<i128>(system, sum, at, keep_going)? {
        Some(small) => divided(&small, at),
        None => divided(&large(system, sum, at, keep_going)?, at),
    }
}

fn validate(system: &ConstraintSystem<'_>, sum: &[ProofFactor]) -> Result<(), CertificateFault> {
    let count = system.constraint_count();
    match sum.iter().find(|summand| summand.constraint as usize >= count) {
        None => Ok(()),
        Some(summand) => Err(CertificateFault::new(
            summand.at,
            format!(
                "there is no constraint {}: {count} are in force here, numbered from 0",
                summand.constraint
            ),
        )),
    }
}

fn large(
    system: &ConstraintSystem<'_>,
    sum: &[ProofFactor],
    at: u32,
    keep_going: &mut KeepGoing<'_>,
) -> Result<ScaledSum<BigInt>, CertificateFault> {
    let scaled = scaled(system, sum, at, keep_going)?;
    Ok(scaled.expect("numbers of any size do not overflow"))
}

/// The scaled sum of these constraints; `None` if a number does not fit in `N`.
fn scaled<N: WholeNumber>(
    system: &ConstraintSystem<'_>,
    sum: &[ProofFactor],
    at: u32,
    keep_going: &mut KeepGoing<'_>,
) -> Result<Option<ScaledSum<N>>, CertificateFault> {
    let parts = |factor: &ProofFraction| -> Option<[N; 2]> {
        match factor {
            ProofFraction::Small { numerator, denominator } => {
                Some([N::from_i64(*numerator)?, N::from_i64(*denominator)?])
            }
            ProofFraction::Large(parts) => {
                let [numerator, denominator] = &**parts;
                Some([N::try_from(numerator.clone()).ok()?, N::try_from(denominator.clone()).ok()?])
            }
        }
    };
    let mut denominator = N::one();
    for ProofFactor { factor, .. } in sum {
        if matches!(factor, ProofFraction::Small { denominator: 1, .. }) {
            continue;
        }
        let Some([_, own]) = parts(factor) else { return Ok(None) };
        let shared = denominator.gcd(&own);
        let Some(product) = denominator.checked_mul(&(own / shared)) else { return Ok(None) };
        denominator = product;
        if denominator.bit_count() > DENOMINATOR_BITS_MAX {
            let reason =
                format!("the common denominator of the sum has more than {DENOMINATOR_BITS_MAX} bits");
            return Err(CertificateFault::new(at, reason));
        }
    }
    let mut sums: Vec<N> = vec![N::zero(); system.variable_count()];
    let mut constant = N::zero();
    let mut since_look = 0;
    for summand in sum {
        let Some([numerator, own]) = parts(&summand.factor) else { return Ok(None) };
        let Some(factor) = numerator.checked_mul(&(denominator.clone() / own)) else { return Ok(None) };
        let (terms, own_constant) = system.constraint(summand.constraint as usize);
        let add = |to: &mut N, number: i128| -> Option<()> {
            *to = to.checked_add(&N::from_i128(number)?.checked_mul(&factor)?)?;
            Some(())
        };
        if add(&mut constant, own_constant).is_none() {
            return Ok(None);
        }
        for &(variable, number) in terms {
            if add(&mut sums[variable as usize], number).is_none() {
                return Ok(None);
            }
        }
        since_look += terms.len() + 1;
        if since_look > TERMS_BETWEEN_LOOKS {
            since_look = 0;
            if keep_going().is_break() {
                return Err(CertificateFault::Interrupted);
            }
        }
    }
    let terms = (0..).zip(sums).filter(|(_, sum)| !sum.is_zero()).collect();
    Ok(Some(ScaledSum { terms, constant, denominator }))
}
