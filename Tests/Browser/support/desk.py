"""Somebody who saves a world again and again and invites authors, whatever happens to the servers; and what has to be there in
the end."""
import asyncio
import json

from support.crowd import Line
from support.tours import PASSWORD

FAULTS = (OSError, asyncio.IncompleteReadError, asyncio.TimeoutError, asyncio.LimitOverrunError, ValueError)
# Most saves: a world's history has 300 drafts.
SAVES = 250


class Desk:
    """An operator's desk. `pause`: seconds between two saves."""

    def __init__(self, operator, port, pause):
        self.port, self.pause = port, pause
        self.headers = [f"Cookie: {operator.headers['Cookie']}", f"X-CSRF-Token: {operator.headers['X-CSRF-Token']}"]
        made = operator.json("POST", "/api/v1/studio/worlds", {"title": "save 0", "language": "en"})
        self.world, self.version, self.dimension = made["world"]["id"], made["version"], made["dimension"]
        # What was confirmed: titles by version, names of accounts.
        self.saves, self.accounts = {}, set()
        # Accounts that were asked for twice, since no answer came: one of both names at most.
        self.doubtful = []
        self.goes_on = True

    async def _ask(self, method, path, body, headers=()):
        """The answer, or none where none came or it was not a good one."""
        line = Line("127.0.0.1", self.port)
        try:
            status, answer = await asyncio.wait_for(line.request(method, path, body, headers), 20)
            return answer if status in (200, 201) else None
        except FAULTS:
            return None
        finally:
            line.close()

    async def _save(self, title):
        dimension = json.loads(json.dumps(self.dimension))
        dimension["name"] = title
        while True:
            answer = await self._ask("PUT", f"/api/v1/studio/worlds/{self.world}", dimension,
                                     [*self.headers, f'If-Match: "v{self.version}"'])
            if answer is not None:
                self.version = answer["version"]
                self.saves[self.version] = title
                return
            await asyncio.sleep(0.3)

    async def _invite(self, name):
        made = await self._ask("POST", "/api/v1/accounts", {"role": "author"}, self.headers)
        if made is None:
            return
        token = made["link"].rsplit("/", 1)[1]
        for attempt, asked in enumerate([name, name + "-again"]):
            if await self._ask("POST", "/api/v1/invitations/accept", {"token": token, "name": asked, "password": PASSWORD}):
                self.accounts.add(asked)
                return
            if attempt == 0:
                await asyncio.sleep(0.5)
        self.doubtful.append(name)

    async def work(self):
        number = 0
        while self.goes_on and number < SAVES:
            number += 1
            await self._save(f"save {number}")
            if number % 5 == 0:
                await self._invite(f"author-{number}")
            await asyncio.sleep(self.pause)

    def check(self, rows):
        """`rows` asks the database itself."""
        drafts = {int(version): title for version, title in rows(f"SELECT version, title FROM studio_draft WHERE world = '{self.world}'")}
        for version, title in self.saves.items():
            assert drafts.get(version) == title, f"the save {title} that was confirmed as {version} is {drafts.get(version)}"
        assert len(set(self.saves.values())) == len(self.saves), "a save was confirmed twice"
        names = [row[0] for row in rows("SELECT name FROM account WHERE name LIKE 'author-%'")]
        assert len(names) == len(set(names)) and self.accounts <= set(names), f"accounts are lost: {self.accounts - set(names)}"
        for name in names:
            assert not name.endswith("-again") or name.removesuffix("-again") not in names, f"one link made two accounts: {name}"
        # Nothing but what was asked for.
        asked = {name.removesuffix("-again") for name in self.accounts} | set(self.doubtful)
        assert {name.removesuffix("-again") for name in names} <= asked
