//! A film, made while a run proceeds.

use std::collections::BTreeSet;

use acrasin_report::film::{
    CHANGED, Configuration, Counts, Film, FilmWriter, Happened, Head, Kind, Operation, Value,
};

use super::still::whole;
use crate::run::{Eye, Filmed, Look, Since};

/// Most samples of the counts.
const SAMPLES_MAX: usize = 2000;

/// Looks at every step, and makes the film: of every step, or of one in so many.
#[derive(Debug)]
pub struct Camera {
    every: u64,
    frames_max: u64,
    bytes_max: usize,
    rolling: Option<Rolling>,
    is_full: bool,
}

/// A film that is begun.
#[derive(Debug)]
struct Rolling {
    writer: FilmWriter,
    /// Which messages wait at whom, and who is next to whom, in the last frame.
    waiting: Vec<Vec<u64>>,
    neighbours: Vec<Vec<u32>>,
    /// Since the last frame.
    nodes: BTreeSet<u32>,
    is_anybody: bool,
    happened: Happened,
    /// The last moment that was seen, and that of the last frame.
    moment: u64,
    framed: u64,
    counts: Counting,
    /// Buffers.
    look: Look,
    since: Since,
    head: Head,
}

impl Camera {
    /// Every so many steps a frame. After so many frames, or bytes of a page, it is [full](Self::is_full).
    ///
    /// # Panics
    ///
    /// Every 0 steps.
    #[must_use]
    pub fn new(every: u64, frames_max: u64, bytes_max: usize) -> Self {
        assert!(every > 0, "every 0 steps");
        Self { every, frames_max, bytes_max, rolling: None, is_full: false }
    }

    /// Whether the run was too long for it: there is no film then.
    #[must_use]
    pub fn is_full(&self) -> bool {
        self.is_full
    }

    /// The film, if anything was filmed and it is not [full](Self::is_full).
    #[must_use]
    pub fn develop(self) -> Option<Film> {
        if self.is_full {
            return None;
        }
        let rolling = self.rolling?;
        let mut film = rolling.writer.finish(rolling.moment);
        film.head.counts = rolling.counts.counts;
        Some(film)
    }
}

impl Eye for Camera {
    fn see(&mut self, run: &mut dyn Filmed) {
        if self.is_full {
            return;
        }
        match &mut self.rolling {
            None => {
                run.since(&mut Since::default());
                self.rolling = Some(Rolling::new(run, self.every));
            }
            Some(rolling) => rolling.see(run, self.every),
        }
        let writer = &self.rolling.as_ref().expect("just begun").writer;
        self.is_full = writer.frames() > self.frames_max || writer.bytes() > self.bytes_max;
    }

    fn end(&mut self, run: &mut dyn Filmed) {
        if let (false, Some(rolling)) = (self.is_full, &mut self.rolling) {
            // A run may come to its end with the step that nobody has seen yet.
            rolling.see(run, self.every);
            rolling.end(run);
        }
    }

    fn reach(&self) -> u64 {
        let moment = self.rolling.as_ref().map_or(0, |rolling| rolling.moment);
        self.every - moment % self.every
    }

    fn is_done(&self) -> bool {
        self.is_full
    }
}

impl Rolling {
    fn new(run: &mut dyn Filmed, every: u64) -> Self {
        let mut head = run.head();
        head.every = every;
        let start = whole(run, &head);
        let nodes = head.nodes as usize;
        let (mut waiting, mut neighbours) = (vec![Vec::new(); nodes], vec![Vec::new(); nodes]);
        for (&id, message) in &start.messages {
            waiting[message.to as usize].push(id);
        }
        for &(a, b) in &start.edges {
            neighbours[a as usize].push(b);
            neighbours[b as usize].push(a);
        }
        neighbours.iter_mut().for_each(|list: &mut Vec<u32>| list.sort_unstable());
        let mut counts = Counting::new(&head, &start);
        counts.sample(0);
        Self {
            writer: FilmWriter::new(head.clone(), start),
            waiting,
            neighbours,
            nodes: BTreeSet::new(),
            is_anybody: false,
            happened: Happened::default(),
            moment: 0,
            framed: 0,
            counts,
            look: Look::default(),
            since: Since::default(),
            head,
        }
    }

    fn see(&mut self, run: &mut dyn Filmed, every: u64) {
        let mut since = std::mem::take(&mut self.since);
        run.since(&mut since);
        self.is_anybody |= since.is_anybody;
        self.nodes.extend(since.nodes.drain(..));
        let Happened { flags, actor, action, text } = std::mem::take(&mut since.happened);
        let flags = flags | self.happened.flags;
        if text.is_empty() && actor.is_none() {
            self.happened.flags = flags;
        } else {
            self.happened = Happened { flags, actor, action, text };
        }
        since.is_anybody = false;
        self.since = since;
        let moment = run.moment();
        if moment == self.moment {
            return;
        }
        // Moments that were passed over show what was before.
        let mut next = (self.framed / every + 1) * every;
        while next < moment {
            self.writer.frame(&Happened::default(), &[]);
            self.framed = next;
            next += every;
        }
        self.moment = moment;
        if moment.is_multiple_of(every) {
            self.frame(run);
        }
    }

    /// The frame of the last moment, unless it is there.
    fn frame(&mut self, run: &dyn Filmed) {
        self.framed = self.moment;
        let mut operations = Vec::new();
        let mut nodes = std::mem::take(&mut self.nodes);
        if std::mem::take(&mut self.is_anybody) {
            nodes.extend(0..self.head.nodes);
        }
        // Edges and messages before values: a message is lost with its edge.
        let mut values = Vec::new();
        for &node in &nodes {
            let mut look = std::mem::take(&mut self.look);
            look.clear();
            run.look(node, &mut look);
            self.edges(node, &mut look.neighbours, &mut operations);
            self.messages(node, &look, &mut operations);
            let now = self.writer.now();
            for (column, value) in look.values.drain(..).enumerate() {
                let before = &now.columns[column][node as usize];
                if *before != value {
                    self.counts.replaced(column, before, &value);
                    values.push(Operation::Set { column, node, value });
                }
            }
            self.look = look;
        }
        nodes.clear();
        self.nodes = nodes;
        let is_edge =
            |operation: &Operation| matches!(operation, Operation::Appeared(..) | Operation::Vanished(..));
        let mut happened = std::mem::take(&mut self.happened);
        if operations.iter().any(is_edge) {
            happened.flags |= CHANGED;
        }
        operations.append(&mut values);
        self.writer.frame(&happened, &operations);
        self.counts.sample(self.moment);
    }

    fn edges(&mut self, node: u32, now: &mut Vec<u32>, operations: &mut Vec<Operation>) {
        now.sort_unstable();
        if self.neighbours[node as usize] == *now {
            return;
        }
        let before = std::mem::replace(&mut self.neighbours[node as usize], now.clone());
        let edge = |other: u32| (node.min(other), node.max(other));
        for &other in before.iter().filter(|other| now.binary_search(other).is_err()) {
            let (a, b) = edge(other);
            operations.push(Operation::Vanished(a, b));
            let list = &mut self.neighbours[other as usize];
            list.retain(|&neighbour| neighbour != node);
        }
        for &other in now.iter().filter(|other| before.binary_search(other).is_err()) {
            let (a, b) = edge(other);
            operations.push(Operation::Appeared(a, b));
            let list = &mut self.neighbours[other as usize];
            if let Err(place) = list.binary_search(&node) {
                list.insert(place, node);
            }
        }
    }

    fn messages(&mut self, node: u32, look: &Look, operations: &mut Vec<Operation>) {
        let waiting = &mut self.waiting[node as usize];
        waiting.retain(|id| {
            let stays = look.messages.iter().any(|(other, _)| other == id);
            if !stays {
                operations.push(Operation::Received(*id));
            }
            stays
        });
        for &(id, message) in &look.messages {
            if !waiting.contains(&id) {
                waiting.push(id);
                operations.push(Operation::Sent(id, message));
            }
        }
    }

    /// The end: the frame of the last moment, if none is there.
    fn end(&mut self, run: &dyn Filmed) {
        if self.framed < self.moment {
            self.frame(run);
        }
        // What is seen only at the end belongs to the last frame.
        self.writer.mark(std::mem::take(&mut self.happened).flags);
    }
}

/// How many nodes are in which state over time.
#[derive(Debug)]
struct Counting {
    column: Option<usize>,
    now: Vec<u64>,
    counts: Counts,
    /// Frames between two samples, and since the last.
    stride: u64,
    passed: u64,
}

impl Counting {
    fn new(head: &Head, start: &Configuration) -> Self {
        let column = head.column("state").filter(|&column| head.columns[column].kind == Kind::Class);
        let names = column.map_or_else(Vec::new, |column| head.columns[column].values.clone());
        let mut now = vec![0; names.len()];
        for value in column.map_or(&[][..], |column| &start.columns[column]) {
            if let Value::Class(class) = value {
                now[*class as usize] += 1;
            }
        }
        let counts = Counts { names, ..Counts::default() };
        Self { column, now, counts, stride: 1, passed: 0 }
    }

    fn replaced(&mut self, column: usize, before: &Value, after: &Value) {
        if let (true, Value::Class(before), Value::Class(after)) =
            (self.column == Some(column), before, after)
        {
            self.now[*before as usize] -= 1;
            self.now[*after as usize] += 1;
        }
    }

    fn sample(&mut self, moment: u64) {
        if self.column.is_none() {
            return;
        }
        if self.passed.is_multiple_of(self.stride) {
            self.counts.step.push(moment);
            self.counts.values.push(self.now.clone());
        }
        self.passed += 1;
        if self.counts.step.len() == SAMPLES_MAX {
            self.stride *= 2;
            let mut number = 0;
            self.counts.step.retain(|_| {
                number += 1;
                number % 2 == 1
            });
            number = 0;
            self.counts.values.retain(|_| {
                number += 1;
                number % 2 == 1
            });
        }
    }
}

#[cfg(test)]
mod tests {
    use acrasin_report::film::{Column, VIOLATED};

    use super::*;

    /// One node that counts its steps.
    struct Counter {
        steps: u64,
        flags: u8,
    }

    impl Filmed for Counter {
        fn head(&self) -> Head {
            Head::new("population", 1, vec![Column::new("steps", "steps", Kind::Number)])
        }

        fn moment(&self) -> u64 {
            self.steps
        }

        fn look(&self, _: u32, into: &mut Look) {
            into.values.push(Value::Number(self.steps as i64));
        }

        fn since(&mut self, into: &mut Since) {
            into.nodes.push(0);
            into.happened.flags = std::mem::take(&mut self.flags);
        }
    }

    /// A film ended where the last look had been, and the steps between were missing.
    #[test]
    fn the_last_steps_are_there_though_only_the_end_is_seen() {
        for every in [1, 2, 7] {
            let mut run = Counter { steps: 0, flags: 0 };
            let mut camera = Camera::new(every, u64::MAX, usize::MAX);
            camera.see(&mut run);
            (run.steps, run.flags) = (3, VIOLATED);
            camera.end(&mut run);
            let film = camera.develop().unwrap();
            let last = film.frames().last().unwrap().unwrap();
            assert_eq!((film.head.steps, last.happened.flags), (3, VIOLATED), "every {every}");
            assert_eq!(last.configuration.columns, [[Value::Number(3)]]);
        }
    }
}
