"""Checks of arguments that several functions share."""

from __future__ import annotations

import operator
from typing import Any

__all__ = ["checked_memory", "checked_seed", "checked_threads", "checked_whole"]


def checked_whole(name: str, value: Any, least: int, most: int) -> int:
    """Checks that ``value`` is a whole number in a range, and returns it.

    Raises:
        TypeError: ``value`` is not a whole number.
        ValueError: ``value`` is out of range.
    """
    try:
        number = operator.index(value) if not isinstance(value, bool) else None
    except TypeError:
        number = None
    accepted = f"{least} to {most}" if most < 2**63 else f"{least} to 2^64 - 1"
    if number is None:
        raise TypeError(f"{name}={value!r} (accepted: a whole number, {accepted})")
    if not least <= number <= most:
        raise ValueError(f"{name}={value!r} (accepted: {accepted})")
    return number


def checked_seed(seed: Any) -> int | None:
    """Checks a seed or ``None``."""
    return None if seed is None else checked_whole("seed", seed, 0, 2**64 - 1)


def checked_threads(threads: Any) -> int | None:
    """Checks a number of threads, or ``None`` for one per core."""
    return None if threads is None else checked_whole("threads", threads, 1, 4096)


def checked_memory(memory: Any) -> int | None:
    """Checks a number of bytes or ``None``."""
    return None if memory is None else checked_whole("memory", memory, 1, 2**64 - 1)
