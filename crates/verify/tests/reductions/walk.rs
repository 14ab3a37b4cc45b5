//! A breadth-first exploration like `explore` that keeps every configuration with its trace.

use std::collections::BTreeSet;
use std::hash::BuildHasherDefault;

use acrasin_explore::{Model, MoveId, Moves, Trace};
use acrasin_verify::properties::dead;
use hashbrown::HashMap;
use xxhash_rust::xxh3::Xxh3Default;

#[derive(Default)]
pub(crate) struct Walk {
    pub(crate) configurations: Vec<Vec<u8>>,
    pub(crate) dead: Vec<Vec<u8>>,
    pub(crate) broken: BTreeSet<&'static str>,
    origins: Vec<Option<(usize, MoveId)>>,
}

impl Walk {
    pub(crate) fn sorted(&self) -> Vec<Vec<u8>> {
        let mut sorted = self.configurations.clone();
        sorted.sort_unstable();
        sorted
    }

    pub(crate) fn sorted_dead(&self) -> Vec<Vec<u8>> {
        let mut sorted = self.dead.clone();
        sorted.sort_unstable();
        sorted
    }

    pub(crate) fn dead_indices(&self) -> impl Iterator<Item = usize> + '_ {
        let workbench = |dead| self.configurations.iter().position(|known| known == dead).unwrap();
        self.dead.iter().take(5).map(workbench)
    }

    pub(crate) fn trace(&self, mut index: usize) -> Trace {
        let mut moves = Vec::new();
        while let Some((from, id)) = self.origins[index] {
            moves.push(id);
            index = from;
        }
        moves.reverse();
        Trace { start: 0, moves }
    }
}

pub(crate) fn walk<M: Model>(model: &M) -> Walk {
    let mut workbench = model.workbench();
    let mut found = Walk::default();
    let mut known: HashMap<Vec<u8>, usize, BuildHasherDefault<Xxh3Default>> = HashMap::default();
    model.starts(&mut workbench, &mut |start| {
        known.insert(start.to_vec(), 0);
        found.configurations.push(start.to_vec());
        found.origins.push(None);
        std::ops::ControlFlow::Continue(())
    });
    let mut next = 0;
    let mut moves = Moves::new();
    while next < found.configurations.len() {
        let configuration = found.configurations[next].clone();
        moves.clear();
        model.expand(&mut workbench, &configuration, &mut moves);
        for broken in moves.findings() {
            found.broken.insert(broken.property);
            if broken.property == dead::NAME {
                found.dead.push(configuration.clone());
            }
        }
        for (id, _, successor) in moves.iter() {
            if !known.contains_key(successor) {
                known.insert(successor.to_vec(), found.configurations.len());
                found.configurations.push(successor.to_vec());
                found.origins.push(Some((next, id)));
            }
        }
        next += 1;
    }
    found
}
