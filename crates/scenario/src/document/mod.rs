//! The scenario file as written: its fields as types, and its text with positions.
//!
//! [`Document`] is the file after overrides; [`Scenario`] has its fields. Every struct refuses unknown fields.
//! `reference.ron` next to this crate's manifest shows every field with a comment.
//!
//! | field | type | module |
//! |---|---|---|
//! | `topology` | [`CatalogueRef`] in the catalogue, or [`TopologySource`] | [`topology`] |
//! | `weights`, `direction` | [`EdgeWeights`](edges::EdgeWeights), [`Initiator`](edges::Initiator) | [`edges`] |
//! | `ports`, `lock` | [`PortCount`](lock::PortCount), [`LockSettings`](lock::LockSettings) | [`lock`] |
//! | `rung` | [`RungSetting`](rung::RungSetting) | [`rung`] |
//! | `scheduler` | [`CatalogueRef`] in the catalogue | [`scheduler`] |
//! | `fairness` | [`FairnessSetting`](scheduler::FairnessSetting) | [`scheduler`] |
//! | `disturbances` | [`Disturbance`](scheduler::Disturbance) | [`scheduler`] |
//! | `work` | [`Work`](work::Work), [`ProtocolSource`](protocol::ProtocolSource) | [`work`], [`protocol`] |
//! | `stop` | [`Stop`](stop::Stop), or [`CatalogueRef`] in the catalogue | [`stop`] |
//! | `limits`, `observe` | [`RunLimits`](stop::RunLimits), [`Observe`](stop::Observe) | [`stop`] |

mod bare_protocol;
mod catalogue_ref;
pub mod edges;
mod entry_ref;
pub(crate) mod file;
pub mod lock;
mod missing;
pub(crate) mod misspelt;
mod parameters;
pub mod protocol;
pub mod quantity;
pub(crate) mod resolved_entry;
pub mod rung;
mod scenario;
pub mod scheduler;
pub mod stop;
mod textbook;
pub mod topology;
pub mod work;

pub use catalogue_ref::CatalogueRef;
pub(crate) use entry_ref::EntryRef;
pub use file::{DataFile, Document};
pub(crate) use parameters::ScenarioFields;
pub use scenario::Scenario;
pub use topology::TopologySource;
