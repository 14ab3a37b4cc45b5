"""Conversion of all forms of rules to one table: numbered states, and one outcome or several with chances for each
ordered pair."""

from __future__ import annotations

import copy
import dataclasses
import math
import re
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping
from fractions import Fraction
from typing import Any, Union

import numpy as np

from . import _acrasin
from .crn import Reaction

State = Hashable
Output = Any
#: Names for type annotations.
TransitionFunction = Callable[[State, State], Output]
SpeciePair = tuple[Any, Any]
InitialCondition = dict[State, int]
ConvergenceDetector = Callable[[InitialCondition], bool]
Rule = Union[TransitionFunction, Mapping[tuple[State, State], Output], Iterable[Any]]

#: The maximum sum of the weights of the outcomes of a pair.
_WEIGHTS = 2**32 - 1
#: The maximum relative error of the chance of an outcome.
_TOLERANCE = 1e-6
#: The number of states with which each new state is tried first.
_PROBED = 4
#: The maximum number of states of a table.
MAX_STATES = 4096
#: The maximum number of states that are enumerated in advance, if they could also be discovered during the run.
MANY_STATES = 512


def natural(state: State) -> list[Any]:
    """A key that sorts ``A2`` before ``A10``."""
    parts = re.split(r"([0-9]+)", repr(state))
    return [(0, int(part), "") if part.isdigit() else (1, 0, part) for part in parts if part]


def reactions_of(rule: Any) -> list[Reaction] | None:
    """The reactions, if the rule is a list of reactions.

    Raises:
        TypeError: The list is empty, or contains something else.
    """
    if isinstance(rule, Mapping) or callable(rule):
        return None
    try:
        listed = list(rule)
    except TypeError:
        return None
    if not listed:
        raise TypeError("a rule that is an empty list (accepted: a dict of pairs, a function of two states, or reactions)")
    if all(isinstance(one, Reaction) for one in listed):
        return listed
    raise TypeError(
        "a rule that is a list of something else than reactions (accepted: a dict of pairs, a function of two "
        "states, or a list of reactions)"
    )


def of_rule(rule: Any, kwargs: Mapping[str, Any]) -> Callable[[State, State], Output]:
    """The rule as a function of two states. It returns an output, or ``None`` if nothing changes.

    Raises:
        TypeError: The rule is neither a mapping nor a function.
    """
    if isinstance(rule, Mapping):
        if kwargs:
            raise TypeError(
                f"{sorted(kwargs)} with a rule that is no function (accepted: no further arguments)"
            )
        for pair in rule:
            if not isinstance(pair, tuple) or len(pair) != 2:
                raise ValueError(f"the rule has the key {pair!r} (accepted: pairs of states)")
        return lambda a, b: rule.get((a, b))
    if not callable(rule):
        raise TypeError(
            f"a rule of type {type(rule).__name__} (accepted: a dict of pairs, a function of two "
            "states, or a list of reactions)"
        )

    def called(a: State, b: State) -> Output:
        # A rule may modify its arguments and return nothing, so it gets copies of mutable ones.
        if dataclasses.is_dataclass(a) or dataclasses.is_dataclass(b):
            a, b = copy.copy(a), copy.copy(b)
            output = rule(a, b, **kwargs)
            return (a, b) if output is None else output
        return rule(a, b, **kwargs)

    return called


def _outcomes(a: State, b: State, output: Output) -> dict[tuple[State, State], float]:
    """The outcomes of the pair with their chances, which sum to 1."""
    if output is None:
        return {(a, b): 1.0}
    if isinstance(output, Mapping):
        chances: dict[tuple[State, State], float] = {}
        for pair, chance in output.items():
            _check_pair(a, b, pair)
            if isinstance(chance, bool) or not isinstance(chance, (int, float, np.number, Fraction)):
                raise TypeError(f"the rule gives {chance!r} as a chance (accepted: a number)")
            if not math.isfinite(chance) or chance < 0:
                raise ValueError(
                    f"the rule gives {(a, b)!r} -> {pair!r} the chance {chance!r} (accepted: 0 to 1)"
                )
            if chance > 0:
                chances[pair] = chances.get(pair, 0.0) + float(chance)
        total = math.fsum(chances.values())
        if total > 1 + 2**-20:
            raise ValueError(
                f"the chances of {(a, b)!r} sum to {total!r} (accepted: at most 1; the rest changes "
                "nothing)"
            )
        if 1 - total > 2**-40:
            chances[(a, b)] = chances.get((a, b), 0.0) + (1 - total)
        return chances
    _check_pair(a, b, output)
    return {tuple(output): 1.0}


def _check_pair(a: State, b: State, pair: Any) -> None:
    if not isinstance(pair, (tuple, list)) or len(pair) != 2:
        raise TypeError(
            f"the rule gives {pair!r} for {(a, b)!r} (accepted: a pair of states, a dict of pairs with "
            "their chances, or None)"
        )
    for state in pair:
        try:
            hash(state)
        except TypeError:
            raise TypeError(f"the state {state!r} cannot be hashed (accepted: hashable states)") from None


def weights(chances: list[float]) -> list[int]:
    """Whole numbers in proportion to the chances, with a sum below 2^32.

    Chances with a small denominator are exact, others have a relative error of at most a millionth.

    Raises:
        ValueError: A chance is too small for that.
    """
    fractions = [Fraction(chance).limit_denominator(10**6) for chance in chances]
    if all(abs(float(f) - c) <= 1e-14 * c for f, c in zip(fractions, chances)):
        common = math.lcm(*(f.denominator for f in fractions))
        whole = [int(f * common) for f in fractions]
        if min(whole) > 0 and sum(whole) <= _WEIGHTS:
            divisor = math.gcd(*whole)
            return [w // divisor for w in whole]
    total = math.fsum(chances)
    scale = (_WEIGHTS - len(chances)) / total
    whole = [round(chance * scale) for chance in chances]
    for got, chance in zip(whole, chances):
        if abs(got / scale - chance) > _TOLERANCE * chance:
            raise ValueError(
                f"the chance {chance!r} is too small compared with the others (accepted: 2e-4 and more, or fractions of "
                "a denominator up to 10^6)"
            )
    return whole


#: Outcomes with their chances, by ordered pair of numbers.
Chances = dict[tuple[int, int], dict[tuple[int, int], float]]


@dataclasses.dataclass
class Compiled:
    """A rule on all reachable states."""

    states: list[State]
    numbers: dict[State, int]
    names: list[str]
    outcomes: Chances
    """Of each ordered pair that may change something: outcomes and their chances."""
    of_places: Chances | None = None
    """The same table for agents with positions, if it differs: two agents that exchange their states change something."""

    def of(self, pair: tuple[int, int]) -> dict[tuple[int, int], float]:
        """The outcomes of a pair of numbers with their chances."""
        return self.outcomes.get(pair, {pair: 1.0})

    def weighted(self, have_places: bool = False) -> Iterator[tuple[int, int, list[tuple[int, int, int]]]]:
        """The outcomes with whole weights, for each ordered pair that may change something."""
        chances = self.of_places if have_places and self.of_places is not None else self.outcomes
        for (a, b), outcomes in chances.items():
            drawn = [1] if len(outcomes) == 1 else weights(list(outcomes.values()))
            yield a, b, [(weight, c, d) for weight, (c, d) in zip(drawn, outcomes)]

    def table(self, outputs: list[str] | None = None) -> _acrasin.Table:
        """The table for the engines."""
        q = len(self.states)
        grid = np.indices((q, q), dtype=np.uint16)
        cells = np.stack([grid[0].ravel(), grid[1].ravel()], axis=1)
        lotteries = []
        for a, b, drawn in self.weighted():
            if len(drawn) == 1:
                cells[a * q + b] = drawn[0][1:]
            else:
                lotteries.append((a, b, drawn))
        return _acrasin.Table(self.names, outputs or self.names, cells, lotteries)


class TooManyStates(ValueError):
    """Raised if more states are reachable than the limit; ``outputs`` has the results of the rule so far."""

    def __init__(self, most: int, outputs: dict[tuple[State, State], dict[tuple[State, State], float]]) -> None:
        super().__init__(
            f"more than {most} states can be reached (accepted: fewer; a smaller start, a bound in the rule, or "
            "lazy=True, which discovers the states during the run)"
        )
        self.outputs = outputs


def reachable(
    start: Iterable[State], function: Callable[[State, State], Output], most: int | None = None
) -> tuple[list[State], dict[tuple[State, State], dict[tuple[State, State], float]]]:
    """All reachable states, and the outcomes of each ordered pair with their chances. The function is called once per
    pair.

    Raises:
        ValueError: There are more than ``most`` or :data:`MAX_STATES` states.
    """
    most = MAX_STATES if most is None else most
    outputs: dict[tuple[State, State], dict[tuple[State, State], float]] = {}
    known: dict[State, None] = dict.fromkeys(start)
    first = list(known)[:_PROBED]

    def ask(pair: tuple[State, State]) -> list[State]:
        """The states that a first call of the rule for this pair discovers."""
        if pair in outputs:
            return []
        outputs[pair] = outcomes = _outcomes(*pair, function(*pair))
        found = [new for outcome in outcomes for new in outcome if new not in known]
        known.update(dict.fromkeys(found))
        return found

    # Each new state is tried with a few others first. An unbounded rule is then refused before it is called for all
    # pairs of
    # thousands of states.
    probed: list[State] = []
    waiting = list(known)
    while waiting:
        state = waiting.pop()
        for other in dict.fromkeys([state, *first, *probed[-_PROBED:]]):
            for pair in dict.fromkeys([(state, other), (other, state)]):
                waiting.extend(ask(pair))
        probed.append(state)
        if len(known) > most:
            raise TooManyStates(most, outputs)
    met: list[State] = []
    waiting = list(known)
    while waiting:
        state = waiting.pop(0)
        met.append(state)
        for other in met:
            for pair in dict.fromkeys([(state, other), (other, state)]):
                waiting.extend(ask(pair))
                if len(known) > most:
                    raise TooManyStates(most, outputs)
    return met, outputs


def names_of(states: list[State]) -> list[str]:
    """The names of states in tables and predicates: ``str`` of the state if that is a valid name, otherwise ``s0``,
    ``s1``, ..."""
    names = [re.sub(r"\s+", "", str(state)) for state in states]
    sound = [
        bool(name) and len(name) <= 64 and "+" not in name and "->" not in name and name.isprintable()
        for name in names
    ]
    seen: dict[str, int] = {}
    for name in names:
        seen[name] = seen.get(name, 0) + 1
    return [
        name if is_sound and seen[name] == 1 else f"s{number}"
        for number, (name, is_sound) in enumerate(zip(names, sound))
    ]


def checked_order(transition_order: Any) -> str:
    """The transition order in lower case.

    Raises:
        ValueError: The order is unknown.
    """
    order = transition_order.lower() if isinstance(transition_order, str) else transition_order
    if order not in ("symmetric", "asymmetric", "symmetric_enforced"):
        raise ValueError(
            f"transition_order={transition_order!r} (accepted: 'symmetric', 'asymmetric', 'symmetric_enforced')"
        )
    return order


def compile_rule(
    rule: Any,
    kwargs: Mapping[str, Any],
    start: Iterable[State],
    transition_order: str,
    agents_have_places: bool = False,
    most: int | None = None,
) -> Compiled:
    """Compiles a rule of any form for populations that start with these states. Without positions, two agents that
    exchange their states change nothing.

    Raises:
        TypeError: A rule, an output or a chance has another type.
        ValueError: Chances are too large, there are too many states, or the two orders of a pair contradict each other.
    """
    order = checked_order(transition_order)
    function = of_rule(rule, kwargs)
    start = list(start)
    if isinstance(rule, Mapping):
        for pair, output in rule.items():
            start.extend(pair)
            for outcome in _outcomes(*pair, output):
                start.extend(outcome)
    states, outputs = reachable(start, function, most)
    states.sort(key=natural)
    numbers = {state: number for number, state in enumerate(states)}
    changing: Chances = {}
    for (a, b), chances in outputs.items():
        pair = (numbers[a], numbers[b])
        found: dict[tuple[int, int], float] = {}
        for (c, d), chance in chances.items():
            after = (numbers[c], numbers[d])
            found[after] = found.get(after, 0.0) + chance
        if set(found) != {pair}:
            changing[pair] = found

    def exchanges(pair: tuple[int, int], found: dict[tuple[int, int], float]) -> bool:
        return pair[::-1] in found and set(found) <= {pair, pair[::-1]}

    of_places = None
    if not agents_have_places and any(exchanges(*item) for item in changing.items()):
        # The two orders may differ if one of them is an exchange, which changes nothing for agents without positions.
        of_places = _in_both_orders(changing, states, "asymmetric" if order == "asymmetric" else "symmetric")
        changing = {pair: found for pair, found in changing.items() if not exchanges(pair, found)}
    return Compiled(states, numbers, names_of(states), _in_both_orders(changing, states, order), of_places)


def _in_both_orders(changing: Chances, states: list[State], order: str) -> Chances:
    """The sorted table with the results that one order of a pair implies for the other."""
    outcomes = dict(changing)
    if order != "asymmetric":
        for (a, b), found in changing.items():
            mirrored = {(d, c): chance for (c, d), chance in found.items()}
            if (b, a) not in outcomes:
                outcomes[b, a] = mirrored
            elif order == "symmetric_enforced" and a < b:
                other = outcomes[b, a]
                if _unordered(other) != _unordered(found):
                    raise ValueError(
                        f"{(states[a], states[b])!r} and {(states[b], states[a])!r} come to different outcomes "
                        "(accepted: the same, or transition_order='symmetric')"
                    )
    return dict(sorted(outcomes.items()))


def _unordered(outcomes: dict[tuple[int, int], float]) -> dict[tuple[int, ...], float]:
    sums: dict[tuple[int, ...], float] = {}
    for pair, chance in outcomes.items():
        key = tuple(sorted(pair))
        sums[key] = round(sums.get(key, 0.0) + chance, 12)
    return sums
