//! The worked example of Hélary, Mostefaoui and Raynal (RR-1692, Figures 2 and 3), message by message.
//!
//! Eight nodes form a line, with the token at node 1 and the proxies 3, 5 and 6. Node 8 requests the token, receives
//! it, and gives it back. Node i of the paper is node i - 1 here. The paper's list does not mention that node 3 has
//! become the lender (message 9).
//!
//! `cargo run -p acrasin-examples --bin 21_worked_example_of_a_token` prints:
//!
//! ```text
//!  1  request(8)  8 -> 7
//! …
//! 12  token(nil)  8 -> 3
//! fathers of 1 to 8 at the end: 3, 3, nil, 5, 3, 5, 8, 6
//! the token is at 3
//! ```

use std::error::Error;

use acrasin::runtime::exclusion::tree_token::{Memory, Message, SchemeRule, TreeToken};
use acrasin::runtime::exclusion::{Identifier, InitialKnowledge, RootedTree};
use acrasin::runtime::execution::{Advance, Execution};
use acrasin::runtime::scheduler::Sequential;
use acrasin::runtime::{
    Demand, Event, LockOnly, LockSetRequest, LockSetRule, NodeId, Observer, Seeded, Setup, Step, Timing,
    Topology, World,
};

const NODES: u32 = 8;

/// Prints each message as it is sent.
#[derive(Default)]
struct Table(u32);

impl Observer<TreeToken, LockOnly> for Table {
    fn event(&mut self, event: &Event<'_, TreeToken, LockOnly>) {
        if let Event::Sent { from, to, message } = *event {
            self.0 += 1;
            let message = match message {
                Message::Request(client) => {
                    format!("request({})", paper(client.0))
                }
                Message::Token(lender) => {
                    format!("token({})", named(lender))
                }
            };
            println!("{:>2}  {message:<11} {} -> {}", self.0, paper(from.0), paper(to.0));
        }
    }
}

/// The paper counts nodes from 1.
fn paper(node: u32) -> u32 {
    node + 1
}

fn named(node: Option<Identifier>) -> String {
    node.map_or_else(|| "nil".to_owned(), |node| paper(node.0).to_string())
}

fn main() -> Result<(), Box<dyn Error>> {
    let pairs = (0..NODES).flat_map(|a| (a + 1..NODES).map(move |b| (a, b)));
    let setup = Setup {
        exclusion: TreeToken::new(SchemeRule::Given).with_proxies([2, 4, 5]),
        section: LockOnly,
        // The token returns from node 8 to node 3 in one hop, so every two nodes are joined.
        topology: Topology::from_edges(NODES, NODES as u16 - 1, &pairs.collect::<Vec<_>>())?,
        states: vec![Demand::Times(0); NODES as usize],
        lock_set: LockSetRule::Neighbourhood,
        timing: Timing::AtOnce,
    };
    let fathers: Vec<Option<u32>> = (0..NODES).map(|node| node.checked_sub(1)).collect();
    let world = World::with_knowledge(setup, &InitialKnowledge::from_tree(RootedTree::new(&fathers)?))?;
    let mut run = Execution::new(world, Box::new(Sequential::new()));
    let (mut table, mut choices) = (Table::default(), Seeded::new(1));
    run.apply(
        &Step::Lock { node: NodeId(7), claim: LockSetRequest::Neighbourhood },
        &mut choices,
        &mut table,
    )?;
    while run.advance(&mut choices, &mut table) == Advance::Advanced {}
    let memories: Vec<&Memory> =
        run.world().topology().nodes().map(|node| run.world().memory(node)).collect();
    let fathers: Vec<String> = memories.iter().map(|memory| named(memory.father)).collect();
    println!("fathers of 1 to 8 at the end: {}", fathers.join(", "));
    let holder = memories.iter().find(|memory| memory.token).ok_or("the token is somewhere")?;
    println!("the token is at {}", paper(holder.identifier.0));
    Ok(())
}
