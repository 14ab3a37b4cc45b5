"""Population protocols and amoebot algorithms, with the interface of ppsim.

>>> from acrasin import Simulation, species
>>> a, b, u = species("A B U")
>>> sim = Simulation({a: 510, b: 490}, [a + b >> 2 * u, a + u >> 2 * a, b + u >> 2 * b], seed=1)
>>> sim.run(timer=False)
>>> bool(sim.silent)
True
"""

from ._acrasin import VERSION as __version__
from .amoebots import Amoebots
from .checking import CheckReport, Counterexample, EverySizeReport, check
from .crn import *  # noqa: F403
from .crn import __all__ as _crn
from .exports import *  # noqa: F403
from .exports import __all__ as _exports
from .graphs import edges_of, ring, torus
from .models import *  # noqa: F403
from .models import __all__ as _models
from .rules import (
    ConvergenceDetector,
    InitialCondition,
    Output,
    Rule,
    SpeciePair,
    State,
    TransitionFunction,
)
from .scenario import Record, Repeated, Scenario, Word, sweep
from .simulation import Simulation, Simulator, state_enumeration, time_trials
from .snapshot import HistoryPlotter, Plotter, Snapshot, StatePlotter, TimeUpdate
from .viewing import View, playground

__all__ = [
    "Amoebots",
    "CheckReport",
    "EverySizeReport",
    "ConvergenceDetector",
    "Counterexample",
    "HistoryPlotter",
    "InitialCondition",
    "Output",
    "Plotter",
    "Record",
    "Repeated",
    "Rule",
    "Scenario",
    "Simulation",
    "Simulator",
    "Snapshot",
    "SpeciePair",
    "State",
    "StatePlotter",
    "TimeUpdate",
    "TransitionFunction",
    "View",
    "Word",
    "__version__",
    "check",
    "edges_of",
    "playground",
    "ring",
    "state_enumeration",
    "sweep",
    "time_trials",
    "torus",
    *_crn,
    *_exports,
    *_models,
]
