"""Tests of states that are discovered during a run: the rule is called once for each ordered pair that meets."""

import itertools
import pickle
import signal

import numpy as np
import pytest
from test_law import FAMILY, chi_square, exact, random_rule

import acrasin
from acrasin import Simulation, ring, time_trials

START = {"A": 3, "B": 2, "C": 1}


def tokens(a, b):
    """Two agents that meet add up their tokens, up to 10^9; the second one keeps none. Few of the billion states
    occur."""
    return ((a + b) % 10**9, 0) if a and b else (max(a, b), min(a, b))


def fallen(a, b):
    return ("L", "F") if a == b == "L" else None


@pytest.mark.parametrize("table", range(2))
def test_the_law_is_that_of_the_chain(table):
    rule = random_rule(np.random.default_rng(table))
    states, law = exact(rule, START, 3)
    seen, twice = {}, {}
    sim = Simulation(START, lambda a, b: rule[a, b], transition_order="asymmetric", seed=7, lazy=True)
    for _ in range(4000):
        sim.reset()
        sim.run(3 / 6, history_interval=9, timer=False)
        config = tuple(sim.config_dict.get(state, 0) for state in states)
        seen[config] = seen.get(config, 0) + 1
        sim.run(1 / 6, history_interval=9, timer=False)
        config = tuple(sim.config_dict.get(state, 0) for state in states)
        twice[config] = twice.get(config, 0) + 1
    assert chi_square(law, seen, 4000) > FAMILY / 2
    # The law after one more interaction is distinguished.
    assert not set(twice) <= set(law) or chi_square(law, twice, 4000) < FAMILY


@pytest.mark.parametrize("order", ["symmetric", "asymmetric"])
def test_what_comes_of_a_pair_is_what_the_table_says(order):
    rng = np.random.default_rng(3)
    for _ in range(30):
        rule = {pair: out for pair, out in random_rule(rng).items() if rng.random() < 0.6}
        function = lambda a, b, rule=rule: rule.get((a, b))  # noqa: E731
        for graph in (None, ring(6)):
            table = Simulation(START, function, transition_order=order, seed=1, graph=graph, lazy=False)
            lazy = Simulation(START, function, transition_order=order, seed=1, graph=graph, lazy=True)
            pairs = list(itertools.product("ABC", repeat=2))
            rng.shuffle(pairs)
            for a, b in pairs:
                said = [sim.rule(a, b) for sim in (table, lazy) if a in sim.state_dict and b in sim.state_dict]
                said = [one if isinstance(one, dict) else {one: 1.0} for one in said]
                swap = {(b, a): 1.0}
                for one in said[1:]:
                    assert one == pytest.approx(said[0]) or graph is None and swap in (one, said[0])


def test_both_orders_must_agree_if_that_is_asked_for():
    rule = {("A", "B"): ("C", "C"), ("B", "A"): ("A", "A")}
    sim = Simulation(START, lambda a, b: rule.get((a, b)), transition_order="symmetric_enforced", seed=1, lazy=True)
    with pytest.raises(ValueError, match="accepted"):
        sim.run(5, timer=False)
    rule["B", "A"] = ("C", "C")
    sim.run(5, timer=False)
    assert sim.interactions == 30


def test_of_a_billion_states_few_are_met_and_no_pair_is_asked_twice():
    calls = []

    def rule(a, b):
        calls.append((a, b))
        return tokens(a, b)

    sim = Simulation({3**k: 100 for k in range(10)}, rule, seed=1, transition_order="asymmetric")
    assert sim.lazy and len(set(calls)) == len(calls)
    sim.run(20, timer=False)
    found = len(sim.state_list)
    assert 500 < found < 5000 and sum(sim.config_dict.values()) == 1000
    assert sum(state * count for state, count in sim.config_dict.items()) == 100 * sum(3**k for k in range(10))
    sim.reset()
    sim.run(20, timer=False)
    assert len(set(calls)) == len(calls)
    # The rule was called for far fewer than all pairs.
    assert len(calls) < found**2


def test_a_run_is_the_same_however_it_is_looked_at_and_copied():
    def started():
        return Simulation({3**k: 100 for k in range(10)}, tokens, seed=5, lazy=True, transition_order="asymmetric")

    whole, looked = started(), started()
    whole.run(8, history_interval=8, timer=False)
    looked.run(3, history_interval=0.1, timer=False)
    copy = pickle.loads(pickle.dumps(looked))
    for one in (looked, copy):
        one.run(5, history_interval=0.7, timer=False)
        assert one.config_dict == whole.config_dict and one.interactions == whole.interactions
    assert started().config_dict != whole.config_dict


class Refused(Exception):
    pass


@pytest.mark.parametrize("how", ["raises", "interrupted", "nonsense"])
def test_what_a_rule_raises_ends_the_run_which_then_goes_on_as_if_nothing_had_been(how):
    faults = {200, 201, 700}
    calls = [0]

    def rule(a, b):
        calls[0] += 1
        if calls[0] in faults:
            if how == "raises":
                raise Refused(calls[0])
            if how == "interrupted":
                signal.raise_signal(signal.SIGINT)
            return 7
        return tokens(a, b)

    start = {3**k: 100 for k in range(10)}
    broken = Simulation(start, rule, seed=5, lazy=True, transition_order="asymmetric")
    expected = {"raises": Refused, "interrupted": KeyboardInterrupt, "nonsense": TypeError}[how]
    stops = 0
    while broken.time < 8:
        try:
            broken.run(8 - broken.time, history_interval=100, timer=False)
        except expected as error:
            stops += 1
            assert sum(broken.config_dict.values()) == 1000
            assert how != "raises" or error.args == (sorted(faults)[stops - 1],)
    assert stops == 3
    whole = Simulation(start, tokens, seed=5, lazy=True, transition_order="asymmetric")
    whole.run(8, history_interval=100, timer=False)
    assert broken.interactions == whole.interactions and broken.config_dict == whole.config_dict


def test_silence_is_met_at_the_very_interaction():
    sim = Simulation({"L": 50}, fallen, seed=3, lazy=True)
    sim.run(timer=False)
    assert sim.config_dict == {"L": 1, "F": 49} and sim.silent
    before = Simulation({"L": 50}, fallen, seed=3, lazy=True)
    before.run((sim.interactions - 1) / 50, timer=False)
    assert before.config_dict == {"L": 2, "F": 48} and not before.silent
    frame = pytest.importorskip("pandas")
    assert isinstance(sim.history, frame.DataFrame) and sim.history.shape[1] == 2
    assert sim.reactions.strip() == "L, L  -->  L, F"
    trials = time_trials(fallen, [20], lambda n: {"L": n}, num_trials=40, seed=1, lazy=True)
    assert 8 < trials.time.mean() < 40


def test_on_a_graph_agents_have_places():
    sim = Simulation(None, lambda a, b: max(a, b), graph=ring(5), init_states=[0, 4, 1, 2, 3], seed=1, lazy=True)
    with pytest.raises(TypeError, match="accepted"):
        sim.run(1, timer=False)
    sim = Simulation(None, lambda a, b: (max(a, b),) * 2, graph=ring(5), init_states=[0, 4, 1, 2, 3], seed=1, lazy=True)
    sim.run(timer=False)
    assert sim.states == [4] * 5 and sim.silent
    copy = pickle.loads(pickle.dumps(Simulation({1: 9, 2: 1}, tokens, graph=ring(10), seed=1, lazy=True)))
    copy.run(3, timer=False)
    copy.reset()
    assert copy.config_dict == {1: 9, 2: 1} and copy.lazy


def test_what_does_not_go_with_it_is_refused(monkeypatch):
    # Calling the rule for all pairs of 4096 states in advance would take minutes.
    monkeypatch.setattr(acrasin.rules, "MAX_STATES", 40)
    with pytest.raises(ValueError, match="accepted"):
        Simulation({"L": 9}, fallen, "Gillespie", lazy=True)
    with pytest.raises(ValueError, match="accepted"):
        Simulation({"L": 2**40}, fallen, lazy=True)
    with pytest.raises(ValueError, match="accepted"):
        Simulation({"L": 9}, fallen, lazy="yes")
    with pytest.raises(ValueError, match="accepted"):
        Simulation({1: 9}, tokens, lazy=True).run("A > 3")
    with pytest.raises(ValueError, match="lazy=True"):
        Simulation({1: 2**40}, lambda a, b: (a + b, b), seed=1, lazy=False).run(1)
    sim = Simulation({"L": 9}, fallen, lazy=True, seed=1)
    saved = sim._population.save()
    for wrong in (b"", saved[:-1], saved[:40], b"x" + saved[1:], saved[:8] + b"\xff" * 80 + saved[88:]):
        with pytest.raises(ValueError, match="accepted"):
            acrasin._acrasin.LazyPopulation.restore(sim._compiled.met, wrong, 2)
