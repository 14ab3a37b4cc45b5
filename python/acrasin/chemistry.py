"""Reactions in the forms of the engines: a table of pairs, rules along the edges of a graph, and the text of a reaction
network."""

from __future__ import annotations

import math
from collections.abc import Hashable, Iterable, Mapping
from typing import Any

from .crn import Reaction, Specie, replace_reversible_rxns, species_in_rxns
from .rules import Chances, Compiled, names_of, natural

__all__ = ["GraphChemistry", "Network", "are_of_pairs", "counted_species"]


def counted_species(config: Any, reactions: Iterable[Reaction]) -> Any:
    """The configuration with species in place of their names.

    Raises:
        TypeError: A state is not a species.
        ValueError: A name is not a species of the reactions, or a species is given twice.
    """
    if not isinstance(config, Mapping):
        return config
    known = {one.name: one for one in species_in_rxns(reactions)}
    counts: dict[Specie, Any] = {}
    for state, count in config.items():
        one = specie_of(state, known)
        if one in counts:
            raise ValueError(f"the species {one.name!r} is given twice (accepted: each species once)")
        counts[one] = count
    return counts


def specie_of(state: Hashable, known: Mapping[str, Specie]) -> Specie:
    """The species with this name; see :func:`counted_species`."""
    if isinstance(state, Specie):
        return state
    if not isinstance(state, str):
        raise TypeError(f"{state!r} together with reactions (accepted: species, and names of species)")
    if state not in known:
        raise ValueError(f"the species {state!r} (accepted: {', '.join(known)}; a species that does not react as Specie({state!r}))")
    return known[state]


def are_of_pairs(reactions: Iterable[Reaction]) -> bool:
    """Whether every reaction has one or two reactants and the same number of products, as interactions of agents do."""
    return all(way.num_reactants() in (1, 2) and way.is_conservative() for way in replace_reversible_rxns(reactions))


class Network:
    """Reactions of any kind in a well-mixed volume, in the form of the engine.

    A reaction of rate ``k`` with ``m`` reactants happens at rate ``k * volume**(1 - m)`` for each choice of its
    reactants:
    ``k a b / volume`` for two species, ``k a (a - 1) / (2 volume)`` for two molecules of one species.
    """

    def __init__(self, reactions: list[Reaction], present: Iterable[Specie]) -> None:
        self.ways = replace_reversible_rxns(reactions)
        self.states = sorted(dict.fromkeys([*species_in_rxns(self.ways), *present]), key=natural)
        self.numbers = {one: number for number, one in enumerate(self.states)}
        self.names = names_of(self.states)
        self.rules = [(self._text(way), float(way.rate_constant_stochastic)) for way in self.ways]

    def _text(self, way: Reaction) -> str:
        def side(molecules: list[Specie]) -> str:
            counts = {one: molecules.count(one) for one in dict.fromkeys(molecules)}
            return " + ".join(f"{count} {self.names[self.numbers[one]]}" for one, count in counts.items())

        return f"{side(way.reactants.species)} -> {side(way.products.species)}"

    def can_happen(self, way: Reaction, counts: Any) -> bool:
        """Whether there are molecules for a reaction."""
        return _can_happen(self.numbers, way, counts)


class GraphChemistry:
    """Reactions of one and two molecules on a graph.

    A reaction of two molecules happens along each edge at a rate proportional to its weight. All edges together have
    the rate of all pairs in a well-mixed volume. The first reactant becomes the first product. A reaction of one
    molecule happens at each node at its rate, whatever edges the node has.
    """

    def __init__(self, reactions: list[Reaction], present: Iterable[Specie], n: int, volume: float, directed: bool) -> None:
        self.ways = replace_reversible_rxns(reactions)
        for way in self.ways:
            if way.num_reactants() not in (1, 2) or not way.is_conservative():
                raise ValueError(f"{way} on a graph (accepted: one or two reactants, and as many products)")
        self.states = sorted(dict.fromkeys([*species_in_rxns(self.ways), *present]), key=natural)
        self.numbers = {one: number for number, one in enumerate(self.states)}
        self.names = names_of(self.states)
        #: The rate on an edge of weight 1 is the rate of a pair in volume 1, times this factor, divided by the sum of
        #: the weights.
        self.share = n * (n - 1) / (2 * volume)
        self.has_singles = any(way.is_unimolecular() and way.rate_constant_stochastic > 0 for way in self.ways)
        pairs: Chances = {}

        def add(before: list[int], after: list[int], rate: float) -> None:
            outcomes = pairs.setdefault((before[0], before[1]), {})
            outcomes[after[0], after[1]] = outcomes.get((after[0], after[1]), 0.0) + rate

        for way in self.ways:
            rate = float(way.rate_constant_stochastic)
            if rate == 0 or way.is_unimolecular():
                continue
            before = [self.numbers[one] for one in way.reactants.species]
            after = [self.numbers[one] for one in way.products.species]
            add(before, after, rate)
            if before[0] != before[1] and not directed:
                add(before[::-1], after[::-1], rate)
        self.per_pair, pairs = _as_chances(pairs)
        if self.per_pair == 0 and not self.has_singles:
            raise ValueError("no reaction with a rate (accepted: at least one rate above 0)")
        self.compiled = Compiled(self.states, self.numbers, self.names, dict(sorted(pairs.items())))

    def rules(self, total_weight: float) -> list[tuple[str, float]]:
        """The reactions with their rates for a node and for an edge of weight 1, in the form of the engine."""
        of_edge = self.share / total_weight if total_weight > 0 else 0.0

        def side(molecules: list[Specie]) -> str:
            return " + ".join(self.names[self.numbers[one]] for one in molecules)

        return [
            (
                f"{side(way.reactants.species)} -> {side(way.products.species)}",
                float(way.rate_constant_stochastic) * (1.0 if way.is_unimolecular() else of_edge),
            )
            for way in self.ways
        ]

    def can_happen(self, way: Reaction, counts: Any) -> bool:
        """Whether there are molecules for a reaction."""
        return _can_happen(self.numbers, way, counts)


def _can_happen(numbers: Mapping[Specie, int], way: Reaction, counts: Any) -> bool:
    reactants = way.reactants.species
    return all(counts[numbers[one]] >= reactants.count(one) for one in reactants)


def _as_chances(rates: Chances) -> tuple[float, Chances]:
    """The largest rate of a pair, and all rates as fractions of it. The remainder to 1 is the chance that nothing
    changes."""
    largest = max((math.fsum(outcomes.values()) for outcomes in rates.values()), default=0.0)
    if not math.isfinite(largest):
        raise ValueError(f"rates of a pair that sum to {largest} (accepted: a finite sum)")
    chances: Chances = {}
    for pair, outcomes in rates.items():
        found = {after: rate / largest for after, rate in outcomes.items()}
        rest = 1 - math.fsum(found.values())
        if rest > 2**-40:
            found[pair] = found.get(pair, 0.0) + rest
        chances[pair] = found
    return largest, chances
