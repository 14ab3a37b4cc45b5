//! Explains a certificate: the proof as text, and its tree as a picture.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use acrasin_protocols::Table;
use acrasin_verify::population::Claim;

use crate::cases::Cases;
use crate::check::{CertificateSummary, check_with};
use crate::error::CertificateRefusal;
use crate::format::{CaseDistinction, ProofFactor, StageKind, StageStep};
use crate::net::ClaimNet;
use crate::picture::{StageBox, StageColour, drawing};
use crate::read::Certificate;
use crate::system::{ConstraintSystem, KeepGoing, LinearForm};
use crate::view::StageView;
use crate::visitor::{ProofVisitor, StageVisitor};
use crate::words::{Words, list};

/// The maximum number of inferences that are written out in one proof; the others are counted.
const INFERENCES_SHOWN: u64 = 60;

/// The maximum number of nested distinctions that are written out; inferences inside deeper ones are counted.
const DEPTH_SHOWN: usize = 12;

/// A proof as text and as a picture. Both are created while the certificate is checked.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Explanation {
    summary: CertificateSummary,
    text: String,
    picture: Option<String>,
}

impl Explanation {
    /// The size of the certificate.
    #[must_use]
    pub fn summary(&self) -> &CertificateSummary {
        &self.summary
    }

    /// The proof as text: one paragraph per node, one line per inference.
    #[must_use]
    pub fn text(&self) -> &str {
        &self.text
    }

    /// The tree of stages as SVG; `None` if it has more than [`DRAWN_NODES_MAX`](crate::limits::DRAWN_NODES_MAX) nodes.
    #[must_use]
    pub fn svg(&self) -> Option<&str> {
        self.picture.as_deref()
    }
}

/// Checks a certificate as [`check`](crate::check()) does, and explains its proof.
///
/// # Errors
///
/// The errors of [`check`](crate::check()): a refused certificate has no explanation.
///
/// # Panics
///
/// As [`check`](crate::check()).
pub fn explain(
    certificate: &Certificate,
    table: &Table,
    inputs: &[u16],
    claim: &Claim,
    keep_going: &mut KeepGoing<'_>,
) -> Result<Explanation, CertificateRefusal> {
    let net = ClaimNet::new(table, inputs);
    let mut narrator = Narrator {
        words: Words { table, net: &net },
        claim,
        text: String::new(),
        indent: String::new(),
        steps: 0,
        written: 0,
        left_out: 0,
        boxes: Vec::new(),
        open: Vec::new(),
        facts: BTreeMap::new(),
    };
    narrator.begin();
    let summary = check_with(certificate, (table, inputs, claim), &mut narrator, keep_going)?;
    narrator.counted_inferences();
    narrator.text +=
        "So no such set exists, and the claim holds for every population of two or more agents.\n";
    Ok(Explanation { summary, picture: drawing(&narrator.boxes), text: narrator.text })
}

struct Narrator<'t> {
    words: Words<'t>,
    claim: &'t Claim,
    text: String,
    /// The spaces before each paragraph of the current node.
    indent: String,
    /// The number of steps of the current node so far.
    steps: usize,
    /// The number of inferences of the current proof that have been written out.
    written: u64,
    left_out: u64,
    boxes: Vec<StageBox>,
    /// The open distinctions, outermost first, each with the number of constraints that were in force before it.
    open: Vec<(CaseDistinction, usize)>,
    /// The texts of facts that cases added, by the number of their constraint.
    facts: BTreeMap<usize, String>,
}

impl Narrator<'_> {
    fn begin(&mut self) {
        let claim = self.claim.text();
        let wrong = if self.claim.is_eventual() {
            format!("a configuration in which {claim} does not hold")
        } else {
            format!("an agent whose output is not the answer to {claim}")
        };
        let _ = writeln!(
            self.text,
            "Suppose that some input leads to a set of configurations that is never left, visited again and again,\n\
             and that contains {wrong}. Call this set the end."
        );
    }

    fn line(&mut self, line: &str) {
        let Self { text, indent, .. } = self;
        let _ = writeln!(text, "{indent}{line}");
    }

    /// The states that `after` knows to be empty and `before` does not.
    fn newly_empty(&self, before: &StageView, after: &StageView) -> Vec<u16> {
        let occurring = self.words.net.occurring.iter().copied();
        occurring
            .filter(|&state| after.empty[usize::from(state)] && !before.empty[usize::from(state)])
            .collect()
    }

    /// The conclusions of closing the view after a step: empty states, and dead transitions that the step does not
    /// name. `None` if there are none.
    fn consequences(&self, named: &[u32], before: &StageView, after: &StageView) -> Option<String> {
        let empty = self.newly_empty(before, after);
        let gone: Vec<u32> =
            before.live().filter(|number| !after.is_live(*number) && !named.contains(number)).collect();
        let mut parts = Vec::new();
        if !empty.is_empty() {
            parts.push(format!("{} stay empty", self.words.states(empty, "and")));
        }
        if !gone.is_empty() {
            parts.push(format!("{} cannot occur either", self.words.transitions(gone)));
        }
        (!parts.is_empty()).then(|| format!("Hence {}.", parts.join("; ")))
    }

    fn counted_inferences(&mut self) {
        if self.left_out > 0 {
            let line = format!("  ({} further inferences, all checked, are not written out)", self.left_out);
            self.line(&line);
        }
        (self.written, self.left_out) = (0, 0);
    }

    /// Writes a line of a proof, or counts it as left out if the proof is too long or too deep.
    fn inference(&mut self, depth: usize, counts: bool, line: impl FnOnce(&Self) -> String) {
        if self.written >= INFERENCES_SHOWN || depth > DEPTH_SHOWN {
            self.left_out += u64::from(counts);
            return;
        }
        self.written += u64::from(counts);
        let line = format!("{}{}", "  ".repeat(depth + 1), line(self));
        self.line(&line);
    }
}

impl ProofVisitor for Narrator<'_> {
    fn contradiction(&mut self, system: &ConstraintSystem<'_>, sum: &[ProofFactor], depth: usize) {
        self.inference(depth, true, |this| {
            let facts: Vec<String> = sum
                .iter()
                .filter_map(|summand| {
                    let number = summand.constraint as usize;
                    let fact = this.facts.get(&number).filter(|_| system.is_derived(number));
                    fact.cloned().or_else(|| this.words.constraint(system, number))
                })
                .collect();
            match facts.is_empty() {
                true => "Impossible.".to_owned(),
                false => format!("Impossible: {}.", list(&facts, "and")),
            }
        });
    }

    fn cut(&mut self, _system: &ConstraintSystem<'_>, form: &LinearForm, depth: usize) {
        self.inference(depth, true, |this| format!("In whole numbers {}.", this.words.form(form)));
    }

    fn cases(&mut self, system: &ConstraintSystem<'_>, distinction: &CaseDistinction, depth: usize) {
        self.open.truncate(depth);
        self.open.push((distinction.clone(), system.constraint_count()));
        self.inference(depth, true, |this| {
            let states = |set: &[u16], last: &str| this.words.states(set.iter().copied(), last);
            match distinction {
                CaseDistinction::Either(_) => "One of these holds:".to_owned(),
                CaseDistinction::Split { .. } => "A whole number is at most a bound, or greater:".to_owned(),
                CaseDistinction::Siphon(set) => format!(
                    "Agents in {} come from outside, or are there at the start, or never leave:",
                    states(set, "or")
                ),
                CaseDistinction::Trap(set) => format!(
                    "An agent leaves {} for outside, or one is in these states at the end, or none was ever in them:",
                    states(set, "or")
                ),
                CaseDistinction::Entry(set) => {
                    format!("Some transition is the first that enters {}:", states(set, "or"))
                }
                CaseDistinction::Exit(set) => {
                    format!("Some transition is the last that leaves {}:", states(set, "or"))
                }
                CaseDistinction::PartSiphon { set, of } => format!(
                    "{}, agents in {} come from outside, or are there from its start on, or never leave:",
                    this.words.part(system, *of),
                    states(set, "or")
                ),
                CaseDistinction::PartTrap { set, of } => format!(
                    "{}, an agent leaves {} for outside, or one is in these states where it ends, or none was ever in them:",
                    this.words.part(system, *of),
                    states(set, "or")
                ),
            }
        });
    }

    fn case(&mut self, system: &ConstraintSystem<'_>, cases: &Cases<'_>, case: usize, depth: usize) {
        self.open.truncate(depth);
        let Some((distinction, outside)) = self.open.last() else { return };
        let text = match distinction {
            CaseDistinction::Siphon(set) => {
                let states = self.words.states(set.iter().copied(), "or");
                match case {
                    0 => format!("an agent enters {states} from outside"),
                    1 => format!("an agent starts in {states}"),
                    _ => format!("no transition ever takes an agent from {states}"),
                }
            }
            CaseDistinction::Trap(set) => {
                let states = self.words.states(set.iter().copied(), "or");
                match case {
                    0 => format!("an agent leaves {states} for outside"),
                    1 => format!("an agent is in {states} at the end"),
                    _ => format!("no agent was ever in {states}"),
                }
            }
            CaseDistinction::PartSiphon { set, .. } => {
                let states = self.words.states(set.iter().copied(), "or");
                match case {
                    0 => format!("an agent enters {states} from outside in this part"),
                    1 => format!("an agent is in {states} where this part starts"),
                    _ => format!("no transition takes an agent from {states} in this part"),
                }
            }
            CaseDistinction::PartTrap { set, .. } => {
                let states = self.words.states(set.iter().copied(), "or");
                match case {
                    0 => format!("an agent leaves {states} for outside in this part"),
                    1 => format!("an agent is in {states} where this part ends"),
                    _ => format!("no agent was in {states} in this part"),
                }
            }
            _ => self.words.case(cases, case),
        };
        let now = system.constraint_count();
        // Facts of cases that are finished have no constraints any more.
        drop(self.facts.split_off(outside));
        if now > *outside {
            self.facts.insert(now - 1, text.clone());
        }
        self.inference(depth - 1, false, |_| format!("- {text}:"));
    }
}

impl StageVisitor for Narrator<'_> {
    fn side(&mut self, value: bool) {
        self.counted_inferences();
        self.indent.clear();
        let title = if self.claim.is_eventual() {
            "all inputs".to_owned()
        } else {
            let predicate = self.words.formula(self.claim.predicate().formula(), value);
            format!("inputs with {predicate}")
        };
        let _ = writeln!(self.text, "\n{}{}", title[..1].to_uppercase(), &title[1..]);
        self.boxes.push(StageBox::title(title));
    }

    fn enter(&mut self, level: usize, branch: Option<(u16, bool)>, before: &StageView, after: &StageView) {
        self.counted_inferences();
        self.indent = "  ".repeat(level);
        self.steps = 0;
        let branch = branch.map(|(state, is_occupied)| {
            let state = self.words.state(state);
            if is_occupied { format!("{state} occupied") } else { format!("{state} empty") }
        });
        self.boxes.push(StageBox::new(level, branch.clone()));
        match branch {
            Some(branch) => {
                self.indent.truncate(self.indent.len() - 2);
                self.line(&format!("Case: {branch} in every configuration of the end."));
                self.indent += "  ";
            }
            None => {
                let live = after.live().count();
                let live = if live == 1 { "1 transition".to_owned() } else { format!("{live} transitions") };
                self.line(&format!("{live} may occur in the end."));
            }
        }
        if let Some(consequences) = self.consequences(&[], before, after) {
            self.line(&consequences);
        }
    }

    fn step(&mut self, step: &StageStep, before: &StageView, after: &StageView) {
        self.counted_inferences();
        self.steps += 1;
        let number = self.steps;
        let named: Vec<u32> = step.dead.iter().map(|(_, number)| *number).collect();
        let what = self.words.transitions(named.iter().copied());
        let [dies, each] = if named.len() == 1 { ["does", "it"] } else { ["do", "each"] };
        let (why, mark) = match &step.kind {
            StageKind::Rank { weights } => {
                let (lowers, sum) = self.words.lowers(weights);
                let back = if lowers == "lowers" { "raises" } else { "lowers" };
                (format!("{each} {lowers} {sum}, which nothing {back}"), format!("{lowers} {sum}"))
            }
            StageKind::Layer { weights, .. } => {
                let (lowers, sum) = self.words.lowers(weights);
                (
                    format!(
                        "{each} {lowers} {sum}, so it runs out, and no other transition enables it again"
                    ),
                    format!("runs out: {lowers} {sum}"),
                )
            }
            StageKind::Macro { weights, items } => {
                let (lowers, sum) = self.words.lowers(weights);
                let items: Vec<String> = items
                    .iter()
                    .map(|(_, item)| {
                        let names: Vec<String> =
                            item.iter().map(|number| self.words.transitions([*number])).collect();
                        names.join(", then ")
                    })
                    .collect();
                let items = list(&items, "or");
                (
                    format!(
                        "the sequences {items} run out, since each {lowers} {sum}, and nothing enables one again"
                    ),
                    format!("sequences run out: {lowers} {sum}"),
                )
            }
            StageKind::Disabled { .. } => (
                "the end has no configuration that enables it, as shown above".to_owned(),
                "disabled".to_owned(),
            ),
        };
        self.line(&format!("{number}. {what} {dies} not occur in the end: {why}."));
        if let Some(consequences) = self.consequences(&named, before, after) {
            self.line(&format!("   {consequences}"));
        }
        if let Some(stage) = self.boxes.last_mut() {
            stage.lines.push(format!("{what} gone"));
            stage.lines.push(format!("   {mark}"));
        }
    }

    fn impossible(&mut self) {
        self.line("These contradict each other.");
        if let Some(stage) = self.boxes.last_mut() {
            stage.colour = StageColour::Impossible;
            stage.lines.push("contradiction".to_owned());
        }
    }

    fn leaf(&mut self, view: &StageView) {
        self.counted_inferences();
        let live: Vec<u32> = view.live().collect();
        let remains = if live.is_empty() {
            "Nothing can occur in the end: it is one silent configuration.".to_owned()
        } else {
            format!("In the end there may occur {} forever.", self.words.transitions(live.iter().copied()))
        };
        self.line(&remains);
        self.line("No such configuration is wrong:");
        if let Some(stage) = self.boxes.last_mut() {
            stage.colour = StageColour::Right;
            let live = live.len();
            stage.lines.push(if live == 0 {
                "right, silent".to_owned()
            } else {
                format!("right, {live} live")
            });
        }
    }

    fn split(&mut self, state: u16) {
        self.counted_inferences();
        let state = self.words.state(state);
        self.line(&format!("The number of agents in {state} does not change in the end."));
        if let Some(stage) = self.boxes.last_mut() {
            stage.lines.push(format!("is {state} occupied?"));
        }
    }
}
