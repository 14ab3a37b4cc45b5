"""Tests of the interface of ppsim: rules of all forms, runs, histories, copies."""

import dataclasses
import json
import math
import pickle
import typing

import numpy as np
import pytest

import acrasin
from acrasin import Simulation, check, species, state_enumeration, time_trials

MAJORITY = {("A", "B"): ("U", "U"), ("A", "U"): ("A", "A"), ("B", "U"): ("B", "B")}


def majority_function(a, b):
    if {a, b} == {"A", "B"}:
        return "U", "U"
    if "U" in (a, b) and a != b:
        decided = a if b == "U" else b
        return decided, decided
    return None


def majority_reactions():
    a, b, u = species("A B U")
    return [a + b >> 2 * u, a + u >> 2 * a, b + u >> 2 * b]


def test_a_dict_and_a_function_of_the_same_rule_are_the_same_run():
    runs = [Simulation({"A": 510, "B": 490}, rule, seed=7) for rule in (MAJORITY, majority_function)]
    for sim in runs:
        sim.run(timer=False)
    assert runs[0].times == runs[1].times
    assert np.array_equal(runs[0].configs, runs[1].configs)
    assert runs[0].silent is True and runs[0].simulator.silent is True
    assert sum(runs[0].config_dict.values()) == 1000


def test_a_function_is_called_once_for_each_reachable_ordered_pair():
    calls = []

    def rule(a, b):
        calls.append((a, b))
        return majority_function(a, b)

    sim = Simulation({"A": 30, "B": 20}, rule, seed=1)
    sim.run(timer=False)
    assert sorted(calls) == sorted((a, b) for a in "ABU" for b in "ABU")
    assert state_enumeration({"A": 1, "B": 1}, majority_function) == {"A", "B", "U"}


def test_further_arguments_go_to_the_rule():
    def rule(sender, receiver, threshold):
        return (0, 0) if sender + receiver > threshold else (sender, receiver + 1)

    sim = Simulation({1: 50}, rule, threshold=5, transition_order="asymmetric", seed=2)
    assert max(sim.state_list) == 6
    with pytest.raises(TypeError, match="accepted"):
        Simulation({"A": 50}, MAJORITY, threshold=5)


def test_a_dataclass_that_a_rule_changes_in_place():
    @dataclasses.dataclass(unsafe_hash=True)
    class Agent:
        role: str = "L"
        level: int = 0

    def rule(a, b):
        if a.role == b.role == "L":
            b.role = "F"
            a.level = min(a.level + 1, 3)

    sim = Simulation({Agent(): 64}, rule, seed=3)
    sim.run(timer=False)
    leaders = [state for state in sim.config_dict if state.role == "L"]
    assert [sim.config_dict[leader] for leader in leaders] == [1]
    pytest.importorskip("pandas")
    assert sim.history.columns.names == ["role", "level"]


def test_named_tuples_have_columns_by_field():
    pytest.importorskip("pandas")

    class Pair(typing.NamedTuple):
        colour: str
        number: int

    sim = Simulation({Pair("red", 10): 5, Pair("blue", 2): 5}, lambda a, b: (a, b), seed=1)
    assert sim.history.columns.names == ["colour", "number"]
    # Numbers in names are sorted as numbers.
    ordered = Simulation({"a10": 2, "a9": 2}, lambda a, b: None, seed=1).state_list
    assert ordered == ["a9", "a10"]


@pytest.mark.parametrize("method", ["MultiBatch", "Sequential", "Gillespie"])
def test_a_seed_gives_the_same_run_however_often_it_is_looked_at(method):
    coarse = Simulation({"A": 5000, "B": 5000}, MAJORITY, method, seed=11)
    fine = Simulation({"A": 5000, "B": 5000}, MAJORITY, method, seed=11)
    coarse.run(5, history_interval=5, timer=False)
    fine.run(5, history_interval=0.1, timer=False)
    assert coarse.config_dict == fine.config_dict and not fine.silent
    assert len(fine.times) > 48


def test_predicates_stop_at_the_very_interaction():
    sim = Simulation({"L": 100}, {("L", "L"): ("L", "F")}, seed=5)
    sim.run("L <= 10", timer=False)
    assert sim.config_dict["L"] == 10
    alone = Simulation({"L": 100}, {("L", "L"): ("L", "F")}, seed=5)
    while alone.config_dict["L"] > 10:
        alone.run(0.01, timer=False)
    assert alone.interactions == sim.interactions
    assert sim.times[-1] == sim.interactions / 100


def test_a_function_of_the_configuration_is_asked_now_and_then():
    sim = Simulation({"A": 900, "B": 100}, MAJORITY, seed=5)
    sim.run(lambda config: config.get("B", 0) < 50, stopping_interval=0.25, timer=False)
    assert sim.config_dict.get("B", 0) < 50 and not sim.silent
    assert (sim.time / 0.25) % 1 == 0


def test_reactions_run_at_the_rates_of_gillespie():
    # A -> B at rate 2: the expected number of A at time t is n exp(-2 t).
    a, b = species("A B")
    n, left = 2000, []
    for seed in range(20):
        sim = Simulation({a: n}, [(a >> b).k(2)], seed=seed)
        sim.run(0.5, timer=False)
        left.append(sim.config_dict[a])
    p = math.exp(-1)
    assert abs(np.mean(left) - n * p) < 4 * math.sqrt(n * p * (1 - p) / 20)
    # A + A -> B + B at rate k: n (n - 1) k / (2 volume) a unit of time at the start.
    times = []
    for seed in range(400):
        sim = Simulation({a: 50}, [(a + a >> b + b).k(3)], seed=seed, volume=100)
        sim.run("B >= 2", timer=False)
        times.append(sim.time)
    mean = 1 / (3 * 50 * 49 / (2 * 100))
    assert abs(np.mean(times) - mean) < 4 * mean / 20
    # The test rejects a volume that is 1.3 times as large.
    assert abs(np.mean(times) - 1.3 * mean) > 4 * mean / 20


def test_reversible_reactions_and_units():
    a, b = species("A B")
    both = (a + b | 2 * a).k(2).r(3)
    forth, back = acrasin.replace_reversible_rxns([both])
    assert (forth.rate_constant, back.rate_constant) == (2, 3)
    assert str(back.reactants) == "A + A" and not back.reversible
    assert acrasin.species_in_rxns([both]) == [a, b]
    with pytest.raises(ValueError, match="accepted"):
        (a + b >> 2 * a).r(1)
    with pytest.raises(ValueError, match="accepted"):
        (a >> b).k(1, acrasin.RateConstantUnits.mass_action)


def test_reactions_as_text():
    sim = Simulation({"A": 2, "B": 0, "U": 5}, MAJORITY, seed=1)
    assert sim.reactions.splitlines() == ["A, B  -->  U, U", "A, U  -->  A, A", "B, U  -->  B, B"]
    assert sim.enabled_reactions.splitlines() == ["A, U  -->  A, A"]
    assert sim.null_probability == pytest.approx(1 - 2 * 2 * 5 / (7 * 6))
    half = Simulation({"A": 2}, {("A", "A"): {("A", "B"): 0.5}}, seed=1)
    assert half.reactions == "A, A  -->  A, B      with probability 0.5"


def test_time_goes_on_after_set_config_with_another_number_of_agents():
    # Regression: interactions up to a time were counted from 0 with the new number of agents, so fewer agents made
    # none.
    sim = Simulation({"A": 600, "B": 400}, MAJORITY, seed=1)
    sim.run(2, timer=False)
    sim.set_config({"A": 60, "B": 40})
    sim.run(1.5, timer=False)
    assert (sim.time, sim.interactions) == (3.5, 2000 + 150)
    sim.run("B = 0", timer=False)
    assert sim.time == pytest.approx(2 + (sim.interactions - 2000) / 100, abs=1e-9)


def test_reset_begins_another_trial_and_set_config_goes_on():
    sim = Simulation({"A": 60, "B": 40}, MAJORITY, seed=1)
    sim.run(timer=False)
    first = sim.time
    sim.reset()
    assert (sim.time, sim.interactions, sim.config_dict) == (0, 0, {"A": 60, "B": 40})
    sim.run(timer=False)
    assert sim.time != first
    at, made = sim.time, sim.interactions
    sim.set_config({"A": 1, "B": 99})
    sim.run(0.5, timer=False)
    assert sim.time == at + 0.5 and sim.interactions == made + 50
    with pytest.raises(ValueError, match="accepted"):
        sim.set_config({"Q": 100})


def test_copies_go_on_as_if_nothing_had_been():
    for graph in (None, acrasin.ring(1000)):
        sim = Simulation({"A": 600, "B": 400}, majority_function, seed=4, graph=graph)
        sim.run(3, timer=False)
        copy = pickle.loads(pickle.dumps(sim))
        for one in (sim, copy):
            one.run(4, timer=False)
        assert copy.config_dict == sim.config_dict and copy.times == sim.times
        assert copy.rule("A", "B") == ("U", "U")


def test_trials_are_the_same_runs_one_by_one():
    pandas = pytest.importorskip("pandas")
    frame = time_trials(MAJORITY, [50, 100], lambda n: {"A": n // 2 + 5, "B": n // 2 - 5}, num_trials=70, seed=9)
    assert isinstance(frame, pandas.DataFrame) and list(frame.columns) == ["n", "time"]
    assert (frame.groupby("n").size() == 70).all()
    seed = acrasin._acrasin.derived_seed(acrasin._acrasin.derived_seed(9, 100), 69)
    alone = Simulation({"A": 55, "B": 45}, MAJORITY, seed=seed)
    alone.run("silent", history_interval=math.inf, timer=False)
    assert frame.time.iloc[-1] == alone.time
    again = time_trials(MAJORITY, [100], lambda n: {"A": 55, "B": 45}, num_trials=3, seed=9)
    assert list(again.time) == list(frame.time[70:73])
    asked = time_trials(MAJORITY, [100], [{"A": 55, "B": 45}], lambda c: c.get("B", 0) == 0, num_trials=3, seed=9)
    assert len(asked) == 3


def test_samples_leave_the_simulation_as_it_is():
    pytest.importorskip("pandas")
    sim = Simulation({"A": 60, "B": 40}, MAJORITY, seed=1)
    sim.run(2, timer=False)
    before = (sim.time, sim.config_dict)
    assert sim.sample_silence_time() > 0
    frame = sim.sample_future_configuration(1, num_samples=20)
    assert frame.shape == (20, 3) and (frame.sum(axis=1) == 100).all() and len(frame.drop_duplicates()) > 1
    assert (sim.time, sim.config_dict) == before


def test_plots_and_snapshots():
    matplotlib = pytest.importorskip("matplotlib")
    matplotlib.use("Agg")
    import matplotlib.pyplot as plt

    sim = Simulation({"A": 60, "B": 40}, MAJORITY, seed=1)
    bars = acrasin.StatePlotter(state_map=lambda state: None if state == "U" else state)
    sim.add_snapshot(bars)
    sim.add_snapshot(acrasin.HistoryPlotter())
    sim.run(timer=False)
    assert [bar.get_height() for bar in bars.ax.patches] == [sim.config_dict.get(s, 0) for s in "AB"]
    sim.set_snapshot_index(0)
    assert [bar.get_height() for bar in bars.ax.patches] == [60, 40]
    axes = sim.plot(ax=plt.figure().gca())
    assert len(axes.lines) == 3
    plt.close("all")


def test_a_check_of_every_size_has_a_proof_or_a_counterexample():
    exact = {("A", "B"): ("a", "b"), ("A", "b"): ("A", "a"), ("B", "a"): ("B", "b"), ("a", "b"): ("b", "b")}
    outputs = {"A": "yes", "a": "yes", "B": "no", "b": "no"}
    proof = check(exact, ["A", "B"], "A > B", outputs=outputs, sizes="all")
    assert proof and proof.outcome == "proved" and proof.counterexample is None
    assert json.loads(proof.certificate)["format"] == "all-n/1"
    assert "A + B" in proof.explanation and proof.picture.startswith("<svg")
    assert proof.growth == "2^O(n log n)"
    wrong = check(exact, ["A", "B"], "A >= B", outputs=outputs, sizes="all")
    assert not wrong and wrong.outcome == "refuted" and wrong.smallest and wrong.certificate is None
    assert wrong.counterexample.input == {"A": 1, "B": 1} and wrong.counterexample.end == {"b": 2}
    late = check({("I", "S"): ("I", "I")}, ["S", "I"], eventually="I <= 24", given="I = 1", sizes="all")
    assert late.outcome == "refuted" and late.smallest and sum(late.counterexample.input.values()) == 25
    assert late.counterexample.input == {"I": 1, "S": 24} and late.explanation is None and late.explored is None


def test_a_check_of_every_size_says_what_is_missing():
    # Eight stages; an agent of the last one lifts agents of the first to the third only.
    rule = {(f"s{stage}", f"s{stage}"): (f"s{stage}", f"s{stage + 1}") for stage in range(1, 7)}
    rule |= {("s7", f"s{stage}"): ("s7", "s7" if stage else "s2") for stage in range(7)}
    outputs = {f"s{stage}": "yes" if stage == 7 else "no" for stage in range(8)}
    open_question = check(rule, ["s0", "s1"], "s1 >= 7", outputs=outputs, sizes="all", transition_order="asymmetric")
    assert not open_question and open_question.outcome == "unknown" and open_question.explored >= 5
    assert "might be a wrong end of the input" in open_question.explanation
    assert open_question.certificate is None and open_question.counterexample is None


def test_a_check_finds_a_shortest_counterexample():
    report = check(MAJORITY, ["A", "B"], "A > B", yes=["A"], no=["B"], up_to=4)
    assert not report and report.counterexample.input == {"A": 1, "B": 1}
    assert report.counterexample.run == [(("A", "B"), ("U", "U"))]
    assert report.counterexample.end == {"U": 2} and report.counterexample.silent
    leaders = check({("L", "L"): ("L", "F")}, ["L"], eventually="L = 1", up_to=7)
    assert leaders and leaders.inputs == 6 and leaders.counterexample is None
    wrong = check({("L", "L"): ("F", "F")}, ["L"], eventually="L = 1", up_to=7)
    assert wrong.outcome == "fails" and wrong.counterexample.input == {"L": 2}
