"""The page of a run, in a notebook or as a file."""

from __future__ import annotations

import html
import os
from pathlib import Path

__all__ = ["View", "playground"]


class View:
    """A page that plays a run. In a notebook it is shown in a frame; :meth:`save` writes it as a file."""

    def __init__(self, page: str, height: int = 640) -> None:
        self.html = page
        self.height = height

    def save(self, path: str | os.PathLike[str]) -> Path:
        """Writes the page: one file that needs no network."""
        target = Path(path)
        target.write_text(self.html, encoding="utf-8")
        return target

    def _repr_html_(self) -> str:
        inside = html.escape(self.html, quote=True)
        return (
            f'<iframe srcdoc="{inside}" sandbox="allow-scripts allow-downloads" '
            f'style="width:100%;height:{self.height}px;border:0" title="acrasin"></iframe>'
        )

    def __repr__(self) -> str:
        return f"View({len(self.html)} bytes)"


def playground() -> View:
    """The page with the simulator inside."""
    from . import _acrasin

    return View(_acrasin.playground())
