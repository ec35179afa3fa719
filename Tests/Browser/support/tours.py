"""Tours over HTTP: a teacher who is signed in, teams' phones as programs, and a tour to play."""
import http.client
import json
import math
import subprocess
import urllib.parse
import uuid

from support.sightline import PROGRAM

PASSWORD = "walking through town 7"


class Refused(Exception):
    """A problem document."""

    def __init__(self, status, code, detail):
        super().__init__(f"{status} {code}: {detail}")
        self.status, self.code = status, code


class Client:
    """One connection that is opened again when the server has closed it; JSON in and out."""

    def __init__(self, url, headers=None, timeout=20):
        parts = urllib.parse.urlsplit(url)
        self.host, self.port, self.timeout = parts.hostname, parts.port, timeout
        self.headers = dict(headers or {})
        self.connection = None

    def raw(self, method, path, body=None, headers=None):
        """Sends once, but for a line that was closed meanwhile."""
        is_old = self.connection is not None
        if not is_old:
            self.connection = http.client.HTTPConnection(self.host, self.port, timeout=self.timeout)
        try:
            self.connection.request(method, path, body=body, headers={**self.headers, **(headers or {})})
            response = self.connection.getresponse()
            return response, response.read()
        except (OSError, http.client.HTTPException) as error:
            self.close()
            # The server closes lines that were quiet for half a minute; nothing of the request has arrived then.
            if is_old and isinstance(error, http.client.RemoteDisconnected):
                return self.raw(method, path, body, headers)
            raise

    def json(self, method, path, body=None, headers=None):
        data = None if body is None else json.dumps(body)
        kind = {} if body is None else {"Content-Type": "application/json"}
        response, answer = self.raw(method, path, data, {**kind, **(headers or {})})
        value = json.loads(answer) if answer and "json" in response.headers.get("Content-Type", "") else answer
        if response.status >= 400:
            raise Refused(response.status, value.get("code"), value.get("detail")) if isinstance(value, dict) else \
                Refused(response.status, "", str(value[:200]))
        return value

    def close(self):
        if self.connection is not None:
            self.connection.close()
            self.connection = None


def add_author(database, name="teacher", role="author"):
    """Makes an account, as an operator does on the server."""
    subprocess.run([PROGRAM, "user", "add", name, "--role", role, "--password-stdin", "--database", str(database)],
                   input=PASSWORD + "\n", text=True, check=True, capture_output=True, timeout=60)


class Teacher(Client):
    """An author who is signed in."""

    def __init__(self, url, name="teacher"):
        super().__init__(url)
        response, answer = self.raw("POST", "/api/v1/session", json.dumps({"name": name, "password": PASSWORD}),
                                    {"Content-Type": "application/json"})
        assert response.status == 200, answer
        self.headers["Cookie"] = response.headers["Set-Cookie"].split(";")[0]
        self.headers["X-CSRF-Token"] = json.loads(answer)["csrf"]

    def make_run(self, tour, teams, start=True):
        """A tour, a run of it, and its teams with their codes."""
        stored = self.json("POST", "/api/v1/tours", tour)
        drafts = [{"name": f"Team {n + 1}", "color": f"#{(n * 2654435761) % 0xffffff:06x}"} for n in range(teams)]
        made = self.json("POST", f"/api/v1/tours/{stored['id']}/runs", {"teams": drafts})
        run = made["run"]["id"]
        if start:
            self.json("POST", f"/api/v1/tour-runs/{run}/command", {"command": "start"})
        return stored["id"], run, made["teams"]


class Team(Client):
    """A team's phone as a program: it keeps what was not confirmed and sends it again, in order."""

    def __init__(self, url, code, timeout=20):
        super().__init__(url, timeout=timeout)
        joined = self.json("POST", "/api/v1/tour-team/join", {"code": code})
        self.headers["Authorization"] = f"Bearer {joined['secret']}"
        self.content, self.state = joined["content"], joined["state"]
        self.stations = {station["id"]: station for station in self.content["stations"]}
        self.sequence, self.waiting, self.confirmed = 0, [], {}

    def tell(self, station, kind, **more):
        """Puts an event into the queue, made at the station."""
        self.sequence += 1
        position = {**self.stations[station]["position"], "accuracy": 5}
        self.waiting.append({"id": str(uuid.uuid4()), "sequence": self.sequence, "station": station, "kind": kind,
                             "position": position, **more})
        return self.waiting[-1]["id"]

    def send(self):
        """Sends the queue once; what the answer names is confirmed."""
        answer = self.json("POST", "/api/v1/tour-team/events", {"events": self.waiting[:100]})
        for event in answer["events"]:
            self.confirmed[event["id"]] = event
        self.waiting = [event for event in self.waiting if event["id"] not in self.confirmed]
        self.state = answer["state"]
        return answer


def moved(position, north=0.0, east=0.0):
    """A position some metres away."""
    latitude, longitude = position[0], position[1]
    return (latitude + north / 111195, longitude + east / (111195 * math.cos(math.radians(latitude))), *position[2:])


def questions(count, at=(52.0116, 4.3571), tries=1):
    """A tour of choice questions in a row from west to east, 60 m apart; the second answer is right."""
    stations = []
    for number in range(count):
        latitude, longitude = moved(at, east=60 * number)
        stations.append({
            "id": f"s{number}", "kind": "choice", "title": f"Station {number + 1}", "text": f"Question {number + 1}?",
            "position": {"latitude": latitude, "longitude": longitude}, "options": ["no", "yes", "perhaps"],
            "correct": [1], "tries": tries})
    return {"title": "A row of questions", "stations": stations}
