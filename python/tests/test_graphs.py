"""Graphs of other packages."""

import numpy as np
import pytest

from acrasin import Simulation, edges_of, ring, torus

EPIDEMIC = {("I", "S"): ("I", "I")}


def test_an_infection_stays_in_its_part():
    # Two parts: nodes 0, 1, 2 and 3, 4.
    edges = np.array([[0, 1], [1, 2], [3, 4]], dtype=np.uint32)
    sim = Simulation(None, EPIDEMIC, graph=edges, init_states=["I", "S", "S", "S", "S"], seed=1)
    sim.run(timer=False)
    assert sim.states == ["I", "I", "I", "S", "S"] and sim.silent


def test_the_same_graph_from_every_package_is_the_same_run():
    networkx = pytest.importorskip("networkx")
    sparse = pytest.importorskip("scipy.sparse")
    graph = networkx.random_regular_graph(4, 60, seed=3)
    graph = networkx.relabel_nodes(graph, {node: node for node in sorted(graph)})
    ordered = networkx.Graph()
    ordered.add_nodes_from(range(60))
    ordered.add_edges_from(sorted(tuple(sorted(edge)) for edge in graph.edges))
    matrix = sparse.csr_array(networkx.to_scipy_sparse_array(ordered))
    dense = networkx.to_numpy_array(ordered)
    array = np.array(sorted(ordered.edges))
    runs = []
    for form in (ordered, matrix, dense, array):
        sim = Simulation({"I": 1, "S": 59}, EPIDEMIC, graph=form, seed=5)
        sim.run(timer=False)
        runs.append((sim.interactions, sim.config_dict))
    assert runs[0][1] == {"I": 60} and all(run == runs[0] for run in runs)


def test_labels_of_a_graph_are_kept():
    networkx = pytest.importorskip("networkx")
    sim = Simulation({"I": 1, "S": 3}, EPIDEMIC, graph=networkx.path_graph(["a", "b", "c", "d"]), seed=1)
    assert sim.nodes == ["a", "b", "c", "d"] and sorted(sim.states) == ["I", "S", "S", "S"]


def test_an_array_of_the_right_type_is_handed_on_as_it_is():
    edges = np.array([[0, 1], [1, 2]], dtype=np.uint32)
    assert edges_of(edges)[1] is edges or np.shares_memory(edges_of(edges)[1], edges)


def test_rings_and_tori_need_no_list():
    sim = Simulation({"I": 1, "S": 9_999}, EPIDEMIC, graph=torus(100, 100), seed=1)
    sim.run("S = 0", timer=False)
    assert sim.config_dict == {"I": 10_000}
    assert 30 < sim.time < 300
    assert Simulation({"I": 1, "S": 9}, EPIDEMIC, graph=ring(10), seed=1).nodes == range(10)


@pytest.mark.parametrize(
    "graph, message",
    [
        (np.array([[0, 0]]), "joins node 0 to itself"),
        (np.array([[0, -1]]), "-1"),
        (np.array([[0, 9]]), "up to 2"),
        (np.array([[0.5, 1.0]]), "whole numbers"),
        (np.zeros((3, 4)), "square"),
        ("ring", "type str"),
        (ring(7), "one on each"),
    ],
)
def test_what_is_no_graph_is_refused(graph, message):
    with pytest.raises((ValueError, TypeError), match=message):
        Simulation({"I": 1, "S": 2}, EPIDEMIC, graph=graph, seed=1)
