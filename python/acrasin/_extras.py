"""Optional packages, imported on first use."""

from __future__ import annotations

import importlib
from types import ModuleType

#: The extra of the wheel that installs each package.
_EXTRA = {"pandas": "pandas", "polars": "polars", "matplotlib": "plot", "networkx": "graphs",
          "scipy": "graphs", "tqdm": "progress", "ipywidgets": "notebook", "dask": "dask",
          "distributed": "dask", "IPython": "notebook", "anywidget": "anywidget", "traitlets": "anywidget", "libsbml": "sbml"}

#: Packages that no extra installs.
_OTHERS = ("gillespy2", "gpac")


def need(module: str, what: str) -> ModuleType:
    """Imports an optional module.

    Raises:
        ImportError: The module is not installed; the message names the extra that installs it.
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
    """The module, or ``None`` if it is not installed."""
    try:
        return importlib.import_module(module)
    except ImportError:
        return None
