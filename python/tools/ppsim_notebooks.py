"""Runs the code cells of ppsim's own notebooks with the import line replaced, and reports the result of each cell.

Usage: python python/tools/ppsim_notebooks.py SDIST

SDIST is the source archive of ppsim from its package registry. Nothing of it is stored. Cells can read result files
next to the notebook in the archive. Cells that need a missing package or ppsim's internals fail and are counted as
failures. Populations above 10^8 are reduced.
"""

import json
import os
import pathlib
import re
import sys
import tarfile
import tempfile
import warnings

import matplotlib

matplotlib.use("Agg")
import matplotlib.pyplot as plt  # noqa: E402

NOTEBOOKS = ["README.ipynb", "examples/majority.ipynb", "examples/rps_oscillator.ipynb", "examples/crn.ipynb"]


def changed(source: str) -> str:
    """The cell with the import line replaced, and without notebook commands."""
    lines = [line for line in source.split("\n") if not line.strip().startswith(("%", "!", "pip "))]
    source = "\n".join(lines)
    source = re.sub(r"\bfrom ppsim(\.\w+)? import", "from acrasin import", source)
    source = re.sub(r"\bimport ppsim as", "import acrasin as", source)
    source = re.sub(r"\bimport ppsim\b", "import acrasin as ppsim", source)
    return re.sub(r"10 ?\*\* ?(9|1[0-9])\b", "10 ** 8", source)


def run(path: pathlib.Path) -> tuple[int, int]:
    """The numbers of cells that ran and that failed."""
    cells = json.loads(path.read_text(encoding="utf-8"))["cells"]
    space: dict[str, object] = {"__name__": "__main__"}
    counts = [0, 0]
    os.chdir(path.parent)
    for number, cell in enumerate(cells):
        if cell["cell_type"] != "code":
            continue
        try:
            exec(compile(changed("".join(cell["source"])), f"cell {number}", "exec"), space)
            counts[0] += 1
            print(f"{path.name}, cell {number}: ran")
        except Exception as error:
            counts[1] += 1
            print(f"{path.name}, cell {number}: {type(error).__name__}: {str(error)[:120]}")
        plt.close("all")
    return counts[0], counts[1]


def main() -> None:
    warnings.simplefilter("ignore")
    os.environ.setdefault("TQDM_DISABLE", "1")
    ran = 0
    archive = pathlib.Path(sys.argv[1]).resolve()
    with tempfile.TemporaryDirectory() as folder:
        with tarfile.open(archive) as tar:
            tar.extractall(folder, filter="data")
        (top,) = pathlib.Path(folder).iterdir()
        for name in NOTEBOOKS:
            if (top / name).is_file():
                good, bad = run(top / name)
                print(f"{name}: {good} cells ran, {bad} did not")
                ran += good
        os.chdir("/")
    sys.exit(0 if ran >= 12 else 1)


if __name__ == "__main__":
    main()
