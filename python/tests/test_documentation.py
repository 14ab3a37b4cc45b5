"""Every example of the documentation runs, and every public name is documented and typed."""

import doctest
import importlib
import inspect
import pathlib

import pytest

import acrasin

MODULES = ["acrasin", *(f"acrasin.{name}" for name in (
    "amoebots", "checking", "crn", "graphs", "rules", "scenario", "simulation", "snapshot", "viewing"))]


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
        if inspect.isclass(value) or inspect.isfunction(value):
            assert inspect.getdoc(value), name


def test_the_extension_module_has_stubs():
    stubs = pathlib.Path(acrasin.__file__).with_name("_acrasin.pyi").read_text()
    for name in dir(acrasin._acrasin):
        if not name.startswith("__"):
            assert name in stubs, name
    assert pathlib.Path(acrasin.__file__).with_name("py.typed").is_file()
