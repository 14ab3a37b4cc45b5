"""Tests that the notebooks of the gallery run from the first cell to the last."""

import json
import pathlib

import pytest

NOTEBOOKS = sorted((pathlib.Path(__file__).resolve().parents[1] / "notebooks").glob("*.ipynb"))


def test_there_are_six_in_reading_order():
    assert [path.name[:2] for path in NOTEBOOKS] == [f"{number}_" for number in range(1, 7)]


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_every_cell_runs(path):
    matplotlib = pytest.importorskip("matplotlib")
    for extra in ("pandas", "networkx"):
        pytest.importorskip(extra)
    matplotlib.use("Agg")
    import matplotlib.pyplot as plt

    cells = json.loads(path.read_text(encoding="utf-8"))["cells"]
    code = ["".join(cell["source"]) for cell in cells if cell["cell_type"] == "code"]
    assert len(code) >= 3 and not any(cell.get("outputs") for cell in cells)
    space = {"__name__": "__main__"}
    for number, source in enumerate(code):
        exec(compile(source, f"{path.name}, code cell {number}", "exec"), space)
    plt.close("all")
