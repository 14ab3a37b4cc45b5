"""Amoebots on the triangular lattice."""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np

from ._extras import need
from .scenario import Record, Scenario, Word, ron
from .viewing import View

__all__ = ["Amoebots"]


class Amoebots:
    """An amoebot algorithm with its initial configuration.

    Args:
        algorithm: Its name in the catalogue (``acrasin list amoebots``), or the path of a table of actions (``.ron``).
        start: The initial cells: an array with two columns, a shape such as ``("Blob", {"count": 100})``, or its text
            ``"Blob(count: 100)"``.
        seed: 0 to 2^64 - 1.
        parameters: Parameters of the algorithm.
        execution: ``'Sequential'``, ``'Waves'``, ``'Tiles'``, ``'Concurrent'``, or an execution as written in a
            scenario.
        **fields: Further fields of the scenario.

    Raises:
        ValueError: Something is invalid; the message says what is accepted.

    >>> hexagon = Amoebots("Hexagon", "Line(count: 7)", seed=1).run()
    >>> sorted({(int(x) + 0, int(y) + 0) for x, y, _, _ in hexagon.positions()}).__len__()
    7
    """

    def __init__(
        self,
        algorithm: str | os.PathLike[str],
        start: Any,
        *,
        seed: int = 1,
        parameters: Mapping[str, Any] | None = None,
        execution: str = "Sequential",
        **fields: Any,
    ) -> None:
        base = "."
        name = os.fspath(algorithm)
        if name.endswith(".ron"):
            path = Path(name).resolve()
            base, name, parameters = str(path.parent), "File", {"path": path.name}
        written = name + (ron(dict(parameters)) if parameters else "")
        if isinstance(start, np.ndarray):
            if start.ndim != 2 or start.shape[1] != 2 or start.dtype.kind not in "iu":
                raise ValueError(
                    f"cells of shape {start.shape} and type {start.dtype} (accepted: whole numbers, two columns)"
                )
            begin = "Cells(" + ron([tuple(cell) for cell in start.tolist()]) + ")"
        elif isinstance(start, tuple):
            form, values = start
            begin = form + ron(dict(values))
        else:
            begin = start
        parts = {
            "seed": seed,
            "amoebots": {"algorithm": Word(written), "start": Word(begin)},
            "execution": Word(execution),
            **fields,
        }
        lines = "".join(f"    {key}: {ron(value)},\n" for key, value in parts.items())
        self.scenario = Scenario(f"(\n{lines})\n", base=base)

    def run(self, seed: int | None = None, *, threads: int | None = None) -> Record:
        """Runs the amoebots to the end."""
        return self.scenario.run(seed, threads=threads)

    def view(self, **kwargs: Any) -> View:
        """The page of the run: see :meth:`acrasin.Scenario.view`."""
        return self.scenario.view(**kwargs)

    @staticmethod
    def plot(record: Record, moment: str = "end", ax: Any = None, **kwargs: Any) -> Any:
        """Draws the positions on matplotlib axes and returns the axes. Expanded amoebots are lines."""
        if ax is None:
            ax = need("matplotlib.pyplot", "plot").subplots()[1]
        rows = record.positions(moment).astype(float)
        x = rows[:, [0, 2]] + rows[:, [1, 3]] / 2
        y = rows[:, [1, 3]] * (3**0.5 / 2)
        ax.plot(x.T, y.T, "-", color="0.4", linewidth=3, zorder=1)
        ax.scatter(x[:, 0], y[:, 0], **({"s": 30, "zorder": 2} | kwargs))
        ax.set_aspect("equal")
        ax.set_axis_off()
        return ax
