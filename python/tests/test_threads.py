"""Tests of threads, forked processes, deadlines and copies: every call ends with the result that it has alone."""

import copy
import math
import pathlib
import subprocess
import sys
import threading
import time

import numpy as np
import pytest

import acrasin
from acrasin import HistoryPlotter, Scenario, Simulation, StatePlotter, check, ring, species, sweep, time_trials, torus

MAJORITY = {("A", "B"): ("U", "U"), ("A", "U"): ("A", "A"), ("B", "U"): ("B", "B")}
SWAP = {("A", "B"): ("B", "B"), ("B", "B"): ("A", "B"), ("A", "A"): ("A", "B")}
A, B = species("A B")
ROOT = pathlib.Path(__file__).resolve().parents[2]

FORKED = """
import multiprocessing, warnings
from acrasin import *
warnings.simplefilter("ignore")
majority = {("A", "B"): ("U", "U"), ("A", "U"): ("A", "A"), ("B", "U"): ("B", "B")}
def trials():
    return time_trials(majority, [200], lambda n: {"A": n // 2 + 5, "B": n // 2 - 5}, num_trials=100, seed=1)["time"].sum()
def checked():
    return bool(check({("L", "L"): ("L", "F")}, ["L"], eventually="L = 1", up_to=5))
def scenario():
    return Scenario("(seed: 1, topology: Ring(nodes: 50), scheduler: Waves, rung: F1, work: Locks(each: 3))").run().digest
def many():
    sim = Simulation({"A": 3_000_000, "B": 2_000_000}, majority, seed=1)
    sim.run(2, timer=False)
    return sim.digest
def strips():
    sim = Simulation({"A": 2_500_000, "B": 2_500_000}, majority, graph=torus(2000, 2500), seed=1)
    sim.run(0.02, timer=False)
    return sim.digest
def swept():
    plan = Scenario("(seed: 1, topology: Ring(nodes: 50), scheduler: Sequential, work: Locks(each: 3))")
    return sweep(plan, {"topology.nodes": [5, 6]}, reps=3, frame="rows")
def inside(work):
    # And once more in a child of the child.
    with multiprocessing.get_context("fork").Pool(1) as pool:
        pass
    return work()
for work in WORK:
    here = work()
    with multiprocessing.get_context("fork").Pool(1) as pool:
        assert pool.apply(work) == here, work.__name__
print("the same")
"""


@pytest.mark.skipif(sys.platform == "win32", reason="there is no fork")
@pytest.mark.parametrize("work", ["trials", "checked", "scenario", "many", "strips", "swept"])
def test_work_in_a_forked_process_ends_as_it_does_here(work):
    script = FORKED.replace("WORK", f"[{work}]")
    told = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, timeout=240)
    assert told.stdout == "the same\n", told.stderr


@pytest.mark.parametrize("kind", ["counts", "sequential", "graph", "weights", "lazy", "reactions"])
def test_a_run_can_be_read_from_another_thread(kind):
    if kind == "graph":
        sim = Simulation({"A": 5000, "B": 5000}, SWAP, graph=ring(10_000), seed=1)
    elif kind == "weights":
        edges = np.array([[i, (i + 1) % 500] for i in range(500)])
        sim = Simulation({"A": 250, "B": 250}, SWAP, graph=edges, weight=list(range(1, 501)), seed=1)
    elif kind == "lazy":
        sim = Simulation({1: 500, 2: 500}, lambda a, b: (b, (a + 1) % 7), seed=1, lazy=True)
    elif kind == "reactions":
        sim = Simulation({A: 1000}, [(A >> 2 * B).k(1), (2 * B >> A).k(1)], seed=1)
    else:
        sim = Simulation({"A": 500_000, "B": 500_000}, SWAP, "Sequential" if kind == "sequential" else "MultiBatch", seed=1)
    ended, wrong, reads = threading.Event(), [], [0]

    def run():
        try:
            sim.run(lambda counts: ended.is_set(), history_interval=1.0, stopping_interval=1.0, timer=False)
        except BaseException as error:
            wrong.append(error)

    thread = threading.Thread(target=run)
    thread.start()
    until = time.monotonic() + 1.5
    while time.monotonic() < until:
        if kind != "reactions":
            assert sum(sim.config_dict.values()) == sim.n
        assert sim.interactions >= 0 and sim.silent is False
        if kind == "graph":
            assert len(sim.states) == sim.n
        reads[0] += 1
    with pytest.raises(ValueError, match="another thread"):
        sim.run(1, timer=False)
    with pytest.raises(ValueError, match="another thread"):
        sim.reset()
    ended.set()
    thread.join(60)
    assert not wrong and not thread.is_alive() and reads[0] >= 5


def test_a_rule_that_reads_its_own_simulation_is_told_so():
    def rule(a, b):
        return (sim.config_dict and a, b + 1)

    sim = Simulation({1: 5, 2: 5}, lambda a, b: None, seed=1, lazy=True)
    sim._compiled._function = rule
    with pytest.raises(ValueError, match="accepted"):
        sim.run(1, timer=False)


@pytest.mark.parametrize("further", [{}, {"graph": ring(10**5)}, {"simulator_method": "Sequential"}, {"lazy": True}])
@pytest.mark.parametrize("condition", [None, lambda counts: False])
def test_trials_end_when_their_time_is_over(further, condition):
    # Two agents exchange their states forever, so no trial ends.
    rule = {("A", "B"): ("B", "C"), ("B", "C"): ("C", "A"), ("C", "A"): ("A", "B")}
    rule = (lambda a, b: {("A", "B"): ("B", "C"), ("B", "C"): ("C", "A"), ("C", "A"): ("A", "B")}.get((a, b))) if further.get("lazy") else rule
    begun = time.monotonic()
    frame = time_trials(rule, [10**5], lambda n: {"A": n // 2, "B": n // 4, "C": n // 4}, condition, num_trials=50,
                        max_wallclock_time=1, seed=1, **further)
    assert time.monotonic() - begun < 6 and len(frame) == 0


def test_a_deadline_keeps_the_trials_that_were_made_before_it():
    def trials(seconds):
        return time_trials(MAJORITY, [3000], lambda n: {"A": n // 2 + 50, "B": n // 2 - 50}, num_trials=3000, max_wallclock_time=seconds, seed=5)

    some = trials(0.05)
    whole = trials(60)
    assert len(whole) == 3000 and len(some) < 3000
    assert some["time"].tolist() == whole["time"][: len(some)].tolist()


@pytest.mark.parametrize(
    "refused",
    [
        lambda: check(lambda a, b: (a + 1, b), [0], eventually="s0 >= 1"),
        lambda: check(lambda a, b: (a + b, b), [1, 2], eventually="s0 >= 1"),
        lambda: check(lambda a, b: (a + "x", b) if a == b else None, [""], eventually="s0 >= 1"),
        lambda: check(lambda a, b: (max(a, b) + 1, 0) if abs(a - b) == 1 else None, [0, 1], eventually="s0 >= 1"),
        lambda: Simulation({0: 10}, lambda a, b: (a + 1, b), "Gillespie"),
        lambda: Simulation({0: 10}, lambda a, b: (a + 1, b), lazy=False),
        lambda: acrasin.state_enumeration({0: 10}, lambda a, b: (a + 1, b)),
    ],
)
def test_a_rule_without_bounds_is_refused_at_once(refused):
    calls = time.monotonic()
    with pytest.raises(ValueError, match="states can be reached"):
        refused()
    assert time.monotonic() - calls < 10


def test_a_copy_has_a_history_of_its_own():
    for copied in (copy.copy, copy.deepcopy):
        sim = Simulation({A: 500, B: 500}, [A + B >> 2 * B], seed=1)
        sim.run(1, 0.5, timer=False)
        other = copied(sim)
        other.run(2, 0.5, timer=False)
        assert len(sim.times) == len(sim.configs) == 3 and len(other.times) == 7 and len(sim.history) == 3
        sim.run(2, 0.5, timer=False)
        assert sim.config_dict == other.config_dict and sim.interactions == other.interactions


def test_silent_is_true_or_false():
    sim = Simulation({"A": 5, "B": 4}, MAJORITY, seed=1)
    assert sim.silent is False and sim.simulator.silent is False
    sim.run(timer=False)
    assert sim.silent is True and sim.simulator.silent is True


# ---- Many runs ----


def test_means_and_deviations_of_trials_are_those_of_the_binomial_law():
    sim = Simulation({A: 100}, [(A >> B).k(1)], seed=1)
    frame = sim.repeat([0, 0.5, 1], reps=400)
    for at in (0.5, 1.0):
        p = math.exp(-at)
        deviation = math.sqrt(100 * p * (1 - p))
        assert abs(frame["mean"]["A"][at] - 100 * p) < 4 * deviation / 20
        assert abs(frame["deviation"]["A"][at] / deviation - 1) < 0.15
    assert frame["mean"]["A"][0] == 100 and frame["deviation"]["A"][0] == 0 and sim.time == 0
    runs = [Simulation({A: 100}, [(A >> B).k(1)], seed=1).repeat([0, 0.5], reps=20, threads=threads) for threads in (1, 2, 7)]
    assert all(run.equals(runs[0]) for run in runs)


EPIDEMIC = """(
    seed: 3,
    topology: Complete(nodes: 200),
    scheduler: UniformPairs,
    work: Interactions(protocol: OneWayEpidemic, initial: Counts({"I": 20, "S": 180})),
    stop: [Interactions(1000)],
    observe: (mean_field: true),
)"""


def test_a_sweep_has_the_rows_of_single_runs_on_any_number_of_threads():
    scenario = Scenario(ROOT / "examples/05_torus_majority.ron")
    over = {"topology.rows": [8, 10], "topology.columns": [8, 9]}
    rows = [sweep(scenario, over, reps=3, seed=3, frame="rows", threads=threads) for threads in (None, 1, 2, 5)]
    single = [acrasin.scenario.one_run(scenario, *run) for run in acrasin.scenario.runs_of(scenario, over, 3, 3)]
    assert all(one == single for one in rows) and len(single) == 12
    assert [row["topology.rows"] for row in single] == [8, 8, 10, 10] * 3


def test_repeated_runs_have_means_deviations_and_outcomes():
    rules = '(seed: 1, reactions: (species: ["A", "B"], rules: [("A -> B", 1.0)], initial: {"A": 100}), stop: [Time(1.0)])'
    runs = Scenario(rules).repeat(400)
    assert runs.outcomes == {"elapsed": 400} and len(runs) == len(runs.frame) == 400
    p = math.exp(-1)
    assert abs(runs.mean["states.A"] - 100 * p) < 1 and abs(runs.deviation["states.A"] / math.sqrt(100 * p * (1 - p)) - 1) < 0.15
    frame = runs.history([0, 0.5, 1])
    assert abs(frame["mean"]["A"][1.0] - 100 * p) < 2 and frame["mean"]["A"][0] == 100
    assert [run.digest for run in Scenario(rules).repeat(5, threads=1)] == [run.digest for run in runs[:5]]


def test_a_record_has_the_mean_field():
    rules = """(seed: 1, reactions: (species: ["A", "B"], rules: [("A -> B", 1.0)], initial: {"A": 1000}), stop: [Time(2.0)],
        observe: (counts_every: Time(0.5), mean_field: true))"""
    limit = Scenario(rules).run().mean_field
    assert np.allclose(limit["A"], 1000 * np.exp(-limit.index.to_numpy()), rtol=1e-5) and limit.index[-1] == 2
    assert Scenario(rules, set={"observe.mean_field": "false"}).run().mean_field is None


# ---- Errors ----


@pytest.mark.parametrize("seed", [-1, 2**64, 1.5, "1", True, [1]])
def test_a_seed_that_is_none_is_refused_everywhere(seed, tmp_path):
    scenario = Scenario("(seed: 1, topology: Ring(nodes: 5), scheduler: Sequential, work: Locks(each: 1))")
    for wrong in (
        lambda: scenario.run(seed),
        lambda: scenario.record(tmp_path / "r.jsonl", seed),
        lambda: scenario.view(seed),
        lambda: scenario.repeat(3, seed),
        lambda: sweep(scenario, {"topology.nodes": [5, 6]}, seed=seed),
        lambda: Simulation({"A": 5}, MAJORITY, seed=seed),
        lambda: time_trials(MAJORITY, [10], lambda n: {"A": n}, seed=seed),
    ):
        with pytest.raises((ValueError, TypeError), match="accepted"):
            wrong()
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize(
    "wrong",
    [
        lambda scenario: scenario.run(threads=-1),
        lambda scenario: scenario.run(threads=0),
        lambda scenario: scenario.run(threads="2"),
        lambda scenario: scenario.view(every=-1),
        lambda scenario: scenario.view(every=0),
        lambda scenario: scenario.repeat(0),
        lambda scenario: scenario.repeat(-1),
        lambda scenario: scenario.repeat(2, threads=0),
        lambda scenario: sweep(scenario, {"topology.nodes": [5]}, threads=-3),
        lambda scenario: sweep(scenario, {"topology.nodes": [5]}, frame="table"),
        lambda scenario: Scenario("(seed: 1)", memory=-1),
        lambda scenario: time_trials(MAJORITY, [10], lambda n: {"A": n}, convergence_condition=3),
        lambda scenario: time_trials(MAJORITY, [10], lambda n: {"A": n}, convergence_condition=[1]),
        lambda scenario: time_trials(MAJORITY, [10], lambda n: {"A": n}, num_trials=-1),
        lambda scenario: time_trials(MAJORITY, [10], lambda n: {"A": n}, max_wallclock_time="long"),
        lambda scenario: time_trials([], [10], lambda n: {"A": n}),
        lambda scenario: Simulation({"A": 5}, []),
        lambda scenario: check([], ["A"], "A >= 1"),
        lambda scenario: check(MAJORITY, ["A"], "A >= 1", memory=-1),
        lambda scenario: check(MAJORITY, ["A"], "A >= 1", up_to=2**40),
        lambda scenario: Simulation({"A": 5}, MAJORITY, seed=1).run(1, history_interval="often", timer=False),
        lambda scenario: Simulation({"A": 5}, MAJORITY, seed=1).run(1, stopping_interval=None, timer=False),
        lambda scenario: Simulation({"A": 5}, MAJORITY, seed=1).repeat([1, 0]),
        lambda scenario: StatePlotter(sort_by="size"),
    ],
)
def test_what_is_wrong_raises_value_or_type_errors(wrong):
    scenario = Scenario("(seed: 1, topology: Ring(nodes: 5), scheduler: Sequential, work: Locks(each: 1))")
    with pytest.raises((ValueError, TypeError), match="accepted"):
        wrong(scenario)


def test_a_check_takes_reactions():
    assert check([A + B >> 2 * B], [A, B], eventually="A = 0", given="B >= 1", up_to=5)
    assert check([(A >> B).k(2)], [A], eventually="B >= 2", up_to=4)
    assert not check([A + B >> 2 * B], [A, B], eventually="A = 0", up_to=4)


# ---- Plots ----


def axes():
    matplotlib = pytest.importorskip("matplotlib")
    matplotlib.use("Agg")
    import matplotlib.pyplot as plt

    return plt.subplots()[1]


@pytest.mark.parametrize("scale", ["linear", "log", "symlog"])
def test_the_bar_of_one_agent_is_seen_on_every_scale_that_can_show_it(scale):
    ax = axes()
    sim = Simulation({"A": 99_990, "B": 9, "U": 1}, MAJORITY, seed=1)
    sim.add_snapshot(StatePlotter(yscale=scale, ax=ax))
    assert [bar.get_height() for bar in ax.patches] == [99_990, 9, 1]
    low, high = ax.get_ylim()
    assert high >= 99_990 and (low < 1 or scale == "linear")
    pixels = [abs(np.diff(ax.transData.transform([(0, max(low, 1e-9)), (0, height)])[:, 1])[0]) for height in (99_990, 9, 1)]
    assert all(pixel >= (0 if scale == "linear" else 5) for pixel in pixels) and pixels[0] > pixels[1]


def test_bars_are_sorted_by_counts_where_that_is_asked_for():
    ax = axes()
    sim = Simulation({"A": 1, "B": 9, "U": 5}, MAJORITY, seed=1)
    sim.add_snapshot(StatePlotter(sort_by="counts", ax=ax))
    assert [label.get_text() for label in ax.get_xticklabels()] == ["B", "U", "A"]
    assert [bar.get_height() for bar in ax.patches] == [9, 5, 1]


def test_lines_over_time_are_in_the_units_of_the_run():
    ax = axes()
    sim = Simulation({A: 50, B: 50}, [A + B >> 2 * B], seed=1, time_units="hours")
    sim.add_snapshot(HistoryPlotter(ax=ax))
    sim.run(8, 0.5, timer=False)
    assert ax.get_xlabel() == "time (hours)"
    assert ax.lines[0].get_xdata().tolist() == sim.times and sim.times[-1] == 8
    assert sim.plot(axes()).get_xlabel() == "time (hours)"
