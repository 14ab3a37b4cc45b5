"""Tests of scenarios: digests of the command, sweeps locally and on Dask, pages, amoebots."""

import csv
import os
import pathlib
import pickle
import shutil
import subprocess

import numpy as np
import pytest

import acrasin
from acrasin import Amoebots, Scenario, Simulation, ring, sweep

ROOT = pathlib.Path(__file__).resolve().parents[2]
EXAMPLES = ["05_torus_majority", "06_published_deadlock", "07_contention_ring_30", "15_uniform_pairs"]


def command():
    """The command `acrasin`: from the variable ACRASIN, the PATH, or the build folder."""
    for found in (os.environ.get("ACRASIN"), shutil.which("acrasin"), ROOT / "target/release/acrasin"):
        if found and pathlib.Path(found).is_file():
            return str(found)
    pytest.skip("no command: cargo build --release, or ACRASIN=path")


@pytest.mark.parametrize("name", EXAMPLES)
def test_the_digest_is_that_of_the_command(name):
    path = ROOT / "examples" / f"{name}.ron"
    said = subprocess.run([command(), "run", path, "--seed", "7", "--format", "jsonl"], capture_output=True, text=True)
    record = Scenario(path).run(7, threads=1)
    assert record.digest and f'"{record.digest}"' in said.stdout
    assert record.exit == said.returncode
    assert Scenario(path).run(8, threads=1)["work"] != record["work"]


CIRCUITS = """(seed: 5, amoebots: (algorithm: CircuitElection(repetitions: 20), start: Line(count: 30)))"""
RHOMBUS = """(seed: 1, amoebots: (algorithm: LineToRhombus, start: Line(count: 64)))"""


def test_circuits_and_joint_movements_run_from_scenarios():
    record = Scenario(CIRCUITS).run(threads=1)
    assert record.exit == 0 and record["result"]["leaders"] == record["states"]["candidate"] == 1
    assert record["result"]["right"] is True
    # Threads do not change a run; a seed does.
    assert Scenario(CIRCUITS).run(threads=2).digest == record.digest
    assert Scenario(CIRCUITS).run(6, threads=1).digest != record.digest
    folded = Scenario(RHOMBUS).run()
    assert (folded["work"]["rounds"], folded["work"]["movements"]) == (14, 9)


def test_a_simulation_is_the_run_of_a_scenario():
    rule = {("A", "B"): ("U", "U"), ("A", "U"): ("A", "A"), ("B", "U"): ("B", "B")}
    text = """(
        seed: 12,
        topology: Complete(nodes: 1000),
        scheduler: UniformPairs,
        work: Interactions(
            protocol: Table(
                states: ["A", "B", "U"],
                rules: [Symmetric("A + B -> U + U"), Symmetric("A + U -> A + A"), Symmetric("B + U -> B + B")],
                default: Null,
            ),
            initial: Counts({"A": 600, "B": 400}),
        ),
        stop: [Silent],
    )"""
    record = Scenario(text).run()
    sim = Simulation({"A": 600, "B": 400}, rule, seed=12)
    sim.run(timer=False)
    assert record["work"]["interactions"] == sim.interactions
    assert record["states"]["A"] == sim.config_dict.get("A", 0)


def test_a_sweep_has_the_rows_of_the_command(tmp_path):
    pytest.importorskip("pandas")
    path = ROOT / "examples/05_torus_majority.ron"
    rows = sweep(path, {"topology.rows": [10, 12]}, reps=2, seed=3, frame="rows")
    target = tmp_path / "rows.csv"
    subprocess.run(
        [command(), "sweep", path, "--over", "topology.rows=[10, 12]", "--reps", "2", "--seed", "3", "-o", target],
        check=True, capture_output=True,
    )
    with target.open() as file:
        written = list(csv.DictReader(file))
    digests = [row["digest.configuration"] for row in rows]
    column = next(name for name in written[0] if name.endswith("digest.configuration") or name == "digest")
    assert digests == [row[column] for row in written] and len(set(digests)) == 4
    frame = sweep(path, {"topology.rows": [10]}, reps=2, seed=3)
    assert list(frame["digest.configuration"]) == digests[::2]


def test_a_sweep_on_two_processes_of_dask_has_the_same_rows():
    distributed = pytest.importorskip("distributed")
    import acrasin.dask

    scenario = Scenario(ROOT / "examples/05_torus_majority.ron")
    over = {"topology.rows": [8, 10, 12]}
    here = sweep(scenario, over, reps=2, seed=3, frame="rows")
    cluster = distributed.LocalCluster(
        n_workers=2, threads_per_worker=1, processes=True, dashboard_address=None, silence_logs=50
    )
    with cluster, distributed.Client(cluster) as client:
        there = acrasin.dask.sweep(scenario, over, reps=2, seed=3, frame="rows", client=client)
        places = set(client.gather(client.map(lambda _: os.getpid(), range(20), pure=False)))
    assert there == here
    assert os.getpid() not in places and len(places) == 2


def test_a_scenario_is_copied():
    scenario = Scenario(ROOT / "examples/05_torus_majority.ron", set={"topology.rows": 7})
    assert pickle.loads(pickle.dumps(scenario)).run(1).digest == scenario.run(1).digest


LOCKED = """(
    seed: 3,
    topology: {topology},
    scheduler: Sequential,
    work: Interactions(protocol: Library(name: "approximate-majority"), initial: Counts({{"A": 40, "B": 20}})),
    stop: [OutputsAgree],
)"""


def test_graphs_and_traces_of_other_packages_run_under_locks(tmp_path):
    networkx = pytest.importorskip("networkx")
    pandas = pytest.importorskip("pandas")
    graph = networkx.random_regular_graph(4, 60, seed=1)
    text = LOCKED.format(topology='File(path: "met.graph")')
    given = Scenario(text, files={"met.graph": graph})
    record = given.run()
    assert record.outcome == "agreed" and record.digest == pickle.loads(pickle.dumps(given)).run().digest
    # Files in a folder give the digest of files passed as text.
    (tmp_path / "met.graph").write_text(acrasin.scenario.file_text("met.graph", graph))
    assert Scenario(text, base=tmp_path).run().digest == record.digest
    rng = np.random.default_rng(1)
    rows = [(t, *sorted(rng.choice(60, 2, replace=False))) for t in range(400) for _ in range(20)]
    frame = pandas.DataFrame(rows, columns=["t", "i", "j"]).drop_duplicates()
    traced = Scenario(LOCKED.format(topology='Contacts(path: "met.txt", format: Instants(resolution: 1), rounds_per_step: 4)'), files={"met.txt": frame})
    assert traced.run().exit == 0
    for name, value in [("a/b", "x"), ("met.txt", frame.astype(float)), ("met.txt", 7)]:
        with pytest.raises((ValueError, TypeError), match="accepted"):
            Scenario(text, files={name: value})


def test_amoebots_form_a_hexagon():
    amoebots = Amoebots("Hexagon", ("Blob", {"count": 37}), seed=5)
    record = amoebots.run()
    rows = record.positions()
    assert rows.shape == (37, 4) and np.array_equal(rows[:, :2], rows[:, 2:])
    # A hexagon of side 4: every cell is at most 3 from the middle one.
    x, y = (rows[:, :2] - rows[:, :2].mean(axis=0).round().astype(int)).T
    assert max(np.maximum.reduce([abs(x), abs(y), abs(x + y)])) == 3
    assert record.picture().startswith("<svg") and record.moments == ["start", "end"]
    cells = record.positions("start")[:, :2]
    again = Amoebots("Hexagon", cells.astype(int), seed=5).run()
    assert len(again.positions()) == 37
    matplotlib = pytest.importorskip("matplotlib")
    matplotlib.use("Agg")
    axes = Amoebots.plot(record)
    assert len(axes.collections[0].get_offsets()) == 37


def test_a_page_is_shown_and_written(tmp_path):
    view = Amoebots("Hexagon", "Line(count: 7)").view()
    assert "Content-Security-Policy" in view.html
    shown = view._repr_html_()
    assert shown.startswith("<iframe") and "<script" not in shown
    assert view.save(tmp_path / "run.html").read_text() == view.html
    with pytest.raises(ValueError, match="accepted"):
        Scenario(ROOT / "examples/catalogue/fratricide.ron").view(every=0)
    # A page is written by `save`; its path is not a seed.
    for path in ["run.html", tmp_path / "run.html"]:
        with pytest.raises(TypeError, match=r"view\(\)\.save\('.*run\.html'\) writes the page"):
            Scenario(ROOT / "examples/catalogue/fratricide.ron").view(path)
