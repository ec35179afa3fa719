#!/usr/bin/env python3
"""Kills the server at random while 200 teams answer, 50 times; fails when a confirmed answer is lost or counted twice.

usage: Benchmarks/tours/kill.py [--teams N] [--rounds N] [--seed N]

Runs the program that SIGHTLINE_PROGRAM names, else the debug build.
"""
import argparse
import pathlib
import sys
import tempfile
import time

sys.path.insert(0, str(pathlib.Path(__file__).parents[2] / "Tests" / "Browser"))

from support.killing import kill_again_and_again  # noqa: E402
from support.sightline import Sightline  # noqa: E402

parser = argparse.ArgumentParser(description=__doc__)
parser.add_argument("--teams", type=int, default=200)
parser.add_argument("--rounds", type=int, default=50)
parser.add_argument("--seed", type=int, default=int(time.time()))
options = parser.parse_args()
with tempfile.TemporaryDirectory() as folder:
    server = Sightline(folder, 1).start()
    try:
        report = kill_again_and_again(server, options.teams, options.rounds, options.seed, say=lambda text: print(text, flush=True))
    finally:
        server.stop()
print(f"{report.rounds} kills (seed {options.seed}), {options.teams} teams: {report.confirmed} answers confirmed, all stored once; "
      f"{report.resent} were sent again because no answer came")
