#!/usr/bin/env python3
"""Processor time that questions cost the server, this program beside an earlier one, in one run.

usage: Benchmarks/transit/cpu_per_request.py [--rounds N] [--requests N] EARLIER [PROGRAM]

Both programs serve the demonstration's worlds and the crop of Helsinki's timetable at once, and are asked the same in turn:
`nearby`, `departures` of a stop, and stops around a place with their departures. The time is the process's own (user and
system), so that what else the machine does counts little; printed are medians over the rounds and their ratio. PROGRAM is the
release build unless named.
"""
import argparse
import http.client
import json
import os
import pathlib
import signal
import statistics
import subprocess
import tempfile

root = pathlib.Path(__file__).parents[2]
parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
parser.add_argument("--rounds", type=int, default=15)
parser.add_argument("--requests", type=int, default=1000, help="questions of a kind in a round")
parser.add_argument("earlier")
parser.add_argument("program", nargs="?", default=str(root / ".build/release/sightline"))
options = parser.parse_args()
TICK = os.sysconf("SC_CLK_TCK")


class Server:
    """A program that serves on a port of its own."""

    def __init__(self, program, folder):
        configuration = folder / "transit.json"
        feed = root / "Fixtures/transit/helsinki.zip"
        configuration.write_text(json.dumps({"providers": [{"id": "h", "name": "Helsinki", "feed": str(feed)}]}))
        self.process = subprocess.Popen(
            [program, "serve", "--port", "0", "--database", folder / "d.sqlite", "--demo", root / "Fixtures/demo", "--transit",
             configuration, "--transit-rate", "0", "--transit-clock", "2022-02-22T08:00:00+02:00"],
            stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, stdin=subprocess.DEVNULL, text=True)
        for line in self.process.stdout:
            if line.startswith("listening on "):
                self.port = int(line.strip().rstrip("/").rsplit(":", 1)[1])
                break
        else:
            raise SystemExit(f"{program} does not start")
        self.line = http.client.HTTPConnection("127.0.0.1", self.port, timeout=30)

    def ask(self, path, question):
        self.line.request("POST", path, json.dumps(question), {"Content-Type": "application/json"})
        answer = self.line.getresponse()
        body = answer.read()
        if answer.status != 200:
            raise SystemExit(f"{path}: {answer.status} {body[:300]}")
        return body

    def seconds(self):
        with open(f"/proc/{self.process.pid}/stat", encoding="ascii") as file:
            fields = file.read().rsplit(")", 1)[1].split()
        return (int(fields[11]) + int(fields[12])) / TICK


def questions(server):
    stops = json.loads(server.ask("/api/v1/transit/stops", {"latitude": 60.17, "longitude": 24.94, "limit": 20}))["stops"]
    ids = [stop["id"] for stop in stops]
    return {
        "nearby": lambda n: ("/api/v1/nearby", {"latitude": 48.4 + n * 1e-5, "longitude": 9.99, "limit": 10}),
        "departures": lambda n: ("/api/v1/transit/departures", {"stops": [ids[n % len(ids)]], "limit": 10}),
        "stops with departures": lambda n: ("/api/v1/transit/stops", {"latitude": 60.17 + n * 1e-6, "longitude": 24.94,
                                                                      "limit": 10, "departures": 3}),
    }


with tempfile.TemporaryDirectory(prefix="sightline-cpu-") as name:
    folders = [pathlib.Path(name) / part for part in ("earlier", "now")]
    for folder in folders:
        folder.mkdir()
    servers = [Server(program, folder) for program, folder in zip([options.earlier, options.program], folders)]
    try:
        for kind, make in questions(servers[1]).items():
            taken = [[], []]
            for turn in range(options.rounds + 1):
                for which in ((0, 1), (1, 0))[turn % 2]:
                    begin = servers[which].seconds()
                    for n in range(options.requests):
                        servers[which].ask(*make(n))
                    # The first round is for warming up.
                    if turn:
                        taken[which].append((servers[which].seconds() - begin) / options.requests)
            earlier, now = (statistics.median(times) * 1e6 for times in taken)
            print(f"{kind}: {earlier:.0f} µs -> {now:.0f} µs a request, ratio {now / earlier:.2f}", flush=True)
    finally:
        for server in servers:
            server.process.send_signal(signal.SIGTERM)
            server.process.wait()
