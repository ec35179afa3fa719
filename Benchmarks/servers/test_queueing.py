#!/usr/bin/env python3
"""The queueing model against what is known exactly: python3 -m pytest Benchmarks/servers/test_queueing.py"""
import random

import queueing
from queueing import Place, closed


def test_one_connection_never_waits():
    found = closed([Place("a", 0.002, 4), Place("b", 0.003)], 1)
    assert abs(found.response - 0.005) < 1e-12 and abs(found.throughput - 200) < 1e-9


def test_the_slowest_place_is_the_limit():
    places = queueing.on_machines(0.001, 0.0001, 4, 2, 2)
    found = closed(places, 2000)
    assert 0.99 < found.throughput / 8000 <= 1
    assert 0.35 < found.use["database"] < 0.41
    # So many servers that the database is it.
    assert 0.99 < closed(queueing.on_machines(0.001, 0.0001, 40, 2, 2), 20_000).throughput / 20_000 <= 1


def test_balanced_places_as_the_closed_form_says():
    # Of K equal places and N connections: N / (N + K - 1) of the limit.
    for count in (1, 3, 10):
        found = closed([Place(str(number), 0.01) for number in range(5)], count)
        assert abs(found.throughput - 100 * count / (count + 4)) < 1e-9


def test_beside_a_simulation_of_two_processors():
    """Exponential times, 8 connections at a place with 2 processors, then one with 1."""
    rng, steps = random.Random(3), 60_000
    counts, rates, processors = [8, 0], (1 / 0.004, 1 / 0.001), (2, 1)
    clock, done = 0.0, 0
    for _ in range(steps):
        speeds = [rate * min(count, many) for rate, count, many in zip(rates, counts, processors)]
        clock += rng.expovariate(sum(speeds))
        here = 0 if rng.random() * sum(speeds) < speeds[0] else 1
        counts[here] -= 1
        counts[1 - here] += 1
        done += here
    found = closed([Place("a", 0.004, 2), Place("b", 0.001)], 8)
    assert abs(found.throughput / (done / clock) - 1) < 0.08
