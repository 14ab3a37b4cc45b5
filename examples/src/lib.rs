//! Small programs and scenarios, each for one idea. They are in the folder of this package, numbered in reading order.
//!
//! Programs, run with `cargo run -p acrasin-examples --bin NAME`:
//!
//! | name | idea |
//! |---|---|
//! | `00_exact_majority` | a population protocol as a transition function, in the textbook's model |
//! | `01_lock_unlock` | lock a node and its neighbours, change their states, unlock |
//! | `02_your_own_protocol` | a user-defined population protocol, run under locks |
//! | `03_adversary` | flapping edges and a starved node; the published and the repaired rules |
//! | `04_your_own_scheduler` | a user-defined scheduler, and the use of weak fairness |
//! | `14_your_own_command` | the whole `acrasin` command with a user-defined protocol and graph family |
//! | `17_messages_of_a_token` | messages of an entry under three rules of the token on a tree |
//! | `21_worked_example_of_a_token` | the twelve messages of the worked example of RR-1692 |
//! | `25_your_own_amoebot_algorithm` | a user-defined amoebot algorithm: every mode of execution, and a command of its own |
//!
//! Scenarios, run with `acrasin run examples/NAME.ron`:
//!
//! | name | idea |
//! |---|---|
//! | `00_exact_majority.ron` | the same protocol as a file: run under locks on a torus, and proved by `acrasin check` |
//! | `05_torus_majority.ron` | approximate majority among neighbours under locks |
//! | `06_published_deadlock.ron` | the published rules on two nodes: some seeds deadlock |
//! | `07_contention_ring_30.ron` | the contention figure of the specification: 4.77 trials per Lock |
//! | `08_your_own_table.ron` | a protocol defined in the scenario: a rumour that dies |
//! | `09_epidemic_geometric.ron` | an epidemic over a random geometric graph |
//! | `10_churn_asynchronous.ron` | executions that span time while edges appear and vanish |
//! | `11_everything_on_an_edge.ron` | for `acrasin check`: every schedule, every priority, every change of the graph |
//! | `12_waves_epidemic.ron` | rung F1: a million agents, disjoint neighbourhoods at the same time |
//! | `13_messages_epidemic.ron` | rung F3: every message, forty thousand agents, edges that appear and vanish |
//! | `15_uniform_pairs.ron` | rung F0: a billion agents of the complete graph, uniform pairs without locks |
//! | `16_token_on_a_tree.ron` | another mutual exclusion algorithm: one resource, a token on a tree |
//! | `18_load_balancing.ron` | local critical sections: between l and k servers near every node |
//! | `19_fault_tolerant_service.ron` | mutual inclusion: at least two servers near every node |
//! | `20_two_services.ron` | two services by the complement: some nodes inside and some outside near every node |
//! | `22_every_message_on_planes.ron` | rung F2: every message on bit planes, up to 512 nodes per instruction |
//! | `23_token_on_a_large_tree.ron` | the token on a random tree of a hundred thousand nodes |
//! | `24_sections_on_a_large_grid.ron` | local critical sections on a grid of a hundred thousand nodes |
//! | `protocols/exact-majority.ron` | for `acrasin check`: right on the complete graph, wrong on a ring |
//! | `contacts/` | recorded human contacts |
//! | `laws/` | other models: reactions with rates, matchings, faults, weights, contacts |
//! | `catalogue/` | each protocol of the library, by uniform pairs |

/// Compiles and runs the code of the README.
#[cfg(doctest)]
#[doc = include_str!("../../README.md")]
mod readme {}

/// Compiles and runs the Rust code of the guide, page by page. `tests/guide.rs` runs everything else in the guide.
#[cfg(doctest)]
mod guide {
    #[doc = include_str!("../../docs/guide/01-first-protocol.md")]
    mod first_protocol {}

    #[doc = include_str!("../../docs/guide/02-scaling.md")]
    mod scaling {}

    #[doc = include_str!("../../docs/guide/03-graphs.md")]
    mod graphs {}

    #[doc = include_str!("../../docs/guide/05-locks.md")]
    mod locks {}

    #[doc = include_str!("../../docs/guide/08-amoebots.md")]
    mod amoebots {}

    #[doc = include_str!("../../docs/guide/12-own-lock.md")]
    mod own_lock {}
}
