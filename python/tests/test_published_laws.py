"""Tests that protocols and reactions like those of ppsim's documentation have the law of the exact chain, and that
biased ones do not.

``tools/ppsim_laws.py`` does the same with ppsim's own notebooks, and compares with ppsim, if both are available.
"""

import math
import pathlib
import shutil
import subprocess
import sys
import tarfile

import pytest

TOOLS = pathlib.Path(__file__).resolve().parents[1] / "tools"
sys.path.insert(0, str(TOOLS))

import ppsim_laws as laws  # noqa: E402

from acrasin import Simulation, species  # noqa: E402

SAMPLES = 4000
MAJORITY = {("A", "B"): ("U", "U"), ("A", "U"): ("A", "A"), ("B", "U"): ("B", "B")}
EXACT = {("A", "B"): ("a", "b"), ("A", "b"): ("A", "a"), ("B", "a"): ("B", "b")}
GAME = {("R", "S"): ("R", "R"), ("P", "R"): ("P", "P"), ("S", "P"): ("S", "S")}
SOURCE = {("x", one): {("x", other): 1 / 3 for other in "RPS"} for one in "RPS"}
A, B, C, D = species("A B C D")


def unequal(rock, paper=0.6, scissors=0.3):
    return {pair: {out: chance} for (pair, out), chance in zip(GAME.items(), (rock, paper, scissors))}


def averaging(a, b):
    return (a + b) // 2, -(-(a + b) // 2)


def clock(a, b, last, drip):
    if a == b < last:
        return {(a + 1, b): drip}
    return max(a, b), max(a, b)


def oscillator(a, b, p):
    """A one-way rule: of two of one kind the second becomes aggressive; prey of the first is eaten with some chance;
    otherwise it becomes lazy."""
    if a == "x" or b == "x":
        return None if b == "x" else {(a, f"{kind}+"): 1 / 3 for kind in range(3)}
    if a[0] == b[0]:
        return a, b[0] + "++"
    if int(b[0]) == (int(a[0]) + 1) % 3:
        return a, b[0] + "+"
    p = 2 * p if a.endswith("++") else p
    return {(a, a[0] + "+"): p, (a, b[0] + "+"): 1 - p}


CASES = {
    "majority": ({"A": 4, "B": 3}, MAJORITY, {}, 5),
    "majority, asymmetric": ({"A": 4, "B": 3}, MAJORITY, {"transition_order": "asymmetric"}, 6),
    "four states": ({"A": 4, "B": 3}, EXACT, {}, 3),
    "averaging": ({0: 3, 5: 3}, averaging, {}, 5),
    "clock": ({0: 6}, clock, {"last": 4, "drip": 0.3}, 6),
    "game": ({"R": 2, "P": 2, "S": 3}, GAME, {}, 4),
    "unequal game": ({"R": 2, "P": 2, "S": 3}, unequal(0.9), {}, 4),
    "game with a source": ({"x": 1, "R": 5}, GAME | SOURCE, {}, 4),
    "oscillator": ({"x": 1, "0+": 3, "1+": 2}, oscillator, {"p": 0.3}, 4),
    "fratricide": ({"L": 7}, {("L", "L"): ("L", "F")}, {}, 4),
    "reversible reactions": ({A: 4, B: 3}, [(A + B | 2 * C).k(0.5).r(4), (C >> D).k(5)], {}, 0.4),
    "a chain of single molecules": ({A: 6}, [A >> B, (B >> C).k(2)], {}, 0.5),
    "a chain of pairs": ({A: 7}, [2 * A >> 2 * B, 2 * B >> 2 * C], {}, 0.6),
}


def sampled(start, rule, further, amount):
    sim = Simulation(start, rule, seed=2026, **further)
    time = amount if isinstance(amount, float) else amount / sim.n
    seen = {}
    for _ in range(SAMPLES):
        sim.reset()
        sim.run(time, history_interval=math.inf, timer=False)
        name = laws.key(sim.config_dict)
        seen[name] = seen.get(name, 0) + 1
    return seen


def exact(start, rule, further, amount, more=0):
    config = tuple(sorted(start.items(), key=lambda one: laws.shown(one[0])))
    if isinstance(amount, float):
        return laws.time_law(rule, config, amount * (1.25 if more else 1))
    return laws.steps_law(laws.pair_law(rule, dict(further)), config, amount + more)


@pytest.mark.parametrize("name", CASES)
def test_the_law_is_exact_and_another_one_is_refused(name):
    pytest.importorskip("scipy")
    start, rule, further, amount = CASES[name]
    seen = sampled(start, rule, further, amount)
    assert laws.chance(exact(start, rule, further, amount), seen)[0] > laws.FAMILY / len(CASES)
    assert laws.chance(exact(start, rule, further, amount, more=1), seen)[0] < laws.FAMILY / len(CASES)


def test_a_chance_that_is_a_tenth_too_small_is_refused():
    start, rule, further, amount = CASES["clock"]
    biased = sampled(start, rule, {"last": 4, "drip": 0.27}, amount)
    assert laws.chance(exact(start, rule, further, amount), biased)[0] < laws.FAMILY
    assert laws.chance(exact(start, rule, {"last": 4, "drip": 0.27}, amount), biased)[0] > laws.FAMILY


def test_the_tool_skips_loudly_what_is_not_there(tmp_path):
    if shutil.which("python3") is None:
        pytest.skip("no python3")
    archive = tmp_path / "ppsim-0.tar.gz"
    (tmp_path / "ppsim-0").mkdir()
    with tarfile.open(archive, "w:gz") as tar:
        tar.add(tmp_path / "ppsim-0", arcname="ppsim-0")
    done = subprocess.run(
        [sys.executable, TOOLS / "ppsim_laws.py", archive, "--peer", "ppsim 0.1.6=/nowhere"], capture_output=True, text=True
    )
    assert "SKIPPED: ppsim 0.1.6: there is no ppsim at /nowhere" in done.stderr
    # An archive without notebooks is a failure.
    assert done.returncode != 0
