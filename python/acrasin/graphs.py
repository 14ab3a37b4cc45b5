"""Graphs of other packages as arrays of edges."""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import dataclass
from typing import Any

import numpy as np

__all__ = ["Grid", "edges_of", "ring", "torus"]


#: Types of arrays that an engine reads where they are.
_READ = (np.uint32, np.int32, np.int64, np.uint64)
#: Edges that are looked at together.
_PIECE = 2**16


@dataclass(frozen=True)
class Grid:
    """A ring (one row) or a torus, which needs no list of edges."""

    rows: int
    columns: int

    @property
    def nodes(self) -> int:
        """How many nodes there are; number ``row * columns + column``."""
        return self.rows * self.columns


def ring(nodes: int) -> Grid:
    """A ring of so many nodes, 3 or more."""
    return torus(1, nodes)


def torus(rows: int, columns: int) -> Grid:
    """A torus: every node has four neighbours."""
    for name, side in (("rows", rows), ("columns", columns)):
        if isinstance(side, bool) or not isinstance(side, (int, np.integer)):
            raise TypeError(f"{name} {side!r} (accepted: a whole number)")
        if side < 3 and not (name == "rows" and side == 1):
            raise ValueError(f"{name} {side} (accepted: 3 and more)")
    if rows * columns > 2**31:
        raise ValueError(f"{rows * columns} nodes (accepted: up to 2^31)")
    return Grid(int(rows), int(columns))


def grid_edges(grid: Grid) -> np.ndarray:
    """The edges of a ring or torus: of each node that to the right, and of a torus that below."""
    nodes = np.arange(grid.nodes, dtype=np.uint32).reshape(grid.rows, grid.columns)
    ways = [np.roll(nodes, -1, axis=1)] + ([np.roll(nodes, -1, axis=0)] if grid.rows > 1 else [])
    return np.concatenate([np.stack([nodes.ravel(), way.ravel()], axis=1) for way in ways])


def edges_of(graph: Any, nodes: int | None = None) -> tuple[list[Hashable] | range, np.ndarray]:
    """The nodes of a graph, and its edges as an array of two columns of their numbers.

    A graph is one of networkx, rustworkx or igraph, a matrix of scipy.sparse or numpy (an edge where an entry is not
    0), or an array of edges with two columns; of such an array ``nodes`` says how many nodes there are, otherwise the
    largest number does. An array of ``numpy.uint32`` is handed on as it is, without a copy.

    Raises:
        TypeError: something else.
        ValueError: a negative number, a loop, or a matrix that is not square.

    >>> edges_of(np.array([[0, 1], [1, 2]]))[1].tolist()
    [[0, 1], [1, 2]]
    """
    labels, pairs = pairs_of(graph, nodes)
    return labels, np.ascontiguousarray(pairs, dtype=np.uint32)


def pairs_of(graph: Any, nodes: int | None = None) -> tuple[list[Hashable] | range, np.ndarray]:
    """As :func:`edges_of`; an array of edges that an engine reads where it is stays as it is, of whichever type."""
    if isinstance(graph, Grid):
        raise TypeError("a ring or torus has no list of edges (accepted: another graph)")
    if hasattr(graph, "tocoo"):  # scipy.sparse
        _check_square(graph.shape)
        matrix = graph.tocoo()
        return range(graph.shape[0]), _of_matrix(matrix.row, matrix.col)
    if hasattr(graph, "edge_list") and hasattr(graph, "node_indexes"):  # rustworkx
        labels = list(graph.node_indexes())
        return labels, _numbered(labels, list(graph.edge_list()))
    if hasattr(graph, "get_edgelist"):  # igraph
        return range(graph.vcount()), _pairs(np.asarray(graph.get_edgelist()).reshape(-1, 2), graph.vcount())
    if hasattr(graph, "nodes") and hasattr(graph, "edges"):  # networkx
        labels = list(graph.nodes)
        return labels, _numbered(labels, [edge[:2] for edge in graph.edges])
    if isinstance(graph, (list, tuple, np.ndarray)):
        array = np.asarray(graph)
        if array.ndim == 2 and array.shape[1] == 2 and (array.shape[0] != 2 or array.dtype != bool):
            pairs = _pairs(array, nodes)
            return range(nodes or (int(pairs.max()) + 1 if len(pairs) else 0)), pairs
        if array.ndim == 2:
            _check_square(array.shape)
            return range(array.shape[0]), _of_matrix(*np.nonzero(array))
    raise TypeError(
        f"a graph of type {type(graph).__name__} (accepted: networkx, rustworkx, igraph, scipy.sparse, an array of "
        "edges with two columns, acrasin.ring or acrasin.torus)"
    )


def _check_square(shape: tuple[int, ...]) -> None:
    if len(shape) != 2 or shape[0] != shape[1]:
        raise ValueError(f"a matrix of shape {shape} (accepted: a square one)")


def _of_matrix(row: np.ndarray, column: np.ndarray) -> np.ndarray:
    """Each pair once, whichever half of the matrix it is in."""
    pairs = np.sort(np.stack([row, column], axis=1), axis=1)
    return _pairs(np.unique(pairs, axis=0), None)


def _numbered(labels: list[Hashable], edges: list[tuple[Hashable, Hashable]]) -> np.ndarray:
    number = {label: number for number, label in enumerate(labels)}
    return _pairs(np.array([[number[u], number[v]] for u, v in edges]).reshape(-1, 2), len(labels))


def _pairs(array: np.ndarray, nodes: int | None) -> np.ndarray:
    if array.dtype.kind not in "iu":
        if array.size:
            raise TypeError(f"edges of {array.dtype} (accepted: whole numbers)")
        array = array.astype(np.uint32)
    if array.size and int(array.min()) < 0:
        raise ValueError(f"an edge to node {int(array.min())} (accepted: 0 and more)")
    most = nodes - 1 if nodes is not None else 2**32 - 1
    if array.size and int(array.max()) > most:
        raise ValueError(f"an edge to node {int(array.max())} (accepted: up to {most})")
    # In pieces, so that what is compared takes no memory.
    for first in range(0, len(array), _PIECE):
        part = array[first : first + _PIECE]
        loops = np.flatnonzero(part[:, 0] == part[:, 1])
        if len(loops):
            number = first + int(loops[0])
            raise ValueError(f"edge {number} joins node {int(array[number, 0])} to itself (accepted: two nodes)")
    is_read = array.dtype in _READ and array.dtype.isnative and array.flags.aligned
    return array if is_read else np.ascontiguousarray(array, dtype=np.uint32)
