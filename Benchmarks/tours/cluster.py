#!/usr/bin/env python3
"""Ends servers (50 times) and their database (5 times) at random while teams answer at three servers over one PostgreSQL
behind HAProxy, somebody saves a world and invites authors, and does each other fault five times: a server is cut off from the database in silence (partition), or only the
line on which it hears of changes (deaf); the database's disk hangs (stall), is slow, or full; a server's clock jumps; tables are
changed by a newer program and a server is started again (newer). Fails when a confirmed answer, save or account is lost or made twice, when
boards are not right again within five seconds, when a server without its database calls itself ready, or when a request takes
longer than twenty seconds though no disk hangs.

usage: Benchmarks/tours/cluster.py [--teams N] [--servers N] [--seed N] [--longest SECONDS] [--kill N] [--crash N] [--partition N]
       [--deaf N] [--stall N] [--slow N] [--full N] [--clock N] [--newer N] [--packets]

Lines are cut by a program in between that hands nothing on; with --packets by one that drops packets, as a firewall does, which
needs root. So does a full disk, for a small disk of its own (--full 0 without); a clock that jumps Debian's `faketime`. Runs the program that SIGHTLINE_PROGRAM names, else the debug build.
"""
import argparse
import os
import pathlib
import sys
import tempfile
import time

sys.path.insert(0, str(pathlib.Path(__file__).parents[2] / "Tests" / "Browser"))

from support.cluster import Cluster  # noqa: E402
from support.cluster_faults import STATIONS, play  # noqa: E402

parser = argparse.ArgumentParser(description=__doc__)
parser.add_argument("--teams", type=int, default=60)
faults = {"kill": 50, "crash": 5, "partition": 5, "deaf": 5, "stall": 5, "slow": 5, "full": 5, "clock": 5, "newer": 5}
for name, count in faults.items():
    parser.add_argument(f"--{name}", type=int, default=count)
parser.add_argument("--longest", type=float, default=20, help="of faults that last, seconds")
parser.add_argument("--packets", action="store_true", help="drop packets instead of keeping bytes back")
parser.add_argument("--servers", type=int, default=3)
parser.add_argument("--seed", type=int, default=int(time.time()))
options = parser.parse_args()
faults = {name: getattr(options, name) for name in faults}
if (faults["full"] or options.packets) and os.geteuid() != 0:
    sys.exit("A disk of its own, for --full, and a network device, for --packets, can only be made by root. Without: --full 0")
# So that teams have answers left until the end.
ends = faults["kill"] + faults["crash"] + faults["newer"]
seconds = 6 * ends + (4 + options.longest / 2) * (sum(faults.values()) - ends)
pause = max(0.8, 2 * 1.4 * seconds / STATIONS)
with tempfile.TemporaryDirectory() as folder:
    cluster = Cluster(folder, 1, options.servers, more=["--connections-per-network", "5000"], cuttable=True,
                      packets=options.packets, clocks=faults["clock"] > 0, disk=400 if faults["full"] else None)
    try:
        cluster.start()
        print(f"{options.servers} servers are ready", flush=True)
        report = play(cluster, options.teams, faults, options.seed, say=lambda text: print(text, flush=True),
                      longest=options.longest, pause=pause)
    finally:
        cluster.stop()
delays = sorted(report.delays)
print(f"seed {options.seed}, {options.teams} teams: {report.confirmed} answers confirmed, all stored once; {report.resent} were sent "
      f"again because no answer came; {report.saves} saves of a world and {report.accounts} new accounts confirmed, all there")
print("| fault | times | boards right after, s: median | at most | requests meanwhile by status | longest, s |")
print("|---|---|---|---|---|---|")
for name, seconds in report.recoveries.items():
    statuses = ", ".join(f"{status or 'none'}: {count}" for status, count in sorted(report.answers[name].items()))
    print(f"| {name} | {len(seconds)} | {sorted(seconds)[len(seconds) // 2]:.2f} | {max(seconds):.2f} | {statuses} "
          f"| {report.longest[name]:.1f} |")
print(f"an answer is on a board {delays[len(delays) // 2] * 1000:.0f} ms after its confirmation (median), "
      f"95 % {delays[int(len(delays) * 0.95)] * 1000:.0f} ms")
# Whoever waits for a disk that hangs waits for it.
longest = max((seconds for name, seconds in report.longest.items() if name != "stall"), default=0)
sys.exit(0 if report.slowest <= 5 and longest < 20 else 1)
