"""The recipes of strangers against the real server. `./test attack`, or here: python3 -m unittest -v

During and after each: the server lives, /health/ready answers within 2 s from another network, and it takes less than 1 GB
with all that it has started.
"""
import concurrent.futures
import http.client
import json
import pathlib
import random
import statistics
import tempfile
import time
import unittest

import bombs
from target import MOST_MEMORY, Documents, Target, Watch, run_alone

DIGITS = [16, 19, 20, 25, 100, 400, 1000, 20_000]
FINE = range(200, 500)


def drain(line, limit=65536):
    """What has come over a socket; empty at its end."""
    try:
        return line.recv(limit)
    except OSError:
        return b""


class Recipes(unittest.TestCase):
    """One server for all recipes that need nothing special of it: what one leaves behind the next one meets."""

    @classmethod
    def setUpClass(cls):
        cls.files = tempfile.TemporaryDirectory(prefix="sightline-bombs-")
        folder = pathlib.Path(cls.files.name)
        for name, make in bombs.DOCUMENTS.items():
            (folder / name).write_text(make())
        (folder / "plain.zip").write_bytes(bombs.feed(bombs.STOPS))
        (folder / "transit.json").write_text(json.dumps({"providers": [{"id": "p0", "name": "P", "feed": "plain.zip"}]}))
        cls.folder = folder
        cls.documents = Documents(folder)
        cls.target = Target("--allow-private-proxy", "--proxy-ports", f"80,443,{cls.documents.port}", "--transit",
                            folder / "transit.json", "--transit-rate", 0, accounts=[("author", "author")])
        cls.target.__enter__()
        cls.author = cls.target.signed_in()

    @classmethod
    def tearDownClass(cls):
        cls.target.__exit__(None, None, None)
        cls.documents.close()
        cls.files.cleanup()

    def setUp(self):
        self.revive()

    @classmethod
    def revive(cls):
        """Each recipe is judged for itself: a server that the one before has ended is started again."""
        if not cls.target.is_alive:
            cls.target.start()
            cls.author = cls.target.signed_in()

    # C1

    def test_C1_long_numbers_on_all_routes(self):
        routes = {"/api/v1/nearby": {"latitude": 48.4, "longitude": 9.99, "limit": 5, "radius": 100}}
        for name in ["stops", "departures", "stream", "vehicles", "shapes", "streets"]:
            routes[f"/api/v1/transit/{name}"] = {"latitude": 60.17, "longitude": 24.94, "limit": 5, "window": 3600,
                                                 "stops": ["p0:S1"]}
        with Watch(self.target):
            for path, question in routes.items():
                for member in [name for name in question if name != "stops"]:
                    for count in DIGITS:
                        for number in ["48." + "3984" + "0" * count, "9" * count, "-" + "9" * count, "0." + "9" * count]:
                            pairs = [(member, number)] + [(name, json.dumps(value)) for name, value in question.items()
                                                          if name != member]
                            body = "{" + ",".join(f'"{name}":{value}' for name, value in pairs) + "}"
                            answer = self.target.post(path, body)
                            self.assertIn(answer.status, FINE, f"{path} {member} {count}")
            # A client that prints twenty decimals is no attacker.
            answer = self.target.post("/api/v1/nearby", '{"latitude":48.39840000000000000000,"longitude":9.99}')
            self.assertEqual(answer.status, 200)

    # H1, H2, N3 and what else a document can be

    def test_H1_H2_N3_documents_that_ask_for_much(self):
        for name in bombs.DOCUMENTS:
            self.revive()
            with self.subTest(name), Watch(self.target):
                answer = self.target.open(f"http://127.0.0.1:{self.documents.port}/{name}")
                self.assertIn(answer.status, (200, 413, 422, 502, 503, 504), answer.body[:300])
                self.assertLess(len(answer.body), 64 << 20)

    def test_H2_two_at_once(self):
        for name in ["H2.json", "N3.geojson", "H1e.arml", "H1b.arml"]:
            self.revive()
            with self.subTest(name), Watch(self.target), concurrent.futures.ThreadPoolExecutor(4) as pool:
                url = f"http://127.0.0.1:{self.documents.port}/{name}"
                answers = list(pool.map(lambda n: self.target.open(url, source=f"127.0.3.{n}"), range(1, 5)))
                for answer in answers:
                    self.assertIn(answer.status, (200, 413, 422, 429, 502, 503, 504), answer.body[:300])

    def test_H1_by_an_author(self):
        for name in ["H1a.arml", "H1c.kml", "H1e.json", "N3.geojson"]:
            self.revive()
            with self.subTest(name), Watch(self.target):
                answer = self.target.ask("POST", f"/api/v1/studio/read?name={name}", (self.folder / name).read_bytes(),
                                         {**self.author, "Content-Type": "application/octet-stream"}, timeout=60)
                self.assertIn(answer.status, (200, 413, 422, 503), answer.body[:300])

    # H3

    def test_H3_planted_worlds(self):
        plain = {"title": "p", "altitudeMode": "eye", "offset": {"east": 0, "north": 0, "up": 0},
                 "position": {"latitude": 1, "longitude": 1}, "visual": {"kind": "text", "text": "p"}, "pivot": "BC",
                 "showInRadar": True, "showOnFocus": [], "categories": [], "metadata": {},
                 "shapes": [{"kind": "line", "parts": [[[1, 1], [2, 2]]]}]}
        styles = [{"stroke": "#ff0000", name: value} for name in ("strokeOpacity", "fillOpacity", "strokeWidth")
                  for value in (1e300, -1e300, 1e17, -9.3e18, 1e-320)]
        places = [{**plain, "shapeStyle": style} for style in styles]
        places += [{**plain, "position": {"latitude": 1e300, "longitude": -1e300}},
                   {**plain, "offset": {"east": 1e308, "north": -1e308, "up": 1e308}},
                   {**plain, "shapes": [{"kind": "line", "parts": [[[1e300, 1e300], [-1e300, 5e-324]]]}]}]
        with Watch(self.target):
            for number, place in enumerate(places):
                world = {"radarRange": 1000, "radarAvailable": True, "relativeAltitude": False, "refreshIntervalSeconds": 0,
                         "refreshDistance": 0, "assets": [], "overlays": [], "places": [place]}
                answer = self.target.post("/api/v1/studio/worlds", {"title": "Bomb", "id": f"bomb-{number}",
                                                                    "dimension": world}, self.author)
                self.assertIn(answer.status, FINE, answer.body[:300])
                if answer.status != 201:
                    continue
                one = f"/api/v1/studio/worlds/bomb-{number}"
                for form in ["kml", "geojson", "gddf", "area", "sightline"]:
                    self.assertIn(self.target.ask("GET", f"{one}/export?format={form}", headers=self.author).status, FINE)
                self.target.post(f"{one}/publish", {"version": 1}, self.author)
                for form in ["kml", "geojson", "gddf", "area"]:
                    answer = self.target.ask("GET", f"/api/v1/worlds/bomb-{number}/export?format={form}")
                    self.assertIn(answer.status, FINE)

    # H6

    def test_H6_one_host_cannot_hold_all_connections(self):
        lines, refused = [], 0
        with Watch(self.target):
            for _ in range(400):
                try:
                    line = self.target.raw("127.0.0.2")
                    line.sendall(b"POST /x HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n")
                    answer = drain(line)
                except OSError:
                    answer = b""
                if b" 404 " in answer.split(b"\r\n")[0]:
                    lines.append(line)
                else:
                    refused += 1
                    line.close()
            self.assertGreater(refused, 100)
            self.assertGreater(len(lines), 100)
            # Those that were answered end soon, however the rest of their bodies drips.
            ends = time.monotonic() + 25
            while lines and time.monotonic() < ends:
                left = []
                for line in lines:
                    line.settimeout(0.001)
                    try:
                        line.sendall(b"1\r\na\r\n")
                        ended = line.recv(1000) == b""
                    except TimeoutError:
                        ended = False
                    except OSError:
                        ended = True
                    if ended:
                        line.close()
                    else:
                        left.append(line)
                lines = left
                time.sleep(1)
            self.assertEqual(len(lines), 0, "still open after their answer")

    def test_H6_slow_headers_and_pipelines(self):
        with Watch(self.target):
            lines = [self.target.raw("127.0.0.3") for _ in range(100)]
            for line in lines:
                line.sendall(b"GET /health/live HTTP/1.1\r\nX: ")
            # The second is answered without a task, where it is alone.
            for path in [b"/api/v1/worlds", b"/api/v1/nearby?latitude=48.4&longitude=10&limit=100"]:
                flood = self.target.raw("127.0.0.4")
                flood.settimeout(10)
                flood.sendall((b"GET " + path + b" HTTP/1.1\r\nHost: x\r\n\r\n") * 1500)
                answers = 0
                while (some := drain(flood)) != b"":
                    answers += some.count(b"HTTP/1.1 200")
                self.assertGreater(answers, 0)
                self.assertLessEqual(answers, 200)
                flood.close()
            for line in lines:
                line.close()

    # M1, M6

    def test_M1_made_up_forwarded_addresses(self):
        with Target("--public-url", "http://127.0.0.1:8080") as target, Watch(target):
            # One-time links cost no hashing: the same limit as for signing in, and quick.
            seen = []
            for number in range(40):
                forwarded = random.choice([f"{random.randint(1, 32767)}.1.1.1", f"203.0.113.{number}", f"2001:db8::{number}"])
                answer = target.post("/api/v1/invitations/open", {"token": f"x{number}"}, {"X-Forwarded-For": forwarded})
                seen.append(answer.status)
            self.assertIn(429, seen)
            self.assertEqual(seen[0], 404)

    def test_M6_strangers_lock_nobody_out(self):
        with Watch(self.target):
            for address in range(2, 40):
                for number in range(5):
                    self.target.post("/api/v1/invitations/open", {"token": f"x{number}"}, source=f"127.0.1.{address}")
            link = self.target.program("user", "add", "--database", self.target.database)
            token = link.split()[0].rstrip("/").split("/")[-1].split("=")[-1]
            answer = self.target.post("/api/v1/invitations/open", {"token": token}, source="127.0.1.77")
            self.assertEqual(answer.status, 200, answer.body)

    # M3, M4

    def test_M3_made_up_hosts(self):
        world = self.target.ask("GET", "/api/v1/worlds").json()["worlds"][0]["id"]
        before = None
        with Watch(self.target) as watch:
            line = http.client.HTTPConnection("127.0.0.1", self.target.port, timeout=20)
            for number in range(3000):
                long = number % 2 == 0
                host = ("a" * (7800 if long else 200)) + str(number)
                line.putrequest("GET", f"/worlds/{world}.gddf", skip_host=True)
                line.putheader("Host", host)
                line.endheaders()
                answer = line.getresponse()
                answer.read()
                self.assertEqual(answer.status, 400 if long else 200)
                if number == 300:
                    before = watch.peak
            line.close()
        self.assertLess(watch.peak - before, 100 << 20)

    def test_M4_targets_of_posters(self):
        posters = [poster["id"] for poster in self.target.ask("GET", "/api/v1/posters?limit=8").json()["posters"]]
        paths = [f"/api/v1/posters/{poster}/target" for poster in posters] or ["/api/v1/posters/none/target"]
        with Watch(self.target), concurrent.futures.ThreadPoolExecutor(16) as pool:
            for answer in pool.map(lambda n: self.target.ask("GET", paths[n % len(paths)], timeout=120), range(200)):
                self.assertIn(answer.status, (200, 404, 429, 503))
                if answer.status in (429, 503):
                    self.assertIn("Retry-After", answer.headers)

    # M5, N1

    TOUR = {"title": "Old town", "stations": [{
        "id": "bridge", "kind": "choice", "title": "Bridge", "text": "How many?", "options": ["Two", "Three"],
        "position": {"latitude": 52, "longitude": 4}, "correct": [1], "tries": 2}]}

    def run_of(self, tour):
        """A run that goes on, and a team's header fields; None when the tour was refused."""
        answer = self.target.post("/api/v1/tours", tour, self.author)
        self.assertIn(answer.status, FINE, answer.body[:300])
        if answer.status != 201:
            return None
        made = self.target.post(f"/api/v1/tours/{answer.json()['id']}/runs",
                                {"teams": [{"name": "Otter", "color": "#d33f49"}]}, self.author).json()
        run = made["run"]["id"]
        self.assertEqual(self.target.post(f"/api/v1/tour-runs/{run}/command", {"command": "start"}, self.author).status, 200)
        joined = self.target.post("/api/v1/tour-team/join", {"code": made["teams"][0]["code"]})
        self.assertEqual(joined.status, 200, joined.body)
        return run, {"Authorization": f"Bearer {joined.json()['secret']}"}

    def test_M5_events_without_end(self):
        _, team = self.run_of(self.TOUR)
        took, sequence, refused = [], 0, 0
        with Watch(self.target):
            for _ in range(100):
                events = []
                for _ in range(100):
                    sequence += 1
                    events.append({"id": "%016x" % random.getrandbits(64), "sequence": sequence, "station": "x",
                                   "kind": "visit"})
                start = time.monotonic()
                answer = self.target.post("/api/v1/tour-team/events", {"events": events}, team)
                took.append(time.monotonic() - start)
                self.assertIn(answer.status, FINE, answer.body[:300])
                refused += answer.status in (413, 422, 429, 409)
            early, late = statistics.median(took[:10]), statistics.median(took[-10:])
            self.assertLess(late, max(0.2, 5 * early), "a request takes longer the more there were")
            calls = [self.target.post("/api/v1/tour-team/help", {}, team).status for _ in range(200)]
            self.assertTrue(all(status in FINE for status in calls), set(calls))
            self.assertIn(429, calls)

    def test_N1_extreme_rounding(self):
        with Watch(self.target):
            for rounding in [1e-320, 1e-300, 1e300, -1e-320, 5e-324, 1e-9]:
                made = self.run_of({**self.TOUR, "rounding": rounding})
                if made is None:
                    continue
                run, team = made
                for number in range(3):
                    state = {"position": {"latitude": 52 + number * 1e-4, "longitude": 4, "accuracy": 5}}
                    self.assertIn(self.target.post("/api/v1/tour-team/state", state, team).status, FINE)
                self.assertIn(self.target.ask("GET", f"/api/v1/tour-runs/{run}", headers=self.author).status, FINE)

    def test_N1_extreme_numbers_of_a_phone(self):
        run, team = self.run_of(self.TOUR)
        sequence = 0
        with Watch(self.target):
            for number in [2**63 - 1, -2**63, 2**63, 2**53, -1, 1e308, 10**400]:
                for answer in [{"kind": "hint", "hint": number}, {"kind": "choice", "choices": [number]},
                               {"kind": "visit", "age": number}, {"kind": "visit", "age": -number}]:
                    sequence += 1
                    event = {"id": "%016x" % sequence, "sequence": sequence, "station": "bridge", **answer}
                    status = self.target.post("/api/v1/tour-team/events", {"events": [event]}, team).status
                    self.assertIn(status, FINE, answer)
                state = {"position": {"latitude": 52, "longitude": 4, "accuracy": number}, "battery": number}
                self.assertIn(self.target.post("/api/v1/tour-team/state", state, team).status, FINE)
                for mark in [{"points": number}, {"event": number, "points": number}]:
                    self.assertIn(self.target.post(f"/api/v1/tour-runs/{run}/marks", mark, self.author).status, FINE)
                self.assertIn(self.target.post(f"/api/v1/tour-runs/{run}/command",
                                               {"command": "round", "round": number}, self.author).status, FINE)
            for table in ["results.csv", "answers.csv", "answers.json", "log.csv", "positions.csv", "all.json"]:
                answer = self.target.ask("GET", f"/api/v1/tour-runs/{run}/tables/{table}", headers=self.author)
                self.assertEqual(answer.status, 200, table)
                # What was refused is kept, too, or the tables would not have met the numbers.
                if table.startswith("answers"):
                    self.assertIn(str(2**63 - 1).encode(), answer.body)
            self.assertIn(self.target.ask("GET", f"/api/v1/tour-runs/{run}", headers=self.author).status, FINE)
            self.assertIn(self.target.ask("GET", "/api/v1/tour-team", headers=team).status, FINE)

    # M7

    def test_M7_streams_that_were_only_asked_about(self):
        question = {"stops": ["p0:S1"]}
        with Watch(self.target):
            for number in range(20):
                answer = self.target.post("/api/v1/transit/stream", question, source="127.0.0.7")
                self.assertEqual(answer.status, 201, f"{number}: {answer.body}")
                self.target.ask("HEAD", answer.json()["url"], source="127.0.0.7")

    # M8 and bodies

    def test_M8_model_with_many_pictures(self):
        with Watch(self.target):
            answer = self.target.ask("POST", "/api/v1/assets", bombs.glb_images(), {**self.author, "Content-Type":
                                                                                     "model/gltf-binary"}, timeout=60)
            self.assertIn(answer.status, (201, 400, 413, 415, 422, 503), answer.body[:300])

    def test_bodies_that_are_too_large(self):
        with Watch(self.target):
            for path in ["/api/v1/nearby", "/api/v1/open", "/api/v1/session", "/api/v1/transit/stops", "/x"]:
                line = self.target.raw("127.0.0.5")
                line.sendall(f"POST {path} HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n"
                             "Content-Length: 9000000000\r\n\r\n".encode())
                status = drain(line).split(b" ")[1:2]
                self.assertIn(status, ([b"413"], [b"404"], [b"415"]), path)
                line.close()

    # What was found first is still served at the end.

    def test_zz_everything_still_works(self):
        self.assertEqual(self.target.ask("GET", "/api/v1/worlds").status, 200)
        self.assertEqual(self.target.post("/api/v1/nearby", {"latitude": 48.4, "longitude": 9.99}).status, 200)
        self.assertEqual(self.target.post("/api/v1/transit/departures", {"stops": ["p0:S1"]}).status, 200)


class Timetables(unittest.TestCase):
    """Feeds and realtime messages that are broken or hostile; each with a server of its own, for they are read at its start."""

    def serve(self, providers, files, stops, wait=0):
        with tempfile.TemporaryDirectory(prefix="sightline-bombs-") as name:
            folder = pathlib.Path(name)
            for file, data in files.items():
                (folder / file).write_bytes(data)
            (folder / "transit.json").write_text(json.dumps({"providers": providers}))
            with Target("--transit", folder / "transit.json", "--transit-rate", 0, "--demo", "none") as target, \
                    Watch(target):
                time.sleep(wait)
                for stop in stops:
                    answer = target.post("/api/v1/transit/departures", {"stops": [stop], "limit": 100, "window": 86400})
                    self.assertEqual(answer.status, 200, f"{stop} {answer.body[:300]}")
                place = {"latitude": 60.17, "longitude": 24.94}
                self.assertEqual(target.post("/api/v1/transit/stops", {**place, "departures": 20}).status, 200)
                self.assertEqual(target.post("/api/v1/transit/vehicles", place).status, 200)

    def test_H4_extreme_times(self):
        for number, moment in enumerate(bombs.EXTREMES):
            with self.subTest(moment):
                message = {"url": "message.pb", "interval": 1}
                self.serve([{"id": "p", "name": "P", "feed": "plain.zip", "realtime": [message]}],
                           {"plain.zip": bombs.feed(bombs.STOPS), "message.pb": bombs.realtime(moment)}, ["p:S1"], wait=1.5)

    def test_H5_stops_that_are_each_others_parents(self):
        self.serve([{"id": "cycle", "name": "C", "feed": "cycle.zip"}], {"cycle.zip": bombs.cycle()},
                   [f"cycle:{name}" for name in "ABCDEF"])

    def test_N2_a_departure_each_second(self):
        self.serve([{"id": "rush", "name": "R", "feed": "rush.zip"}], {"rush.zip": bombs.rush()}, ["rush:S1", "rush:S2"])


class Programs(unittest.TestCase):
    """The command line in a limit of address space: it never ends by a signal, and is quick."""

    def setUp(self):
        self.files = tempfile.TemporaryDirectory(prefix="sightline-bombs-")
        self.folder = pathlib.Path(self.files.name)

    def tearDown(self):
        self.files.cleanup()

    def check(self, *arguments, limit=60):
        status, took, most = run_alone(*arguments, limit=limit)
        self.assertGreaterEqual(status, 0, f"ended by signal {-status} after {took:.1f} s, {most >> 20} MiB")
        self.assertLess(most, MOST_MEMORY, f"{most >> 20} MiB")
        return status

    def test_validate(self):
        for name, make in bombs.DOCUMENTS.items():
            with self.subTest(name):
                (self.folder / name).write_text(make())
                self.assertIn(self.check("validate", self.folder / name), (0, 1))

    def test_transit(self):
        for name, data, stops in [("cycle", bombs.cycle(), "ABCDEF"), ("rush", bombs.rush(), ["S1"]),
                                  ("plain", bombs.feed(bombs.STOPS), ["S1"])]:
            feed, schedule = self.folder / f"{name}.zip", self.folder / f"{name}.schedule"
            feed.write_bytes(data)
            self.check("transit", "import", feed, "--into", schedule)
            if not schedule.exists():
                continue
            for stop in stops:
                with self.subTest(f"{name} {stop}"):
                    self.check("transit", "departures", "--schedule", schedule, "--stop", stop)
        for number, moment in enumerate(bombs.EXTREMES):
            with self.subTest(f"realtime {moment}"):
                message = self.folder / f"{number}.pb"
                message.write_bytes(bombs.realtime(moment))
                self.check("transit", "departures", "--schedule", self.folder / "plain.schedule", "--stop", "S1",
                           "--realtime", message)

    def test_replay(self):
        for name, times in {"leap": [0, 0.1, 1e9], "far": [0, 1e17, 1e17 + 64], "farther": [0, 1e18, 2e18],
                            "most": [0, 1e308], "back": [0, 1e12, 0, -1e12], "again": [number * 3599 for number in range(3000)]}.items():
            path = self.folder / f"{name}.slrec"
            path.write_bytes(bombs.recording(times))
            drawn = [["--render", self.folder / f"{name}-%04d.png"]] if len(times) < 100 else []
            for more in [["--summary"], ["--fps", "30", "--summary"], *drawn]:
                with self.subTest(f"{name} {more[0]}"):
                    self.check("replay", path, *more, limit=30)


if __name__ == "__main__":
    unittest.main()
