//! Invalid tokens along a tree and local critical sections: refused with the node.

use crate::program::Scratch;

/// Every command that reads the scenario refuses it equally: exit code 2, the place and the node, nothing written.
#[track_caller]
fn refused(topology: &str, exclusion: &str, words: &[&str]) {
    let place = Scratch::new();
    let text = format!(
        "(seed: 1,\n topology: {topology},\n exclusion: {exclusion},\n scheduler: Sequential, work: Locks(each: 1))"
    );
    place.file("s.ron", text);
    for arguments in [&["run", "s.ron", "--output", "out"][..], &["check", "s.ron", "--record", "r.jsonl"]] {
        let ran = place.run(arguments).exits(2);
        assert!(ran.err.contains("s.ron:3:"), "{exclusion}: {}", ran.err);
        for word in words {
            assert!(ran.err.contains(word), "{exclusion}: no `{word}` in {}", ran.err);
        }
        assert_eq!(place.names(), ["s.ron"], "{exclusion}");
    }
}

#[test]
fn trees_that_are_none() {
    let path = "Path(nodes: 3)";
    refused(path, "TokenTree(fathers: [1, 2, 0])", &["every node has a father"]);
    refused(path, "TokenTree(fathers: [0, 2, 1])", &["node 1", "lead back to it"]);
    refused(path, "TokenTree(fathers: [0, 1, 1])", &["neither node 0 nor node 1 has a father"]);
    refused(path, "TokenTree(fathers: [0, 0, 3])", &["the father of node 2 is 3", "0 to 2"]);
    refused(path, "TokenTree(fathers: [0, 0, 0])", &["node 2 and its father 0"]);
    refused(path, "TokenTree(fathers: [0, 0])", &["2 fathers for 3 nodes"]);
    refused(path, "TokenTree(root: 3)", &["the root is node 3", "0 to 2"]);
    refused("Complete(nodes: 3)", "TokenTree(proxies: [4])", &["there is no node 4", "0 to 2"]);
    let linked = "TokenTree(behaviour: Topology, tree: Star, links: [0, 1])";
    refused("Complete(nodes: 3)", linked, &["node 2 has no link to its father 0"]);
}

#[test]
fn bounds_that_do_not_fit() {
    let (path, ring) = ("Path(nodes: 3)", "Ring(nodes: 10)");
    refused(path, "CriticalSections(least: 2, most: 1)", &["node 0", "the lower bound is above"]);
    refused(path, "CriticalSections(most: 3, inside: [])", &["node 0", "the upper bound is above 2"]);
    // Both nodes of N[0] would always be inside: l_i > |N_i|, so none could leave.
    let inclusion = "CriticalSections(scheme: Inclusion, leasts: [2, 2, 1])";
    refused(path, inclusion, &["node 0", "no node could ever leave", "lower bounds up to 1"]);
    // The message names the node at fault, not the first one.
    refused(
        path,
        "CriticalSections(leasts: [0, 2, 0], mosts: [2, 1, 2])",
        &["node 1", "the lower bound is above"],
    );
    refused(
        path,
        "CriticalSections(mosts: [2, 4, 2], inside: [])",
        &["node 1", "the upper bound is above 3"],
    );
    refused(path, "CriticalSections(most: 0, inside: [])", &["node 0", "no node could ever enter"]);
    refused(ring, "CriticalSections(most: 1, inside: [3])", &["node 2", "not strictly between"]);
    let unsafe_start = "CriticalSections(scheme: Exclusion, most: 1, inside: [4, 5])";
    refused(ring, unsafe_start, &["node 4", "2 are inside at the start"]);
    refused("Path(nodes: 2)", "CriticalSections(leasts: [0, 1], mosts: [1, 2])", &["no start was found"]);
}

#[test]
fn leaders_that_cannot_lead() {
    let leader = |rest: &str| format!("CriticalSections(scheme: Leader, most: 3, {rest})");
    refused("Ring(nodes: 10)", &leader("leader: 10"), &["there is no node 10", "0 to 9"]);
    // Nodes beyond the two neighbours of the leader: C4 is the smallest ring in which one starves.
    refused("Ring(nodes: 4)", &leader("leader: 0"), &["node 0", "2 neighbours", "node 2", "wait forever"]);
    refused("Ring(nodes: 10)", &leader("leader: 3"), &["node 3", "2 neighbours", "node 0"]);
    // Near the leader k - l must be 3, and a leaf of a star has one neighbour.
    let star = "CriticalSections(scheme: Leader, most_all_but: 0, leader: 0, inside: [])";
    refused("Star(nodes: 5)", star, &["node 1", "the leader is at most two edges away"]);
}
