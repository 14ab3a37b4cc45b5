"""Snapshots: observers of a running simulation."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from typing import Any

import numpy as np

from ._extras import have, need
from .observed import Observed
from .rules import natural

__all__ = ["HistoryPlotter", "Plotter", "Snapshot", "StatePlotter", "TimeUpdate"]


class Snapshot:
    """The base class of snapshots: :meth:`update` is called every ``update_time`` seconds during a run, and at its
    end."""

    simulation: Observed | None = None
    next_snapshot_time: float = 0.0

    def __init__(self, update_time: float = 0.1) -> None:
        if not update_time > 0:
            raise ValueError(f"update_time={update_time!r} (accepted: seconds above 0)")
        self.update_time = update_time
        self.time: float = 0.0
        self.config: np.ndarray | None = None

    def initialize(self) -> None:
        """Called once, when the snapshot is added."""

    def update(self, index: int | None = None) -> None:
        """Takes the configuration of row ``index`` of the history, or the current one."""
        sim = self.simulation
        if sim is None:
            raise ValueError("a snapshot that belongs to no simulation (accepted: sim.add_snapshot(...) first)")
        if index is None:
            self.time, self.config = sim.time, sim.config_array
        else:
            self.time, self.config = sim.times[index], sim._padded(sim.configs[index])

    def close(self) -> None:
        """Called when the snapshot is removed."""


class TimeUpdate(Snapshot):
    """A tqdm line with the time of the run; does nothing if tqdm is missing."""

    def __init__(self, time_bound: float | None = None, update_time: float = 0.2) -> None:
        super().__init__(update_time)
        tqdm = have("tqdm.auto")
        self.bar = tqdm.tqdm(total=time_bound, leave=False, unit=" time") if tqdm else None

    def update(self, index: int | None = None) -> None:
        """Updates the line."""
        super().update(index)
        if self.bar is not None:
            self.bar.n = round(self.time, 3)
            self.bar.refresh()

    def close(self) -> None:
        """Removes the line."""
        if self.bar is not None:
            self.bar.close()


class Plotter(Snapshot):
    """The base class of plots. ``state_map`` maps each state to the category in which it is counted, or to ``None`` to
    leave it out.

    ``sort_by`` is ``'categories'`` for the order of names, or ``'counts'`` for the largest first.
    """

    def __init__(
        self,
        state_map: Callable[[Hashable], Any] | None = None,
        update_time: float = 0.5,
        yscale: str = "linear",
        ax: Any = None,
        sort_by: str = "categories",
    ) -> None:
        super().__init__(update_time)
        if sort_by not in ("categories", "counts"):
            raise ValueError(f"sort_by={sort_by!r} (accepted: 'categories', 'counts')")
        self.sort_by = sort_by
        self.state_map = state_map
        self.yscale = yscale
        self.ax = ax
        self.fig: Any = None
        self.categories: list[Any] = []
        self._matrix: np.ndarray | None = None

    def initialize(self) -> None:
        """Creates axes if none were given, and sums up the counts."""
        if self.ax is None:
            self.fig, self.ax = need("matplotlib.pyplot", "a plotter").subplots()
        else:
            self.fig = self.ax.figure
        self._sum_up()

    def _sum_up(self) -> None:
        """The sums by category over the known states."""
        states = self.simulation.state_list
        mapped = [state if self.state_map is None else self.state_map(state) for state in states]
        self.categories = sorted({one for one in mapped if one is not None}, key=natural)
        place = {category: number for number, category in enumerate(self.categories)}
        self._matrix = np.zeros((len(states), len(self.categories)), dtype=np.int64)
        for row, one in enumerate(mapped):
            if one is not None:
                self._matrix[row, place[one]] = 1

    def update(self, index: int | None = None) -> None:
        """Takes a configuration; new states may have been discovered since the last one."""
        super().update(index)
        if len(self._matrix) != len(self.simulation.state_list):
            self._sum_up()

    def _order(self, sums: np.ndarray) -> list[int]:
        """The numbers of the categories in display order."""
        if self.sort_by == "categories":
            return list(range(len(self.categories)))
        return sorted(range(len(self.categories)), key=lambda number: -int(sums[number]))

    def _scale(self, most: float) -> None:
        self.ax.set_yscale(self.yscale)
        if self.yscale == "log":
            # The lower end is below one agent, because a logarithmic scale has no 0.
            self.ax.set_ylim(0.5, max(2 * most, 2))
        else:
            self.ax.set_ylim(0, max(most * 2 if self.yscale == "symlog" else most, 1))
        self.fig.canvas.draw_idle()


class StatePlotter(Plotter):
    """A bar chart of the number of agents in each state."""

    def update(self, index: int | None = None) -> None:
        """Draws the bars."""
        super().update(index)
        heights = self.config.astype(np.int64) @ self._matrix
        order = self._order(heights)
        names = [str(self.categories[number]) for number in order]
        self.ax.clear()
        # Set the scale first: bars drawn on a linear scale start at 0, which a logarithmic scale does not have.
        self._scale(max(int(self.config.sum()), 1))
        self.ax.bar(range(len(names)), heights[order], bottom=0)
        self.ax.set_xticks(range(len(names)), names)
        if max((len(name) for name in names), default=0) > 2:
            self.ax.tick_params(axis="x", labelrotation=90)
        self.ax.set_title(f"Time {self.time: .3f}")
        self._scale(max(int(self.config.sum()), 1))


class HistoryPlotter(Plotter):
    """Lines of the number of agents in each state over time."""

    def update(self, index: int | None = None) -> None:
        """Draws the lines."""
        super().update(index)
        sim = self.simulation
        sums = sim.config_matrix.astype(np.int64) @ self._matrix
        self.ax.clear()
        for number in self._order(sums[-1]):
            self.ax.plot(sim.times[: len(sums)], sums[:, number], label=str(self.categories[number]))
        self.ax.legend()
        # Times are in the units of the run.
        self.ax.set_xlabel("time" if sim.time_units is None else f"time ({sim.time_units})")
        self._scale(1.1 * max(sim.n, int(sums.sum(axis=1).max(initial=0))))
