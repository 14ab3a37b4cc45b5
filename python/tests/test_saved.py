"""Simulations that are saved to a file and continued."""

import json
import shutil
import struct
import subprocess
import sys
import textwrap

import pytest
from test_scenarios import command

import acrasin
from acrasin import Simulation, species

MAJORITY = {("A", "B"): ("U", "U"), ("A", "U"): ("A", "A"), ("B", "U"): ("B", "B")}


def tokens(a, b):
    """A rule with many states."""
    return (a + b, 0) if a and b else (b, a)


def simulations():
    a, b, u = species("A B U")
    yield "counts", Simulation({"A": 5100, "B": 4900}, MAJORITY, seed=1)
    yield "one by one", Simulation({"A": 51, "B": 49}, MAJORITY, "Sequential", seed=1)
    yield "a graph", Simulation({"A": 510, "B": 490}, MAJORITY, seed=1, graph=acrasin.ring(1000))
    yield "a torus", Simulation({"A": 510, "B": 490}, MAJORITY, seed=1, graph=acrasin.torus(20, 50))
    yield "a directed graph", Simulation({"A": 5, "B": 4}, MAJORITY, seed=1, graph=[(i, i + 1) for i in range(8)], directed=True)
    yield "reactions", Simulation({a: 510, b: 490}, [a + b >> 2 * u, a + u >> 2 * a, b + u >> 2 * b], seed=1)
    yield "a vessel", Simulation({a: 510, b: 490}, [a + b >> 2 * u, u >> a], "crn", seed=1)
    yield "discovered states", Simulation({1: 60, 2: 40}, tokens, seed=1, lazy=True)


def parts_of(path):
    """The parts of a checkpoint, read as the reference of files describes."""
    data = path.read_bytes()
    assert data[:8] == b"ACRASIN\x1a"
    count, at = struct.unpack_from("<I", data, 12)[0], 36
    lengths = []
    for _ in range(count):
        length = data[at]
        name = data[at + 1 : at + 1 + length].decode()
        lengths.append((name, struct.unpack_from("<Q", data, at + 1 + length)[0]))
        at += 1 + length + 16
    at += 8
    parts = {}
    for name, length in lengths:
        parts[name] = data[at : at + length]
        at += length
    assert at == len(data)
    return parts


@pytest.mark.parametrize("which", range(8))
def test_a_restored_simulation_goes_on_as_if_nothing_had_been(tmp_path, which):
    name, sim = list(simulations())[which]
    undisturbed = list(simulations())[which][1]
    for one in (sim, undisturbed):
        one.run(2, timer=False)
    path = tmp_path / "sim.checkpoint"
    sim.save(path)
    restored = Simulation.restore(path)
    for one in (restored, undisturbed):
        one.run(3, timer=False)
    assert restored.config_dict == undisturbed.config_dict, name
    assert restored.times == undisturbed.times and restored.interactions == undisturbed.interactions
    assert [list(row) for row in restored.configs] == [list(row) for row in undisturbed.configs]


def test_a_simulation_is_continued_by_another_process(tmp_path):
    sim = Simulation({"A": 5100, "B": 4900}, MAJORITY, seed=7)
    sim.run(1, timer=False)
    sim.save(tmp_path / "c")
    script = """
        import json, sys
        from acrasin import Simulation
        sim = Simulation.restore(sys.argv[1])
        sim.run(timer=False)
        print(json.dumps([sim.config_dict, sim.interactions]))
    """
    code = textwrap.dedent(script)
    done = subprocess.run([sys.executable, "-c", code, str(tmp_path / "c")], capture_output=True, text=True, check=True)
    sim.run(timer=False)
    assert json.loads(done.stdout) == [sim.config_dict, sim.interactions]


def test_damage_leads_to_the_checkpoint_before(tmp_path):
    path = tmp_path / "c"
    sim = Simulation({"A": 60, "B": 40}, MAJORITY, seed=3)
    sim.save(path)
    sim.run(1, timer=False)
    sim.save(path)
    sound = path.read_bytes()
    for damaged in (sound[:-1], sound[:50] + bytes([sound[50] ^ 1]) + sound[51:], b"notes"):
        path.write_bytes(damaged)
        with pytest.warns(RuntimeWarning, match="c.previous is used instead"):
            assert Simulation.restore(path).interactions == 0
    (tmp_path / "c.previous").unlink()
    with pytest.raises(ValueError, match="cannot be used: it is not a checkpoint of acrasin"):
        Simulation.restore(path)
    with pytest.raises(OSError, match="is not a checkpoint, and is not replaced"):
        sim.save(path)
    assert path.read_bytes() == b"notes"
    with pytest.raises(ValueError, match="it does not exist"):
        Simulation.restore(tmp_path / "missing")


def test_the_bytes_of_agents_are_those_of_the_command(tmp_path):
    for name, graph in (("counts", None), ("graph", acrasin.ring(1000))):
        sim = Simulation({"A": 510, "B": 490}, MAJORITY, seed=1, graph=graph)
        scenario = sim.scenario().save(tmp_path / f"{name}.ron")
        saved = tmp_path / f"{name}.checkpoint"
        flags = ["--seed", "1", "--checkpoint", str(saved), "--max-time", "0s", "-q"]
        ended = subprocess.run([command(), "run", str(scenario), *flags], capture_output=True)
        assert ended.returncode == 3, ended.stderr
        sim.save(tmp_path / "sim")
        # The first checkpoint is that of the start.
        start = tmp_path / f"{name}.checkpoint.previous"
        assert parts_of(tmp_path / "sim")["process"] == parts_of(start)["process"], name
        # A checkpoint of the command has no Python simulation.
        shutil.copy(saved, tmp_path / "copy")
        with pytest.raises(ValueError, match="a checkpoint without a simulation"):
            Simulation.restore(tmp_path / "copy")
