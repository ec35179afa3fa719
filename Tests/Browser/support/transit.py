"""A small public transport server in the page's network: exact answers for tests of the client, in the form of
`Documentation/http-api.md`. Everything lies round a place in Helsinki; its clock starts at a set time and runs on."""
import json
import math
import time
from datetime import datetime, timedelta, timezone

from . import geometry

HERE = (60.17045, 24.94095, 0.0)
EASTERN = timezone(timedelta(hours=2))
START = datetime(2022, 2, 22, 8, 0, 0, tzinfo=EASTERN)
STREETS_CREDIT = {"text": "© OpenStreetMap contributors", "url": "https://www.openstreetmap.org/copyright"}
CREDIT = {"provider": "hsl", "text": "Helsingin seudun liikenne (HSL), CC BY 4.0", "url": "https://www.hsl.fi"}


def line(name, mode="tram", color="FFFFFF", text="000000"):
    return {"id": f"hsl:{name}", "name": name, "mode": mode, "color": color, "textColor": text}


def stop(id, name, east, north, lines, **more):
    """A stop so many metres east and north of the place."""
    latitude, longitude, _ = geometry.place_at(HERE, east, north, 0.0)
    return {"id": f"hsl:{id}", "provider": "hsl", "name": name, "code": None, "platform": None, "station": False,
            "lat": latitude, "lon": longitude, "wheelchair": None, "modes": sorted({one["mode"] for one in lines}),
            "lines": lines, "reason": None, "detail": None, **more}


def departure(of, headsign, minutes, **more):
    """A departure of a line, `minutes` after the start; `late` seconds later than planned when live."""
    late = more.pop("late", None)
    planned = START + timedelta(minutes=minutes)
    expected = None if late is None else (planned + timedelta(seconds=late)).isoformat()
    return {"line": of["name"], "lineId": of["id"], "lineColor": of["color"], "textColor": of["textColor"],
            "mode": of["mode"], "headsign": headsign, "direction": 0, "scheduled": planned.isoformat(), "expected": expected,
            "delay": late, "state": "scheduled" if late is None else "live", "approximate": False, "platform": None,
            "stop": "", "trip": f"{of['id']}/{headsign}/{minutes}", "tripName": None, "pickup": "regular",
            "wheelchair": None, "lowFloor": None, "alerts": [], **more}


def city():
    """Stops, lines and departures that show everything a board can say."""
    t4, t7, t10 = line("4", color="00985F", text="FFFFFF"), line("7"), line("10", color="E4007C", text="FFFFFF")
    m1, b = line("M1", "metro", "FF6319", "FFFFFF"), [line(name, "bus", "007AC9", "FFFFFF") for name in ("18", "39B", "415")]
    f19, train = line("19", "ferry"), line("P", "rail", "8C4799", "FFFFFF")
    stops = [
        stop("1020453", "Rautatieasema", 22, 84, [t4, t7, t10], wheelchair=True),
        stop("1020552", "Lasipalatsi", -120, 118, [t4, t10, *b]),
        stop("1000001", "Päärautatieasema", 96, 190, [train], station=True, wheelchair=True),
        stop("1020601", "Kaivokatu", 170, 45, [t4, t7]),
        stop("1040601", "Kamppi", -330, 60, [m1, *b], station=True),
        stop("1020444", "Mikonkatu", 210, 240, [t7]),
        stop("1030701", "Kauppatori", 480, -260, [f19, t4]),
        stop("1020105", "Simonkatu", -240, -60, [t10]),
        stop("1020130", "Kansallismuseo", -190, 520, [t4, t10]),
        stop("1050417", "Hakaniemi", 610, 900, [m1, t7, *b]),
    ]
    departures = [
        departure(t4, "Munkkiniemi", 1, late=10, wheelchair=True, lowFloor=True, platform="2"),
        departure(t7, "Länsiterminaali T2", 3, late=190, alerts=["hsl:a7"], lowFloor=True),
        departure(t10, "Pikku Huopalahti", 4, state="cancelled"),
        departure(t4, "Katajanokka", 6, late=-70, wheelchair=False, platform="3"),
        departure(t7, "Pasila", 9),
        departure(t10, "Kirurgi", 11, state="skipped"),
        departure(t4, "Munkkiniemi", 12, state="added", tripName="4X"),
        departure(t7, "Länsiterminaali T2", 14, pickup="phone"),
        departure(t4, "Katajanokka", 75),
    ]
    alerts = [
        {"id": "hsl:a7", "header": "Linje 7 kör en annan väg", "text": "Banarbeten på Mannerheimvägen till kl. 15.",
         "url": "https://www.hsl.fi", "cause": "maintenance", "effect": "detour", "severity": "warning", "periods": [],
         "lines": ["hsl:7"], "stops": []}]
    intervals = [{"line": "1", "lineId": "hsl:1", "lineColor": "FFFFFF", "textColor": "000000", "mode": "tram",
                  "headsign": "Eira", "headway": 600, "from": START.isoformat(),
                  "to": (START + timedelta(hours=4)).isoformat()}]
    return {"stops": stops, "departures": departures, "alerts": alerts, "intervals": intervals}


def streets():
    """A grid of streets 120 m apart."""
    lines = [((-1500, at), (1500, at)) for at in range(-1440, 1500, 120)] + [((at, -1500), (at, 1500)) for at in range(-1440, 1500, 120)]
    return [path(*line) for line in lines]


def path(*points):
    """East and north, metres, as the latitudes and longitudes of a shape."""
    return [value for east, north in points for value in geometry.place_at(HERE, east, north, 0.0)[:2]]


def tracks():
    """Lines on the ground."""
    lines = {name: (mode, color) for name, mode, color in [
        ("4", "tram", "00985F"), ("7", "tram", "FFFFFF"), ("10", "tram", "E4007C"), ("M1", "metro", "FF6319"), ("18", "bus", "007AC9"),
        ("P", "rail", "8C4799"), ("19", "ferry", "FFFFFF")]}
    paths = {
        "4": [path((-900, 1600), (-420, 900), (-190, 520), (-120, 118), (22, 84), (170, 45), (330, -120), (480, -260), (900, -240))],
        "7": [path((900, 1500), (610, 900), (320, 420), (210, 240), (170, 45), (22, 84), (-60, -180), (-320, -700))],
        "10": [path((-420, 1500), (-300, 900), (-190, 520), (-120, 118), (-240, -60), (-200, -420), (-60, -900))],
        "M1": [path((-1900, 300), (-900, 160), (-330, 60), (90, 150), (420, 560), (610, 900), (1300, 1500))],
        "18": [path((-1500, 700), (-600, 260), (-330, 60), (-120, 118), (90, 330), (700, 700), (1500, 900))],
        "P": [path((96, 190), (60, 700), (-40, 1900))],
        "19": [path((480, -260), (620, -520), (1100, -1200))],
    }
    return [{"id": f"hsl:{name}", "name": name, "mode": lines[name][0], "color": lines[name][1],
             "textColor": "000000" if lines[name][1] == "FFFFFF" else "FFFFFF", "source": "shapes", "paths": found}
            for name, found in paths.items()]


class MockTransit:
    """Answers the page's questions. `questions` keeps what was asked; `stops`, `lines` and `vehicles` may be changed."""

    def __init__(self, page, demonstration=False):
        found = city()
        self.stops, self.departures = found["stops"], found["departures"]
        self.alerts, self.intervals = found["alerts"], found["intervals"]
        self.lines, self.vehicles = tracks(), []
        self.demonstration = demonstration
        self.tiles = None
        self.retired = {}
        self.elsewhere = []
        self.streets = []
        self.questions = []
        self.failing = None
        self.began = time.monotonic()
        page.route("**/api/v1/transit/**", self._answer)
        page.route("**/api/v1/settings", self._settings)

    @property
    def now(self):
        return (START + timedelta(seconds=time.monotonic() - self.began)).isoformat(timespec="milliseconds")

    def _settings(self, route):
        answer = route.fetch()
        settings = {**answer.json(), "transit": {"demonstration": self.demonstration}, "tiles": self.tiles, "ground": None}
        route.fulfill(response=answer, body=json.dumps(settings))

    def _answer(self, route):
        name = route.request.url.split("/transit/")[1].split("/")[0]
        body = json.loads(route.request.post_data) if route.request.post_data else {}
        self.questions.append((name, body))
        if self.failing:
            return route.fulfill(status=503, content_type="application/problem+json", body=json.dumps(
                {"title": "Service Unavailable", "status": 503, "code": self.failing, "detail": "The timetables are being read."}))
        if name == "stream":
            # Without events the client asks again and again, and says that the line is lost.
            if route.request.method == "POST":
                return route.fulfill(status=201, content_type="application/json", body=json.dumps(
                    {"url": "/api/v1/transit/stream/1", "expires": self.now}))
            board = json.dumps(self._boards({"stops": [self.open]}))
            return route.fulfill(content_type="text/event-stream", body=f"retry: 60000\nevent: board\ndata: {board}\n\n")
        return route.fulfill(content_type="application/json", body=json.dumps(getattr(self, f"_{name}")(body)))

    open = "hsl:1020453"

    def _head(self):
        return {"now": self.now, "partial": False, "attributions": [CREDIT], "alerts": self.alerts}

    def _stops(self, body):
        here = (body["latitude"], body["longitude"])
        query = body.get("query", "").lower()
        among = [one for one in self.stops + self.elsewhere if query in one["name"].lower()] if query else self.stops
        found = [{**one, "distance": geometry.great_circle(here, (one["lat"], one["lon"])), "bearing": bearing(here, one)}
                 for one in among]
        return {**self._head(), "stops": sorted(found, key=lambda one: one["distance"])[:body.get("limit", 10)]}

    def _departures(self, body):
        self.open = body["stops"][0]
        known = {one["id"]: one for one in self.stops + self.elsewhere}
        boards = []
        for id in body["stops"]:
            if id in self.retired:
                boards.append({"id": id, "provider": "hsl", "name": self.retired[id], "platform": None, "lat": HERE[0], "lon": HERE[1],
                               "forecast": None, "reason": "retired_stop", "detail": "This stop is no longer served."})
                continue
            if id not in known:
                boards.append({"id": id, "name": None, "forecast": None, "reason": "unknown_stop", "detail": None})
                continue
            lines = {one["id"] for one in known[id]["lines"]}
            boards.append({**known[id], "forecast": {
                "state": "live", "source": "gtfs-rt", "updated": self.now, "age": 12, "stale": False,
                "alerts": ["hsl:a7"] if "hsl:7" in lines else [],
                "departures": [one for one in self.departures if one["lineId"] in lines],
                "intervals": self.intervals}})
        return {**self._head(), "stops": boards}

    _boards = _departures

    def _vehicles(self, body):
        return {"now": self.now, "attributions": [CREDIT], "vehicles": self.vehicles}

    def _shapes(self, body):
        return {"attributions": [CREDIT], "lines": self.lines}

    def _streets(self, body):
        return {"attribution": STREETS_CREDIT, "paths": self.streets}

    def _providers(self, body):
        return {"now": self.now, "demonstration": self.demonstration, "streets": STREETS_CREDIT if self.streets else None, "center": {"lat": HERE[0], "lon": HERE[1]},
                "providers": [{"id": "hsl", "name": "Helsinki", "kinds": ["gtfs"], "timeZone": "Europe/Helsinki",
                               "stops": len(self.stops), "attribution": CREDIT, "bounds": [60.15, 24.90, 60.20, 24.99],
                               "state": "ok", "detail": None, "vehicles": True, "alerts": True, "realtime": None}]}


def bearing(here, one):
    """Degrees clockwise from north, over so short a way that the Earth is flat."""
    east = math.radians(one["lon"] - here[1]) * math.cos(math.radians(here[0]))
    north = math.radians(one["lat"] - here[0])
    return math.degrees(math.atan2(east, north)) % 360


def vehicle(id, of, east, north, direction=90.0, headsign=""):
    """A vehicle of a line, so many metres from the place."""
    latitude, longitude, _ = geometry.place_at(HERE, east, north, 0.0)
    return {"id": f"hsl:{id}", "label": id, "lat": latitude, "lon": longitude, "bearing": direction, "speed": 8.0,
            "line": of["name"], "lineId": of["id"], "lineColor": of["color"], "textColor": of["textColor"], "mode": of["mode"],
            "headsign": headsign, "trip": None, "stop": None, "status": "underway", "occupancy": None, "updated": None,
            "age": 7, "distance": math.hypot(east, north)}
