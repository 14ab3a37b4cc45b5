"""Tests that every example of the documentation runs, and that every public name is documented and typed."""

import doctest
import importlib
import inspect
import pathlib
import sys

import pytest

import acrasin

MODULES = ["acrasin", *(f"acrasin.{name}" for name in (
    "amoebots", "checking", "crn", "exports", "found", "chemistry", "graphs", "models", "rules", "scenario", "simulation", "snapshot", "viewing", "widget"))]


@pytest.mark.parametrize("name", MODULES)
def test_examples_run(name):
    found = doctest.testmod(importlib.import_module(name))
    assert found.failed == 0


def test_there_are_examples():
    finder = doctest.DocTestFinder()
    examples = [e for name in MODULES for t in finder.find(importlib.import_module(name)) for e in t.examples]
    assert len(examples) >= 15


def test_public_names_are_documented():
    for name in acrasin.__all__:
        value = getattr(acrasin, name)
        if (inspect.isclass(value) or inspect.isfunction(value)) and (value.__module__ or "").startswith("acrasin"):
            assert inspect.getdoc(value), name


def test_the_extension_module_has_stubs():
    stubs = pathlib.Path(acrasin.__file__).with_name("_acrasin.pyi").read_text()
    for name in dir(acrasin._acrasin):
        if not name.startswith("__"):
            assert name in stubs, name
    assert pathlib.Path(acrasin.__file__).with_name("py.typed").is_file()


USER = """
import numpy as np
import acrasin

sim = acrasin.Simulation({"A": 6, "B": 4}, {("A", "B"): ("A", "A")}, seed=1, graph=acrasin.ring(10))
n: int = sim.n
counts: np.ndarray = sim.config_array
a, b = acrasin.species("A B")
text: str = acrasin.stochkit_format([a + b >> 2 * a], {a: 5})
holds: bool = sim.holds("silent")
"""


def test_the_types_are_checked_by_mypy(tmp_path, monkeypatch):
    api = pytest.importorskip("mypy.api")
    folder = pathlib.Path(acrasin.__file__).parents[1]
    if folder.name != "site-packages":
        monkeypatch.setenv("MYPYPATH", str(folder))
    for source, expected in ((USER, 0), (USER + "wrong: str = sim.n\n", 1)):
        path = tmp_path / "user.py"
        path.write_text(source)
        said, errors, code = api.run(["--python-executable", sys.executable, "--ignore-missing-imports", "--follow-imports=silent",
                                      "--cache-dir", str(tmp_path / "cache"), str(path)])
        assert code == expected, said + errors
