#!/usr/bin/env python3
"""Places nearby, worlds and posters a second of one, two and three servers over one PostgreSQL; what a request costs of each
processor, what is waited for, and a queueing model that says what more servers and other machines would give.

usage: Benchmarks/servers/scaling.py [--servers N,N,N] [--connections N] [--seconds S] [--places N] [--processors N]

Needs wrk and PostgreSQL (Debian: wrk, postgresql). Servers, database and wrk share this machine's processors: more servers give
no more here, and what counts is the processor time of a request and the model's error, which is printed. `nearby` and `world` are
answered from memory, `posters` is a question to the database for every request. `others` is how many processors other programs
used meanwhile: where they use more than a fifth of one, throughput says nothing, and the model is not compared.

The program is what SIGHTLINE_PROGRAM names, else .build/release/sightline. A debug build is measured too, to look at the model;
its figures are marked, as they say nothing of what a server can do.
"""
import argparse
import json
import os
import pathlib
import random
import re
import statistics
import subprocess
import sys
import tempfile
import time

root = pathlib.Path(__file__).parents[2]
os.environ.setdefault("SIGHTLINE_PROGRAM", str(root / ".build/release/sightline"))
sys.path.insert(0, str(root / "Tests" / "Browser"))

import queueing  # noqa: E402
from support.cluster import Postgres, free_port  # noqa: E402
from support.sightline import PROGRAM, Sightline  # noqa: E402

parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
parser.add_argument("--servers", default="1,2,3")
parser.add_argument("--connections", type=int, default=24, help="in all, spread over the servers")
parser.add_argument("--seconds", type=float, default=5)
parser.add_argument("--places", type=int, default=20_000)
parser.add_argument("--processors", type=int, default=2, help="of each machine of the prediction")
options = parser.parse_args()
if not pathlib.Path(PROGRAM).exists():
    sys.exit(f"{PROGRAM} is not there: swift build -c release --product sightline, or name another with SIGHTLINE_PROGRAM.")
DEBUG = "/debug/" in str(pathlib.Path(PROGRAM).resolve())
TICK = os.sysconf("SC_CLK_TCK")
HERE = len(os.sched_getaffinity(0))
# Processors that others may use for the model to be compared with what was measured.
QUIET = 0.2


def fields(pid):
    return pathlib.Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()


def processes(parent):
    """A process and all below it."""
    below = {}
    for entry in pathlib.Path("/proc").iterdir():
        if entry.name.isdigit():
            try:
                below.setdefault(int(fields(entry.name)[1]), []).append(int(entry.name))
            except OSError:
                continue
    found, rest = [], [parent]
    while rest:
        found.append(rest.pop())
        rest += below.get(found[-1], [])
    return found


def busy():
    """Seconds that all processors of this machine have worked, for whomever."""
    user, nice, system, _, _, irq, soft = map(int, pathlib.Path("/proc/stat").read_text().split("\n")[0].split()[1:8])
    return (user + nice + system + irq + soft) / TICK


class Use:
    """Processor time of processes, the time their threads stood in the queue for a processor, and how often threads slept."""

    def __init__(self, pids):
        self.cpu = self.queued = 0.0
        self.sleeps = 0
        for pid in pids:
            try:
                for task in os.listdir(f"/proc/{pid}/task"):
                    ran, waited, _ = map(int, pathlib.Path(f"/proc/{pid}/task/{task}/schedstat").read_text().split())
                    self.cpu += ran / 1e9
                    self.queued += waited / 1e9
                    status = pathlib.Path(f"/proc/{pid}/task/{task}/status").read_text()
                    self.sleeps += int(re.search(r"\nvoluntary_ctxt_switches:\s+(\d+)", status).group(1))
            except OSError:
                continue

    def since(self, other, requests):
        """For one request: microseconds of processor, microseconds in its queue, sleeps."""
        return ((self.cpu - other.cpu) / requests * 1e6, (self.queued - other.queued) / requests * 1e6,
                (self.sleeps - other.sleeps) / requests)


def script(folder, kind, bodies, path):
    lua = folder / f"{kind.replace(' ', '-')}.lua"
    method = "GET" if bodies is None else "POST"
    texts = [""] if bodies is None else bodies
    lua.write_text(
        "local bodies = {\n" + ",\n".join(f"[[{body}]]" for body in texts) + "}\nlocal requests = {}\nlocal n = math.random(1000)\n"
        'wrk.headers["Content-Type"] = "application/json"\n'
        f'init = function() for i, b in ipairs(bodies) do requests[i] = wrk.format("{method}", "{path}", nil, '
        + ("nil" if bodies is None else "b") + ") end end\n"
        "request = function() n = n % #requests + 1; return requests[n] end\n"
        "done = function(s, l, r) io.write(string.format('RESULT %d %d %d %.3f %.3f\\n', s.requests, s.duration, "
        "s.errors.connect + s.errors.read + s.errors.timeout, l.mean / 1000, l:percentile(99) / 1000)) end\n")
    return lua


def ask(members, lua, seconds):
    """One wrk for each server, all at once."""
    each = max(1, options.connections // len(members))
    running = [subprocess.Popen(["wrk", "-t1", f"-c{each}", f"-d{seconds:g}s", "-s", lua, member.url + "/"],
                                stdout=subprocess.PIPE, text=True) for member in members]
    texts = [child.communicate()[0] for child in running]
    results = []
    for text in texts:
        found = re.search(r"RESULT (.*)", text)
        if not found:
            sys.exit(f"wrk gave no result: {text}")
        results.append([float(value) for value in found.group(1).split()])
    requests = sum(result[0] for result in results)
    return {
        "requests": requests, "rate": sum(result[0] / result[1] * 1e6 for result in results),
        "errors": int(sum(result[2] for result in results)), "mean": statistics.fmean(result[3] for result in results),
        "p99": max(result[4] for result in results), "connections": each * len(members),
    }


def children_cpu():
    times = os.times()
    return times.children_user + times.children_system


def measure(members, postgres, lua):
    """Figures of a kind of request."""
    ask(members, lua, min(2, options.seconds))
    servers = [member.process.pid for member in members]
    databases = processes(postgres.process.pid)
    before, base, client = Use(servers), Use(databases), children_cpu()
    began, worked = time.monotonic(), busy()
    commits = int(postgres.rows("SELECT sum(xact_commit) FROM pg_stat_database")[0][0])
    found = ask(members, lua, options.seconds)
    requests = found["requests"]
    took, worked = time.monotonic() - began, busy() - worked
    found["server"], found["queued"], found["sleeps"] = Use(servers).since(before, requests)
    # Connections of the pool may be new.
    after = Use(processes(postgres.process.pid))
    found["database"] = max(0.0, after.since(base, requests)[0])
    found["client"] = (children_cpu() - client) / requests * 1e6
    own = (found["server"] + found["database"] + found["client"]) * requests / 1e6
    found["others"] = max(0.0, (worked - own) / took)
    time.sleep(1.1)
    found["commits"] = (int(postgres.rows("SELECT sum(xact_commit) FROM pg_stat_database")[0][0]) - commits) / requests
    return found


def row(values, widths):
    print(" | ".join(str(value).rjust(width) for value, width in zip(values, widths)), flush=True)


def main():
    rng = random.Random(7)
    counts = [int(text) for text in options.servers.split(",")]
    print(f"{PROGRAM}{', a DEBUG build: for looking at the model only' if DEBUG else ''}; {HERE} processors for servers, database and "
          f"clients together; {options.connections} connections; load of the machine before: {os.getloadavg()[0]:.1f}")
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        postgres = Postgres()
        members = []
        try:
            postgres.start()
            world = folder / "town.geojson"
            world.write_text(json.dumps({"type": "FeatureCollection", "features": [
                {"type": "Feature", "properties": {"name": f"Place {number}"},
                 "geometry": {"type": "Point", "coordinates": [11.97 + rng.gauss(0, 0.1), 57.7 + rng.gauss(0, 0.05)]}}
                for number in range(options.places)]}))
            small = folder / "square.geojson"
            small.write_text(json.dumps({"type": "FeatureCollection", "features": [
                {"type": "Feature", "properties": {"name": f"Stall {number}"},
                 "geometry": {"type": "Point", "coordinates": [11.97 + number * 1e-4, 57.7]}} for number in range(50)]}))
            for file in (world, small):
                subprocess.run([PROGRAM, "import", file, "--database", postgres.address], check=True, capture_output=True)
            for number in range(max(counts)):
                place = folder / f"server-{number}"
                place.mkdir()
                more = ["--demo", "none", "--log-level", "warning", "--connections-per-network", "4000"]
                members.append(Sightline(place, 1, port=free_port(), more=more, database=postgres.address))
            kinds = {
                "nearby": script(folder, "nearby", [json.dumps({"latitude": 57.7 + rng.gauss(0, 0.03),
                                                                "longitude": 11.97 + rng.gauss(0, 0.05), "limit": 10})
                                                    for _ in range(500)], "/api/v1/nearby"),
                "world": script(folder, "world", None, "/api/v1/worlds/square"),
                "posters": script(folder, "posters", None, "/api/v1/posters?limit=5"),
            }
            widths = (8, 7, 10, 9, 9, 10, 10, 10, 10, 8, 9, 7, 14)
            row(("", "servers", "requests/s", "mean ms", "p99 ms", "server µs", "queued µs", "database µs", "client µs",
                 "sleeps", "commits", "others", "model's error"), widths)
            found = {}
            for count in counts:
                for member in members[len([m for m in members if m.process]):count]:
                    member.start()
                for kind, lua in kinds.items():
                    figures = measure(members[:count], postgres, lua)
                    found.setdefault(kind, {})[count] = figures
                    first = found[kind][counts[0]]
                    place = queueing.on_one_machine(first["server"] / 1e6, first["database"] / 1e6, first["client"] / 1e6, HERE)
                    predicted = queueing.closed(place, figures["connections"])
                    error = predicted.throughput / figures["rate"] - 1
                    row((kind, count, round(figures["rate"]), f"{figures['mean']:.2f}", f"{figures['p99']:.1f}",
                         round(figures["server"]), round(figures["queued"]), round(figures["database"]),
                         round(figures["client"]), f"{figures['sleeps']:.2f}", f"{figures['commits']:.2f}",
                         f"{figures['others']:.2f}",
                         f"{error:+.0%}" if figures["others"] < QUIET else "not quiet"), widths)
                    if figures["errors"]:
                        sys.exit(f"{figures['errors']} requests got no answer")
            print(f"\nThe model, from one server's figures: each server and the database on a machine of {options.processors} processors, "
                  "clients elsewhere; requests/s that 200 connections a server get, and how busy the database is")
            row(("", *(f"{count} servers" for count in (1, 2, 3, 4, 8, 16))), (8, 16, 16, 16, 16, 16, 16))
            for kind, figures in found.items():
                first = figures[counts[0]]
                cells = []
                for count in (1, 2, 3, 4, 8, 16):
                    places = queueing.on_machines(first["server"] / 1e6, first["database"] / 1e6, count, options.processors,
                                                  options.processors)
                    predicted = queueing.closed(places, 200 * count)
                    cells.append(f"{predicted.throughput:.0f} ({predicted.use.get('database', 0):.0%})")
                row((kind, *cells), (8, 16, 16, 16, 16, 16, 16))
        finally:
            for member in members:
                member.stop()
            postgres.stop()


main()
