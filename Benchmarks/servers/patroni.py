#!/usr/bin/env python3
"""Several servers over three PostgreSQL under Patroni, of which machines, programs and the etcd fail; fails when something
confirmed is lost or doubled, or when one that was replaced confirms as a second primary.

usage: Benchmarks/servers/patroni.py [--servers N] [--teams N] [--rounds N] [--faults NAME,NAME…] [--seed N] [--ttl S …]

Needs PostgreSQL 15 or later, Patroni and etcd (Debian: postgresql, patroni, etcd-server). No system service is used or started:
an etcd, three Patroni with PostgreSQL (`synchronous_mode`, and `synchronous_mode_strict` unless `--lax` is said) and the servers
run in a temporary folder, on ports of their own on loopback, and are ended with the script. As root PostgreSQL runs as the user postgres, or nobody.

Teams answer, each at its own server without a balancer, so that each server has to recover by itself; they send again what was
not confirmed. A board at each server looks on. Each fault has a new tour with new teams and happens at a random moment:

    postgres       the primary's PostgreSQL is killed; Patroni stays
    node           Patroni and PostgreSQL of the primary are killed, and started again once the servers write
    patroni        the primary's Patroni is killed; its watchdog resets the machine `ttl` less 5 s later (played by this script)
    unwatched      the same without a watchdog: PostgreSQL goes on as a primary of its own beside the new one
    hung           everything of the primary's machine stands still, until another is primary and the servers write; then it goes on
    switchover     planned, to the synchronous copy
    etcd           the etcd is away for 40 s, failsafe_mode off
    etcd-failsafe  the same with failsafe_mode on
    standby        the synchronous copy's machine is killed, and comes back
    standby-hung   the synchronous copy's machine stands still for a while

Columns: `writes` is the longest time in which one of the servers confirmed nothing, from the fault on, and `returned` the same
from the moment at which what had failed came back; `not ready` the longest time in which one of the servers said so. The numbers
of answers are of requests that began while nothing was confirmed: `200`, `503` (try again), other errors, none (the client gave up
after 20 s or the line was closed); for answers of teams, for what is read from the database or kept of it (state of a
team, posters), and for a world, which is answered from memory.

The program is what SIGHTLINE_PROGRAM names, else the debug build.
"""
import argparse
import asyncio
import os
import pathlib
import random
import signal
import statistics
import subprocess
import sys
import tempfile
import time
import traceback

sys.path.insert(0, str(pathlib.Path(__file__).parents[2] / "Tests" / "Browser"))

import patroni_nodes  # noqa: E402
from support.cluster import free_port  # noqa: E402
from support.cluster_faults import FAULTS, STATIONS, Board, Players, answers_of, check  # noqa: E402
from support.crowd import CrowdTeam, Line  # noqa: E402
from support.sightline import PROGRAM, Sightline  # noqa: E402
from support.tours import PASSWORD, Teacher, questions  # noqa: E402

NAMES = ["postgres", "node", "patroni", "unwatched", "hung", "switchover", "etcd", "etcd-failsafe", "standby", "standby-hung"]
parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
parser.add_argument("--servers", type=int, default=2)
parser.add_argument("--teams", type=int, default=4, help="of each server")
parser.add_argument("--rounds", type=int, default=3, help="of each fault")
parser.add_argument("--faults", default=",".join(NAMES))
parser.add_argument("--seed", type=int, default=int(time.time()))
parser.add_argument("--ttl", type=int, default=20)
parser.add_argument("--loop-wait", type=int, default=5)
parser.add_argument("--retry-timeout", type=int, default=5)
parser.add_argument("--lax", action="store_true", help="synchronous_mode_strict off")
parser.add_argument("--keep-logs", metavar="FOLDER", help="where the logs of all programs are copied to at the end")
options = parser.parse_args()
SETTINGS = {
    "ttl": options.ttl, "loop_wait": options.loop_wait, "retry_timeout": options.retry_timeout,
    "maximum_lag_on_failover": 1_048_576, "synchronous_mode": True, "synchronous_mode_strict": not options.lax, "failsafe_mode": False,
    "postgresql": {"use_pg_rewind": True, "use_slots": True, "parameters": {"max_connections": 100, "shared_buffers": "32MB"}},
}
# How long before the key of the primary expires a watchdog resets its machine: Patroni's safety_margin.
MARGIN = 5
# How long servers may take to write again before what failed comes back all the same.
PATIENCE = 45


def say(text):
    print(text, flush=True)


class Watch:
    """What the clients of a round have seen."""

    def __init__(self, count):
        self.requests = []  # server, kind, began, ended, status
        self.confirmed = [[] for _ in range(count)]
        self.ready = [[] for _ in range(count)]

    def longest(self, times, begin, end):
        """The longest time between two of them, from `begin` on; and where it lies."""
        marks = [begin, *(at for at in times if begin < at < end), end]
        return max((later - earlier, earlier, later) for earlier, later in zip(marks, marks[1:]))

    def pause(self, begin, end):
        return max(self.longest(times, begin, end) for times in self.confirmed)

    def unready(self, begin, end):
        """The longest time in which a server was not ready."""
        longest = 0.0
        for looks in self.ready:
            since = None
            for at, is_ready in looks:
                if begin <= at <= end and not is_ready and since is None:
                    since = at
                elif is_ready and since is not None:
                    longest, since = max(longest, at - since), None
            if since is not None:
                longest = max(longest, end - since)
        return longest

    def answers(self, kinds, begin, end):
        """How many were answered with 200, with 503, otherwise, not at all."""
        found = [status for _, kind, began, _, status in self.requests if kind in kinds and begin <= began <= end]
        others = [status for status in found if status not in (200, 503, None)]
        return [found.count(200), found.count(503), len(others), found.count(None)]


class Round:
    """One fault while teams answer."""

    def __init__(self, patroni, members, teacher, fault, rng):
        self.patroni, self.members, self.teacher, self.fault, self.rng = patroni, members, teacher, fault, rng
        self.watch = Watch(len(members))
        self.hit_at = self.back_at = None
        self.is_late = False
        self.second = 0
        self.findings = []

    # What faults are made of

    def hit(self):
        self.hit_at = time.monotonic()

    def back(self):
        self.back_at = time.monotonic()

    async def until(self, holds, patience):
        """Whether something came true in time."""
        end = time.monotonic() + patience
        while time.monotonic() < end:
            if await asyncio.to_thread(holds):
                return True
            await asyncio.sleep(0.25)
        return False

    async def writes(self, patience=PATIENCE):
        """Waits until every server has confirmed something from now on."""
        now = time.monotonic()
        if not await self.until(lambda: all(times and times[-1] > now for times in self.watch.confirmed), patience):
            self.is_late = True

    async def another(self, old):
        """Waits until another one is the primary."""
        if not await self.until(lambda: self.patroni.primary() not in (None, old), 4 * options.ttl):
            raise RuntimeError("no other one became the primary")

    async def tempt(self, node):
        """Writes directly to one that was replaced, as long as it takes writes; whatever it confirms is a fault."""
        end = time.monotonic() + 30
        while time.monotonic() < end:
            def write():
                try:
                    rows = node.psql("INSERT INTO temptation VALUES (1) RETURNING pg_is_in_recovery()", patience=3)
                    return rows == [["f"]]
                except subprocess.TimeoutExpired:
                    return None
                except subprocess.SubprocessError:
                    # Refused: it copies, or is not up.
                    return False
            outcome = await asyncio.to_thread(write)
            self.second += outcome is True
            if outcome is False and (await asyncio.to_thread(node.state)).get("role") == "replica":
                return
            await asyncio.sleep(0.3)

    # Faults

    async def postgres(self):
        self.patroni.primary().kill_postgres()
        self.hit()

    async def node(self):
        old = self.patroni.primary()
        old.kill_all()
        self.hit()
        await self.another(old)
        await self.writes()
        old.start()
        self.back()

    async def patroni_(self, is_watched=True):
        old = self.patroni.primary()
        old.kill()
        self.hit()
        if is_watched:
            await asyncio.sleep(max(0, options.ttl - MARGIN))
            old.kill_all()
        await self.another(old)
        await self.writes()
        if not is_watched:
            tempting = asyncio.create_task(self.tempt(old))
            await asyncio.sleep(5)
        old.start()
        self.back()
        if not is_watched:
            await tempting

    async def unwatched(self):
        await self.patroni_(is_watched=False)

    async def hung(self):
        old = self.patroni.primary()
        old.stop_clock()
        self.hit()
        await self.another(old)
        await self.writes()
        tempting = asyncio.create_task(self.tempt(old))
        await asyncio.sleep(0.5)
        old.go_on()
        self.back()
        await tempting

    async def switchover(self):
        old, new = self.patroni.primary(), self.patroni.synchronous()
        self.hit()
        said = await asyncio.to_thread(old.ask, "/switchover", {"leader": old.name, "candidate": new.name}, None, 60)
        if "uccessfully" not in (said or ""):
            raise RuntimeError(f"Patroni refused the switchover: {said}")

    async def etcd(self, failsafe=False):
        self.patroni.primary().ask("/config", {"failsafe_mode": failsafe}, "PATCH")
        # Everyone has read it, and the primary has told the others that it will ask them.
        await asyncio.sleep(2 * options.loop_wait + 1)
        self.patroni.etcd.kill()
        self.hit()
        await asyncio.sleep(40)
        self.patroni.etcd.start()
        self.back()

    async def etcd_failsafe(self):
        await self.etcd(failsafe=True)

    async def standby(self):
        copy = self.patroni.synchronous()
        copy.kill_all()
        self.hit()
        await asyncio.sleep(3)
        await self.writes()
        copy.start()
        self.back()

    async def standby_hung(self):
        copy = self.patroni.synchronous()
        copy.stop_clock()
        self.hit()
        await asyncio.sleep(3)
        await self.writes(2 * PATIENCE)
        copy.go_on()
        self.back()

    # Clients

    async def read(self, number):
        line = Line("127.0.0.1", self.members[number].port)
        while True:
            for kind, path in (("posters", "/api/v1/posters?limit=5"), ("world", "/api/v1/worlds/square")):
                began = time.monotonic()
                try:
                    await asyncio.wait_for(line.request("GET", path), 20)
                except FAULTS:
                    line.close()
                self.watch.requests.append((number, kind, began, time.monotonic(), line.status))
            await asyncio.sleep(0.5)

    async def look(self, number):
        line = Line("127.0.0.1", self.members[number].port)
        while True:
            try:
                await asyncio.wait_for(line.request("GET", "/health/ready"), 5)
            except FAULTS:
                line.close()
            self.watch.ready[number].append((time.monotonic(), line.status == 200))
            await asyncio.sleep(0.25)

    async def play(self):
        """Plays the round; findings are what is wrong."""
        count = len(self.members)
        _, run, codes = await asyncio.to_thread(self.teacher.make_run, questions(STATIONS), options.teams * count)
        crowd = [CrowdTeam("127.0.0.1", self.members[number % count].port, team["code"]) for number, team in enumerate(codes)]
        at = {team: number % count for number, team in enumerate(crowd)}
        known = dict.fromkeys(crowd, 0)

        def note(team, kind, began):
            now, number = time.monotonic(), at[team]
            self.watch.requests.append((number, kind, began, now, team.line.status))
            if len(team.confirmed) > known[team]:
                known[team] = len(team.confirmed)
                self.watch.confirmed[number].append(now)

        players = Players(crowd, self.rng, pause=2, note=note)
        await players.join()
        boards = [Board(member.port, run, self.teacher.headers["Cookie"]) for member in self.members]
        tasks = [asyncio.create_task(board.watch()) for board in boards]
        tasks += [asyncio.create_task(work(number)) for number in range(count) for work in (self.read, self.look)]
        players.start()
        try:
            await self.writes()
            # Patroni looks every `loop_wait`: what it does depends on when between two looks something happens.
            await asyncio.sleep(2 + self.rng.random() * options.loop_wait)
            await getattr(self, {"patroni": "patroni_"}.get(self.fault, self.fault.replace("-", "_")))()
            if not await self.until(self.patroni.is_whole, 180):
                raise RuntimeError("the nodes did not find together again within 180 s")
            await self.writes(2 * PATIENCE)
            if not await self.until(lambda: all(looks[-1][1] for looks in self.watch.ready), 60):
                self.findings.append("a server is not ready a minute after the fault was over")
            end = time.monotonic()
            await players.finish()
            # The picture that a board gets has the last hundred.
            latest = sorted(players.confirmed, key=players.confirmed.get)[-100:]
            if not await self.until(lambda: all(set(latest) <= board.seen.keys() for board in boards), 20):
                self.findings.append("a board does not show what was confirmed")
        finally:
            for task in tasks:
                task.cancel()
        self.run, self.crowd = run, crowd
        self.verify(is_new=True)
        if self.second:
            self.findings.append(f"one that was replaced confirmed {self.second} writes beside the new primary")
        return self.figures(end)

    def verify(self, is_new=False):
        """Reads the database itself, not the servers."""
        rows = self.patroni.rows(answers_of(self.run))
        try:
            self.count = check(rows, self.crowd)
            assert self.count == len(rows), f"{self.count} are confirmed and {len(rows)} stored"
        except AssertionError as error:
            self.findings.append(str(error) if is_new else f"later: {error}")

    def figures(self, end):
        pause, began, ended = self.watch.pause(self.hit_at, end)
        return {
            "pause": pause, "late": self.is_late, "confirmed": self.count,
            "returned": None if self.back_at is None else self.watch.pause(self.back_at, end)[0],
            "unready": self.watch.unready(self.hit_at, end),
            "answers": [self.watch.answers(kinds, began, ended) for kinds in (("answer",), ("look", "posters"), ("world",))],
        }


def table(found):
    widths = (14, 6, 9, 17, 17, 17, 18, 18, 18)
    rows = [("fault", "times", "confirmed", "writes s", "returned s", "not ready s", "answers", "from the database", "a world")]

    def both(values):
        return f"{statistics.median(values):.1f} / {max(values):.1f}" if values else "–"

    for fault, figures in ((fault, figures) for fault, figures in found.items() if figures):
        sums = [[sum(column) for column in zip(*(one["answers"][kind] for one in figures))] for kind in range(3)]
        rows.append((fault, len(figures), sum(one["confirmed"] for one in figures), both([one["pause"] for one in figures]),
                     both([one["returned"] for one in figures if one["returned"] is not None]),
                     both([one["unready"] for one in figures]), *(" ".join(map(str, values)) for values in sums)))
    say("\nTimes: median / worst. Answers meanwhile: 200, 503, other errors, none.")
    for row in rows:
        say(" | ".join(str(cell).rjust(width) for cell, width in zip(row, widths)))


def main():
    reason = patroni_nodes.missing()
    if reason:
        sys.exit(reason)
    if not pathlib.Path(PROGRAM).exists():
        sys.exit(f"{PROGRAM} is not there: swift build --product sightline, or name another with SIGHTLINE_PROGRAM.")
    faults = options.faults.split(",")
    if not set(faults) <= set(NAMES):
        sys.exit(f"--faults: only {', '.join(NAMES)}")
    # What was started is ended then too.
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))
    rng = random.Random(options.seed)
    order = faults * options.rounds
    rng.shuffle(order)
    say(f"{options.servers} servers, {options.teams} teams each, seed {options.seed}; ttl {options.ttl}, loop_wait {options.loop_wait}, "
        f"retry_timeout {options.retry_timeout}, strict {'off' if options.lax else 'on'}; load of the machine before: {os.getloadavg()[0]:.1f}")
    found, rounds, findings, members = {fault: [] for fault in faults}, [], [], []
    patroni = patroni_nodes.Patroni(SETTINGS)
    try:
        with tempfile.TemporaryDirectory() as name:
            folder = pathlib.Path(name)
            try:
                patroni.start()
                for number in range(options.servers):
                    place = folder / f"server-{number}"
                    place.mkdir()
                    more = ["--demo", "none", "--log-level", "warning", "--connections-per-network", "4000"]
                    members.append(Sightline(place, 1, port=free_port(), more=more, database=patroni.address).start())
                square = folder / "square.geojson"
                square.write_text('{"type": "FeatureCollection", "features": [{"type": "Feature", "properties": {"name": "Stall"}, '
                                  '"geometry": {"type": "Point", "coordinates": [11.97, 57.7]}}]}')
                subprocess.run([PROGRAM, "import", square, "--database", patroni.address], check=True, capture_output=True)
                patroni.primary().psql("CREATE TABLE temptation (one INTEGER)")
                members[0].add_account("faults", PASSWORD)
                for number, fault in enumerate(order):
                    # Anew: a session's token changes after a while.
                    teacher = Teacher(members[0].url, "faults")
                    one = Round(patroni, members, teacher, fault, rng)
                    figures = asyncio.run(one.play())
                    found[fault].append(figures)
                    rounds.append(one)
                    returned = "" if figures["returned"] is None else f", after the return {figures['returned']:.1f} s"
                    say(f"{number + 1}/{len(order)} {fault}: nothing confirmed for {figures['pause']:.1f} s{returned}, not ready for "
                        f"{figures['unready']:.1f} s; {figures['confirmed']} confirmed; load {os.getloadavg()[0]:.1f}"
                        f"{f'; not within {PATIENCE} s while it lasted' if figures['late'] else ''}")
                    for finding in one.findings:
                        say(f"   WRONG: {finding}")
                # What was confirmed in the first round has gone through all the faults after it.
                for one in rounds:
                    said = len(one.findings)
                    one.verify()
                    for finding in one.findings[said:]:
                        say(f"WRONG: {one.fault}: {finding}")
                    findings += one.findings
            except Exception as error:
                # Whatever it was: what was measured until then is shown, and the exit status says that it was not all.
                traceback.print_exc()
                findings += [f"the run broke off: {error}", *(finding for one in rounds for finding in one.findings)]
            finally:
                for member in members:
                    member.stop()
                if options.keep_logs:
                    keep(folder, patroni.folder)
    finally:
        patroni.stop()
    table(found)
    total = sum(figures["confirmed"] for each in found.values() for figures in each)
    say(f"\n{total} answers confirmed; {len(findings)} findings" if findings else f"\n{total} answers confirmed, all stored once")
    sys.exit(1 if findings else 0)


def keep(*folders):
    target = pathlib.Path(options.keep_logs)
    target.mkdir(parents=True, exist_ok=True)
    for folder in folders:
        for log in folder.glob("*/*log"):
            if log.is_file():
                (target / f"{log.parent.name}-{log.name}").write_bytes(log.read_bytes())


main()
