"""The same kind of tour played by the two GDDF browsers of 2010: every document is read by the rules of both, which have to
see the same world in it."""
import json

import pytest

from support.gddf_clients import OldClient, read_gamaray, read_iphone
from support.tours import Teacher, add_author, moved

START = (47.0689, 15.4561)


@pytest.fixture(scope="module")
def teacher(server):
    add_author(server.database, "old-clients")
    return Teacher(server.url, "old-clients")


def tour(picture=None):
    def at(north, east):
        latitude, longitude = moved(START, north, east)
        return {"latitude": latitude, "longitude": longitude}

    return {
        "title": "Ginkgo & <friends>", "rounds": 1, "minutes": 60, "showsScore": True, "triesCost": 2,
        "border": [at(-300, -300), at(-300, 600), at(600, 600), at(600, -300)],
        "stations": [
            {"id": "ginkgo", "kind": "choice", "title": "Ginkgo", "text": "How old is this tree?", "position": at(0, 0),
             "options": ["50 years", "130 years", "400 years"], "correct": [1], "tries": 3, "points": 10,
             "hints": [{"text": "Older than your teacher", "cost": 3}]},
            {"id": "pond", "kind": "info", "title": "Pond", "text": "Frogs live here.", "position": at(0, 200), "points": 5},
            {"id": "gate", "kind": "choice", "title": "Gate", "text": "Welche Farbe hat das Tor? 门是什么颜色？", "position": at(200, 200),
             "options": ["Grün", "红色"], "correct": [0]},
            {"id": "hut", "kind": "open", "title": "Hut", "text": "What is it for?", "position": at(200, 0)},
            {"id": "owl", "kind": "choice", "title": "Owl", "text": "Where does it sleep?", "position": at(400, 0),
             "options": ["Tree", "Roof"], "correct": [1], "visibleRadius": 60,
             **({"picture": picture} if picture else {})}],
    }


@pytest.mark.parametrize("kind", ["iphone", "gamaray"])
def test_an_old_phone_plays_a_tour(server, teacher, kind):
    _, run, teams = teacher.make_run(tour(), 1, start=False)
    address = f"{server.url.replace('http:', 'gamaray:' if kind == 'gamaray' else 'http:')}/t/{teams[0]['code']}"
    # Far away at first; the position before there is one counts as none.
    client = OldClient(server.url, kind, "UID12345", (45.0, -85.0))
    document = client.load(address)
    assert document["name"] == "Ginkgo & <friends> – Team 1"
    assert not client.walk(moved(START, -100))["features"], "nothing to see before the start"
    assert "The tour has not begun yet." in client.texts()
    teacher.json("POST", f"/api/v1/tour-runs/{run}/command", {"command": "start"})
    document = client.refresh("refreshOnTime")
    assert [feature["visual"][1] for feature in document["features"]] == ["Ginkgo", "Pond", "Gate", "Hut"], "the owl hides"
    assert document["relative"] and document["seconds"] == 15 and document["metres"] == 15
    assert all(feature["action"] is None and feature["location"][2] == 0 for feature in document["features"])
    assert len(document["overlays"]) == 1, "nothing to answer from afar"

    # At the ginkgo: a hint, a wrong answer pressed twice, then the right one.
    client.walk(moved(START, 10, 5))
    assert "How old is this tree?" in client.texts()
    old = client.document
    client.press("hint.ginkgo.0")
    assert "Hint: Older than your teacher" in client.texts()
    client.press("answer.ginkgo.0")
    assert "Not right." in client.texts()
    # The same request once more, as Gamaray does when it heard nothing; and another answer of the old document.
    again = next(overlay for overlay in old["overlays"] if overlay["id"] == "answer.ginkgo.0")
    client.load(again["action"][1])
    client.load(next(o for o in old["overlays"] if o["id"] == "answer.ginkgo.1")["action"][1])
    board = teacher.json("GET", f"/api/v1/tour-runs/{run}")["teams"][0]
    assert board["cells"]["ginkgo"] == {"state": "open", "points": 0, "wrong": 1, "hints": 1}
    client.press("answer.ginkgo.1")
    assert "Right! +5" in client.texts(), client.texts()

    # The pond counts by going there; the owl is seen only from near.
    client.walk(moved(START, 0, 205))
    assert "Frogs live here." in client.texts()
    client.walk(moved(START, 199, 201))
    client.press("answer.gate.0")
    assert client.overlay("answer.gate.0") is None
    client.walk(moved(START, 200, 0))
    assert client.overlay("open.hut")["action"] == ("webpage", f"{server.url}/t/{teams[0]['code']}")
    client.walk(moved(START, 350, 0))
    assert "Owl" in [feature["visual"][1] for feature in client.document["features"]]
    client.walk(moved(START, 398, 0))
    client.press("answer.owl.1")
    assert client.texts()[0].startswith("Team 1 · 30 points · 4/5 · ")

    # Out of the area, and a message.
    client.walk(moved(START, 400, -500))
    assert "You have left the area of the tour. Go back." in client.texts()
    teacher.json("POST", f"/api/v1/tour-runs/{run}/messages", {"text": "Lunch at the pond at 12"})
    client.refresh("refreshOnTime")
    assert "Lunch at the pond at 12" in client.texts()
    teacher.json("POST", f"/api/v1/tour-runs/{run}/command", {"command": "end"})
    client.refresh("refreshOnTime")
    assert "The tour is over." in client.texts() and not client.document["features"]

    # To the row: each press once.
    rows = teacher.json("GET", f"/api/v1/tour-runs/{run}/tables/answers.json")["answers"]
    assert [(row["station"], row["kind"], row["answer"], row["verdict"], row["points"]) for row in rows] == [
        ("ginkgo", "hint", 1, "hinted", 0), ("ginkgo", "choice", "50 years", "wrong", 0),
        ("ginkgo", "choice", "130 years", "right", 5), ("pond", "visit", None, "visited", 5),
        ("gate", "choice", "Grün", "right", 10), ("owl", "choice", "Roof", "right", 10)]
    # The same installation that scans again is the same phone.
    client.load(address)
    joined = [row for row in teacher.json("GET", f"/api/v1/tour-runs/{run}/tables/log.json")["log"] if row["what"] == "joined"]
    assert len(joined) == 1
    assert client.requests >= 15
    client.close()


@pytest.mark.parametrize("kind", ["iphone", "gamaray"])
def test_an_old_phone_is_led_along_the_way(server, teacher, kind):
    plan = tour()
    # From the ginkgo 200 m to the east, where the pond is, round a corner to the gate, and on.
    corners = [moved(START, *at) for at in ((0, 0), (0, 200), (200, 200), (200, 0))]
    plan |= {"way": "drawn", "route": [{"latitude": latitude, "longitude": longitude} for latitude, longitude in corners]}
    _, run, teams = teacher.make_run(plan, 1)
    client = OldClient(server.url, kind, f"WAY{kind}", (45.0, -85.0))
    client.load(f"{server.url.replace('http:', 'gamaray:' if kind == 'gamaray' else 'http:')}/t/{teams[0]['code']}")
    client.walk(moved(START, 8, 50))
    assert "→ Pond · 160 m" in client.texts(), client.texts()
    marks = [feature["location"] for feature in client.document["features"] if feature["visual"][1] == "•"]
    assert len(marks) == 7 and all(height == -1.5 for _, _, height in marks)
    for number, (latitude, longitude, _) in enumerate(marks):
        expected = moved(START, 0, 70 + 20 * number)
        assert abs(latitude - expected[0]) < 2e-5 and abs(longitude - expected[1]) < 2e-5
    # At the pond, which counts by going there, the next is the gate round the corner.
    client.walk(moved(START, 0, 200))
    client.walk(moved(START, 0, 160))
    assert "→ Gate · 240 m" in client.texts(), client.texts()
    marks = [feature["location"] for feature in client.document["features"] if feature["visual"][1] == "•"]
    assert len(marks) in (11, 12)
    # At a station there is nowhere to go but to answer.
    client.walk(moved(START, 200, 200))
    assert not any("→" in text for text in client.texts())
    client.close()


def test_a_link_answers_with_the_document_and_answers_nothing(server, teacher):
    _, run, teams = teacher.make_run(tour(), 1)
    response, data = teacher.raw("GET", f"/t/{teams[0]['code']}.gddf")
    assert response.status == 200 and read_iphone(data) == read_gamaray(data)
    assert not read_iphone(data)["features"] and not read_iphone(data)["overlays"]
    refresh = read_iphone(data)["refresh"]
    response, _ = teacher.raw("GET", refresh.removeprefix(server.url) + "?answer=ginkgo.1.0")
    assert response.status == 200
    assert teacher.json("GET", f"/api/v1/tour-runs/{run}/tables/answers.json")["answers"] == []
    response, _ = teacher.raw("GET", f"/t/{teams[0]['code']}")
    assert response.status == 302 and response.headers["Location"] == f"/#/join/{teams[0]['code']}"


def test_worlds_are_the_same_for_both_clients(server):
    """Stored worlds too are served in the portable profile; only printed markers and pictures are beyond the clients of 2010."""
    worlds = json.loads(server.get("/api/v1/worlds"))["worlds"]
    assert worlds
    for world in worlds:
        places = json.loads(server.get(f"/api/v1/worlds/{world['id']}"))["dimension"]["places"]
        if any(("marker" in place or "target" in place) and "position" not in place for place in places):
            continue
        data = server.get(f"/worlds/{world['id']}.gddf")
        assert read_iphone(data) == read_gamaray(data), world["id"]
