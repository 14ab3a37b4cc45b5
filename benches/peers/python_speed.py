#!/usr/bin/env python3
"""The same runs by the command and through Python, in turn.

    cargo build --release -p acrasin-cli && pip install ./python
    python3 benches/peers/python_speed.py [ROUNDS]        # 9 rounds if it is not said

Of the command the whole process is timed; scenarios run on one thread on both sides, tables and trials on all of them, as a
Simulation has no other way. Of Python what a person calls, in an interpreter that is there: reading the
scenario or the rule, and the run. Wall-clock time: a quiet machine is needed. Before anything is timed, both say what they come to, which must be
equal: the digest of a scenario; of a table, whose states need not be numbered alike, so that other draws are made, only how many agents
there are. Prints a table, of minimum and median; exit code 1 if Python takes over 5 % more by the minimum.
"""

import json
import pathlib
import statistics
import subprocess
import sys
import tempfile
import time

import acrasin
from peers import MAJORITY, ROOT, rules, scenario, start

COMMAND = ROOT / "target" / "release" / "acrasin"
RING = "examples/07_contention_ring_30.ron"


def command(*arguments):
    done = subprocess.run([COMMAND, *arguments, "--format", "jsonl"], capture_output=True, text=True, cwd=ROOT)
    if not done.stdout:
        raise SystemExit(done.stderr)
    return done.stdout.splitlines()


def of_scenario(path, threads=1, **changed):
    """A scenario with values set: as the command runs it, and as Python does; both say the digest."""
    given = [part for name, value in changed.items() for part in ("--set", f"{name.replace('__', '.')}={value}")]

    def by_command():
        return json.loads(command("run", path, "--threads", str(threads), *given)[-1])["digest"]["configuration"]

    def by_python():
        values = {name.replace("__", "."): value for name, value in changed.items()}
        return acrasin.Scenario(ROOT / path, set=values).run(threads=threads).digest

    return by_command, by_python


def of_table(states, agents, interactions, folder):
    """A table of transitions; both say how many agents there are at the end."""
    names, table, order = rules(None, states)
    path = pathlib.Path(folder) / f"{states}-{agents}.ron"
    path.write_text(scenario(states, agents, interactions))

    def by_command():
        record = json.loads(command("run", str(path))[-1])
        return sum(record["states"].values())

    def by_python():
        sim = acrasin.Simulation(start(names, agents), table, transition_order=order, seed=1)
        sim.run(interactions / agents, history_interval=interactions / agents, timer=False)
        return sum(sim.config_dict.values())

    return by_command, by_python


def of_trials(number):
    """Many short runs; both say how many there were."""
    example = "examples/15_uniform_pairs.ron"

    def by_command():
        lines = command("run", example, "--set", "topology.nodes=1000", "--reps", str(number))
        return number if lines else 0

    def by_python():
        return len(acrasin.time_trials(MAJORITY, [1000], lambda n: {"A": 510, "B": 490}, num_trials=number, seed=1))

    return by_command, by_python


def main():
    rounds = int(sys.argv[1]) if len(sys.argv) > 1 else 9
    with tempfile.TemporaryDirectory() as folder:
        jobs = {
            "rock-paper-scissors, n = 10^6, 4 * 10^8 interactions": of_table(3, 10**6, 4 * 10**8, folder),
            "rock-paper-scissors, n = 10^8, 3 * 10^9 interactions": of_table(3, 10**8, 3 * 10**9, folder),
            "random table of 128 states, n = 10^6, 6 * 10^7 interactions": of_table(128, 10**6, 6 * 10**7, folder),
            "20000 locks on a ring of 30": of_scenario(RING, stop="[Locks(20_000)]"),
            "majority on a torus of 30 * 30": of_scenario("examples/05_torus_majority.ron", topology__rows=30, topology__columns=30),
            "approximate majority, n = 1000, 20000 trials": of_trials(20_000),
        }
        print("| run | command: min, median (s) | Python: min, median (s) | ratio of minima | of medians |")
        print("|---|---|---|---|---|")
        slow = 0
        for name, both in jobs.items():
            said = [one() for one in both]
            if said[0] != said[1]:
                raise SystemExit(f"{name}: the command comes to {said[0]}, Python to {said[1]}")
            took = [[], []]
            for number in range(rounds):
                for which in (0, 1) if number % 2 else (1, 0):
                    before = time.perf_counter()
                    both[which]()
                    took[which].append(time.perf_counter() - before)
            least, middle = [min(times) for times in took], [statistics.median(times) for times in took]
            ratio = least[1] / least[0]
            slow += ratio > 1.05
            print(f"| {name} | {least[0]:.3f}, {middle[0]:.3f} | {least[1]:.3f}, {middle[1]:.3f} | {ratio:.3f} | {middle[1] / middle[0]:.3f} |", flush=True)
    return 1 if slow else 0


if __name__ == "__main__":
    sys.exit(main())
