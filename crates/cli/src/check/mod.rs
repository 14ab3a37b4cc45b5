//! `acrasin check`: proves claims on small instances by exhaustive exploration.
//!
//! | module | contents |
//! |---|---|
//! | `arguments`, `lock_arguments` | flags and help texts |
//! | `dispatch` | selects the check for a file |
//! | `locks` | the lock layer: every schedule, every draw, every change of the graph |
//! | `check_target` | a population protocol with its inputs and claim |
//! | `certificate` | `acrasin check-certificate`: does a file prove a claim for every population size? |
//! | `population` | does a population protocol give the right output from every input? |
//! | `amoebots` | a scenario of amoebots: every sequential schedule |
//! | `conclusion` | the end of every kind of check: report, recording, exit status |
//! | `recorded` | counterexamples of population protocols, and their recordings |
//! | `saved` | checkpoints of an exploration |
//! | `facts` | facts about a protocol that do not depend on the interaction graph |
//! | `every_size` | proofs for every population size |
//! | `exact` | times and distributions of the Markov chain, solved exactly |

mod amoebots;
mod arguments;
mod certificate;
mod check_target;
mod conclusion;
mod dispatch;
mod every_size;
mod exact;
mod facts;
mod lock_arguments;
mod locks;
mod population;
mod recorded;
mod saved;

pub(crate) use arguments::CheckArguments;
pub(crate) use certificate::{CheckCertificateArguments, check_certificate};
pub(crate) use dispatch::check;
