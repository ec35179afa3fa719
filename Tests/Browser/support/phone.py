"""A phone with the page on it: screen, camera, position and motion sensors as the test sets them, and a record of
everything that a good page does not do."""
import json
import pathlib
import time

from support import geoid, geometry, magnetic

HERE = pathlib.Path(__file__).parent
CAMERA = (HERE / "camera.js").read_text()
FRAMES = (HERE / "frames.js").read_text()
# Reports what the browser refused because of the page's security policy.
WATCH = """
window.violations = [];
document.addEventListener('securitypolicyviolation', (event) =>
  window.violations.push(`${event.effectiveDirective}: ${event.blockedURI}`));
"""
# Tells of requests to other servers, of the page and of the frames in it, once they have ended; what workers ask for is the security
# policy's to refuse. Hearing of each request from the browser would take a tenth of the processor time that a phone needs.
REQUESTS = """
(() => {
  const own = SERVER, tell = window.tellOfRequests;
  const foreign = (entries) => entries.map((entry) => entry.name)
    .filter((name) => !(own && name.startsWith(own)) && !/^(data|blob|about):/.test(name));
  const observer = new PerformanceObserver((list) => {
    const names = foreign(list.getEntries());
    if (names.length) tell(names);
  });
  observer.observe({ type: 'resource', buffered: true });
  Object.defineProperty(window, 'untoldRequests', { value: () => foreign(observer.takeRecords()) });
})();
"""
# As if the user had been asked before; what is taken back in a test stays taken back.
ALLOW = """
try {
  if (!sessionStorage.getItem('allowed')) {
    localStorage.setItem('sightline.consents', JSON.stringify(HOSTS.map((host) => [host, 'position', 'frames'])));
    sessionStorage.setItem('allowed', '1');
  }
} catch { /* a frame without storage */ }
"""
# Without the blur of what lies under bars of glass: half of what software draws, and nothing is read from it.
CLEAR_GLASS = """
const glass = new CSSStyleSheet();
glass.replaceSync('*, ::before, ::after { -webkit-backdrop-filter: none !important; backdrop-filter: none !important; }');
document.adoptedStyleSheets = [glass];
"""
SENSORS = ("accelerometer", "linear-acceleration", "gyroscope", "relative-orientation", "absolute-orientation")
ALL_PERMISSIONS = ("geolocation", "camera", "accelerometer", "gyroscope", "magnetometer")
FIELD_OF_VIEW = 65.0
# How the phones of most tests draw. Half of the tests' processor time was in drawing what nobody looked at.
SPARING = {"frames": 20, "blur": False}


class Phone:
    """One browser context with one page.

    `screen`: CSS pixels as held; wider than high is landscape (`screen.orientation.angle` 90).
    `picture`: size of the camera's picture in pixels, `None` for the browser's own fake camera.
    `permissions`: what the user allows; everything else is refused.
    `sensors`: whether there are motion sensors at all.
    `motion`: whether the page hears `devicemotion`. These phones turn at once, which no gyroscope would agree with, and
    their accelerometer has no noise over its steps of 0.1 m/s²; `test_motion.py` moves phones as they move.
    `agent`: what the browser says it is; with "iPhone" in it, positions have their height over the sea.
    `scale`: pixels of the display for a pixel of CSS; one, for software draws them, but where a test is about pixels.
    `frames`: how many a second the page may draw in; `None` as many as the browser gives.
    `blur`: whether what lies under bars of glass is blurred.
    `contexts`: those that may be used again; `None` for a browser that has loaded nothing before.
    `allowed`: other hosts that may know the position and show pages, as after a question that was answered before; `None`
    for the tests' server of foreign worlds.
    """

    def __init__(self, browser, server, *, screen=(390, 844), picture=(720, 1280), permissions=ALL_PERMISSIONS,
                 sensors=True, locale="en-GB", reduced_motion=None, position=(48.4, 10.0, 480.0), accuracy=5.0,
                 mobile=True, scripts=(), scale=1, motion=False, allowed=None, color_scheme=None, agent=None,
                 frames=None, blur=True, contexts=None):
        self.server, self.screen, self.position, self.scale = server, screen, position, scale
        self.counts_from_sea = bool(agent and "iPhone" in agent)
        self.picture, self.angle = picture, 90 if screen[0] > screen[1] else 0
        self._contexts = contexts
        self._options = {
            "viewport": {"width": screen[0], "height": screen[1]}, "device_scale_factor": scale, "is_mobile": mobile,
            "has_touch": mobile, "locale": locale, "user_agent": agent, "accept_downloads": True,
            "reduced_motion": reduced_motion or "no-preference", "color_scheme": color_scheme}
        make = contexts.take if contexts else browser.new_context
        self._context = make(permissions=list(permissions), **self._options)
        self.page = self._context.new_page()
        self.page.set_default_timeout(15000)
        self.cdp = self._context.new_cdp_session(self.page)
        # Chromium remarks on its own pictures of a WebGL canvas, now and then.
        self.complaints, self.expected = [], ["GPU stall due to ReadPixels"]
        self._foreign, self._expected_servers = [], []
        self._pointed = None
        self.page.on("pageerror", lambda error: self.complaints.append(f"page error: {error.stack or error}"))
        self.page.on("console", self._on_console)
        self.page.on("framenavigated", lambda frame: self._ask([frame.url]))
        self.page.expose_binding("tellOfRequests", lambda _, addresses: self._ask(addresses))
        self.page.add_init_script(WATCH)
        self.page.add_init_script(REQUESTS.replace("SERVER", json.dumps(server.url)))
        if frames:
            self.page.add_init_script(FRAMES.replace("RATE", str(frames)))
        if not blur:
            self.page.add_init_script(f"(() => {{ {CLEAR_GLASS} }})()")
        if picture:
            self.page.add_init_script(CAMERA.replace("SIZE", json.dumps(picture)))
        if not motion:
            self.page.add_init_script(
                "addEventListener('devicemotion', (event) => event.stopImmediatePropagation(), true)")
        hosts = [f"127.0.0.1:{server.proxy_port}", "127.0.0.1:1"] if allowed is None else list(allowed)
        if hosts:
            self.page.add_init_script(ALLOW.replace("HOSTS", json.dumps(hosts)))
        for script in scripts:
            self.page.add_init_script(script)
        self.sensors = sensors
        if sensors:
            meta = {"available": True, "minimumFrequency": 1, "maximumFrequency": 60}
            for kind in SENSORS:
                self.cdp.send("Emulation.setSensorOverrideEnabled", {"type": kind, "enabled": True, "metadata": meta})
        if "geolocation" in permissions:
            self.move(position, accuracy)

    def _on_console(self, message):
        if message.type in ("error", "warning") and not any(text in message.text for text in self.expected):
            self.complaints.append(f"console {message.type}: {message.text}")

    @property
    def context(self):
        """The browser's context. Who asks for it may change what no one can undo: it is not used again."""
        self._contexts = None
        return self._context

    def _ask(self, addresses):
        """What was asked for, which may be another server's."""
        known = tuple(filter(None, (self.server.url, *self._expected_servers, "data:", "blob:", "about:", "chrome-error:")))
        self._foreign += [address for address in addresses if not address.startswith(known)]

    @property
    def foreign(self):
        """Addresses of other servers that were asked for."""
        if not self.page.is_closed():
            self._ask(self.page.evaluate("window.untoldRequests?.() ?? []"))
        return self._foreign

    def expect_requests(self, *servers):
        """Other servers that belong to what the test does: how their addresses begin."""
        self._expected_servers += servers
        self._foreign = [address for address in self._foreign if not address.startswith(servers)]

    def expect(self, *texts):
        """Console messages that belong to what the test does (a browser logs every failed request)."""
        self.expected += texts

    # The world around it.

    def move(self, position, accuracy=5.0):
        """A new fix: (latitude, longitude, altitude), altitude over the sea, None when the platform has none. Phones with
        Android tell the height over the ellipsoid, iPhones that over the sea."""
        self.position = position
        override = {"latitude": position[0], "longitude": position[1], "accuracy": accuracy}
        if len(position) > 2 and position[2] is not None:
            rise = 0 if self.counts_from_sea else geoid.height(position[0], position[1])
            override.update(altitude=position[2] + rise, altitudeAccuracy=3.0)
        self.cdp.send("Emulation.setGeolocationOverride", override)

    @property
    def declination(self):
        """Of the place where the phone is, now, by the tests' own model."""
        latitude, longitude, altitude = self.position
        return magnetic.declination(latitude, longitude, altitude or 0.0, magnetic.decimal_year())

    def turn(self, screen, angle, kind, picture):
        """The screen and the camera's picture after the phone was turned to another side."""
        self.screen, self.angle, self.picture = screen, angle, picture
        self.cdp.send("Emulation.setDeviceMetricsOverride", {
            "width": screen[0], "height": screen[1], "deviceScaleFactor": self.scale, "mobile": True,
            "screenOrientation": {"type": kind, "angle": angle}})
        self.page.evaluate("([w, h]) => window.fakeCamera.resize(w, h)", list(picture))
        self.wait(
            "([w, h, vw]) => innerWidth === w && innerHeight === h && document.querySelector('#camera').videoWidth === vw",
            arg=[*screen, picture[0]])

    def point(self, magnetic_heading, pitch=0.0, roll=0.0):
        """Turns the phone and returns the axes of its display in true east, north, up.

        The heading is given from magnetic north, as a phone's sensors measure it: whole tenths of a degree then reach
        the page unrounded (browsers round angles to tenths).
        """
        self._pointed = (magnetic_heading, pitch, roll)
        axes = geometry.held(magnetic_heading, pitch, roll)
        device = geometry.device_axes(axes, self.angle)
        self._orient(device)
        return geometry.turned(axes, self.declination)

    def point_again(self):
        """Tells the sensors' readings once more: the browser tells them as they change, perhaps before anybody listened."""
        if self._pointed:
            heading, *others = self._pointed
            self.point(heading + 0.2, *others)
            self.page.wait_for_timeout(60)
            self.point(heading, *others)

    def _orient(self, device):
        w, x, y, z = geometry.quaternion(device)
        reading = {"quaternion": {"x": x, "y": y, "z": z, "w": w}}
        gravity = [9.81 * axis[2] for axis in device]
        self.cdp.send("Emulation.setSensorOverrideReadings", {
            "type": "accelerometer", "reading": {"xyz": dict(zip("xyz", gravity))}})
        for kind in ("gyroscope", "linear-acceleration"):
            self.cdp.send("Emulation.setSensorOverrideReadings", {
                "type": kind, "reading": {"xyz": {"x": 0, "y": 0, "z": 0}}})
        for kind in ("relative-orientation", "absolute-orientation"):
            self.cdp.send("Emulation.setSensorOverrideReadings", {"type": kind, "reading": reading})

    def expected_point(self, axes, target):
        """Where the position `target` has to be drawn with these axes: display points, or None behind the camera."""
        picture = self.picture
        focal = geometry.focal_points(self.screen, picture, FIELD_OF_VIEW)
        return geometry.project(geometry.east_north_up(self.position, target), axes, self.screen, focal)

    # The page.

    def open(self, hash="", wait=True):
        """Loads the page at an address after the `#`."""
        self.page.goto(self.server.url + "/" + (f"#{hash}" if hash else ""))
        if wait:
            self.wait("Boolean(window.sightline?.ready)")
            self.page.evaluate("window.sightline.ready")

    def open_foreign(self, address, **options):
        """Loads the page on a foreign world."""
        from urllib.parse import quote
        extra = "".join(f"&{name}={value}" for name, value in options.items())
        self.open(f"/open?url={quote(address, safe='')}{extra}")

    def start(self):
        """The one tap that asks for everything, up to the first picture of the world."""
        self.page.locator("#start-ar").tap() if self.context_has_touch else self.page.locator("#start-ar").click()
        self.wait_ready()

    @property
    def context_has_touch(self):
        return self.page.evaluate("navigator.maxTouchPoints > 0")

    def wait_ready(self):
        self.wait("document.documentElement.dataset.ready === '1'")

    def wait(self, expression, arg=None, seconds=15.0):
        """Until the expression (or function of `arg`) is true in the page. Asked from outside, again and again: waiting
        inside the page would need `eval`, which the page's security policy refuses."""
        end, pause = time.monotonic() + seconds, 0.02
        while True:
            if self.page.evaluate(expression, arg):
                return
            if time.monotonic() > end:
                raise AssertionError(f"not within {seconds} s: {expression}\n{json.dumps(self.state(), indent=1)}")
            # Asking takes the machine's time from what is waited for.
            time.sleep(pause)
            pause = min(pause * 1.5, 0.15)

    def state(self):
        return self.page.evaluate("window.sightline.state()")

    def view(self):
        return self.page.evaluate("document.documentElement.dataset.view")

    def settle(self):
        """Waits until nothing in the view moves any more: three pictures in a row, and for a quarter of a second, as the one before."""
        self.page.evaluate("""async () => {
          const look = () => [...document.querySelectorAll('.label, .cluster, .edge-arrow')]
            .map((e) => e.className + e.style.transform + e.style.opacity + (e.anchorX ?? '')).sort().join('\\n');
          const next = () => new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve, 30)));
          const end = performance.now() + 8000;
          let same = 0, since = performance.now(), last = null;
          const isStill = () => same >= 3 && performance.now() - since >= 250;
          while (!isStill() && performance.now() < end) {
            await next();
            const now = look();
            same = now === last ? same + 1 : 0;
            if (!same) since = performance.now();
            last = now;
          }
          if (!isStill()) throw new Error('the view does not come to rest');
        }""")

    def labels(self):
        """The visible labels by id: anchor, box, whether lifted."""
        return self.page.evaluate("""() => Object.fromEntries([...document.querySelectorAll('.label')]
          .filter((e) => e.offsetParent !== null || e.getClientRects().length)
          .map((e) => {
            const b = e.getBoundingClientRect();
            return [e.dataset.id, { index: Number(e.dataset.feature), text: e.textContent,
              anchor: [e.anchorX, e.anchorY], lifted: e.classList.contains('lifted'),
              box: [b.left, b.top, b.width, b.height] }];
          }))""")

    def wait_label(self, id):
        self.page.wait_for_selector(f'.label[data-id="{id}"]')

    def wait_world(self, name):
        """Until a world with this name is loaded."""
        self.wait(
            "(name) => { const s = window.sightline.state(); return s.world && (s.world.name === name || s.world.title === name); }",
            arg=name)

    def tap(self, selector):
        locator = self.page.locator(selector).first
        locator.tap() if self.context_has_touch else locator.click()

    def check(self):
        """Nothing happened that a good page does not do."""
        violations = [] if self.page.is_closed() else self.page.evaluate("window.violations ?? []")
        assert not violations, f"the security policy was broken: {violations}"
        assert not self.complaints, f"the page complained: {self.complaints}"
        foreign = self.foreign
        assert not foreign, f"requests to other servers: {foreign}"

    def close(self, is_fine=False):
        """`is_fine`: nothing has failed, so that what is left may be used again."""
        contexts = self._contexts
        if is_fine and contexts and not self.page.is_closed():
            contexts.give_back(self._context, self.cdp, self.page, **self._options)
        else:
            self._context.close()


def wait_until(condition, what, seconds=15.0):
    """Polls something outside of the page."""
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        if condition():
            return
        time.sleep(0.05)
    raise AssertionError(f"not within {seconds} s: {what}")
