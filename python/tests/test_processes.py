"""Tests that work continued in other processes gives the same results."""

import multiprocessing
import os
import pathlib

import pytest

from acrasin import Amoebots, Scenario, Simulation, ring, sweep

ROOT = pathlib.Path(__file__).resolve().parents[2]
MAJORITY = {("A", "B"): ("U", "U"), ("A", "U"): ("A", "A"), ("B", "U"): ("B", "B")}


def begun(kind):
    """Work in progress, of each kind that can be continued in another process."""
    if kind == "lazy":
        sim = Simulation({1: 900, 2: 100}, lambda a, b: (max(a, b), max(a, b)), seed=5, lazy=True)
    elif kind == "graph":
        sim = Simulation({"A": 600, "B": 400}, MAJORITY, graph=ring(1000), seed=5)
    else:
        sim = Simulation({"A": 51_000, "B": 49_000}, MAJORITY, seed=5)
    sim.run(3, timer=False)
    return sim


def carried_on(sim):
    sim.run(4, timer=False)
    return os.getpid(), sim.config_dict, list(sim.times)


def digest(scenario):
    return os.getpid(), scenario.run(threads=1).digest


def amoebots(seed):
    return os.getpid(), Amoebots("Hexagon", ("Blob", {"count": 40}), seed=seed).run().positions().tolist()


@pytest.mark.parametrize("method", ["spawn", "forkserver"])
def test_what_has_begun_goes_on_in_another_process(method):
    with multiprocessing.get_context(method).Pool(2) as pool:
        # A function in a rule is pickled by name, which a lambda does not have.
        there = pool.map(carried_on, [begun("counts"), begun("graph")])
        elsewhere = pool.map(amoebots, [1, 2, 3])
        [(place, there_digest)] = pool.map(digest, [Scenario(ROOT / "examples/05_torus_majority.ron")])
    for kind, (pid, counts, times) in zip(("counts", "graph"), there):
        assert pid != os.getpid()
        assert (counts, times) == carried_on(begun(kind))[1:]
    assert [places for _, places in elsewhere] == [amoebots(seed)[1] for seed in (1, 2, 3)]
    assert place != os.getpid() and there_digest == digest(Scenario(ROOT / "examples/05_torus_majority.ron"))[1]


def test_joblib_carries_runs_and_functions():
    joblib = pytest.importorskip("joblib")
    # Dask uses cloudpickle, which also pickles functions without a name.
    there = joblib.Parallel(n_jobs=2)(joblib.delayed(carried_on)(begun(kind)) for kind in ("counts", "lazy", "graph"))
    assert os.getpid() not in {pid for pid, _, _ in there}
    for kind, (_, counts, times) in zip(("counts", "lazy", "graph"), there):
        assert (counts, times) == carried_on(begun(kind))[1:]


def test_a_sweep_is_the_same_frame_in_pandas_and_polars():
    pandas, polars = pytest.importorskip("pandas"), pytest.importorskip("polars")
    scenario = Scenario(ROOT / "examples/05_torus_majority.ron")
    made = [sweep(scenario, {"topology.rows": [8, 10]}, reps=2, seed=3, frame=kind) for kind in ("pandas", "polars", "rows")]
    assert isinstance(made[0], pandas.DataFrame) and isinstance(made[1], polars.DataFrame)
    assert made[1].rows(named=True) == made[2] == made[0].to_dict("records")
    assert len(made[2]) == 4 and made[1]["topology.rows"].to_list() == [8, 10, 8, 10] and made[0]["topology.rows"].dtype.kind == "i"
