//! Token-based leader election against its oracles: boundaries by flooding, identifiers compared directly, the way from
//! candidate to candidate by coordinates.

mod coins;
mod goals;
mod oracle;
mod runs;
mod variants;
