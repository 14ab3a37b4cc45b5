//! Further conformance files of local critical sections, written by an independent implementation. It follows the
//! specification's pseudo-code (B2 to B4) in the notation of the format, and shares no code with the shipped rules.

use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::num::NonZeroU32;

use acrasin_runtime::{Choices, Decision, Seeded};
use acrasin_verify::conformance::run;
use serde_json::{Value, json};

/// The two permissions, as indices: to be inside, and to be outside.
const X: usize = 0;
const N: usize = 1;
const KINDS: [&str; 2] = ["X", "N"];

/// Class, stamp, owner.
type Entry = (u32, u32, usize);

#[derive(Clone, Default)]
struct Process {
    inside: bool,
    /// 0 idle, 1 exiting, 2 entering.
    phase: u32,
    clk: u32,
    ts: u32,
    got: BTreeSet<usize>,
    granted: [BTreeSet<Entry>; 2],
    pending: [BTreeSet<Entry>; 2],
    pre: [usize; 2],
    cap: [usize; 2],
    trig: bool,
    over: bool,
    exc: bool,
    busy: bool,
}

#[derive(Clone, Copy)]
struct Letter {
    kind: &'static str,
    at: usize,
    ts: u32,
    clk: u32,
}

/// Processes are 1 to n; 0 is nil.
struct System {
    alg: &'static str,
    around: Vec<Vec<usize>>,
    leader: usize,
    home: Vec<bool>,
    all: Vec<Process>,
    channels: BTreeMap<(usize, usize), VecDeque<Letter>>,
    sent: Vec<Value>,
    /// Wrong on purpose: a Preempt is answered by a process in the position that it would leave (B-4).
    answers_always: bool,
}

/// The start of a scenario.
struct Beginning {
    alg: &'static str,
    edges: Vec<(usize, usize)>,
    around: Vec<Vec<usize>>,
    l: Vec<usize>,
    k: Vec<usize>,
    leader: usize,
    cs0: BTreeSet<usize>,
}

impl Beginning {
    fn count(&self, i: usize) -> usize {
        self.around[i].iter().filter(|j| self.cs0.contains(j)).count()
    }

    fn is_near(&self, i: usize) -> bool {
        self.leader > 0 && self.around[i].iter().any(|&j| self.around[j].contains(&self.leader))
    }

    /// Whether the start satisfies its bounds.
    fn is_safe(&self) -> bool {
        (1..self.around.len()).all(|i| {
            let (l, k, size, c) = (self.l[i], self.k[i], self.around[i].len(), self.count(i));
            k >= 1 && k <= size && l < size && l <= c && c <= k && (self.alg != "lkcs" || l <= k)
        })
    }

    /// Whether the algorithm accepts this start.
    fn fits(&self) -> bool {
        (1..self.around.len()).all(|i| {
            let (l, k, size, c) = (self.l[i], self.k[i], self.around[i].len(), self.count(i));
            match self.alg {
                "lmutin" => l < size && l <= c && k == size,
                "lmutex" => l == 0 && (1..=size).contains(&k) && c <= k,
                "lkcs" => l < k && k <= size && l <= c && c <= k && (!self.is_near(i) || k - l >= 3),
                _ => {
                    let strictly = (l < c || c == 0) && (c < k || c == size);
                    k >= 1 && k <= size && l < size && l <= c && c <= k && strictly
                }
            }
        })
    }
}

impl System {
    fn new(start: &Beginning) -> Self {
        let n = start.around.len() - 1;
        let mut all = vec![Process::default(); n + 1];
        for (i, process) in all.iter_mut().enumerate().skip(1) {
            let (size, c) = (start.around[i].len(), start.count(i));
            process.inside = start.cs0.contains(&i);
            let near = usize::from(start.alg == "lkcs" && start.is_near(i));
            process.cap = match start.alg {
                "lmutin" => [0, size - start.l[i]],
                "lmutex" => [start.k[i], 0],
                "lkcs" => [start.k[i] - near, size - start.l[i] - near],
                _ => [start.k[i] - c, c - start.l[i]],
            };
            let stamp = u32::from(start.alg == "lkcs");
            (process.clk, process.ts) = (stamp, stamp);
            for &j in &start.around[i] {
                let (kind, is_kept) = if start.cs0.contains(&j) {
                    (X, ["lmutex", "lkcs"].contains(&start.alg))
                } else {
                    (N, ["lmutin", "lkcs"].contains(&start.alg))
                };
                if is_kept {
                    process.granted[kind].insert((1, stamp, j));
                }
            }
        }
        let home = (0..=n)
            .map(|i| match start.alg {
                "lmutin" => true,
                "lmutex" => false,
                _ => start.cs0.contains(&i),
            })
            .collect();
        Self {
            alg: start.alg,
            around: start.around.clone(),
            leader: start.leader,
            home,
            all,
            channels: BTreeMap::new(),
            sent: Vec::new(),
            answers_always: false,
        }
    }

    fn send(&mut self, from: usize, to: usize, (kind, at, ts): (&'static str, usize, u32)) {
        let clk = self.all[from].clk;
        self.sent.push(json!([from, to, kind, KINDS[at], ts, clk]));
        self.channels.entry((from, to)).or_default().push_back(Letter { kind, at, ts, clk });
    }

    fn broadcast(&mut self, from: usize, letter: (&'static str, usize, u32)) {
        for to in self.around[from].clone() {
            self.send(from, to, letter);
        }
    }

    fn start(&mut self, i: usize) {
        let process = &mut self.all[i];
        let kind = if process.inside { N } else { X };
        if self.alg == "lkcs" && process.exc {
            self.change(i);
        } else if self.alg == "lkcs" || process.inside == self.home[i] {
            process.clk += 1;
            process.ts = process.clk;
            process.phase = if process.inside { 1 } else { 2 };
            process.got.clear();
            (process.trig, process.over) = (false, false);
            let ts = process.ts;
            self.broadcast(i, ("Req", kind, ts));
        } else {
            process.inside = !process.inside;
            self.broadcast(i, ("Rel", 1 - kind, 0));
        }
        self.evaluate(i);
    }

    fn change(&mut self, i: usize) {
        let process = &mut self.all[i];
        let at = if process.inside { N } else { X };
        process.inside = !process.inside;
        process.phase = 0;
        process.got.clear();
        if self.alg != "lkcs" {
            return;
        }
        let (trig, over) = (process.trig, process.over);
        (process.trig, process.over) = (false, false);
        if process.exc {
            process.exc = false;
            self.broadcast(i, ("Rel", 1 - at, 0));
            self.send(i, self.leader, ("Done", at, 0));
        } else if over {
            process.exc = true;
        } else {
            self.broadcast(i, ("Rel", 1 - at, 0));
            if trig {
                self.send(i, self.leader, ("Done", at, 0));
            }
        }
    }

    /// Called after every step: checks the guard and makes the change.
    fn evaluate(&mut self, i: usize) {
        if self.all[i].phase == 0 {
            return;
        }
        if self.all[i].got.len() == self.around[i].len() {
            self.change(i);
        } else if self.alg == "lkcs" && i == self.leader && !self.all[i].busy {
            self.nominate(i);
        }
    }

    fn nominate(&mut self, i: usize) {
        let arbiter = &self.all[i];
        let of = |entries: &BTreeSet<Entry>, j: usize| entries.iter().copied().find(|entry| entry.2 == j);
        let granted = |kind: usize, j| of(&arbiter.granted[kind], j);
        let both = self.around[i].iter().filter(|&&j| granted(X, j).is_some() && granted(N, j).is_some());
        let waiting = arbiter.pending[X].len() + arbiter.pending[N].len() + both.count();
        if waiting != self.around[i].len() {
            return;
        }
        let current = self.around[i].iter().filter_map(|&j| {
            if let Some(entry) = of(&arbiter.pending[X], j) {
                return Some((entry, X));
            }
            if let Some(entry) = of(&arbiter.pending[N], j) {
                return Some((entry, N));
            }
            let (x, n) = (granted(X, j)?, granted(N, j)?);
            Some(if x.1 > n.1 { (x, X) } else { (n, N) })
        });
        let oldest = current.filter(|(entry, _)| entry.0 == 1).min_by_key(|(entry, _)| (entry.1, entry.2));
        if let Some(((_, ts, j), at)) = oldest {
            self.all[i].busy = true;
            self.send(i, j, ("Trg", at, ts));
        }
    }

    fn grant(&mut self, i: usize, at: usize, flag: u32) {
        let entry = self.all[i].pending[at].pop_first().expect("a request is pending");
        self.all[i].granted[at].insert(entry);
        self.send(i, entry.2, ("Grant", at, flag));
    }

    fn refill(&mut self, i: usize, at: usize) {
        if self.alg == "lkcs" {
            return self.review(i, at);
        }
        while self.all[i].granted[at].len() < self.all[i].cap[at] && !self.all[i].pending[at].is_empty() {
            self.grant(i, at, 0);
        }
    }

    fn review(&mut self, i: usize, at: usize) {
        while let Some(&r) = self.all[i].pending[at].first() {
            let arbiter = &self.all[i];
            let (granted, cap) = (arbiter.granted[at].len(), arbiter.cap[at]);
            if granted < cap {
                self.grant(i, at, 0);
                continue;
            }
            if arbiter.pre[at] != 0 || granted > cap {
                return;
            }
            let used = |e: &Entry| {
                let other = arbiter.granted[1 - at].iter().find(|other| other.2 == e.2);
                other.is_none_or(|other| other.1 > e.1)
            };
            let v = arbiter.granted[at].iter().rev().find(|e| !used(e)).copied();
            if let Some(v) = v.filter(|&v| r < v) {
                self.all[i].pre[at] = v.2;
                self.send(i, v.2, ("Pre", at, 0));
                return;
            }
            if r.0 != 0 {
                return;
            }
            self.grant(i, at, 1);
        }
    }

    fn withdraw(&mut self, i: usize, at: usize, p: usize) -> Option<Entry> {
        let entry = self.all[i].granted[at].iter().copied().find(|entry| entry.2 == p)?;
        self.all[i].granted[at].remove(&entry);
        Some(entry)
    }

    /// Delivers the head of a channel.
    fn deliver(&mut self, (p, i): (usize, usize)) -> Letter {
        let letter = self.channels.get_mut(&(p, i)).unwrap().pop_front().unwrap();
        let Letter { kind, at, ts, clk } = letter;
        self.all[i].clk = self.all[i].clk.max(clk);
        let awaited = [None, Some(N), Some(X)][self.all[i].phase as usize];
        match kind {
            "Req" => {
                let entry = (1, ts, p);
                self.all[i].pending[at].insert(entry);
                if self.alg == "lkcs" {
                    self.review(i, at);
                } else if self.all[i].granted[at].len() < self.all[i].cap[at] {
                    self.grant(i, at, 0);
                } else if let Some(&h) = self.all[i].granted[at].last()
                    && self.all[i].pre[at] == 0
                    && entry < h
                {
                    self.all[i].pre[at] = h.2;
                    self.send(i, h.2, ("Pre", at, 0));
                }
            }
            "Grant" => {
                self.all[i].got.insert(p);
                self.all[i].over |= ts == 1;
            }
            "Rel" => {
                if self.all[i].pre[at] == p {
                    self.all[i].pre[at] = 0;
                }
                self.withdraw(i, at, p);
                self.refill(i, at);
                if self.alg == "lkcs" {
                    if self.all[i].pre[1 - at] == p {
                        self.all[i].pre[1 - at] = 0;
                    }
                    self.review(i, 1 - at);
                }
            }
            "Pre" => {
                let held = self.all[i].got.contains(&p);
                let stays = self.all[i].inside == (at == N);
                if awaited == Some(at) && held || self.answers_always && stays {
                    self.all[i].got.remove(&p);
                    self.send(i, p, ("Rlq", at, 0));
                }
            }
            "Rlq" => {
                self.all[i].pre[at] = 0;
                if let Some(entry) = self.withdraw(i, at, p) {
                    self.all[i].pending[at].insert(entry);
                }
                self.refill(i, at);
            }
            "Trg" => {
                if awaited == Some(at) && self.all[i].ts == ts && !self.all[i].trig {
                    self.all[i].trig = true;
                    self.broadcast(i, ("RbT", at, ts));
                } else {
                    self.send(i, self.leader, ("Done", at, 0));
                }
            }
            "RbT" => {
                let Process { granted, pending, .. } = &mut self.all[i];
                for entries in [&mut granted[at], &mut pending[at]] {
                    if let Some(entry) = entries.iter().copied().find(|entry| entry.2 == p) {
                        entries.remove(&entry);
                        entries.insert((0, entry.1, p));
                    }
                }
                self.review(i, at);
            }
            "Done" => self.all[i].busy = false,
            other => unreachable!("{other}"),
        }
        self.evaluate(i);
        letter
    }

    fn state(&self, i: usize) -> Value {
        let p = &self.all[i];
        let bit = u32::from;
        json!([
            bit(p.inside),
            p.phase,
            p.clk,
            p.ts,
            p.got,
            p.granted[X],
            p.pending[X],
            p.pre[X],
            p.granted[N],
            p.pending[N],
            p.pre[N],
            bit(p.trig),
            bit(p.over),
            bit(p.exc),
            bit(p.busy)
        ])
    }
}

fn below(choices: &mut Seeded, bound: usize) -> usize {
    choices.pick(NonZeroU32::new(bound as u32).unwrap(), Decision::Initial) as usize
}

/// The kind of start to draw.
#[derive(Clone, Copy)]
enum From {
    /// Starts from which every process can make progress.
    Fitting,
    /// Other starts within their bounds: leaders with narrow bounds, or homes that are not strictly inside.
    AnySafe,
}

/// Draws a start of this kind, by rejection.
fn beginning((alg, start): (&'static str, From), choices: &mut Seeded) -> Beginning {
    loop {
        let n = 2 + below(choices, 5);
        let with_leader = alg == "lkcs" && below(choices, 2) == 0;
        let mut edges = Vec::new();
        for b in 2..=n {
            let one = 1 + below(choices, b - 1);
            for a in 1..b {
                if a == one || with_leader || below(choices, 3) == 0 {
                    edges.push((a, b));
                }
            }
        }
        let mut around: Vec<Vec<usize>> = (0..=n).map(|i| vec![i]).collect();
        for &(a, b) in &edges {
            around[a].push(b);
            around[b].push(a);
        }
        around.iter_mut().for_each(|list| list.sort_unstable());
        let cs0 = (1..=n).filter(|_| below(choices, 2) == 0).collect();
        let draw = |choices: &mut Seeded, i: usize| match alg {
            "lmutin" => (below(choices, around[i].len()), around[i].len()),
            "lmutex" => (0, 1 + below(choices, around[i].len())),
            _ => (below(choices, 3), 1 + below(choices, around[i].len())),
        };
        let bounds: Vec<(usize, usize)> =
            (0..=n).map(|i| if i == 0 { (0, 0) } else { draw(choices, i) }).collect();
        let (l, k) = bounds.into_iter().unzip();
        let leader = if with_leader { 1 + below(choices, n) } else { 0 };
        let found = Beginning { alg, edges, around, l, k, leader, cs0 };
        let is_taken = match start {
            From::Fitting => found.fits(),
            From::AnySafe => found.is_safe() && !found.fits(),
        };
        if is_taken {
            return found;
        }
    }
}

/// A random run of 120 steps, as a line.
fn scenario(alg: &'static str, seed: u64, answers_always: bool) -> Value {
    scenario_from((alg, From::Fitting), seed, answers_always)
}

fn scenario_from((alg, from): (&'static str, From), seed: u64, answers_always: bool) -> Value {
    let mut choices = Seeded::new(seed);
    let start = beginning((alg, from), &mut choices);
    let n = start.around.len() - 1;
    let mut system = System { answers_always, ..System::new(&start) };
    let mut steps = Vec::new();
    // Some runs make many calls, others deliver first.
    let eagerness = 1 + below(&mut choices, 6);
    for _ in 0..120 {
        let idle: Vec<usize> = (1..=n).filter(|&i| system.all[i].phase == 0).collect();
        let full: Vec<(usize, usize)> =
            system.channels.iter().filter(|(_, queue)| !queue.is_empty()).map(|(&ends, _)| ends).collect();
        let begins = full.is_empty() || !idle.is_empty() && below(&mut choices, 8) < eagerness;
        system.sent.clear();
        let (event, i) = if !begins {
            let (p, i) = full[below(&mut choices, full.len())];
            let Letter { kind, at, ts, clk } = system.deliver((p, i));
            (json!(["dlv", p, i, kind, KINDS[at], ts, clk]), i)
        } else if idle.is_empty() {
            break;
        } else {
            let i = idle[below(&mut choices, idle.len())];
            system.start(i);
            (json!(["start", i]), i)
        };
        steps.push(json!([event, system.sent, system.state(i)]));
    }
    let end: Vec<Value> = (1..=n).map(|i| system.state(i)).collect();
    let cs0: Vec<usize> = start.cs0.iter().copied().collect();
    json!({
        "id": format!("{alg}-{seed}"), "alg": alg, "n": n, "edges": start.edges, "l": start.l[1..], "k": start.k[1..],
        "leader": start.leader, "cs0": cs0, "note": "made by another implementation", "steps": steps, "end": end,
    })
}

const ALGORITHMS: [&str; 4] = ["lmutin", "lmutex", "lkcs", "lkcs-home"];

/// 600 further scenarios of each algorithm, with other graphs, bounds, starts and schedules, have no difference.
#[test]
fn further_files_of_sections_agree() {
    for alg in ALGORITHMS {
        let (mut text, mut asked_back, mut raised, mut excursions) = (String::new(), 0, 0, 0);
        for seed in 0..600 {
            let line = scenario(alg, seed, false).to_string();
            asked_back += u32::from(line.contains("\"Rlq\""));
            raised += u32::from(line.contains("\"RbT\""));
            excursions += u32::from(line.contains(",1,0],\"end\"") || line.contains(",1,0]],["));
            text += &line;
            text.push('\n');
        }
        let report = run("further.jsonl", text.as_bytes()).unwrap();
        assert!(report.agrees(), "{alg}: {:?}", &report.differences()[..3.min(report.differences().len())]);
        assert_eq!((report.scenarios(), report.skipped_count()), (600, 0));
        assert!(report.steps() > 30_000, "{}", report.steps());
        assert!(asked_back > 30, "{alg}: {asked_back} runs give a grant back");
        assert!(alg != "lkcs" || raised > 20 && excursions > 0, "{raised} raised, {excursions} excursions");
    }
}

/// The comparison finds a wrong line (B-4) in the other implementation.
#[test]
fn a_wrong_implementation_of_sections_is_found() {
    let found = (0..600).filter(|&seed| {
        let line = scenario("lmutin", seed, true).to_string();
        !run("further.jsonl", line.as_bytes()).unwrap().agrees()
    });
    let found = found.count();
    assert!((20..600).contains(&found), "{found}");
}

/// Runs are compared from any safe start, even if the rules do not guarantee progress for every process.
#[test]
fn further_files_from_any_safe_start_agree() {
    for alg in ["lkcs", "lkcs-home"] {
        let lines = (0..300).map(|seed| scenario_from((alg, From::AnySafe), seed, false).to_string() + "\n");
        let report = run("further.jsonl", lines.collect::<String>().as_bytes()).unwrap();
        assert!(report.agrees(), "{alg}: {:?}", &report.differences()[..3.min(report.differences().len())]);
        assert_eq!((report.scenarios(), report.skipped_count()), (300, 0));
        assert!(report.steps() > 5_000, "{alg}: {}", report.steps());
    }
}
