"""From a set position to a departure board in Swedish: the page, the real server, and a real feed whose clock is set into
its validity."""
import json
import re
import urllib.request

import pytest

from support.phone import SPARING, Phone
from support.sightline import ROOT, Sightline

FEED = ROOT.parent / "shared" / "data" / "transit" / "helsinki-2022" / "gtfs.zip"
DEMONSTRATION = ROOT / "Fixtures" / "transit" / "demonstration.json"
CLOCK = "2022-02-22T08:00:00+02:00"
#: Before the main railway station in Helsinki.
STATION = (60.17045, 24.94095, 10.0)


@pytest.fixture(scope="module")
def helsinki(foreign, tmp_path_factory):
    """A server with the demonstration's timetable, or with the feed beside the repository."""
    if DEMONSTRATION.exists():
        more = ["--transit", DEMONSTRATION]
    elif FEED.exists():
        more = ["--transit", FEED, "--transit-clock", CLOCK]
    else:
        pytest.skip("there is no feed here")
    server = Sightline(tmp_path_factory.mktemp("transit"), foreign.port, more=more).start()
    yield server
    server.stop()


def ask(server, name, question):
    request = urllib.request.Request(f"{server.url}/api/v1/transit/{name}", json.dumps(question).encode(),
                                     {"content-type": "application/json"})
    with urllib.request.urlopen(request, timeout=20) as answer:
        return json.load(answer)


def test_from_a_position_to_a_board_in_swedish(browser, helsinki, output):
    phone = Phone(browser, helsinki, **SPARING, position=STATION, locale="sv-SE")
    phone.expect("GPU stall due to ReadPixels")
    try:
        phone.open("")
        phone.page.wait_for_selector("#start-transit")
        assert "Avgångar" in phone.page.locator("#start-transit").text_content()
        phone.tap("#start-transit")
        phone.point(15, -15)
        phone.page.wait_for_selector("#start-ar")
        phone.tap("#start-ar")
        phone.wait_ready()
        assert re.match(r"\d+ hållplatser", phone.page.locator("#transit-note").text_content())
        stops = phone.state()["transit"]["stops"]
        nearest = ask(helsinki, "stops", {"latitude": STATION[0], "longitude": STATION[1], "limit": 40, "language": "sv"})
        assert stops == [stop["id"] for stop in nearest["stops"]]
        # The nearest stop from which something leaves.
        boards = ask(helsinki, "departures", {"stops": stops[:20], "limit": 40, "language": "sv"})
        board = next(stop for stop in boards["stops"] if stop["forecast"] and len(stop["forecast"]["departures"]) > 3)
        phone.page.evaluate("(id) => document.querySelector(`.stop-label[data-stop='${id}']`).click()", board["id"])
        assert phone.page.locator("#stop-name").text_content().startswith(board["name"])
        assert re.search(r"\d+ m", phone.page.locator("#transit-sheet .stop-facts").text_content())
        # By the map that the server has of its own.
        phone.page.wait_for_selector("#walk summary")
        assert re.search(r"\d+ m · Till fots, \d+ min", phone.page.locator("#walk summary").text_content())
        phone.tap("#open-board")
        phone.page.wait_for_selector("#departures li")
        first = board["forecast"]["departures"][0]
        row = phone.page.locator("#departures > li").filter(has_text=first["headsign"]).first
        assert row.locator(".line-badge").text_content() == first["line"]
        times = phone.page.locator("#departures .departure-facts").all_inner_texts()
        assert any((first["expected"] or first["scheduled"])[11:16] in text for text in times)
        # Made-up traffic comes the way of any other.
        assert re.match(r"(Live|Realtid|I realtid)[^·]* · GTFS Realtime" if DEMONSTRATION.exists() else "Enligt tidtabell · GTFS",
                        phone.page.locator("#board-source").text_content())
        due = phone.page.locator("#departures .due").all_inner_texts()
        assert all(re.fullmatch(r"\s*(Nu|\d+ min|(ca )?\d+ min|\d\d:\d\d|var .*|–)", text.replace("\u00a0", " ")) for text in due), due
        assert "HSL" in phone.page.locator(".board .credits").text_content()
        phone.wait("window.sightline.state().transit.stream === 'live'")
        phone.page.screenshot(path=output / "transit-board-sv.png")
        phone.check()
    finally:
        phone.close()


def test_lines_of_the_feed_lie_on_the_ground(browser, helsinki, output):
    phone = Phone(browser, helsinki, **SPARING, position=STATION, locale="sv-SE")
    phone.expect("GPU stall due to ReadPixels")
    try:
        phone.open(f"/transit?virtual=1&lat={STATION[0]}&lon={STATION[1]}&heading=20&pitch=-25")
        phone.wait_ready()
        lines = ask(helsinki, "shapes", {"latitude": STATION[0], "longitude": STATION[1], "radius": 2000})["lines"]
        assert len(lines) > 5 and all(line["paths"] for line in lines)
        if DEMONSTRATION.exists():
            streets = ask(helsinki, "streets", {"latitude": STATION[0], "longitude": STATION[1], "radius": 500})
            assert len(streets["paths"]) > 50
            # On the own map they are drawn already.
            phone.wait("window.sightline.state().transit.tiles > 0")
        phone.page.screenshot(path=output / "transit-view-sv.png")
        phone.check()
    finally:
        phone.close()


def test_a_stop_far_away_is_found_by_its_name(browser, helsinki):
    phone = Phone(browser, helsinki, **SPARING, position=STATION, locale="sv-SE")
    phone.expect("GPU stall due to ReadPixels")
    try:
        phone.open(f"/transit?virtual=1&lat={STATION[0]}&lon={STATION[1]}&view=list")
        phone.wait_ready()
        near = {stop["id"] for stop in ask(helsinki, "stops", {"latitude": STATION[0], "longitude": STATION[1], "limit": 40})["stops"]}
        # A stop that is not among those the list shows, by the beginning of its name in small letters without accents.
        far = ask(helsinki, "stops", {"latitude": 60.21, "longitude": 24.9, "limit": 1})["stops"][0]
        assert far["id"] not in near
        phone.page.locator("#transit-search").fill(far["name"].lower())
        row = phone.page.locator(".transit-results [data-found=stops] .stop-row").first
        row.wait_for()
        assert row.locator(".stop-row-name").text_content() == far["name"]
        row.tap()
        phone.page.wait_for_selector("#board-source:not(:empty)")
        assert phone.page.locator("#stop-name").text_content().startswith(far["name"])
        phone.check()
    finally:
        phone.close()
