"""Scenario files: the runs of the command ``acrasin``, with the same records and digests."""

from __future__ import annotations

import itertools
import json
import os
import tempfile
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from . import _acrasin
from ._extras import need
from .arguments import checked_memory, checked_seed, checked_threads, checked_whole
from .graphs import edges_of
from .memory import half_of_memory
from .viewing import View, refuse_to_replace

__all__ = ["Record", "Repeated", "Scenario", "sweep"]


def ron(value: Any) -> str:
    """The text of a value in a scenario: texts in quotes, lists in brackets, dicts as ``(key: value)``; a ``Word``
    stays unchanged.

    Raises:
        TypeError: The value has no such text.
    """
    if isinstance(value, Word):
        return str(value)
    if isinstance(value, (bool, np.bool_)):
        return "true" if value else "false"
    if isinstance(value, str):
        return json.dumps(value, ensure_ascii=False)
    if isinstance(value, (int, float, np.integer, np.floating)):
        return repr(value.item() if isinstance(value, np.generic) else value)
    if isinstance(value, Mapping):
        return "(" + ", ".join(f"{key}: {ron(part)}" for key, part in value.items()) + ")"
    if isinstance(value, tuple):
        return "(" + ", ".join(map(ron, value)) + ")"
    if isinstance(value, Iterable):
        return "[" + ", ".join(map(ron, value)) + "]"
    raise TypeError(f"a value of type {type(value).__name__} in a scenario (accepted: numbers, texts, lists, dicts)")


class Word(str):
    """A text that is written in a scenario without quotes: ``Word("Sequential")``."""


class Scenario:
    """A checked scenario.

    Args:
        source: The path of a file, or the text of a scenario. A text begins with ``(`` or ``//``, or has several lines.
        set: Values that replace those of the scenario, such as ``{"topology.nodes": 100}``. A text is inserted as if
            written in the file.
        base: The folder that paths in the scenario are relative to. By default the folder of the file, or for a text
            the current folder.
        memory: The maximum number of bytes of a run. By default half of the machine's memory.
        files: The contents of data files by name, instead of files in a folder: texts, contact traces as frames or
            arrays (columns ``t i j`` or ``start end i j``), or graphs (see :func:`acrasin.edges_of`). A graph whose
            name ends in ``.graph`` is written as METIS, which keeps nodes without edges; others are written as a list
            of edges.

    Raises:
        FileNotFoundError: The file does not exist.
        ValueError: The scenario is invalid; the message has file, line, column and what is accepted.

    >>> scenario = Scenario("(seed: 1, topology: Ring(nodes: 5), scheduler: Sequential, work: Locks(each: 1))")
    >>> scenario.run().outcome
    'served'
    >>> met = np.array([[0, 0, 1], [1, 1, 2], [2, 0, 2], [3, 0, 1]])
    >>> Scenario('''(
    ...     seed: 1,
    ...     topology: Contacts(path: "met.txt", format: Instants(resolution: 1), rounds_per_step: 4),
    ...     scheduler: Sequential,
    ...     work: Locks(each: 1),
    ... )''', files={"met.txt": met}).run().exit
    0
    """

    def __init__(
        self,
        source: str | os.PathLike[str],
        *,
        set: Mapping[str, Any] | None = None,
        base: str | os.PathLike[str] | None = None,
        memory: int | None = None,
        files: Mapping[str, Any] | None = None,
    ) -> None:
        written = os.fspath(source)
        is_text = isinstance(source, str) and ("\n" in written or written.lstrip().startswith(("(", "//")))
        if is_text:
            self.text, self.name, folder = written, "scenario.ron", Path()
        else:
            path = Path(written)
            self.text, self.name, folder = path.read_text(encoding="utf-8"), written, path.parent
        if files is not None and base is not None:
            raise ValueError("files and base (accepted: one of them)")
        self.files = None if files is None else {name: file_text(name, value) for name, value in files.items()}
        self.base = str(folder if base is None else base)
        self._is_file = not is_text
        self.set = {key: value if isinstance(value, str) else ron(value) for key, value in (set or {}).items()}
        self.memory = checked_memory(memory) or half_of_memory()
        self._inner = self._read()

    def _read(self) -> _acrasin.Scenario:
        def read(base: str) -> _acrasin.Scenario:
            return _acrasin.Scenario(self.text, self.name, base, list(self.set.items()), self.memory)

        if self.files is None:
            return read(self.base)
        # The files are read only here, when the plan is made.
        with tempfile.TemporaryDirectory() as folder:
            for name, text in self.files.items():
                Path(folder, name).write_text(text, encoding="utf-8")
            return read(folder)

    def save(self, path: str | os.PathLike[str]) -> Path:
        """Writes the scenario and its data files, for the command or for sharing, and returns the path of the scenario.

        Args:
            path: A path that ends in ``.ron``, or a folder. In a folder the file has the name of the original file, or
                ``scenario.ron`` for a text. Data files are written next to it. Missing folders are created, and
                existing files are replaced as a whole.

        Raises:
            ValueError: A data file of the scenario is missing, or would be replaced.
            OSError: A file cannot be written, or a path is a folder, a link or a device.

        >>> import tempfile
        >>> scenario = Scenario("(seed: 1, topology: Ring(nodes: 5), scheduler: Sequential, work: Locks(each: 1))")
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     path = scenario.changed({"topology.nodes": 7}).save(folder)
        ...     path.name, "Ring(nodes: 7)" in path.read_text(), Scenario(path).run().outcome
        ('scenario.ron', True, 'served')
        """
        target = Path(path)
        if target.suffix != ".ron":
            target = target / Path(self.name).name
        text = self._inner.text
        if self.files is None:
            _acrasin.Scenario(text, str(target), str(target.parent), [], self.memory)
        elif target.name in self.files:
            raise ValueError(f"{target.name!r} is one of its files (accepted: another name, such as 'scenario.ron')")
        refuse_to_replace(target, self._data_files())
        target.parent.mkdir(parents=True, exist_ok=True)
        beside = [(str(target.parent / name), content) for name, content in (self.files or {}).items()]
        _acrasin.write_files([*beside, (str(target), text)])
        return target

    def _data_files(self) -> list[Path]:
        """The paths of the data files, unless their contents were given."""
        return [] if self.files is not None else [Path(self.base, name) for name in self._inner.files]

    def _inputs(self) -> list[Path]:
        """The paths of all input files of a run."""
        return self._data_files() + ([Path(self.name)] if self._is_file else [])

    def changed(self, set: Mapping[str, Any]) -> Scenario:
        """The scenario with these values replaced."""
        written = {key: value if isinstance(value, str) else ron(value) for key, value in set.items()}
        other = _again(self.text, self.name, self.base, self.set | written, self.memory, self.files, self._is_file)
        return other

    @property
    def title(self) -> str:
        """The title, in one line."""
        return self._inner.title

    @property
    def seed(self) -> int | None:
        """The seed of the scenario, if it names one."""
        return self._inner.seed

    @property
    def parameters(self) -> dict[str, str]:
        """The resolved parameters of the scenario."""
        return dict(self._inner.parameters)

    @property
    def notes(self) -> list[str]:
        """Notes for the user about a run."""
        return self._inner.notes

    @property
    def protocol_table(self) -> str | None:
        """The transition table, if there is one."""
        return self._inner.protocol_table

    @property
    def bytes(self) -> int:
        """An upper bound on the memory of a run."""
        return self._inner.bytes

    def run(self, seed: int | None = None, *, threads: int | None = None) -> Record:
        """Runs the scenario like ``acrasin run``. The same seed gives the same digest, on any number of threads.

        Args:
            seed: The seed. By default that of the scenario, or 1 if it has none.
            threads: The number of threads; by default one per core.
        """
        return Record(self._inner.run(checked_seed(seed), 0, checked_threads(threads)))

    def record(self, path: str | os.PathLike[str], seed: int | None = None) -> Record:
        """Runs the scenario and writes every step to a file that ``acrasin replay`` reads. The file is compressed if
        its name ends in ``.gz``. An existing file is replaced as a whole when the run is over.

        Raises:
            ValueError: Runs of this scenario cannot be recorded, or the file is one of the scenario's inputs.
            OSError: The file cannot be written, or the path is a folder, a link or a device.
        """
        refuse_to_replace(Path(path), self._inputs())
        return Record(self._inner.record(os.fspath(path), checked_seed(seed)))

    def view(self, seed: int | None = None, *, every: int | None = None, playground: bool = False) -> View:
        """The page of a run, with which it can be played forwards and backwards. A notebook shows it directly.

        With ``every``, only each ``every``-th step is shown. By default a long run is thinned, and the page says so.
        """
        if isinstance(seed, (str, os.PathLike)):
            path = os.fspath(seed)
            raise TypeError(f"view({path!r}) (accepted: a seed; view().save({path!r}) writes the page to a file)")
        every = None if every is None else checked_whole("every", every, 1, 2**64 - 1)
        page = self._inner.page(checked_seed(seed), every, bool(playground))
        return View(page, inputs=self._inputs())

    def repeat(self, reps: int, seed: int | None = None, *, threads: int | None = None) -> Repeated:
        """Runs the scenario many times, on all cores. Returns the records, with means and deviations of their figures
        and counts.

        Args:
            reps: The number of runs.
            seed: The seed from which the seeds of all runs are derived. By default that of the scenario.
            threads: The number of simultaneous runs, by default one per core, and at most as many as fit in memory.
                Results do not depend on this number.

        >>> scenario = Scenario("(seed: 1, topology: Ring(nodes: 5), scheduler: Sequential, work: Locks(each: 1))")
        >>> scenario.repeat(3).outcomes
        {'served': 3}
        """
        number = checked_whole("reps", reps, 1, 2**32 - 1)
        base = base_seed(self, seed)
        jobs = [(self._inner, _acrasin.derived_seed(base, repetition), repetition) for repetition in range(number)]
        return Repeated([Record(run) for run in _acrasin.run_all(jobs, self.memory, checked_threads(threads))])

    def __reduce__(self) -> tuple[Any, ...]:
        return _again, (self.text, self.name, self.base, self.set, self.memory, self.files, self._is_file)

    def __repr__(self) -> str:
        return f"Scenario({self.title!r})"


def _again(
    text: str,
    name: str,
    base: str,
    values: dict[str, str],
    memory: int,
    files: dict[str, str] | None,
    is_file: bool,
) -> Scenario:
    scenario = Scenario.__new__(Scenario)
    scenario.text, scenario.name, scenario.base, scenario.set = text, name, base, values
    scenario.memory, scenario.files, scenario._is_file = memory, files, is_file
    scenario._inner = scenario._read()
    return scenario


def file_text(name: str, value: Any) -> str:
    """The text of a data file.

    Raises:
        ValueError: The name contains a folder, or a trace does not have three or four columns of whole numbers.
    """
    if not name or Path(name).name != name:
        raise ValueError(f"the file {name!r} (accepted: a name without folders)")
    if isinstance(value, str):
        return value
    array = value.to_numpy() if hasattr(value, "to_numpy") else value
    # A square array is the matrix of a graph; a frame never is.
    is_trace = isinstance(array, np.ndarray) and array.ndim == 2 and array.shape[1] in (3, 4)
    if is_trace and (array is not value or array.shape[0] != array.shape[1]):
        if array.dtype.kind not in "iu":
            raise ValueError(f"contacts of {array.dtype} in {name!r} (accepted: whole numbers)")
        return "".join(" ".join(map(str, row)) + "\n" for row in array.tolist())
    labels, edges = edges_of(array if isinstance(array, np.ndarray) else value)
    if not name.endswith(".graph"):
        return "".join(f"{u} {v}\n" for u, v in edges.tolist())
    return metis(len(labels), edges)


def metis(nodes: int, edges: np.ndarray) -> str:
    """The text of a graph in METIS format, which keeps nodes without edges."""
    beside: list[list[int]] = [[] for _ in range(nodes)]
    for u, v in edges.tolist():
        beside[u].append(v + 1)
        beside[v].append(u + 1)
    lines = [f"{nodes} {len(edges)}", *(" ".join(map(str, ends)) for ends in beside)]
    return "\n".join(lines) + "\n"


class Record(Mapping[str, Any]):
    """The results of a run: sections of figures, as ``acrasin run --format jsonl`` prints them."""

    def __init__(self, run: _acrasin.Run) -> None:
        self._run = run
        self._figures = json.loads(run.json())

    def __getitem__(self, section: str) -> Any:
        return self._figures[section]

    def __iter__(self) -> Any:
        return iter(self._figures)

    def __len__(self) -> int:
        return len(self._figures)

    @property
    def exit(self) -> int:
        """The exit code of ``acrasin run``: 0 done, 1 failed or violated, 3 budget ran out."""
        return self._run.exit

    @property
    def outcome(self) -> str:
        """The outcome of the run, in one or two words."""
        return self._figures["outcome"]["word"]

    @property
    def digest(self) -> str | None:
        """The digest of the last configuration."""
        return self._figures.get("digest", {}).get("configuration")

    @property
    def row(self) -> dict[str, Any]:
        """The figures as a row of a table, as in the files of ``acrasin sweep``."""
        return figures(self._run)

    @property
    def history(self) -> Any:
        """The number of nodes in each state over time, as a pandas frame; ``None`` if there are no counts."""
        kept = self._run.series()
        if kept is None:
            return None
        pandas = need("pandas", "history")
        label, times, columns, counts = kept
        return pandas.DataFrame(counts, index=pandas.Index(times, name=label), columns=columns)

    @property
    def mean_field(self) -> Any:
        """The mean-field limit as a pandas frame, for a scenario with ``observe: (mean_field: true)``; otherwise
        ``None``."""
        kept, limit = self._run.series(), self._run.mean_field()
        if kept is None or limit is None:
            return None
        pandas = need("pandas", "mean_field")
        label, _, columns, _ = kept
        return pandas.DataFrame(limit[1], index=pandas.Index(limit[0], name=label), columns=columns)

    @property
    def moments(self) -> list[str]:
        """For amoebots: the names of the recorded moments, such as ``start`` and ``end``."""
        return self._run.moments()

    def positions(self, moment: str = "end") -> np.ndarray:
        """For amoebots: x and y of head and tail, one row per amoebot; x to the east, y to the north-east.

        Raises:
            ValueError: The moment is unknown, or there are too many cells.
        """
        rows = self._run.positions(self._number(moment))
        if rows is None:
            raise ValueError(f"the positions of {moment!r} are not kept (accepted: a smaller area)")
        return rows

    def picture(self, moment: str = "end") -> str:
        """For amoebots: a picture as SVG.

        Raises:
            ValueError: The moment is unknown, or there are too many amoebots to be visible.
        """
        svg = self._run.picture(self._number(moment))
        if svg is None:
            raise ValueError(f"{moment!r} has more amoebots than one can see (accepted: fewer)")
        return svg

    def _number(self, moment: str) -> int:
        if moment not in self.moments:
            raise ValueError(f"moment {moment!r} (accepted: {', '.join(self.moments) or 'none, there are no amoebots'})")
        return self.moments.index(moment)

    def __str__(self) -> str:
        return self._run.text()

    def __repr__(self) -> str:
        return f"Record({self.outcome!r})"


class Repeated(Sequence[Record]):
    """The records of many runs of one scenario, with means and deviations."""

    def __init__(self, records: list[Record]) -> None:
        self._records = records

    def __getitem__(self, number: Any) -> Any:
        return self._records[number]

    def __len__(self) -> int:
        return len(self._records)

    @property
    def outcomes(self) -> dict[str, int]:
        """The number of runs by outcome."""
        counts: dict[str, int] = {}
        for record in self._records:
            counts[record.outcome] = counts.get(record.outcome, 0) + 1
        return dict(sorted(counts.items()))

    @property
    def rows(self) -> list[dict[str, Any]]:
        """The figures of the runs, one row per run."""
        return [record.row for record in self._records]

    @property
    def frame(self) -> Any:
        """The rows as a pandas frame."""
        return framed(self.rows, "pandas")

    @property
    def mean(self) -> Any:
        """The mean of each numeric figure, as a pandas series."""
        return self.frame.select_dtypes("number").mean()

    @property
    def deviation(self) -> Any:
        """The sample standard deviation of each numeric figure (with n - 1 for n runs)."""
        return self.frame.select_dtypes("number").std(ddof=1)

    def history(self, times: Sequence[float]) -> Any:
        """The counts at these times as a pandas frame, with columns ``mean`` and ``deviation`` for each state. A time
        between two rows of a run takes the earlier row; a time after the end of a run takes its last row.

        Raises:
            ValueError: There are no counts over time, or a time is before the start.
        """
        pandas = need("pandas", "history")
        at = np.asarray(list(times), dtype=float)
        if at.ndim != 1 or not np.isfinite(at).all() or (at < 0).any():
            raise ValueError(f"times {times!r} (accepted: finite numbers, 0 or more)")
        taken, names, label = [], None, None
        for record in self._records:
            kept = record._run.series()
            if kept is None:
                raise ValueError("counts over time of a run that does not keep them (accepted: a scenario with states)")
            label, own, columns, counts = kept
            names = columns if names is None else names
            if columns != names:
                raise ValueError("runs with different states (accepted: runs of one table)")
            taken.append(counts[np.searchsorted(own, at, side="right") - 1])
        return mean_and_deviation(np.array(taken, dtype=float), pandas.Index(at, name=label), names)

    def __repr__(self) -> str:
        return f"Repeated({len(self)} runs, {self.outcomes})"


def mean_and_deviation(samples: np.ndarray, index: Any, columns: Any) -> Any:
    """Mean and deviation of samples by run, time and state, as a pandas frame with two columns per state."""
    pandas = need("pandas", "means and deviations")
    ddof = 1 if len(samples) > 1 else 0
    parts = {"mean": samples.mean(axis=0), "deviation": samples.std(axis=0, ddof=ddof)}
    return pandas.concat({name: pandas.DataFrame(part, index=index, columns=columns) for name, part in parts.items()}, axis=1)


def combinations(over: Mapping[str, Sequence[Any]]) -> list[dict[str, str]]:
    """All combinations of values in the notation of scenarios; the last field changes fastest."""
    if not over:
        raise ValueError("nothing to sweep over (accepted: a field and its values, or several)")
    written = {key: [v if isinstance(v, str) else ron(v) for v in values] for key, values in over.items()}
    return [dict(zip(written, values)) for values in itertools.product(*written.values())]


def runs_of(
    scenario: Scenario, over: Mapping[str, Sequence[Any]], reps: int, seed: int | None
) -> list[tuple[dict[str, str], int, int]]:
    """The runs of a sweep: values, number of the repetition, seed. Checks all combinations first."""
    if isinstance(reps, bool) or not isinstance(reps, int) or reps < 1:
        raise ValueError(f"reps={reps!r} (accepted: a whole number, 1 or more)")
    base = base_seed(scenario, seed)
    derive = _acrasin.Scenario.sweep_seed
    assigned = combinations(over)
    for values in assigned:
        scenario.changed(values)
    return [
        (values, repetition, derive(base, list(values.items()), repetition))
        for repetition in range(reps)
        for values in assigned
    ]


def base_seed(scenario: Scenario, seed: int | None) -> int:
    """The seed from which the seeds of runs are derived."""
    given = checked_seed(seed)
    return given if given is not None else scenario.seed if scenario.seed is not None else 1


def one_run(scenario: Scenario, values: dict[str, str], repetition: int, seed: int) -> dict[str, Any]:
    """A row of a sweep: the values, the number of the repetition, the seed, and the figures of the run."""
    return row_of(scenario.changed(values)._inner.run(seed, repetition, 1), values, repetition, seed)


def row_of(run: _acrasin.Run, values: dict[str, str], repetition: int, seed: int) -> dict[str, Any]:
    """See :func:`one_run`."""
    shown = {key: number(text) for key, text in values.items()}
    return {**shown, "repetition": repetition, "seed": seed, **figures(run)}


def number(text: str) -> Any:
    """The value of a field in a row: a number if it is written as one, like in the CSV of the command."""
    for kind in (int, float):
        try:
            return kind(text)
        except ValueError:
            pass
    return text


def figures(run: _acrasin.Run) -> dict[str, Any]:
    """The figures of a run by name, without parameters that are known before it."""
    return {
        name: value
        for name, value in run.cells().items()
        if name != "repetition" and not name.startswith(("manifest.", "scenario."))
    }


def sweep(
    scenario: Scenario | str | os.PathLike[str],
    over: Mapping[str, Sequence[Any]],
    *,
    reps: int = 1,
    seed: int | None = None,
    frame: str = "pandas",
    threads: int | None = None,
) -> Any:
    """Runs a scenario for all combinations of values, on all cores. Returns a frame with one row per run, repetition 0
    of all combinations first.

    Seeds are those of ``acrasin sweep`` with the same seed and values. Rows do not depend on ``threads``, by default
    one per core. ``frame`` is ``'pandas'``, ``'polars'``, or ``'rows'`` for a list of dicts.
    :func:`acrasin.dask.sweep` does the same on other machines.
    """
    if frame not in ("pandas", "polars", "rows"):
        framed([], frame)
    plan = scenario if isinstance(scenario, Scenario) else Scenario(scenario)
    runs = runs_of(plan, over, reps, seed)
    plans: dict[tuple[str, ...], _acrasin.Scenario] = {}
    for values, _, _ in runs:
        key = tuple(values.values())
        if key not in plans:
            plans[key] = plan.changed(values)._inner
    jobs = [(plans[tuple(values.values())], own, repetition) for values, repetition, own in runs]
    made = _acrasin.run_all(jobs, plan.memory, checked_threads(threads))
    return framed([row_of(run, *of) for run, of in zip(made, runs)], frame)


def framed(rows: list[dict[str, Any]], frame: str) -> Any:
    """The rows as a frame of the requested kind."""
    if frame == "rows":
        return rows
    if frame not in ("pandas", "polars"):
        raise ValueError(f"frame={frame!r} (accepted: 'pandas', 'polars', 'rows')")
    if frame == "polars":
        return need("polars", "frame='polars'").DataFrame(rows, infer_schema_length=None)
    return need("pandas", "frame='pandas'").DataFrame(rows)
