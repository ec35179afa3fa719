#!/usr/bin/env python3
"""Ends servers (50 times) and their database (5 times) at random while teams answer at three servers over one PostgreSQL
behind HAProxy; fails when a confirmed answer is lost or counted twice, or when boards are not right again within five seconds.

usage: Benchmarks/tours/cluster.py [--teams N] [--kills N] [--crashes N] [--servers N] [--seed N]

Runs the program that SIGHTLINE_PROGRAM names, else the debug build.
"""
import argparse
import pathlib
import sys
import tempfile
import time

sys.path.insert(0, str(pathlib.Path(__file__).parents[2] / "Tests" / "Browser"))

from support.cluster import Cluster  # noqa: E402
from support.cluster_faults import play  # noqa: E402

parser = argparse.ArgumentParser(description=__doc__)
parser.add_argument("--teams", type=int, default=60)
parser.add_argument("--kills", type=int, default=50)
parser.add_argument("--crashes", type=int, default=5)
parser.add_argument("--servers", type=int, default=3)
parser.add_argument("--seed", type=int, default=int(time.time()))
options = parser.parse_args()
with tempfile.TemporaryDirectory() as folder:
    cluster = Cluster(folder, 1, options.servers, more=["--connections-per-network", "5000"])
    try:
        cluster.start()
        print(f"{options.servers} servers are ready", flush=True)
        report = play(cluster, options.teams, options.kills, options.crashes, options.seed,
                      say=lambda text: print(text, flush=True))
    finally:
        cluster.stop()
delays = sorted(report.delays)
print(f"{report.kills} kills of a server, {report.crashes} of the database (seed {options.seed}), {options.teams} teams: "
      f"{report.confirmed} answers confirmed, all stored once; {report.resent} were sent again because no answer came")
print(f"boards right again after {sorted(report.recoveries)[len(report.recoveries) // 2]:.2f} s (median), "
      f"{max(report.recoveries):.2f} s at most; an answer is on a board {delays[len(delays) // 2] * 1000:.0f} ms after its "
      f"confirmation (median), 95 % {delays[int(len(delays) * 0.95)] * 1000:.0f} ms")
sys.exit(0 if max(report.recoveries) <= 5 else 1)
