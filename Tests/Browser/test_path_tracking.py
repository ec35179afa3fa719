"""World tracking behind the geo view: a compass that is disturbed for seconds turns nothing, while the camera is followed."""
import math
import statistics

from support import geometry
from test_place_here import Play, sequence  # noqa: F401: the drawn walk, made once for both

ULM = (48.3984, 9.9916, 480.0)
# Frames of 20 a second: until the compass is disturbed, and until the test ends.
DISTURBED, END = 170, 310
DISTURBANCE = 40.0
STEP = """async ({ angles: [alpha, beta, gamma], ...step }) => {
  const before = window.sightline.state().path;
  dispatchEvent(new DeviceOrientationEvent('deviceorientationabsolute', { alpha, beta, gamma, absolute: true }));
  const noticed = await window.sequencePlayer.step(step);
  await new Promise((resolve) => requestAnimationFrame(resolve));
  const { path: { tracked, seen, paused }, frame, status } = window.sightline.state();
  return { noticed, isSeen: seen > before.seen, isPaused: paused > before.paused, tracked, bearing: frame.bearing * 180 / Math.PI, status };
}"""
# Readings of a phone at rest, until the sequence brings its own: by them the page knows that there are some.
REST = """() => {
  const timer = setInterval(() => {
    if (window.sightline?.state().path?.isLooking) return clearInterval(timer);
    dispatchEvent(new DeviceMotionEvent('devicemotion', {
      accelerationIncludingGravity: { x: 0, y: 9.8, z: 0 }, rotationRate: { alpha: 0, beta: 0, gamma: 0 }, interval: 16 }));
    dispatchEvent(new DeviceOrientationEvent('deviceorientationabsolute', { alpha: 0, beta: 80, gamma: 0, absolute: true }));
  }, 50);
}"""


def camera_axes(sequence, number):
    """The camera's axes (right, down, forward) in the truth's world."""
    row = sequence.truth[number]
    w, x, y, z = (float(row[key]) for key in ("qw", "qx", "qy", "qz"))
    return [(1 - 2 * (y * y + z * z), 2 * (x * y + w * z), 2 * (x * z - w * y)),
            (2 * (x * y - w * z), 1 - 2 * (x * x + z * z), 2 * (y * z + w * x)),
            (2 * (x * z + w * y), 2 * (y * z - w * x), 1 - 2 * (x * x + y * y))]


def wrapped(degrees):
    return (degrees + 180) % 360 - 180


def test_a_disturbed_compass_turns_nothing(new_phone, sequence, output):
    play = Play(new_phone, sequence, part="path", step=STEP, address="world/ulm", page="#start-ar", position=ULM)
    play.phone.page.evaluate(REST)
    play.phone.tap("#start-ar")
    play.begin()
    headings = []
    for k, step in enumerate(play.steps[:END]):
        right, down, forward = camera_axes(sequence, step["number"])
        shown = [right, tuple(-part for part in down), tuple(-part for part in forward)]
        alpha, beta, gamma = geometry.browser_angles(geometry.device_axes(shown, sequence.about["screen_angle"]))
        step["angles"] = [(alpha - (DISTURBANCE if k >= DISTURBED else 0)) % 360, beta, gamma]
        headings.append(math.degrees(math.atan2(forward[0], forward[1])))

    play.steps = play.steps[:END]
    play.go()
    errors = [wrapped(row["bearing"] - heading - play.phone.declination) for row, heading in zip(play.rows, headings)]
    before, after = statistics.median(errors[DISTURBED - 60:DISTURBED]), statistics.median(errors[-60:])
    play.phone.page.screenshot(path=output / "path-tracking.png")
    report = {"before": round(before, 2), "after": round(after, 2), "worst": round(max(abs(error - before) for error in errors[DISTURBED:]), 2),
              "tracked": play.rows[-1]["tracked"], "status": play.rows[-1]["status"]["heading"], "looked at": sum(row["isSeen"] for row in play.rows)}
    print(report)
    assert play.rows[-1]["tracked"]["state"] in ("uncertainScale", "metric") and not play.rows[-1]["tracked"]["isLost"], report
    assert abs(before) < 4, report
    assert abs(after - before) < 2.5, report
    # A lens that is learned is kept for every part of the page.
    learned = play.phone.page.evaluate("JSON.parse(localStorage.getItem('sightline.learnedLens'))")
    (sizes,) = learned.values()
    ((size, lens),) = sizes.items()
    assert size == f"{max(sequence.width, sequence.height)} {min(sequence.width, sequence.height)}", learned
    truth = math.degrees(2 * math.atan(max(sequence.width, sequence.height) / 2 / sequence.lens_truth[0]))
    print(lens, truth)
    assert abs(lens["fieldOfView"] - truth) < 1.5, (learned, truth)
    assert 5e-6 < lens["rowTime"] < 1e-4 and -0.05 < lens["timeOffset"] < 0.15, lens
