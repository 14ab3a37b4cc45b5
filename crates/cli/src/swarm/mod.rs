//! `acrasin swarm`: random runs of the lock layer beyond the reach of exploration, each drawn from its seed.
//!
//! | module | contents |
//! |---|---|
//! | `arguments` | flags, and the rules by name |
//! | `hunt` | the runs, shrinking of the first failure, the exit code |
//! | `covered` | checks the cells of the coverage table |
//! | `results` | the output |
//! | `wrong` | the wrong rules by name |

mod arguments;
mod covered;
mod hunt;
mod results;
mod wrong;

pub(crate) use arguments::SwarmArguments;
pub(crate) use hunt::swarm;
