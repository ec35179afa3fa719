"""What only an iPhone does: relative orientation with a compass heading beside it, and permission by request in the tap.

Its events are dispatched by hand, as no desktop browser sends them; tried on no device.
"""
import math

import pytest
from support import geometry
from support.foreign import gddf, place
from support.phone import wait_until
from support.worlds import EYE, ring, towards

# The functions of iOS, in order of their calls, and a switch for their answer.
IOS = """
window.asked = [];
window.motionAnswer = 'granted';
for (const [type, name] of [[DeviceMotionEvent, 'motion'], [DeviceOrientationEvent, 'orientation']]) {
  type.requestPermission = async () => { window.asked.push(name); return window.motionAnswer; };
}
const getUserMedia = navigator.mediaDevices.getUserMedia.bind(navigator.mediaDevices);
navigator.mediaDevices.getUserMedia = (...all) => { window.asked.push('camera'); return getUserMedia(...all); };
const watchPosition = navigator.geolocation.watchPosition.bind(navigator.geolocation);
navigator.geolocation.watchPosition = (...all) => { window.asked.push('location'); return watchPosition(...all); };
addEventListener('deviceorientationabsolute', (event) => event.stopImmediatePropagation(), true);
window.turnTo = (alpha, beta, gamma, heading, accuracy) => {
  const event = new DeviceOrientationEvent('deviceorientation', { alpha, beta, gamma, absolute: false });
  Object.defineProperty(event, 'webkitCompassHeading', { value: heading });
  Object.defineProperty(event, 'webkitCompassAccuracy', { value: accuracy });
  dispatchEvent(event);
};
"""


@pytest.fixture
def iphone(new_phone):
    return new_phone(sensors=False, scripts=[IOS])


def turn(iphone, magnetic_heading, pitch, zero, accuracy=10.0):
    """An upright iPhone: its own α starts anywhere (`zero`), the compass tells the direction of the top edge's ground
    track, or of the camera when upright."""
    axes = geometry.held(magnetic_heading, pitch)
    alpha, beta, gamma = geometry.browser_angles(geometry.turned(axes, -zero))
    iphone.page.evaluate("(all) => window.turnTo(...all)", [alpha, beta, gamma, magnetic_heading % 360, accuracy])
    return geometry.turned(axes, iphone.declination)


def begin(iphone, foreign, document, path):
    iphone.open_foreign(foreign.serve(path, document))
    iphone.tap("#start-ar")


def test_everything_is_asked_for_in_the_tap_sensors_first(iphone, foreign):
    begin(iphone, foreign, ring(name="Asked"), "/ios-asked.gddf")
    wait_until(lambda: len(iphone.page.evaluate("window.asked")) >= 4, "all four are asked")
    asked = iphone.page.evaluate("window.asked")
    assert set(asked[:2]) == {"motion", "orientation"} and asked.index("camera") < asked.index("location")
    assert asked.count("camera") == 1


def test_a_refusal_is_explained(new_phone, foreign):
    iphone = new_phone(sensors=False, scripts=[IOS, "window.motionAnswer = 'denied';"])
    begin(iphone, foreign, ring(name="Refused"), "/ios-refused.gddf")
    row = iphone.page.locator('#readiness [data-check="orientation"][data-state="denied"]')
    row.wait_for()
    assert "Safari" in row.inner_text()


@pytest.mark.parametrize("zero", [0.0, 130.0, -75.0])
def test_the_compass_turns_an_arbitrary_zero_to_north(iphone, foreign, zero):
    """Tilted back a little, where the compass tells something, the places settle where they are."""
    heading, pitch = 40.0, -35.0
    target = towards(EYE, heading + iphone.declination + 2, 200, -110)
    begin(iphone, foreign, gddf("Compass", [place("t", "Target", *target)]), "/ios-compass.gddf")
    axes = turn(iphone, heading, pitch, zero)
    iphone.wait_ready()
    expected = iphone.expected_point(axes, target)

    def near():
        turn(iphone, heading, pitch, zero)
        label = iphone.labels().get("t")
        return label is not None and math.dist(label["anchor"], expected) < 25
    wait_until(near, f"the place comes to {expected}", 20)


def test_an_invalid_compass_is_not_believed(iphone, foreign):
    begin(iphone, foreign, ring(name="No north"), "/ios-invalid.gddf")
    turn(iphone, 40.0, -30.0, 0.0, accuracy=-1)
    iphone.wait_ready()
    for _ in range(10):
        turn(iphone, 40.0, -30.0, 0.0, accuracy=-1)
        iphone.page.wait_for_timeout(50)
    iphone.page.wait_for_selector('#status-heading[data-quality="poor"][data-reason="noNorth"]')


def heading_of_the_top_edge(axes):
    """Degrees clockwise from the axes' north: what an iPhone's compass tells, of an upright phone next to nothing."""
    east, north, _ = axes[1]
    return math.degrees(math.atan2(east, north))


def hold_for(iphone, seconds, heading, pitch, zero):
    for step in range(int(seconds * 20)):
        axes = geometry.held(heading, pitch + 0.6 * math.sin(step * 0.7))
        alpha, beta, gamma = geometry.browser_angles(geometry.turned(axes, -zero))
        iphone.page.evaluate("(all) => window.turnTo(...all)",
                             [alpha, beta, gamma, heading_of_the_top_edge(axes) % 360, 10.0])
        iphone.page.wait_for_timeout(50)


@pytest.mark.parametrize("zero", [65.0, -140.0])
def test_started_upright_and_never_tilted(iphone, foreign, output, zero):
    """Held as people hold it from the first moment on, the camera a little below the horizon: north is found, but the
    light is not green before the phone was flat for a moment."""
    heading = 40.0
    target = towards(EYE, heading + iphone.declination + 2, 200, -15)
    begin(iphone, foreign, gddf("Upright", [place("t", "Target", *target)]), f"/ios-upright-{zero:.0f}.gddf")
    hold_for(iphone, 0.5, heading, -5.0, zero)
    iphone.wait_ready()
    hold_for(iphone, 4, heading, -5.0, zero)
    expected = iphone.expected_point(geometry.turned(geometry.held(heading, -5.0), iphone.declination), target)
    label = iphone.labels()["t"]
    assert math.dist(label["anchor"], expected) < 60, (label, expected)
    iphone.page.wait_for_selector('#status-heading[data-quality="poor"][data-reason="uncertain"]')
    iphone.page.screenshot(path=output / "ios-upright.png")
    note = iphone.page.locator("#status-heading").get_attribute("aria-label")
    assert "flat" in note and "within" in note, note
    # Flat for a moment: now the direction is good, and stays so upright.
    hold_for(iphone, 3, heading, -50.0, zero)
    hold_for(iphone, 1, heading, 0.0, zero)
    iphone.page.wait_for_selector('#status-heading[data-quality="good"]', state="attached")


def test_looking_up_all_the_time_north_is_not_claimed(iphone, foreign):
    begin(iphone, foreign, ring(name="Up"), "/ios-up.gddf")
    hold_for(iphone, 0.5, 40.0, 10.0, 65.0)
    iphone.wait_ready()
    hold_for(iphone, 3, 40.0, 10.0, 65.0)
    iphone.page.wait_for_selector('#status-heading[data-quality="poor"][data-reason="noNorth"]')


def test_a_browser_that_knows_no_north(iphone, foreign):
    """Readings of an arbitrary zero alone: used after a moment, and said to be turned anyhow."""
    begin(iphone, foreign, ring(name="Arbitrary"), "/arbitrary.gddf")
    iphone.page.evaluate("""dispatchEvent(new DeviceOrientationEvent('deviceorientation',
      { alpha: 50, beta: 90, gamma: 0, absolute: false }))""")
    iphone.wait_ready()
    iphone.page.wait_for_selector('#status-heading[data-quality="poor"][data-reason="noNorth"]')
