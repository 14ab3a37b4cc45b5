"""Compares laws: ppsim's own published examples, run by acrasin and by ppsim, against the exact Markov chain.

Usage: python python/tools/ppsim_laws.py ARCHIVE [--samples 10000] [--peer NAME=PYTHON ...]

ARCHIVE is the source archive of ppsim 1.0.2 from its package registry. The rules are read from its notebooks, which are
not stored, and each program runs them with its own import line. PYTHON is an interpreter with ppsim installed, by
default those of ``benches/peers/peers.py``; a missing one is skipped with a message. Requires numpy and scipy.

Each example runs many times from one small configuration, for some interactions or, with reactions, for some time. Its
final configurations are compared by chi-square with the exact law. They are also compared with the exact law after one
more interaction, or a tenth more time, which the test must reject. Prints a table. The exit code is 1 if acrasin or
ppsim 0.1.6 deviates from the chain.
"""

from __future__ import annotations

import argparse
import ast
import json
import os
import pathlib
import subprocess
import sys
import tarfile
import tempfile

#: The chance that any comparison fails for a correct program.
FAMILY = 1e-6
PEERS = pathlib.Path(os.environ.get("TMPDIR", "/tmp")) / "acrasin-peers"
M, R, O, C = "examples/majority.ipynb", "README.ipynb", "examples/rps_oscillator.ipynb", "examples/crn.ipynb"

# Name, notebook, names used from it, start, rule, further arguments, interactions (or time of reactions).
EXAMPLES = [
    ("approximate majority", R, "a b u approximate_majority", "{a: 4, b: 3}", "approximate_majority", "", 9),
    ("the same, both orders", R, "a b u approximate_majority_symmetric", "{a: 4, b: 3}", "approximate_majority_symmetric", "", 9),
    ("the same, asymmetric", R, "a b u approximate_majority", "{a: 4, b: 3}", "approximate_majority", "transition_order='asymmetric'", 9),
    ("discrete averaging", R, "discrete_averaging", "{0: 3, 5: 3}", "discrete_averaging", "", 7),
    ("leader election", R, "Agent leader_election transition", "{Agent(): 4}", "transition", "loglogn=1, Ulogn=2", 10),
    ("majority, 4 states", M, "exact_majority", "{'A': 4, 'B': 3}", "exact_majority", "", 9),
    ("majority with ties", M, "exact_majority_ties", "{'A': 3, 'B': 3}", "exact_majority_ties", "", 9),
    ("cancel and split", M, "Agent init_agents cancel_split", "init_agents(4, 2)", "cancel_split", "L=2", 8),
    ("averaging of biases", M, "Agent init_agents bias_average", "init_agents(4, 2)", "bias_average", "L=2", 8),
    ("clock", M, "clock", "{0: 6}", "clock", "m=4, p=0.3", 8),
    ("majority, synchronised", M, "Agent init_agents MajorityAgent init_majority_agents majority", "init_majority_agents(3, 2, m=2)", "majority", "L=2, p=0.5", 7),
    ("rock paper scissors", O, "r p s rps", "{r: 2, p: 2, s: 3}", "rps", "", 8),
    ("the same, unequal", O, "r p s p_r p_p p_s imbalanced_rps", "{r: 2, p: 2, s: 3}", "imbalanced_rps", "", 8),
    ("the same, with a source", O, "r p s x rpsx", "{x: 1, r: 5}", "rpsx", "", 8),
    ("oscillator, 7 states", O, "seven_state_oscillator", "{'x': 1, '0+': 3, '1+': 2}", "seven_state_oscillator", "p=0.3", 7),
    ("oscillator, election", O, "seven_state_oscillator_leader_election", "{'x': 5}", "seven_state_oscillator_leader_election", "p=0.3", 7),
    ("reactions, reversible", R, "a b c d crn", "{a: 4, b: 3}", "crn", "", 0.4),
    ("reactions, majority", C, "a b u approx_majority", "{a: 4, b: 3}", "approx_majority", "", 1.0),
    ("reactions, one by one", C, "get_unimolecular_chain", "{get_unimolecular_chain(4)[0][0]: 6}", "get_unimolecular_chain(4)[1]", "", 0.8),
    ("reactions, two by two", C, "get_bimolecular_chain", "{get_bimolecular_chain(4)[0][0]: 7}", "get_bimolecular_chain(4)[1]", "", 1.0),
    ("reactions, averaging", C, "get_discrete_averaging", "{get_discrete_averaging(5)[0][0]: 3, get_discrete_averaging(5)[0][4]: 3}", "get_discrete_averaging(5)[1]", "", 1.0),
]


# ---- In the interpreter of one program ----


def definitions(path: str, names: str, library: str) -> dict:
    """The definitions of these names in a notebook, with the import line replaced."""
    wanted, space = set(names.split()), {"__name__": "__main__"}
    exec(f"import {library} as pp, dataclasses, math, numpy as np\nfrom {library} import *\n"
         "from dataclasses import dataclass\nfrom fractions import Fraction\nfrom itertools import product\n"
         "from math import ceil, floor", space)
    with open(path, encoding="utf-8") as file:
        cells = json.load(file)["cells"]
    for cell in cells:
        if cell["cell_type"] != "code":
            continue
        source = "".join(line for line in cell["source"] if not line.lstrip().startswith(("%", "!", "pip ")))
        for node in ast.parse(source).body:
            if isinstance(node, (ast.FunctionDef, ast.ClassDef)):
                names = {node.name}
            elif isinstance(node, ast.Assign):
                names = {one.id for target in node.targets for one in ast.walk(target) if isinstance(one, ast.Name)}
            else:
                continue
            # The first definition of each name: later ones belong to other examples.
            if names <= wanted and not names & set(space.get("_done", ())):
                exec(compile(ast.Module([node], []), path, "exec"), space)
                space.setdefault("_done", set()).update(names)
    return space


def shown(state) -> str:
    return str(state) if type(state).__name__ == "Specie" else repr(state)


def key(config: dict) -> str:
    return "; ".join(sorted(f"{shown(state)}: {int(count)}" for state, count in config.items() if count))


def sample(job: dict) -> dict:
    """The number of runs by final configuration."""
    import importlib

    library = importlib.import_module(job["library"])
    space = definitions(job["path"], job["names"], job["library"])
    start, rule = eval(job["start"], space), eval(job["rule"], space)
    further = eval(f"dict({job['further']})", space)
    sim = library.Simulation(start, rule, seed=job["seed"], **further)
    time = job["amount"] if isinstance(job["amount"], float) else (job["amount"] + 0.5) / sum(start.values())
    seen: dict = {}
    for _ in range(job["samples"]):
        sim.reset(start)
        sim.run(time, history_interval=1e9, timer=False)
        name = key(sim.config_dict)
        seen[name] = seen.get(name, 0) + 1
    return seen


# ---- The chain ----


def pair_law(rule, further: dict):
    """The outcomes of an ordered pair with their chances, according to ppsim's documentation."""
    import copy

    order = further.pop("transition_order", "symmetric")

    def said(a, b):
        if isinstance(rule, dict):
            output = rule.get((a, b))
        else:
            x, y = copy.copy(a), copy.copy(b)
            output = rule(x, y, **further)
            output = (x, y) if output is None else output
        chances = dict(output) if isinstance(output, dict) else {tuple(output or (a, b)): 1.0}
        chances[a, b] = chances.get((a, b), 0.0) + 1 - sum(chances.values())
        chances = {pair: chance for pair, chance in chances.items() if chance > 1e-12}
        return None if set(chances) <= {(a, b), (b, a)} else chances

    def law(a, b):
        own = said(a, b)
        if own is None and order == "symmetric":
            own = {(d, c): chance for (c, d), chance in (said(b, a) or {}).items()} or None
        return own or {(a, b): 1.0}

    return law


def after(config: tuple, taken, given) -> tuple:
    counts = dict(config)
    for state in taken:
        counts[state] -= 1
    for state in given:
        counts[state] = counts.get(state, 0) + 1
    return tuple(sorted(((state, count) for state, count in counts.items() if count), key=lambda one: shown(one[0])))


def steps_law(law, start: tuple, steps: int) -> dict:
    """The distribution after this number of interactions, with equally likely ordered pairs of agents."""
    n = sum(count for _, count in start)
    now, kept = {start: 1.0}, {}
    for _ in range(steps):
        following: dict = {}
        for config, chance in now.items():
            for a, many in config:
                for b, others in config:
                    pairs = many * (others - (a == b))
                    if not pairs:
                        continue
                    if (a, b) not in kept:
                        kept[a, b] = law(a, b)
                    for outcome, part in kept[a, b].items():
                        new = after(config, (a, b), outcome)
                        following[new] = following.get(new, 0.0) + chance * part * pairs / (n * (n - 1))
        now = following
    return {key(dict(config)): chance for config, chance in now.items()}


def time_law(reactions, start: tuple, time: float) -> dict:
    """The distribution at a time, with Gillespie's rates in a volume equal to the number of molecules."""
    import numpy as np
    from scipy.linalg import expm

    volume = sum(count for _, count in start)
    ways = []
    for one in reactions:
        ways.append((one.reactants.species, one.products.species, one.rate_constant))
        if one.reversible:
            ways.append((one.products.species, one.reactants.species, one.rate_constant_reverse))
    number, waiting, rates = {start: 0}, [start], []
    while waiting:
        config = waiting.pop()
        counts = dict(config)
        for reactants, products, rate in ways:
            if len(reactants) == 1:
                speed = rate * counts.get(reactants[0], 0)
            elif reactants[0] == reactants[1]:
                speed = rate * counts.get(reactants[0], 0) * (counts.get(reactants[0], 0) - 1) / (2 * volume)
            else:
                speed = rate * counts.get(reactants[0], 0) * counts.get(reactants[1], 0) / volume
            if speed > 0:
                new = after(config, reactants, products)
                if new not in number:
                    number[new] = len(number)
                    waiting.append(new)
                rates.append((number[config], number[new], speed))
    generator = np.zeros((len(number), len(number)))
    for source, target, speed in rates:
        generator[source, target] += speed
        generator[source, source] -= speed
    chances = expm(generator * time)[0]
    return {key(dict(config)): chances[place] for config, place in number.items() if chances[place] > 0}


def exact(job: dict, more: bool) -> dict:
    space = definitions(job["path"], job["names"], "acrasin")
    start, rule = eval(job["start"], space), eval(job["rule"], space)
    config = tuple(sorted(start.items(), key=lambda one: shown(one[0])))
    if isinstance(job["amount"], float):
        return time_law(rule, config, job["amount"] * (1.1 if more else 1))
    further = eval(f"dict({job['further']})", space)
    return steps_law(pair_law(rule, further), config, job["amount"] + more)


def chance(law: dict, seen: dict) -> tuple[float, float]:
    """The p-value of the chi-square test, and the deviation in standard deviations of chi-square."""
    from scipy import stats

    samples = sum(seen.values())
    if not set(seen) <= set(law):
        return 0.0, float("inf")
    cells, rest = [], [0.0, 0]
    for name, expected in law.items():
        expected *= samples
        if expected >= 8:
            cells.append((expected, seen.get(name, 0)))
        else:
            rest = [rest[0] + expected, rest[1] + seen.get(name, 0)]
    if rest[0] > 0:
        cells.append(tuple(rest))
    value, freedom = sum((count - expected) ** 2 / expected for expected, count in cells), len(cells) - 1
    return float(stats.chi2.sf(value, freedom)), (value - freedom) / (2 * freedom) ** 0.5


# ---- Main program ----


def of_program(python: str, job: dict) -> dict | None:
    done = subprocess.run(
        [python, "-W", "ignore", __file__, "--worker", json.dumps(job)], capture_output=True, text=True
    )
    if done.returncode != 0:
        print(f"FAILED: {job['name']}: {(done.stderr.strip().splitlines() or ['?'])[-1]}", file=sys.stderr)
        return None
    return json.loads(done.stdout.splitlines()[-1])


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("archive")
    parser.add_argument("--samples", type=int, default=10_000)
    parser.add_argument("--peer", action="append", default=None, metavar="NAME=PYTHON")
    given = parser.parse_args()
    peers = given.peer or [f"{name}={PEERS}/{name.replace(' ', '-')}/bin/python" for name in ("ppsim 0.1.6", "ppsim 1.0.2")]
    programs = [("acrasin", sys.executable, "acrasin")]
    for name, _, python in (one.partition("=") for one in peers):
        found = subprocess.run([python, "-c", "import ppsim"], capture_output=True) if os.path.exists(python) else None
        if found is None or found.returncode != 0:
            print(f"SKIPPED: {name}: there is no ppsim at {python}", file=sys.stderr)
        else:
            programs.append((name, python, "ppsim"))
    limit = FAMILY / (len(EXAMPLES) * len(programs))
    titles = [f"{name}: p | z" for name, _, _ in programs]
    print(f"| example | configurations | {' | '.join(titles)} | one more, acrasin: z |")
    print("|" + "---|" * (3 + 2 * len(programs)))
    wrong = 0
    with tempfile.TemporaryDirectory() as folder:
        with tarfile.open(given.archive) as tar:
            tar.extractall(folder, filter="data")
        (top,) = pathlib.Path(folder).iterdir()
        for number, (name, notebook, names, start, rule, further, amount) in enumerate(EXAMPLES):
            job = dict(name=name, path=str(top / notebook), names=names, start=start, rule=rule, further=further,
                       amount=amount, samples=given.samples, seed=20_000 + number)
            law, cells = exact(job, False), []
            for program, python, library in programs:
                seen = of_program(python, dict(job, library=library, name=f"{program}, {name}"))
                if seen is None:
                    cells.append("raises | ")
                    wrong += program != "ppsim 1.0.2"
                    continue
                p, z = chance(law, seen)
                cells.append(f"{p:.2g} | {z:+.1f}" if p >= limit else f"**{p:.2g}** | {z:+.0f}")
                wrong += p < limit and program != "ppsim 1.0.2"
                if program == "acrasin":
                    p_more, z_more = chance(exact(job, True), seen)
                    wrong += p_more >= limit
            print(f"| {name} | {len(law)} | {' | '.join(cells)} | {z_more:+.0f} |", flush=True)
    print(f"\n{len(EXAMPLES)} examples, {given.samples} samples each; a chance below {limit:.1g} is refused (bold).")
    return 1 if wrong else 0


if __name__ == "__main__":
    if sys.argv[1:2] == ["--worker"]:
        print(json.dumps(sample(json.loads(sys.argv[2]))))
    else:
        sys.exit(main())
