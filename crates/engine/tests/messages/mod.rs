//! F3 against F4: the same configuration after every round.

mod agreement;
mod changing;
mod graphs;
mod lattices;
mod limits;
mod sections;
mod single;
mod threads;
