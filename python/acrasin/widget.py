"""A widget for notebooks: the counts of a run over time, and a slider over its history. Needs anywidget.

In a notebook, ``sim.widget()`` in one cell and ``sim.run()`` in the next draws the lines during the run. The
slider also moves all snapshots of the simulation.
"""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Any

import numpy as np

from ._extras import need
from .observed import Observed
from .snapshot import Snapshot

__all__ = ["history_widget"]

#: The maximum numbers of rows and lines that are sent to the page: more cannot be distinguished.
ROWS, LINES = 400, 12


@cache
def _class() -> type:
    """The widget class, created on first use: its base class is in an optional package."""
    anywidget = need("anywidget", "widget")
    traitlets = need("traitlets", "widget")
    code = Path(__file__).with_name("widget.js").read_text(encoding="utf-8")

    class HistoryWidget(anywidget.AnyWidget):
        """Lines of counts and a slider; ``index`` is the current row of ``history``."""

        _esm = code
        names = traitlets.List(traitlets.Unicode()).tag(sync=True)
        times = traitlets.List(traitlets.Float()).tag(sync=True)
        rows = traitlets.List(traitlets.Int()).tag(sync=True)
        counts = traitlets.List(traitlets.List(traitlets.Int())).tag(sync=True)
        agents = traitlets.Int(0).tag(sync=True)
        index = traitlets.Int(0).tag(sync=True)

    return HistoryWidget


def seen(sim: Observed) -> dict[str, Any]:
    """The part of a history that is sent: evenly spaced rows with the first and the last one, and the states that had
    many agents. The other states are summed up."""
    rows = np.unique(np.linspace(0, len(sim.times) - 1, min(len(sim.times), ROWS)).round().astype(int))
    counts = np.array([sim._padded(sim.configs[row]) for row in rows])
    names = [str(state) for state in sim.state_list]
    if len(names) > LINES:
        most = sorted(np.argsort(-counts.max(axis=0), kind="stable")[: LINES - 1])
        rest = counts.sum(axis=1) - counts[:, most].sum(axis=1)
        counts = np.concatenate([counts[:, most], rest[:, None]], axis=1)
        names = [names[number] for number in most] + [f"{len(sim.state_list) - len(most)} others"]
    return {
        "names": names,
        "times": [float(sim.times[row]) for row in rows],
        "rows": [int(row) for row in rows],
        "counts": [[int(count) for count in row] for row in counts],
        "agents": int(sim.n),
    }


class _Shown(Snapshot):
    """The snapshot that updates the widget during a run."""

    def __init__(self, widget: Any, update_time: float) -> None:
        super().__init__(update_time)
        self.widget = widget
        self._is_moving = False

    def initialize(self) -> None:
        """Follows the slider."""
        self.widget.observe(self._moved, names="index")

    def _moved(self, change: Any) -> None:
        sim = self.simulation
        if not self._is_moving and sim is not None and 0 <= change["new"] < len(sim.times):
            sim.set_snapshot_index(change["new"])

    def update(self, index: int | None = None) -> None:
        """Sends the history so far, and the current row."""
        sim = self.simulation
        if sim is None or not sim.times:
            return
        super().update(index)
        self._is_moving = True
        try:
            if index is None:
                with self.widget.hold_sync():
                    for name, value in seen(sim).items():
                        setattr(self.widget, name, value)
                    self.widget.index = len(sim.times) - 1
            else:
                self.widget.index = index
        finally:
            self._is_moving = False


def history_widget(sim: Observed, update_time: float = 0.2) -> Any:
    """The widget of a simulation; it follows each further run.

    Raises:
        ImportError: anywidget is not installed.
        ValueError: ``update_time`` is not above 0.
    """
    widget = _class()()
    sim.add_snapshot(_Shown(widget, update_time))
    return widget
