"""Conversion of a simulation to a scenario: its protocol, start, seed and end as files."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping
from typing import Any

import numpy as np

from .graphs import Grid
from .observed import Observed
from .rules import Compiled
from .scenario import Scenario, metis

#: The default scheduler of each rung.
_OF_RUNG = {
    None: "UniformPairs",
    "F0": "UniformPairs",
    "F1": "Waves",
    **dict.fromkeys(("F2", "F3", "F4"), "SemiSynchronous(activation: Random(0.5))"),
}
_ENDS = {"silent": "Silent", "agreed": "OutputsAgree", "stable": "OutputsStable"}
_PROTOCOL, _GRAPH = "protocol.ron", "edges.graph"


def _text(value: str) -> str:
    return json.dumps(value, ensure_ascii=False)


def _word(name: str, value: Any, accepted: str) -> str | None:
    if value is not None and not isinstance(value, str):
        raise TypeError(f"{name} of type {type(value).__name__} (accepted: {accepted}, as a text)")
    return value


def protocol_text(compiled: Compiled, have_places: bool) -> str:
    """The protocol file of a table: states in the order of their numbers, chances as the weights of draws."""
    names = compiled.names
    rules = {(a, b): frozenset(drawn) for a, b, drawn in compiled.weighted(have_places)}
    lines = []
    for (a, b), drawn in rules.items():
        mirrored = frozenset((weight, d, c) for weight, c, d in drawn)
        is_symmetric = a != b and rules.get((b, a)) == mirrored
        if is_symmetric and a > b:
            continue
        pair = f"{names[a]} + {names[b]}"
        outcomes = [(weight, f"{names[c]} + {names[d]}") for weight, c, d in sorted(drawn)]
        if len(outcomes) == 1:
            word = "Symmetric" if is_symmetric else "Ordered"
            lines.append(f"{word}({_text(f'{pair} -> {outcomes[0][1]}')})")
        else:
            word = "SymmetricRandomised" if is_symmetric else "Randomised"
            listed = ", ".join(f"({weight}, {_text(after)})" for weight, after in outcomes)
            lines.append(f"{word}({_text(pair)}, [{listed}])")
    states = ", ".join(map(_text, names))
    rows = "".join(f"        {line},\n" for line in lines)
    return f"Table(\n    states: [{states}],\n    rules: [\n{rows}    ],\n    default: Null,\n)\n"


def _end(sim: Observed, until: float | str | None, interactions: int | None) -> str:
    if interactions is not None:
        if until is not None:
            raise ValueError(f"until={until!r} and interactions={interactions!r} (accepted: one of them)")
        if isinstance(interactions, bool) or not isinstance(interactions, (int, np.integer)):
            raise TypeError(f"interactions={interactions!r} (accepted: a whole number)")
        return f"Interactions({int(interactions)})"
    if until is None:
        return "Silent"
    if isinstance(until, str):
        if until not in _ENDS:
            sim.holds(until)  # Invalid predicates raise the same error as in `run`.
        return _ENDS.get(until) or f"Counts({_text(until)})"
    if isinstance(until, (int, float, np.number)) and not isinstance(until, bool):
        if not math.isfinite(until) or until < 0:
            raise ValueError(f"until={until!r} (accepted: a finite time, 0 or more)")
        if sim.continuous_time:
            raise ValueError(
                f"until={until!r} in continuous time, in which how many interactions happen until then is drawn (accepted: None, "
                "a text, or interactions=..., such as sim.interactions)"
            )
        return f"Interactions({math.floor(until * sim.steps_per_time_unit + 1e-9)})"
    raise TypeError(f"until of type {type(until).__name__} (accepted: a time, a text, or None)")


def _topology(sim: Observed, files: dict[str, Any]) -> str:
    grid = sim._grid
    if not sim._has_graph:
        return f"Complete(nodes: {sim.n})"
    if isinstance(grid, Grid):
        return f"Ring(nodes: {grid.columns})" if grid.rows == 1 else f"Torus(rows: {grid.rows}, columns: {grid.columns})"
    edges = sim._population.edge_array()
    repeated = np.flatnonzero((edges[1:] == edges[:-1]).all(axis=1))
    if len(repeated):
        pair = tuple(edges[repeated[0]].tolist())
        raise ValueError(f"the edge {pair} is listed more than once (accepted: each once; a file of a graph has no weights of edges)")
    files[_GRAPH] = metis(sim.n, edges)
    return f"File(path: {_text(_GRAPH)})"


def _initial(sim: Observed, names: list[str], first: int) -> str:
    """The initial states; `first` is the name of the first node."""
    placed = sim._start_states
    if placed is None:
        there = ((name, int(count)) for name, count in zip(names, sim._start_counts))
        return "Counts({" + ", ".join(f"{_text(name)}: {count}" for name, count in there if count) + "})"
    counts = np.bincount(placed, minlength=len(names))
    rest = int(counts.argmax())
    others = [
        f"{_text(name)}: {(np.flatnonzero(placed == number) + first).tolist()}"
        for number, name in enumerate(names)
        if counts[number] and number != rest
    ]
    return f"Nodes(states: {{{', '.join(others)}}}, rest: {_text(names[rest])})"


def _of_reactions(sim: Observed, until: float | str | None, interactions: int | None) -> Scenario:
    """A reaction network as a scenario."""
    network = sim._compiled
    rules = "".join(f"            ({_text(rule)}, {rate!r}),\n" for rule, rate in network.rules)
    counts = ", ".join(f"{_text(name)}: {int(count)}" for name, count in zip(network.names, sim._start_counts) if count)
    if isinstance(until, (int, float, np.number)) and not isinstance(until, bool) and interactions is None:
        if not math.isfinite(until) or until <= 0:
            raise ValueError(f"until={until!r} with reactions (accepted: a finite time above 0)")
        end = f"Time({float(until)!r})"
    elif until in ("agreed", "stable"):
        raise ValueError(f"until={until!r} with reactions (accepted: 'silent', a predicate on counts, a time, or None)")
    else:
        end = _end(sim, until, interactions).replace("Interactions(", "Reactions(", 1)
    return Scenario(
        f"(\n    seed: {sim._run_seed},\n    reactions: (\n        species: [{', '.join(map(_text, network.names))}],\n"
        f"        rules: [\n{rules}        ],\n        volume: {float(sim._volume_of(int(sim._start_counts.sum())))!r},\n"
        f"        initial: {{{counts}}},\n    ),\n    stop: [{end}],\n)\n"
    )


def scenario_of(
    sim: Observed,
    until: float | str | None,
    interactions: int | None,
    scheduler: str | None,
    rung: str | None,
    way: str | None,
    topology: str | None,
    files: Mapping[str, Any] | None,
) -> Scenario:
    """See :meth:`acrasin.Simulation.scenario`."""
    compiled = sim._compiled
    if sim._is_vessel:
        words = {"scheduler": scheduler, "rung": rung, "way": way, "topology": topology, "files": files}
        given = [name for name, value in words.items() if value is not None]
        if given:
            raise ValueError(f"{given[0]} with reactions that change the number of agents (accepted: until, or interactions)")
        return _of_reactions(sim, until, interactions)
    if sim._is_clocked or sim._arcs:
        raise ValueError(
            "a scenario of weights, directions or changes of single agents on a graph (accepted: interactions of two agents along "
            "edges of equal weight)"
        )
    if not isinstance(compiled, Compiled):
        raise ValueError("a scenario with states that are discovered during the run (accepted: lazy=False)")
    scheduler = _word("scheduler", scheduler, "a scheduler of `acrasin list schedulers`")
    rung = _word("rung", rung, "F0 to F4")
    way = _word("way", way, "AnyLocked, PickedPair")
    topology = _word("topology", topology, "a topology of `acrasin list graphs`")
    if rung not in _OF_RUNG:
        raise ValueError(f"rung={rung!r} (accepted: 'F0', 'F1', 'F2', 'F3', 'F4')")
    if way not in (None, "AnyLocked", "PickedPair"):
        raise ValueError(f"way={way!r} (accepted: 'AnyLocked', 'PickedPair')")
    if scheduler is None:
        scheduler = _OF_RUNG[rung]
    elif rung is None and scheduler.startswith("Waves"):
        rung = "F1"
    is_of_pairs = scheduler.startswith("UniformPairs")
    if is_of_pairs and topology is None and not sim._has_graph and sim._mode is not None:
        raise ValueError(
            f"simulator_method={sim.simulator_method!r}, which draws other random numbers than the command (accepted: 'MultiBatch')"
        )
    given = dict(files or {})
    for name in (_PROTOCOL, _GRAPH):
        if name in given:
            raise ValueError(f"the file {name!r} (accepted: another name; this one is the simulation's own)")
    have_places = sim._has_graph or topology is not None or not is_of_pairs
    # The graph is written as METIS, which counts nodes from 1.
    written = {_PROTOCOL: protocol_text(compiled, have_places), **given}
    lines = {
        "seed": str(sim._run_seed),
        "topology": topology if topology is not None else _topology(sim, written),
        "scheduler": scheduler,
        "rung": rung,
        "work": (
            f"Interactions(\n        protocol: File(path: {_text(_PROTOCOL)}),\n"
            + (f"        way: {way},\n" if way else "")
            + f"        initial: {_initial(sim, compiled.names, int(_GRAPH in written))},\n    )"
        ),
        "stop": f"[{_end(sim, until, interactions)}]",
    }
    text = "(\n" + "".join(f"    {name}: {value},\n" for name, value in lines.items() if value is not None) + ")\n"
    return Scenario(text, files=written)
