"""Surfaces by the phone's own tracking (WebXR) in other people's pages: a faked device with a room. What is set down has to be drawn where the
device's own projection has it; what the device loses is said; where it cannot be had, the page's own tracking begins."""
import json
import math
import pathlib

import pytest

from support.phone import ALL_PERMISSIONS
from support.picture import patches
from test_embed import COUNT, TRACKS, page_of, site  # noqa: F401

FAKE = (pathlib.Path(__file__).parent / "support" / "fake_xr.js").read_text()
SHEET = '<div id="sheet"></div>'
MAGENTA = (255, 0, 255)
NOW = """() => {
  const view = document.querySelector('sightline-view'), child = view.querySelector('sightline-surface'), root = view.shadowRoot;
  const reticle = root.querySelector('.reticle');
  return { state: view.state, status: view.tracker?.status ?? null, words: root.querySelector('.coaching p')?.textContent ?? '',
    hasReticle: reticle !== null && !reticle.hidden, hasStart: !root.querySelector('[part=cover]').hidden, isMarked: view.hasAttribute('data-platform'),
    anchor: child.anchor && { state: child.anchor.state, isVisible: child.anchor.isVisible } };
}"""
FOOT = """() => {
  const element = document.querySelector('sightline-surface');
  const p = new DOMMatrix(getComputedStyle(element).transform).transformPoint(new DOMPoint(element.offsetWidth / 2, element.offsetHeight));
  return [p.x / p.w, p.y / p.w];
}"""
TRACKER = """
import { createTracker } from '/embed/tracker.js';
window.tracker = await createTracker({ surfaces: true, platform: true });
window.told = [];
tracker.on('frame', ({ image, projection }) => (window.last = { hasImage: image !== null, hasProjection: projection !== null }));
for (const type of ['found', 'lost']) tracker.on(type, () => told.push(type));
tracker.on('statechange', ({ state, platform }) => told.push(`${state} ${platform}`));
document.querySelector('button').onclick = () => void tracker.start();
document.querySelector('button').textContent = 'ready';
"""


@pytest.fixture
def visitor(new_phone, site):  # noqa: F811
    def make(path, body, screen=(390, 780), scripts=(), **setup):
        script = FAKE.replace("SETUP", json.dumps({"supported": True, "anchors": True, "refuse": None, **setup}))
        phone = new_phone(on=site, sensors=False, motion=True, screen=screen, permissions=ALL_PERMISSIONS, scripts=[COUNT, TRACKS, script],
                          scale=1, allowed=[])
        phone.expect("GPU stall due to ReadPixels")
        phone.state = lambda: phone.page.evaluate("({ url: location.href, body: document.body.innerText })")
        phone.asked = []
        phone.page.on("request", lambda request: phone.asked.append(request.url.split(site.url)[-1]))
        address = page_of(site, path, body)
        if scripts:
            kind, text = site.pages[path]
            site.pages[path] = (kind, text.replace(b"</head>", "".join(f'<script type="module" src="{one}"></script>' for one in scripts).encode() + b"</head>"))
        phone.page.goto(address)
        return phone
    return make


def start(phone):
    phone.page.locator("sightline-view >> [part=start]").tap()
    phone.wait("document.querySelector('sightline-view').state === 'running'")


def step(phone, count=1, **pose):
    phone.page.evaluate("([count, pose]) => window.fakeXR.step(count, pose)", [count, pose])
    return phone.page.evaluate(NOW)


def off(phone, truth):
    """How far the middle of the content's lower edge is from where the device has the point, CSS pixels."""
    return math.dist(phone.page.evaluate(FOOT), phone.page.evaluate("(p) => window.fakeXR.onDisplay(p)", truth))


def test_content_stands_by_the_phones_own_tracking(visitor, output):
    phone = visitor("/platform.html", f'<sightline-view platform><sightline-surface size="0.4">{SHEET}</sightline-surface></sightline-view>')
    page = phone.page
    page.evaluate("""window.heard = []; for (const type of ['found', 'lost', 'place', 'error']) document.addEventListener(type, ({ detail }) => heard.push(detail.message ?? type), true)""")
    page.evaluate("Object.assign(document.querySelector('#sheet').style, { width: '200px', height: '100px', background: '#f0f' })")
    start(phone)
    now = step(phone, 3)
    assert now["status"]["platform"] and now["isMarked"] and now["status"]["camera"] == "idle" and page.evaluate("window.counts.tracks.length") == 0, now
    options = page.evaluate("window.fakeXR.options")
    assert options["root"] == "SIGHTLINE-VIEW" and set(options["requiredFeatures"]) == {"local-floor", "hit-test", "dom-overlay"}
    now = step(phone, 6)
    assert now["status"]["surfaces"] == "tracking" and now["hasReticle"] and now["words"] == "Tap where it is to stand", now
    truth = page.evaluate("window.fakeXR.under(195, 430)")
    page.touchscreen.tap(195, 430)
    for _ in range(20):
        if (now := step(phone))["anchor"] and now["anchor"]["isVisible"]:
            break
    assert now["anchor"]["isVisible"] and page.evaluate("heard") == ["place", "found"], (now, page.evaluate("heard"))
    page.screenshot(path=output / "embed-platform-set.png")
    errors = [off(phone, truth)]
    for k in range(1, 25):
        t = k / 24
        step(phone, 2, x=0.9 * t, y=1.5 + 0.2 * math.sin(6 * t), z=-0.7 * t * t, yaw=0.5 * t, pitch=-0.6 + 0.08 * math.sin(9 * t))
        errors.append(off(phone, truth))
    page.screenshot(path=output / "embed-platform-around.png")
    [patch] = patches(page, page.screenshot(), [MAGENTA], tolerance=60)
    assert patch and patch["count"] > 500, patch
    print({"largest error, pixels": max(errors)})
    assert max(errors) < 0.5, errors
    # It guesses where it is, then does not know, then knows again.
    page.evaluate("window.fakeXR.isEmulated = true")
    assert step(phone, 2)["anchor"]["state"] == "carried"
    page.evaluate("Object.assign(window.fakeXR, { isEmulated: false, isLost: true })")
    now = step(phone, 3)
    assert now["anchor"] == {"state": "lost", "isVisible": False} and now["words"], now
    page.evaluate("window.fakeXR.isLost = false")
    assert step(phone, 3)["anchor"]["state"] == "tracked" and off(phone, truth) < 0.5
    # Its world is another: the anchor keeps the thing where it stands in the room.
    page.evaluate("window.fakeXR.reset([0.7, 0, -0.4])")
    assert step(phone, 3)["anchor"]["state"] == "tracked" and off(phone, truth) < 0.5
    # Paused, nothing is told; it goes on without another question.
    page.evaluate("document.querySelector('sightline-view').pause()")
    assert step(phone, 2)["state"] == "paused"
    page.evaluate("document.querySelector('sightline-view').start()")
    phone.wait("document.querySelector('sightline-view').state === 'running'")
    assert step(phone, 2)["anchor"]["isVisible"] and page.evaluate("window.fakeXR.asked") == 1
    # The back button: the start button is there again, and nothing is set down.
    page.evaluate("window.fakeXR.session.end()")
    phone.wait("document.querySelector('sightline-view').state === 'idle'")
    now = page.evaluate(NOW)
    assert now["hasStart"] and not now["isMarked"] and now["anchor"] is None and page.evaluate("heard.at(-1)") == "lost", now
    assert page.evaluate("[window.counts.tracks.length, window.counts.workers]") == [0, 0]
    start(phone)
    assert step(phone, 6)["hasReticle"] and page.evaluate("window.fakeXR.asked") == 2
    page.evaluate("document.querySelector('sightline-view').remove()")
    assert page.evaluate("window.fakeXR.session.isOver")


def test_a_tracker_loses_what_has_no_anchor_and_ends_for_markers(visitor, site):  # noqa: F811
    site.script("/tracker.js", TRACKER)
    phone = visitor("/tracker.html", "<button>wait</button>", scripts=["/tracker.js"], anchors=False)
    page = phone.page
    phone.wait("document.querySelector('button').textContent === 'ready'")
    phone.tap("button")
    phone.wait("window.tracker.state === 'running'")
    page.evaluate("window.fakeXR.step(6)")
    assert page.evaluate("window.fakeXR.options.root") == "BODY"
    assert page.evaluate("window.last") == {"hasImage": False, "hasProjection": True}
    truth = page.evaluate("window.fakeXR.under(200, 500)")
    hit = page.evaluate("""async () => {
      let found = null;
      void tracker.hitTest(200, 500, { facing: 'up' }).then((test) => (found = test));
      for (let k = 0; k < 20 && !found; k += 1) await fakeXR.step(1);
      window.anchor = tracker.add({ surface: found.hit });
      await fakeXR.step(2);
      return { surface: found.hit.surface, distance: found.hit.distance, state: anchor.state, screen: anchor.screen };
    }""")
    eye = [page.evaluate(f"window.fakeXR.pose.{axis}") for axis in "xyz"]
    assert hit["surface"] == "floor" and abs(hit["distance"] - math.dist(eye, truth)) < 0.001 and hit["state"] in ("found", "tracked"), hit
    assert math.dist((hit["screen"]["x"], hit["screen"]["y"]), (200, 500)) < 0.5, hit
    assert page.evaluate("tracker.hitTest(-1, 5).then(({ reason }) => reason)") == "outside"
    page.evaluate("window.fakeXR.reset([1, 0, 1])")
    page.evaluate("window.fakeXR.step(2)")
    assert page.evaluate("[tracker.anchors.length, told.at(-1)]") == [0, "lost"]
    # What else is looked for needs the camera.
    assert page.evaluate("tracker.extend({ markers: true }).then(() => [tracker.state, tracker.status.platform, fakeXR.session.isOver])") == ["idle", False, True]
    phone.tap("button")
    phone.wait("window.tracker.state === 'running' && window.tracker.status.camera === 'running'")
    assert page.evaluate("[tracker.status.platform, fakeXR.asked]") == [False, 1]
    page.evaluate("tracker.stop()")


@pytest.mark.parametrize("attribute, setup", [("platform", {"supported": False}), ("platform", {"refuse": "NotAllowedError"}), ("", {})])
def test_else_the_pages_own_tracking_begins(visitor, attribute, setup):
    phone = visitor("/own.html", f"<sightline-view {attribute}><sightline-surface>{SHEET}</sightline-surface></sightline-view>", **setup)
    start(phone)
    phone.wait("document.querySelector('sightline-view').tracker.status.camera === 'running'")
    now = phone.page.evaluate(NOW)
    assert not now["status"]["platform"] and not now["isMarked"] and now["status"]["surfaces"] == "starting" and not now["hasStart"], now
    assert phone.page.evaluate("window.fakeXR.asked") == int("refuse" in setup)
    # Nothing of it is loaded unless it is asked for.
    assert any("/app/xr/" in url for url in phone.asked) == (attribute == "platform"), phone.asked
    phone.page.evaluate("document.querySelector('sightline-view').stop()")
