//! A scenario with a token along a tree, under every command.

use crate::program::Scratch;

const TOKEN: &str = "(seed: 4, topology: Path(nodes: 3), exclusion: TokenTree(tree: Path, root: 0), scheduler: \
                     Sequential, work: Locks(each: 1))";

#[test]
fn it_is_run_recorded_replayed_checked_and_in_records() {
    let place = Scratch::new();
    place.file("t.ron", TOKEN);
    let ran = place.run(&["run", "t.ron", "--record", "t.jsonl", "--format", "jsonl"]).exits(0);
    let record = &ran.json()[0];
    assert_eq!(record["manifest"]["rules"], "tree token, Raymond, Fifo", "{}", ran.out);
    assert!(ran.out.contains("\"TokenTree\"") && ran.out.contains("\"exclusion.tree\""), "{}", ran.out);
    let recording = std::fs::read_to_string(place.path().join("t.jsonl")).unwrap();
    let first = recording.lines().next().unwrap();
    assert!(first.contains("\"algorithm\":\"tree token, Raymond, Fifo\""), "{first}");
    let again = place.run(&["replay", "t.jsonl"]).exits(0);
    assert!(again.err.contains("reproduced: ") && again.out.contains("loans of the token"), "{again:?}");
    let other = place.run(&["replay", "t.jsonl", "--set", "exclusion.queue=Lift"]).exits(2);
    assert!(other.err.contains("recorded under tree token, Raymond, Fifo"), "{}", other.err);
    let checked = place.run(&["check", "t.ron"]).exits(0);
    assert!(checked.out.contains("one node inside at a time"), "{}", checked.out);
    assert!(checked.out.contains("everything that can happen"), "{}", checked.out);
    let changing = place.run(&["check", "t.ron", "--disconnections", "1"]).exits(2);
    assert!(changing.err.contains("static graph"), "{}", changing.err);
}

#[test]
fn what_does_not_fit_is_refused_and_nothing_is_written() {
    let place = Scratch::new();
    place.file("t.ron", TOKEN.replace("tree: Path, root: 0", "fathers: [0, 1, 1]"));
    let ran = place.run(&["run", "t.ron", "--output", "out"]).exits(2);
    assert!(ran.err.contains("t.ron:1:") && ran.err.contains("neither node 0 nor node 1"), "{}", ran.err);
    assert_eq!(place.names(), ["t.ron"]);
}
