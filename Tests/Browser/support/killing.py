"""Kills the server at random while teams answer, and looks afterwards whether what it confirmed is all there, once."""
import asyncio
import random
import sqlite3

from support.crowd import CrowdTeam
from support.tours import Teacher, add_author, questions

STATIONS = 200


class Report:
    """What a killing spree left behind."""

    def __init__(self):
        self.rounds = self.confirmed = self.stored = self.resent = 0


def kill_again_and_again(server, teams, rounds, seed, say=lambda text: None):
    """`server` is a `Sightline` that is running with a database of its own. Asserts; returns a `Report`."""
    rng = random.Random(seed)
    database = server.database
    add_author(database, "killer")
    _, run, codes = Teacher(server.url, "killer").make_run(questions(STATIONS), teams)
    return asyncio.run(_spree(server, database, run, [team["code"] for team in codes], rounds, rng, say))


async def _spree(server, database, run, codes, rounds, rng, say):
    crowd = [CrowdTeam("127.0.0.1", server.port, code) for code in codes]
    gate = asyncio.Semaphore(20)

    async def join(team):
        async with gate:
            await team.join()

    await asyncio.gather(*(join(team) for team in crowd))
    report = Report()
    for number in range(rounds):
        alive = True

        async def play(team, seed):
            own = random.Random(seed)
            while alive and not (team.is_through and not team.waiting):
                if team.waiting:
                    report.resent += 1
                elif not team.is_through:
                    team.next_answer()
                    # Sometimes two at once, as after a while without a network.
                    if own.random() < 0.3 and not team.is_through:
                        team.next_answer()
                try:
                    await team.send()
                except (OSError, asyncio.IncompleteReadError, asyncio.TimeoutError):
                    return
                await asyncio.sleep(own.random() * 0.8)

        players = [asyncio.create_task(play(team, rng.random())) for team in crowd]
        await asyncio.sleep(0.2 + rng.random() * 2)
        await asyncio.to_thread(server.kill)
        alive = False
        await asyncio.gather(*players)
        for team in crowd:
            team.line.close()
        _check(database, run, crowd)
        await asyncio.to_thread(server.start)
        report.rounds += 1
        say(f"round {number + 1}: {sum(len(team.confirmed) for team in crowd)} answers confirmed")
    # What was on its way is sent again, and counts once.
    for team in crowd:
        if team.waiting:
            await team.send()
        team.line.close()
    report.confirmed, report.stored = _check(database, run, crowd)
    assert report.confirmed == report.stored, "after the last sending the server has what the teams have"
    return report


def _check(database, run, crowd):
    """Reads the database itself, not the server: every confirmed answer once, nothing twice, points to match."""
    with sqlite3.connect(f"file:{database}?mode=ro", uri=True) as db:
        rows = db.execute("SELECT id, team, station, verdict, points FROM tour_event WHERE run = ? ORDER BY number", [run]).fetchall()
    ids = [row[0] for row in rows]
    assert len(ids) == len(set(ids)), "an answer is stored twice"
    stored = {row[0]: row for row in rows}
    confirmed = 0
    for number, team in enumerate(crowd, 1):
        confirmed += len(team.confirmed)
        for id, event in team.confirmed.items():
            assert id in stored, f"a confirmed answer of team {number} is lost"
            assert stored[id][1] == number and stored[id][3] == event["verdict"] and stored[id][4] == event["points"]
        own = [row for row in rows if row[1] == number]
        # Stations in order, each right once: what was made first was stored first, and brought its points once.
        assert [row[2] for row in own] == [f"s{index}" for index in range(len(own))]
        assert all(row[3] == "right" and row[4] == 10 for row in own)
        assert len(own) <= len(team.confirmed) + len(team.waiting)
    return confirmed, len(rows)
