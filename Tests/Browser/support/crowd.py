"""Many teams at once as programs: one connection each, over asyncio, as little Python as possible for each request."""
import asyncio
import json
import time
import uuid


class Line:
    """One HTTP connection that is opened when it is needed."""

    def __init__(self, host, port):
        self.host, self.port, self.reader, self.writer = host, port, None, None
        # Of the last request; none where it had no answer.
        self.status = None

    async def request(self, method, path, body=None, headers=()):
        """Sends once; raises OSError or asyncio.IncompleteReadError when the server goes away."""
        self.status = None
        if self.writer is None:
            self.reader, self.writer = await asyncio.open_connection(self.host, self.port)
        data = b"" if body is None else json.dumps(body).encode()
        head = [f"{method} {path} HTTP/1.1", "Host: tours", f"Content-Length: {len(data)}", *headers]
        if body is not None:
            head.append("Content-Type: application/json")
        try:
            self.writer.write("\r\n".join(head).encode() + b"\r\n\r\n" + data)
            status, fields = await self.head()
            length = int(fields.get("content-length", "0"))
            answer = await self.reader.readexactly(length) if length else b""
            if fields.get("connection", "").lower() == "close":
                self.close()
            self.status = status
            return status, json.loads(answer) if answer[:1] in (b"{", b"[") else answer.decode(errors="replace") or None
        except BaseException:
            self.close()
            raise

    async def head(self):
        lines = (await self.reader.readuntil(b"\r\n\r\n")).decode().split("\r\n")
        fields = dict(line.lower().split(": ", 1) for line in lines[1:] if ": " in line)
        return int(lines[0].split()[1]), fields

    def close(self):
        if self.writer is not None:
            self.writer.close()
            self.writer = None


class CrowdTeam:
    """A team that goes from station to station and answers right; what was not confirmed is sent again first."""

    def __init__(self, host, port, code):
        self.line, self.code = Line(host, port), code
        self.headers, self.stations = [], []
        self.waiting, self.confirmed, self.sequence = [], {}, 0

    async def join(self):
        status, answer = await self.line.request("POST", "/api/v1/tour-team/join", {"code": self.code})
        assert status == 200, answer
        self.headers = [f"Authorization: Bearer {answer['secret']}"]
        self.stations = answer["content"]["stations"]

    @property
    def is_through(self):
        return self.sequence >= len(self.stations)

    def next_answer(self):
        station = self.stations[self.sequence]
        self.sequence += 1
        event = {"id": str(uuid.uuid4()), "sequence": self.sequence, "station": station["id"], "kind": "choice",
                 "choices": [1], "position": {**station["position"], "accuracy": 5}}
        self.waiting.append(event)
        return event

    async def send(self):
        """Sends what waits, in order; what the answer names is confirmed."""
        status, answer = await self.line.request("POST", "/api/v1/tour-team/events", {"events": self.waiting}, self.headers)
        assert status == 200 and answer["inOrder"], answer
        for event in answer["events"]:
            self.confirmed[event["id"]] = event
        self.waiting = [event for event in self.waiting if event["id"] not in self.confirmed]

    async def look(self, position):
        status, answer = await self.line.request("POST", "/api/v1/tour-team/state", {"position": position}, self.headers)
        assert status == 200, answer


async def watch(host, port, path, headers, heard, ready):
    """A board: notes when each answer arrives, by its identifier; `ready` is called with the first picture."""
    line = Line(host, port)
    line.reader, line.writer = await asyncio.open_connection(host, port, limit=2 ** 24)
    line.writer.write("\r\n".join([f"GET {path} HTTP/1.1", "Host: tours", "Accept: text/event-stream", *headers]).encode() + b"\r\n\r\n")
    status, _ = await line.head()
    assert status == 200, status
    name = ""
    try:
        while True:
            text = (await line.reader.readuntil(b"\n")).decode().strip()
            if text.startswith("event: "):
                name = text[7:]
            elif text.startswith("data: "):
                if name == "answer":
                    heard[json.loads(text[6:])["id"]] = time.perf_counter()
                elif name == "board":
                    ready()
    except (asyncio.IncompleteReadError, ConnectionError):
        return
    finally:
        line.close()
