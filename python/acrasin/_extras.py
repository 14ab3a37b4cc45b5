"""Packages that are imported when they are used."""

from __future__ import annotations

import importlib
from types import ModuleType

#: Which extra of the wheel has which package.
_EXTRA = {"pandas": "pandas", "polars": "polars", "matplotlib": "plot", "networkx": "graphs",
          "scipy": "graphs", "tqdm": "progress", "ipywidgets": "notebook", "dask": "dask",
          "distributed": "dask", "IPython": "notebook", "anywidget": "anywidget", "traitlets": "anywidget", "libsbml": "sbml"}

#: Packages that no extra brings.
_OTHERS = ("gillespy2", "gpac")


def need(module: str, what: str) -> ModuleType:
    """A module.

    Raises:
        ImportError: it is not there; the message names the extra that brings it.
    """
    try:
        return importlib.import_module(module)
    except ImportError as error:
        package = module.partition(".")[0]
        extra = _EXTRA.get(package, package)
        if package in _OTHERS:
            raise ImportError(f"{what} needs {package}: pip install {package}") from error
        raise ImportError(
            f"{what} needs {package}: pip install 'acrasin[{extra}]', or {package} itself"
        ) from error


def have(module: str) -> ModuleType | None:
    """A module, if it is there."""
    try:
        return importlib.import_module(module)
    except ImportError:
        return None
