"""Every permission refused in turn: the page says what is missing and how to mend it, and goes on without."""
import time

import pytest
from support.foreign import gddf, place
from support.phone import ALL_PERMISSIONS
from support.sightline import Sightline
from support.worlds import EYE, ring, towards

pytestmark = pytest.mark.whole_browser
MOTION = ("accelerometer", "gyroscope", "magnetometer")
REFUSED = {
    "camera": ("camera",),
    "location": ("geolocation",),
    "orientation": MOTION,
}


def check(phone, name):
    return phone.page.locator(f'#readiness [data-check="{name}"]')


def wait_state(phone, name, state):
    phone.page.wait_for_selector(f'#readiness [data-check="{name}"][data-state="{state}"]')


def begin(new_phone, foreign, refused, **options):
    """A phone whose user refuses these, after the tap. The browser's own fake camera, so that refusing is real."""
    permissions = [name for name in ALL_PERMISSIONS if name not in refused]
    phone = new_phone(permissions=permissions, picture=None, **options)
    phone.open_foreign(foreign.serve("/permissions.gddf", ring(name="Permissions")))
    phone.point(0)
    phone.tap("#start-ar")
    return phone


def test_before_the_tap_nothing_was_asked(new_phone, foreign):
    phone = new_phone(scripts=["""
      window.asked = [];
      const spy = (owner, name) => {
        const real = owner[name].bind(owner);
        owner[name] = (...all) => { window.asked.push(name); return real(...all); };
      };
      spy(navigator.mediaDevices, 'getUserMedia');
      spy(navigator.geolocation, 'watchPosition');
      for (const type of [DeviceMotionEvent, DeviceOrientationEvent]) if (type.requestPermission) spy(type, 'requestPermission');
    """])
    phone.open_foreign(foreign.serve("/permissions.gddf", ring(name="Permissions")))
    phone.page.wait_for_selector("#start-ar:visible")
    assert phone.page.evaluate("window.asked") == []
    for name in ("camera", "location", "orientation"):
        assert check(phone, name).get_attribute("data-state") == "waiting"
    assert check(phone, "secure").get_attribute("data-state") == "ok"
    phone.point(0)
    phone.start()
    assert "getUserMedia" in phone.page.evaluate("window.asked")


@pytest.mark.parametrize("name", list(REFUSED))
def test_one_refused(new_phone, foreign, name):
    phone = begin(new_phone, foreign, REFUSED[name])
    wait_state(phone, name, "denied")
    for other in REFUSED:
        if other != name:
            wait_state(phone, other, "ok")
    text = check(phone, name).inner_text()
    assert len(text) > 40, f"no word on how to mend it: {text!r}"
    # Going on without it leads to the same places.
    check(phone, name).get_by_role("button").tap()
    phone.wait_ready()
    phone.page.wait_for_selector(".label, .cluster, .edge-arrow")
    assert phone.view() == "ar"
    sources = phone.state()["sources"]
    assert sources["picture"] == ("drawn" if name == "camera" else "camera")
    assert sources["direction"] == ("hand" if name == "orientation" else "sensor")
    assert sources["position"] == ("chosen" if name == "location" else "sensor")


def test_all_refused_still_has_map_and_list(new_phone, foreign):
    phone = begin(new_phone, foreign, ALL_PERMISSIONS)
    for name in REFUSED:
        wait_state(phone, name, "denied")
    phone.page.locator("#gate").get_by_role("button", name="list").tap()
    phone.page.wait_for_selector("#list .row", timeout=30000)
    assert phone.page.locator("#list .row").count() == 8
    phone.tap("#view-map")
    phone.page.wait_for_selector("#map .map-pin", state="attached")
    assert phone.view() == "map"
    assert phone.page.locator("#map .map-pin").count() == 8


def test_all_refused_still_has_the_virtual_phone(new_phone, foreign):
    phone = begin(new_phone, foreign, ALL_PERMISSIONS)
    wait_state(phone, "camera", "denied")
    phone.tap("#start-virtual")
    phone.wait_ready()
    phone.page.wait_for_selector(".label, .cluster")
    assert phone.page.locator("#backdrop").is_visible()


def test_allowed_later(new_phone, foreign):
    """Refused, then allowed in the settings: asking again is enough."""
    phone = begin(new_phone, foreign, ("camera",))
    wait_state(phone, "camera", "denied")
    phone.context.grant_permissions(list(ALL_PERMISSIONS))
    phone.tap("#start-ar")
    phone.wait_ready()
    assert phone.state()["sources"]["picture"] == "camera"


def test_no_sensors_at_all(new_phone, foreign):
    """A computer: nobody refuses, there is just nothing."""
    phone = new_phone(sensors=False, mobile=False, screen=(1000, 700), picture=None)
    phone.open_foreign(foreign.serve("/permissions.gddf", ring(name="Permissions")))
    phone.page.locator("#start-ar").click()
    wait_state(phone, "orientation", "missing")
    check(phone, "orientation").get_by_role("button").click()
    phone.wait_ready()
    assert phone.state()["sources"]["direction"] == "hand"


def test_no_camera_at_all(new_phone, foreign):
    phone = new_phone(picture=None, scripts=["""
      navigator.mediaDevices.getUserMedia = async () => { throw new DOMException('none', 'NotFoundError'); };
    """])
    phone.open_foreign(foreign.serve("/permissions.gddf", ring(name="Permissions")))
    phone.point(0)
    phone.tap("#start-ar")
    wait_state(phone, "camera", "missing")
    check(phone, "camera").get_by_role("button").tap()
    phone.wait_ready()
    assert phone.page.locator("#backdrop").is_visible()


def test_the_browsers_own_camera(new_phone, foreign):
    """The whole way from the browser's camera to the picture behind the labels."""
    phone = begin(new_phone, foreign, ())
    phone.wait_ready()
    phone.wait("document.querySelector('#camera').videoWidth > 0 && !document.querySelector('#camera').paused")
    assert phone.page.locator("#camera").is_visible()


def test_camera_taken_away(new_phone, foreign):
    """A call comes in and takes the camera: the page asks for a tap to go on."""
    phone = new_phone()
    phone.open_foreign(foreign.serve("/permissions.gddf", ring(name="Permissions")))
    phone.point(0)
    phone.start()
    phone.page.evaluate("window.fakeCamera.track.dispatchEvent(new Event('ended'))")
    phone.page.wait_for_selector("#pause:visible")
    phone.tap("#resume-camera")
    phone.page.wait_for_selector("#pause", state="hidden")


def test_insecure_page_says_so(browser, server, new_phone, foreign):
    """Over plain HTTP from another machine a browser gives no sensors. The name stands for this machine (conftest.py)."""
    insecure = Sightline(server.folder, foreign.port)
    insecure.url = server.url.replace("127.0.0.1", "phone.example")
    phone = new_phone(on=insecure, picture=None, permissions=(), sensors=False)
    phone.expect("Cross-Origin-Opener-Policy header has been ignored")
    phone.open_foreign(foreign.serve("/permissions.gddf", ring(name="Permissions")))
    assert phone.page.evaluate("isSecureContext") is False
    wait_state(phone, "secure", "missing")
    assert "https" in check(phone, "secure").inner_text().lower()
    phone.page.locator("#gate").get_by_role("button", name="list").tap()
    phone.page.wait_for_selector("#list .row", timeout=30000)


def test_status_lights_tell_why(new_phone, foreign):
    phone = new_phone(accuracy=5.0)
    phone.open_foreign(foreign.serve("/lights.gddf", gddf("Lights", [place("t", "There", *towards(EYE, 0, 300))])))
    phone.point(0)
    phone.start()
    light = phone.page.locator
    phone.page.wait_for_selector('#status-location[data-quality="good"]', state="attached")
    phone.page.wait_for_selector('#status-heading[data-quality="good"]', state="attached")
    phone.page.wait_for_selector('#status-content[data-quality="good"]', state="attached")
    # So bad so soon would be an outlier, and ignored; after a few seconds it is believed.
    time.sleep(2.5)
    phone.move(EYE, accuracy=400.0)
    phone.page.wait_for_selector('#status-location[data-quality="poor"][data-reason="inaccurate"]')
    assert "inaccurate" in light("#status-location").get_attribute("aria-label")
