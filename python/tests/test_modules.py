"""Tests that imports between modules of the package have no cycles."""

import ast
import graphlib
import pathlib

import acrasin
import pytest


def needs(folder):
    """The modules that each module of a package imports, at any place in its code."""
    found = {}
    for path in sorted(folder.glob("*.py")):
        modules = set()
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.ImportFrom) and node.level == 1:
                modules |= {node.module} if node.module else {name.name for name in node.names}
        found[path.stem] = modules
    return found


def test_no_module_needs_one_that_needs_it():
    order = list(graphlib.TopologicalSorter(needs(pathlib.Path(acrasin.__file__).parent)).static_order())
    assert order.index("observed") < order.index("snapshot") < order.index("simulation") < order.index("__init__")


def test_a_circle_is_noticed(tmp_path):
    (tmp_path / "a.py").write_text("from .b import f\n")
    (tmp_path / "b.py").write_text("def f():\n    from .a import g\n    return g\n")
    with pytest.raises(graphlib.CycleError):
        graphlib.TopologicalSorter(needs(tmp_path)).prepare()
