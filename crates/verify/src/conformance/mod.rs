//! Conformance files: scenarios with every intermediate state, replayed and compared after every step.
//!
//! A file is JSON lines, one scenario a line, all of one format. A format is one module and one line of the table in
//! `format.rs`; the fields of its scenarios tell which it is:
//!
//! | module | a scenario of | told by |
//! |---|---|---|
//! | `local/` | local mutual exclusion | everything else |
//! | `tree_token/` | the token that travels along a tree | `father` |
//! | `critical_section/` | local critical sections | `alg` |
//!
//! What is common to all: after a difference the replay goes on with its own state, so that every other difference is found
//! as well. At a step that cannot happen the scenario ends. All differences are counted; a [`Report`] keeps the first few of
//! each scenario.
//!
//! Whatever is not of its form is malformed: an unknown or repeated field, a field where it does not belong, a wrong
//! type, a node, port or priority out of range, an unknown word, a set that lists an element twice, an empty file. It is
//! a [`FileError`] with file and line. The [`limits`](crate::limits) apply.
//!
//! # Local mutual exclusion
//!
//! ```text
//! {"id","note"?,"variant","n","delta","K","pair"?,"edges":[[u,port_u,v,port_v]..],"steps":[..],
//!  "final":{"nodes":[memory..],"transit":[[node,port,kind,arg?]..]}}
//! ```
//!
//! `variant` is a [`Variant`]. All nodes start with the initial memory of Table 1; `edges` are there from the start.
//! A step is `{"do":[..], ...}`:
//!
//! | `do` | beside it |
//! |---|---|
//! | `["lock",u]`; with pair locking `["lock",u,[0,port]]`, or `["lock",u,[0]]` alone; `["lock",u,null]` is ignored | `sends`, `enabled`, `node`, `misuse`? |
//! | `["unlock",u]` | the same |
//! | `["act",u,NAME]`; `["act",u,"CheckStart",p]`, `["act",u,"CheckWin",p]` where priority p is drawn | `sends`, `returns`?, `enabled`, `node` |
//! | `["recv",u,port,kind,arg?]` | the same |
//! | `["connect",u,port_u,v,port_v]` | nothing |
//! | `["disconnect",u,port]` | `D`: `[[u,[ports]],[v,[ports]]]` |
//!
//! `sends` are `[port,kind,arg?]`, compared as a multiset. `returns` is what a completed Lock returns. `enabled` are
//! the Check* actions whose guards hold after the step. `node` is the complete memory of `u` with its unread detector
//! `D`; a port set lists each port once, in any order. `misuse` marks a call that the rules ignore. Steps count from 1.
//!
//! ## What is compared
//!
//! Everything, with these exceptions: `id` and `note` are free text; `L` while `state` is `bot`; a larger `K` or
//! `delta`, a `variant` whose rules the scenario does not touch, an edge or port that is never used, or a step in place
//! of another one with the same effect is a different scenario that happens to go the same way. The published rules can send into a port whose edge has gone, after an ignored call: such sends are lost,
//! and a file may list all of them or none. Under the repaired rules the promises of the lock layer must hold, too.
//!
//! ## Two implementations, one comparison
//!
//! [`run`] replays through the [`World`](acrasin_runtime::World), rung F4 of the engine's ladder; [`run_on_words`] through
//! [`SingleActions`](acrasin_engine::message::SingleActions), rung F3, where a node is a published word. Every field is
//! compared on both. F3 has the repaired rules and words of limited width: what it cannot express is [`NotRun`],
//! counted and named. Edges that come and go, ports that are used again, misused calls and `repaired-mem` are run; for
//! the last, a node's messages to itself are handed over as soon as the action is done.
//!
//! ## How to make a file
//!
//! [`record`] takes the steps of a scenario and writes its line from what this implementation does. Compare that with
//! the paper by hand, or produce the line with another implementation: a file that was made here and not checked shows
//! only that nothing has changed.
//!
//! # The token that travels along a tree
//!
//! ```text
//! {"id","note"?,"n","father":[..],"rule":{"kind",..},"queue":"fifo"|"lift","steps":[[event,sent,state,a_tree]..],"end":[state..]}
//! ```
//!
//! Nodes count from 1, and 0 is nil. `rule` is `raymond`, or `static` or `scripted` with `beh`, a letter a node: T (transit)
//! or P (proxy). Events are `["enter",i]`, `["exit",i]`, `["R",from,to,j]` and `["T",from,to,lender]` for the receipt of a
//! request or the token, and `["beh",i,"T"|"P"]`. A state, of the node that acts and of all at the end, is `[token, asked,
//! father, lender, mandator, app, [queue]]`. All of it is compared, `sent` as a multiset; not `a_tree`, which follows from
//! states and messages. `topology` rules are not run, nor is anything on F3.
//!
//! # Local critical sections
//!
//! ```text
//! {"id","note"?,"alg":"lmutin"|"lmutex"|"lkcs"|"lkcs-home","n","edges":[[i,j]..],"l":[..],"k":[..],"leader","cs0":[..],
//!  "steps":[[event,sent,state]..],"end":[state..]}
//! ```
//!
//! Nodes count from 1, and 0 is nil; `lkcs` is the scheme with a leader. Events are `["start",i]`, an exit for who is inside and
//! an entry for who is not, and `["dlv",from,to,kind,at,ts,clk]`, the receipt of the head of a channel. What is sent is
//! `[from,to,kind,at,ts,clk]`, compared for each destination in order. A state is `[in, ph, clk, ts, [got], granted[X],
//! pending[X], pre[X], granted[N], pending[N], pre[N], trig, over, exc, busy]` with entries `[class, ts, id]`. After every
//! step the bounds of every closed neighbourhood are checked, too. Nothing is run on F3.

mod comparison;
mod critical_section;
mod format;
mod local;
mod not_run;
mod object;
mod report;
mod run;
mod tree_token;

pub use local::{Start, Variant, record};
pub use not_run::{NotRun, Skipped};
pub use report::{Difference, Report, ScenarioPoint};
pub use run::{run, run_on_words};

#[cfg(doc)]
use crate::FileError;
