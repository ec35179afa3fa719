"""What the sensors of both platforms say, in their own conventions, from the event to the place on the screen.

Android: `devicemotion` with the specification's signs in steps of a tenth, `deviceorientation` from an arbitrary zero and
`deviceorientationabsolute` from magnetic north. iPhone: accelerations of the opposite sign, `deviceorientation` from an
arbitrary zero with `webkitCompassHeading`. All events belong to one movement, so the engine can use each for what it is
best at. Dispatched by hand; tried on no device.
"""
import math

import pytest
from support.foreign import gddf, place
from support.moving import PITCH, axes_at, hold, new, wait_drawn
from support.phone import wait_until
from support.worlds import EYE, towards

# CSS pixels. Angles come in tenths of a degree, 0.6 pixels; the iPhone's compass turns the picture slowly.
NEAR = 14.0


def world(phone, platform, foreign, headings, name):
    places = []
    for index, heading in enumerate(headings):
        up = 300 * math.tan(math.radians(PITCH[platform]))
        places.append(place(f"t{index}", f"Target {index}", *towards(EYE, heading + phone.declination + 2, 300, up)))
    return foreign.serve(f"/{name}.gddf", gddf(name, places))


@pytest.mark.parametrize("platform", ["android", "ios"])
@pytest.mark.parametrize("zero", [0.0, 140.0])
def test_places_stay_where_they_are_through_a_turn(new_phone, foreign, output, platform, zero):
    phone = new(new_phone, platform)
    start, end = 40.0, 85.0
    phone.open_foreign(world(phone, platform, foreign, [start, end], f"turn-{platform}-{zero:.0f}"))
    phone.tap("#start-ar")
    hold(phone, platform, start, zero=zero)
    phone.wait_ready()
    targets = [towards(EYE, heading + phone.declination + 2, 300, 300 * math.tan(math.radians(PITCH[platform])))
               for heading in (start, end)]
    wait_drawn(phone, "t0", phone.expected_point(axes_at(phone, platform, start), targets[0]), NEAR)
    phone.page.evaluate("([to, length]) => window.motion.turn(to, length)", [end, 1500])
    wait_until(lambda: phone.page.evaluate("window.motion.heading()") == end, "the turn is over")
    wait_drawn(phone, "t1", phone.expected_point(axes_at(phone, platform, end), targets[1]), NEAR)
    phone.page.screenshot(path=output / f"motion-{platform}-{zero:.0f}.png")
    # And back the other way round: nothing was left over from the turn.
    phone.page.evaluate("([to, length]) => window.motion.turn(to, length)", [start, 1500])
    wait_until(lambda: phone.page.evaluate("window.motion.heading()") == start, "the turn back is over")
    wait_drawn(phone, "t0", phone.expected_point(axes_at(phone, platform, start), targets[0]), NEAR)
    phone.page.evaluate("window.motion.stop()")


@pytest.mark.parametrize("platform", ["android", "ios"])
def test_raw_motion_reaches_the_engine_in_its_units(new_phone, foreign, platform):
    """Degrees a second become radians, missing sensors are left out, and times are those of the events."""
    phone = new(new_phone, platform)
    phone.open_foreign(world(phone, platform, foreign, [40.0], f"units-{platform}"))
    phone.page.evaluate("""() => {
      const { engine } = window.sightline.session;
      const handle = engine.handle.bind(engine);
      window.told = [];
      engine.handle = (event, time) => {
        if (event.type === 'motion') window.told.push([time, event, performance.now() / 1000]);
        return handle(event, time);
      };
    }""")
    phone.tap("#start-ar")
    hold(phone, platform, 40.0)
    phone.wait_ready()
    phone.page.evaluate("window.motion.turn(130, 3000)")
    wait_until(lambda: phone.page.evaluate("window.motion.heading()") > 100, "turned on")
    phone.page.evaluate("window.motion.stop()")
    told = phone.page.evaluate("window.told")
    assert len(told) > 20
    times = [time for time, _, _ in told]
    assert times == sorted(times) and all(0 <= now - time < 1 for time, _, now in told)
    sign = -1 if platform == "ios" else 1
    for _, event, _ in told:
        assert abs(event["specificForce"]["y"] - sign * 9.81 * math.cos(math.radians(PITCH[platform]))) < 0.06
    # Turning clockwise at up to 60° a second about the world's "up", nearly the device's y.
    fastest = min(event["angularVelocity"]["y"] for _, event, _ in told)
    assert -math.radians(61) < fastest < -math.radians(30), fastest
    phone.page.evaluate("""dispatchEvent(new DeviceMotionEvent('devicemotion', {
      accelerationIncludingGravity: { x: 1, y: 2, z: 3 }, interval: 16 }))""")
    last = phone.page.evaluate("window.told.at(-1)[1]")
    assert last["angularVelocity"] is None and last["specificForce"] == {"x": 1, "y": 2, "z": 3}
    count = phone.page.evaluate("window.told.length")
    phone.page.evaluate("dispatchEvent(new DeviceMotionEvent('devicemotion', { interval: 16 }))")
    assert phone.page.evaluate("window.told.length") == count, "a device without sensors says nothing"


def test_labels_are_drawn_for_the_moment_of_the_picture(new_phone, foreign):
    """The age of the camera's picture reaches the engine: what the browser says of its frames, or an estimate."""
    phone = new(new_phone, "android", ["""
      HTMLVideoElement.prototype.requestVideoFrameCallback = function (callback) {
        return setTimeout(() => callback(performance.now(), { captureTime: performance.now() - 80 }), 30);
      };
      HTMLVideoElement.prototype.cancelVideoFrameCallback = (handle) => clearTimeout(handle);
    """])
    phone.open_foreign(world(phone, "android", foreign, [40.0], "age"))
    phone.page.evaluate("""() => {
      const { engine } = window.sightline.session;
      const handle = engine.handle.bind(engine);
      window.ages = [];
      engine.handle = (event, time) => {
        if (event.type === 'pictureAge') window.ages.push(event.seconds);
        return handle(event, time);
      };
    }""")
    phone.tap("#start-ar")
    hold(phone, "android", 40.0)
    phone.wait_ready()
    phone.wait("window.ages.length > 20")
    ages = phone.page.evaluate("window.ages.slice(5)")
    # From 80 ms at a new picture to 30 ms and a frame more at the next one.
    assert all(0.079 < age < 0.25 for age in ages), ages
    assert min(ages) < 0.1, ages
