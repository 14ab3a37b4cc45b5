"""The memory of the machine."""

from __future__ import annotations

import os


def half_of_memory() -> int:
    """Half of the machine's memory in bytes; 4 GiB if it is unknown."""
    try:
        return os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") // 2
    except (AttributeError, OSError, ValueError):
        return 1 << 32
