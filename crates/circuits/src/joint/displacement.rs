//! Rigid classes of points and their displacements.
//!
//! Points that are connected by bonds and by bodies that do not move form a rigid class. An amoebot that expands or
//! contracts is an edge between the classes of its tail and head, labelled with the difference of displacements that it
//! demands. If demands contradict each other, the contradiction is in blocks of that graph (2-connected components,
//! including loops). Blocks do not depend on the order of the search.

use std::ops::{Add, Neg, Sub};

/// A displacement on the lattice.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub(super) struct Shift {
    pub(super) x: i64,
    pub(super) y: i64,
}

impl Shift {
    pub(super) const ZERO: Self = Self { x: 0, y: 0 };
}

impl From<(i32, i32)> for Shift {
    fn from((x, y): (i32, i32)) -> Self {
        Self { x: i64::from(x), y: i64::from(y) }
    }
}

impl Add for Shift {
    type Output = Self;
    fn add(self, other: Self) -> Self {
        Self { x: self.x + other.x, y: self.y + other.y }
    }
}

impl Sub for Shift {
    type Output = Self;
    fn sub(self, other: Self) -> Self {
        Self { x: self.x - other.x, y: self.y - other.y }
    }
}

impl Neg for Shift {
    type Output = Self;
    fn neg(self) -> Self {
        Self::ZERO - self
    }
}

/// Classes of points that equalities join.
#[derive(Clone, Debug)]
pub(super) struct RigidClasses {
    parent: Vec<u32>,
}

impl RigidClasses {
    pub(super) fn new(points: usize) -> Self {
        Self { parent: (0..points as u32).collect() }
    }

    pub(super) fn find(&mut self, mut point: u32) -> u32 {
        loop {
            let up = self.parent[point as usize];
            if up == point {
                return point;
            }
            let above = self.parent[up as usize];
            self.parent[point as usize] = above;
            point = above;
        }
    }

    /// Joins two classes; returns whether they were different.
    pub(super) fn join(&mut self, a: u32, b: u32) -> bool {
        let (a, b) = (self.find(a), self.find(b));
        self.parent[a.max(b) as usize] = a.min(b);
        a != b
    }

    /// Numbers all classes from 0; returns the class of each point.
    pub(super) fn numbered(mut self) -> (Vec<u32>, usize) {
        let mut count = 0;
        let mut class = vec![0; self.parent.len()];
        for point in 0..self.parent.len() {
            // The lowest point of a class is its root, so it is numbered before the others.
            let root = self.find(point as u32) as usize;
            if root == point {
                class[point] = count;
                count += 1;
            } else {
                class[point] = class[root];
            }
        }
        (class, count as usize)
    }
}

/// The demand of a moving amoebot: D(head) = D(tail) + difference.
#[derive(Clone, Copy, Debug)]
pub(super) struct JointDemand {
    pub(super) amoebot: u32,
    pub(super) tail: u32,
    pub(super) head: u32,
    pub(super) difference: Shift,
}

/// The graph of classes and demands.
struct DemandGraph<'a> {
    demands: &'a [JointDemand],
    first: Vec<u32>,
    /// The numbers of the demands at each class, class by class; a loop is listed once.
    at: Vec<u32>,
}

impl<'a> DemandGraph<'a> {
    fn new(classes: usize, demands: &'a [JointDemand]) -> Self {
        let mut first = vec![0_u32; classes + 1];
        let sides = |demand: &JointDemand| {
            let both = demand.tail != demand.head;
            std::iter::once(demand.tail).chain(both.then_some(demand.head))
        };
        for class in demands.iter().flat_map(sides) {
            first[class as usize + 1] += 1;
        }
        for class in 0..classes {
            first[class + 1] += first[class];
        }
        let mut next = first.clone();
        let mut at = vec![0; first[classes] as usize];
        for (number, demand) in demands.iter().enumerate() {
            for class in sides(demand) {
                at[next[class as usize] as usize] = number as u32;
                next[class as usize] += 1;
            }
        }
        Self { demands, first, at }
    }

    fn at(&self, class: u32) -> &[u32] {
        &self.at[self.first[class as usize] as usize..self.first[class as usize + 1] as usize]
    }

    /// The class at the other end of a demand, and the displacement that the demand requires there.
    fn across(&self, demand: u32, from: u32, shift: Shift) -> (u32, Shift) {
        let demand = &self.demands[demand as usize];
        if demand.tail == from {
            (demand.head, shift + demand.difference)
        } else {
            (demand.tail, shift - demand.difference)
        }
    }
}

/// The reason why no displacements exist.
pub(super) enum NoDisplacements {
    /// Some classes are not connected with the anchor.
    Disconnected,
    /// The amoebots in contradictory blocks, in increasing order.
    Contradictory(Vec<u32>),
}

/// The displacement of each class; that of `anchor` is 0.
///
/// # Errors
///
/// Some classes are not connected with the anchor; or, if all are, demands are contradictory.
pub(super) fn displacements(
    classes: usize,
    demands: &[JointDemand],
    anchor: u32,
) -> Result<Vec<Shift>, NoDisplacements> {
    let graph = DemandGraph::new(classes, demands);
    let mut shifts: Vec<Option<Shift>> = vec![None; classes];
    let mut queue = vec![anchor];
    shifts[anchor as usize] = Some(Shift::ZERO);
    let mut contradicts = false;
    let mut reached = 1;
    while let Some(class) = queue.pop() {
        let Some(shift) = shifts[class as usize] else { continue };
        for &demand in graph.at(class) {
            let (next, required) = graph.across(demand, class, shift);
            match shifts[next as usize] {
                None => {
                    shifts[next as usize] = Some(required);
                    reached += 1;
                    queue.push(next);
                }
                Some(has) => contradicts |= has != required,
            }
        }
    }
    if reached < classes {
        return Err(NoDisplacements::Disconnected);
    }
    if contradicts {
        return Err(NoDisplacements::Contradictory(contradictory(&graph, classes, anchor)));
    }
    Ok(shifts.into_iter().map(Option::unwrap_or_default).collect())
}

/// The moving amoebots in blocks whose demands contradict each other. Depth-first search (Hopcroft, Tarjan 1973): a
/// block is contradictory if one of its edges outside the search tree does not agree with the tree.
fn contradictory(graph: &DemandGraph<'_>, classes: usize, root: u32) -> Vec<u32> {
    struct BlockVisit {
        class: u32,
        entered_by: Option<u32>,
        next: usize,
    }
    let mut entered = vec![0_u32; classes];
    let mut low = vec![0_u32; classes];
    let mut shifts = vec![Shift::ZERO; classes];
    let mut time = 1;
    entered[root as usize] = time;
    low[root as usize] = time;
    let mut seen = vec![false; graph.demands.len()];
    let mut edges: Vec<(u32, bool)> = Vec::new();
    let mut offenders = Vec::new();
    let mut stack = vec![BlockVisit { class: root, entered_by: None, next: 0 }];
    while let Some(top) = stack.last_mut() {
        let class = top.class;
        if let Some(&demand) = graph.at(class).get(top.next) {
            top.next += 1;
            if std::mem::replace(&mut seen[demand as usize], true) {
                continue;
            }
            let (other, required) = graph.across(demand, class, shifts[class as usize]);
            if other == class {
                // A loop is a block, and no movement demands a difference of 0.
                offenders.push(graph.demands[demand as usize].amoebot);
            } else if entered[other as usize] == 0 {
                time += 1;
                entered[other as usize] = time;
                low[other as usize] = time;
                shifts[other as usize] = required;
                edges.push((demand, false));
                stack.push(BlockVisit { class: other, entered_by: Some(demand), next: 0 });
            } else {
                low[class as usize] = low[class as usize].min(entered[other as usize]);
                edges.push((demand, shifts[other as usize] != required));
            }
            continue;
        }
        let entered_by = top.entered_by;
        stack.pop();
        if let (Some(above), Some(demand)) = (stack.last(), entered_by) {
            let above = above.class;
            low[above as usize] = low[above as usize].min(low[class as usize]);
            if low[class as usize] >= entered[above as usize] {
                let start = edges.iter().rposition(|&(edge, _)| edge == demand).unwrap_or(0);
                let block = &edges[start..];
                if block.iter().any(|&(_, disagrees)| disagrees) {
                    offenders.extend(block.iter().map(|&(edge, _)| graph.demands[edge as usize].amoebot));
                }
                edges.truncate(start);
            }
        }
    }
    offenders.sort_unstable();
    offenders.dedup();
    offenders
}
