"""Population protocols under the uniform scheduler, with the interface of ppsim.

>>> rule = {("A", "B"): ("U", "U"), ("A", "U"): ("A", "A"), ("B", "U"): ("B", "B")}
>>> sim = Simulation({"A": 510_000, "B": 490_000}, rule, seed=1)
>>> sim.run(timer=False)
>>> sim.config_dict
{'A': 1000000}
"""

from __future__ import annotations

import contextlib
import copy
import dataclasses
import json
import math
import operator
import os
import pickle
import secrets
import threading
import warnings
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from fractions import Fraction
from time import perf_counter
from typing import Any

import numpy as np

from . import _acrasin
from ._extras import have, need
from .arguments import checked_seed, checked_threads, checked_whole
from .chemistry import GraphChemistry, Network, are_of_pairs, counted_species, specie_of
from .crn import reactions_to_dict, species_in_rxns
from .found import MAX_AGENTS, Found
from .graphs import Grid, grid_edges, in_order, node_attribute, weighted_edges_of, whole_weights
from .rules import (
    MANY_STATES,
    Compiled,
    Output,
    State,
    TooManyStates,
    checked_order,
    compile_rule,
    reachable,
    reactions_of,
)
from .scenario import Scenario, mean_and_deviation
from .snapshot import Snapshot, TimeUpdate
from .widget import history_widget
from .written import scenario_of

__all__ = ["Simulation", "Simulator", "state_enumeration", "time_trials"]

#: The maximum number of interactions of a run.
_FOREVER = 2**63 - 1

#: Goals of ``run`` other than predicates on counts.
_WORDS = ("silent", "agreed", "stable")

_MODES = {"multibatch": None, "gillespie": "active", "sequential": "array", "crn": None}

#: Seconds between two checks whether the caller wants to stop a run.
_SLICE = 0.05


def state_enumeration(
    init_dist: Mapping[State, Any], rule: Callable[[State, State], Output]
) -> set[State]:
    """All states reachable from these states. The rule is called once for each ordered pair of states."""
    return set(reachable(init_dist, rule)[0])


class Stopped(Exception):
    """A run was stopped from outside before its end."""


class Simulator:
    """The attributes of ppsim's own simulators that notebooks read."""

    def __init__(self, sim: Simulation) -> None:
        self._sim = sim

    @property
    def t(self) -> int:
        """The number of interactions so far."""
        return self._sim.interactions

    @property
    def n(self) -> int:
        """The number of agents."""
        return self._sim.n

    @property
    def config(self) -> np.ndarray:
        """The number of agents in each state, in the order of ``state_list``."""
        return self._sim.config_array

    @property
    def silent(self) -> bool:
        """Whether no interaction can change a state any more."""
        return bool(self._sim.silent)


class Simulation:
    """A population of agents that interact in random pairs.

    The attribute ``time`` is the parallel time: the number of interactions, divided by the number of agents. In
    continuous time, which reactions always have, it is the time in which their rate constants are given. Then
    ``steps_per_time_unit`` interactions are expected per unit, which need not be one per agent.

    Args:
        init_config: The initial number of agents in each state. States can be any hashable values.
        rule: A dict of ordered pairs, a function of two states, or a list of reactions with rates. An output is a pair
            of states, a dict of pairs with their chances, or ``None``. If chances sum to less than 1, otherwise nothing
            changes.
        simulator_method: ``'MultiBatch'`` selects the cheapest exact method at each moment. ``'Sequential'`` stores one
            state per agent. ``'Gillespie'`` simulates only the interactions that change something. ``'crn'`` simulates
            one reaction after another; it is the default for reactions with other than one or two reactants and as many
            products.
        transition_order: ``'symmetric'``: a pair without an output has the output of the reverse pair.
            ``'asymmetric'``: a pair without an output does not change. ``'symmetric_enforced'``: the outputs of both
            orders must agree.
        seed: 0 to 2^64 - 1. The same seed gives the same run on any number of threads. ``None`` draws a seed, which is
            in ``sim.seed``.
        volume: The volume of reactions. By default the number of agents at the start, or at the last ``reset`` or
            ``set_config``.
        continuous_time: Whether interactions are a Poisson process. Always true for reactions.
        time_units: A unit of ``pandas.to_timedelta`` for the index of ``history``.
        graph: The interaction graph, whose nodes are the agents: see :func:`acrasin.graphs.edges_of`,
            :func:`acrasin.ring` and :func:`acrasin.torus`. The run does not depend on the order of edges. An array of
            edges (``uint32``, ``int32``, ``int64``, ``uint64``) is copied once into the engine, since Python code could
            change it during a run.
        init_states: With a graph, the initial state of each node: states in the order of nodes, a dict of nodes and
            states, or the name of a node attribute. A text that is not an attribute is read as one state per character.
            ``init_states`` replaces ``init_config``, whose agents are placed at random.
        weight: The edge attribute in proportion to which edges are drawn, one number for each edge, or ``None`` for
            equal weights. Entries of a matrix, and numbers on the edges of rustworkx, are weights as well.
        directed: Whether the initiator is always the start of an edge. ``None`` means that the graph decides; arrays
            and matrices have no directions. The first reactant of a reaction is the initiator. Without directions each
            end is the initiator with equal chance.
        lazy: Whether states are discovered during the run. The rule is then called once for each ordered pair of states
            when the two first meet, so unused states cost nothing, even if there are 10^9. Interactions are simulated
            one by one, each agent takes 4 bytes, and ``run`` stops only at a time, at silence or at a function. With
            ``None``, a rule that is a function is lazy if it has more than 512 reachable states and at most 2^26
            agents.
        **kwargs: Further arguments of a rule that is a function.

    Raises:
        TypeError: A rule, a count or a graph has another type.
        ValueError: Counts, chances or states are invalid.
    """

    def __init__(
        self,
        init_config: Mapping[State, int] | None,
        rule: Any,
        simulator_method: str = "MultiBatch",
        transition_order: str = "symmetric",
        seed: int | None = None,
        volume: float | None = None,
        continuous_time: bool = False,
        time_units: str | None = None,
        *,
        graph: Any = None,
        init_states: Iterable[State] | Mapping[Hashable, State] | str | None = None,
        weight: Any = "weight",
        directed: bool | None = None,
        lazy: bool | None = None,
        **kwargs: Any,
    ) -> None:
        method = simulator_method.lower() if isinstance(simulator_method, str) else simulator_method
        if method not in _MODES:
            raise ValueError(
                f"simulator_method={simulator_method!r} (accepted: 'MultiBatch', 'Sequential', 'Gillespie', 'crn')"
            )
        self.simulator_method = simulator_method
        self.seed = _checked_seed(seed)
        self.time_units = time_units
        self.continuous_time = bool(continuous_time)
        reactions = reactions_of(rule)
        if volume is not None and not (_is_number(volume) and math.isfinite(volume) and volume > 0):
            raise ValueError(f"volume={volume!r} (accepted: a finite number above 0)")
        # A copy, because the caller can change the original.
        self._reactions = None if reactions is None else [dataclasses.replace(one) for one in reactions]
        self._volume = volume
        if method == "crn" and (reactions is None or graph is not None):
            raise ValueError("simulator_method='crn' (accepted: with reactions, and without a graph)")
        if init_states is not None and (graph is None or init_config is not None):
            raise ValueError("init_states (accepted: with a graph, and init_config=None)")
        placed = None if init_states is None else self._named_states(graph, init_states, rule)
        if placed is not None:
            init_config = {}
            for state in placed.values() if isinstance(placed, dict) else placed:
                init_config[state] = init_config.get(state, 0) + 1
        is_mixed = reactions is not None and graph is None
        counts = _checked_counts(self._with_species(init_config), 0 if is_mixed or isinstance(placed, dict) else 2)
        self.n = sum(counts.values())
        self._is_vessel = is_mixed and (method == "crn" or self.n < 2 or not are_of_pairs(self._reactions))
        self.nodes: Any = None
        self._has_graph, self._grid = graph is not None, graph if isinstance(graph, Grid) else None
        edges = None
        if isinstance(graph, Grid):
            if directed or not isinstance(weight, (str, type(None))):
                raise ValueError("weights or directions of a ring or torus (accepted: another graph)")
            self.nodes = range(graph.nodes)
        elif graph is not None:
            edges = weighted_edges_of(graph, self.n, weight, directed)
            self.nodes = edges.labels
        if isinstance(placed, dict):
            placed = _in_order_of(self.nodes, placed)
            _checked_counts(counts, 2)
        if graph is not None and len(self.nodes) != self.n:
            raise ValueError(f"{self.n} agents on {len(self.nodes)} nodes (accepted: one on each)")
        self.steps_per_time_unit: float = self.n
        self._rule, self._rule_kwargs = rule, kwargs
        # Whether edges have weights or directions, and whether the engine has its own clock.
        self._arcs, self._is_clocked = False, self._is_vessel
        if reactions is not None:
            if kwargs:
                raise TypeError(f"{sorted(kwargs)} with reactions (accepted: no further arguments)")
            if lazy not in (None, False):
                raise ValueError(f"lazy={lazy!r} with reactions (accepted: None, False)")
            self.continuous_time = True
        if self._is_vessel:
            self._compiled: Any = Network(self._reactions, counts)
        elif reactions is not None and graph is not None:
            directed = edges is not None and edges.directed
            chemistry = GraphChemistry(self._reactions, counts, self.n, self._volume_of(self.n), directed)
            if chemistry.has_singles or (edges is not None and not edges.is_plain):
                self._compiled, self._is_clocked = chemistry, True
            else:
                # Reactions of pairs along equal edges fit in a table.
                self._compiled, self.steps_per_time_unit = chemistry.compiled, chemistry.share * chemistry.per_pair
        elif reactions is not None:
            self._compile_mixed(self.n, counts)
        else:
            self._compiled = self._compile(counts, transition_order, graph is not None, lazy, method)
            self._arcs = edges is not None and not edges.is_plain
        self.lazy = isinstance(self._compiled, Found)
        if self.lazy and self._arcs:
            raise ValueError("weights or directions of edges with states that are discovered during the run (accepted: lazy=False)")
        self.state_list: list[State] = self._compiled.states
        self.state_dict: dict[State, int] = self._compiled.numbers
        self._table = None if self.lazy or self._is_clocked else self._compiled.table()
        self._mode = _MODES[method]
        self._resets = 0
        self._busy, self._stop = threading.Lock(), None
        # The engine owns the edges from now on.
        self._population = self._begin(counts if placed is None else placed, self.seed, edges)
        # Interactions and time at the start of this population, which may have replaced another one.
        self._offset, self._begun = 0, 0.0
        self._rng = np.random.default_rng(_acrasin.derived_seed(self.seed, 2**63))
        self.simulator = Simulator(self)
        self.time = 0.0
        self.times: list[float] = []
        self.configs: list[np.ndarray] = []
        self.snapshots: list[Snapshot] = []
        self._frame: Any = None
        self.add_config()

    # ---- Parts of a simulation ----

    def _compile(
        self, counts: dict[State, int], transition_order: str, has_graph: bool, lazy: bool | None, method: str
    ) -> Compiled | Found:
        if lazy not in (None, True, False):
            raise ValueError(f"lazy={lazy!r} (accepted: None, True, False)")
        rule, kwargs = self._rule, self._rule_kwargs
        may_be_lazy = callable(rule) and method != "gillespie" and self.n <= 2**26
        known = None
        if not lazy:
            most = MANY_STATES if may_be_lazy and lazy is None else None
            try:
                return compile_rule(rule, kwargs, counts, transition_order, has_graph, most)
            except TooManyStates as many:
                if most is None:
                    raise
                known = many.outputs
        if method == "gillespie":
            raise ValueError("simulator_method='Gillespie' with lazy=True (accepted: 'MultiBatch', 'Sequential')")
        if self.n > MAX_AGENTS:
            raise ValueError(f"{self.n} agents with lazy=True (accepted: up to {MAX_AGENTS})")
        return Found(rule, kwargs, counts, checked_order(transition_order), has_graph, known)

    def _named_states(self, graph: Any, init_states: Any, rule: Any) -> Any:
        """The given states of nodes: a list, or a dict by node. For reactions, names are replaced by species."""
        if isinstance(init_states, str):
            states: Any = node_attribute(graph, init_states)
            if states is None:
                known = self._state_names(rule)
                if known is not None and not set(init_states) <= known:
                    raise ValueError(
                        f"init_states={init_states!r}: no node has this attribute, and its characters are not all states (accepted: an "
                        "attribute of every node, a list of states, or a text with a state of one character for each node)"
                    )
                states = list(init_states)
        elif isinstance(init_states, Mapping):
            states = dict(init_states)
        elif hasattr(init_states, "to_dict") and hasattr(init_states, "index"):  # pandas series
            states = init_states.to_dict()
        else:
            states = list(init_states)
        if self._reactions is None:
            return states
        known = {one.name: one for one in species_in_rxns(self._reactions)}
        if isinstance(states, dict):
            return {node: specie_of(state, known) for node, state in states.items()}
        return [specie_of(state, known) for state in states]

    def _state_names(self, rule: Any) -> set[Any] | None:
        """The states that reactions or a dict of rules name; ``None`` for a function, whose states are discovered
        during the run."""
        if self._reactions is not None:
            return {one.name for one in species_in_rxns(self._reactions)}
        if not isinstance(rule, Mapping):
            return None
        states = set()
        for pair, result in rule.items():
            for met in (pair, *(result if isinstance(result, Mapping) else (result,))):
                states.update(met)
        return states

    def _with_species(self, config: Any) -> Any:
        """The configuration, with names replaced by species if there are reactions."""
        return config if self._reactions is None else counted_species(config, self._reactions)

    def _volume_of(self, agents: int) -> float:
        return max(agents, 1) if self._volume is None else self._volume

    def _compile_mixed(self, agents: int, present: Iterable[Any]) -> None:
        """Compiles reactions for this number of agents to a table, and sets the number of interactions per unit of
        time."""
        rule, rate = reactions_to_dict(self._reactions, agents, self._volume_of(agents), present)
        self._compiled = compile_rule(rule, {}, present, "asymmetric")
        self.steps_per_time_unit = agents * rate

    def _resize(self, agents: int) -> bool:
        """Changes the number of agents, and returns whether the table has changed."""
        if agents == self.n:
            return False
        has_table = self._reactions is not None and not self._is_vessel
        if has_table:
            if agents < 2:
                raise ValueError(f"{agents} agents (accepted: 2 or more, or simulator_method='crn')")
            self._compile_mixed(agents, self.state_list)
            self._table = self._compiled.table()
        else:
            self.steps_per_time_unit *= agents / self.n if self.n else 1
        self.n = agents
        return has_table

    def _begin(self, start: Any, seed: int, edges: Any = None) -> Any:
        """Creates a population from a dict of counts, or from the states of nodes or their numbers. The first
        population gets the edges; later ones keep the graph of the previous population."""
        placed = None if isinstance(start, Mapping) else self._numbers(start)
        counts = self.array_from_dict(start) if placed is None else np.bincount(placed, minlength=len(self.state_list))
        self._start_counts, self._start_states, self._run_seed = counts.astype(np.uint64), placed, seed
        if self._is_vessel:
            network, volume = self._compiled, self._volume_of(int(counts.sum()))
            return _acrasin.Vessel(network.names, network.rules, self._start_counts, volume, seed)
        if not self._has_graph and self.lazy:
            return _acrasin.LazyPopulation(self._compiled.met, _one_each(counts), None, seed)
        if not self._has_graph:
            return _acrasin.Population(self._table, self._start_counts, seed, self._mode)
        # The command places the agents of a scenario in the same way.
        numbers = self._numbers(_acrasin.arranged(_one_each(counts), seed)) if placed is None else placed
        before, grid = getattr(self, "_population", None), self._grid
        if before is not None:
            return before.restarted(numbers, seed)
        pairs = grid_edges(grid) if grid else edges.pairs
        if self.lazy:
            return _acrasin.LazyPopulation(self._compiled.met, numbers, pairs, seed)
        if self._is_clocked or self._arcs:
            directed = edges is not None and edges.directed
            weights = np.ones(len(pairs)) if edges is None or edges.weights is None else edges.weights
            pairs, weights = in_order(pairs, weights, directed)
            if self._arcs:
                return _acrasin.ArcPopulation(self._table, numbers, pairs, whole_weights(weights), directed, seed)
            network, given = self._compiled, None if edges is None or edges.weights is None else weights
            rules = network.rules(float(weights.sum()))
            return _acrasin.Vessel.on_graph(network.names, rules, numbers, pairs, given, directed, seed)
        if grid is not None:
            return _acrasin.GraphPopulation.on_torus(self._table, numbers, grid.rows, grid.columns, seed)
        return _acrasin.GraphPopulation.on_edges(self._table, numbers, pairs, seed)

    def _numbers(self, states: Any) -> np.ndarray:
        """The number of each node's state."""
        kind = np.uint32 if self.lazy else np.uint16
        if isinstance(states, np.ndarray):
            return states.astype(kind)
        return np.array([self.state_dict[state] for state in states], dtype=kind)

    def rule(self, a: State, b: State) -> Output:
        """The outcome of an interaction: a pair, or a dict of pairs with their chances.

        Raises:
            ValueError: The reactions are not interactions of pairs.
        """
        if self._is_clocked:
            raise ValueError("rule() of reactions that are not interactions of two agents at equal rates (accepted: sim.reactions)")
        pair = (self.state_dict[a], self.state_dict[b])
        outcomes = self._compiled.of(pair)
        named = {(self.state_list[c], self.state_list[d]): chance for (c, d), chance in outcomes.items()}
        return next(iter(named)) if len(named) == 1 else named

    def array_from_dict(self, d: Mapping[State, int]) -> np.ndarray:
        """A configuration as an array, in the order of ``state_list``.

        Raises:
            ValueError: A state is unreachable, or a count is not a whole number, 0 or more.
        """
        d = self._with_species(d)
        if self.lazy:
            for state in d:
                self._compiled.number(state)
        array = np.zeros(len(self.state_list), dtype=np.uint64)
        for state, count in d.items():
            if state not in self.state_dict:
                raise ValueError(f"the state {state!r} (accepted: {_listed(self.state_list)})")
            array[self.state_dict[state]] += np.uint64(_checked_count(state, count))
        return array

    # ---- Current configuration ----

    @property
    def interactions(self) -> int:
        """The number of interactions so far."""
        return self._offset + self._population.interactions

    @property
    def config_array(self) -> np.ndarray:
        """The number of agents in each state, in the order of ``state_list``."""
        return self._padded(self._population.counts())

    def _padded(self, counts: np.ndarray) -> np.ndarray:
        """The counts, extended by zeros for states without agents."""
        missing = len(self.state_list) - len(counts)
        return np.pad(counts, (0, missing)) if missing else counts

    @property
    def config_matrix(self) -> np.ndarray:
        """All of ``configs`` as one array, with one row per time and one column per state."""
        return np.array([self._padded(config) for config in self.configs])

    @property
    def config_dict(self) -> dict[State, int]:
        """The number of agents in each occupied state."""
        return {
            state: int(count) for state, count in zip(self.state_list, self.config_array) if count
        }

    @property
    def states(self) -> list[State]:
        """With a graph: the state of each node, in the order of ``nodes``.

        Raises:
            ValueError: There is no graph, so agents are indistinguishable.
        """
        if not self._has_graph:
            raise ValueError("a simulation without a graph, whose agents have no numbers (accepted: a simulation with a graph)")
        return [self.state_list[number] for number in self._population.states()]

    @property
    def silent(self) -> bool:
        """Whether no interaction can change a state any more."""
        return bool(self._population.is_silent())

    @property
    def digest(self) -> str:
        """The digest of the current configuration, as the command prints it for a run with this end.

        The digest covers the number of agents in each state, with a graph the state of each node, and the time if
        reactions change the number of agents.

        >>> rule = {("L", "L"): ("L", "F")}
        >>> sim = Simulation({"L": 100}, rule, seed=1)
        >>> sim.run(timer=False)
        >>> sim.digest == sim.scenario().run().digest
        True

        Raises:
            ValueError: States are discovered during the run, so no table gives them numbers.
        """
        if self.lazy:
            raise ValueError("a digest of states that are discovered during the run (accepted: lazy=False)")
        return self._population.digest()

    def scenario(
        self,
        until: float | str | None = None,
        *,
        interactions: int | None = None,
        scheduler: str | None = None,
        rung: str | None = None,
        way: str | None = None,
        topology: str | None = None,
        files: Mapping[str, Any] | None = None,
    ) -> Scenario:
        """The run from its start, or from the last ``reset`` or ``set_config``, as a scenario.

        It has the same protocol, with the same numbers of states and weights of outcomes, the same start, seed and end.
        It gives the same digest, here and with the command after :meth:`acrasin.Scenario.save`. With locks or another
        graph it is a different run.

        Args:
            until: As for :meth:`run`: ``None`` for silence, a text, or the time since the start.
            interactions: The number of interactions since the start, instead of ``until``.
            scheduler: A scheduler as written in a scenario. By default ``UniformPairs``, as here, or with ``rung`` that
                of the rung: ``Waves`` on F1, ``SemiSynchronous(activation: Random(0.5))`` from F2 on.
            rung: The level of detail at which the lock algorithm is executed. ``'F1'`` executes only the order of
                locked interactions, ``'F2'`` and ``'F3'`` every message, in rounds, ``'F4'`` every message and action.
                By default the rung that the scheduler needs.
            way: With locks, ``'AnyLocked'`` or ``'PickedPair'``.
            topology: A topology as written in a scenario, instead of the simulation's graph: ``'Contacts(...)'``,
                ``'Gnp(...)'``.
            files: The data files that ``topology`` names, as for :class:`acrasin.Scenario`.

        >>> from acrasin import ring
        >>> sim = Simulation({"I": 1, "S": 29}, {("I", "S"): ("I", "I")}, graph=ring(30), seed=1)
        >>> record = sim.scenario("S = 0", rung="F1").run()
        >>> record.outcome, record["states"]["I"]
        ('counts', 30)

        Raises:
            TypeError: An argument has another type.
            ValueError: A word is unknown, or the simulation has no scenario. Examples are states discovered during the
                run, a method other than ``'MultiBatch'`` without a graph, a time in continuous time, an edge that is
                listed twice, and a protocol of more than a mebibyte.
        """
        return scenario_of(self, until, interactions, scheduler, rung, way, topology, files)

    def holds(self, until: str) -> bool:
        """Whether a goal holds now: ``'silent'``, ``'agreed'``, ``'stable'`` or a predicate on counts."""
        if until == "silent":
            return bool(self.silent)
        if self.lazy:
            raise ValueError(
                f"{until!r} with states that are discovered during the run (accepted: 'silent', a time, a function of the counts, or "
                "lazy=False)"
            )
        return self._population.holds(until)

    @property
    def null_probability(self) -> float:
        """The chance that the next interaction changes nothing. Requires agents without positions.

        Raises:
            ValueError: Agents have positions.
        """
        if self._has_graph:
            raise ValueError("null_probability with a graph (accepted: without)")
        if self._is_vessel:
            # Every reaction changes something.
            return 1.0 if self.silent else 0.0
        counts = [int(count) for count in self.config_array]
        if self.lazy:
            present = [number for number, count in enumerate(counts) if count]
            met = {(a, b): self._compiled.of((a, b)) for a in present for b in present if a != b or counts[a] > 1}
        else:
            met = self._compiled.outcomes
        changing = 0.0
        for (a, b), outcomes in met.items():
            pairs = counts[a] * (counts[b] - (a == b))
            changing += pairs * (1.0 - outcomes.get((a, b), 0.0))
        return 1.0 - changing / (self.n * (self.n - 1))

    def _reaction_lines(self, present: np.ndarray | None) -> str:
        if self._is_clocked:
            ways = self._compiled.ways
            return "\n".join(str(way) for way in ways if present is None or self._compiled.can_happen(way, present))
        width = max(len(str(state)) for state in self.state_list)
        merged: dict[tuple[int, int], dict[tuple[int, int], float]] = {}
        for (a, b), outcomes in self._compiled.outcomes.items():
            if present is not None and (present[a] == 0 or present[b] < 1 + (a == b)):
                continue
            share = 1.0 if a == b else 0.5
            sums = merged.setdefault((min(a, b), max(a, b)), {})
            for (c, d), chance in outcomes.items():
                after = (min(c, d), max(c, d))
                sums[after] = sums.get(after, 0.0) + share * chance
        lines = []
        for before, sums in sorted(merged.items()):
            for after, chance in sums.items():
                if after == before:
                    continue
                names = [str(self.state_list[number]).rjust(width) for number in (*before, *after)]
                line = "{}, {}  -->  {}, {}".format(*names)
                if chance < 1 - 1e-12:
                    line += f"      with probability {chance:.12g}"
                lines.append(line)
        return "\n".join(lines)

    @property
    def reactions(self) -> str:
        """All interactions that change something, one per line, with the chance of the unordered pair. If states are
        discovered during the run, only those that occurred."""
        return self._reaction_lines(None)

    @property
    def enabled_reactions(self) -> str:
        """The interactions of :attr:`reactions` that are possible now."""
        return self._reaction_lines(self.config_array)

    # ---- Running ----

    def time_to_steps(self, time: float) -> int:
        """The number of interactions at a time. In continuous time it is drawn, since interactions are a Poisson
        process.

        Raises:
            ValueError: The times of reactions depend on the configuration.
        """
        if self._is_clocked:
            raise ValueError("time_to_steps of reactions whose times depend on the configuration (accepted: a run to a time)")
        if self.continuous_time:
            expected = (time - self.time) * self.steps_per_time_unit
            # numpy draws a Poisson number of interactions only below about 2^63.
            if not expected <= 2**62:
                raise ValueError(f"{expected:g} interactions are expected up to time {time:g} (accepted: at most 2^62)")
            return self.interactions + int(self._rng.poisson(expected))
        return self._offset + math.floor((time - self._begun) * self.steps_per_time_unit + 1e-9)

    def run(
        self,
        run_until: float | str | Callable[[dict[State, int]], bool] | None = None,
        history_interval: float | Callable[[float], float] = 1.0,
        stopping_interval: float = 1.0,
        timer: bool = True,
    ) -> None:
        """Continues the run.

        Args:
            run_until: A number: for this much more time. ``None``: until no interaction can change a state any more. A
                text: until ``'silent'``, ``'agreed'`` (all outputs are equal), ``'stable'`` (they are also final), or a
                predicate on counts such as ``'A >= 2 * B'``; the run stops at the exact interaction. A function of
                ``config_dict``: until it returns true; it is called every ``stopping_interval``.
            history_interval: The time between rows of ``history``, or a function of the time.
            stopping_interval: The time between two calls of a function ``run_until``.
            timer: Whether to show the progress, if tqdm is installed.

        Ctrl-C ends a run within a fifth of a second. The simulation stays valid, and the run can be continued. A run
        does not depend on the intervals, except in continuous time, where they affect the drawn times of interactions.

        Raises:
            TypeError: ``run_until`` has another type.
            ValueError: An interval is not above 0, or a predicate is invalid.
        """
        with self._alone():
            self._run_to_end(run_until, history_interval, stopping_interval, timer)

    @contextlib.contextmanager
    def _alone(self) -> Iterator[None]:
        """Raises an error if another thread is changing the simulation."""
        if not self._busy.acquire(blocking=False):
            raise ValueError("another thread is running the simulation (accepted: one run, reset or set_config at a time)")
        try:
            yield
        finally:
            self._busy.release()

    def _run_to_end(
        self,
        run_until: float | str | Callable[[dict[State, int]], bool] | None,
        history_interval: float | Callable[[float], float],
        stopping_interval: float,
        timer: bool,
    ) -> None:
        goal: str | None = None
        condition: Callable[[dict[State, int]], bool] | None = None
        end = math.inf
        if run_until is None:
            goal = "silent"
        elif isinstance(run_until, str):
            goal = run_until
            self.holds(goal)  # Raises errors of the text before the run.
        elif isinstance(run_until, (int, float, np.number)) and not isinstance(run_until, bool):
            if not math.isfinite(run_until) or run_until < 0:
                raise ValueError(f"run_until={run_until!r} (accepted: a finite time, 0 or more)")
            end = self.time + float(run_until)
        elif callable(run_until):
            condition = run_until
        else:
            raise TypeError(
                f"run_until of type {type(run_until).__name__} (accepted: a time, a text, a function, or None)"
            )
        if not _is_number(stopping_interval):
            raise TypeError(f"stopping_interval={stopping_interval!r} (accepted: a number above 0)")
        if not callable(history_interval) and not _is_number(history_interval):
            raise TypeError(f"history_interval={history_interval!r} (accepted: a number above 0, or a function of the time)")
        if not stopping_interval > 0:
            raise ValueError(f"stopping_interval={stopping_interval!r} (accepted: above 0)")
        if timer and not self.snapshots and have("tqdm"):
            shown: Snapshot | None = TimeUpdate(end if math.isfinite(end) else None)
            self.add_snapshot(shown)
        else:
            shown = None
        try:
            self._run(goal, condition, end, history_interval, stopping_interval)
        finally:
            if self.time > self.times[-1] or not np.array_equal(self._padded(self.configs[-1]), self.config_array):
                self.add_config()
            for snapshot in self.snapshots:
                snapshot.update()
            if shown is not None:
                shown.close()
                self.snapshots.remove(shown)

    def _run(
        self,
        goal: str | None,
        condition: Callable[[dict[State, int]], bool] | None,
        end: float,
        history_interval: float | Callable[[float], float],
        stopping_interval: float,
    ) -> None:
        def next_row() -> float:
            length = history_interval(self.time) if callable(history_interval) else history_interval
            if not length > 0:
                raise ValueError(f"history_interval={length!r} (accepted: above 0)")
            return self.time + length

        row = next_row()
        if condition is not None and condition(self.config_dict):
            return
        for snapshot in self.snapshots:
            snapshot.next_snapshot_time = perf_counter() + snapshot.update_time
        while True:
            if self._stop is not None and self._stop():
                raise Stopped
            if goal is None and self.time >= end:
                return
            if goal is not None and self.holds(goal):
                return
            silent = bool(self.silent)
            if silent and (condition is not None or goal is not None):
                return
            until = min(row, end, self.time + stopping_interval if condition else math.inf)
            if silent:
                # Time advances, but nothing changes.
                until = end
            if self._advance(until, goal):
                return
            if self.time >= row:
                self.add_config()
                row = next_row()
            if condition is not None and condition(self.config_dict):
                return
            for snapshot in self.snapshots:
                if perf_counter() >= snapshot.next_snapshot_time:
                    snapshot.update()
                    snapshot.next_snapshot_time = perf_counter() + snapshot.update_time

    def _advance(self, until: float, goal: str | None) -> bool:
        """Advances to a time, or to the interaction at which a goal holds; returns whether the goal holds. After Ctrl-C
        the time corresponds to the completed interactions."""
        begin, first = self.time, self.interactions
        limit: float
        if self._is_clocked:
            limit = max(until - self._begun, 0.0)
        else:
            last = self.time_to_steps(until) if math.isfinite(until) else _FOREVER
            if last > _FOREVER:
                raise ValueError(
                    f"the time {until:g} of {self.n} agents, which is {last:.3g} interactions (accepted: times up to "
                    f"{_FOREVER / self.steps_per_time_unit:.3g}, for 2^63 - 1 interactions)"
                )
            limit = max(last - self._offset, 0)
        within = lambda: self._time_within(begin, first, until, limit)  # noqa: E731
        try:
            done = self._make(goal, limit)
        except BaseException:
            self.time = within()
            raise
        finally:
            if self._is_vessel:
                self.n = int(self._population.counts().sum())
        self.time = within() if done or not math.isfinite(until) else until
        return done

    def _make(self, goal: str | None, limit: float) -> bool:
        """Runs the engine to a limit or a goal, and returns whether the goal holds. If a caller can stop it, it runs in
        slices."""
        seconds = None if self._stop is None else _SLICE
        population = self._population
        while True:
            if goal is None:
                is_reached, done = population.run_to(limit, seconds), False
            else:
                done = population.run_until(goal, limit, seconds)
                made = population.time if self._is_clocked else population.interactions
                is_reached = seconds is None or made >= limit or (self._is_clocked and population.is_silent())
            if done or is_reached:
                return done
            if self._stop is not None and self._stop():
                raise Stopped

    def _time_within(self, begin: float, first: int, until: float, limit: float) -> float:
        if self._is_clocked:
            return max(begin, self._begun + self._population.time)
        made = self.interactions - first
        if not self.continuous_time:
            return max(begin, self._begun + self._population.interactions / self.steps_per_time_unit)
        if not math.isfinite(until):
            return begin + (self._rng.gamma(made) / self.steps_per_time_unit if made else 0.0)
        if made == 0:
            return begin
        # Given their number, the interactions of a Poisson process are uniform in the interval.
        return begin + (until - begin) * float(self._rng.beta(made, max(limit + self._offset - first - made, 0) + 1))

    def add_config(self) -> None:
        """Adds the current configuration to ``configs`` and its time to ``times``."""
        self.configs.append(self.config_array)
        self.times.append(self.time)

    def reset(self, init_config: Mapping[State, int] | None = None) -> None:
        """Starts a new trial from the first configuration or another one, with independent draws.

        Raises:
            ValueError: The number of agents on a graph differs, or a state is unreachable.
        """
        with self._alone():
            config = self._padded(self.configs[0]) if init_config is None else self._array_of(init_config)
            self._resets += 1
            self._restart(np.asarray(config, dtype=np.uint64), _acrasin.derived_seed(self.seed, self._resets))
            self._offset, self._begun, self.time = 0, 0.0, 0.0
            self.times, self.configs, self._frame = [], [], None
            self.add_config()

    def _array_of(self, config: Any) -> np.ndarray:
        return self.array_from_dict(_checked_counts(self._with_species(config), 0 if self._is_vessel else 2))

    def set_config(self, config: Mapping[State, int] | np.ndarray) -> None:
        """Changes the configuration; time and the number of interactions continue.

        Raises:
            ValueError: The number of agents on a graph differs, a state is unreachable, or there is not one count per
                state.
        """
        if isinstance(config, Mapping):
            array = self._array_of(config)
        else:
            array = np.asarray(config)
            if array.dtype.kind not in "iuf" or not (array == np.floor(array)).all():
                raise ValueError(f"a configuration of {array.dtype} (accepted: whole numbers)")
            if array.shape != (len(self.state_list),) or (array.size and array.min() < 0):
                raise ValueError(
                    f"a configuration of shape {array.shape} (accepted: {len(self.state_list)} counts, 0 or more)"
                )
            array = array.astype(np.uint64)
        with self._alone():
            made = self.interactions
            self._resets += 1
            self._restart(array, _acrasin.derived_seed(self.seed, self._resets))
            self._offset, self._begun = made, self.time
            self.add_config()

    def _counted(self, array: np.ndarray) -> dict[State, int]:
        """The configuration as a dict, including empty states."""
        return {state: int(count) for state, count in zip(self.state_list, array)}

    def _restart(self, array: np.ndarray, seed: int) -> None:
        agents = int(array.sum())
        if self._has_graph:
            if agents != self.n:
                raise ValueError(f"{agents} agents on {self.n} nodes (accepted: one on each)")
            self._population = self._begin(self._counted(array), seed)
            return
        if self.lazy and not 2 <= agents <= MAX_AGENTS:
            raise ValueError(f"{agents} agents with lazy=True (accepted: 2 to {MAX_AGENTS})")
        if self._resize(agents) or self._is_vessel:
            self._population = self._begin(self._counted(array), seed)
        elif self.lazy:
            self._population.restart_with(_one_each(array), seed)
        else:
            self._population.restart(array, seed)
        self._start_counts, self._run_seed = array, seed

    # ---- Samples ----

    def sample_silence_time(self) -> float:
        """The time until silence in a new trial from the first configuration. The simulation does not change."""
        self._resets += 1
        sub = self._fresh(self._resets)
        sub.run("silent", history_interval=math.inf, timer=False)
        return sub.time

    def sample_future_configuration(self, time: float, num_samples: int = 100) -> Any:
        """Samples of the configuration after a further time, as a pandas frame with one row per sample."""
        pandas = need("pandas", "sample_future_configuration")
        start, samples = self.config_dict, []
        for _ in range(operator.index(num_samples)):
            self._resets += 1
            sub = self._fresh(self._resets, start)
            sub.run(time, history_interval=math.inf, timer=False)
            samples.append(sub.config_array)
        samples = [self._padded(sample) for sample in samples]
        index = pandas.RangeIndex(len(samples), name="trial #")
        return pandas.DataFrame(samples, index=index, columns=self.column_names)

    def repeat(self, times: Iterable[float], reps: int = 100, threads: int | None = None) -> Any:
        """Means and deviations of many new trials from the first configuration, on all cores. The simulation does not
        change.

        Args:
            times: The times at which agents are counted, in ascending order.
            reps: The number of trials. Each has independent draws; the result does not depend on the number of threads.
            threads: The number of simultaneous trials, by default one per core. (States are discovered by one thread.)

        Returns:
            A pandas frame with one row per time, and columns ``mean`` and ``deviation`` for each state.

        >>> from acrasin import species
        >>> a, b = species("A B")
        >>> frame = Simulation({a: 100}, [(a >> b).k(1)], seed=1).repeat([0, 1], reps=50)
        >>> bool(abs(frame["mean"]["A"][1] - 36.8) < 3), float(frame["deviation"]["A"][0])
        (True, 0.0)

        Raises:
            ValueError: ``times`` are negative, not finite or not ascending, or a number is out of range.
        """
        at = [float(time) for time in times]
        if any(not math.isfinite(time) or time < 0 for time in at) or at != sorted(at):
            raise ValueError(f"times {at} (accepted: finite numbers from 0 that rise)")
        number = checked_whole("reps", reps, 1, 2**32 - 1)
        workers = checked_threads(threads) or os.cpu_count() or 1
        first = self._resets + 1
        self._resets += number
        stopped = threading.Event()

        def trial(which: int) -> np.ndarray:
            sub = self._fresh(which)
            sub._stop = stopped.is_set
            rows = []
            for time in at:
                if time > sub.time:
                    sub.run(time - sub.time, history_interval=math.inf, timer=False)
                rows.append(sub.config_array)
            return np.array([sub._padded(row) for row in rows])

        trials = range(first, first + number)
        if self.lazy or workers == 1:
            samples = [trial(which) for which in trials]
        else:
            with ThreadPoolExecutor(min(workers, number)) as pool:
                try:
                    samples = list(pool.map(trial, trials))
                except BaseException:
                    # Only this thread receives Ctrl-C.
                    stopped.set()
                    pool.shutdown(cancel_futures=True)
                    raise
        padded = np.array([[self._padded(row) for row in sample] for sample in samples], dtype=float)
        pandas = need("pandas", "repeat")
        return mean_and_deviation(padded, pandas.Index(at, name="time"), self.column_names)

    def _fresh(self, number: int, start: Mapping[State, int] | None = None) -> Simulation:
        sub = object.__new__(Simulation)
        sub.__dict__ = dict(self.__dict__)
        sub.snapshots, sub._frame, sub._busy, sub._stop = [], None, threading.Lock(), None
        sub.seed = _acrasin.derived_seed(self.seed, number)
        sub._rng = np.random.default_rng(_acrasin.derived_seed(sub.seed, 2**63))
        if start is None:
            first = self._padded(self.configs[0])
            sub._resize(int(first.sum()))
            sub._population = sub._begin(self._counted(first), sub.seed)
        else:
            sub._population = sub._begin(self._population.states() if self._has_graph else start, sub.seed)
        sub.simulator = Simulator(sub)
        sub._offset, sub._begun, sub.time, sub.times, sub.configs = 0, 0.0, 0.0, [], []
        sub.add_config()
        return sub

    # ---- History ----

    @property
    def column_names(self) -> Any:
        """The columns of ``history``: the names of states, or a MultiIndex for states with fields."""
        first = self.state_list[0]
        fields: list[str] | None = None
        tuples: list[Any] = self.state_list
        if dataclasses.is_dataclass(first):
            fields = [field.name for field in dataclasses.fields(first)]
            tuples = [
                tuple(getattr(state, name) for name in fields) if dataclasses.is_dataclass(state) else state
                for state in self.state_list
            ]
        elif isinstance(first, tuple):
            fields = list(getattr(first, "_fields", [])) or None
        lengths = {len(one) if isinstance(one, tuple) else 0 for one in tuples}
        if len(lengths) == 1 and lengths.pop() > 1:
            pandas = need("pandas", "a history of states with fields")
            return pandas.MultiIndex.from_tuples(tuples, names=fields)
        return [str(state) for state in self.state_list]

    def times_in_units(self, times: Iterable[float]) -> Any:
        """The times in ``time_units``, if set."""
        if self.time_units is None:
            return times
        return need("pandas", "time_units").to_timedelta(list(times), unit=self.time_units)

    @property
    def history(self) -> Any:
        """The counts over time as a pandas frame, with one row per time and one column per state."""
        pandas = need("pandas", "history")
        if self._frame is None or self._frame.shape != (len(self.configs), len(self.state_list)):
            if self.time_units is not None:
                name = None
            elif self.continuous_time:
                name = "time (continuous units)"
            else:
                unit = "n" if self.n == self.steps_per_time_unit else str(self.steps_per_time_unit)
                name = f"time ({unit} interactions)"
            index = pandas.Index(self.times_in_units(self.times), name=name)
            self._frame = pandas.DataFrame(self.config_matrix, index=index, columns=self.column_names)
        return self._frame

    # ---- Snapshots ----

    def add_snapshot(self, snap: Snapshot) -> None:
        """Adds an observer of the run."""
        snap.simulation = self
        snap.initialize()
        snap.update()
        self.snapshots.append(snap)

    def set_snapshot_time(self, time: float) -> None:
        """Shows the configuration at a time in all snapshots."""
        self.set_snapshot_index(min(int(np.searchsorted(self.times, time)), len(self.times) - 1))

    def set_snapshot_index(self, index: int) -> None:
        """Shows the configuration of a row of ``history`` in all snapshots."""
        for snapshot in self.snapshots:
            snapshot.update(index=index)

    def snapshot_slider(self, var: str = "index") -> Any:
        """A slider of ipywidgets that moves all snapshots; ``var`` is ``'index'`` or ``'time'``."""
        widgets = need("ipywidgets", "snapshot_slider")
        if var.lower() == "index":
            slider = widgets.IntSlider(min=0, max=len(self.times) - 1, step=1)
            return widgets.interactive(self.set_snapshot_index, index=slider)
        if var.lower() == "time":
            slider = widgets.FloatSlider(min=self.times[0], max=self.times[-1], step=0.01)
            return widgets.interactive(self.set_snapshot_time, time=slider)
        raise ValueError(f"var={var!r} (accepted: 'index', 'time')")

    def widget(self, update_time: float = 0.2) -> Any:
        """An anywidget widget with the counts over time, a slider and a play button: see :mod:`acrasin.widget`.

        The widget is updated every ``update_time`` seconds during later runs. Its ``index`` is the current row of
        ``history``.

        Raises:
            ImportError: anywidget is not installed.
        """
        return history_widget(self, update_time)

    def plot(self, ax: Any = None, **kwargs: Any) -> Any:
        """Draws the counts over time on matplotlib axes and returns the axes. ``kwargs`` are passed to every line."""
        if ax is None:
            ax = need("matplotlib.pyplot", "plot").subplots()[1]
        columns = self.config_matrix.T
        for state, counts in zip(self.state_list, columns):
            ax.plot(self.times, counts, label=str(state), **kwargs)
        if self.time_units is not None:
            ax.set_xlabel(f"time ({self.time_units})")
        else:
            ax.set_xlabel("time" if self.continuous_time else "parallel time (interactions / n)")
        ax.set_ylabel("agents")
        ax.legend()
        return ax

    # ---- Checkpoints and copies ----

    def save(self, path: str | os.PathLike[str]) -> None:
        """Saves the simulation to a file, from which :meth:`restore` continues it.

        The file is written as a whole: a checkpoint that it replaces becomes ``PATH.previous``. Agents that are counted,
        and agents on a graph with equal edges, are saved in the bytes of the command. The history and the rule are saved
        as pickle saves them, so a rule with states that are discovered during the run must be a function of a module.

        Raises:
            OSError: The file cannot be written, or is not a checkpoint.
        """
        state = self.__getstate__()
        kind, kept = state["_population"]
        parts = []
        if isinstance(kept, bytes) and not self.lazy:
            state["_population"] = (kind, None)
            parts.append(("process", kept))
        head = {"acrasin": _acrasin.VERSION, "kind": "Simulation", "engine": kind, "seed": self.seed}
        head["interactions"] = self.interactions
        parts = [("python", json.dumps(head).encode()), *parts, ("copy", pickle.dumps(state))]
        _acrasin.keep_checkpoint(os.fspath(path), parts)

    @classmethod
    def restore(cls, path: str | os.PathLike[str]) -> Simulation:
        """The simulation that :meth:`save` has saved. It continues as if it had not been interrupted.

        If the file is damaged, the checkpoint before it is used, with a warning. Restoring runs code of the file, as
        ``pickle`` does: restore only your own checkpoints.

        Raises:
            ValueError: The file is not a checkpoint of a simulation, or it is damaged and there is none before it.
        """
        name = os.fspath(path)
        (head, process, saved), note = _acrasin.read_checkpoint(name, ["python", "process", "copy"])
        if head is None or saved is None:
            raise ValueError(f"{name}: a checkpoint without a simulation (accepted: a file that Simulation.save has written)")
        given = json.loads(head)
        if given["acrasin"] != _acrasin.VERSION:
            raise ValueError(
                f"{name}: saved by acrasin {given['acrasin']} (accepted: a checkpoint of this version, {_acrasin.VERSION})"
            )
        if note is not None:
            warnings.warn(note, RuntimeWarning, stacklevel=2)
        state = pickle.loads(saved)
        if process is not None:
            state["_population"] = (state["_population"][0], process)
        sim = cls.__new__(cls)
        sim.__setstate__(state)
        return sim

    def __getstate__(self) -> dict[str, Any]:
        state = dict(self.__dict__)
        for name in ("_table", "simulator", "_frame", "snapshots", "_rule", "_rule_kwargs", "_busy", "_stop"):
            del state[name]
        # If states are discovered during the run, the rule is copied as well, so it must support copying.
        kept: Any = self._population.save()
        if self._arcs or (self._is_clocked and self._has_graph):
            kept = (self._population.edges(), kept)
        state["_population"] = (type(self._population).__name__, kept)
        # From here on a copy has independent draws.
        state["times"], state["configs"], state["_rng"] = list(self.times), list(self.configs), copy.deepcopy(self._rng)
        return state

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__.update(state)
        self._busy, self._stop = threading.Lock(), None
        self._table = None if self.lazy or self._is_clocked else self._compiled.table()
        kind, saved = state["_population"]
        # Share the list with the rules: it grows when states are discovered.
        self.state_list, self.state_dict = self._compiled.states, self._compiled.numbers
        if self.lazy:
            self._population = _acrasin.LazyPopulation.restore(self._compiled.met, saved, len(self.state_list))
        elif self._arcs:
            (pairs, weights, directed), (states, seed, interactions) = saved
            self._population = _acrasin.ArcPopulation(self._table, states, pairs, weights, directed, seed)
            self._population.run_to(interactions)
        elif self._is_clocked:
            network = self._compiled
            if self._has_graph:
                (pairs, given, directed), saved = saved
                rules = network.rules(float(len(pairs) if given is None else given.sum()))
            counts, volume, states, seed, made, time = saved
            if self._has_graph:
                numbers = np.array(states, dtype=np.uint16)
                population = _acrasin.Vessel.on_graph(network.names, rules, numbers, pairs, given, directed, seed)
            else:
                population = _acrasin.Vessel(network.names, network.rules, np.array(counts, dtype=np.uint64), volume, seed)
            population.advance_to(made, time)
            self._population = population
        else:
            self._population = getattr(_acrasin, kind).restore(self._table, saved)
        self.simulator, self._frame, self.snapshots = Simulator(self), None, []
        self._rule, self._rule_kwargs = self.rule, {}

    def __repr__(self) -> str:
        return f"Simulation(n={self.n}, states={len(self.state_list)}, time={self.time:g}, seed={self.seed})"


# ---- Arguments ----


def _listed(states: list[State]) -> str:
    shown = ", ".join(repr(state) for state in states[:12])
    return shown + (f", ... ({len(states)} states)" if len(states) > 12 else "")


def _one_each(config: np.ndarray) -> np.ndarray:
    """The number of the state of each agent."""
    return np.repeat(np.arange(len(config), dtype=np.uint32), config.astype(np.int64))


def _checked_seed(seed: int | None) -> int:
    given = checked_seed(seed)
    return secrets.randbits(64) if given is None else given


def _checked_count(state: State, count: Any) -> int:
    if isinstance(count, (float, np.floating)):
        if not (math.isfinite(count) and count == int(count)):
            raise ValueError(f"{count!r} agents in state {state!r} (accepted: a whole number)")
        count = int(count)
    try:
        number = operator.index(count)
    except TypeError:
        raise TypeError(f"{count!r} agents in state {state!r} (accepted: a whole number)") from None
    if not 0 <= number <= 2**53:
        raise ValueError(f"{number} agents in state {state!r} (accepted: 0 to 2^53)")
    return number


def _checked_counts(config: Any, least: int = 2) -> dict[State, int]:
    if not isinstance(config, Mapping):
        raise TypeError(f"a configuration of type {type(config).__name__} (accepted: a dict of states and counts)")
    counts = {state: _checked_count(state, count) for state, count in config.items()}
    agents = sum(counts.values())
    if not least <= agents <= 2**53:
        raise ValueError(f"{agents} agents (accepted: {least} to 2^53)")
    return counts


def _is_number(value: Any) -> bool:
    return isinstance(value, (int, float, np.number, Fraction)) and not isinstance(value, bool)


def _in_order_of(nodes: Any, states: dict[Any, State]) -> list[State]:
    """The state of each node.

    Raises:
        ValueError: A node has no state, or a state is given for an unknown node.
    """
    missing = [node for node in nodes if node not in states]
    if missing:
        raise ValueError(f"init_states has no state for node {missing[0]!r} (accepted: a state for each of {len(nodes)} nodes)")
    if len(states) > len(nodes):
        known = set(nodes)
        unknown = next(node for node in states if node not in known)
        raise ValueError(f"init_states has a state for {unknown!r}, which is not a node (accepted: the nodes of the graph)")
    return [states[node] for node in nodes]


def time_trials(
    rule: Any,
    ns: Iterable[int],
    initial_conditions: Callable[[int], Mapping[State, int]] | list[Mapping[State, int]],
    convergence_condition: Callable[[dict[State, int]], bool] | str | None = None,
    convergence_check_interval: float = 0.1,
    num_trials: int = 100,
    max_wallclock_time: float = 60 * 60 * 24,
    *,
    seed: int | None = None,
    **kwargs: Any,
) -> Any:
    """The times of many trials for several sizes, as a pandas frame with the columns ``n`` and ``time``.

    Without a condition, and with a text as in :meth:`Simulation.run`, trials run on all cores and stop at the exact
    interaction. A function is called every ``convergence_check_interval``. Trial ``i`` of a size depends only on seed,
    size and ``i``. After ``max_wallclock_time`` seconds the trials finished so far are returned.

    Raises:
        TypeError, ValueError: An argument is invalid; see :class:`Simulation`.
    """
    pandas = need("pandas", "time_trials")
    if convergence_condition is not None and not callable(convergence_condition) and not isinstance(convergence_condition, str):
        raise TypeError(f"convergence_condition={convergence_condition!r} (accepted: a function of the counts, a text, or None)")
    if not _is_number(max_wallclock_time) or not max_wallclock_time >= 0:
        raise ValueError(f"max_wallclock_time={max_wallclock_time!r} (accepted: seconds, 0 or more)")
    num_trials = checked_whole("num_trials", num_trials, 0, 2**63 - 1)
    sizes = list(ns)
    starts = [initial_conditions(n) for n in sizes] if callable(initial_conditions) else list(initial_conditions)
    if len(starts) != len(sizes):
        raise ValueError(f"{len(starts)} initial conditions for {len(sizes)} sizes (accepted: one each)")
    base = _checked_seed(seed)
    stop_at = perf_counter() + max_wallclock_time
    found_n: list[int] = []
    found_time: list[float] = []
    for number, (n, start) in enumerate(zip(sizes, starts)):
        sim = Simulation(start, rule, seed=_acrasin.derived_seed(base, n), **kwargs)
        budget = perf_counter() + (stop_at - perf_counter()) / (len(sizes) - number)
        times: list[float] = []
        if callable(convergence_condition) or sim._has_graph or sim._mode is not None or sim.lazy or sim._is_clocked:
            sim._stop = lambda budget=budget: perf_counter() >= budget
            with contextlib.suppress(Stopped):
                while len(times) < num_trials and perf_counter() < budget:
                    sim.reset(start)
                    sim.run(convergence_condition, math.inf, convergence_check_interval, timer=False)
                    times.append(sim.time)
        else:
            goal = convergence_condition or "silent"
            sim.holds(goal)
            config = sim.array_from_dict(_checked_counts(start))
            left = max(budget - perf_counter(), 0.0)
            made, _, _ = _acrasin.trials(sim._table, config, goal, sim.seed, 0, num_trials, _FOREVER, left)
            for count in made:
                steps = sim._rng.gamma(count) if sim.continuous_time and count else float(count)
                times.append(steps / sim.steps_per_time_unit)
        found_n.extend([n] * len(times))
        found_time.extend(times)
    return pandas.DataFrame({"n": found_n, "time": found_time})
