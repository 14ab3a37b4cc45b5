"""Tests of reactions, weights and directions on graphs against closed formulas."""

import copy
import math
import pickle

import numpy as np
import pytest

from acrasin import Simulation, ring, species, torus

A, B, C, D, I, R, S = species("A B C D I R S")
networkx = pytest.importorskip("networkx")


def shares(sim, time, repetitions, state):
    """The share of runs in which each node is in a state at a time."""
    found = np.zeros(sim.n)
    for number in range(repetitions):
        one = sim._fresh(number, sim.config_dict)
        one.run(time, history_interval=math.inf, timer=False)
        found += [here == state for here in one.states]
    return found / repetitions


@pytest.mark.parametrize("graph", [networkx.star_graph(100), networkx.barabasi_albert_graph(101, 2, seed=1), ring(101)])
def test_a_node_changes_at_its_rate_whatever_edges_it_has(graph):
    # All nodes start infected and only recover: the share e^-0.5 = 0.607 is still infected at every node.
    rules = [(S + I >> 2 * I).k(2), (I >> R).k(1)]
    sim = Simulation(None, rules, graph=graph, init_states=[I] * 101, seed=1)
    left = shares(sim, 0.5, 600, I)
    assert abs(left[0] - math.exp(-0.5)) < 0.08
    assert abs(left[1:].mean() - math.exp(-0.5)) < 0.01
    assert np.abs(left - math.exp(-0.5)).max() < 0.1


def test_one_change_at_a_node_without_edges():
    graph = networkx.Graph([(0, 1)])
    graph.add_node(2)
    sim = Simulation(None, [(A >> B).k(1)], graph=graph, init_states=[A, A, A], seed=1)
    assert np.abs(shares(sim, 1, 2000, A) - math.exp(-1)).max() < 0.045
    sim.run(timer=False)
    assert sim.states == [B, B, B] and sim.silent is True


@pytest.mark.parametrize("further", [[], [(C >> D).k(1)]])
def test_two_on_an_edge_react_at_the_rate_of_the_edge(further):
    # One edge of a path of two: all pairs of n = 2 in the volume 2, so the rate is k / 2.
    sim = Simulation({A: 1, B: 1}, [(A + B >> 2 * B).k(3), *further], graph=networkx.path_graph(2), seed=1)
    times = []
    for _ in range(2000):
        sim.reset()
        sim.run("A = 0", timer=False)
        times.append(sim.time)
    assert abs(np.mean(times) - 2 / 3) < 0.06


@pytest.mark.parametrize("further", [[], [(R >> S).k(1)]])
def test_the_first_reactant_becomes_the_first_product(further):
    for seed in range(20):
        sim = Simulation(None, [A + B >> C + D, *further], graph=networkx.path_graph(2), init_states=[A, B], seed=seed)
        sim.run("C = 1", timer=False)
        assert sim.states == [C, D]


def first_of_edges(sim, repetitions):
    """The share of runs in which each node is infected first."""
    found = np.zeros(sim.n)
    for _ in range(repetitions):
        sim._population = sim._population.restarted(sim._start_states, int(np.random.default_rng(_).integers(2**60)))
        sim.time, sim._begun = 0.0, 0.0
        sim.run("I >= 2", timer=False)
        found[[state in ("I", I) for state in sim.states].index(True, 1)] += 1
    return found / repetitions


@pytest.mark.parametrize("rule", [{("I", "S"): ("I", "I")}, [I + S >> 2 * I], [I + S >> 2 * I, (R >> S).k(1)]])
@pytest.mark.parametrize("weights", [(1, 3), (0.25, 0.75), (1e-3, 3e-3)])
def test_an_edge_is_chosen_by_its_weight(rule, weights):
    graph = networkx.Graph()
    graph.add_nodes_from(range(3))
    graph.add_weighted_edges_from([(0, 1, weights[0]), (0, 2, weights[1])])
    states = ["I", "S", "S"] if isinstance(rule, dict) else [I, S, S]
    sim = Simulation(None, rule, graph=graph, init_states=states, seed=1)
    assert abs(first_of_edges(sim, 1500)[2] - 0.75) < 0.05
    sim = Simulation(None, rule, graph=graph, init_states=states, seed=1, weight=None)
    with pytest.raises(AssertionError):
        assert abs(first_of_edges(sim, 1500)[2] - 0.75) < 0.05


def of_every_package():
    weighted = [(0, 1, 1.0), (0, 2, 3.0)]
    one = networkx.Graph()
    one.add_nodes_from(range(3))
    one.add_weighted_edges_from(weighted)
    yield one, {}
    yield networkx.to_scipy_sparse_array(one), {}
    yield networkx.to_numpy_array(one), {}
    yield np.triu(networkx.to_numpy_array(one)), {}
    yield np.array([[0, 1], [0, 2]]), {"weight": [1, 3]}
    named = networkx.Graph([(0, 1, {"rate": 1}), (0, 2, {"rate": 3})])
    yield named, {"weight": "rate"}
    rustworkx = pytest.importorskip("rustworkx")
    other = rustworkx.PyGraph()
    other.add_nodes_from(range(3))
    other.add_edges_from(weighted)
    yield other, {}
    igraph = pytest.importorskip("igraph")
    yield igraph.Graph(n=3, edges=[(0, 1), (0, 2)], edge_attrs={"weight": [1, 3]}), {}
    # Parallel edges count separately.
    yield networkx.MultiGraph([(0, 1), (0, 2), (0, 2), (0, 2)]), {}


def test_weights_of_every_package_are_the_same_run():
    rule, runs = {("I", "S"): ("I", "I")}, []
    for graph, further in of_every_package():
        sim = Simulation(None, rule, graph=graph, init_states=["I", "S", "S"], seed=4, **further)
        assert abs(first_of_edges(sim, 400)[2] - 0.75) < 0.1
        sim = Simulation(None, rule, graph=graph, init_states=["I", "S", "S"], seed=4, **further)
        sim.run(timer=False)
        runs.append((sim.interactions, sim.digest))
    # (Without weights another engine with the same law makes the run.)
    assert len(set(runs[:-1])) == 1


@pytest.mark.parametrize("rule", [{("I", "S"): ("I", "I")}, [I + S >> 2 * I], [I + S >> 2 * I, (R >> S).k(1)]])
def test_an_infection_goes_along_the_direction_of_edges(rule):
    infected, healthy = ("I", "S") if isinstance(rule, dict) else (I, S)
    for edges, spreads in (([(0, 1)], True), ([(1, 0)], False), ([(0, 1), (1, 0)], True)):
        graph = networkx.DiGraph()
        graph.add_nodes_from([0, 1])
        graph.add_edges_from(edges)
        further = {"transition_order": "asymmetric"} if isinstance(rule, dict) else {}
        sim = Simulation(None, rule, graph=graph, init_states=[infected, healthy], seed=1, **further)
        sim.run(20, timer=False)
        assert sim.states == ([infected, infected] if spreads else [infected, healthy])
        assert sim.silent is True
        sim = Simulation(None, rule, graph=graph, init_states=[infected, healthy], seed=1, directed=False, **further)
        sim.run(40, timer=False)
        assert sim.states == [infected, infected]


def test_states_of_nodes_by_their_names():
    graph = networkx.path_graph(["a", "b", "c", "d"])
    rule = {("I", "S"): ("I", "I")}
    wanted = {"d": "S", "c": "S", "b": "S", "a": "I"}
    networkx.set_node_attributes(graph, wanted, "health")
    pandas = pytest.importorskip("pandas")
    for states in (wanted, "health", ["I", "S", "S", "S"], "ISSS", pandas.Series(wanted)):
        sim = Simulation(None, rule, graph=graph, init_states=states, seed=1)
        assert sim.states == ["I", "S", "S", "S"], states
    sim = Simulation(None, [S + I >> 2 * I], graph=graph, init_states="health", seed=1)
    assert sim.states == [I, S, S, S]
    with pytest.raises(ValueError, match="no state for node 'a'"):
        Simulation(None, rule, graph=graph, init_states={"b": "S", "c": "S", "d": "S", "e": "I"}, seed=1)
    with pytest.raises(ValueError, match="no state for node 'c'"):
        Simulation(None, rule, graph=graph, init_states={"a": "I", "b": "S"}, seed=1)
    with pytest.raises(ValueError, match="no state for node 'b'"):
        Simulation(None, rule, graph=graph, init_states={"a": "I"}, seed=1)
    with pytest.raises(ValueError, match="no state for node 'a'"):
        Simulation(None, rule, graph=graph, init_states={"z": "I"}, seed=1)
    # Regression: a misspelt attribute with one letter per node was read as a state for each node.
    for wrong in ("heal", "healt", "h"):
        with pytest.raises(ValueError, match=f"'{wrong}': no node has this attribute"):
            Simulation(None, rule, graph=graph, init_states=wrong, seed=1)


@pytest.mark.parametrize("copied", [copy.copy, copy.deepcopy, lambda sim: pickle.loads(pickle.dumps(sim))])
@pytest.mark.parametrize("kind", ["weights", "reactions"])
def test_copies_continue_as_the_run_does(copied, kind):
    graph = networkx.barabasi_albert_graph(60, 2, seed=1)
    networkx.set_edge_attributes(graph, {edge: 1 + sum(edge) % 3 for edge in graph.edges}, "weight")
    rule = {("I", "S"): ("I", "I")} if kind == "weights" else [(S + I >> 2 * I).k(2), (I >> S).k(1)]
    states = ["I"] * 20 + ["S"] * 40 if kind == "weights" else [I] * 20 + [S] * 40
    sim = Simulation(None, rule, graph=graph, init_states=states, seed=1)
    sim.run(1.5, 0.5, timer=False)
    other = copied(sim)
    for one in (sim, other):
        one.run(1, 0.25, timer=False)
    assert (sim.states, sim.times, sim.interactions) == (other.states, other.times, other.interactions)
    assert len(sim.times) == len(sim.configs) == 8


def test_goals_and_names_do_not_know_the_environment():
    sim = Simulation({I: 5, S: 4}, [(S + I >> 2 * I).k(2), (I >> R).k(1)], graph=torus(3, 3), seed=1)
    assert sim.state_list == [I, R, S] and len(sim.config_array) == 3 and sim.n == len(sim.states) == 9
    sim.run("R >= 4", timer=False)
    assert sim.config_dict[R] == 4
    sim.run(timer=False)
    assert sim.silent is True and I not in sim.config_dict
    sim.set_config({R: 8, I: 1})
    sim.run("agreed", timer=False)
    assert sim.config_dict == {R: 9}
    assert "I -->(1) R" in sim.reactions


@pytest.mark.parametrize(
    "make",
    [
        lambda: networkx.Graph([(0, 1, {"weight": -1}), (1, 2, {"weight": 1})]),
        lambda: networkx.Graph([(0, 1, {"weight": math.nan}), (1, 2, {"weight": 1})]),
        lambda: networkx.Graph([(0, 1, {"weight": "much"}), (1, 2, {"weight": 1})]),
        lambda: networkx.Graph([(0, 1, {"weight": 0}), (1, 2, {"weight": 0})]),
        lambda: networkx.Graph([(0, 1, {"weight": 1e-30}), (1, 2, {"weight": 1.5})]),
        lambda: np.array([[0, 1.0, 0], [2.0, 0, 1], [0, 1, 0]]),
    ],
)
def test_weights_that_are_none_are_refused(make):
    with pytest.raises((ValueError, TypeError), match="accepted"):
        Simulation({"I": 1, "S": 2}, {("I", "S"): ("I", "I")}, graph=make(), seed=1)
