"""Tests of an external engine: a module with its own catalogue replaces the module of the package."""

import os
import subprocess
import sys

import pytest

OWN_ENGINE = os.environ.get("ACRASIN_OWN_ENGINE")

PROGRAM = """
import sys
from importlib.machinery import ExtensionFileLoader
from importlib.util import module_from_spec, spec_from_file_location

path = sys.argv[1]
spec = spec_from_file_location("own_engine", path, loader=ExtensionFileLoader("own_engine", path))
module = module_from_spec(spec)
spec.loader.exec_module(module)
sys.modules["acrasin._acrasin"] = module

import acrasin

scenario = acrasin.Scenario('''(
    seed: 1,
    topology: Complete(nodes: 10),
    scheduler: UniformPairs,
    work: Interactions(
        protocol: Library(name: "clockwork", parameters: {"pace": 7}),
        initial: Counts({"healthy": 8, "infected": 2}),
    ),
    stop: [Counts("infected >= 5")],
)''')
record = scenario.run()
# Three infections, one every seven interactions.
assert record["work"]["interactions"] == 21 and record["states"]["infected"] == 5, record
assert "infected" in scenario.view().html
rows = acrasin.sweep(scenario, {"work.protocol.parameters.pace": [1, 7, 20]})
assert list(rows["work.interactions"]) == [3, 21, 60], rows
simulation = acrasin.Simulation({"L": 100}, {("L", "L"): ("L", "F")}, seed=1)
simulation.run(timer=False)
assert simulation.config_dict == {"F": 99, "L": 1}
"""


@pytest.mark.skipif(OWN_ENGINE is None, reason="ACRASIN_OWN_ENGINE: the example own_engine of this crate, built")
def test_an_engine_from_outside_is_run_swept_and_filmed_in_python() -> None:
    subprocess.run([sys.executable, "-c", PROGRAM, str(OWN_ENGINE)], check=True)
