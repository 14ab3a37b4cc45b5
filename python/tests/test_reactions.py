"""Tests of reactions against closed formulas: rates, units, volumes and numbers of molecules."""

import copy
import math
import pickle

import numpy as np
import pytest

import acrasin
from acrasin import Reaction, RateConstantUnits, Simulation, avogadro, ring, species

A, B, D, I, R, S = species("A B D I R S")


def mean_after(sim, time, repetitions, state, start=None):
    """The mean of a count over many runs."""
    found = []
    for _ in range(repetitions):
        sim.reset(start)
        sim.run(time, history_interval=math.inf, timer=False)
        found.append(sim.config_dict.get(state, 0))
    return float(np.mean(found))


@pytest.mark.parametrize("inert", [0, 900])
@pytest.mark.parametrize("method", ["MultiBatch", "Sequential", "Gillespie", "crn"])
def test_a_species_without_reactions_slows_no_other(inert, method):
    start = {A: 100, D: inert} if inert else {A: 100}
    sim = Simulation(start, [(A >> B).k(1)], method, seed=1)
    # 100 e^-1 = 36.79; the mean of 200 runs has a deviation of 0.34.
    assert abs(mean_after(sim, 1, 200, A) - 100 / math.e) < 1.6


def test_species_look_like_their_names():
    sim = Simulation({A: 5, B: 7}, [(A >> B).k(1)], seed=1)
    assert (repr(sim.config_dict), repr(sim.state_list)) == ("{A: 5, B: 7}", "[A, B]")
    with pytest.raises(ValueError, match=r"^1\.5 agents in state B \("):
        Simulation({A: 5, B: 1.5}, [(A >> B).k(1)])


def test_species_may_be_given_by_their_names():
    by_name = Simulation({"A": 5, "B": 5}, [A + B >> 2 * B], seed=1)
    by_species = Simulation({A: 5, B: 5}, [A + B >> 2 * B], seed=1)
    for sim in (by_name, by_species):
        sim.run(timer=False)
    assert by_name.config_dict == by_species.config_dict == {B: 10} and by_name.state_list == [A, B]
    by_name.reset({"A": 3, B: 4})
    assert by_name.config_dict == {A: 3, B: 4}
    for wrong in ({"C": 5, B: 5}, {"A": 5, A: 5, B: 5}, {1: 5, B: 5}):
        with pytest.raises((ValueError, TypeError), match="accepted"):
            Simulation(wrong, [A + B >> 2 * B], seed=1)


def infected(n, volume, time):
    """The mean-field limit of ``A + B -> 2 B`` from equal halves: the logistic curve with rate n / volume."""
    return n / (1 + math.exp(time * n / volume))


@pytest.mark.parametrize("change", ["reset", "set_config", "set_config twice"])
@pytest.mark.parametrize("method", ["MultiBatch", "crn"])
def test_the_volume_follows_the_number_of_agents_unless_it_is_given(change, method):
    other = {A: 20_000, B: 20_000}
    for volume, expected in ((None, infected(40_000, 40_000, 0.5)), (80_000.0, infected(40_000, 80_000, 0.5))):
        sim = Simulation({A: 500, B: 500}, [A + B >> 2 * B], method, seed=2, volume=volume)
        if change == "set_config twice":
            sim.set_config({A: 3, B: 5})
            sim.set_config(other)
        elif change == "reset":
            sim.reset(other)
        else:
            sim.set_config(other)
        sim.run(0.5, timer=False)
        assert abs(sim.config_dict[A] - expected) < 450, (sim.config_dict, expected)


def test_a_sample_of_the_first_configuration_has_its_volume():
    sim = Simulation({A: 1000, B: 0}, [(A >> B).k(1)], seed=3)
    sim.set_config({A: 10, B: 0})
    # The time until all of n have reacted is about ln n + 0.577.
    times = [sim.sample_silence_time() for _ in range(100)]
    assert abs(np.mean(times) - (math.log(1000) + 0.577)) < 0.6 and sim.n == 10


@pytest.mark.parametrize("units", [RateConstantUnits.mass_action, "mass_action"])
def test_units_are_the_enumeration_or_its_text(units):
    assert (A + B >> 2 * B).k(3, units=units).rate_constant_stochastic == 3 / avogadro
    assert (A + B >> 2 * B).k(3, units="stochastic").rate_constant_stochastic == 3
    assert (A + A + B >> B).k(3, units=units).rate_constant_stochastic == pytest.approx(3 / avogadro**2)
    assert (A + B | 2 * B).r(3, "stochastic").rate_constant_reverse_stochastic == 3
    with pytest.raises(ValueError, match="mass_action"):
        (A >> B).k(1, units)


@pytest.mark.parametrize("units", ["Stochastic", "M", "", None, 3, True])
def test_unknown_units_are_refused_with_those_that_there_are(units):
    for wrong in (
        lambda: (A + B >> 2 * B).k(3, units=units),
        lambda: (A + B | 2 * B).r(3, units=units),
        lambda: Reaction(A + B, 2 * B, rate_constant_units=units),
        lambda: Reaction(A + B, 2 * B, rate_constant_reverse_units=units),
    ):
        with pytest.raises(ValueError, match="stochastic.*mass_action"):
            wrong()
    reaction = A + B >> 2 * B
    reaction.rate_constant_units = units
    with pytest.raises(ValueError, match="stochastic.*mass_action"):
        Simulation({A: 5, B: 5}, [reaction], seed=1)


def test_a_reaction_is_made_as_in_ppsim():
    reaction = Reaction(A + B, 2 * B, k=2, r=3, reversible=True)
    assert (reaction.rate_constant, reaction.rate_constant_reverse) == (2, 3)
    assert reaction == (A + B | 2 * B).k(2).r(3) == Reaction(A + B, 2 * B, rate_constant=2, rate_constant_reverse=3, reversible=True)
    assert reaction.reactants_if_bimolecular() == (A, B) and reaction.reactant_names_if_bimolecular() == ("A", "B")
    assert reaction.products_if_exactly_two() == (B, B) and reaction.product_names_if_exactly_two() == ("B", "B")
    assert (A >> B).reactant_if_unimolecular() == A and (A >> B).product_if_unique() == B
    for wrong in (reaction.reactant_if_unimolecular, reaction.product_if_unique, (A >> B).reactants_if_bimolecular,
                  (A >> B).products_if_exactly_two):
        with pytest.raises(ValueError, match="accepted"):
            wrong()


def test_a_reaction_that_is_changed_later_changes_no_simulation():
    reaction = (A >> B).k(1)
    sim = Simulation({A: 1000, B: 0}, [reaction], seed=1)
    reaction.k(50)
    sim.reset({A: 2000, B: 0})
    sim.run(0.5, timer=False)
    assert abs(sim.config_dict[A] - 2000 * math.exp(-0.5)) < 120


# ---- Any number of molecules ----


def test_birth_and_death_have_the_law_of_poisson():
    sim = Simulation({A: 0}, [(None >> A).k(30), (A >> None).k(1)], seed=5, volume=1)
    found = []
    for _ in range(400):
        sim.reset()
        sim.run(1, history_interval=math.inf, timer=False)
        found.append(sim.config_dict.get(A, 0))
    mean = 30 * (1 - math.exp(-1))
    assert abs(np.mean(found) - mean) < 4 * math.sqrt(mean / 400)
    assert abs(np.var(found) / mean - 1) < 0.3


def test_decay_to_nothing_and_its_times():
    sim = Simulation({A: 1000}, [(A >> None).k(1)], seed=6)
    sim.run(1, 0.25, timer=False)
    assert sim.times == [0, 0.25, 0.5, 0.75, 1.0]
    assert abs(sim.config_dict[A] - 1000 / math.e) < 65 and sim.n == sim.config_dict[A]
    sim.run(timer=False)
    assert sim.silent is True and sim.config_dict == {} and sim.interactions == 1000
    end = sim.time
    assert 4 < end < 14
    sim.run(2, timer=False)
    assert sim.time == end + 2


def test_two_and_three_molecules_have_the_rates_of_their_choices():
    # One choice of two among 2 A, at the rate k / volume: the mean time is volume / k.
    for rule, start, end, mean in (
        ((2 * A >> A + B + D).k(4), {A: 2}, "A = 1", 8 / 4),
        ((3 * A >> B).k(4), {A: 3}, "B = 1", 64 / 4),
        ((A + B + D >> A).k(4), {A: 1, B: 2, D: 3}, "B = 1", 64 / 4 / 6),
    ):
        sim = Simulation(start, [rule], seed=1, volume=8)
        times = []
        for _ in range(400):
            sim.reset()
            sim.run(end, timer=False)
            times.append(sim.time)
        assert abs(np.mean(times) / mean - 1) < 0.22, (str(rule), np.mean(times), mean)


def test_predators_and_prey_run_as_they_are_written():
    r, f = species("R F")
    sim = Simulation({r: 1000, f: 1000}, [(r + f >> 2 * f), (r >> 2 * r), (f >> None)], seed=1)
    sim.run(5.0, 0.5, timer=False)
    assert len(sim.times) == 11 and list(sim.history.columns) == ["F", "R"]
    # V = f + r - ln f - ln r in units of the volume stays near that of the start in the limit of many molecules.
    of = lambda counts: sum(x / 2000 - 0.5 * math.log(x / 2000) for x in counts.values())  # noqa: E731
    assert sim.config_dict and of(sim.config_dict) < 3
    assert "R -->(1) R + R" in sim.reactions and "∅" in sim.reactions


def test_a_predicate_stops_reactions_where_it_first_holds():
    sim = Simulation({A: 100}, [(A >> 2 * B).k(1)], seed=1)
    sim.run("B >= 20", timer=False)
    assert sim.config_dict == {A: 90, B: 20} and sim.interactions == 10
    sim.run("agreed", timer=False)
    assert sim.config_dict == {B: 200}
    for wrong in ("stable", "Q >= 1", "A >="):
        with pytest.raises(ValueError):
            sim.run(wrong, timer=False)


@pytest.mark.parametrize("copied", [copy.copy, copy.deepcopy, lambda sim: pickle.loads(pickle.dumps(sim))])
def test_copies_of_reactions_continue_as_the_run_does(copied):
    r, f = species("R F")
    sim = Simulation({r: 300, f: 300}, [(r + f >> 2 * f), (r >> 2 * r), (f >> None)], seed=1)
    sim.run(1.3, 0.5, timer=False)
    other = copied(sim)
    for one in (sim, other):
        one.run(1, 0.25, timer=False)
    assert sim.config_dict == other.config_dict and sim.times == other.times and sim.interactions == other.interactions


def test_a_run_of_reactions_does_not_depend_on_where_it_is_looked_at():
    rules = [(A + B >> 2 * B).k(1), (B >> None).k(0.5), (None >> A).k(20)]
    ends = []
    for interval in (10.0, 0.01):
        sim = Simulation({A: 100, B: 20}, rules, seed=4, volume=100)
        sim.run(3, interval, timer=False)
        ends.append((sim.config_dict, sim.interactions))
    assert ends[0] == ends[1]


def test_what_is_no_reaction_in_a_vessel_is_refused():
    for wrong in (
        lambda: Simulation({A: 5}, [5 * A >> B], seed=1),
        lambda: Simulation({A: 5}, [A >> 2 * B], seed=1).rule(A, B),
        lambda: Simulation({A: 5}, [A >> 2 * B], seed=1).time_to_steps(3),
        lambda: Simulation({A: 5}, [A >> 2 * B], seed=1, volume=0),
        lambda: Simulation({A: 5}, [A >> 2 * B], seed=1, graph=ring(5)),
        lambda: Simulation({"A": 5}, {("A", "A"): ("A", "B")}, "crn"),
        lambda: Simulation({A: 2**60}, [A >> 2 * B], seed=1),
        lambda: Simulation({A: 5}, [], seed=1),
    ):
        with pytest.raises((ValueError, TypeError), match="accepted"):
            wrong()


def test_trials_of_reactions_have_their_mean():
    frame = acrasin.time_trials([(2 * A >> A).k(1)], [40], lambda n: {A: n}, num_trials=300, seed=1)
    # From k molecules in the volume 40 the next reaction takes 2 * 40 / (k (k - 1)): together 80 (1 - 1/40).
    assert len(frame) == 300 and abs(frame["time"].mean() - 80 * (1 - 1 / 40)) < 12


def test_what_a_scenario_cannot_say_is_refused():
    for sim in (
        Simulation({A: 5}, [A >> B], seed=1, graph=ring(5)),
        Simulation({"A": 1, "B": 1}, {("A", "B"): ("A", "A")}, seed=1, graph=np.array([[0, 1]]), directed=True),
    ):
        with pytest.raises(ValueError, match="accepted"):
            sim.scenario()


@pytest.mark.parametrize("until", [None, 0.75, "B >= 40"])
def test_reactions_as_a_scenario_are_the_same_run(until, tmp_path):
    rules = [(2 * A >> B).k(0.5), (A >> A + B).k(1), (A >> None).k(2), (B >> None).k(0.001 if until else 1)]
    sim = Simulation({A: 100, B: 7}, rules, seed=9, volume=60)
    scenario = sim.scenario(until)
    sim.run("silent" if until is None else until, timer=False)
    record = scenario.run()
    assert [record["states"][name] for name in ("A", "B")] == [sim.config_dict.get(one, 0) for one in (A, B)]
    assert (record["work"]["reactions"], record["work"]["time"]) == (sim.interactions, sim.time)
    assert acrasin.Scenario(scenario.save(tmp_path)).run().digest == record.digest == sim.digest
    assert sim.scenario(interactions=sim.interactions).run()["states"]["B"] == record["states"]["B"]
    with pytest.raises(ValueError, match="accepted"):
        sim.scenario(rung="F1")


def test_a_time_of_too_many_interactions_is_refused():
    sim = Simulation({A: 5, B: 5}, [(A + B >> 2 * B).k(1e300)], seed=1)
    with pytest.raises(ValueError, match=r"interactions are expected up to time 0\.1 \(accepted: at most 2\^62\)"):
        sim.run(0.1)
    sim = Simulation({A: 5, B: 5}, [(A + B >> 2 * B).k(1)], volume=1e-155, seed=1)
    with pytest.raises(ValueError, match="accepted"):
        sim.run(1)
