"""Rules whose states are discovered during a run: a state gets its number when it first occurs."""

from __future__ import annotations

import weakref
from collections.abc import Callable, Iterable, Mapping
from typing import Any

from . import _acrasin
from .rules import Output, State, _outcomes, _unordered, of_rule, weights

__all__ = ["Found"]

#: The maximum number of agents; each has its state in memory.
MAX_AGENTS = 2**28

Chances = dict[tuple[State, State], float]
Listed = list[tuple[int, int, int]]


class Found:
    """A rule that is called once for each ordered pair of states, when the two first meet.

    Python and the engine share the known results, and so do simulations derived from each other (samples, trials). The
    numbers of states depend on the start and on the order of calls; no result depends on them.
    """

    def __init__(
        self,
        rule: Any,
        kwargs: Mapping[str, Any],
        start: Iterable[State],
        order: str,
        agents_have_places: bool,
        known: dict[tuple[State, State], Chances] | None = None,
    ) -> None:
        self._made_of = (rule, dict(kwargs), order, agents_have_places)
        self.states: list[State] = []
        self.numbers: dict[State, int] = {}
        self._known = known or {}
        for state in start:
            self.number(state)
        self._set_up()

    def _set_up(self) -> None:
        rule, kwargs, self._order, self._agents_have_places = self._made_of
        self._function: Callable[[State, State], Output] = of_rule(rule, kwargs)
        # The engine has a weak reference to the rule: a reference cycle would never be freed.
        this = weakref.ref(self)
        self.met = _acrasin.Met(lambda a, b, reverse: this()._ask(a, b, reverse))

    def number(self, state: State) -> int:
        """The number of a state; a new state gets the next number."""
        number = self.numbers.setdefault(state, len(self.states))
        if number == len(self.states):
            self.states.append(state)
        return number

    # ---- Calls from the engine ----

    def _said(self, a: State, b: State) -> Chances | None:
        """The result of the rule for a pair; ``None`` if nothing changes."""
        chances = self._known.pop((a, b), None)
        if chances is None:
            chances = _outcomes(a, b, self._function(a, b))
        nothing = {(a, b)} if self._agents_have_places else {(a, b), (b, a)}
        return None if set(chances) <= nothing else chances

    def _listed(self, chances: Chances) -> Listed:
        pairs = list(chances)
        drawn = [1] if len(pairs) == 1 else weights([chances[pair] for pair in pairs])
        return [(weight, self.number(c), self.number(d)) for weight, (c, d) in zip(drawn, pairs)]

    def _ask(self, a: int, b: int, reverse: Listed | None) -> tuple[Listed, Listed | None]:
        nothing, nothing_back = [(1, a, b)], [(1, b, a)]
        first, second = self.states[a], self.states[b]
        own = self._said(first, second)
        if a == b or self._order == "asymmetric":
            return (nothing if own is None else self._listed(own)), None
        if self._order == "symmetric":
            if own is not None:
                return self._listed(own), None
            if reverse is not None:
                # The known result of the other order came from the rule itself.
                return [(weight, d, c) for weight, c, d in reverse], None
        other = self._said(second, first)
        if own is None and other is None:
            return nothing, nothing_back
        if own is None:
            listed = self._listed(other)
            return [(weight, d, c) for weight, c, d in listed], listed
        if other is not None:
            for chances in (own, other):
                for pair in chances:
                    self.number(pair[0]), self.number(pair[1])
            both = [
                _unordered({(self.numbers[c], self.numbers[d]): chance for (c, d), chance in chances.items()})
                for chances in (own, other)
            ]
            if both[0] != both[1]:
                raise ValueError(
                    f"{(first, second)!r} and {(second, first)!r} have different outcomes (accepted: the same, or "
                    "transition_order='symmetric')"
                )
            return self._listed(own), self._listed(other)
        listed = self._listed(own)
        return listed, [(weight, d, c) for weight, c, d in listed]

    # ---- Calls from simulations ----

    def of(self, pair: tuple[int, int]) -> dict[tuple[int, int], float]:
        """The outcomes of a pair of numbers with their chances. The rule is called if they are not known."""
        return _chances(self.met.outcomes(*pair))

    @property
    def outcomes(self) -> dict[tuple[int, int], dict[tuple[int, int], float]]:
        """The outcomes with their chances, for each known ordered pair that may change something."""
        known = ((pair, _chances(listed)) for pair, listed in self.met.known(len(self.states)))
        return {pair: chances for pair, chances in known if set(chances) != {pair}}

    def __getstate__(self) -> dict[str, Any]:
        known = self.met.known(len(self.states))
        return {"made_of": self._made_of, "states": self.states, "asked": known, "known": self._known}

    def __setstate__(self, state: dict[str, Any]) -> None:
        self._made_of, self.states, self._known = state["made_of"], state["states"], state["known"]
        self.numbers = {one: number for number, one in enumerate(self.states)}
        self._set_up()
        self.met.learn(state["asked"])


def _chances(listed: Listed) -> dict[tuple[int, int], float]:
    total = sum(weight for weight, _, _ in listed)
    chances: dict[tuple[int, int], float] = {}
    for weight, c, d in listed:
        chances[c, d] = chances.get((c, d), 0.0) + weight / total
    return chances
