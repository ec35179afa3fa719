"""Sightline in other people's pages: the element and the tracker, before a camera that sees what is known exactly."""
import base64
import gzip
import http.server
import json
import math
import pathlib
import socket
import subprocess
import threading
import time

import pytest

from support import geometry
from support.marker_pictures import View, png, rotation
from support.sightline import CLIENT, MODELS, ODOMETRY, PLACES, PROGRAM, VISION, WASM, Sightline
from support.walls import picture, pose, script, view
from test_scan import TEXTS, modules, picture as code_picture  # noqa: F401

HERE = pathlib.Path(__file__).parent
CAMERA = (HERE / "support" / "marker_camera.js").read_text()
SIZE = (960, 540)
SIDE = 0.06
SCREEN = (844, 475)
# The poster of the picture's example, as wide as the page says.
FISH = {"x": 0.0, "y": 0.0, "width": 0.3, "height": 0.424, "image": picture("school-of-fish")}
# What a strict page allows: nothing inline, and for a foreign origin that origin alone.
STRICT = ("default-src 'none'; script-src 'self' 'wasm-unsafe-eval'{more}; style-src 'self'{more}; img-src 'self' data: blob:{more}; "
          "connect-src 'self'{more}; worker-src 'self' blob:{more}; media-src 'self' blob: mediastream:")
# Counts what a page that has ended must not hold any more.
COUNT = """
(() => {
  const counts = window.counts = { workers: 0, tracks: [], listeners: 0, frames: [] };
  const RealWorker = Worker;
  window.Worker = class extends RealWorker {
    constructor(...given) { super(...given); counts.workers += 1; counts.made = (counts.made ?? 0) + 1; }
    terminate() { if (!this.ended) counts.workers -= 1; this.ended = true; super.terminate(); }
  };
  const add = EventTarget.prototype.addEventListener, remove = EventTarget.prototype.removeEventListener;
  const held = new Map();
  const key = (type, listener) => type + ' ' + (held.get(listener) ?? held.set(listener, held.size).get(listener));
  const live = new Set();
  const isGlobal = (target) => target === window || target === undefined || target === document || target === screen.orientation;
  EventTarget.prototype.addEventListener = function (type, listener, options) {
    if (isGlobal(this) && listener && !options?.once) {
      live.add(key(type, listener));
      options?.signal?.addEventListener?.('abort', () => live.delete(key(type, listener)));
    }
    return add.call(this, type, listener, options);
  };
  EventTarget.prototype.removeEventListener = function (type, listener, options) {
    if (isGlobal(this) && listener) live.delete(key(type, listener));
    return remove.call(this, type, listener, options);
  };
  Object.defineProperty(counts, 'listeners', { get: () => [...live].length });
  Object.defineProperty(counts, 'live', { get: () => [...live] });
})();
"""
# Beside the fake camera: keeps its tracks in sight.
TRACKS = """
(() => {
  const ask = navigator.mediaDevices.getUserMedia;
  navigator.mediaDevices.getUserMedia = async (wanted) => {
    const stream = await ask(wanted);
    window.counts?.tracks.push(...stream.getTracks());
    return stream;
  };
})();
"""

# As browsers answer when the user says no.
REFUSE = "navigator.mediaDevices.getUserMedia = async () => { throw new DOMException('refused', 'NotAllowedError'); };"


class Server(http.server.ThreadingHTTPServer):
    # A page asks for sixty modules at once.
    request_queue_size = 256
    daemon_threads = True


def free_port():
    with socket.socket() as one:
        one.bind(("127.0.0.1", 0))
        return one.getsockname()[1]


class Site:
    """A web server of somebody else's: pages of the test, and on request the client's files for pages of other origins."""

    def __init__(self, elsewhere=None, port=0):
        self.pages = {}
        owner = self

        class Handler(http.server.BaseHTTPRequestHandler):
            def do_GET(self):
                path = self.path.split("?")[0]
                found = owner.pages.get(path) or owner.file(path)
                if found is None:
                    self.send_error(404)
                    return
                kind, body = found
                self.send_response(200)
                self.send_header("content-type", kind)
                self.send_header("content-length", str(len(body)))
                self.send_header("access-control-allow-origin", "*")
                self.send_header("content-security-policy", STRICT.format(more=f" {elsewhere}" if elsewhere else ""))
                self.end_headers()
                self.wfile.write(body)

            def log_message(self, *_):
                pass

        self.server = Server(("127.0.0.1", port), Handler)
        self.url = f"http://127.0.0.1:{self.server.server_port}"
        self.proxy_port = 1
        threading.Thread(target=self.server.serve_forever, daemon=True).start()

    KINDS = {".js": "text/javascript", ".html": "text/html", ".css": "text/css", ".json": "application/json", ".wasm": "application/wasm",
             ".glb": "model/gltf-binary", ".png": "image/png", ".svg": "image/svg+xml"}

    @staticmethod
    def file(path):
        built = {"/engine.wasm": WASM, "/places.wasm": PLACES, "/vision.wasm": VISION, "/models.wasm": MODELS, "/odometry.wasm": ODOMETRY}.get(path)
        file = built or (CLIENT / path.lstrip("/")).resolve()
        if not file.is_file() or not (built or file.is_relative_to(CLIENT.resolve())):
            return None
        return Site.KINDS.get(file.suffix, "application/octet-stream"), file.read_bytes()

    def page(self, path, body, scripts=(), origin=""):
        """A page with elements in `body`, and the element's module from `origin`."""
        head = "".join(f'<script type="module" src="{script}"></script>' for script in scripts)
        text = (f'<!doctype html><html lang="en"><head><meta charset="utf-8"><link rel="stylesheet" href="{origin}/examples/examples.css">'
                f'<script type="module" src="{origin}/embed/sightline-view.js"></script>{head}</head><body>{body}</body></html>')
        self.pages[path] = ("text/html; charset=utf-8", text.encode())
        return self.url + path

    def script(self, path, text):
        self.pages[path] = ("text/javascript", text.encode())

    def close(self):
        self.server.shutdown()
        self.server.server_close()


@pytest.fixture(scope="module")
def site():
    site = Site()
    yield site
    site.close()


def page_of(site, path, body):
    """As wide as the phone."""
    address = site.page(path, body)
    kind, text = site.pages[path]
    site.pages[path] = (kind, text.replace(b'<meta charset="utf-8">', b'<meta charset="utf-8"><meta name="viewport" content="width=device-width">'))
    return address


@pytest.fixture(scope="session")
def views():
    poses = {"front": (rotation(0, 0, 0), (0.0, 0.0, 0.3)), "tilted": (rotation(35, 10, 20), (0.01, 0.012, 0.28))}
    return {name: View(SIZE, 65, matrix, place, SIDE) for name, (matrix, place) in poses.items()}


@pytest.fixture(scope="session")
def pictures(views):
    drawn = {name: view.draw() for name, view in views.items()} | {"nothing": views["front"].blank()}
    return {name: base64.b64encode(png(rows)).decode() for name, rows in drawn.items()}


@pytest.fixture
def visitor(new_phone, site, pictures):
    """A phone whose camera sees markers, on pages of the site."""
    camera = CAMERA.replace("SIZE", json.dumps(SIZE)).replace("PICTURES", json.dumps(pictures))

    def make(**options):
        on = options.pop("on", site)
        phone = new_phone(on=on, picture=None, scripts=[COUNT, camera, TRACKS], screen=SCREEN, scale=1, allowed=[], **options)
        phone.state = lambda: phone.page.evaluate("({ url: location.href, body: document.body.innerText })")
        phone.expect("GPU stall due to ReadPixels")
        return phone
    return make


def show(phone, name):
    phone.page.evaluate("(name) => window.markerCamera.show(name)", name)


def begin(phone, view="sightline-view", state="running"):
    phone.page.locator(view).first.get_by_role("button").first.click()
    phone.wait("([view, state]) => document.querySelector(view).state === state", arg=[view, state])
    phone.point_again()


def on_screen(point, screen=SCREEN):
    """From a pixel of the picture to the screen that it covers, CSS pixels."""
    scale = max(screen[0] / SIZE[0], screen[1] / SIZE[1])
    return tuple(screen[k] / 2 + (point[k] + 0.5 - SIZE[k] / 2) * scale for k in (0, 1))


QUAD = """(selector) => {
  const element = document.querySelector(selector);
  const m = new DOMMatrix(getComputedStyle(element).transform);
  const { offsetWidth: w, offsetHeight: h } = element;
  return [[0, 0], [w, 0], [w, h], [0, h]].map(([x, y]) => {
    const p = m.transformPoint(new DOMPoint(x, y));
    return [p.x / p.w, p.y / p.w];
  });
}"""


@pytest.mark.parametrize("name", ["front", "tilted"])
def test_content_lies_on_its_marker(visitor, site, views, output, name):
    phone = visitor()
    phone.page.goto(site.url + "/examples/marker.html")
    begin(phone)
    show(phone, name)
    phone.wait("document.querySelector('sightline-marker').anchor?.isVisible")
    expected = [on_screen(corner) for corner in views[name].corners()]
    end = lambda: max(math.dist(a, b) for a, b in zip(phone.page.evaluate(QUAD, "sightline-marker"), expected))  # noqa: E731
    for _ in range(40):
        if end() < 0.6:
            break
        phone.page.wait_for_timeout(50)
    phone.page.screenshot(path=output / f"embed-marker-{name}.png")
    print(f"{name}: corners off by {end():.2f} px")
    assert end() < 0.6


def test_the_server_has_the_examples(visitor, server):
    """Under the page's own policy, at the address of the build that the server has."""
    phone = visitor(on=server)
    phone.page.goto(server.url + "/client/dev/examples/marker.html")
    begin(phone)
    show(phone, "front")
    phone.wait("document.querySelector('sightline-marker').anchor?.isVisible")


@pytest.mark.parametrize("source", ["picture", "target file"])
def test_content_lies_on_its_picture(new_phone, site, output, tmp_path, source):
    page = site.url + "/examples/picture.html"
    if source == "target file":
        # What `sightline target build` made of the same picture.
        target = tmp_path / "poster.target"
        poster = CLIENT / "examples" / "poster.png"
        subprocess.run([PROGRAM, "target", "build", poster, "-o", target], check=True, capture_output=True)
        site.pages["/examples/poster.target"] = ("application/octet-stream", target.read_bytes())
        text = (CLIENT / "examples" / "picture.html").read_text().replace("poster.png", "poster.target")
        site.pages["/examples/target.html"] = ("text/html; charset=utf-8", text.encode())
        page = site.url + "/examples/target.html"
    phone = new_phone(on=site, picture=None, scripts=[script([FISH])], screen=SCREEN, scale=1, allowed=[])
    phone.state = lambda: phone.page.evaluate("document.body.innerText")
    phone.expect("GPU stall due to ReadPixels")
    phone.page.goto(page)
    seen = view(distance=0.7, turn=15, spin=5)
    pose(phone, seen)
    begin(phone)
    phone.wait("document.querySelector('sightline-picture').anchor?.isVisible", seconds=30)
    # The content is square and as wide as the picture.
    expected = [on_screen(seen.pixel((x, y, 0))) for x, y in ((-0.15, 0.15), (0.15, 0.15), (0.15, -0.15), (-0.15, -0.15))]
    worst = 0
    for _ in range(40):
        worst = max(math.dist(a, b) for a, b in zip(phone.page.evaluate(QUAD, "sightline-picture"), expected))
        if worst < 1.5:
            break
        phone.page.wait_for_timeout(50)
    phone.page.screenshot(path=output / "embed-picture.png")
    print(f"picture: corners off by {worst:.2f} px")
    assert worst < 1.5


def test_a_place_is_seen_in_its_direction(new_phone, site, output):
    phone = new_phone(on=site, screen=(390, 844), position=(48.3935, 9.9916, None), allowed=[])
    phone.state = lambda: phone.page.evaluate("document.body.innerText")
    phone.page.goto(site.url + "/examples/place.html")
    axes = phone.point(0 - phone.declination, 2)
    begin(phone)
    phone.wait("document.querySelector('sightline-place').anchor?.isVisible")
    phone.wait("document.querySelector('sightline-view').tracker.video.videoWidth > 0")
    east, north, _ = geometry.east_north_up((48.3935, 9.9916, 0), (48.3984, 9.9916, 0))
    focal = geometry.focal_points(phone.screen, phone.picture, 65)
    x, y = geometry.project((east, north, 20.0), axes, phone.screen, focal)
    box = """(() => { const b = document.querySelector('sightline-place').getBoundingClientRect();
      return [b.left + b.width / 2, b.top + b.height / 2]; })()"""
    error, end = math.inf, time.monotonic() + 15
    while error >= 2 and time.monotonic() < end:
        phone.page.wait_for_timeout(50)
        error = math.dist(phone.page.evaluate(box), (x, y))
    phone.page.screenshot(path=output / "embed-place.png")
    print(f"place: off by {error:.2f} px")
    assert error < 2
    # Its axes are east, north and up: a point 20 m over the eye's height lies in the middle of what the matrices say too.
    projected = phone.page.evaluate("""() => {
      const { tracker } = document.querySelector('sightline-view');
      return new Promise((done, fail) => { setTimeout(() => fail(new Error('no pose')), 15000); const off = tracker.on('frame', ({ projection, anchors, width, height }) => {
        const m = anchors[0].cameraFromAnchor;
        if (!m || !projection) return;
        off();
        const at = (p) => { const c = [0, 1, 2, 3].map((r) => m[r] * p[0] + m[r + 4] * p[1] + m[r + 8] * p[2] + m[r + 12]);
          const q = [0, 1, 2, 3].map((r) => projection[r] * c[0] + projection[r + 4] * c[1] + projection[r + 8] * c[2] + projection[r + 12] * c[3]);
          return [(q[0] / q[3] + 1) / 2 * width, (1 - q[1] / q[3]) / 2 * height]; };
        done([[0, 0, 0], [20, 0, 0], [0, 0, 20]].map(at)); }); });
    }""")
    wanted = [geometry.project((east + dx, north, 20.0 + dz), axes, phone.screen, focal) for dx, dz in ((0, 0), (20, 0), (0, 20))]
    assert max(math.dist(a, b) for a, b in zip(projected, wanted)) < 2, (projected, wanted)
    phone.point(90 - phone.declination, 2)
    phone.wait("!document.querySelector('sightline-place').anchor.isVisible")


def test_two_views_share_one_camera_and_one_worker(visitor, site):
    phone = visitor()
    marker = '<sightline-marker dictionary="6x6-250" marker-id="0" size="0.06"><div class="sheet">{}</div></sightline-marker>'
    phone.page.goto(site.page("/two.html", f'<sightline-view id="a">{marker.format("a")}</sightline-view><sightline-view id="b" '
                                           f'class="second">{marker.format("b")}</sightline-view>'))
    phone.page.evaluate("Object.assign(document.querySelector('#b').style, { left: '70%' })")
    begin(phone, "#a")
    phone.page.evaluate("document.querySelector('#b').start()")
    show(phone, "front")
    for view in ("#a", "#b"):
        phone.wait("(v) => document.querySelector(`${v} sightline-marker`).anchor?.isVisible", arg=view)
    assert phone.page.evaluate("[window.markerCamera.calls, window.counts.workers]") == [1, 1]
    phone.page.evaluate("document.querySelector('#a').remove()")
    phone.wait("window.counts.workers === 1")
    show(phone, "nothing")
    phone.wait("!document.querySelector('#b sightline-marker').anchor.isVisible")
    show(phone, "front")
    phone.wait("document.querySelector('#b sightline-marker').anchor.isVisible")


def test_nothing_is_left_when_it_was_added_and_removed_often(visitor, site):
    phone = visitor()
    phone.page.goto(site.page("/often.html", ""))
    phone.page.evaluate("customElements.whenDefined('sightline-view')")
    body = ('<sightline-marker dictionary="6x6-250" marker-id="0" size="0.06">m</sightline-marker>'
            '<sightline-place latitude="48.4" longitude="10">p</sightline-place><sightline-surface>s</sightline-surface>')
    before = phone.page.evaluate("window.counts.listeners")
    listeners = []
    for turn in range(30):
        phone.page.evaluate("""([body, waits]) => {
          const view = document.createElement('sightline-view');
          view.insertAdjacentHTML('beforeend', body);
          document.body.append(view);
          return Promise.race([view.start(), new Promise((done) => setTimeout(done, waits))]);
        }""", [body, 0 if turn % 5 == 1 else 3000])
        phone.page.evaluate("document.querySelector('sightline-view').remove()")
        listeners.append(phone.page.evaluate("window.counts.listeners"))
    phone.wait("window.counts.workers === 0")
    phone.page.wait_for_timeout(300)
    left = phone.page.evaluate("({ live: window.counts.tracks.filter((t) => t.readyState === 'live').length, "
                               "tracks: window.counts.tracks.length, made: window.counts.made, names: window.counts.live })")
    print(f"30 times: {left['tracks']} cameras, {left['made']} workers, listeners {before} → {listeners[-1]}")
    assert left["live"] == 0 and left["tracks"] >= 10
    # One module listens as long as the page lives: the one that keeps the screen on.
    assert listeners[-1] <= before + 1 and len(set(listeners[5:])) == 1, (listeners, left["names"])


def test_what_is_changed_later_counts(visitor, site):
    phone = visitor()
    phone.page.goto(site.page("/later.html", '<sightline-view><sightline-marker dictionary="6x6-250" marker-id="7" size="0.06">'
                                             '<div class="sheet">x</div></sightline-marker></sightline-view>'))
    phone.page.evaluate("""['found', 'lost', 'select', 'statechange'].forEach((type) =>
      document.addEventListener(type, (event) => (window.heard ??= []).push(type), true))""")
    begin(phone)
    show(phone, "front")
    phone.page.wait_for_timeout(400)
    assert not phone.page.evaluate("document.querySelector('sightline-marker').anchor.isVisible")
    phone.page.evaluate("document.querySelector('sightline-marker').setAttribute('marker-id', '0')")
    phone.wait("document.querySelector('sightline-marker').anchor.isVisible")
    phone.page.locator(".sheet").click()
    show(phone, "nothing")
    phone.wait("!document.querySelector('sightline-marker').anchor.isVisible")
    show(phone, "front")
    phone.wait("document.querySelector('sightline-marker').anchor.isVisible")
    phone.page.evaluate("""() => { const view = document.querySelector('sightline-view'); const old = view.querySelector('sightline-marker');
      window.next = old.cloneNode(true); old.remove(); view.append(window.next); }""")
    phone.wait("window.next.anchor?.isVisible")
    heard = phone.page.evaluate("window.heard")
    assert heard.count("found") == 3 and "lost" in heard and "select" in heard and "statechange" in heard, heard
    # Taken out and put back it goes on.
    phone.page.evaluate("(() => { const v = document.querySelector('sightline-view'); v.remove(); document.body.append(v); })()")
    phone.wait("document.querySelector('sightline-view').state === 'running' && window.next.anchor?.isVisible")
    phone.page.evaluate("document.querySelector('sightline-view').pause()")
    phone.page.evaluate("document.querySelector('sightline-view').tracker.on('frame', () => (window.framesAfter = (window.framesAfter ?? 0) + 1))")
    show(phone, "nothing")
    phone.page.wait_for_timeout(300)
    assert phone.page.evaluate("[document.querySelector('sightline-view').state, window.framesAfter ?? 0]") == ["paused", 0]
    phone.page.evaluate("document.querySelector('sightline-view').start()")
    phone.wait("document.querySelector('sightline-view').state === 'running' && !window.next.anchor.isVisible")


@pytest.mark.parametrize("body, where", [
    ('<sightline-marker dictionary="9x9" marker-id="0" size="0.06">x</sightline-marker>', "marker.dictionary"),
    ('<sightline-marker dictionary="6x6-250" marker-id="zero" size="0.06">x</sightline-marker>', "marker.id"),
    ('<sightline-marker dictionary="6x6-250" marker-id="0" size="-1">x</sightline-marker>', "marker.size"),
    ('<sightline-place latitude="948" longitude="10">x</sightline-place>', "place.latitude"),
    ('<sightline-place latitude="48" longitude="">x</sightline-place>', "place.longitude"),
    ('<sightline-picture physical-width="0.3">x</sightline-picture>', "picture.src"),
    ('<sightline-picture src="javascript:1" physical-width="0.3">x</sightline-picture>', "picture.src"),
])
def test_malformed_attributes_are_said(visitor, site, body, where):
    phone = visitor()
    phone.expect("Sightline:")
    site.script("/hear.js", "addEventListener('error', (event) => event.detail && (window.faults ??= []).push(event.detail.message), true);")
    phone.page.add_init_script(site.pages["/hear.js"][1].decode())
    phone.page.goto(site.page("/malformed.html", f"<sightline-view>{body}</sightline-view>"))
    phone.wait("window.faults?.length > 0")
    [fault] = phone.page.evaluate("window.faults")
    assert where in fault and ("give" in fault), fault


def test_a_refused_camera_is_said_in_the_pages_language(new_phone, site):
    phone = new_phone(on=site, picture=None, scripts=[REFUSE], permissions=(), allowed=[], locale="de-DE")
    phone.state = lambda: phone.page.evaluate("document.body.innerText")
    phone.expect("Sightline:")
    phone.page.goto(site.url + "/examples/marker.html")
    # The page says that it is English; what it does not say, the browser does.
    phone.page.get_by_role("button", name="Start").click()
    phone.page.get_by_text("The camera was refused").wait_for()
    phone.page.evaluate("document.documentElement.lang = 'de'")
    phone.page.evaluate("(() => { const v = document.querySelector('sightline-view'); v.remove(); document.body.append(v); })()")
    phone.page.get_by_text("Die Kamera wurde nicht erlaubt").wait_for()


@pytest.mark.parametrize("wrong, advice", [
    ("location", "Allow it"), ("network", "See whether there is a network"), ("browser", "Update it"), ("origin", "https://"), ("camera", "Open the page on a phone"),
])
def test_what_is_not_there_is_said_with_what_to_do(new_phone, site, output, wrong, advice):
    scripts = {
        "browser": "WebAssembly.validate = () => false; WebAssembly.compileStreaming = async () => { throw new WebAssembly.CompileError('invalid opcode 0xfd'); };",
        "origin": "Object.defineProperty(window, 'isSecureContext', { value: false }); Object.defineProperty(navigator, 'mediaDevices', { value: undefined });",
        "location": "navigator.geolocation.watchPosition = (_ok, fail) => { setTimeout(() => fail({ code: 1, PERMISSION_DENIED: 1 })); return 1; };",
        "camera": "navigator.mediaDevices.getUserMedia = async () => { throw new DOMException('none', 'NotFoundError'); };",
    }
    phone = new_phone(on=site, screen=(320, 568), scripts=[scripts.get(wrong, "")], allowed=[])
    phone.state = lambda: phone.page.evaluate("document.querySelector('sightline-view').shadowRoot.textContent")
    for noise in ("Sightline:", "Failed to load resource", "net::ERR"):
        phone.expect(noise)
    if wrong == "network":
        phone.page.route("**/places.wasm", lambda route: route.abort())
    phone.page.goto(page_of(site, "/wrong.html", '<sightline-view><sightline-place latitude="48.4" longitude="10">p</sightline-place></sightline-view>'))
    phone.page.get_by_role("button", name="Start").click()
    message = phone.page.locator("sightline-view [part=error]")
    message.wait_for()
    phone.page.screenshot(path=output / f"embed-wrong-{wrong}.png")
    text = message.inner_text()
    assert advice in text, text
    box = phone.page.locator("sightline-view [part=again]").bounding_box()
    assert box["height"] >= 44 and box["y"] + box["height"] <= 568 and phone.page.evaluate("document.documentElement.scrollWidth") <= 320
    if wrong == "network":
        # Once it is back, a tap is enough.
        phone.page.unroute("**/places.wasm")
        phone.page.get_by_role("button", name="Try again").click()
        phone.wait("document.querySelector('sightline-view').state === 'running'")


def test_a_code_gives_its_text_and_corners(new_phone, site, modules):  # noqa: F811
    """One of two codes is asked for by its text; the other is whatever is seen."""
    pictures = {name: base64.b64encode(png(code_picture(modules[name]))).decode() for name in ("words", "page")}
    camera = CAMERA.replace("SIZE", json.dumps(SIZE)).replace("PICTURES", json.dumps(pictures))
    phone = new_phone(on=site, picture=None, scripts=[camera, TRACKS], screen=SCREEN, scale=1, allowed=[])
    phone.state = lambda: phone.page.evaluate("window.told")
    site.script("/codes.js", """
      import { createTracker } from './embed/tracker.js';
      const tracker = await createTracker({ codes: true });
      window.told = [];
      for (const type of ['found', 'lost']) tracker.on(type, (anchor) => window.told.push([type, anchor.description.text ?? '', anchor.text]));
      window.any = tracker.add({ code: {} });
      tracker.add({ code: { text: 'https://example.org/tickets' } });
      await tracker.start();
      window.tracker = tracker;""")
    phone.page.goto(site.page("/codes.html", "", scripts=["/codes.js"]))
    phone.wait("window.tracker?.state === 'running'")
    show(phone, "words")
    # On a busy machine the next picture can come so late that what was seen counts as lost meanwhile, and is found again.
    phone.wait("window.any.corners && window.told.some(([type]) => type === 'found')")
    told, corners, screen = phone.page.evaluate("[window.told, window.any.corners, [innerWidth, innerHeight]]")
    assert {tuple(one[1:]) for one in told} == {("", TEXTS["words"])}, told
    assert [one[0] for one in told] == [("found", "lost")[k % 2] for k in range(len(told))], told
    # Left and top as it is drawn: 320 and 110 pixels, and a quiet zone of four modules of six pixels.
    assert math.dist(corners[0], on_screen((320 + 24 - 0.5, 110 + 24 - 0.5), screen)) < 2, corners
    show(phone, "page")
    phone.wait("window.told.some(([type, wanted]) => type === 'found' && wanted !== '')")


def test_a_video_of_the_page_is_looked_at_and_left_to_the_page(visitor, site):
    phone = visitor()
    site.script("/video.js", """
      import { createTracker } from './embed/tracker.js';
      const video = document.querySelector('video');
      video.srcObject = await navigator.mediaDevices.getUserMedia({ video: true });
      window.tracker = await createTracker({ markers: true, video });
      window.marker = window.tracker.add({ marker: { dictionary: '6x6-250', id: 0, size: 0.06 } });
      await window.tracker.start();""")
    phone.page.goto(site.page("/video.html", "<video muted playsinline></video>", scripts=["/video.js"]))
    phone.wait("window.tracker?.state === 'running'")
    show(phone, "front")
    phone.wait("window.marker.isVisible")
    pose = phone.page.evaluate("[...window.marker.cameraFromAnchor]")
    assert abs(pose[14] - 0.3) < 0.03, pose
    assert phone.page.evaluate("window.markerCamera.calls") == 1, "the page's own stream is the only one"
    phone.page.evaluate("window.tracker.stop()")
    assert phone.page.evaluate("[window.marker.isVisible, document.querySelector('video').srcObject.getTracks()[0].readyState]") == [False, "live"]


@pytest.mark.parametrize("isServer", [False, True], ids=["files", "server"])
def test_a_page_of_another_origin(visitor, site, pictures, views, foreign, tmp_path, isServer):
    """From a folder of files that anybody serves, and from the server itself, which has to be told whose pages may."""
    port = free_port()
    server = Sightline(tmp_path, foreign.port, more=["--demo", "none", "--allow-origin", f"http://127.0.0.1:{port}"]).start() if isServer else None
    if server:
        site = server
    other = Site(elsewhere=site.url, port=port)
    try:
        phone = visitor(on=other)
        # All of Sightline comes from the other server; nothing else is foreign.
        address = other.page("/foreign.html", '<sightline-view><sightline-marker dictionary="6x6-250" marker-id="0" size="0.06">'
                                              '<div class="sheet">x</div></sightline-marker></sightline-view>', origin=site.url)
        phone.page.goto(address)
        begin(phone)
        show(phone, "front")
        phone.wait("document.querySelector('sightline-marker').anchor?.isVisible")
        assert {url.split("/")[2] for url in phone.foreign} == {site.url.split("/")[2]}
        phone.expect_requests(site.url)
    finally:
        other.close()
        if server:
            server.stop()


# Bytes as sent (gzip) of all that an example has loaded at its first frame, its own picture left aside; and what it has no use for.
MOST = {"place": ("/places.wasm", 116_000, "/engine.wasm"), "marker": ("/vision.wasm", 605_000, "sensors")}


@pytest.mark.first_visit
@pytest.mark.parametrize("name", MOST)
def test_an_example_loads_what_it_needs(visitor, site, record_property, name):
    phone = visitor(position=(48.3935, 9.9916, None))
    phone.page.goto(f"{site.url}/examples/{name}.html")
    phone.point(0 - phone.declination, 2)
    begin(phone)
    if name == "marker":
        show(phone, "front")
    measured = phone.page.evaluate("""async (tag) => {
      const anchor = document.querySelector(tag).anchor;
      const { tracker } = document.querySelector('sightline-view');
      const start = performance.now();
      await new Promise((done) => { const off = tracker.on('frame', () => { if (anchor.isVisible) { off(); done(); } }); });
      const first = performance.now();
      const paths = performance.getEntriesByType('resource').map(({ name }) => new URL(name).pathname);
      let frames = 0;
      const off = tracker.on('frame', () => (frames += 1));
      await new Promise((done) => setTimeout(done, 2000));
      off();
      return { paths: [...new Set(paths)], first, waited: first - start, rate: frames / 2 };
    }""", "sightline-" + name)
    sizes = {path: len(gzip.compress(Site.file(path)[1], 9)) for path in measured["paths"] if Site.file(path)}
    total = sum(sizes.values())
    record_property("bytes", total)
    print(f"{name}: {len(sizes)} files, {total} bytes, seen {measured['first']:.0f} ms after the page began, {measured['rate']:.0f} frames a second")
    needed, most, useless = MOST[name]
    assert needed in sizes and total <= most
    assert [path for path in sizes if useless in path] == []


@pytest.mark.parametrize("name", ["drawing", "three"])
def test_drawing_of_ones_own(visitor, site, views, output, name):
    three = pathlib.Path("/usr/share/javascript/three/three.module.js")
    if name == "three":
        site.pages["/examples/three.module.js"] = ("text/javascript", three.read_bytes())
    phone = visitor()
    phone.page.goto(f"{site.url}/examples/{name}.html")
    phone.page.locator("#start").click()
    phone.wait("window.markerCamera.calls > 0")
    show(phone, "front")
    corners = [on_screen(corner) for corner in views["front"].corners()]
    seen = None
    for _ in range(40):
        phone.page.screenshot(path=output / f"embed-{name}.png")
        seen = magenta(phone, output / f"embed-{name}.png")
        if seen:
            break
        phone.page.wait_for_timeout(100)
    assert seen, "nothing was drawn"
    low = [min(corner[k] for corner in corners) for k in (0, 1)]
    high = [max(corner[k] for corner in corners) for k in (0, 1)]
    if name == "three":
        # Its right half is behind what is not drawn, but hides.
        high[0] = on_screen(views["front"].pixel((0, 0, 0)))[0]
    slack = 3.5 if name == "drawing" else 1.5
    print(name, seen, low, high)
    assert max(abs(a - b) for a, b in zip([*seen[:2], *seen[2:]], [*low, *high])) < slack


def magenta(phone, path):
    """Bounds of what is magenta in a picture of the page: left, top, right, bottom."""
    data = base64.b64encode(path.read_bytes()).decode()
    return phone.page.evaluate("""async (text) => {
      const bitmap = await createImageBitmap(new Blob([Uint8Array.from(atob(text), (c) => c.charCodeAt(0))]));
      const context = new OffscreenCanvas(bitmap.width, bitmap.height).getContext('2d');
      context.drawImage(bitmap, 0, 0);
      const d = context.getImageData(0, 0, bitmap.width, bitmap.height).data;
      let box = null;
      for (let i = 0; i < d.length / 4; i++) {
        if (!(d[4 * i] > 200 && d[4 * i + 1] < 90 && d[4 * i + 2] > 200)) continue;
        const x = i % bitmap.width, y = (i - x) / bitmap.width;
        box = box ? [Math.min(box[0], x), Math.min(box[1], y), Math.max(box[2], x + 1), Math.max(box[3], y + 1)] : [x, y, x + 1, y + 1];
      }
      return box;
    }""", data)
