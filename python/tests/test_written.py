"""Tests of simulations converted to scenarios: equal digests in Python, in a scenario and with the command; locks with
custom rules."""

import json
import pickle
import subprocess
from dataclasses import dataclass
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from test_scenarios import command

from acrasin import Scenario, Simulation, ring, species, torus
from acrasin.scenario import metis


@dataclass(frozen=True)
class Voter:
    opinion: int
    is_strong: bool


def voting(a, b):
    """Exact majority with dataclass states, from which the names of tables are derived."""
    if a.is_strong and b.is_strong and a.opinion != b.opinion:
        return Voter(a.opinion, False), Voter(b.opinion, False)
    if a.is_strong and not b.is_strong:
        return a, Voter(a.opinion, False)
    return None


def strong(opinion):
    return Voter(opinion, True)


def named(opinion, is_strong):
    """The name of a state in a predicate."""
    return f"'Voter(opinion={opinion},is_strong={is_strong})'"


ONE_OPINION = f"{named(1, True)} = 0 && {named(1, False)} = 0"


CANCEL = {("A", "B"): ("U", "U"), ("A", "U"): ("A", "A"), ("B", "U"): ("B", "B")}
WALK = {("L", "L"): ("L", "F"), ("L", "F"): ("F", "L")}
DRAWN = {("A", "B"): {("A", "A"): Fraction(1, 3), ("B", "B"): 0.25, ("B", "A"): Fraction(1, 12)}, ("B", "A"): ("A", "A")}
ODD = {("a b", 'q"'): ("é", "é"), ("é", "a b"): ("a b", "a b")}
a, b, u = species("A B U")
REACTIONS = [a + b >> 2 * u, (a + u >> 2 * a).k(2), b + u >> 2 * b, (u >> a).k(0.125)]
PAIRS = np.array([[9, 1], [0, 1], [4, 3], [2, 1], [3, 2], [5, 4], [8, 0], [9, 5], [6, 7], [7, 8]])
LONE = np.array([[0, 2], [2, 5], [5, 0], [6, 5]])


def counting(a, b, top):
    return (min(a + b, top), 0)


def modular(a, b):
    return ((a + b) % 40, (a * b + 1) % 40)


def start(**more):
    """The arguments of a simulation, and the end of its run."""
    return more


CASES = {
    "dict, small, silence": (start(init_config={"A": 6, "B": 4}, rule=CANCEL), None),
    "dict, large, silence": (start(init_config={"A": 30_600, "B": 29_400}, rule=CANCEL), None),
    "dict, very large, a time": (start(init_config={"A": 6 * 10**8, "B": 4 * 10**8}, rule=CANCEL), 3.25),
    "dict of one order, a predicate": (start(init_config={"A": 700, "B": 300}, rule=CANCEL, transition_order="asymmetric"), "3 * B <= A"),
    "dataclass, a predicate": (
        start(init_config={strong(0): 210, strong(1): 190}, rule=voting), f"{named(0, False)} >= 100 && {named(1, True)} < 30"),
    "function with arguments, both orders enforced": (
        start(init_config={1: 900}, rule=counting, top=30, transition_order="symmetric_enforced"), 4),
    "many states": (start(init_config={3: 500, 8: 500}, rule=modular, transition_order="asymmetric"), 7.5),
    "chances": (start(init_config={"A": 2_000, "B": 3_000}, rule=DRAWN), 6),
    "chances, silence": (start(init_config={"A": 60, "B": 40}, rule=DRAWN), None),
    "odd names": (start(init_config={"a b": 70, 'q"': 30}, rule=ODD), "stable"),
    "reactions, silence": (start(init_config={a: 500, b: 400}, rule=REACTIONS[:3]), None),
    "reactions, a predicate": (start(init_config={a: 500, b: 400}, rule=REACTIONS), "B < 40"),
    "ring, silence": (start(init_config={"I": 2, "S": 58}, rule={("I", "S"): ("I", "I")}, graph=ring(60)), None),
    "ring, tokens that walk": (start(init_config={"L": 9, "F": 41}, rule=WALK, graph=ring(50)), "L = 1"),
    "torus, chances, a time": (start(init_config={"A": 60, "B": 84}, rule=DRAWN, graph=torus(12, 12)), 5),
    "torus, states of nodes": (
        start(init_config=None, rule=CANCEL, graph=torus(5, 4), init_states=["A", "B"] * 8 + ["U", "A", "A", "B"]), "agreed"),
    "edges in any order": (start(init_config={"L": 5, "F": 5}, rule=WALK, graph=PAIRS), 20),
    "a node without edges": (start(init_config={"L": 5, "F": 2}, rule=WALK, graph=LONE), 11),
    "edges, states of nodes": (
        start(init_config=None, rule=WALK, graph=PAIRS.astype(np.uint32), init_states="LFLLFFLLFF"), "L = 2"),
}


def made(case, seed=5):
    arguments, until = CASES[case]
    return Simulation(**{"seed": seed, **arguments}), until


def ends(sim, until, interval=1.0):
    sim.run(until, interval, timer=False)
    return sim.digest


@pytest.mark.parametrize("case", CASES)
def test_a_simulation_its_scenario_and_the_command_come_to_one_digest(case, tmp_path):
    sim, until = made(case)
    digest = ends(sim, until)
    scenario = sim.scenario(until)
    record = scenario.run()
    assert record.digest == digest
    assert {name: count for name, count in record["states"].items() if count} == {
        sim._compiled.names[sim.state_dict[state]]: count for state, count in sim.config_dict.items()
    }
    if record["work"]["interactions"] != sim.interactions:
        # Along edges silence is only tested from time to time.
        assert until is None and sim.nodes is not None
    path = scenario.save(tmp_path / "written")
    said = subprocess.run([command(), "run", path, "--format", "jsonl"], capture_output=True, text=True)
    printed = json.loads(said.stdout)
    assert printed["digest"]["configuration"] == digest and said.returncode == record.exit
    # Rows of a history change nothing.
    assert ends(made(case)[0], until, 0.37) == digest and ends(made(case)[0], until, np.inf) == digest


@pytest.mark.parametrize("case", CASES)
def test_another_seed_or_interaction_is_another_digest(case):
    sim, until = made(case)
    digest, interactions = ends(sim, until), sim.n // 2
    if len(sim.config_dict) > 1:
        assert {ends(made(case, seed)[0], until) for seed in range(6, 12)} != {digest}
    assert len({made(case, seed)[0].scenario(interactions=interactions).run().digest for seed in range(6, 12)}) > 1
    begun, _ = made(case)
    assert begun.digest == begun.scenario(interactions=0).run().digest
    assert len({begun.scenario(interactions=interactions + more).run().digest for more in (-interactions, 0, sim.n, 2 * sim.n)}) > 2


@pytest.mark.parametrize("graph, seconds", [(torus(2048, 2050), 1.25), ("regular", 2)], ids=["strips", "edges"])
def test_so_do_large_graphs(graph, seconds, tmp_path):
    if isinstance(graph, str):
        # A million edges on 2^19 nodes: from each node to the next one, in order and in a random order.
        nodes = 2**19
        order = np.random.default_rng(1).permutation(nodes)
        graph = np.stack([np.r_[np.arange(nodes), order], np.r_[np.arange(1, nodes + 1) % nodes, np.roll(order, 1)]], axis=1)
        pairs = np.unique(np.sort(graph, axis=1), axis=0)
        graph = np.random.default_rng(2).permutation(pairs)
    else:
        nodes = graph.nodes
    sim = Simulation({"A": nodes // 2, "B": nodes - nodes // 2}, CANCEL, graph=graph, seed=2**63 + 9)
    sim.run(seconds, timer=False)
    scenario = sim.scenario(seconds)
    assert scenario.run(threads=1).digest == sim.digest
    assert scenario.run(8).digest != sim.digest


tables = st.integers(2, 5).flatmap(
    lambda q: st.dictionaries(
        st.tuples(st.integers(0, q - 1), st.integers(0, q - 1)),
        st.one_of(
            st.tuples(st.integers(0, q - 1), st.integers(0, q - 1)),
            st.dictionaries(
                st.tuples(st.integers(0, q - 1), st.integers(0, q - 1)), st.sampled_from([0.1, 0.25, 1 / 7]), min_size=1, max_size=4
            ),
        ),
        min_size=1,
    )
)
edge_lists = st.lists(st.lists(st.integers(0, 11), min_size=2, max_size=2, unique=True).map(sorted).map(tuple), min_size=1, unique=True)


@settings(max_examples=150, deadline=None, database=None, suppress_health_check=list(HealthCheck))
@given(
    rule=tables,
    order=st.sampled_from(["symmetric", "asymmetric"]),
    edges=st.one_of(st.none(), edge_lists, st.sampled_from([ring(12), torus(3, 4)])),
    placed=st.booleans(),
    seed=st.integers(0, 2**64 - 1),
    until=st.one_of(st.floats(0, 20), st.sampled_from(["'0' >= 3", "agreed", "stable"])),
    names=st.lists(st.text(max_size=3), min_size=5, max_size=5, unique=True),
)
def test_any_rule_on_any_graph_has_the_digest_of_its_scenario(rule, order, edges, placed, seed, until, names):
    if "'0' >= 3" == until:
        names = list("01234")

    def said(output):
        if isinstance(output, dict):
            return {(names[c], names[d]): chance for (c, d), chance in output.items()}
        return names[output[0]], names[output[1]]

    rule = {(names[a], names[b]): said(output) for (a, b), output in rule.items()}
    states = list(dict.fromkeys(state for pair in rule for state in pair))
    there = [states[agent % len(states)] for agent in range(12)]
    graph = np.array(edges) if isinstance(edges, list) else edges
    if placed and graph is not None:
        sim = Simulation(None, rule, transition_order=order, seed=seed, graph=graph, init_states=there)
    else:
        counts = {state: there.count(state) for state in states}
        sim = Simulation(counts, rule, transition_order=order, seed=seed, graph=graph)
    try:
        sim.holds(until) if isinstance(until, str) else None
    except ValueError:
        until = 3  # No state has this name.
    if isinstance(until, str):
        # Some runs never reach it.
        sim.run(lambda config: sim.holds(until) or sim.interactions > 400, stopping_interval=1 / 12, timer=False)
        until = sim.interactions / 12
    else:
        sim.run(until, timer=False)
    assert sim.scenario(until).run().digest == sim.digest


def test_copies_trials_samples_and_new_configurations_have_their_own_scenario():
    sim, _ = made("ring, tokens that walk")
    sim.run(3, timer=False)
    copy = pickle.loads(pickle.dumps(sim))
    assert copy.digest == sim.digest == copy.scenario(3).run().digest
    for more in (1, 2):
        sim.reset()
        assert sim.scenario(interactions=0).run().digest == sim.digest
        sim.run(2 + more, timer=False)
        assert sim.scenario(2 + more).run().digest == sim.digest
    first = sim.digest
    sim.reset({"L": 20, "F": 30})
    sim.run("L = 3", timer=False)
    assert sim.scenario("L = 3").run().digest == sim.digest != first
    many, _ = made("dict, large, silence")
    many.run(2, timer=False)
    many.set_config({"A": 100, "B": 120, "U": 7})
    many.run(1.5, timer=False)
    assert many.time == 3.5 and many.scenario(1.5).run().digest == many.digest
    sub = sim._fresh(4, sim.config_dict)
    sub.run(2, timer=False)
    assert sub.scenario(2).run().digest == sub.digest


def test_in_continuous_time_interactions_are_the_end():
    sim, _ = made("reactions, a predicate")
    sim.run(0.5, timer=False)
    assert sim.scenario(interactions=sim.interactions).run().digest == sim.digest
    with pytest.raises(ValueError, match=r"until=0.5 in continuous time.*accepted: None, a text, or interactions="):
        sim.scenario(0.5)


def test_edges_in_any_order_and_direction_are_one_run():
    rng = np.random.default_rng(2)
    runs = set()
    for kind in (np.uint8, np.int32, np.uint32, np.int64, np.uint64, ">i4"):
        mixed = rng.permuted(rng.permutation(PAIRS), axis=1).astype(kind)
        runs.add(ends(Simulation({"L": 5, "F": 5}, WALK, graph=mixed, seed=3), 20))
        runs.add(ends(Simulation({"L": 5, "F": 5}, WALK, graph=np.asfortranarray(mixed)[::-1], seed=3), 20))
    assert len(runs) == 1
    other = PAIRS.copy()
    other[0] = [9, 2]
    assert ends(Simulation({"L": 5, "F": 5}, WALK, graph=other, seed=3), 20) not in runs


def test_an_array_that_is_changed_afterwards_changes_no_run():
    edges = PAIRS.astype(np.int64)
    sim = Simulation({"L": 5, "F": 5}, WALK, graph=edges, seed=3)
    again = Simulation({"L": 5, "F": 5}, WALK, graph=PAIRS, seed=3)
    edges[:] = [0, 1]
    for one in (sim, again):
        one.run(5, timer=False)
        one.reset()
        one.run(5, timer=False)
    assert sim.states == again.states


@pytest.mark.parametrize(
    "case, arguments, message",
    [
        ("many states", {"until": True}, "until of type bool"),
        ("many states", {"until": -1}, "until=-1"),
        ("many states", {"until": float("nan")}, "until=nan"),
        ("many states", {"until": "ten"}, "ten"),
        ("many states", {"until": lambda config: True}, "accepted: a time, a text, or None"),
        ("many states", {"until": 1, "interactions": 2}, "accepted: one of them"),
        ("many states", {"interactions": 1.5}, "interactions=1.5"),
        ("many states", {"interactions": -1}, "negative"),
        ("many states", {"rung": "F5"}, "rung='F5'.*'F0', 'F1', 'F2', 'F3', 'F4'"),
        ("many states", {"rung": 1}, "rung of type int"),
        ("many states", {"way": "Both"}, "way='Both'.*'AnyLocked', 'PickedPair'"),
        ("many states", {"scheduler": "Wave"}, "Waves"),
        ("many states", {"scheduler": ["Waves"]}, "scheduler of type list"),
        ("many states", {"scheduler": "Sequential", "rung": "F3"}, "accepted"),
        ("many states", {"scheduler": "UniformPairs", "rung": "F1"}, "F0"),
        ("many states", {"topology": "Ringg(nodes: 1000)"}, "Ring"),
        ("many states", {"topology": "Ring(nodes: 5)"}, "1000.*5 nodes"),
        ("many states", {"files": {"protocol.ron": "x"}}, "another name"),
        ("ring, silence", {"rung": "F2"}, "accepted"),
    ],
)
def test_what_is_no_scenario_is_refused(case, arguments, message):
    sim, _ = made(case)
    with pytest.raises((ValueError, TypeError), match=message):
        sim.scenario(**arguments)


words = st.one_of(
    st.none(), st.text(max_size=12), st.integers(), st.binary(max_size=3),
    st.sampled_from(["F0", "F1", "F3", "Waves", "Sequential", "UniformPairs", "Complete(nodes: 10)", "PickedPair", "silent", "A + B = n", ")", "("]),
)


@settings(max_examples=300, deadline=None, database=None, suppress_health_check=list(HealthCheck))
@given(until=words, interactions=words, scheduler=words, rung=words, way=words, topology=words,
       files=st.dictionaries(st.text(max_size=4), words, max_size=1))
def test_any_words_are_a_scenario_or_refused(**arguments):
    sim = Simulation({"A": 6, "B": 4}, CANCEL, seed=1)
    try:
        assert isinstance(sim.scenario(**arguments), Scenario)
    except (ValueError, TypeError) as error:
        assert str(error)


def test_what_a_scenario_cannot_say_is_refused():
    lazy = Simulation({1: 10}, lambda a, b: (a + 1, b) if a < 5 else None, seed=1, lazy=True)
    for ask in (lambda: lazy.digest, lazy.scenario):
        with pytest.raises(ValueError, match="accepted: lazy=False"):
            ask()
    forced = Simulation({"A": 6, "B": 4}, CANCEL, "Sequential", seed=1)
    with pytest.raises(ValueError, match="simulator_method='Sequential'.*accepted: 'MultiBatch'"):
        forced.scenario()
    assert forced.scenario(topology="Ring(nodes: 10)", rung="F1").run().exit == 0
    twice = Simulation({"L": 2, "F": 1}, WALK, graph=np.array([[0, 1], [1, 0], [1, 2]]), seed=1)
    with pytest.raises(ValueError, match=r"the edge \(0, 1\) is listed more than once"):
        twice.scenario()
    wide = Simulation({i: 2 for i in range(400)}, lambda a, b: ((a * b) % 400, a ^ b if a ^ b < 400 else 0), seed=1, lazy=False,
                      transition_order="asymmetric")
    with pytest.raises(ValueError, match="1048576"):
        wide.scenario(1)


# ---- Locks ----


@pytest.mark.parametrize("rung", ["F1", "F3", "F4"])
@pytest.mark.parametrize("graph", [ring(30), torus(6, 6), PAIRS], ids=["ring", "torus", "edges"])
def test_ones_own_rule_runs_under_locks(rung, graph):
    nodes = 10 if isinstance(graph, np.ndarray) else graph.nodes
    sim = Simulation({strong(0): nodes - 2, strong(1): 2}, voting, graph=graph, seed=3)
    scenario = sim.scenario(ONE_OPINION, rung=rung)
    assert scenario.parameters["rung"].startswith(rung)
    record = scenario.run()
    # Strong votes cancel, and only those of one opinion remain.
    assert record.outcome == "counts" and sum(record["states"].values()) == nodes
    assert record["states"]["Voter(opinion=0,is_strong=True)"] == nodes - 4 and record["locks"]
    uniform = sim.scenario(ONE_OPINION).run()
    assert uniform.digest != record.digest and "locks" not in uniform


def test_a_scheduler_says_its_rung_and_a_rung_its_scheduler():
    sim, _ = made("ring, tokens that walk")
    waves = sim.scenario("L = 1", scheduler="Waves")
    assert waves.run().digest == sim.scenario("L = 1", rung="F1").run().digest
    slow = sim.scenario("L = 1", scheduler="RoundRobin", way="PickedPair")
    assert slow.parameters["rung"].startswith("F4") and slow.run().outcome == "counts"
    changed = sim.scenario("L = 1", rung="F4").changed({"lock.rules": "Published"})
    assert "Published" in changed.parameters["rules"] if "rules" in changed.parameters else changed.run().exit in (0, 1)
    wide = Simulation({"L": 9, "F": 375}, WALK, graph=torus(6, 64), seed=1)
    assert wide.scenario(2, rung="F2").run().outcome == "interactions"


def test_ones_own_rule_runs_on_contacts_that_come_and_go(tmp_path):
    rng = np.random.default_rng(1)
    # Agents that meet stay together for 20 steps.
    drawn = [(begin, *sorted(map(int, rng.choice(40, 2, replace=False)))) for begin in range(0, 400, 20) for _ in range(20)]
    met = np.array(sorted({(begin + later, i, j) for begin, i, j in drawn for later in range(20)}))
    sim = Simulation({"L": 12, "F": 28}, WALK, seed=4)
    contacts = 'Contacts(path: "met.txt", format: Instants(resolution: 1), rounds_per_step: 8)'
    for rung in ("F3", "F4"):
        scenario = sim.scenario("L <= 6", rung=rung, topology=contacts, files={"met.txt": met})
        record = scenario.run()
        assert record.outcome == "counts" and record["states"] == {"F": 34, "L": 6}
        said = subprocess.run([command(), "run", scenario.save(tmp_path / rung), "--format", "jsonl"], capture_output=True, text=True)
        assert json.loads(said.stdout)["digest"]["configuration"] == record.digest
    # Agents on the complete graph have no positions. With contacts they have, so an exchange of states is a change.
    exchange = 'Symmetric("F + L -> L + F")'
    assert exchange in scenario.files["protocol.ron"] and exchange not in sim.scenario().files["protocol.ron"]
    with pytest.raises(ValueError, match="accepted"):
        sim.scenario(rung="F1", topology=contacts, files={"met.txt": met})


# ---- Files ----


def test_a_scenario_is_saved_where_it_is_wanted(tmp_path):
    sim, until = made("edges in any order")
    scenario = sim.scenario(until)
    folder = scenario.save(tmp_path / "new" / "folder")
    named = scenario.changed({"seed": 8}).save(tmp_path / "other" / "walk.ron")
    assert folder.name == "scenario.ron" and sorted(path.name for path in named.parent.iterdir()) == [
        "edges.graph", "protocol.ron", "walk.ron"]
    assert Scenario(folder).run().digest == scenario.run().digest
    assert Scenario(named).run().digest == scenario.run(8).digest != scenario.run().digest
    with pytest.raises(ValueError, match="accepted: another name"):
        scenario.save(tmp_path / "protocol.ron")
    # Data files in a folder are not copied: the error comes before anything is written.
    with pytest.raises(ValueError, match="protocol.ron"):
        Scenario(folder).save(tmp_path / "third")
    assert not (tmp_path / "third").exists()
    assert Scenario(folder).save(folder.parent) == folder


def test_a_file_of_a_graph_keeps_nodes_without_edges():
    assert metis(4, np.array([[0, 2]], dtype=np.uint32)) == "4 1\n3\n\n1\n\n"


def test_protocols_are_written_as_people_write_them():
    text = made("dict, small, silence")[0].scenario().files["protocol.ron"]
    assert 'Symmetric("A + B -> U + U")' in text and "Ordered" not in text
    text = made("chances")[0].scenario().files["protocol.ron"]
    assert 'Randomised("A + B", [' in text and 'Ordered("B + A -> A + A")' in text
