//! `acrasin swarm`: random runs of the lock layer beyond what can be explored, each drawn from its seed.
//!
//! | module | what |
//! |---|---|
//! | `arguments` | flags, and the rules by their names |
//! | `hunt` | the runs, the first failure made small, the exit code |
//! | `covered` | whether every cell of the coverage table is as it must be |
//! | `words` | what is printed |
//! | `wrong` | the wrong rules by their names |

mod arguments;
mod covered;
mod hunt;
mod words;
mod wrong;

pub(crate) use arguments::SwarmArguments;
pub(crate) use hunt::swarm;
