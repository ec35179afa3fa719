"""Ends servers and their database at random while teams answer and teachers look on, and looks afterwards whether what was
confirmed is all there, once, and on every board."""
import asyncio
import json
import random
import time

from support.crowd import CrowdTeam, Line
from support.tours import Teacher, add_author, questions

STATIONS = 200
FAULTS = (OSError, asyncio.IncompleteReadError, asyncio.TimeoutError, asyncio.LimitOverrunError, AssertionError, ValueError)


class Report:
    """What a run with faults left behind."""

    def __init__(self):
        self.kills = self.crashes = self.confirmed = self.stored = self.resent = 0
        # Seconds from an answer's confirmation until a board showed it, by board.
        self.delays = []
        # Seconds from the end of a fault until every board showed an answer that was confirmed after it.
        self.recoveries = []


class Board:
    """A teacher's browser: it connects again after two seconds at most and takes the fresh picture."""

    def __init__(self, port, run, cookie):
        self.port, self.run, self.cookie = port, run, cookie
        self.seen, self.positions = {}, 0

    async def watch(self):
        while True:
            line = Line("127.0.0.1", self.port)
            try:
                line.reader, line.writer = await asyncio.open_connection("127.0.0.1", self.port, limit=2 ** 24)
                line.writer.write("\r\n".join([f"GET /api/v1/tour-runs/{self.run}/events HTTP/1.1", "Host: tours",
                                               "Accept: text/event-stream", f"Cookie: {self.cookie}"]).encode() + b"\r\n\r\n")
                status, _ = await line.head()
                if status == 200:
                    await self.read(line.reader)
            except FAULTS:
                pass
            finally:
                line.close()
            await asyncio.sleep(1)

    async def read(self, reader):
        name, rest = "", b""
        while True:
            # A balancer cuts chunks as it likes, also within a line.
            length = int((await reader.readuntil(b"\r\n")).split(b";")[0], 16)
            if length == 0:
                return
            rest += (await reader.readexactly(length + 2))[:-2]
            *lines, rest = rest.split(b"\n")
            for line in lines:
                name = self.take(line.decode(), name)

    def take(self, text, name):
        """A line of the stream; returns the name of the event it belongs to."""
        if text.startswith("event: "):
            return text[7:]
        if text.startswith("data: "):
            data = json.loads(text[6:])
            if name == "answer":
                self.seen.setdefault(data["id"], time.monotonic())
            elif name == "board":
                for answer in data["answers"]:
                    self.seen.setdefault(answer["id"], time.monotonic())
            elif name == "position":
                self.positions += 1
        return name


def play(cluster, teams, kills, crashes, seed, boards=3, say=lambda text: None):
    """`cluster` runs. Asserts; returns a `Report`."""
    add_author(cluster.database, "faults")
    teacher = Teacher(cluster.url, "faults")
    # Whatever a teacher may do, every server knows.
    _, run, codes = teacher.make_run(questions(STATIONS), teams)
    return asyncio.run(_play(cluster, run, [team["code"] for team in codes], kills, crashes, random.Random(seed), boards,
                             teacher.headers["Cookie"], say))


class Players:
    """Teams that answer one after the other, and send again what was not confirmed. `note(team, kind, began)` is called after
    each request, `kind` being `answer` or `look`; `team.line.status` says how it was answered."""

    def __init__(self, crowd, rng, pause=0.8, note=lambda team, kind, began: None):
        self.crowd, self.rng, self.pause, self.note = crowd, rng, pause, note
        self.confirmed, self.resent, self.goes_on, self.tasks = {}, 0, True, []

    async def join(self):
        gate = asyncio.Semaphore(20)

        async def join(team):
            async with gate:
                await team.join()

        await asyncio.gather(*(join(team) for team in self.crowd))

    def start(self):
        self.tasks = [asyncio.create_task(self._play(team, self.rng.random())) for team in self.crowd]

    async def _play(self, team, seed):
        own = random.Random(seed)
        while self.goes_on:
            if team.waiting:
                self.resent += 1
            elif not team.is_through:
                team.next_answer()
            try:
                before = len(team.confirmed)
                await self._ask(team, "answer", team.send())
                if len(team.confirmed) > before:
                    self._take(team)
                    await self._ask(team, "look", team.look(team.stations[team.sequence - 1]["position"]))
            except FAULTS:
                team.line.close()
                await asyncio.sleep(0.3)
            await asyncio.sleep(own.random() * self.pause)

    async def _ask(self, team, kind, request):
        began = time.monotonic()
        try:
            await asyncio.wait_for(request, 20)
        finally:
            self.note(team, kind, began)

    def _take(self, team):
        for id in team.confirmed:
            self.confirmed.setdefault(id, time.monotonic())

    async def finish(self):
        """Ends them; what was on its way is sent again, and counts once."""
        self.goes_on = False
        await asyncio.gather(*self.tasks)
        for team in self.crowd:
            if team.waiting:
                await team.send()
                self._take(team)
            team.line.close()


async def _play(cluster, run, codes, kills, crashes, rng, count, cookie, say):
    report = Report()
    players = Players([CrowdTeam("127.0.0.1", cluster.port, code) for code in codes], rng)
    crowd, confirmed = players.crowd, players.confirmed
    await players.join()
    boards = [Board(cluster.port, run, cookie) for _ in range(count)]
    watching = [asyncio.create_task(board.watch()) for board in boards]

    async def all_see(since):
        """Seconds until every board shows the first answer that was confirmed after a moment."""
        end = time.monotonic() + 30
        while time.monotonic() < end:
            new = {id: at for id, at in confirmed.items() if at > since}
            first = min(new, key=new.get, default=None)
            if first is not None and all(first in board.seen for board in boards):
                return max(board.seen[first] for board in boards) - since
            await asyncio.sleep(0.05)
        raise AssertionError("a board does not show what is confirmed, half a minute after a fault")

    players.start()
    faults = ["kill"] * kills + ["crash"] * crashes
    rng.shuffle(faults)
    await all_see(time.monotonic())
    for number, fault in enumerate(faults):
        await asyncio.sleep(rng.random())
        if fault == "kill":
            member = rng.choice(cluster.members)
            await asyncio.to_thread(member.kill)
            report.kills += 1
        else:
            await asyncio.to_thread(cluster.postgres.kill)
            await asyncio.sleep(rng.random())
            await asyncio.to_thread(cluster.postgres.start)
            report.crashes += 1
        report.recoveries.append(await all_see(time.monotonic()))
        if fault == "kill":
            await asyncio.to_thread(member.start)
        say(f"{number + 1}. {fault}: boards right after {report.recoveries[-1]:.2f} s; {len(confirmed)} answers confirmed")
    await players.finish()
    report.resent = players.resent
    # Every board has shown every answer, in a picture or by itself; the picture has only the last hundred.
    end = time.monotonic() + 10
    latest = sorted(confirmed, key=confirmed.get)[-100:]
    while time.monotonic() < end and not all(set(latest) <= board.seen.keys() for board in boards):
        await asyncio.sleep(0.05)
    for board in boards:
        missing = set(latest) - board.seen.keys()
        assert not missing, f"{len(missing)} of the last {len(latest)} answers are not on a board"
        assert board.positions > 0, "a board shows where teams are"
        report.delays += [max(0, board.seen[id] - at) for id, at in confirmed.items() if id in board.seen]
    for task in watching:
        task.cancel()
    _check(cluster, run, crowd, report)
    return report


def _check(cluster, run, crowd, report):
    """Reads the database itself, not the servers."""
    rows = cluster.postgres.rows(answers_of(run))
    report.confirmed, report.stored = check(rows, crowd), len(rows)
    assert report.confirmed == report.stored, "after the last sending the database has what the teams have"


def answers_of(run):
    """The query for the rows that `check` looks at."""
    return f"SELECT id, team, station, verdict, points FROM tour_event WHERE run = '{run}' ORDER BY number"


def check(rows, crowd):
    """Every confirmed answer once, nothing twice, points to match; returns how many are confirmed."""
    ids = [row[0] for row in rows]
    assert len(ids) == len(set(ids)), "an answer is stored twice"
    stored = {row[0]: row for row in rows}
    for number, team in enumerate(crowd, 1):
        for id, event in team.confirmed.items():
            assert id in stored, f"a confirmed answer of team {number} is lost"
            assert [stored[id][1], *stored[id][3:]] == [str(number), event["verdict"], str(event["points"])], stored[id]
        own = [row for row in rows if row[1] == str(number)]
        assert [row[2] for row in own] == [f"s{index}" for index in range(len(own))]
        assert all(row[3] == "right" and row[4] == "10" for row in own)
    return sum(len(team.confirmed) for team in crowd)
