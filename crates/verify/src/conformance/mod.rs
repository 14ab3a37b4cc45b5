//! Conformance files: scenarios with every intermediate state, replayed and compared after every step.
//!
//! A file is JSON lines: one scenario per line, all of one format. Each format is one module and one line of the table
//! in `format.rs`. The fields of a scenario determine its format:
//!
//! | module | algorithm | recognised by |
//! |---|---|---|
//! | `circuits/` | circuits and joint movements | `kind` |
//! | `local/` | local mutual exclusion | everything else |
//! | `tree_token/` | a token that travels along a tree | `father` |
//! | `critical_section/` | local critical sections | `alg` |
//!
//! After a difference the replay continues with its own state, so that other differences are found as well. A step that
//! is not possible ends the scenario. All differences are counted; a [`ConformanceReport`] stores the first few of each
//! scenario.
//!
//! A malformed file is a [`FileError`] with file and line. Faults are unknown, repeated or misplaced fields, wrong
//! types, unknown words, and empty files. Nodes, ports or priorities out of range are faults as well, and sets that
//! list an element twice. The [`limits`](crate::limits) apply.
//!
//! # Local mutual exclusion
//!
//! ```text
//! {"id","note"?,"variant","n","delta","K","pair"?,"edges":[[u,port_u,v,port_v]..],"steps":[..],
//!  "final":{"nodes":[memory..],"transit":[[node,port,kind,arg?]..]}}
//! ```
//!
//! `variant` is a [`RuleSetVariant`]. All nodes start with the initial memory of Table 1, and `edges` exist from the
//! start. A step is `{"do":[..], ...}`:
//!
//! | `do` | other fields |
//! |---|---|
//! | `["lock",u]` | `sends`, `enabled`, `node`, `misuse`? |
//! | `["lock",u,[0,port]]`, `["lock",u,[0]]` with pair locking; an ignored `["lock",u,null]` | the same |
//! | `["unlock",u]` | the same |
//! | `["act",u,NAME]` | `sends`, `returns`?, `enabled`, `node` |
//! | `["act",u,"CheckStart",p]`, `["act",u,"CheckWin",p]` with the drawn priority p | the same |
//! | `["recv",u,port,kind,arg?]` | the same |
//! | `["connect",u,port_u,v,port_v]` | none |
//! | `["disconnect",u,port]` | `D`: `[[u,[ports]],[v,[ports]]]` |
//!
//! `sends` are `[port,kind,arg?]`, compared as a multiset. `returns` is the lock set that a completed Lock returns.
//! `enabled` are the Check* actions whose guards hold after the step. `node` is the complete memory of `u` with its
//! unread detector `D`; a port set lists each port once, in any order. `misuse` marks a call that the rules ignore.
//! Steps count from 1.
//!
//! ## What is compared
//!
//! All fields are compared, with these exceptions: `id` and `note` are free text, and `L` is not compared while `state`
//! is `bot`. Differences without effect on the run are not detected. Examples are a larger `K` or `delta`, a `variant`
//! whose rules the scenario does not use, and an unused edge or port. Another example is a step replaced by one with
//! the same effect. After an ignored call the published rules can send into a port whose edge has vanished. Such
//! messages are lost. A file may list all or none of them. Under the repaired rules the promises of the lock layer are
//! checked as well.
//!
//! ## Two implementations, one comparison
//!
//! [`run`] replays through the [`World`](acrasin_runtime::World), rung F4 of the engine's ladder. [`run_on_words`]
//! replays through [`SingleActions`](acrasin_engine::message::SingleActions), rung F3, where a node is a published
//! word. Both functions compare every field. F3 has only the repaired rules and words of limited width: scenarios that
//! it cannot express are counted by reason, see [`NotRun`]. F3 does cover edges that appear and vanish, reused ports,
//! misused calls and `repaired-mem`. Under `repaired-mem`, the driver delivers a node's messages to itself right after
//! the action.
//!
//! ## How to make a file
//!
//! [`record`] takes the steps of a scenario and writes its line from this implementation. Compare the line with the
//! paper by hand, or write the line with another implementation. An unchecked recording shows only that nothing has
//! changed.
//!
//! # A token that travels along a tree
//!
//! ```text
//! {"id","note"?,"n","father":[..],"rule":{"kind",..},"queue":"fifo"|"lift",
//!  "steps":[[event,sent,state,a_tree]..],"end":[state..]}
//! ```
//!
//! Nodes count from 1, and 0 is nil. `rule` is `raymond`, or `static` or `scripted` with `beh`: a letter for each node,
//! T (transit) or P (proxy). Events are `["enter",i]`, `["exit",i]` and `["beh",i,"T"|"P"]`; `["R",from,to,j]` and
//! `["T",from,to,lender]` are the receipt of a request and of the token. A state is `[token, asked, father, lender,
//! mandator, app, [queue]]`. A step lists the state of the acting node, `end` the states of all nodes. All fields are
//! compared, `sent` as a multiset, except `a_tree`, which follows from states and messages. `topology` rules are not
//! run. F3 does not support this format.
//!
//! # Local critical sections
//!
//! ```text
//! {"id","note"?,"alg":"lmutin"|"lmutex"|"lkcs"|"lkcs-home","n","edges":[[i,j]..],
//!  "l":[..],"k":[..],"leader","cs0":[..],"steps":[[event,sent,state]..],"end":[state..]}
//! ```
//!
//! Nodes count from 1, and 0 is nil; `lkcs` is the scheme with a leader. `["start",i]` is an exit at a node that is
//! inside and an entry elsewhere. `["dlv",from,to,kind,at,ts,clk]` is the receipt of the head of a channel. Sent
//! messages are `[from,to,kind,at,ts,clk]`, compared in order for each destination. A state is `[in, ph, clk, ts,
//! [got], granted[X], pending[X], pre[X], granted[N], pending[N], pre[N], trig, over, exc, busy]` with entries `[class,
//! ts, id]`. After every step the bounds of all closed neighbourhoods are checked as well. F3 does not support this
//! format.
//!
//! # Circuits and joint movements
//!
//! Cells are `[x,y]`, directions 0 to 5 counter-clockwise from east, ends `"h"` and `"t"`. `kind` is one of three:
//!
//! ```text
//! {"id","kind":"circuit","note"?,"pins","amoebots":[{"head","tail","first","mirrored","sets":[[pin..]..],
//!  "beeps":{"sets","pins"},"messages":[[set or pin,value]..],"lost":{"sets","pins"}}..],"objects":[[cell..]..],
//!  "expect":{"circuits","heard":[{"sets","pins"}..],"messages":[[[set or pin,value]..]..]}}
//! {"id","kind":"movement","note"?,"anchor":["a"|"o",number],"amoebots":[{"head","tail","action","released","marked"}..],
//!  "objects":[{"cells","released"}..],"expect":{"result":"moved","amoebots","objects"} or
//!  {"result":"conflict","class","offenders"?,"parts"?,"time"?,"pairs"?}}
//! {"id","kind":"run","algorithm","note"?,"pins","amoebots":[{"cell","first","mirrored"}..],"parameters","coins",
//!  "rounds":[{"round","circuits","sent","heard","state"?}..],"result"}
//! ```
//!
//! A pin is `[end,label,index]` in the frame of its amoebot. An action is `null` or has `do`: `expand` and `push` with
//! `direction`, `contract` with `stay`, `pull` with both. `coins` are 1 for heads. Lists of sets, offenders, parts and
//! pairs are compared as sets. In a round without `state`, states are not compared. F3 does not support this format.

mod circuits;
mod comparison;
mod critical_section;
mod format;
mod local;
mod not_run;
mod object;
mod report;
mod run;
mod tree_token;

pub use local::{LocalStart, RuleSetVariant, record};
pub use not_run::{NotRun, Skipped};
pub use report::{ConformanceReport, Difference, ScenarioPoint};
pub use run::{run, run_on_words};

#[cfg(doc)]
use crate::FileError;
