"""Phones whose sensors all tell of one movement, in the conventions of a platform: see motion.js."""
import json
import math
import pathlib

from support import geometry
from support.phone import wait_until

MOTION = (pathlib.Path(__file__).parent / "motion.js").read_text()
# What only an iPhone asks.
GRANTED = """
for (const type of [DeviceMotionEvent, DeviceOrientationEvent]) type.requestPermission = async () => 'granted';
"""
# The pictures of these phones do not turn with them, as no camera's do: nobody who saves data follows them.
STILL_PICTURES = "Object.defineProperty(navigator, 'connection', { value: { saveData: true } });"
# An iPhone's compass tells nothing of an upright phone.
PITCH = {"android": 5.0, "ios": -35.0}


def new(new_phone, platform, scripts=()):
    scripts = [STILL_PICTURES, MOTION.replace("PLATFORM", json.dumps(platform)), *([GRANTED] if platform == "ios" else []), *scripts]
    # As many pictures as the browser gives: these tests are about time.
    return new_phone(sensors=platform == "android", scripts=scripts, motion=True, frames=None)


def hold(phone, platform, heading, pitch=None, **more):
    """The phone at a heading from magnetic north. `zero`: where its own α starts; `compassError`: degrees that its
    compass shows too much; `accuracy`: what an iPhone states of it."""
    pitch = PITCH[platform] if pitch is None else pitch
    alpha, beta, gamma = geometry.browser_angles(geometry.held(0.0, pitch))
    values = {"alpha": alpha, "beta": beta, "gamma": gamma, "pitch": pitch, "from": heading, "to": heading, **more}
    phone.page.evaluate("(values) => window.motion.hold(values)", values)


def axes_at(phone, platform, heading, pitch=None):
    """The display's axes in true east, north, up at a heading from magnetic north."""
    return geometry.turned(geometry.held(heading, PITCH[platform] if pitch is None else pitch), phone.declination)


def wait_drawn(phone, id, expected, tolerance, seconds=20):
    """Until a place is drawn within so many CSS pixels of a point."""
    seen = []

    def near():
        label = phone.labels().get(id)
        seen.append(label and label["anchor"])
        return label is not None and math.dist(label["anchor"], expected) < tolerance
    try:
        wait_until(near, f"{id} comes to {expected}", seconds)
    except AssertionError as error:
        raise AssertionError(f"{error}; it was at {seen[-1]}\n{phone.state()['status']}") from None
