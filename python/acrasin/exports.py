"""Reactions for other simulators: GillesPy2, StochKit and gpac."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping
from typing import Any
from xml.etree import ElementTree

from . import _acrasin
from ._extras import need
from .crn import Reaction, Specie, replace_reversible_rxns, species_in_rxns

__all__ = ["gillespy2_format", "gpac_format", "stochkit_format", "write_stochkit_file"]


def _checked(rxns: Iterable[Reaction], init_config: Mapping[Specie, int]) -> list[Reaction]:
    reactions = list(rxns) if isinstance(rxns, Iterable) else []
    if not reactions or not all(isinstance(one, Reaction) for one in reactions):
        raise TypeError(f"reactions {rxns!r} (accepted: one reaction or more, in a list)")
    if not isinstance(init_config, Mapping) or not all(isinstance(one, Specie) for one in init_config):
        raise TypeError(f"a configuration {init_config!r} (accepted: a dict of species and counts)")
    return reactions


def gillespy2_format(init_config: Mapping[Specie, int], rxns: Iterable[Reaction], volume: float = 1.0) -> Any:
    """The reactions as a model of GillesPy2 with the same rates: ``k a b / volume``, ``k a (a - 1) / (2 volume)``, ``k
    a``.

    Raises:
        ImportError: gillespy2 is not installed.
        TypeError: There are no reactions, or a state of the configuration is not a species.
    """
    ways = replace_reversible_rxns(_checked(rxns, init_config))
    gillespy2 = need("gillespy2", "gillespy2_format")
    model = gillespy2.Model(name="CRN")
    model.volume = volume
    kinds = {
        one: gillespy2.Species(name=one.name, initial_value=int(init_config.get(one, 0)))
        for one in dict.fromkeys([*species_in_rxns(ways), *init_config])
    }
    model.add_species(list(kinds.values()))
    for number, way in enumerate(ways):
        # GillesPy2 omits the factor 1/2 for two molecules of one species: its rate is a (a - 1).
        constant = way.rate_constant_stochastic / (2 if way.symmetric() else 1)
        rate = gillespy2.Parameter(name=f"r{number}", expression=constant)
        model.add_parameter(rate)
        sides = [
            {kinds[one]: side.species.count(one) for one in dict.fromkeys(side.species)}
            for side in (way.reactants, way.products)
        ]
        model.add_reaction(gillespy2.Reaction(name=f"R{number}", reactants=sides[0], products=sides[1], rate=rate))
    return model


def stochkit_format(
    rxns: Iterable[Reaction], init_config: Mapping[Specie, int], volume: float = 1.0, name: str = "CRN"
) -> str:
    """The reactions as a model of StochKit, in XML.

    >>> from acrasin import species
    >>> a, b = species("A B")
    >>> "<NumberOfReactions>2</NumberOfReactions>" in stochkit_format([a | b], {a: 5})
    True

    Raises:
        TypeError: There are no reactions, or a state of the configuration is not a species.
    """
    ways = replace_reversible_rxns(_checked(rxns, init_config))
    kinds = species_in_rxns(ways)
    model = ElementTree.Element("Model")

    def add(parent: ElementTree.Element, tag: str, text: Any = None, **attributes: str) -> ElementTree.Element:
        child = ElementTree.SubElement(parent, tag, attributes)
        child.text = None if text is None else str(text)
        return child

    add(model, "Description", name)
    add(model, "NumberOfReactions", len(ways))
    add(model, "NumberOfSpecies", len(kinds))
    listed = add(model, "SpeciesList")
    for one in kinds:
        kind = add(listed, "Species")
        add(kind, "Id", one.name)
        add(kind, "Description", one.name)
        add(kind, "InitialPopulation", int(init_config.get(one, 0)))
    listed = add(model, "ReactionsList")
    for number, way in enumerate(ways):
        reaction = add(listed, "Reaction")
        add(reaction, "Id", f"R{number}")
        add(reaction, "Description", way)
        add(reaction, "Type", "mass-action")
        add(reaction, "Rate", way.rate_constant_stochastic * volume ** (1 - way.num_reactants()))
        for tag, side in (("Reactants", way.reactants), ("Products", way.products)):
            molecules = add(reaction, tag)
            for one in dict.fromkeys(side.species):
                add(molecules, "SpeciesReference", id=one.name, stoichiometry=str(side.species.count(one)))
    ElementTree.indent(model)
    return '<?xml version="1.0" ?>\n' + ElementTree.tostring(model, encoding="unicode") + "\n"


def write_stochkit_file(
    filename: str | os.PathLike[str],
    rxns: Iterable[Reaction],
    init_config: Mapping[Specie, int],
    volume: float = 1.0,
    name: str = "CRN",
) -> None:
    """Writes :func:`stochkit_format` to a file. An existing file is replaced as a whole.

    Raises:
        OSError: The file cannot be written, or the path is a folder, a link or a device.
    """
    _acrasin.write_files([(os.fspath(filename), stochkit_format(rxns, init_config, volume, name))])


def gpac_format(rxns: Iterable[Reaction], init_config: Mapping[Specie, int]) -> tuple[list[Any], dict[Any, int]]:
    """Converts reactions and configuration to the package gpac.

    Raises:
        ImportError: gpac is not installed.
        TypeError: There are no reactions, or a state of the configuration is not a species.
    """
    reactions = _checked(rxns, init_config)
    gpac = need("gpac", "gpac_format")
    made = []
    for one in reactions:
        sides = [gpac.Expression([gpac.Specie(name=kind.name) for kind in side.species]) for side in (one.reactants, one.products)]
        reaction = (sides[0] | sides[1]) if one.reversible else (sides[0] >> sides[1])
        reaction.k(one.rate_constant_stochastic)
        if one.reversible:
            reaction.r(one.rate_constant_reverse_stochastic)
        made.append(reaction)
    return made, {gpac.Specie(name=kind.name): int(count) for kind, count in init_config.items()}
