"""Foreign worlds that change: refreshed by time, by distance, by a press and by hand; what goes wrong on the way."""
import re
import time

import pytest
from support import foreign as make, geoid
from support.foreign import Answer
from support.phone import wait_until
from support.worlds import EYE, ring, towards

# A browser reports every failed request of its page on the console by itself.
FAILED_LOAD = "Failed to load resource"


def rounds(foreign, path, **options):
    """A world that is called Round 1, Round 2, … as often as it is asked for."""
    def answer(request):
        number = len(foreign.asked(path))
        return ring(name=f"Round {number}", refresh=foreign.address(path), **options)
    return foreign.serve(path, answer)


def begin(phone, address):
    phone.open_foreign(address)
    phone.point(30.0, 5.0)
    phone.start()


def test_the_first_request_has_every_field(phone, foreign):
    address = rounds(foreign, "/fields.gddf")
    before = time.time()
    begin(phone, address)
    [request] = foreign.asked("/fields.gddf")
    fields = request.fields
    assert request.method == "POST"
    assert request.headers["content-type"].startswith("application/x-www-form-urlencoded")
    assert fields["event"] == "init" and fields["eventSrc"] == "NULL"
    assert float(fields["lat"]) == pytest.approx(EYE[0], abs=1e-6)
    assert float(fields["lon"]) == pytest.approx(EYE[1], abs=1e-6)
    # Over the sea, or as the phone has it where the geoid is still on its way.
    ellipsoidal = EYE[2] + geoid.height(EYE[0], EYE[1])
    assert any(float(fields["alt"]) == pytest.approx(alt, abs=0.4) for alt in (EYE[2], ellipsoidal))
    assert float(fields["bearing"]) == pytest.approx(30.0 + phone.declination, abs=0.1)
    assert float(fields["pitch"]) == pytest.approx(5.0, abs=0.1)
    assert float(fields["roll"]) == pytest.approx(0.0, abs=0.1)
    assert (int(fields["width"]), int(fields["height"])) == phone.screen
    assert re.fullmatch(r"\d{13}", fields["time"]) and before - 5 < int(fields["time"]) / 1000 < time.time() + 5
    assert fields["uid"]
    assert not any("e" in fields[name].lower() for name in ("lat", "lon", "alt", "bearing", "pitch", "roll"))


def test_by_time(phone, foreign):
    begin(phone, rounds(foreign, "/time.gddf", every_ms=1200))
    phone.wait_world("Round 3")
    events = [request.fields["event"] for request in foreign.asked("/time.gddf")]
    assert events[0] == "init" and set(events[1:]) == {"refreshOnTime"}


def test_by_distance(phone, foreign):
    begin(phone, rounds(foreign, "/distance.gddf", within=50))
    phone.wait_world("Round 1")
    phone.move(towards(EYE, 90, 30))
    time.sleep(1.0)
    assert len(foreign.asked("/distance.gddf")) == 1, "30 m are less than 50 m"
    phone.move(towards(EYE, 90, 60))
    phone.wait_world("Round 2")
    request = foreign.asked("/distance.gddf")[-1]
    assert request.fields["event"] == "refreshOnDistance"
    there = towards(EYE, 90, 60)
    assert float(request.fields["lon"]) == pytest.approx(there[1], abs=1e-6)


def test_by_a_press_on_an_overlay(phone, foreign):
    overlays = [make.overlay("answer-b", "Answer B", 20, 120, press="refresh")]
    begin(phone, rounds(foreign, "/press.gddf", overlays=overlays))
    phone.wait_world("Round 1")
    phone.tap('[data-overlay="0"]')
    phone.wait_world("Round 2")
    request = foreign.asked("/press.gddf")[-1]
    assert (request.fields["event"], request.fields["eventSrc"]) == ("refreshOnPress", "answer-b")


def test_by_hand(phone, foreign):
    begin(phone, rounds(foreign, "/hand.gddf"))
    phone.wait_world("Round 1")
    phone.tap("#menu")
    assert phone.page.locator("#menu-world-name").inner_text() == "Round 1"
    phone.tap("#menu-refresh")
    phone.wait_world("Round 2")
    assert foreign.asked("/hand.gddf")[-1].fields["event"] == "init"


def test_what_changed_is_drawn(phone, foreign):
    """The new document's places replace the old ones; what stayed keeps its place."""
    def answer(request):
        first = len(foreign.asked("/change.gddf")) == 1
        ahead = 30.0 + phone.declination
        features = [make.place("stays", "Stays", *towards(EYE, ahead + 4, 300)),
                    make.place("old", "Old", *towards(EYE, ahead - 6, 300)) if first
                    else make.place("new", "New", *towards(EYE, ahead - 6, 300, 40))]
        return make.gddf("First" if first else "Second", features, refresh=foreign.address("/change.gddf"))
    begin(phone, foreign.serve("/change.gddf", answer))
    phone.wait_label("old")
    phone.settle()
    before = phone.labels()["stays"]["anchor"]
    phone.tap("#menu")
    phone.tap("#menu-refresh")
    phone.wait_label("new")
    phone.settle()
    after = phone.labels()
    assert set(after) == {"stays", "new"}
    assert after["stays"]["anchor"] == pytest.approx(before, abs=0.5)


def test_a_failed_refresh_keeps_the_world_and_stops(phone, foreign):
    phone.expect(FAILED_LOAD)
    broken = {"now": False}

    def answer(request):
        if broken["now"]:
            return Answer("out of order", 500)
        return ring(name="Good", refresh=foreign.address("/fails.gddf"), every_ms=1200)

    begin(phone, foreign.serve("/fails.gddf", answer))
    phone.wait_world("Good")
    broken["now"] = True
    phone.page.wait_for_selector("#toasts .toast")
    phone.page.wait_for_selector('#status-content[data-quality="poor"][data-reason="outdated"]')
    assert phone.page.locator(".label").count() > 0
    count = len(foreign.asked("/fails.gddf"))
    time.sleep(3.0)
    assert len(foreign.asked("/fails.gddf")) == count, "automatic refreshing is off after a failure"
    broken["now"] = False
    phone.tap("#toasts .toast-action")
    phone.page.wait_for_selector('#status-content[data-quality="good"]', state="attached")
    wait_until(lambda: len(foreign.asked("/fails.gddf")) >= count + 2, "automatic refreshing is on again")


@pytest.mark.parametrize("kind", ["status", "not-xml", "no-dimension", "unreachable", "entity"])
def test_a_world_that_cannot_be_loaded(phone, foreign, kind):
    phone.expect(FAILED_LOAD)
    bodies = {"status": Answer("gone", 410), "not-xml": "<dimension><features>", "no-dimension": "<html></html>",
              "entity": '<!DOCTYPE x [<!ENTITY a "b">]><dimension version="1.0"/>'}
    if kind == "unreachable":
        address = f"http://127.0.0.1:1/{kind}.gddf"
    else:
        address = foreign.serve(f"/bad-{kind}.gddf", bodies[kind])
    phone.open_foreign(address)
    phone.point(30.0)
    phone.tap("#start-ar")
    phone.wait("window.sightline.state().failure")
    message = phone.page.locator("#toasts .toast-text, .gate-message:visible").first.inner_text()
    assert len(message) > 20, message
    assert phone.page.evaluate("document.querySelector('#status-content').dataset.quality") == "none"
    if kind != "unreachable":
        foreign.serve(f"/bad-{kind}.gddf", ring(name="Mended"))
        phone.page.locator("#toasts .toast-action, .gate-box button:visible", has_text="Try again").first.tap()
        phone.wait_world("Mended")


def test_405_is_asked_again_with_get(phone, foreign):
    def answer(request):
        return Answer("", 405) if request.method == "POST" else ring(name="Static")
    begin(phone, foreign.serve("/static.gddf", answer))
    phone.wait_world("Static")
    assert [request.method for request in foreign.asked("/static.gddf")] == ["POST", "GET"]
    assert foreign.asked("/static.gddf")[1].fields == {}


@pytest.mark.parametrize("status, method", [(302, "GET"), (303, "GET"), (307, "POST"), (308, "POST")])
def test_redirects(phone, foreign, status, method):
    target = foreign.serve(f"/target-{status}.gddf", ring(name="Elsewhere"))
    address = foreign.serve(f"/redirect-{status}.gddf", Answer("", status, {"location": target}))
    begin(phone, address)
    phone.wait_world("Elsewhere")
    [request] = foreign.asked(f"/target-{status}.gddf")
    assert request.method == method
    assert (request.fields.get("event") == "init") == (method == "POST")


def test_endless_redirects_end(phone, foreign):
    phone.expect(FAILED_LOAD)
    address = foreign.address("/endless.gddf")
    foreign.serve("/endless.gddf", Answer("", 302, {"location": address}))
    phone.open_foreign(address)
    phone.point(0)
    phone.tap("#start-ar")
    phone.wait("window.sightline.state().failure")
    assert len(foreign.asked("/endless.gddf")) <= 7


def test_gamaray_addresses(phone, foreign):
    address = foreign.serve("/scheme.gddf", ring(name="Scheme"))
    begin(phone, address.replace("http:", "gamaray:"))
    phone.wait_world("Scheme")


def test_the_last_world_is_remembered(phone, foreign):
    begin(phone, rounds(foreign, "/remembered.gddf"))
    phone.wait_world("Round 1")
    phone.tap("#back")
    phone.page.wait_for_selector('html[data-view="start"]')
    last = phone.page.locator("#start a.last")
    assert "Round 1" in last.inner_text()
    phone.page.reload()
    phone.page.evaluate("window.sightline.ready")
    phone.page.locator("#start a.last").tap()
    phone.page.wait_for_selector("#start-ar:visible")
    assert "remembered.gddf" in phone.page.url
