//! Tests of the prover.

#[allow(dead_code, reason = "shared with an example")]
mod rows;
