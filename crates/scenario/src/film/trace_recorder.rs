//! Recording of a film during a run.

use std::collections::BTreeSet;

use acrasin_report::film::{
    CHANGED, ColumnKind, CountSeries, Film, FilmWriter, FrameChange, FrameConfiguration, FrameEvents, Head,
    NodeValue,
};

use super::snapshots::whole;
use crate::run::{Changes, Filmed, NodeView, TraceObserver};

/// The maximum number of counts in a film. If there are more states, those with the highest counts are kept.
const NAMES_MAX: usize = 64;

/// The maximum number of sampled values during a run. With more states, fewer samples are taken.
const VALUES_MAX: usize = 2_000_000;

/// The maximum number of samples of the counts, and of frames in a film that has only counts.
const SAMPLES_MAX: usize = 2000;
const COUNTED_MAX: u64 = 2 * SAMPLES_MAX as u64 + 1;

/// Observes every step of a run and records a film, with a frame for every step or every k-th step.
pub struct TraceRecorder {
    every: u64,
    /// The maximum number of frames and of bytes; `None` for no limit.
    bounds: Option<(u64, usize)>,
    rolling: Option<TraceInProgress>,
    live: Option<Box<dyn Live>>,
    /// The number of chunks sent to the receiver, and the number of steps between frames at that time.
    told: (usize, u64),
}

/// Receives a film while the run records it.
pub trait Live: Send {
    /// Receives the head of the film so far and the new chunks; `first` is the number of the first of them. If `first`
    /// is 0 in a later call, frames were dropped, and all chunks are sent again.
    fn more(&mut self, head: &Head, first: usize, chunks: &[Vec<u8>]);
}

impl std::fmt::Debug for TraceRecorder {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Self { every, bounds, rolling, .. } = self;
        let mut debug = f.debug_struct("TraceRecorder");
        debug.field("every", every).field("bounds", bounds).field("rolling", rolling).finish_non_exhaustive()
    }
}

/// A film after its first frame.
#[derive(Debug)]
struct TraceInProgress {
    writer: FilmWriter,
    /// For each node, the waiting messages and the neighbours in the last frame.
    waiting: Vec<Vec<u64>>,
    neighbours: Vec<Vec<u32>>,
    /// The nodes that changed since the last frame.
    nodes: BTreeSet<u32>,
    has_walkers: bool,
    happened: FrameEvents,
    /// The last observed moment, as a number of steps.
    moment: u64,
    /// The moment of the last frame, as a number of steps.
    framed: u64,
    counts: Counting,
    /// Buffers that are reused between frames.
    look: NodeView,
    since: Changes,
    head: Head,
}

impl TraceRecorder {
    /// Records a frame every `steps` steps, without a limit on their number.
    ///
    /// # Panics
    ///
    /// Panics if `steps` is 0.
    #[must_use]
    pub fn every(steps: u64) -> Self {
        assert!(steps > 0, "every 0 steps");
        Self { every: steps, bounds: None, rolling: None, live: None, told: (0, 0) }
    }

    /// Records a frame for every step within these limits on frames and on bytes of the page. Whenever a limit is
    /// exceeded, every second frame is dropped. The result equals a film of [`every`](Self::every) with a power of two
    /// as the number of steps.
    ///
    /// # Panics
    ///
    /// Panics if `frames_max` is below 3.
    #[must_use]
    pub fn within(frames_max: u64, bytes_max: usize) -> Self {
        assert!(frames_max >= 3, "{frames_max} frames");
        Self { bounds: Some((frames_max, bytes_max)), ..Self::every(1) }
    }

    /// Adds a receiver of each complete chunk.
    #[must_use]
    pub fn with_live(self, live: impl Live + 'static) -> Self {
        Self { live: Some(Box::new(live)), ..self }
    }

    /// Returns the film, or `None` if no step was observed. If steps are not shown, a note in the head of the film says
    /// so.
    #[must_use]
    pub fn develop(self) -> Option<Film> {
        let rolling = self.rolling?;
        let is_thinned = self.bounds.is_some();
        let mut film = rolling.writer.finish(rolling.moment);
        let Head { every, time, .. } = &film.head;
        // A film of counts alone does not claim to show single steps, so it needs no note.
        if *every > 1 && film.head.nodes > 0 {
            let why = if is_thinned { ": the run is too long to show all" } else { "" };
            film.head.notes.push(format!("every {} {time} is shown{why}", ordinal(*every)));
        }
        film.head.counts = rolling.counts.highest();
        Some(film)
    }

    /// Drops every second frame while the film exceeds its limits.
    fn thin(&mut self) {
        let (Some((frames_max, bytes_max)), Some(rolling)) = (self.bounds, &mut self.rolling) else { return };
        // In a film of counts alone, each frame is a sample.
        let frames_max = if rolling.head.nodes == 0 { frames_max.min(COUNTED_MAX) } else { frames_max };
        let writer = &mut rolling.writer;
        let is_full = writer.frames() > frames_max || writer.bytes() > bytes_max;
        // An odd number of frames keeps the first and the last one.
        if is_full && writer.frames() % 2 == 1 && writer.frames() >= 3 {
            writer.halve();
            self.every = writer.every();
        }
    }

    fn show(&mut self) {
        let (Some(live), Some(rolling)) = (&mut self.live, &self.rolling) else { return };
        let Some((mut head, chunks)) = rolling.writer.closed() else { return };
        let (number, every) = self.told;
        let first = if every == head.every { number } else { 0 };
        if first < chunks.len() {
            self.told = (chunks.len(), head.every);
            head.counts = rolling.counts.highest();
            live.more(&head, first, &chunks[first..]);
        }
    }
}

/// The ordinal of a number: `1st`, `2nd`, `11th`.
fn ordinal(number: u64) -> String {
    let ending = match (number % 10, number % 100) {
        (_, 11..=13) => "th",
        (1, _) => "st",
        (2, _) => "nd",
        (3, _) => "rd",
        _ => "th",
    };
    format!("{number}{ending}")
}

impl TraceObserver for TraceRecorder {
    fn see(&mut self, run: &mut dyn Filmed) {
        match &mut self.rolling {
            None => {
                run.since(&mut Changes::default());
                if self.bounds.is_some() {
                    self.every = run.grain();
                }
                self.rolling = Some(TraceInProgress::new(run, self.every));
            }
            Some(rolling) => {
                let frames = rolling.writer.frames();
                rolling.see(run, self.every);
                if frames < rolling.writer.frames() {
                    self.thin();
                    self.show();
                }
            }
        }
    }

    fn end(&mut self, run: &mut dyn Filmed) {
        if let Some(rolling) = &mut self.rolling {
            // The last step of a run may not have a frame yet.
            rolling.see(run, self.every);
            rolling.end(run);
        }
    }

    fn reach(&self) -> u64 {
        let moment = self.rolling.as_ref().map_or(0, |rolling| rolling.moment);
        self.every - moment % self.every
    }
}

impl TraceInProgress {
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
        counts.sample(0, run);
        Self {
            writer: FilmWriter::new(head.clone(), start),
            waiting,
            neighbours,
            nodes: BTreeSet::new(),
            has_walkers: false,
            happened: FrameEvents::default(),
            moment: 0,
            framed: 0,
            counts,
            look: NodeView::default(),
            since: Changes::default(),
            head,
        }
    }

    fn see(&mut self, run: &mut dyn Filmed, every: u64) {
        let mut since = std::mem::take(&mut self.since);
        run.since(&mut since);
        self.has_walkers |= since.has_walkers;
        self.nodes.extend(since.nodes.drain(..));
        let FrameEvents { flags, actor, action, text } = std::mem::take(&mut since.happened);
        let flags = flags | self.happened.flags;
        if text.is_empty() && actor.is_none() {
            self.happened.flags = flags;
        } else {
            self.happened = FrameEvents { flags, actor, action, text };
        }
        since.has_walkers = false;
        self.since = since;
        let moment = run.moment();
        if moment == self.moment {
            return;
        }
        // Frames between two observations repeat the previous configuration.
        let mut next = (self.framed / every + 1) * every;
        while next < moment {
            self.writer.frame(&FrameEvents::default(), &[]);
            self.framed = next;
            next += every;
        }
        self.moment = moment;
        if moment.is_multiple_of(every) {
            self.frame(run);
        }
    }

    /// Writes the frame of the last observed moment.
    fn frame(&mut self, run: &dyn Filmed) {
        self.framed = self.moment;
        let mut operations = Vec::new();
        let mut nodes = std::mem::take(&mut self.nodes);
        if std::mem::take(&mut self.has_walkers) {
            nodes.extend(0..self.head.nodes);
        }
        // Edges and messages come before values: a message is lost with its edge.
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
                    values.push(FrameChange::Set { column, node, value });
                }
            }
            self.look = look;
        }
        nodes.clear();
        self.nodes = nodes;
        let is_edge = |operation: &FrameChange| {
            matches!(operation, FrameChange::Appeared(..) | FrameChange::Vanished(..))
        };
        let mut happened = std::mem::take(&mut self.happened);
        if operations.iter().any(is_edge) {
            happened.flags |= CHANGED;
        }
        operations.append(&mut values);
        self.writer.frame(&happened, &operations);
        self.counts.sample(self.moment, run);
    }

    fn edges(&mut self, node: u32, now: &mut Vec<u32>, operations: &mut Vec<FrameChange>) {
        now.sort_unstable();
        if self.neighbours[node as usize] == *now {
            return;
        }
        let before = std::mem::replace(&mut self.neighbours[node as usize], now.clone());
        let edge = |other: u32| (node.min(other), node.max(other));
        for &other in before.iter().filter(|other| now.binary_search(other).is_err()) {
            let (a, b) = edge(other);
            operations.push(FrameChange::Vanished(a, b));
            let list = &mut self.neighbours[other as usize];
            list.retain(|&neighbour| neighbour != node);
        }
        for &other in now.iter().filter(|other| before.binary_search(other).is_err()) {
            let (a, b) = edge(other);
            operations.push(FrameChange::Appeared(a, b));
            let list = &mut self.neighbours[other as usize];
            if let Err(place) = list.binary_search(&node) {
                list.insert(place, node);
            }
        }
    }

    fn messages(&mut self, node: u32, look: &NodeView, operations: &mut Vec<FrameChange>) {
        let waiting = &mut self.waiting[node as usize];
        waiting.retain(|id| {
            let stays = look.messages.iter().any(|(other, _)| other == id);
            if !stays {
                operations.push(FrameChange::Received(*id));
            }
            stays
        });
        for &(id, message) in &look.messages {
            if !waiting.contains(&id) {
                waiting.push(id);
                operations.push(FrameChange::Sent(id, message));
            }
        }
    }

    /// Completes the film with a frame of the last moment, unless it has one.
    fn end(&mut self, run: &dyn Filmed) {
        if self.framed < self.moment {
            self.frame(run);
        }
        // Flags that are only known at the end belong to the last frame.
        self.writer.mark(std::mem::take(&mut self.happened).flags);
    }
}

/// The number of nodes in each state over time.
#[derive(Debug)]
struct Counting {
    column: Option<usize>,
    /// Whether the run itself provides the counts.
    is_told: bool,
    now: Vec<u64>,
    counts: CountSeries,
    /// The number of frames between two samples, and the number of frames since the last sample.
    stride: u64,
    passed: u64,
}

impl Counting {
    fn new(head: &Head, start: &FrameConfiguration) -> Self {
        if !head.counts.names.is_empty() {
            let counts = CountSeries { names: head.counts.names.clone(), ..CountSeries::default() };
            return Self { column: None, is_told: true, now: Vec::new(), counts, stride: 1, passed: 0 };
        }
        let column = head.column("state").filter(|&column| head.columns[column].kind == ColumnKind::Class);
        let names = column.map_or_else(Vec::new, |column| head.columns[column].values.clone());
        let mut now = vec![0; names.len()];
        for value in column.map_or(&[][..], |column| &start.columns[column]) {
            if let NodeValue::Class(class) = value {
                now[*class as usize] += 1;
            }
        }
        let counts = CountSeries { names, ..CountSeries::default() };
        Self { column, is_told: false, now, counts, stride: 1, passed: 0 }
    }

    fn replaced(&mut self, column: usize, before: &NodeValue, after: &NodeValue) {
        if let (true, NodeValue::Class(before), NodeValue::Class(after)) =
            (self.column == Some(column), before, after)
        {
            self.now[*before as usize] -= 1;
            self.now[*after as usize] += 1;
        }
    }

    /// The counts for the head: all, or those with the highest peaks, in the order of their names.
    fn highest(&self) -> CountSeries {
        let CountSeries { names, step, values } = &self.counts;
        if names.len() <= NAMES_MAX {
            return self.counts.clone();
        }
        let peak = |name: usize| values.iter().map(|row| row[name]).max();
        let mut kept: Vec<usize> = (0..names.len()).collect();
        kept.sort_by_cached_key(|&name| std::cmp::Reverse(peak(name)));
        kept.truncate(NAMES_MAX);
        kept.sort_unstable();
        CountSeries {
            names: kept.iter().map(|&name| names[name].clone()).collect(),
            step: step.clone(),
            values: values.iter().map(|row| kept.iter().map(|&name| row[name]).collect()).collect(),
        }
    }

    fn sample(&mut self, moment: u64, run: &dyn Filmed) {
        if self.column.is_none() && !self.is_told {
            return;
        }
        if self.is_told {
            self.now = run.counted();
        }
        if self.passed.is_multiple_of(self.stride) {
            self.counts.step.push(moment);
            self.counts.values.push(self.now.clone());
        }
        self.passed += 1;
        let samples_max = SAMPLES_MAX.min(VALUES_MAX / self.counts.names.len().max(1)).max(2);
        if self.counts.step.len() >= samples_max {
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
    use std::sync::{Arc, Mutex};

    use acrasin_report::film::{NodeColumn, VIOLATED};

    use super::*;

    /// A run of one node that counts its own steps.
    struct Counter {
        steps: u64,
        flags: u8,
    }

    impl Filmed for Counter {
        fn head(&self) -> Head {
            Head::new("population", 1, vec![NodeColumn::new("steps", "steps", ColumnKind::Number)])
        }

        fn moment(&self) -> u64 {
            self.steps
        }

        fn look(&self, _: u32, into: &mut NodeView) {
            into.values.push(NodeValue::Number(self.steps as i64));
        }

        fn since(&mut self, into: &mut Changes) {
            into.nodes.push(0);
            into.happened.flags = std::mem::take(&mut self.flags);
        }
    }

    /// Regression: a film ended at the last observation, and the steps after it were missing.
    #[test]
    fn the_last_steps_are_there_though_only_the_end_is_seen() {
        for every in [1, 2, 7] {
            let mut run = Counter { steps: 0, flags: 0 };
            let mut camera = TraceRecorder::every(every);
            camera.see(&mut run);
            (run.steps, run.flags) = (3, VIOLATED);
            camera.end(&mut run);
            let film = camera.develop().unwrap();
            let last = film.frames().last().unwrap().unwrap();
            assert_eq!((film.head.steps, last.happened.flags), (3, VIOLATED), "every {every}");
            assert_eq!(last.configuration.columns, [[NodeValue::Number(3)]]);
        }
    }

    /// Steps between frames, the number of frames, the first chunk, the number of chunks.
    type Part = (u64, u64, usize, usize);

    /// Records the chunks that a live receiver gets.
    #[derive(Clone, Default)]
    struct ReportedFacts(Arc<Mutex<Vec<Part>>>);

    impl Live for ReportedFacts {
        fn more(&mut self, head: &Head, first: usize, chunks: &[Vec<u8>]) {
            assert_eq!(head.chunks.len(), first + chunks.len());
            self.0.lock().unwrap().push((head.every, head.frames, first, chunks.len()));
        }
    }

    /// Regression: a full film restarted with four times the distance between frames, and could end with a quarter of
    /// the allowed frames.
    #[test]
    fn a_long_run_is_thinned_in_one_pass_to_what_a_film_of_every_so_many_is() {
        let filmed = |mut camera: TraceRecorder, steps: u64| {
            let mut run = Counter { steps: 0, flags: 0 };
            camera.see(&mut run);
            while run.steps < steps {
                run.steps += camera.reach().min(steps - run.steps);
                run.flags = u8::from(run.steps.is_multiple_of(97));
                camera.see(&mut run);
            }
            camera.end(&mut run);
            camera.develop().unwrap()
        };
        for (steps, every) in [(99, 1), (100, 2), (101, 2), (799, 8), (5000, 64), (2000, 32)] {
            let thinned = filmed(TraceRecorder::within(100, usize::MAX), steps);
            let whole = filmed(TraceRecorder::every(every), steps);
            assert_eq!(thinned.head.every, every, "{steps} steps");
            assert!(thinned.head.frames <= 102 && (every == 1 || thinned.head.frames > 50));
            let shown =
                |film: &Film| -> Vec<_> { film.frames().map(|frame| frame.unwrap().configuration).collect() };
            assert_eq!(shown(&thinned), shown(&whole), "{steps} steps");
        }
        let note = &filmed(TraceRecorder::within(100, usize::MAX), 799).head.notes;
        assert_eq!(note, &["every 8th step is shown: the run is too long to show all"]);
        assert_eq!(filmed(TraceRecorder::every(22), 50).head.notes, ["every 22nd step is shown"]);
        assert_eq!([1, 3, 11, 12, 113, 1002].map(ordinal), ["1st", "3rd", "11th", "12th", "113th", "1002nd"]);
    }

    #[test]
    fn a_live_receiver_gets_every_chunk_and_all_again_when_the_film_is_thinned() {
        let told = ReportedFacts::default();
        let mut camera = TraceRecorder::within(2000, usize::MAX).with_live(told.clone());
        let mut run = Counter { steps: 0, flags: 0 };
        camera.see(&mut run);
        while run.steps < 3000 {
            run.steps += camera.reach();
            camera.see(&mut run);
        }
        let told = told.0.lock().unwrap();
        // The limit is exceeded at frame 2000. Every second frame leaves 1001, and later frames come every two steps.
        assert_eq!(
            *told,
            [(1, 512, 0, 1), (1, 1024, 1, 1), (1, 1536, 2, 1), (2, 512, 0, 1), (2, 1024, 1, 1)]
        );
    }
}
