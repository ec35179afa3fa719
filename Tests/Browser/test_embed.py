"""Sightline in other people's pages: the element and the tracker, before a camera that sees what is known exactly."""
import base64
import http.server
import json
import math
import pathlib
import threading

import pytest

from support import geometry
from support.marker_pictures import View, png, rotation
from support.sightline import CLIENT, MODELS, ODOMETRY, VISION, WASM

HERE = pathlib.Path(__file__).parent
CAMERA = (HERE / "support" / "marker_camera.js").read_text()
SIZE = (960, 540)
SIDE = 0.06
SCREEN = (844, 475)
# What a strict page allows: nothing inline, and for a foreign origin that origin alone.
STRICT = ("default-src 'none'; script-src 'self' 'wasm-unsafe-eval'{more}; style-src 'self'{more}; img-src 'self' data: blob:{more}; "
          "connect-src 'self'{more}; worker-src 'self' blob:; media-src 'self' blob: mediastream:")
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


class Site:
    """A web server of somebody else's: pages of the test, and on request the client's files for pages of other origins."""

    def __init__(self, elsewhere=None):
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

        self.server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.url = f"http://127.0.0.1:{self.server.server_port}"
        self.proxy_port = 1
        threading.Thread(target=self.server.serve_forever, daemon=True).start()

    KINDS = {".js": "text/javascript", ".html": "text/html", ".css": "text/css", ".json": "application/json", ".wasm": "application/wasm",
             ".glb": "model/gltf-binary", ".png": "image/png", ".svg": "image/svg+xml"}

    @staticmethod
    def file(path):
        built = {"/engine.wasm": WASM, "/vision.wasm": VISION, "/models.wasm": MODELS, "/odometry.wasm": ODOMETRY}.get(path)
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
