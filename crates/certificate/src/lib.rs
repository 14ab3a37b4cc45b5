//! Certificates that a population protocol is correct for every population size.
//!
//! A certificate is a JSON file that a prover writes. The certificate shows, step by step, that no input leads to a
//! bottom component with a wrong configuration. [`check`] reads the protocol and the claim itself, checks every
//! statement of the file, and computes with whole numbers only. This crate shares no code with the prover, apart from
//! the reader of protocols and predicates. So a user who trusts a proof needs to trust only this crate.
//!
//! ```
//! use std::ops::ControlFlow;
//! use acrasin_certificate::{Certificate, check};
//! use acrasin_protocols::{Missing, Rule, TableSpec, predicate::Predicate};
//! use acrasin_verify::population::{Answers, Claim};
//!
//! let table = TableSpec {
//!     states: vec!["yes".into(), "no".into()],
//!     rules: vec![Rule::Symmetric("yes + no -> yes + yes".into())],
//!     default: Some(Missing::Null),
//!     ..TableSpec::default()
//! }
//! .build()?;
//! let answers = Answers::by_name(&table).unwrap();
//! let claim = Claim::computes(&table, &Predicate::parse("yes >= 1")?, &answers)?;
//! // Agents in `no` die out once there is an agent in `yes`, and no agent leaves `yes`.
//! let certificate = Certificate::parse(
//!     r#"{"format":"all-n/1","states":["yes","no"],"transitions":[[[0,1],[0,0]]],"sides":[
//!     {"value":true,"tree":{"steps":[{"kind":"rank","dead":[0],"weights":{"1":1}}],
//!      "proof":{"cases":["either",0],"of":[
//!       {"farkas":[[2,"1"],[6,"1"],[7,"1"]]},{"cases":["either",1],"of":[{"farkas":[[7,"1"],[8,"1"]]}]}]}}},
//!     {"value":false,"tree":{"steps":[],"proof":{"cases":["either",0],"of":[
//!      {"cases":["siphon",[0]],"of":[{"farkas":[[8,"1"]]},{"farkas":[[6,"1"],[8,"1"]]},
//!       {"farkas":[[6,"1"],[7,"1"],[8,"1"]]}]}]}}}]}"#,
//! )?;
//! let inputs = [0, 1];
//! let summary = check(&certificate, &table, &inputs, &claim, &mut || ControlFlow::Continue(()))?;
//! assert_eq!(summary.nodes(), 2);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! | module | contents |
//! |---|---|
//! | `tape`, `place`, `read`, `format` | the file: JSON read without recursion, paths of positions, parts of a certificate |
//! | `net` | the protocol as transitions on multisets of states |
//! | `view` | knowledge of a wrong bottom component at a node, and its closure |
//! | `system`, `cases`, `sum`, `proof` | the constraints in force, distinctions of cases, exact sums, and proofs |
//! | `step`, `check` | steps of a node, nodes of a tree, sides of a claim |
//! | `visitor`, `words`, `explain`, `picture` | the proof as text and its tree as a picture, created while the proof is checked |
//! | [`limits`] | every limit on certificates, with its reason |
//!
//! # The argument of each part
//!
//! Let B be a bottom component with a wrong configuration that some input reaches, and L the transitions that are
//! enabled somewhere in B. A node of the tree has a set of live transitions, which contains L. It also has the states
//! that are empty in all of B, and those that are occupied in all of B. Each part of a certificate is justified by one
//! fact.
//!
//! | part | fact |
//! |---|---|
//! | closing | a transition that is not in L is never enabled in B, so if it needs two different states, one of them is always empty |
//! | `rank` | a weighted sum that no transition of L raises is constant on B |
//! | `layer` | members lower a sum, so they run out; if no other transition enables one again, B contains a configuration after which none occurs |
//! | `macro` | the same for sequences of transitions |
//! | `disabled` | a transition that no configuration of B enables is not in L |
//! | `split` | a count that no transition of L changes is constant on B |
//! | `proof` | every configuration of B is reachable, so it satisfies the flow equations and the facts of `cases` |
//!
//! # Formats
//!
//! The format `all-n/1` has siphons and traps of whole runs. The format `all-n/2` also has those of the part of a run
//! before an entry, or after an exit: `["part-siphon", states, number]` and `["part-trap", states, number]`, where the
//! number is that of the entry or exit. The flow of the part takes the place of the flow of the run, and the counts
//! where the part begins and ends take the place of the input and the final configuration.
//!
//! Some claims have no proof in `all-n/1`. In `s1 + s1 -> s1 + s2`, `s2 + s2 -> s2 + s3`, `s3 + s0 -> s3 + s1` and
//! `s3 + s1 -> s3 + s3`, two agents in s1 never lead to s3. But the whole flow may empty s1 and fill it again from s0
//! after the entry into s3. Only before this entry is {s1} a trap.

mod cases;
mod check;
mod error;
mod explain;
mod format;
pub mod limits;
mod net;
mod picture;
mod place;
mod proof;
mod read;
mod step;
mod sum;
mod system;
mod tape;
mod view;
mod visitor;
mod words;

pub use check::{CertificateSummary, check};
pub use error::{CertificateError, CertificateRefusal};
pub use explain::{Explanation, explain};
pub use read::Certificate;
