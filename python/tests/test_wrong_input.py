"""Tests that invalid arguments give a ValueError or a TypeError that says what is accepted, and never a panic."""

import math

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import acrasin
from acrasin import Amoebots, Scenario, Simulation, check, sweep

MAJORITY = {("A", "B"): ("U", "U"), ("A", "U"): ("A", "A"), ("B", "U"): ("B", "B")}

WRONG = [
    lambda: Simulation({"A": 1}, MAJORITY),
    lambda: Simulation({"A": -1, "B": 5}, MAJORITY),
    lambda: Simulation({"A": 2.5, "B": 5}, MAJORITY),
    lambda: Simulation({"A": math.nan, "B": 5}, MAJORITY),
    lambda: Simulation({"A": 2**60, "B": 5}, MAJORITY),
    lambda: Simulation({"A": "many"}, MAJORITY),
    lambda: Simulation(5, MAJORITY),
    lambda: Simulation({"A": 5}, 7),
    lambda: Simulation({"A": 5}, [1, 2]),
    lambda: Simulation({"A": 5}, {("A", "A"): ("A",)}),
    lambda: Simulation({"A": 5}, {"A": ("A", "A")}),
    lambda: Simulation({"A": 5}, {("A", "A"): ("A", [])}),
    lambda: Simulation({"A": 5}, {("A", "A"): {("A", "B"): 1.5}}),
    lambda: Simulation({"A": 5}, {("A", "A"): {("A", "B"): -0.5}}),
    lambda: Simulation({"A": 5}, {("A", "A"): {("A", "B"): math.nan}}),
    lambda: Simulation({"A": 5}, {("A", "A"): {("A", "B"): 1e-12, ("B", "A"): 0.3}}),
    lambda: Simulation({"A": 5}, lambda a, b: (a + "x", b), lazy=False),
    lambda: Simulation({"A": 5}, MAJORITY, "Fast"),
    lambda: Simulation({"A": 5}, MAJORITY, transition_order="sometimes"),
    lambda: Simulation(
        {"A": 5}, {("A", "B"): ("A", "A"), ("B", "A"): ("B", "B")}, transition_order="symmetric_enforced"
    ),
    lambda: Simulation({"A": 5}, MAJORITY, seed=-1),
    lambda: Simulation({"A": 5}, MAJORITY, seed=1.5),
    lambda: Simulation({"A": 5}, MAJORITY, init_states=["A"]),
    lambda: Simulation({"A": 5}, MAJORITY, seed=1).run("A >="),
    lambda: Simulation({"A": 5}, MAJORITY, seed=1).run("Q >= 1"),
    lambda: Simulation({"A": 5, "B": 2}, MAJORITY, seed=1).run(math.inf),
    lambda: Simulation({"A": 5, "B": 2}, MAJORITY, seed=1).run(-1),
    lambda: Simulation({"A": 2**40, "B": 2}, {("A", "A"): ("A", "B"), ("B", "A"): ("A", "A")}, seed=1).run(1e9, 1e9, timer=False),
    lambda: Simulation({"A": 5, "B": 2}, MAJORITY, seed=1).run([1]),
    lambda: Simulation({"A": 5, "B": 2}, MAJORITY, seed=1).run(1, history_interval=0, timer=False),
    lambda: Simulation({"A": 5, "B": 2}, MAJORITY, seed=1).run(1, stopping_interval=-1, timer=False),
    lambda: Simulation({"A": 5, "B": 2}, MAJORITY, seed=1).set_config(np.zeros(7)),
    lambda: acrasin.time_trials(MAJORITY, [10, 20], [{"A": 10}], seed=1),
    lambda: acrasin.species("A A"),
    lambda: check(MAJORITY, ["A"], None),
    lambda: check(MAJORITY, ["A"], "A > B"),
    lambda: check(MAJORITY, ["A"], "A > B", yes=["A"], no=["B"], up_to=1),
    lambda: check(MAJORITY, [], "A > B", yes=["A"], no=["B"]),
    lambda: check(MAJORITY, ["A", "B"], "A > B", yes=["A"], no=["B"], sizes="some"),
    lambda: check(MAJORITY, ["A", "B"], "A > B", yes=["A"], no=["B"], sizes=["all"]),
    lambda: check(MAJORITY, ["A", "B"], "A > B", yes=["A"], no=["B"], given="A > B and B > A", sizes="all"),
    lambda: check(MAJORITY, ["A", "B"], "1 >= 4", yes=["A"], no=["B"], sizes="all"),
    lambda: check(MAJORITY, ["A", "B"], "U >= 4", yes=["A"], no=["B"], sizes="all"),
    lambda: check(MAJORITY, ["A", "B"], "A > B", yes=["A"], no=["B"], given="1 >= 1", sizes="all"),
    lambda: Scenario("(seed: 1"),
    lambda: Scenario("(seed: 1, topology: Ring(nodes: 1), scheduler: Sequential, work: Locks(each: 1))"),
    lambda: Amoebots("Hexagonn", "Line(count: 5)"),
    lambda: Amoebots("Hexagon", np.zeros((3, 3), dtype=int)),
    lambda: sweep(Scenario(RING), {}),
    lambda: sweep(Scenario(RING), {"topology.nodes": [5]}, reps=0),
    lambda: sweep(Scenario(RING), {"topology.nodes": [5]}, frame="table"),
    lambda: sweep(Scenario(RING), {"topology.knots": [5]}),
    lambda: Scenario(RING).run(threads=0),
    lambda: Scenario(RING).run().positions(),
]
RING = "(seed: 1, topology: Ring(nodes: 5), scheduler: Sequential, work: Locks(each: 1))"


@pytest.mark.parametrize("number", range(len(WRONG)))
def test_the_message_says_what_would_be_accepted(number, monkeypatch):
    # The rule is unbounded: calling it for all pairs up to the limit on states would take minutes.
    monkeypatch.setattr(acrasin.rules, "MAX_STATES", 40)
    with pytest.raises((ValueError, TypeError)) as raised:
        WRONG[number]()
    assert "accepted" in str(raised.value), str(raised.value)


def test_a_file_that_is_not_there():
    with pytest.raises(FileNotFoundError):
        Scenario("no-such-file.ron")


values = st.one_of(
    st.none(), st.booleans(), st.integers(), st.floats(), st.text(max_size=5), st.lists(st.integers(), max_size=3)
)
states = st.sampled_from(["A", "B", "U", 1, 2, ("A", 1)])


@settings(max_examples=300, deadline=None, database=None, suppress_health_check=list(HealthCheck))
@given(
    config=st.one_of(values, st.dictionaries(states, st.one_of(values, st.integers(0, 30)), max_size=4)),
    rule=st.one_of(
        values,
        st.dictionaries(
            st.tuples(states, states),
            st.one_of(
                values,
                st.tuples(states, states),
                st.dictionaries(st.tuples(states, states), st.floats(), max_size=3),
            ),
            max_size=5,
        ),
    ),
    until=st.one_of(values, st.sampled_from(["silent", "agreed", "A = 1", "A >", "'x' < 3"])),
    seed=values,
    interval=st.one_of(values, st.just(1.0)),
)
def test_anything_runs_or_is_refused(config, rule, until, seed, interval):
    try:
        sim = Simulation(config, rule, seed=seed)
        if until is None or isinstance(until, (int, float)) and until > 50:
            until = 5
        if isinstance(interval, (int, float)) and 0 < interval < 1e-3:
            interval = 1.0
        if isinstance(until, str):
            sim.holds(until)
        else:
            sim.run(until, history_interval=interval, timer=False)
    except (ValueError, TypeError):
        pass


@settings(max_examples=200, deadline=None, database=None)
@given(st.text(max_size=60))
def test_any_text_is_a_scenario_or_refused(text):
    with pytest.raises(ValueError):
        Scenario("(" + text + "\n")
