"""Checks of protocols for every input and every schedule."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Iterable, Mapping
from typing import Any, Literal, overload

from . import _acrasin
from .chemistry import specie_of
from .crn import reactions_to_dict, species_in_rxns
from .arguments import checked_memory, checked_whole
from .memory import half_of_memory
from .rules import State, TooManyStates, compile_rule, reactions_of

__all__ = ["CheckReport", "Counterexample", "EverySizeReport", "check"]

#: The maximum number of states of a checked rule: the rule is called for each ordered pair of states.
MANY_CHECKED = 1024


@dataclasses.dataclass(frozen=True)
class Counterexample:
    """An input for which the claim does not hold, with a shortest run that shows it."""

    input: dict[State, int]
    """How many agents start in which state."""
    value: bool
    """The value of the predicate for the input; true for a claim about the end."""
    run: list[tuple[tuple[State, State], tuple[State, State]]]
    """The interactions: initiator and responder before and after."""
    end: dict[State, int]
    """The configuration in which the run enters a set of configurations that it never leaves."""
    wrong: dict[State, int]
    """A wrong configuration of that set."""
    silent: bool
    """Whether no interaction can change a state there."""
    component: int
    """How many configurations the set has."""
    text: str
    """The same in words, as ``acrasin check`` prints it."""

    def __str__(self) -> str:
        return self.text


@dataclasses.dataclass(frozen=True)
class CheckReport:
    """The result of a check; true if the claim holds for every input."""

    outcome: str
    """``'holds'``, ``'fails'``, or ``'truncated'``: the memory ended first, and nothing wrong was found."""
    inputs: int
    """Inputs that were explored in whole."""
    configurations: int
    """Configurations of all of them."""
    counterexample: Counterexample | None = None
    """Of a claim that fails."""

    def __bool__(self) -> bool:
        return self.outcome == "holds"


@dataclasses.dataclass(frozen=True)
class EverySizeReport:
    """The verdict on a claim about every population size; true if it is proved."""

    outcome: str
    """``'proved'``, ``'refuted'``, or ``'unknown'``: neither a proof nor a counterexample was found."""
    certificate: str | None = None
    """The proof as JSON, which ``acrasin check-certificate`` reads."""
    explanation: str | None = None
    """The proof in words; of a claim without a verdict, what is missing."""
    picture: str | None = None
    """The tree of the proof as SVG; None if it is too large to be drawn."""
    growth: str | None = None
    """An upper bound on the growth of the mean number of interactions until all agents are correct permanently, such as
    ``'O(n^2)'``."""
    bound: str | None = None
    """An upper bound on this number for n agents, such as ``'(n - 1)^2'``; None if the constant is not known."""
    counterexample: Counterexample | None = None
    """Of a claim that is refuted."""
    smallest: bool | None = None
    """Of a claim that is refuted: whether no smaller population is a counterexample."""
    explored: int | None = None
    """Of a claim without a verdict: no population of up to so many agents is wrong."""

    def __bool__(self) -> bool:
        return self.outcome == "proved"


@overload
def check(
    rule: Any,
    inputs: Iterable[State],
    predicate: str | None = ...,
    *,
    eventually: str | None = ...,
    given: str | None = ...,
    outputs: Mapping[State, Any] | Callable[[State], Any] | None = ...,
    yes: Iterable[Any] = ...,
    no: Iterable[Any] = ...,
    up_to: int = ...,
    sizes: None = ...,
    transition_order: str = ...,
    memory: int | None = ...,
    **kwargs: Any,
) -> CheckReport: ...


@overload
def check(
    rule: Any,
    inputs: Iterable[State],
    predicate: str | None = ...,
    *,
    eventually: str | None = ...,
    given: str | None = ...,
    outputs: Mapping[State, Any] | Callable[[State], Any] | None = ...,
    yes: Iterable[Any] = ...,
    no: Iterable[Any] = ...,
    up_to: int = ...,
    sizes: Literal["all"],
    transition_order: str = ...,
    memory: int | None = ...,
    **kwargs: Any,
) -> EverySizeReport: ...


def check(
    rule: Any,
    inputs: Iterable[State],
    predicate: str | None = None,
    *,
    eventually: str | None = None,
    given: str | None = None,
    outputs: Mapping[State, Any] | Callable[[State], Any] | None = None,
    yes: Iterable[Any] = ("yes", "True"),
    no: Iterable[Any] = ("no", "False"),
    up_to: int = 8,
    sizes: str | None = None,
    transition_order: str = "symmetric",
    memory: int | None = None,
    **kwargs: Any,
) -> CheckReport | EverySizeReport:
    """Checks whether a protocol computes a predicate, for all inputs of 2 to ``up_to`` agents and every fair schedule.

    Args:
        rule: A rule as for :class:`acrasin.Simulation`.
        inputs: The possible initial states of agents.
        predicate: A predicate on the counts of the input, such as ``'A > B'``. Every agent must eventually have the
            output that says whether the predicate holds.
        eventually: Instead of ``predicate``, a predicate on the final counts, such as ``'L = 1'``.
        given: Check only inputs for which this predicate holds.
        outputs: The output of each state, as a dict or a function. By default each state is its own output.
        yes, no: The outputs that mean that the predicate holds, and that it does not hold.
        up_to: The size of the largest population.
        sizes: ``'all'`` for a proof for every population of two or more agents, or a smallest counterexample; the result
            is an :class:`EverySizeReport`, and ``up_to`` and ``memory`` have no effect.
        memory: The maximum number of bytes of one exploration. By default half of the machine's memory.

    Raises:
        TypeError, ValueError: An argument is invalid; the message says what is accepted.

    >>> rule = {("L", "L"): ("L", "F")}
    >>> bool(check(rule, ["L"], eventually="L = 1", up_to=6))
    True
    >>> print(check(rule, ["L"], eventually="L = 2", up_to=2).counterexample.end)
    {'F': 1, 'L': 1}
    >>> check(rule, ["L"], eventually="L = 1", sizes="all").bound
    '(n - 1)^2'
    """
    if sizes not in (None, "all"):
        raise ValueError(f"sizes {sizes!r} (accepted: 'all', or None for sizes of 2 to up_to)")
    up_to = checked_whole("up_to", up_to, 2, 2**31)
    starts = list(inputs)
    if not starts:
        raise ValueError("no inputs (accepted: at least one state)")
    reactions = reactions_of(rule)
    if reactions is not None:
        # All positive rates are equivalent, because every schedule is explored.
        starts = [specie_of(state, {one.name: one for one in species_in_rxns(reactions)}) for state in starts]
        rule, _ = reactions_to_dict(reactions, 2, 1, starts)
        transition_order = "asymmetric"
    try:
        compiled = compile_rule(rule, kwargs, starts, transition_order, most=MANY_CHECKED)
    except TooManyStates:
        raise ValueError(
            f"more than {MANY_CHECKED} states can be reached from the inputs (accepted: fewer; a bound in the rule)"
        ) from None
    if outputs is None:
        named = compiled.names
    else:
        of = outputs if callable(outputs) else lambda state: outputs.get(state, state)
        named = [str(of(state)) for state in compiled.states]
    table = compiled.table(list(named))
    claim = _Claim(predicate, eventually, given, _present(yes, named), _present(no, named))
    if predicate is not None and not (claim.yes or claim.no):
        raise ValueError(
            f"no output means yes or no: {sorted(set(named))} (accepted: yes=[...], no=[...], of these)"
        )
    numbers = [compiled.numbers[state] for state in dict.fromkeys(starts)]
    if sizes == "all":
        found = _acrasin.prove_every_size(table, numbers, claim)
    else:
        most = checked_memory(memory) or half_of_memory()
        found = _acrasin.check(table, numbers, claim, list(range(2, up_to + 1)), most)
    counterexample = None
    if "run" in found:

        def counts(array: Iterable[int]) -> dict[State, int]:
            return {state: count for state, count in zip(compiled.states, array) if count}

        def pair(numbers: Iterable[int]) -> tuple[State, State]:
            a, b = numbers
            return compiled.states[a], compiled.states[b]

        counterexample = Counterexample(
            input=counts(found["input"]),
            value=found["value"],
            run=[(pair(before), pair(after)) for before, after in found["run"]],
            end=counts(found["entered"]),
            wrong=counts(found["wrong"]),
            silent=found["is_silent"],
            component=found["component"],
            text=found["text"],
        )
    if sizes == "all":
        of_proof = ("certificate", "explanation", "picture", "growth", "bound", "smallest", "explored")
        return EverySizeReport(
            outcome=found["outcome"], counterexample=counterexample, **{name: found.get(name) for name in of_proof}
        )
    return CheckReport(found["outcome"], found["inputs"], found["configurations"], counterexample)


@dataclasses.dataclass
class _Claim:
    predicate: str | None
    eventually: str | None
    given: str | None
    yes: list[str]
    no: list[str]


def _present(outputs: Iterable[Any], named: Iterable[str]) -> list[str]:
    there = set(named)
    return [str(output) for output in outputs if str(output) in there]
