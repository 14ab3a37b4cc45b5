"""The page of a run, in a notebook or as a file."""

from __future__ import annotations

import html
import os
from collections.abc import Iterable
from pathlib import Path

from . import _acrasin

__all__ = ["View", "playground"]


class View:
    """A page that plays a run. A notebook shows it in a frame; :meth:`save` writes it to a file.

    ``inputs`` are the input files of the run, which :meth:`save` does not replace.
    """

    def __init__(self, page: str, height: int = 640, inputs: Iterable[Path] = ()) -> None:
        self.html = page
        self.height = height
        self._inputs = tuple(inputs)

    def save(self, path: str | os.PathLike[str]) -> Path:
        """Writes the page: one file that needs no network. An existing file is replaced as a whole.

        Raises:
            ValueError: The file is an input of the run.
            OSError: The file cannot be written, or the path is a folder, a link or a device.
        """
        target = Path(path)
        refuse_to_replace(target, self._inputs)
        _acrasin.write_files([(os.fspath(path), self.html)])
        return target

    def _repr_html_(self) -> str:
        inside = html.escape(self.html, quote=True)
        return (
            f'<iframe srcdoc="{inside}" sandbox="allow-scripts allow-downloads" '
            f'style="width:100%;height:{self.height}px;border:0" title="acrasin"></iframe>'
        )

    def __repr__(self) -> str:
        return f"View({len(self.html)} bytes)"


def refuse_to_replace(target: Path, inputs: Iterable[Path]) -> None:
    """Raises ValueError if the target is one of the input files of a run."""
    if any(target.resolve() == path.resolve() for path in inputs):
        raise ValueError(f"{target} would replace a file that this run reads (accepted: another file)")


def playground() -> View:
    """The page with the simulator."""
    return View(_acrasin.playground())
