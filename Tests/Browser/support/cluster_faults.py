"""Does servers and their database harm at random while teams answer and teachers look on, and looks afterwards whether what was
confirmed is all there, once, and on every board."""
import asyncio
import collections
import json
import random
import time

from support.crowd import CrowdTeam, Line
from support.desk import Desk
from support.tours import Teacher, add_author, questions

STATIONS = 200
FAULTS = (OSError, asyncio.IncompleteReadError, asyncio.TimeoutError, asyncio.LimitOverrunError, AssertionError, ValueError)


class Report:
    """What a run with faults left behind."""

    def __init__(self):
        self.confirmed = self.stored = self.resent = 0
        # Saves of a world and accounts that were confirmed.
        self.saves = self.accounts = 0
        # Seconds from an answer's confirmation until a board showed it, by board.
        self.delays = []
        # By fault: seconds from its end until every board showed an answer that was confirmed after it, each time.
        self.recoveries = collections.defaultdict(list)
        # By fault: how requests ended that began or ended meanwhile, by their status (0 without an answer), and the longest of them.
        self.answers, self.longest = collections.defaultdict(collections.Counter), collections.Counter()

    @property
    def slowest(self):
        """The longest recovery, whatever the fault."""
        return max(seconds for each in self.recoveries.values() for seconds in each)


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


def play(cluster, teams, faults, seed, boards=3, say=lambda text: None, shortest=1, longest=8, pause=0.8):
    """`cluster` runs; `faults`: names of the methods of `Faults`, each with how often it is done. Those that last do so for
    `shortest` to `longest` seconds. A team thinks for up to `pause` seconds: it has `STATIONS` answers for the whole time. Asserts;
    returns a `Report`."""
    add_author(cluster.database, "faults", "operator")
    teacher = Teacher(cluster.url, "faults")
    # Whatever a teacher may do, every server knows.
    _, run, codes = teacher.make_run(questions(STATIONS), teams)
    rng = random.Random(seed)
    order = [name for name, count in faults.items() for _ in range(count)]
    rng.shuffle(order)
    desk = Desk(teacher, cluster.port, pause)
    harm = Faults(cluster, rng, shortest, longest, teacher.headers["Cookie"])
    return asyncio.run(_play(cluster, run, [team["code"] for team in codes], order, harm, rng, boards,
                             teacher.headers["Cookie"], desk, say, pause))


class Faults:
    """What is done to a cluster. Each is a method that returns at the end of the fault; what has to be put right once the
    boards are right again is in `afterwards`."""

    # How long a request may take, whatever happens, seconds: the silence and the ping of the watch, a vain connection, and the
    # queue before it.
    patience = 20
    # Until a server says that it cannot reach its database, and that it can again, seconds.
    notice = 5

    def __init__(self, cluster, rng, shortest, longest, cookie):
        self.cluster, self.rng, self.cookie = cluster, rng, cookie
        self.shortest, self.longest = shortest, longest
        self.afterwards = []
        self.last_step = None

    async def do(self, name):
        await getattr(self, name)()

    async def put_right(self):
        while self.afterwards:
            await asyncio.to_thread(self.afterwards.pop())

    async def _last(self):
        await asyncio.sleep(self.shortest + self.rng.random() * (self.longest - self.shortest))

    def _one(self):
        return self.rng.randrange(len(self.cluster.members))

    async def kill(self):
        """A server ends as by a power cut."""
        member = self.cluster.members[self._one()]
        await asyncio.to_thread(member.kill)
        self.afterwards.append(member.start)

    async def crash(self):
        """The database ends as by a power cut, and is started again."""
        await asyncio.to_thread(self.cluster.postgres.kill)
        await asyncio.sleep(self.rng.random())
        await asyncio.to_thread(self.cluster.postgres.start)

    async def partition(self):
        """One server reaches the database no more: nothing of what is sent arrives, in either direction."""
        number = self._one()
        member = self.cluster.members[number]
        began = time.monotonic()
        assert await asyncio.to_thread(self.cluster.relays[number].cut) > 1
        lasting = asyncio.create_task(self._last())
        try:
            seconds = await self._until_ready(member, False, lasting)
            if seconds is not None:
                # Whoever asks it for something that is in the database is told so.
                asked = time.monotonic()
                status, problem = await asyncio.wait_for(Line("127.0.0.1", member.port).request(
                    "GET", "/api/v1/session", headers=[f"Cookie: {self.cookie}"]), self.patience)
                # The partition may have ended meanwhile.
                assert status == 503 and problem["code"] == "store.busy" or status == 200 and lasting.done(), (status, problem)
                assert time.monotonic() - asked < self.patience
            await lasting
        finally:
            lasting.cancel()
            await asyncio.to_thread(self.cluster.relays[number].mend)
        assert seconds is not None or time.monotonic() - began < self.notice + 1, "a server without its database calls itself ready"
        assert await self._until_ready(member, True) is not None

    async def _until_ready(self, member, is_ready, until=None):
        """Seconds until a server says that it is ready, or that the database fails; none when `until` ends before."""
        began = time.monotonic()
        while time.monotonic() < began + self.notice and not (until is not None and until.done()):
            line = Line("127.0.0.1", member.port)
            status, answer = await asyncio.wait_for(line.request("GET", "/health/ready"), self.notice)
            line.close()
            if is_ready and status == 200:
                return time.monotonic() - began
            if not is_ready and status == 503:
                assert "database" in [check["check"] for check in answer["failing"]], answer
                return time.monotonic() - began
            await asyncio.sleep(0.1)
        assert until is not None and until.done(), f"not {'ready' if is_ready else 'failing'} within {self.notice} s"
        return None

    async def deaf(self):
        """The line on which a server hears of changes is cut, in silence; it goes on by asking, and calls itself ready."""
        number = self._one()
        # After another fault it may be about to listen again.
        end = time.monotonic() + 15
        while await asyncio.to_thread(self.cluster.relays[number].deafen) == 0:
            assert time.monotonic() < end, "a server does not listen"
            await asyncio.sleep(0.1)
        try:
            end = asyncio.create_task(self._last())
            while not end.done():
                status, answer = await Line("127.0.0.1", self.cluster.members[number].port).request("GET", "/health/ready")
                assert status == 200, answer
                await asyncio.sleep(0.2)
        finally:
            # It stays dead: the server has to notice.
            self.afterwards.append(self.cluster.relays[number].mend)

    async def stall(self):
        """The database's disk hangs: nothing is made safe, and whoever confirms waits."""
        await asyncio.to_thread(self.cluster.postgres.set, synchronous_standby_names="nobody")
        try:
            await self._last()
        finally:
            await asyncio.to_thread(self.cluster.postgres.set, synchronous_standby_names=None)

    async def slow(self):
        """The database's disk is slow: a tenth of a second to make anything safe."""
        await asyncio.to_thread(self.cluster.postgres.set, commit_delay=100_000, commit_siblings=0)
        try:
            await self._last()
        finally:
            await asyncio.to_thread(self.cluster.postgres.set, commit_delay=None, commit_siblings=None)

    async def full(self):
        """The database's disk is full, until somebody makes room."""
        await asyncio.to_thread(self.cluster.postgres.fill)
        try:
            await self._last()
        finally:
            await asyncio.to_thread(self.cluster.postgres.empty)

    async def clock(self):
        """A server's clock jumps, forward or back, by a second to an hour, and back again."""
        number = self._one()
        ahead = self.rng.choice([-1, 1]) * int(60 ** (2 * self.rng.random()))
        await asyncio.to_thread(self.cluster.clocks[number].set, ahead)
        try:
            await self._last()
        finally:
            await asyncio.to_thread(self.cluster.clocks[number].set, 0)

    async def newer(self):
        """A newer program changes the tables while all serve, and leaves this one in; a server is started again on them."""
        await asyncio.to_thread(self._change_tables)
        member = self.cluster.members[self._one()]
        await asyncio.to_thread(member.stop)
        await asyncio.to_thread(member.start)

    def _change_tables(self):
        rows = self.cluster.postgres.rows
        if self.last_step is None:
            self.last_step = self.next_step = int(rows("SELECT max(number) FROM sightline_migration")[0][0])
        self.next_step += 1
        rows(f"""
            ALTER TABLE tour_event ADD COLUMN later{self.next_step} TEXT;
            CREATE TABLE later{self.next_step} (id BIGINT PRIMARY KEY);
            INSERT INTO sightline_migration (number, name, since) VALUES ({self.next_step}, 'later', {self.last_step})
        """)


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


async def _play(cluster, run, codes, order, harm, rng, count, cookie, desk, say, pause):
    report = Report()
    now = None

    def note(team, kind, began):
        if now is not None:
            report.answers[now][team.line.status or 0] += 1
            report.longest[now] = max(report.longest[now], time.monotonic() - began)

    players = Players([CrowdTeam("127.0.0.1", cluster.port, code) for code in codes], rng, pause, note)
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
    saving = asyncio.create_task(desk.work())
    await all_see(time.monotonic())
    for number, fault in enumerate(order):
        await asyncio.sleep(rng.random())
        now = fault
        await harm.do(fault)
        seconds = await all_see(time.monotonic())
        report.recoveries[fault].append(seconds)
        now = None
        await harm.put_right()
        say(f"{number + 1}. {fault}: boards right after {seconds:.2f} s; {len(confirmed)} answers confirmed")
    await players.finish()
    desk.goes_on = False
    await saving
    report.saves, report.accounts = len(desk.saves), len(desk.accounts)
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
    await asyncio.to_thread(desk.check, cluster.postgres.rows)
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
