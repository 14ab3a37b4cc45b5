#!/usr/bin/env python3
"""Population-protocol simulators side by side with acrasin, in one run, on one machine.

    cargo build --release -p acrasin-cli
    python3 benches/peers/peers.py            # prints a table and stores it in benches/results/peers.md

Peers are installed by pip from their registry, into ${TMPDIR:-/tmp}/acrasin-peers, outside the repository. One that cannot be
installed is skipped, loudly. Of a peer, and of acrasin through Python, only its `run` is timed; of acrasin the whole process, less the same process with one
interaction (reading and checking the scenario). All times are CPU times of one thread. The length of each measurement is
doubled until it takes SECONDS, so that peers that tune themselves are warm.
"""

import glob
import json
import os
import pathlib
import platform
import random
import resource
import shutil
import subprocess
import sys
import tempfile
import time

SECONDS = 0.7
# An old peer is built from its sources with old dependencies: numpy must have the version that the peer pins, because of its headers.
INSTALL_SECONDS = 300
# The package of this repository is compiled.
BUILD_SECONDS = 1800
ROOT = pathlib.Path(__file__).resolve().parents[2]
HOME = pathlib.Path(os.environ.get("TMPDIR", "/tmp")) / "acrasin-peers"
# Name, interpreters (the first installed one is used), packages for pip, packages needed before, further arguments for pip.
OLD = ["~/.pyenv/versions/3.9*/bin/python", "python3.9", sys.executable]
PEERS = [
    # The same engine by `pip install ./python`.
    ("acrasin in Python", [sys.executable], str(ROOT / "python"), [], ["numpy", "pandas"]),
    ("ppsim 0.1.6", OLD, "ppsim==0.1.6", ["cython<3", "numpy==1.20.1", "setuptools<60", "wheel"], ["--no-build-isolation", "--no-cache-dir"]),
    ("ppsim 1.0.2", [sys.executable], "ppsim==1.0.2", [], []),
    ("batss 1.0.4", [sys.executable], "batss==1.0.4", [], []),
]
SHARES = [0.4, 0.3, 0.3]
RPS = {("R", "S"): ("R", "R"), ("S", "P"): ("S", "S"), ("P", "R"): ("P", "P")}
MAJORITY = {("A", "B"): ("U", "U"), ("A", "U"): ("A", "A"), ("B", "U"): ("B", "B")}
SPEEDS = [("rock-paper-scissors", 3, agents) for agents in (10**4, 10**6, 10**8, 10**10)] + [
    (f"random table of {states} states", states, agents) for states in (8, 128) for agents in (10**6, 10**8)
]


def random_table(states, seed=1):
    """Every ordered pair of states comes to a uniformly random one."""
    draw = random.Random(seed)
    names = [f"s{number}" for number in range(states)]
    return names, {(a, b): (draw.choice(names), draw.choice(names)) for a in names for b in names}


def rules(kind, states):
    if states == 3:
        return ["R", "P", "S"], RPS, "symmetric"
    names, table = random_table(states)
    return names, table, "asymmetric"


def start(names, agents):
    shares = SHARES if len(names) == 3 else [1 / len(names)] * len(names)
    counts = {name: int(agents * share) for name, share in zip(names, shares)}
    counts[names[0]] += agents - sum(counts.values())
    return counts


def divided(interactions, agents):
    """So many runs of so many interactions: rock, paper or scissors dies out after about n^2 of them."""
    each = min(interactions, agents**2 // 5)
    return each, max(1, interactions // each)


def worker(job):
    """In the interpreter of one peer: does one job, prints one number."""
    import importlib

    library = importlib.import_module(job["module"])
    if job["module"] == "batss":
        return reactions(library, job)
    method = {"simulator_method": "MultiBatch"}
    if job["what"] == "speed":
        names, table, order = rules(None, job["states"])
        counts = start(names, job["agents"])
        simulation = library.Simulation(counts, table, transition_order=order, seed=1, **method)
        interactions = 2 * 10**5
        while True:
            each, runs = divided(interactions, job["agents"])
            took = 0.0
            for _ in range(runs):
                simulation.reset(counts)
                before = time.process_time()
                simulation.run(each / job["agents"], history_interval=each / job["agents"], timer=False)
                took += time.process_time() - before
            if took >= SECONDS:
                print(each * runs / took)
                return
            interactions *= 2
    if job["what"] == "silence":
        simulation = library.Simulation({"L": job["agents"]}, {("L", "L"): ("L", "F")}, seed=1, **method)
        before = time.process_time()
        simulation.run(history_interval=1e6, stopping_interval=1e6, timer=False)
        print(time.process_time() - before)
        return
    counts = {"A": 510, "B": 490}
    if job["module"] == "acrasin":
        trials = 20_000
        before = time.process_time()
        library.time_trials(MAJORITY, [1000], [counts], num_trials=trials, seed=1)
        print(trials / (time.process_time() - before))
        return
    simulation = library.Simulation(counts, MAJORITY, transition_order="symmetric", seed=1, **method)
    trials, before = 0, time.process_time()
    while time.process_time() - before < SECONDS:
        simulation.reset(counts)
        simulation.run(history_interval=1e6, timer=False)
        trials += 1
    print(trials / (time.process_time() - before))


def reactions(library, job):
    """The same as a network of reactions. An ordered pair is one of two reactions of half the rate, so that with as many
    units of volume as agents n / 2 interactions happen in a unit of time."""
    names, table, _ = {"speed": lambda: rules(None, job["states"]), "silence": lambda: (["L", "F"], {("L", "L"): ("L", "F")}, ""),
                       "trials": lambda: (["A", "B", "U"], MAJORITY, "")}[job["what"]]()
    kinds = dict(zip(names, library.species(" ".join(names))))
    is_ordered = any((b, a) in table for a, b in table if a != b)
    network = [(kinds[a] + kinds[b] >> kinds[c] + kinds[d]).k(0.5 if is_ordered and a != b else 1.0)
               for (a, b), (c, d) in table.items()]
    agents = job.get("agents", 1000)
    counts = {"speed": lambda: start(names, agents), "silence": lambda: {"L": agents},
              "trials": lambda: {"A": 510, "B": 490}}[job["what"]]()
    counts = {kinds[name]: count for name, count in counts.items()}
    simulation = library.Simulation(counts, network, volume=agents, seed=1)
    amount = 2 * 10**5 if job["what"] == "speed" else 1
    while True:
        each, runs = divided(amount, agents) if job["what"] == "speed" else (None, amount)
        took = 0.0
        for _ in range(runs):
            simulation.reset(counts)
            before = time.process_time()
            if each is None:
                simulation.run(history_interval=1e6, stopping_interval=1e6, timer=False)
            else:
                simulation.run(2 * each / agents, history_interval=2 * each / agents, timer=False)
            took += time.process_time() - before
        if job["what"] == "silence" or took >= SECONDS:
            print({"speed": lambda: each * runs / took, "silence": lambda: took, "trials": lambda: runs / took}[job["what"]]())
            return
        amount *= 2


def interpreter(names):
    """The first that is there: by path, by a pattern of paths, or in PATH."""
    for name in names:
        found = shutil.which(name) or next(iter(sorted(glob.glob(os.path.expanduser(name)))), None)
        if found:
            return found
    return sys.executable


def environment(python):
    """ppsim 0.1.6 calls functions of numpy's static library, and does not name it to the linker."""
    where = "import numpy, pathlib; print(pathlib.Path(numpy.__path__[0]) / 'core' / 'lib' / 'libnpymath.a')"
    found = subprocess.run([python, "-c", where], capture_output=True, text=True)
    if found.returncode != 0:
        return None
    return {**os.environ, "LDFLAGS": f"-Wl,--whole-archive {found.stdout.strip()} -Wl,--no-whole-archive"}


def module_of(package):
    return "acrasin" if package.startswith(str(ROOT)) else package.split("=")[0]


def installed(name, interpreters, package, before, options):
    """The interpreter that has the peer, or None."""
    folder = HOME / name.replace(" ", "-")
    python = folder / "bin" / "python"
    module = module_of(package)
    if subprocess.run([python, "-c", f"import {module}"], capture_output=True).returncode == 0 if python.exists() else False:
        return python
    install = [python, "-m", "pip", "install", "-q", "--disable-pip-version-check"]
    commands = [[interpreter(interpreters), "-m", "venv", folder], *([*install, *what] for what in (before, [*options, package]) if what)]
    for command in commands:
        try:
            done = subprocess.run(
                command, capture_output=True, text=True, timeout=BUILD_SECONDS if module == "acrasin" else INSTALL_SECONDS,
                env=environment(python) if "--no-build-isolation" in command else None,
            )
            failure = done.stderr[-600:] if done.returncode != 0 else None
        except subprocess.TimeoutExpired:
            failure = f"no end after {BUILD_SECONDS if module == 'acrasin' else INSTALL_SECONDS} s"
        if failure is not None:
            print(f"SKIPPED: {name} cannot be installed\n{failure}", file=sys.stderr)
            return None
    return python


def of_peer(python, module, job):
    command = [python, __file__, "--worker", json.dumps({"module": module, **job})]
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=60)
    except subprocess.TimeoutExpired:
        return "over 60 s"
    if done.returncode != 0:
        print(f"FAILED: {module} {job}: {done.stderr.strip().splitlines()[-1:]}", file=sys.stderr)
        return "fails"
    return float(done.stdout.split()[-1])


def acrasin(arguments):
    """CPU seconds of one run."""
    program = ROOT / "target" / "release" / "acrasin"
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    done = subprocess.run([program, *arguments], capture_output=True, text=True, cwd=ROOT)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    if done.returncode != 0:
        raise SystemExit(done.stderr)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def scenario(states, agents, interactions):
    names, table, order = rules(None, states)
    kind = {"symmetric": "Symmetric", "asymmetric": "Ordered"}[order]
    listed = ", ".join(f'{kind}("{a} + {b} -> {c} + {d}")' for (a, b), (c, d) in table.items())
    quoted = ", ".join(f'"{name}"' for name in names)
    outputs = ", ".join(f'"{name}": "{name}"' for name in names)
    shares = ", ".join(f'"{name}": {share}' for name, share in zip(names, SHARES if states == 3 else [1 / states] * states))
    return (
        f"Scenario(title: \"speed\", seed: 1, topology: Complete(nodes: {agents}), scheduler: UniformPairs, work: Interactions("
        f"protocol: Table(states: [{quoted}], inputs: [{quoted}], outputs: {{{outputs}}}, rules: [{listed}], default: Null), "
        f"initial: Shares({{{shares}}})), stop: [Interactions({interactions})], "
        f"observe: (counts_every: Interactions({interactions})))"
    )


def of_acrasin(job, folder):
    example = "examples/15_uniform_pairs.ron"
    if job["what"] == "speed":
        def took(interactions):
            each, runs = divided(interactions, job["agents"])
            path = pathlib.Path(folder) / "speed.ron"
            path.write_text(scenario(job["states"], job["agents"], each))
            return acrasin(["run", str(path), "--threads", "1", "--reps", str(runs)])

        least = min(took(1) for _ in range(3))
        interactions = 10**6
        while True:
            seconds = took(interactions) - least
            if seconds >= SECONDS:
                each, runs = divided(interactions, job["agents"])
                return each * runs / min(seconds, took(interactions) - least, took(interactions) - least)
            interactions *= 2
    if job["what"] == "silence":
        return min(acrasin([
            "run", example, "--threads", "1", "--set", f"topology.nodes={job['agents']}", "--set", 'work.protocol.name="fratricide"',
            "--set", 'work.initial=All("L")', "--set", "stop=[Silent]",
        ]) for _ in range(3))
    trials = 20_000
    return trials / min(
        acrasin(["run", example, "--threads", "1", "--set", "topology.nodes=1000", "--reps", str(trials)]) for _ in range(3)
    )


def shown(value):
    return value if isinstance(value, str) else f"{value:.2g}"


def main():
    peers = [(name, python, module_of(package)) for name, interpreters, package, before, options in PEERS
             if (python := installed(name, interpreters, package, before, options))]
    jobs = [(f"{kind}, n = {agents:.0e}, interactions a CPU-second", dict(what="speed", states=states, agents=agents))
            for kind, states, agents in SPEEDS]
    jobs.append(("fratricide from 10^6 leaders to silence, CPU seconds", dict(what="silence", agents=10**6)))
    jobs.append(("approximate majority, n = 1000, trials a CPU-second", dict(what="trials")))
    lines = ["| what | acrasin | " + " | ".join(f"{name} | ratio" for name, _, _ in peers) + " |"]
    lines.append("|" + "---|" * (2 + 2 * len(peers)))
    with tempfile.TemporaryDirectory() as folder:
        for label, job in jobs:
            own = of_acrasin(job, folder)
            cells = [label, shown(own)]
            for _, python, module in peers:
                found = of_peer(python, module, job)
                cells.append(shown(found))
                better = "" if isinstance(found, str) else found / own if job["what"] == "silence" else own / found
                cells.append(better and f"{better:.3g}")
            lines.append("| " + " | ".join(cells) + " |")
            print(lines[-1], flush=True)
    commit = subprocess.run(["git", "rev-parse", "--short", "HEAD"], capture_output=True, text=True, cwd=ROOT).stdout.strip()
    processor = next((line.split(":")[1].strip() for line in open("/proc/cpuinfo") if line.startswith("model name")), platform.processor())
    text = "\n".join([
        "# Peers", "",
        "Other simulators of population protocols, measured side by side by [`peers.py`](../peers/peers.py) in one run: one thread, CPU time.",
        "Of a peer, and of acrasin in Python, only its `run` is timed, of acrasin the whole process less one with a single interaction; of trials and silence the whole",
        "process. A ratio above 1 means that acrasin is faster.", "",
        f"Machine: {os.cpu_count()} cores of {processor}, {platform.system()}, Python {platform.python_version()}; commit {commit}.", "",
        *lines, "",
    ])
    (ROOT / "benches" / "results" / "peers.md").write_text(text)
    print(text)


if __name__ == "__main__":
    if sys.argv[1:2] == ["--worker"]:
        worker(json.loads(sys.argv[2]))
    else:
        main()
