"""Tests that Ctrl-C ends every long call and leaves it usable, and that no loop holds the interpreter's lock."""

import os
import signal
import subprocess
import sys
import threading
import time

import pytest

from acrasin import Simulation

# Tests are not timed: this limit only shows that stopped calls end. Measured times are in benches/results/python.md.
LIMIT = 30

#: Calls that never end by themselves, as texts that another process can run.
LONG = {
    "MultiBatch": "Simulation({'A': 2**40, 'B': 2**40}, SWAP, seed=1).run(1e6, history_interval=1e9, timer=False)",
    "Sequential": "Simulation({'A': 500, 'B': 500}, SWAP, 'Sequential', seed=1).run(1e9, history_interval=1e9, timer=False)",
    "Gillespie": "Simulation({'A': 500, 'B': 500}, SWAP, 'Gillespie', seed=1).run(1e9, history_interval=1e9, timer=False)",
    "until silence": "Simulation({'A': 500, 'B': 500}, SWAP, seed=1).run(timer=False, history_interval=1e9)",
    "until a predicate": "Simulation({'A': 500, 'B': 500}, SWAP, seed=1).run('A < 0', timer=False, history_interval=1e9)",
    "a graph": "Simulation({'A': 500, 'B': 500}, SWAP, graph=ring(1000), seed=1).run(1e9, history_interval=1e9, timer=False)",
    "lazy": "Simulation({'A': 500, 'B': 500}, SWAP, lazy=True, seed=1).run(1e9, history_interval=1e9, timer=False)",
    "time_trials": "time_trials(SWAP, [1000], lambda n: {'A': n // 2, 'B': n // 2}, num_trials=3, seed=1)",
    "check": "check(MANY, ['q0', 'q1', 'q2'], 'q0 >= 0', outputs=lambda state: 'yes', up_to=12, memory=2**31)",
    "check of every size": "check(FLOCK, [0, 1], \"'1' >= 150\", outputs=lambda size: 'yes' if size == 150 else 'no', sizes='all')",
    "Scenario.run": "Scenario(LOCKS).run()",
    "Amoebots.run": "Amoebots('Hexagon', 'Blob(count: 20000)', seed=1).run()",
    "Scenario.view": "Scenario(LOCKS).view(every=1000000)",
    "sweep": "sweep(Scenario(LOCKS), {'topology.nodes': [30, 40]}, frame='rows')",
}
SETTING = """
import signal, sys, threading, time
from acrasin import *
SWAP = {("A", "B"): ("B", "B"), ("B", "B"): ("A", "B"), ("A", "A"): ("A", "B")}
MANY = {(f"q{a}", f"q{b}"): (f"q{(a * 7 + b + 1) % 40}", f"q{(b * 3 + a) % 40}") for a in range(40) for b in range(40)}
FLOCK = {(a, b): (150, 150) if a + b >= 150 else (0, a + b) for a in range(151) for b in range(151)}
LOCKS = "(seed: 1, topology: Ring(nodes: 30), scheduler: Sequential, work: Locks(each: Forever), stop: [Locks(4000000000)])"
"""


def started(script):
    environment = {**os.environ, "PYTHONUNBUFFERED": "1"}
    return subprocess.Popen([sys.executable, "-c", SETTING + script], stdout=subprocess.PIPE, text=True, env=environment)


@pytest.mark.skipif(sys.platform == "win32", reason="signals of POSIX")
@pytest.mark.parametrize("name", LONG)
def test_ctrl_c_ends_it(name):
    child = started(
        f"print('ready')\ntry:\n    {LONG[name]}\nexcept KeyboardInterrupt:\n    print(time.time())\n"
        "sim = Simulation({'A': 30, 'B': 30}, SWAP, seed=1)\nsim.run(5, timer=False)\nprint(sim.interactions)\n"
    )
    assert child.stdout.readline() == "ready\n"
    time.sleep(0.7)
    sent = time.time()
    child.send_signal(signal.SIGINT)
    told = child.stdout.readline()
    assert told, "it was over before it was stopped, or it has failed"
    took = float(told) - sent
    print(f"{name}: stopped after {1000 * took:.0f} ms")
    assert took < LIMIT
    assert child.stdout.readline() == "300\n"
    assert child.wait() == 0


# Each run takes seconds, so that a signal after a fifth of a second interrupts it, even on a machine ten times as fast.
GONE_ON = """
def started():
    return Simulation({'A': 50000, 'B': 50000}, SWAP, 'Sequential', seed=3, **FURTHER)
def until(sim, time):
    stops = 0
    while sim.time < time:
        try:
            sim.run(time - sim.time, history_interval=1e9, timer=False)
        except KeyboardInterrupt:
            stops += 1
            assert 0 < sim.interactions < 100000 * time and sum(sim.config_dict.values()) == 100000
    return stops
stopped = started()
print('ready')
stops = until(stopped, TIME)
whole = started()
whole.run(TIME, history_interval=1e9, timer=False)
print(stops, stopped.interactions == whole.interactions == 100000 * TIME, stopped.config_dict == whole.config_dict)
"""


@pytest.mark.skipif(sys.platform == "win32", reason="signals of POSIX")
@pytest.mark.parametrize("further, length", [("graph=None", 10000), ("graph=ring(100000)", 10000), ("lazy=True", 2000)])
def test_a_run_that_was_stopped_comes_to_where_it_would_have_come(further, length):
    child = started(f"TIME, FURTHER = {length}, dict({further})" + GONE_ON)
    assert child.stdout.readline() == "ready\n"
    time.sleep(0.2)
    child.send_signal(signal.SIGINT)
    assert child.stdout.readline() == "1 True True\n"
    assert child.wait() == 0


def ticks_during(work):
    """The number of times that another thread runs during a call, and the duration of the call."""
    ticks, ended = [0], threading.Event()

    def tick():
        while not ended.is_set():
            ticks[0] += 1
            time.sleep(0.002)

    thread = threading.Thread(target=tick)
    thread.start()
    while ticks[0] == 0:
        time.sleep(0.001)
    before = ticks[0]
    work()
    after = ticks[0]
    ended.set()
    thread.join()
    return after - before


SWAP = {("A", "B"): ("B", "B"), ("B", "B"): ("A", "B"), ("A", "A"): ("A", "B")}


@pytest.mark.parametrize("further", [{}, {"simulator_method": "Sequential"}, {"lazy": True}])
def test_another_thread_goes_on_while_a_run_does(further):
    def run():
        Simulation({"A": 500, "B": 500}, SWAP, seed=1, **further).run(10_000, history_interval=1e9, timer=False)

    # Repeat until the other thread has run ten times: only that it runs matters, not how often.
    assert any(ticks_during(run) >= 5 for _ in range(20))
    # A call that holds the lock fails this test.
    assert not any(ticks_during(lambda: sum(range(10_000_000))) >= 5 for _ in range(3))
