"""Things set down on surfaces in other people's pages: the drawn walk is played as camera and motion sensors, and content has to stay where
it was set down, by the truth, in pixels of the view."""
import json
import math
import statistics

import pytest

from support.phone import ALL_PERMISSIONS
from test_embed import COUNT, Site
from test_place_here import BASE, DELAY, PLAYER, Play, sequence  # noqa: F401: the drawn walk, made once for all

SCREEN = (390, 780)
# What the player asks a page for, from the page's own modules.
STATE = """async () => {
  const { sharedCamera } = await import('/embed/shared-camera.js');
  const { sharedOdometry } = await import('/embed/shared-odometry.js');
  const running = () => [...document.querySelectorAll('sightline-view')].find((view) => view.tracker?.video);
  window.sightline = {
    video: () => running() && sharedCamera(null).video,
    state: () => {
      if (!running()) return { embed: { camera: 'idle', isLooking: false, seen: 0, dropped: 0, paused: 0 } };
      const camera = sharedCamera(null), odometry = sharedOdometry(camera);
      return { embed: { camera: camera.camera.state, isLooking: odometry.isLooking, ...odometry.counts } };
    },
  };
}"""
STEP = """async (step) => {
  const before = window.sightline.state().embed;
  const noticed = await window.sequencePlayer.step(step);
  const { seen } = window.sightline.state().embed;
  const views = [...document.querySelectorAll('sightline-view')].map((view) => {
    const root = view.shadowRoot, reticle = root.querySelector('.reticle'), child = view.querySelector('sightline-surface');
    const anchor = child?.anchor;
    const quad = (element) => {
      if (!element || element.hidden || getComputedStyle(element).visibility === 'hidden') return null;
      const m = new DOMMatrix(getComputedStyle(element).transform), { offsetWidth: w, offsetHeight: h } = element;
      return [[0, 0], [w, 0], [w, h], [0, h], [w / 2, h / 2], [w / 2, h]].map(([x, y]) => {
        const p = m.transformPoint(new DOMPoint(x, y));
        return [p.x / p.w, p.y / p.w];
      });
    };
    return { status: view.tracker?.status, words: root.querySelector('.coaching p')?.textContent, button: !(root.querySelector('[part=place]')?.hidden ?? true),
      reticle: quad(reticle), quad: quad(child), hit: anchor?.description.hit.surface, anchors: [...view.querySelectorAll('sightline-surface')].map(({ anchor }) =>
        anchor && { state: anchor.state, isVisible: anchor.isVisible, pose: anchor.cameraFromAnchor && [...anchor.cameraFromAnchor] }) };
  });
  return { noticed, isSeen: seen > before.seen, views };
}"""


@pytest.fixture(scope="module")
def site():
    site = Site()
    yield site
    site.close()


class Visit(Play):
    """A phone that plays the walk on a page of somebody else's."""

    def __init__(self, new_phone, sequence, site, address, screen=SCREEN, **options):  # noqa: F811
        setup = {"width": sequence.width, "height": sequence.height, "angle": sequence.about["screen_angle"], "base": BASE, "delay": DELAY,
                 "part": "embed"}
        self.step, self.cover, self.quarters = STEP, 0, 0
        self.sequence, self.steps, self.rows, self.screen = sequence, sequence.steps(BASE), [], screen
        self.phone = new_phone(on=site, picture=None, sensors=False, motion=True, screen=screen, permissions=ALL_PERMISSIONS,
                               scripts=[COUNT, PLAYER.replace("SETUP", json.dumps(setup))], scale=1, allowed=[], **options)
        self.phone.state = lambda: self.phone.page.evaluate("document.body.innerText")
        self.phone.page.route("**/sequence/*.pgm", self.fulfill)
        self.phone.expect("GPU stall due to ReadPixels", "Sightline:")
        self.phone.page.goto(site.url + address)
        self.phone.page.evaluate(STATE)

    def start(self, view="sightline-view"):
        self.phone.page.locator(f"{view} >> [part=start]").click()
        return self

    @property
    def now(self):
        return self.rows[-1]["views"]

    def some(self, count):
        end = len(self.rows) + count
        self.go(lambda row: len(self.rows) >= end)

    def skip(self, count):
        """Pictures and readings that nobody looks at."""
        self.rows += [{"number": step["number"], "isSeen": False, "views": []} for step in self.steps[len(self.rows):len(self.rows) + count]]

    def place(self, view, child):
        """Where the truth's camera says that something is which was set down; None while it is not known."""
        anchor = self.now[view]["anchors"][child]
        row = self.rows[-1]
        return anchor and anchor["pose"] and self.sequence.in_world(row["number"], anchor["pose"][12:15], row["quarters"])

    def until_set(self, view, child):
        assert self.go(lambda row: (row["views"][view]["anchors"][child] or {}).get("isVisible")), self.rows[-1]
        return self.place(view, child)

    def tap_in(self, view, across=0.5, down=0.5):
        """A tap at a share of a view's width and height."""
        left, top, wide, tall = self.phone.page.evaluate("""(view) => {
          const { left, top, width, height } = document.querySelector(view).getBoundingClientRect();
          return [left, top, width, height]; }""", view)
        self.phone.page.touchscreen.tap(left + across * wide, top + down * tall)

    def listen(self):
        self.phone.page.evaluate("""['found', 'lost', 'place', 'select', 'error'].forEach((type) => document.addEventListener(type, (event) =>
          event.detail && event.target.localName !== 'sightline-marker' && (window.heard ??= []).push(event.detail.message ?? type), true))""")

    def heard(self):
        return self.phone.page.evaluate("window.heard ?? []")

    def on_screen(self, number, point, quarters=0):
        """Where the truth's camera sees a point of the world on the view, when the screen was turned by so many quarters."""
        pixel = self.sequence.pixel(number, point)
        if not pixel:
            return None
        pixel, (width, height) = self.sequence.turned(pixel, quarters)
        wide, tall = self.screen[::-1] if quarters % 2 else self.screen
        scale = max(wide / width, tall / height)
        return [wide / 2 + (pixel[0] + 0.5 - width / 2) * scale, tall / 2 + (pixel[1] + 0.5 - height / 2) * scale]

    def floor(self, number, point):
        """The point of the truth's floor that its camera sees at a point of the view."""
        lens, forward = self.sequence.lens(number), self.sequence.in_world(number, (0, 0, 1))
        # A first guess straight ahead, then as much farther as the view says.
        x, y = (lens[k] - lens[2] / (forward[2] - lens[2]) * (forward[k] - lens[k]) for k in (0, 1))
        for _ in range(20):
            at, east, north = (self.on_screen(number, (x + a, y + b, 0)) for a, b in ((0, 0), (0.001, 0), (0, 0.001)))
            (a, c), (b, d) = ([(moved[k] - at[k]) / 0.001 for k in (0, 1)] for moved in (east, north))
            u, v = point[0] - at[0], point[1] - at[1]
            x, y = x + (d * u - b * v) / (a * d - b * c), y + (a * v - c * u) / (a * d - b * c)
        assert math.dist(self.on_screen(number, (x, y, 0)), point) < 0.01
        return [x, y, 0]


def is_sure(row):
    view = row["views"][0]
    return view["status"]["surfaces"] == "tracking" and view["status"]["advice"] == "none" and view["reticle"]


def test_content_stays_on_the_surface(new_phone, sequence, site, output):  # noqa: F811
    visit = Visit(new_phone, sequence, site, "/examples/surface.html").start().begin()
    page = visit.phone.page
    visit.listen()
    assert visit.go(is_sure), visit.rows[-1]
    words = [word for word, before in zip(*[[row["views"][0]["words"] for row in visit.rows]] * 2) if word]
    view = visit.now[0]
    assert math.dist(view["reticle"][4], (195, 390)) < 4 and view["button"] and view["words"] == "Tap where it is to stand", view
    page.screenshot(path=output / "embed-surface-reticle.png")
    place = visit.floor(visit.rows[-1]["number"], (195, 430))
    page.touchscreen.tap(195, 430)
    assert visit.go(lambda row: row["views"][0]["quad"]), visit.rows[-1]
    view, first = visit.now[0], visit.rows[-1]["number"]
    assert view["hit"] == "floor" and visit.heard()[:2] == ["place", "found"], (view, visit.heard())
    lens = sequence.lens(first)
    page.screenshot(path=output / "embed-surface-set.png")
    set_at = len(visit.rows)
    # Half way the screen is turned to another side for a while, and then upside down: the pictures turn along, and what was set down stays.
    part = (len(visit.steps) - set_at) // 8
    for number, quarters in ((4, 0), (5, 1), (6, 3), (8, 0)):
        visit.turn(quarters)
        assert visit.go(lambda row: row["number"] >= first + number * part)
        page.screenshot(path=output / f"embed-surface-{number}-{quarters}.png")
    visit.go()
    errors, widths, ways = {0: [], 1: [], 3: []}, [], []
    for row in visit.rows[set_at:]:
        view, quarters = row["views"][0], row["quarters"]
        truth = visit.on_screen(row["number"], place, quarters)
        if not row["isSeen"] or not truth or not all(0 < at < size for at, size in zip(truth, SCREEN[::-1] if quarters else SCREEN)):
            continue
        assert view["quad"] and view["anchors"][0]["state"] in ("found", "tracked"), view
        # The middle of its foot is on the place.
        errors[quarters].append(math.dist(view["quad"][5], truth))
        ways.append(math.dist(sequence.lens(row["number"]), lens))
        widths.append(math.dist(sequence.in_world(row["number"], view["anchors"][0]["pose"][12:15], quarters), place))
    off = {90 * quarters: [len(all), round(statistics.median(all), 2), round(max(all), 2)] for quarters, all in errors.items()}
    report = {"farthest away": round(max(ways), 2), "screen turned: frames, off in px": off, "off, metres": round(max(widths), 4), "said": sorted(set(words))}
    print(report)
    (output / "embed-surface.json").write_text(json.dumps(report, indent=1))
    assert len(errors[0]) > 100 and all(count > 20 and largest < 8 and median < 5 for count, median, largest in off.values()), report
    assert visit.heard()[:2] == ["place", "found"] and not {"lost", "error"} & set(visit.heard()), visit.heard()
    assert not visit.now[0]["words"] and not visit.now[0]["button"], "all is well: nothing is said"


def test_two_views_set_down_move_and_go_on(new_phone, sequence, site, output):  # noqa: F811
    content = '<div class="sheet">{}</div>'
    body = (f'<sightline-view id="a" lang="de"><sightline-surface fixed>{content.format("fest")}</sightline-surface>'
            f'<sightline-surface facing="up" size="0.3">{content.format("flach")}</sightline-surface><button id="own">x</button></sightline-view>'
            f'<sightline-view id="b" class="second"><sightline-surface size="big">{content.format("b")}</sightline-surface></sightline-view>')
    site.page("/two-surfaces.html", body)
    visit = Visit(new_phone, sequence, site, "/two-surfaces.html", screen=(844, 390), color_scheme="dark")
    page = visit.phone.page
    page.evaluate("""() => { Object.assign(document.querySelector('#a').style, { right: '50%' });
      Object.assign(document.querySelector('#b').style, { left: '55%', bottom: '10%' }); }""")
    visit.listen()
    # What is wrong with an attribute is said, and the rest goes on.
    page.evaluate("document.querySelector('#b sightline-surface').setAttribute('size', 'wide')")
    [fault] = visit.heard()
    assert "surface.size" in fault and "give" in fault, fault
    set_down = "([view, point]) => document.querySelector(view + ' sightline-surface').setDown(point).then(({ hit, reason }) => reason)"
    assert page.evaluate(set_down, ["#b", None]) == "not-running"
    visit.start("#a")
    page.evaluate("void document.querySelector('#b').start()")
    visit.begin()
    assert visit.go(lambda row: is_sure(row) and row["views"][1]["reticle"]), visit.rows[-1]
    assert page.evaluate("[window.counts.workers, document.querySelector('#b').tracker.video === document.querySelector('#a').tracker.video]") == [1, True]
    assert page.evaluate(set_down, ["#b", {"x": -5, "y": 5}]) == "outside"
    assert visit.now[0]["words"] == "Tippen, wo es stehen soll"
    page.screenshot(path=output / "embed-surface-two.png")
    # In one view by its button, in the other by a tap on the same spot: the middle of the picture.
    page.locator("#a").get_by_role("button", name="Hier hinstellen").click()
    visit.tap_in("#b")
    visit.until_set(0, 0)
    one, other = visit.until_set(1, 0), visit.place(0, 0)
    assert math.dist(one, other) < 0.02, (one, other)
    # What a page has over the view is not the view.
    page.locator("#own").click(position={"x": 3, "y": 3})
    # The next tap is for the second one, the one after that moves it: the first one is fixed.
    visit.tap_in("#a", 0.3, 0.75)
    second = visit.until_set(0, 1)
    heard = len(visit.heard())
    visit.tap_in("#a", 0.7, 0.75)
    assert visit.go(lambda row: math.dist(visit.place(0, 1), second) > 0.2)
    assert visit.heard()[heard:] == ["place"], "it stays the same anchor"
    visit.some(3)
    page.screenshot(path=output / "embed-surface-set-two.png")
    # Another kind of anchor comes into a view that runs: it is found by another worker, and what was set down stays.
    page.evaluate("""(marker) => { const b = document.querySelector('#b'); window.kept = b.querySelector('sightline-surface').anchor;
      b.insertAdjacentHTML('beforeend', marker); }""",
                  f'<sightline-marker dictionary="{sequence.marker["dictionary"]}" marker-id="7" size="{sequence.marker["side"]}">m</sightline-marker>')
    assert visit.go(lambda row: page.evaluate("document.querySelector('sightline-marker').anchor?.isVisible"))
    assert page.evaluate("[kept === document.querySelector('#b sightline-surface').anchor, kept.state, window.counts.workers]") == [True, "tracked", 2]
    assert math.dist(visit.place(1, 0), one) < 0.02
    pose = page.evaluate("[...document.querySelector('sightline-marker').anchor.cameraFromAnchor ?? []]")
    assert pose and math.dist(sequence.in_world(visit.rows[-1]["number"], pose[12:15]), sequence.marker["centre"]) < 0.06, pose
    middle, size = visit.now[1]["quad"][4], page.evaluate("[document.querySelector('#b').clientWidth, document.querySelector('#b').clientHeight]")
    visit.tap_in("#b", middle[0] / size[0], middle[1] / size[1])
    visit.phone.wait("window.heard.at(-1) === 'select'")
    # One is paused, the other goes on; then, with some of the room known, both for a second: the surroundings are recognised.
    page.evaluate("document.querySelector('#a').pause()")
    visit.some(3)
    assert visit.now[0]["status"]["state"] == "paused" and not visit.now[0]["words"] and visit.now[1]["anchors"][0]["state"] == "tracked"
    visit.some(90)
    page.evaluate("document.querySelector('#b').pause()")
    before = len(visit.rows)
    visit.skip(20)
    page.evaluate("Promise.all(['#a', '#b'].map((view) => document.querySelector(view).start()))")
    visit.go(lambda row: not row["views"][0]["anchors"][0]["isVisible"])
    lost = visit.now[0]
    assert lost["anchors"][0]["state"] == "lost" and lost["words"] == "Die Kamera auf das richten, was vorher zu sehen war", lost
    assert visit.go(lambda row: all(view["anchors"][0]["isVisible"] for view in row["views"])), visit.rows[-1]
    away = [math.dist(visit.place(view, 0), place) for view, place in ((0, other), (1, one))]
    print(f"after a second's pause: back after {len(visit.rows) - before - 20} pictures, {max(away):.3f} m off")
    assert max(away) < 0.06 and "lost" in visit.heard()
    # Taken out of the page it is set down no more; the other goes on, and with it the workers.
    page.evaluate("(() => { const view = document.querySelector('#a'); view.remove(); window.removed = view; })()")
    visit.some(2)
    assert visit.now[0]["anchors"][0]["isVisible"] and page.evaluate("window.counts.workers") == 2
    page.evaluate("document.querySelector('#b sightline-surface').pickUp()")
    visit.some(2)
    assert visit.now[0]["anchors"] == [None] and visit.now[0]["button"]
    page.evaluate("document.querySelector('#b').remove()")
    visit.phone.wait("window.counts.workers === 0 && !window.removed.querySelector('sightline-surface').anchor")
