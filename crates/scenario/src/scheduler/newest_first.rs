//! An adversary that delivers the newest message first.

use acrasin_runtime::exclusion::local::Action;
use acrasin_runtime::scheduler::{Activation, NewestFirst, SemiSynchronous};

use super::entry::AdversaryEntry;
use super::schedule::Schedule;

const WORDS: &str = "newest message first";

pub(super) const ENTRY: AdversaryEntry = AdversaryEntry {
    name: "NewestFirst",
    summary: "the newest message is received first",
    parameters: &[],
    steps: |_, _| Ok(Schedule::new(NewestFirst::<Action>::new(), WORDS)),
    rounds: Some(|_, _| Ok(Schedule::new(SemiSynchronous::<Action>::new(Activation::Newest), WORDS))),
};
