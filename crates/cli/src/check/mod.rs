//! `acrasin check`: claims that are proved by looking at everything that can happen, on small instances.
//!
//! | module | what |
//! |---|---|
//! | `arguments`, `lock_arguments` | flags and help texts |
//! | `dispatch` | which check a file is meant for |
//! | `locks` | the lock layer: every schedule, every draw, every change of the graph |
//! | `subject` | a population protocol, where agents start, what is claimed |
//! | `population` | does a population protocol give the right output from every input? |
//! | `amoebots` | a scenario of amoebots: every sequential schedule |
//! | `facts` | what is true of a protocol whoever meets whom |
//! | `exact` | how long it takes, and where it is after so many interactions: the Markov chain, solved |

mod amoebots;
mod arguments;
mod dispatch;
mod exact;
mod facts;
mod lock_arguments;
mod locks;
mod population;
mod subject;

pub(crate) use arguments::CheckArguments;
pub(crate) use dispatch::check;
