"""Graphs of other packages as arrays of edges."""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import dataclass
from typing import Any

import numpy as np

__all__ = ["Grid", "edges_of", "ring", "torus"]


#: Types of arrays that an engine reads without a copy.
_READ = (np.uint32, np.int32, np.int64, np.uint64)
#: The number of edges that are checked at a time.
_PIECE = 2**16


@dataclass(frozen=True)
class Grid:
    """A ring (one row) or a torus, which needs no list of edges."""

    rows: int
    columns: int

    @property
    def nodes(self) -> int:
        """The number of nodes. A node has the number ``row * columns + column``."""
        return self.rows * self.columns


def ring(nodes: int) -> Grid:
    """A ring with this number of nodes, at least 3."""
    return _grid(1, nodes, ("nodes",))


def torus(rows: int, columns: int) -> Grid:
    """A torus: every node has four neighbours."""
    return _grid(rows, columns, ("columns", "rows"))


def _grid(rows: int, columns: int, names: tuple[str, ...]) -> Grid:
    """A checked grid. ``names`` are the names of its arguments in messages: columns, and rows if they were given."""
    for name, side in zip(names, (columns, rows)):
        if isinstance(side, bool) or not isinstance(side, (int, np.integer)):
            raise TypeError(f"{name} {side!r} (accepted: a whole number)")
        if side < 3 and not (name == "rows" and side == 1):
            raise ValueError(f"{name} {side} (accepted: 3 and more)")
    if rows * columns > 2**31:
        raise ValueError(f"{rows * columns} nodes (accepted: up to 2^31)")
    return Grid(int(rows), int(columns))


def grid_edges(grid: Grid) -> np.ndarray:
    """The edges of a ring or torus: from each node to the right, and on a torus also down."""
    nodes = np.arange(grid.nodes, dtype=np.uint32).reshape(grid.rows, grid.columns)
    ways = [np.roll(nodes, -1, axis=1)] + ([np.roll(nodes, -1, axis=0)] if grid.rows > 1 else [])
    return np.concatenate([np.stack([nodes.ravel(), way.ravel()], axis=1) for way in ways])


def edges_of(graph: Any, nodes: int | None = None) -> tuple[list[Hashable] | range, np.ndarray]:
    """The nodes of a graph, and its edges as an array with two columns of node numbers.

    A graph can be a graph of networkx, rustworkx or igraph, a matrix of scipy.sparse or numpy with an edge for each
    nonzero entry, or an array of edges with two columns. For an array, ``nodes`` is the number of nodes, by default the
    largest node number plus 1. An array of ``numpy.uint32`` is returned without a copy.

    Raises:
        TypeError: The graph is none of these.
        ValueError: A number is negative, an edge is a loop, or a matrix is not square.

    >>> edges_of(np.array([[0, 1], [1, 2]]))[1].tolist()
    [[0, 1], [1, 2]]
    """
    labels, pairs = pairs_of(graph, nodes)
    return labels, np.ascontiguousarray(pairs, dtype=np.uint32)


@dataclass(frozen=True)
class Edges:
    """The edges of a graph as arrays."""

    labels: list[Hashable] | range
    """The nodes."""
    pairs: np.ndarray
    """Two columns of numbers of nodes; with directions the first one is where an edge begins."""
    weights: np.ndarray | None
    """A weight for each edge, if they differ from 1."""
    directed: bool
    """Whether edges have directions."""

    @property
    def is_plain(self) -> bool:
        """Whether edges have neither weights nor directions."""
        return self.weights is None and not self.directed


def weighted_edges_of(graph: Any, nodes: int | None, weight: Any = "weight", directed: bool | None = None) -> Edges:
    """The edges of a graph with weights and directions; see :func:`edges_of`.

    Args:
        weight: The name of an edge attribute, one number for each edge in order, or ``None`` for equal weights. With
            any name, the entries of a matrix and numbers on the edges of rustworkx are weights.
        directed: Whether edges have directions. ``None`` means that the graph decides; matrices and arrays have none.

    Raises:
        TypeError, ValueError: As for :func:`edges_of`; a weight is negative or not finite.
    """
    if directed not in (None, True, False):
        raise ValueError(f"directed={directed!r} (accepted: None, True, False)")
    if weight is not None and not isinstance(weight, str) and not isinstance(weight, (list, tuple, np.ndarray)):
        raise TypeError(f"weight={weight!r} (accepted: the name of an attribute, a number for each edge, or None)")
    if _is_matrix(graph):
        labels, pairs, found = _weighted_matrix(graph, bool(directed), isinstance(weight, str))
        says_directed = False
    else:
        labels, pairs = pairs_of(graph, nodes)
        says_directed = _is_directed(graph)
        found = _attributes(graph, weight) if isinstance(weight, str) else None
    if weight is not None and not isinstance(weight, str):
        found = weight
    return Edges(labels, pairs, _checked_weights(found, len(pairs)), says_directed if directed is None else bool(directed))


def _is_matrix(graph: Any) -> bool:
    if hasattr(graph, "tocoo"):
        return True
    if not isinstance(graph, (list, tuple, np.ndarray)):
        return False
    array = np.asarray(graph)
    is_of_edges = array.ndim == 2 and array.shape[1] == 2 and (array.shape[0] != 2 or array.dtype != bool)
    return array.ndim == 2 and not is_of_edges


def _is_directed(graph: Any) -> bool:
    told = getattr(graph, "is_directed", None)
    if callable(told):  # networkx, igraph
        return bool(told())
    return type(graph).__name__ == "PyDiGraph"  # rustworkx


def _attributes(graph: Any, name: str) -> list[Any] | None:
    """The weight of each edge, if some edge has one. Edges without one get weight 1, as in networkx."""
    if hasattr(graph, "edge_list") and hasattr(graph, "node_indexes"):  # rustworkx
        carried = list(graph.edges())
        if carried and all(isinstance(one, (int, float, np.number)) and not isinstance(one, bool) for one in carried):
            return carried
        found = [one.get(name) if isinstance(one, dict) else None for one in carried]
    elif hasattr(graph, "get_edgelist"):  # igraph
        found = graph.es[name] if name in graph.es.attributes() else []
    elif hasattr(graph, "nodes") and hasattr(graph, "edges"):  # networkx
        found = [value for *_, value in graph.edges(data=name)]
    else:
        return None
    return [1 if one is None else one for one in found] if any(one is not None for one in found) else None


def _weighted_matrix(graph: Any, directed: bool, weighted: bool) -> tuple[range, np.ndarray, np.ndarray | None]:
    """The edges of a matrix, one for each nonzero entry, with the entries. Without directions each pair counts once,
    whichever half of the matrix it is in."""
    if hasattr(graph, "tocoo"):
        _check_square(graph.shape)
        coo = graph.tocoo(copy=True)
        if hasattr(coo, "sum_duplicates"):
            coo.sum_duplicates()
        row, column, entry = np.asarray(coo.row), np.asarray(coo.col), np.asarray(coo.data)
        there = entry != 0
        row, column, entry = row[there], column[there], entry[there]
    else:
        array = np.asarray(graph)
        _check_square(array.shape)
        row, column = np.nonzero(array)
        entry = array[row, column]
    pairs = np.stack([row, column], axis=1).astype(np.int64)
    if not directed:
        pairs = np.sort(pairs, axis=1)
    pairs, first, which = np.unique(pairs, axis=0, return_index=True, return_inverse=True)
    kept = entry[first]
    different = np.flatnonzero(kept[which.reshape(-1)] != entry) if weighted and entry.dtype != object else []
    if len(different):
        u, v = pairs[which.reshape(-1)[different[0]]].tolist()
        raise ValueError(
            f"the entries ({u}, {v}) and ({v}, {u}) of a matrix differ (accepted: the same, one of them 0, directed=True, or weight=None)"
        )
    is_number = weighted and entry.dtype.kind in "iuf"
    return range(graph.shape[0] if hasattr(graph, "shape") else len(graph)), _pairs(pairs, None), kept if is_number else None


def _checked_weights(weights: Any, edges: int) -> np.ndarray | None:
    """The weights as checked numbers; ``None`` if all are 1."""
    if weights is None:
        return None
    try:
        array = np.asarray(weights, dtype=np.float64)
    except (TypeError, ValueError):
        raise TypeError(f"weights of edges such as {weights[0]!r} (accepted: numbers)") from None
    if array.shape != (edges,):
        raise ValueError(f"weights of shape {array.shape} for {edges} edges (accepted: one for each edge)")
    wrong = np.flatnonzero(~(np.isfinite(array) & (array >= 0)))
    if len(wrong):
        raise ValueError(f"the weight {float(array[wrong[0]])!r} of edge {int(wrong[0])} (accepted: a finite number, 0 or more)")
    if edges and not array.any():
        raise ValueError("all weights are 0 (accepted: at least one above 0)")
    return None if (array == 1).all() else array


def whole_weights(weights: np.ndarray) -> np.ndarray:
    """Whole numbers in proportion to the weights: exact if the weights are whole numbers, otherwise to a relative error
    of a millionth.

    Raises:
        ValueError: A weight is too small for that.
    """
    total = float(weights.sum())
    if total <= 2**53 and (weights == np.floor(weights)).all():
        return weights.astype(np.uint64)
    scaled = weights * (2.0**60 / total)
    small = np.flatnonzero((weights > 0) & (scaled < 10**6))
    if len(small):
        raise ValueError(f"the weight {float(weights[small[0]])!r} is too small compared with the others (accepted: 1e-12 of their sum and more)")
    return np.rint(scaled).astype(np.uint64)


def in_order(pairs: np.ndarray, weights: np.ndarray, directed: bool) -> tuple[np.ndarray, np.ndarray]:
    """Edges and weights in an order that depends only on the graph. Without directions each edge has its smaller number
    first."""
    pairs = np.asarray(pairs, dtype=np.uint32)
    if not directed:
        pairs = np.sort(pairs, axis=1)
    order = np.lexsort((weights, pairs[:, 1], pairs[:, 0]))
    return np.ascontiguousarray(pairs[order]), np.ascontiguousarray(weights[order])


def node_attribute(graph: Any, name: str) -> list[Any] | None:
    """The attribute of each node, in the order of nodes; ``None`` if no node has it.

    Raises:
        ValueError: Only some nodes have the attribute.
    """
    if hasattr(graph, "edge_list") and hasattr(graph, "node_indexes"):  # rustworkx
        found = [one.get(name) if isinstance(one, dict) else None for one in graph.nodes()]
    elif hasattr(graph, "get_edgelist"):  # igraph
        found = graph.vs[name] if name in graph.vs.attributes() else [None] * graph.vcount()
    elif hasattr(graph, "nodes") and hasattr(graph, "edges"):  # networkx
        found = [value for _, value in graph.nodes(data=name)]
    else:
        return None
    missing = [number for number, one in enumerate(found) if one is None]
    if len(missing) == len(found):
        return None
    if missing:
        raise ValueError(f"node {missing[0]} has no attribute {name!r} (accepted: an attribute of every node)")
    return found


def pairs_of(graph: Any, nodes: int | None = None) -> tuple[list[Hashable] | range, np.ndarray]:
    """Does the same as :func:`edges_of`. An array that an engine can read without a copy keeps its type."""
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
    """The edges of a matrix, each pair once, whichever half of the matrix it is in."""
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
    # In pieces, so that temporary arrays stay small.
    for first in range(0, len(array), _PIECE):
        part = array[first : first + _PIECE]
        loops = np.flatnonzero(part[:, 0] == part[:, 1])
        if len(loops):
            number = first + int(loops[0])
            raise ValueError(f"edge {number} joins node {int(array[number, 0])} to itself (accepted: two nodes)")
    is_read = array.dtype in _READ and array.dtype.isnative and array.flags.aligned
    return array if is_read else np.ascontiguousarray(array, dtype=np.uint32)
