"""Reactions as rules of population protocols.

>>> a, b, u = species("A B U")
>>> rule = [a + b >> 2 * u, (a + u >> 2 * a).k(2)]
>>> print(rule[1])
A + U -->(2) A + A
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass, replace
from enum import Enum

__all__ = [
    "Expression",
    "RateConstantUnits",
    "Reaction",
    "Specie",
    "avogadro",
    "concentration_to_count",
    "reactions_to_dict",
    "replace_reversible_rxns",
    "species",
    "species_in_rxns",
]

#: Molecules in a mole (exact since 2019).
avogadro = 6.02214076e23


def species(names: str | Iterable[str]) -> tuple[Specie, ...]:
    """Species by their names: one text with the names separated by blanks, or several texts.

    Raises:
        ValueError: A name is given twice.
    """
    listed = names.split() if isinstance(names, str) else [name.strip() for name in names]
    for name in listed:
        if listed.count(name) > 1:
            raise ValueError(f"the species {name!r} is given twice (accepted: each name once)")
    return tuple(Specie(name) for name in listed)


def concentration_to_count(concentration: float, volume: float) -> int:
    """The number of molecules of a concentration (mol/l) in a volume (l)."""
    return round(avogadro * concentration * volume)


class RateConstantUnits(Enum):
    """The units of a rate constant."""

    stochastic = "stochastic"
    """Per pair of molecules in a volume of 1: l/s."""
    mass_action = "mass_action"
    """Per mole: 1/(M s)."""


@dataclass(frozen=True, order=True)
class Specie:
    """A kind of molecule. The operators ``+``, ``*``, ``>>`` and ``|`` combine species to expressions and reactions."""

    name: str

    def __add__(self, other: Specie | Expression) -> Expression:
        return _expression(self) + other

    def __mul__(self, times: int) -> Expression:
        return _expression(self) * times

    __rmul__ = __mul__

    def __rshift__(self, products: Specie | Expression | None) -> Reaction:
        return Reaction(self, products)

    def __rrshift__(self, reactants: None) -> Reaction:
        return Reaction(reactants, self)

    def __or__(self, products: Specie | Expression | None) -> Reaction:
        return Reaction(self, products, reversible=True)

    def __ror__(self, reactants: None) -> Reaction:
        return Reaction(reactants, self, reversible=True)

    def __str__(self) -> str:
        return self.name

    def __repr__(self) -> str:
        # In messages and in dicts of counts, species look as in a reaction.
        return self.name


@dataclass(frozen=True)
class Expression:
    """The molecules on one side of a reaction, in the order as written."""

    species: list[Specie]

    def __add__(self, other: Specie | Expression) -> Expression:
        if not isinstance(other, (Specie, Expression)):
            return NotImplemented
        return Expression(self.species + _expression(other).species)

    __radd__ = __add__

    def __mul__(self, times: int) -> Expression:
        if not isinstance(times, int) or isinstance(times, bool):
            return NotImplemented
        if times < 0:
            raise ValueError(f"{times} molecules (accepted: 0 and more)")
        return Expression(self.species * times)

    __rmul__ = __mul__

    def __rshift__(self, products: Specie | Expression | None) -> Reaction:
        return Reaction(self, products)

    def __rrshift__(self, reactants: None) -> Reaction:
        return Reaction(reactants, self)

    def __or__(self, products: Specie | Expression | None) -> Reaction:
        return Reaction(self, products, reversible=True)

    def __ror__(self, reactants: None) -> Reaction:
        return Reaction(reactants, self, reversible=True)

    def __len__(self) -> int:
        return len(self.species)

    def __str__(self) -> str:
        return " + ".join(one.name for one in self.species) or "∅"

    def get_species(self) -> set[Specie]:
        """The set of species that occur."""
        return set(self.species)


def _expression(of: Specie | Expression | None) -> Expression:
    if isinstance(of, Expression):
        return of
    if isinstance(of, Specie):
        return Expression([of])
    if of is None:
        return Expression([])
    raise TypeError(f"{of!r} in a reaction (accepted: species, sums of them, and None for nothing)")


@dataclass(init=False)
class Reaction:
    """A reaction with its rate constants. ``a + b >> c + d``; ``a + b | c + d`` is reversible. ``None`` is an empty
    side.

    Args:
        reactants, products: Species, sums of them, or ``None`` for nothing.
        k: The rate constant.
        r: The rate constant of the reverse reaction, if it is reversible.
        rate_constant_units, rate_constant_reverse_units: One of :class:`RateConstantUnits`, or its value as text.
        reversible: Whether the reverse reaction happens as well.
        rate_constant, rate_constant_reverse: Other names of ``k`` and ``r``.

    Raises:
        TypeError: A side or a rate has another type.
        ValueError: A rate is below 0, or the units are unknown.
    """

    reactants: Expression
    products: Expression
    rate_constant: float
    rate_constant_reverse: float
    rate_constant_units: RateConstantUnits
    rate_constant_reverse_units: RateConstantUnits
    reversible: bool

    def __init__(
        self,
        reactants: Specie | Expression | None,
        products: Specie | Expression | None,
        k: float = 1,
        r: float = 1,
        rate_constant_units: RateConstantUnits | str = RateConstantUnits.stochastic,
        rate_constant_reverse_units: RateConstantUnits | str = RateConstantUnits.stochastic,
        reversible: bool = False,
        *,
        rate_constant: float | None = None,
        rate_constant_reverse: float | None = None,
    ) -> None:
        self.reactants, self.products = _expression(reactants), _expression(products)
        self.rate_constant = _rate(k if rate_constant is None else rate_constant)
        self.rate_constant_reverse = _rate(r if rate_constant_reverse is None else rate_constant_reverse)
        self.rate_constant_units = _checked_units(len(self.reactants), rate_constant_units)
        self.rate_constant_reverse_units = _checked_units(len(self.products), rate_constant_reverse_units)
        self.reversible = bool(reversible)

    def k(
        self, coeff: float, units: RateConstantUnits | str = RateConstantUnits.stochastic
    ) -> Reaction:
        """Sets the rate constant, and returns the reaction.

        Raises:
            ValueError: A rate is below 0, or the units are unknown.
        """
        self.rate_constant_units = _checked_units(len(self.reactants), units)
        self.rate_constant = _rate(coeff)
        return self

    def r(
        self, coeff: float, units: RateConstantUnits | str = RateConstantUnits.stochastic
    ) -> Reaction:
        """Sets the rate constant of the reverse reaction, and returns the reaction.

        Raises:
            ValueError: The reaction is not reversible, the rate is below 0, or the units are unknown.
        """
        if not self.reversible:
            raise ValueError(f"{self} goes one way (accepted: reactants | products)")
        self.rate_constant_reverse_units = _checked_units(len(self.products), units)
        self.rate_constant_reverse = _rate(coeff)
        return self

    @property
    def rate_constant_stochastic(self) -> float:
        """The rate constant in stochastic units."""
        return _stochastic(self.rate_constant, len(self.reactants), self.rate_constant_units)

    @property
    def rate_constant_reverse_stochastic(self) -> float:
        """The rate constant of the reverse reaction in stochastic units."""
        return _stochastic(self.rate_constant_reverse, len(self.products), self.rate_constant_reverse_units)

    def is_unimolecular(self) -> bool:
        """Whether there is one reactant."""
        return len(self.reactants) == 1

    def is_bimolecular(self) -> bool:
        """Whether there are two reactants."""
        return len(self.reactants) == 2

    def num_reactants(self) -> int:
        """The number of reactants."""
        return len(self.reactants)

    def num_products(self) -> int:
        """The number of products."""
        return len(self.products)

    def is_conservative(self) -> bool:
        """Whether the numbers of reactants and products are equal."""
        return self.num_reactants() == self.num_products()

    def symmetric(self) -> bool:
        """Whether there are two reactants of one species."""
        return self.is_bimolecular() and len(self.reactants.get_species()) == 1

    def symmetric_products(self) -> bool:
        """Whether there are two products of one species."""
        return len(self.products) == 2 and len(self.products.get_species()) == 1

    def reactant_if_unimolecular(self) -> Specie:
        """The reactant.

        Raises:
            ValueError: there is not exactly one.
        """
        return self._molecules(self.reactants, 1, "reactant")[0]

    def product_if_unique(self) -> Specie:
        """The product.

        Raises:
            ValueError: there is not exactly one.
        """
        return self._molecules(self.products, 1, "product")[0]

    def reactants_if_bimolecular(self) -> tuple[Specie, Specie]:
        """The two reactants.

        Raises:
            ValueError: there are not exactly two.
        """
        first, second = self._molecules(self.reactants, 2, "reactants")
        return first, second

    def reactant_names_if_bimolecular(self) -> tuple[str, str]:
        """The names of the two reactants.

        Raises:
            ValueError: there are not exactly two.
        """
        first, second = self.reactants_if_bimolecular()
        return first.name, second.name

    def products_if_exactly_two(self) -> tuple[Specie, Specie]:
        """The two products.

        Raises:
            ValueError: there are not exactly two.
        """
        first, second = self._molecules(self.products, 2, "products")
        return first, second

    def product_names_if_exactly_two(self) -> tuple[str, str]:
        """The names of the two products.

        Raises:
            ValueError: there are not exactly two.
        """
        first, second = self.products_if_exactly_two()
        return first.name, second.name

    def _molecules(self, side: Expression, number: int, what: str) -> list[Specie]:
        if len(side) != number:
            raise ValueError(f"{self} has {len(side)} {what.rstrip('s')}s (accepted: {number})")
        return side.species

    def get_species(self) -> tuple[Specie, ...]:
        """The species that occur, in the order as written."""
        return tuple(dict.fromkeys(self.reactants.species + self.products.species))

    def __str__(self) -> str:
        back = f"({self.rate_constant_reverse})<" if self.reversible else ""
        return f"{self.reactants} {back}-->({self.rate_constant}) {self.products}"


def _rate(rate: float) -> float:
    if isinstance(rate, bool) or not isinstance(rate, (int, float)) and not hasattr(rate, "__float__"):
        raise TypeError(f"rate {rate!r} (accepted: a number)")
    if not math.isfinite(rate) or rate < 0:
        raise ValueError(f"rate {rate!r} (accepted: a finite number, 0 or more)")
    return rate


def _checked_units(molecules: int, units: RateConstantUnits | str) -> RateConstantUnits:
    try:
        checked = RateConstantUnits(units)
    except ValueError:
        accepted = ", ".join(f"RateConstantUnits.{one.name} or {one.value!r}" for one in RateConstantUnits)
        raise ValueError(f"units {units!r} of a rate constant (accepted: {accepted})") from None
    if checked is RateConstantUnits.mass_action and molecules == 1:
        raise ValueError("units mass_action of a reaction of one molecule (accepted: stochastic)")
    return checked


def _stochastic(rate: float, molecules: int, units: RateConstantUnits | str) -> float:
    if _checked_units(molecules, units) is RateConstantUnits.stochastic:
        return rate
    # Stochastic units count molecules: divide by Avogadro's number for each reactant but one.
    return rate * avogadro if molecules == 0 else rate / avogadro ** (molecules - 1)


def species_in_rxns(rxns: Iterable[Reaction]) -> list[Specie]:
    """The species of these reactions, in the order of first appearance."""
    return list(dict.fromkeys(one for reaction in rxns for one in reaction.get_species()))


def replace_reversible_rxns(rxns: Iterable[Reaction]) -> list[Reaction]:
    """The reactions with each reversible one replaced by two."""
    ways = []
    for reaction in rxns:
        ways.append(replace(reaction, reversible=False))
        if reaction.reversible:
            ways.append(
                Reaction(
                    reaction.products,
                    reaction.reactants,
                    reaction.rate_constant_reverse,
                    rate_constant_units=reaction.rate_constant_reverse_units,
                )
            )
    return ways


Pair = tuple[Specie, Specie]


def reactions_to_dict(
    reactions: Iterable[Reaction], n: int, volume: float, present: Iterable[Specie] = ()
) -> tuple[dict[Pair, dict[Pair, float]], float]:
    """Converts reactions to a rule of ordered pairs, and the largest rate of a pair.

    In a population of ``n`` with ``n * rate`` interactions in a unit of time every reaction happens at the rate that
    Gillespie's algorithm has in this volume: ``k a b / volume`` for two species, ``k a (a - 1) / (2 volume)`` for
    two molecules of one species, ``k a`` for one molecule. A molecule that reacts alone does so whatever it meets.
    ``present`` lists the species that occur in no reaction.

    Raises:
        ValueError: A reaction does not have one or two reactants and as many products, or all rates are 0.
    """
    ways = replace_reversible_rxns(reactions)
    all_species = list(dict.fromkeys([*species_in_rxns(ways), *present]))
    pairs: dict[Pair, dict[Pair, float]] = {}

    def add(reactants: Iterable[Specie], products: Iterable[Specie], rate: float) -> None:
        outcomes = pairs.setdefault(tuple(reactants), {})
        outcomes[tuple(products)] = outcomes.get(tuple(products), 0.0) + rate

    for reaction in ways:
        rate = _rate(reaction.rate_constant_stochastic)
        if reaction.num_reactants() not in (1, 2) or not reaction.is_conservative():
            raise ValueError(f"{reaction} (accepted: one or two reactants, and as many products)")
        reactants, products = reaction.reactants.species, reaction.products.species
        if reaction.is_unimolecular():
            for other in all_species:
                add([*reactants, other], [*products, other], rate)
            continue
        rate *= (n - 1) / (2 * volume)
        add(reactants, products, rate)
        if not reaction.symmetric():
            add(reversed(reactants), products, rate)
    largest = max((sum(outcomes.values()) for outcomes in pairs.values()), default=0.0)
    if largest <= 0:
        raise ValueError("no reaction with a rate (accepted: at least one rate above 0)")
    chances = {
        pair: {products: rate / largest for products, rate in outcomes.items() if rate > 0}
        for pair, outcomes in pairs.items()
    }
    return {pair: outcomes for pair, outcomes in chances.items() if outcomes}, largest
