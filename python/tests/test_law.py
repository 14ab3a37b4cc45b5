"""Tests that runs have the law of the Markov chain: chi-square against exact distributions. A biased sampler is
rejected."""

import itertools
import math

import numpy as np
import pytest
from scipy import stats

from acrasin import Simulation

FAMILY = 1e-6


def exact(rule, start, steps):
    """The distribution of the configuration after this number of interactions, with equally likely ordered pairs of
    agents."""
    states = sorted({state for pair in rule for state in pair} | set(start)
                    | {state for outcomes in rule.values() for pair in outcomes for state in pair})
    n = sum(start.values())
    now = {tuple(start.get(state, 0) for state in states): 1.0}
    for _ in range(steps):
        after = {}
        for config, chance in now.items():
            for i, j in itertools.product(range(len(states)), repeat=2):
                pairs = config[i] * (config[j] - (i == j))
                if not pairs:
                    continue
                pair = (states[i], states[j])
                outcomes = rule.get(pair, {pair: 1.0})
                for (c, d), part in outcomes.items():
                    new = list(config)
                    for place, by in ((i, -1), (j, -1), (states.index(c), 1), (states.index(d), 1)):
                        new[place] += by
                    key = tuple(new)
                    after[key] = after.get(key, 0.0) + chance * part * pairs / (n * (n - 1))
        now = after
    return states, now


def chi_square(law, seen, samples):
    """The p-value of the chi-square test, with cells of less than 8 expected samples merged."""
    expected, counted, rest = [], [], [0.0, 0]
    for config, chance in law.items():
        if chance * samples >= 8:
            expected.append(chance * samples)
            counted.append(seen.get(config, 0))
        else:
            rest[0] += chance * samples
            rest[1] += seen.get(config, 0)
    if rest[0] > 0:
        expected.append(rest[0])
        counted.append(rest[1])
    assert set(seen) <= set(law), "a configuration that cannot be"
    value = sum((c - e) ** 2 / e for c, e in zip(counted, expected))
    return stats.chi2.sf(value, len(expected) - 1)


def sampled(rule, start, steps, method, samples, states, bias=0.0):
    seen = {}
    sim = Simulation(start, rule, method, transition_order="asymmetric", seed=2026)
    rng = np.random.default_rng(1)
    for _ in range(samples):
        sim.reset()
        made = steps - 1 if rng.random() < bias else steps
        sim.run(made / sim.n, history_interval=math.inf, timer=False)
        assert sim.interactions == made
        config = tuple(sim.config_dict.get(state, 0) for state in states)
        seen[config] = seen.get(config, 0) + 1
    return seen


def random_rule(rng):
    rule = {}
    for pair in itertools.product("ABC", repeat=2):
        outcomes = [tuple(rng.choice(list("ABC"), 2)) for _ in range(2)]
        if outcomes[0] == outcomes[1]:
            rule[pair] = {outcomes[0]: 1.0}
        else:
            share = float(rng.choice([0.25, 0.5, 0.125]))
            rule[pair] = {outcomes[0]: share, outcomes[1]: 1 - share}
    return rule


@pytest.mark.parametrize("method", ["MultiBatch", "Sequential", "Gillespie"])
@pytest.mark.parametrize("table", range(2))
def test_random_tables_have_the_exact_law(method, table):
    rule = random_rule(np.random.default_rng(table))
    start = {"A": 3, "B": 2, "C": 1}
    states, law = exact(rule, start, 7)
    seen = sampled(rule, start, 7, method, 4000, states)
    assert chi_square(law, seen, 4000) > FAMILY / 6


def test_a_sampler_that_leaves_out_an_interaction_now_and_then_is_refused():
    rule = {("L", "L"): {("L", "F"): 1.0}}
    start = {"L": 12}
    states, law = exact(rule, start, 6)
    samples = 6000
    assert chi_square(law, sampled(rule, start, 6, "MultiBatch", samples, states), samples) > FAMILY
    assert chi_square(law, sampled(rule, start, 6, "MultiBatch", samples, states, 0.25), samples) < FAMILY
