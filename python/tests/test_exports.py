"""Tests of the export of reactions to other simulators."""

import math
from xml.etree import ElementTree

import numpy as np
import pytest

import acrasin
from acrasin import gillespy2_format, gpac_format, species, stochkit_format, write_stochkit_file


def network():
    a, b, c = species("A B C")
    return (a, b, c), [(a + b | 2 * c).k(0.5).r(4), (c >> a).k(3)]


def test_a_model_of_stochkit_has_the_rates(tmp_path):
    (a, b, c), rxns = network()
    path = tmp_path / "crn.xml"
    write_stochkit_file(path, rxns, {a: 20, b: 10}, volume=30, name="three")
    text = path.read_text()
    assert text == stochkit_format(rxns, {a: 20, b: 10}, 30, "three")
    root = ElementTree.fromstring(text)
    rates = [float(rate.text) for rate in root.iter("Rate")]
    assert rates == pytest.approx([0.5 / 30, 4 / 30, 3])
    populations = {one.find("Id").text: int(one.find("InitialPopulation").text) for one in root.iter("Species")}
    assert populations == {"A": 20, "B": 10, "C": 0}
    sides = [
        [(one.get("id"), one.get("stoichiometry")) for one in reaction.find(side)]
        for reaction in root.iter("Reaction")
        for side in ("Reactants", "Products")
    ]
    assert sides == [[("A", "1"), ("B", "1")], [("C", "2")], [("C", "2")], [("A", "1"), ("B", "1")], [("C", "1")], [("A", "1")]]


def test_a_model_of_gillespy2_has_the_rates():
    pytest.importorskip("gillespy2")
    (a, b, c), rxns = network()
    model = gillespy2_format({a: 20, b: 10}, rxns, 30)
    counts = {"A": 20, "B": 10, "C": 6, "vol": 30.0, "r0": 0.5, "r1": 2.0, "r2": 3.0}
    speeds = [eval(one.propensity_function, {"math": math}, counts) for one in model.listOfReactions.values()]
    assert [float(one.expression) for one in model.listOfParameters.values()] == [0.5, 2, 3]
    assert speeds == pytest.approx([0.5 * 20 * 10 / 30, 4 * 6 * 5 / (2 * 30), 3 * 6])


def test_what_gillespy2_runs_is_what_runs_here():
    gillespy2 = pytest.importorskip("gillespy2")
    (a, b, c), rxns = network()
    model = gillespy2_format({a: 40, b: 20}, rxns, 60)
    model.timespan(gillespy2.TimeSpan([0, 1]))
    runs = model.run(number_of_trajectories=300, seed=5, solver=gillespy2.NumPySSASolver)
    there = np.array([run["A"][-1] for run in runs])
    sim = acrasin.Simulation({a: 40, b: 20}, rxns, seed=5)
    here = sim.sample_future_configuration(1, 300)["A"].to_numpy()
    spread = math.sqrt((there.var() + here.var()) / 300)
    assert abs(there.mean() - here.mean()) < 5 * spread
    assert abs(there.mean() - 40) > 5 * spread


def test_what_is_no_network_is_refused(monkeypatch):
    (a, _, _), rxns = network()
    for wrong in (lambda: stochkit_format([], {}), lambda: stochkit_format([1], {}), lambda: stochkit_format(rxns, {"A": 1}),
                  lambda: gpac_format(rxns, [a]), lambda: gillespy2_format({a: 1}, 7)):
        with pytest.raises(TypeError, match="accepted"):
            wrong()
    monkeypatch.setitem(__import__("sys").modules, "gpac", None)
    with pytest.raises(ImportError, match="pip install gpac"):
        gpac_format(rxns, {a: 1})
