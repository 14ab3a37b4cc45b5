"""Sweeps on several machines."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from typing import Any

from ._extras import need
from .scenario import Scenario, framed, one_run, runs_of

__all__ = ["sweep"]


def sweep(
    scenario: Scenario | str | os.PathLike[str],
    over: Mapping[str, Sequence[Any]],
    *,
    reps: int = 1,
    seed: int | None = None,
    frame: str = "pandas",
    client: Any = None,
) -> Any:
    """:func:`acrasin.sweep` on the workers of a Dask cluster: the same rows in the same order.

    ``client`` is a ``distributed.Client``, by default the current one. Files that the scenario names must exist on
    every worker.

    Raises:
        ValueError: There is no client, or an argument that :func:`acrasin.sweep` refuses. Nothing has been sent then.
    """
    distributed = need("distributed", "acrasin.dask.sweep")
    workers = client
    if workers is None:
        try:
            workers = distributed.get_client()
        except ValueError as error:
            raise ValueError("no Dask client (accepted: client=distributed.Client(...))") from error
    plan = scenario if isinstance(scenario, Scenario) else Scenario(scenario)
    runs = runs_of(plan, over, reps, seed)
    futures = [workers.submit(one_run, plan, *run, pure=False) for run in runs]
    return framed(workers.gather(futures), frame)
