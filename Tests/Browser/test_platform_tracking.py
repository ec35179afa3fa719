"""The phone's own tracking (WebXR) as the source of poses of "Place it here": a faked device with a room, a path, hit tests and anchors. What is set
down has to be drawn where the device's own projection has it, loss and resets are said, and what is not there is not offered."""
import json
import math
import pathlib

import pytest
from support.picture import patches
from support.walls import plain_png

HERE = pathlib.Path(__file__).parent
FAKE = (HERE / "support" / "fake_xr.js").read_text()
# Flat colour that nothing else in the view has.
MAGENTA = (255, 0, 255)


def open_place(new_phone, screen=(390, 780), **setup):
    script = FAKE.replace("SETUP", json.dumps({"supported": True, "anchors": True, "refuse": None, **setup}))
    phone = new_phone(screen=screen, scripts=[script], scale=1)
    # Chromium's software drawing says so of itself.
    phone.expect("GPU stall due to ReadPixels")
    phone.open("/place")
    phone.page.wait_for_selector("#place-page")
    return phone


def begin(phone):
    phone.tap("#gate-platform")
    phone.page.wait_for_selector("#platform-dialog")
    phone.page.wait_for_timeout(300)
    phone.tap("#place-platform-start")
    phone.wait("window.sightline.state().place.isPlatform")


def step(phone, count=1, **pose):
    phone.page.evaluate("([count, pose]) => window.fakeXR.step(count, pose)", [count, pose])
    return phone.state()["place"]


def set_down(phone, x, y):
    """A tap; answers where it hits the room, by the device."""
    count = len(phone.state()["place"]["things"])
    truth = phone.page.evaluate("([x, y]) => window.fakeXR.under(x, y)", [x, y])
    phone.page.touchscreen.tap(x, y)
    for _ in range(20):
        if len(step(phone)["things"]) > count:
            return truth
    raise AssertionError("nothing was set down")


def middle_of(phone, colour):
    """Middle of what is drawn in a colour, pixels of the display; None when there is nothing."""
    [patch] = patches(phone.page, phone.page.screenshot(), [colour], tolerance=60)
    return patch and patch["count"] > 30 and patch["middle"] or None


def in_room(place, number):
    """Where something is by the poses that the page draws with: the camera's in the platform's world, and the thing's in the camera."""
    pose = next(one["pose"] for one in place["observations"] if one["kind"] == "placed" and one["id"] == number)
    (w, x, y, z), t = place["tracked"]["rotation"], pose["translation"]
    u = [2 * (y * t[2] - z * t[1]), 2 * (z * t[0] - x * t[2]), 2 * (x * t[1] - y * t[0])]
    v = [t[0] + w * u[0] + y * u[2] - z * u[1], t[1] + w * u[1] + z * u[0] - x * u[2], t[2] + w * u[2] + x * u[1] - y * u[0]]
    a, b, c = (p + q for p, q in zip(place["tracked"]["position"], v))
    # From z up to the device's y up.
    return a, c, -b


def states(place):
    return [one["state"] for one in place["observations"] if one["kind"] == "placed" and one["id"] > 0]


def test_what_is_set_down_stays_and_a_loss_is_said(new_phone, output, tmp_path):
    phone = open_place(new_phone)
    page = phone.page
    # A picture of one colour: its corners and its middle are told by pixels.
    flat = tmp_path / "flat.png"
    flat.write_bytes(plain_png(64, 64, MAGENTA))
    page.wait_for_selector("#gate-platform")
    page.screenshot(path=output / "platform-gate.png")
    # With the page's own tracking first.
    phone.tap("#place-start")
    phone.wait("window.sightline.state().place.camera === 'running'")
    phone.tap("#place-menu")
    phone.tap("#place-platform")
    page.wait_for_selector("#platform-dialog")
    page.wait_for_timeout(300)
    page.screenshot(path=output / "platform-offer.png")
    phone.tap("#place-platform-start")
    phone.wait("window.sightline.state().place.isPlatform")
    assert phone.state()["place"]["camera"] == "idle", "the platform has the camera for itself"
    options = page.evaluate("window.fakeXR.options")
    assert options["root"] == "BODY" and set(options["requiredFeatures"]) == {"local-floor", "hit-test", "dom-overlay"} and "camera-access" not in options["optionalFeatures"]
    step(phone, 12)
    assert page.locator("#place-shot").is_hidden() and not page.locator("#place-clip:visible").count()
    assert "Floor" in page.locator("#place-scale").inner_text() and "size by the phone" in page.locator("#place-scale").inner_text()
    page.set_input_files("#place-file", flat)
    truth = set_down(phone, 150, 420)
    for _ in range(60):
        if all(one["isLoaded"] for one in step(phone, 2)["shown"] if one["key"] != "ring"):
            break
    page.screenshot(path=output / "platform-set.png")
    errors, pixels = [], []
    # Two metres aside and around it.
    for k in range(25):
        t = k / 24
        place = step(phone, 2, x=2 * t, y=1.5 + 0.2 * math.sin(6 * t), z=-1.2 * t * t, yaw=1.2 * t, pitch=-0.6 + 0.08 * math.sin(9 * t))
        errors.append(math.dist(in_room(place, 1), truth))
        if k % 6 == 0:
            corners = [page.evaluate("(p) => window.fakeXR.onDisplay(p)", [truth[0] + dx, 0, truth[2] + dz])
                       for dx, dz in ((-0.3, -0.3), (0.3, -0.3), (0.3, 0.3), (-0.3, 0.3))]
            seen = middle_of(phone, MAGENTA)
            pixels.append((seen, corners))
    report = {"largest error, metres": max(errors), "pixels": [(seen, centroid(corners)) for seen, corners in pixels]}
    print(report)
    (output / "platform.json").write_text(json.dumps(report, indent=1))
    page.screenshot(path=output / "platform-around.png")
    assert max(errors) < 0.001
    for seen, corners in pixels:
        assert seen and math.dist(seen, centroid(corners)) < 2, report
    # It loses its place: at first the thing is carried on, then nobody knows.
    page.evaluate("window.fakeXR.isEmulated = true")
    assert states(step(phone, 2)) == ["carried"]
    assert "does not know where it is" in page.locator("#place-status").inner_text()
    page.evaluate("Object.assign(window.fakeXR, { isEmulated: false, isLost: true })")
    step(phone, 3)
    assert "does not know where it is" in page.locator("#place-status").inner_text()
    page.screenshot(path=output / "platform-lost.png")
    page.wait_for_timeout(600)
    step(phone, 3)
    assert middle_of(phone, MAGENTA) is None, "what is lost is not drawn"
    assert phone.state()["place"]["lost"] == 1 and page.locator("#place-take-away").is_visible()
    page.evaluate("window.fakeXR.isLost = false")
    assert states(step(phone, 3)) == ["tracked"] and math.dist(in_room(phone.state()["place"], 1), truth) < 0.001
    # Its world is another from now on: the anchor keeps the thing where it stands in the room.
    page.evaluate("window.fakeXR.reset([0.7, 0, -0.4])")
    place = step(phone, 3)
    assert states(place) == ["tracked"] and math.dist([a - b for a, b in zip(in_room(place, 1), (0.7, 0, -0.4))], truth) < 0.001
    assert phone.state()["place"]["lost"] == 0 and not page.locator("#place-take-away").count()
    # What is not found again can be taken away: of the places for things none is lost.
    page.evaluate("window.fakeXR.isLost = true")
    step(phone, 3)
    page.wait_for_timeout(600)
    assert states(step(phone, 3))[:1] != ["tracked"]
    phone.tap("#place-take-away")
    assert phone.state()["place"]["things"] == [] and phone.state()["place"]["lost"] == 0
    page.evaluate("window.fakeXR.isLost = false")
    step(phone, 3)
    # The back button: the page's own tracking goes on, with nothing set down.
    page.evaluate("window.fakeXR.session.end()")
    phone.wait("window.sightline.state().place.camera === 'running'")
    assert phone.state()["place"]["things"] == [] and "has ended" in page.locator("#toasts").inner_text()
    assert page.locator("#place-shot").is_visible()


def centroid(corners):
    """Of the area of a quadrilateral."""
    area, cx, cy = 0, 0, 0
    for (x0, y0), (x1, y1) in zip(corners, corners[1:] + corners[:1]):
        cross = x0 * y1 - x1 * y0
        area, cx, cy = area + cross, cx + (x0 + x1) * cross, cy + (y0 + y1) * cross
    return cx / (3 * area), cy / (3 * area)


def test_without_anchors_a_reset_is_said_and_fingers_move_things(new_phone, output):
    phone = open_place(new_phone, screen=(320, 568), anchors=False, locale="de-DE")
    begin(phone)
    page = phone.page
    step(phone, 12)
    page.screenshot(path=output / "platform-small.png")
    truth = set_down(phone, 160, 250)
    step(phone, 3)
    # A finger drags it half a metre along the floor.
    x, y = page.evaluate("(p) => window.fakeXR.onDisplay(p)", truth)
    cdp = phone.cdp
    cdp.send("Input.dispatchTouchEvent", {"type": "touchStart", "touchPoints": [{"x": x, "y": y - 6}]})
    page.wait_for_timeout(60)
    for k in range(1, 6):
        cdp.send("Input.dispatchTouchEvent", {"type": "touchMove", "touchPoints": [{"x": x + 8 * k, "y": y - 6 + 4 * k}]})
        step(phone, 4)
    cdp.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})
    place = step(phone, 4)
    wanted = page.evaluate("([x, y]) => window.fakeXR.under(x, y)", [x + 40, y + 20])
    assert math.dist(in_room(place, 1), wanted) < 0.02, (in_room(place, 1), wanted)
    page.evaluate("window.fakeXR.reset([1, 0, 1])")
    assert step(phone, 2)["things"] == []
    assert page.locator('#toasts [data-key="place"]').count() == 1
    # From the menu, which lies over the camera too.
    phone.tap("#place-menu")
    page.wait_for_selector("#place-platform-end")
    page.wait_for_timeout(300)
    page.screenshot(path=output / "platform-end.png")
    phone.tap("#place-platform-end")
    page.wait_for_selector("#place-start")
    assert page.evaluate("window.fakeXR.session.isOver") and not phone.state()["place"]["isPlatform"]


@pytest.mark.parametrize("setup", [{"supported": False}, {"refuse": "NotAllowedError"}])
def test_what_is_not_there_is_not_offered_and_a_refusal_is_said(new_phone, setup):
    phone = open_place(new_phone, **setup)
    page = phone.page
    if setup.get("supported", True):
        phone.tap("#gate-platform")
        page.wait_for_timeout(300)
        phone.tap("#place-platform-start")
        page.wait_for_selector('#toasts [data-key="platform"]')
        assert "not allowed" in page.locator("#toasts").inner_text()
    # The page's own way is as it was.
    phone.tap("#place-start")
    phone.wait("window.sightline.state().place.camera === 'running'")
    assert not page.locator("#gate-platform").count()
    phone.tap("#place-menu")
    page.wait_for_selector("#menu-sensors")
    assert page.locator("#place-platform").count() == int(setup.get("supported", True))
