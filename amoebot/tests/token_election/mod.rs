//! Token-based leader election against its oracles. They find boundaries by flooding, compare identifiers directly, and
//! compute the vector between candidates from coordinates.

mod coins;
mod goals;
mod oracle;
mod runs;
mod variants;
