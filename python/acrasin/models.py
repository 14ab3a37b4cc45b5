"""Conversion of models of other simulators to reactions: GillesPy2, StochKit and SBML."""

from __future__ import annotations

import ast
import dataclasses
import math
import operator
import os
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import numpy as np

from ._extras import need
from .crn import Expression, Reaction, Specie, avogadro
from .simulation import Simulation

__all__ = ["ReactionModel", "from_gillespy2", "from_sbml", "from_stochkit"]

#: Numbers of molecules at which a law is compared with mass action.
_POINTS = 8
#: The maximum relative difference between the two.
_TOLERANCE = 1e-9
#: The maximum length of an expression in characters.
_LONGEST = 4096

_OPERATORS: dict[type, Callable[..., Any]] = {
    ast.Add: operator.add, ast.Sub: operator.sub, ast.Mult: operator.mul, ast.Div: operator.truediv, ast.Pow: pow,
    ast.USub: operator.neg, ast.UAdd: operator.pos,
}
_FUNCTIONS: dict[str, Callable[..., Any]] = {
    "exp": math.exp, "ln": math.log, "log": math.log, "sqrt": math.sqrt, "abs": abs, "pow": pow, "min": min, "max": max,
}


@dataclasses.dataclass
class ReactionModel:
    """Reactions with their initial counts, as arguments of :class:`acrasin.Simulation`."""

    name: str
    init_config: dict[Specie, int]
    """Molecules at the start."""
    rxns: list[Reaction]
    """The reactions; rate constants are in stochastic units for ``volume``."""
    volume: float

    def simulation(self, **further: Any) -> Simulation:
        """A simulation of the model; ``further`` are arguments of :class:`acrasin.Simulation`."""
        return Simulation(self.init_config, self.rxns, **{"volume": self.volume, **further})


def evaluated(text: str, names: Mapping[str, float], what: str) -> float:
    """The value of an arithmetic expression.

    Raises:
        ValueError: The expression has more than numbers, known names, arithmetic and a few functions, or its value is
            not finite.
    """
    def refused(reason: str) -> ValueError:
        shown = text if len(text) <= 80 else text[:80] + "…"
        return ValueError(f"{what}: {reason} in {shown!r} (accepted: numbers, {', '.join(list(names)[:12])}, + - * / ^, {', '.join(_FUNCTIONS)})")

    def value(node: ast.AST) -> float:
        match node:
            case ast.Expression(body=body):
                return value(body)
            case ast.Constant(value=int() | float() as number) if not isinstance(number, bool):
                return float(number)
            case ast.Name(id=name):
                if name not in names:
                    raise refused(f"unknown name {name!r}")
                return float(names[name])
            case ast.BinOp(left=left, op=op, right=right) if type(op) in _OPERATORS:
                return _OPERATORS[type(op)](value(left), value(right))
            case ast.UnaryOp(op=op, operand=operand) if type(op) in _OPERATORS:
                return _OPERATORS[type(op)](value(operand))
            case ast.Call(func=ast.Name(id=name), args=arguments, keywords=[]) if name in _FUNCTIONS:
                return float(_FUNCTIONS[name](*map(value, arguments)))
        raise refused("something that is not arithmetic")

    if len(text) > _LONGEST:
        raise refused(f"{len(text)} characters")
    try:
        number = value(ast.parse(text.strip().replace("^", "**"), mode="eval"))
    except (SyntaxError, RecursionError, MemoryError):
        raise refused("what cannot be read") from None
    except (ArithmeticError, TypeError) as error:
        raise refused(str(error)) from None
    if isinstance(number, complex) or not math.isfinite(number):
        raise refused("a value that is not finite")
    return number


def mass_action_constant(
    law: Callable[[dict[Specie, int]], float], reactants: Mapping[Specie, int], kinds: list[Specie]
) -> float | None:
    """The rate constant of a law in volume 1, if the law is mass action; ``None`` for other laws. Accepted are a
    constant for each choice of reactants, and a constant times powers of their numbers, which agree for many
    molecules."""
    rng = np.random.default_rng(1)
    by_choices, by_powers = [], []
    for _ in range(_POINTS):
        counts = {one: int(rng.integers(5, 60)) for one in kinds}
        rate = law(counts)
        by_choices.append(rate / math.prod(math.comb(counts[one], times) for one, times in reactants.items()))
        by_powers.append(rate / math.prod(counts[one] ** times / math.factorial(times) for one, times in reactants.items()))
    for ratios in (by_choices, by_powers):
        if max(ratios) - min(ratios) <= _TOLERANCE * max(map(abs, ratios)):
            return float(np.mean(ratios))
    return None


def _reaction(
    name: str, law: Callable[[dict[Specie, int]], float], sides: tuple[dict[Specie, int], dict[Specie, int]], kinds: list[Specie]
) -> Reaction:
    constant = mass_action_constant(law, sides[0], kinds)
    if constant is None or constant < 0:
        raise ValueError(f"reaction {name!r} has another law than mass action (accepted: a constant times its reactants)")
    return Reaction(*(_side(side) for side in sides), k=constant)


def _side(side: Mapping[Specie, int]) -> Expression:
    return Expression([one for one, times in side.items() for _ in range(times)])


def _whole(value: Any, what: str) -> int:
    number = float(value)
    if not math.isfinite(number) or number < 0 or abs(number - round(number)) > 1e-6 * max(1.0, number) or number > 2**53:
        raise ValueError(f"{what} is {value!r} (accepted: a whole number from 0)")
    return round(number)


# ---- GillesPy2 ----


def from_gillespy2(model: Any) -> ReactionModel:
    """The reactions of a GillesPy2 model, with the propensities of its stochastic solvers.

    Raises:
        TypeError: The argument is not a GillesPy2 model.
        ValueError: A law is not mass action, a species is not discrete, or there are events or rules.
    """
    if not all(hasattr(model, kind) for kind in ("listOfSpecies", "listOfParameters", "listOfReactions")):
        raise TypeError(f"{type(model).__name__} (accepted: a gillespy2.Model)")
    for kind, name in (("listOfEvents", "events"), ("listOfAssignmentRules", "assignment rules"), ("listOfRateRules", "rate rules"),
                       ("listOfFunctionDefinitions", "functions")):
        if getattr(model, kind, None):
            raise ValueError(f"a model with {name} (accepted: reactions alone)")
    kinds = {name: Specie(name) for name in model.listOfSpecies}
    counts = {kinds[name]: _whole(one.initial_value, f"the initial value of {name}") for name, one in model.listOfSpecies.items()}
    volume = float(getattr(model, "volume", 1.0))
    names: dict[str, float] = {"vol": volume}
    for name, parameter in model.listOfParameters.items():
        names[name] = evaluated(str(parameter.expression), names, f"parameter {name}")
    reactions = []
    for name, one in model.listOfReactions.items():
        sides = tuple(
            {kinds[getattr(kind, "name", kind)]: _whole(times, f"a number of molecules in {name}") for kind, times in side.items()}
            for side in (one.reactants, one.products)
        )
        if getattr(one, "massaction", False):
            rate = evaluated(str(getattr(one.marate, "name", one.marate)), names, f"reaction {name}")
            # GillesPy2 omits the factor 1/2 for two molecules of one species: its rate is a (a - 1).
            twice = 2 if 2 in sides[0].values() else 1
            reactions.append(Reaction(*(_side(side) for side in sides), k=rate * twice))
            continue
        text = str(one.propensity_function)

        def law(numbers: dict[Specie, int], text: str = text, name: str = name) -> float:
            return evaluated(text, names | {kind.name: number for kind, number in numbers.items()}, f"reaction {name}")

        found = _reaction(name, law, sides, list(counts))
        # Convert the constant from volume 1 to the volume of the model.
        reactions.append(found.k(found.rate_constant * volume ** (found.num_reactants() - 1)))
    return _model(model.name, counts, reactions, volume)


# ---- StochKit ----


def _text_of(source: str | os.PathLike[str]) -> str:
    if isinstance(source, str) and source.lstrip().startswith("<"):
        return source
    return Path(source).read_text(encoding="utf-8-sig")


def from_stochkit(source: str | os.PathLike[str]) -> ReactionModel:
    """The reactions of a StochKit model, given by the path of its XML file or by its XML text.

    >>> from acrasin import species, stochkit_format
    >>> a, b = species("A B")
    >>> from_stochkit(stochkit_format([(2 * a >> b).k(3)], {a: 5})).rxns[0].rate_constant
    3.0

    Raises:
        FileNotFoundError: The file does not exist.
        ValueError: The XML cannot be read or is not a model, or a law is not mass action.
    """
    try:
        root = ElementTree.fromstring(_text_of(source))
    except ElementTree.ParseError as error:
        raise ValueError(f"XML that cannot be read: {error} (accepted: a model of StochKit)") from None
    if root.tag != "Model" or root.find("ReactionsList") is None or root.find("SpeciesList") is None:
        raise ValueError(f"XML with the root {root.tag!r} (accepted: Model with SpeciesList and ReactionsList)")

    def text(parent: ElementTree.Element, tag: str, what: str) -> str:
        found = (parent.findtext(tag) or "").strip()
        if not found:
            raise ValueError(f"{what} has no {tag} (accepted: a model of StochKit)")
        return found

    names: dict[str, float] = {}
    for parameter in root.iterfind("ParametersList/Parameter"):
        name = text(parameter, "Id", "a parameter")
        names[name] = evaluated(text(parameter, "Expression", f"parameter {name}"), names, f"parameter {name}")
    counts: dict[Specie, int] = {}
    for kind in root.iterfind("SpeciesList/Species"):
        name = text(kind, "Id", "a species")
        initial = evaluated(text(kind, "InitialPopulation", f"species {name}"), names, f"species {name}")
        counts[Specie(name)] = _whole(initial, f"the initial population of {name}")

    def side(reaction: ElementTree.Element, tag: str, name: str) -> dict[Specie, int]:
        found: dict[Specie, int] = {}
        for one in reaction.iterfind(f"{tag}/SpeciesReference"):
            kind = Specie(one.get("id") or "")
            if kind not in counts:
                raise ValueError(f"reaction {name!r} has the species {kind.name!r} (accepted: {', '.join(one.name for one in counts)})")
            times = _whole(one.get("stoichiometry", "1"), f"a number of molecules in {name}")
            found[kind] = found.get(kind, 0) + times
        return {kind: times for kind, times in found.items() if times}

    reactions = []
    for number, one in enumerate(root.iterfind("ReactionsList/Reaction")):
        name = (one.findtext("Id") or f"{number + 1}").strip()
        sides = (side(one, "Reactants", name), side(one, "Products", name))
        kind = (one.findtext("Type") or "mass-action").strip()
        if kind == "mass-action":
            rate = evaluated(text(one, "Rate", f"reaction {name}"), names, f"reaction {name}")
            reactions.append(Reaction(_side(sides[0]), _side(sides[1]), k=rate))
            continue
        formula = text(one, "PropensityFunction", f"reaction {name}")

        def law(numbers: dict[Specie, int], formula: str = formula, name: str = name) -> float:
            return evaluated(formula, names | {kind.name: number for kind, number in numbers.items()}, f"reaction {name}")

        reactions.append(_reaction(name, law, sides, list(counts)))
    return _model((root.findtext("Description") or "StochKit").strip(), counts, reactions, 1.0)


# ---- SBML ----


def from_sbml(source: str | os.PathLike[str]) -> ReactionModel:
    """The reactions of an SBML model, given by the path of its file or by its XML text. Requires python-libsbml.

    Kinetic laws must be mass action, or the difference of two such laws for a reversible reaction. Amounts are
    molecules, or moles if the model says so.

    Raises:
        ImportError: python-libsbml is not installed.
        FileNotFoundError: The file does not exist.
        ValueError: The XML is not a model, a law is not mass action, or there are rules, events or delays.
    """
    libsbml = need("libsbml", "from_sbml")
    document = libsbml.readSBMLFromString(_text_of(source))
    model = document.getModel()
    # libsbml reports a missing encoding as an error, although the default is UTF-8.
    errors = [
        error for error in _each(document.getNumErrors, document.getError)
        if error.getSeverity() >= libsbml.LIBSBML_SEV_ERROR and error.getErrorId() != libsbml.MissingXMLEncoding
    ]
    if errors or model is None:
        first = f"line {errors[0].getLine()}: {errors[0].getShortMessage()}" if errors else "there is no model"
        raise ValueError(f"SBML that cannot be read: {first} (accepted: a valid SBML model)")
    for number, what in (
        (model.getNumRules(), "rules"), (model.getNumEvents(), "events"), (model.getNumInitialAssignments(), "initial assignments"),
        (model.getNumConstraints(), "constraints"), (model.getNumFunctionDefinitions(), "functions"),
    ):
        if number:
            raise ValueError(f"a model with {number} {what} (accepted: reactions alone)")
    names: dict[str, float] = {}
    for one in _each(model.getNumCompartments, model.getCompartment):
        names[one.getId()] = one.getSize() if one.isSetSize() else 1.0
    for one in _each(model.getNumParameters, model.getParameter):
        names[one.getId()] = one.getValue()
    moles = _is_in_moles(model, libsbml)
    scale = avogadro if moles else 1.0
    kinds: dict[str, Specie] = {}
    in_law: dict[str, float] = {}
    counts: dict[Specie, int] = {}
    fixed: set[str] = set()
    for one in _each(model.getNumSpecies, model.getSpecies):
        name, size = one.getId(), names.get(one.getCompartment(), 1.0)
        if not size > 0:
            raise ValueError(f"compartment {one.getCompartment()!r} of size {size} (accepted: above 0)")
        kinds[name] = Specie(name)
        amount = one.getInitialAmount() if one.isSetInitialAmount() else one.getInitialConcentration() * size
        if math.isnan(amount):
            raise ValueError(f"species {name!r} has no initial amount (accepted: an amount or a concentration)")
        counted = amount * scale
        # Concentrations are rounded, because they are rarely whole numbers of molecules.
        counts[kinds[name]] = round(counted) if moles or one.isSetInitialConcentration() else _whole(counted, f"the initial amount of {name}")
        # The value of one molecule in a law, by the name of its species.
        in_law[name] = 1 / scale if one.getHasOnlySubstanceUnits() else 1 / (scale * size)
        if one.getConstant() or one.getBoundaryCondition():
            fixed.add(name)
    reactions = []
    for one in _each(model.getNumReactions, model.getReaction):
        name, kinetic = one.getId(), one.getKineticLaw()
        if kinetic is None:
            raise ValueError(f"reaction {name!r} has no kinetic law (accepted: mass action)")
        sides = tuple(
            _molecules(name, [side(number) for number in range(length)], kinds)
            for side, length in ((one.getReactant, one.getNumReactants()), (one.getProduct, one.getNumProducts()))
        )
        # A species with a constant amount is on both sides.
        for kind in {kind for side in sides for kind in side if kind.name in fixed}:
            most = max(side.get(kind, 0) for side in sides)
            for side in sides:
                side[kind] = most
        own = names | {local.getId(): local.getValue() for local in _locals(kinetic)}
        tree = kinetic.getMath()
        two_ways = one.getReversible() and tree.getType() == libsbml.AST_MINUS and tree.getNumChildren() == 2
        for part, way in zip((tree.getChild(0), tree.getChild(1)) if two_ways else (tree,), (sides, sides[::-1])):
            formula = libsbml.formulaToL3String(part)

            def law(numbers: dict[Specie, int], formula: str = formula, own: dict[str, float] = own, name: str = name) -> float:
                amounts = {kind.name: number * in_law[kind.name] for kind, number in numbers.items()}
                return scale * evaluated(formula, own | amounts, f"reaction {name}")

            reactions.append(_reaction(name, law, way, list(counts)))
    return _model(model.getName() or model.getId() or "SBML", counts, reactions, 1.0)


def _model(name: str, counts: dict[Specie, int], reactions: list[Reaction], volume: float) -> ReactionModel:
    """The model, if it has reactions. A file of another kind has no known reactions and is refused."""
    if not reactions:
        raise ValueError(f"model {name!r} has {len(counts)} species and no reactions (accepted: one reaction or more)")
    return ReactionModel(name, counts, reactions, volume)


def _each(number: Callable[[], int], of: Callable[[int], Any]) -> list[Any]:
    return [of(place) for place in range(number())]


def _locals(kinetic: Any) -> list[Any]:
    return [
        *_each(kinetic.getNumParameters, kinetic.getParameter),
        *_each(kinetic.getNumLocalParameters, kinetic.getLocalParameter),
    ]


def _molecules(reaction: str, references: list[Any], kinds: dict[str, Specie]) -> dict[Specie, int]:
    side: dict[Specie, int] = {}
    for one in references:
        if one.getSpecies() not in kinds:
            raise ValueError(f"reaction {reaction!r} has the species {one.getSpecies()!r} (accepted: {', '.join(kinds)})")
        if one.isSetStoichiometryMath():
            raise ValueError(f"reaction {reaction!r} has a stoichiometry that is a formula (accepted: a whole number)")
        kind = kinds[one.getSpecies()]
        times = one.getStoichiometry()
        side[kind] = side.get(kind, 0) + _whole(1 if math.isnan(times) else times, f"a stoichiometry in {reaction!r}")
    return side


def _is_in_moles(model: Any, libsbml: Any) -> bool:
    """Whether amounts are in moles; by default they are numbers of molecules."""
    unit = model.getSubstanceUnits() or "substance"
    definition = model.getUnitDefinition(unit)
    if definition is None:
        return unit == "mole"
    parts = [definition.getUnit(number) for number in range(definition.getNumUnits())]
    moles = [part for part in parts if part.getKind() in (libsbml.UNIT_KIND_MOLE,)]
    if moles and (len(parts) != 1 or parts[0].getScale() != 0 or parts[0].getMultiplier() != 1 or parts[0].getExponent() != 1):
        raise ValueError(f"amounts in the unit {unit!r} (accepted: items, or moles)")
    return bool(moles)
