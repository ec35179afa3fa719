#!/usr/bin/env python3
"""2,000 teams and 50 boards on one server or several: how long an answer takes from the phone to its teacher's board.

usage: Benchmarks/tours/load.py [--teams N] [--boards N] [--seconds N] [--every SECONDS] [--servers N]

Teams join, then each tells where it is every five seconds and answers a question every `--every` seconds. The time is
taken in this process from handing the request to the socket until the event has arrived at the board. Servers and clients
share the machine; two or more servers have one PostgreSQL and HAProxy in front. Runs the program that SIGHTLINE_PROGRAM names, else the debug build; reads /proc for memory.
"""
import argparse
import asyncio
import pathlib
import random
import re
import resource
import sys
import tempfile
import time

sys.path.insert(0, str(pathlib.Path(__file__).parents[2] / "Tests" / "Browser"))

from support.cluster import Cluster  # noqa: E402
from support.crowd import CrowdTeam, watch  # noqa: E402
from support.sightline import Sightline  # noqa: E402
from support.tours import Teacher, add_author, questions  # noqa: E402

parser = argparse.ArgumentParser(description=__doc__)
parser.add_argument("--teams", type=int, default=2000)
parser.add_argument("--boards", type=int, default=50)
parser.add_argument("--seconds", type=float, default=60)
parser.add_argument("--every", type=float, default=30)
parser.add_argument("--servers", type=int, default=1)
options = parser.parse_args()


def memory(process):
    """Resident kilobytes now and at most."""
    text = pathlib.Path(f"/proc/{process.pid}/status").read_text()
    return tuple(int(re.search(rf"{name}:\s+(\d+)", text).group(1)) for name in ("VmRSS", "VmHWM"))


def processor(process):
    fields = pathlib.Path(f"/proc/{process.pid}/stat").read_text().rsplit(")", 1)[1].split()
    return (int(fields[11]) + int(fields[12])) / 100


async def play(team, end, rng, sent, failures, counts):
    next_look, next_answer = time.perf_counter() + rng.random() * 5, time.perf_counter() + rng.random() * options.every
    while (now := time.perf_counter()) < end:
        await asyncio.sleep(max(0, min(next_look, next_answer, end) - now))
        try:
            if time.perf_counter() >= next_answer and not team.is_through:
                event = team.next_answer()
                sent[event["id"]] = time.perf_counter()
                await team.send()
                counts["answers"] += 1
                next_answer += options.every
            elif time.perf_counter() >= next_look:
                await team.look(team.stations[0]["position"])
                counts["positions"] += 1
                next_look += 5
        except (OSError, asyncio.IncompleteReadError, AssertionError) as error:
            failures.append(repr(error))


async def measure(server):
    rng = random.Random(1)
    teacher = Teacher(server.url, "load")
    each = options.teams // options.boards
    runs = [teacher.make_run(questions(20), each) for _ in range(options.boards)]
    crowd = [CrowdTeam("127.0.0.1", server.port, team["code"]) for _, _, teams in runs for team in teams]
    gate = asyncio.Semaphore(50)

    async def join(team):
        async with gate:
            await team.join()

    began = time.perf_counter()
    await asyncio.gather(*(join(team) for team in crowd))
    print(f"{len(crowd)} teams joined in {time.perf_counter() - began:.1f} s")
    heard, sent, failures, counts = {}, {}, [], {"answers": 0, "positions": 0}
    ready = asyncio.Semaphore(0)
    cookie = [f"Cookie: {teacher.headers['Cookie']}"]
    boards = [asyncio.create_task(watch("127.0.0.1", server.port, f"/api/v1/tour-runs/{run}/events", cookie, heard, ready.release))
              for _, run, _ in runs]
    for _ in boards:
        await asyncio.wait_for(ready.acquire(), 60)
    members = getattr(server, "members", [server])
    work = sum(processor(member.process) for member in members)
    end = time.perf_counter() + options.seconds
    await asyncio.gather(*(play(team, end, random.Random(rng.random()), sent, failures, counts) for team in crowd))
    await asyncio.sleep(2)
    work = sum(processor(member.process) for member in members) - work
    now, most = map(max, zip(*(memory(member.process) for member in members)))
    for board in boards:
        board.cancel()
    for team in crowd:
        team.line.close()
    missing = [id for id in sent if id not in heard]
    times = sorted((heard[id] - sent[id]) * 1000 for id in sent if id in heard)
    share = lambda part: times[min(len(times) - 1, int(part * len(times)))]  # noqa: E731
    print(f"{counts['answers']} answers and {counts['positions']} positions in {options.seconds:.0f} s; {len(failures)} requests failed"
          + (f" ({failures[0]})" if failures else ""))
    print(f"from phone to board: median {share(0.5):.1f} ms, 95 % {share(0.95):.1f} ms, 99 % {share(0.99):.1f} ms, most {times[-1]:.1f} ms; "
          f"{len(missing)} never arrived")
    print(f"memory of a server: {now / 1024:.0f} MB, at most {most / 1024:.0f} MB; processor of {len(members)}: {work / options.seconds * 100:.0f} % of one core, "
          f"{work / max(1, counts['answers'] + counts['positions']) * 1000:.2f} ms a request")
    return not missing and not failures and share(0.95) < 500


resource.setrlimit(resource.RLIMIT_NOFILE, (resource.getrlimit(resource.RLIMIT_NOFILE)[1],) * 2)
with tempfile.TemporaryDirectory() as folder:
    more = ["--connections-per-network", "5000"]
    server = Sightline(folder, 1, more=more) if options.servers < 2 else Cluster(
        folder, 1, options.servers, more=more)
    try:
        server.start()
        add_author(server.database, "load")
        good = asyncio.run(measure(server))
    finally:
        server.stop()
sys.exit(0 if good else 1)
