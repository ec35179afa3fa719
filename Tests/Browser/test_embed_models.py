"""Models, and the page's own drawing and HTML, on anchors in other people's pages: from the file to the pixel."""
import json
import math
import pathlib

import pytest
from support import geometry
from support.cube import CORNERS, SHOWN, corners_glb, standing
from support.foreign import Answer
from support.marker_pictures import flat_square_glb
from support.picture import decode, patches
from test_embed import CAMERA, QUAD, SCREEN, SIDE, SIZE, Site, begin, on_screen, pictures, show, site, views, visitor  # noqa: F401

MAGENTA, CYAN = [255, 0, 255], [0, 255, 255]
HALF = SIDE / 2
# Seen on a marker: a square that lies on it, and one of half the side that stands on its lower half, its face to the upper edge, from where the camera looks.
STANDS = [(x * HALF / 2, -0.01, z) for x, z in ((-1, 0), (1, 0), (1, HALF), (-1, HALF))]
PHONE = '<meta name="viewport" content="width=device-width, initial-scale=1">'
TWO = """<sightline-marker dictionary="6x6-250" marker-id="0" size="0.06">
  <sightline-model id="lies" src="/square.glb" alt="A square"></sightline-model>
  <sightline-model id="stands" src="/cyan.glb" scale="0.5" rotation="-90 0 0" position="0 0.015 0.01"></sightline-model>
</sightline-marker>"""
HEAR = """['load', 'error', 'select'].forEach((type) => document.addEventListener(type, (event) =>
  event.target?.localName?.startsWith('sightline-') && (window.heard ??= []).push([type, event.target.id, event.detail?.code ?? null]), true));"""
STATES = "[...document.querySelectorAll('sightline-model')].every((model) => model.state === 'ready')"


@pytest.fixture(scope="module", autouse=True)
def squares(site):  # noqa: F811
    kind = "model/gltf-binary"
    site.pages |= {"/square.glb": (kind, flat_square_glb(SIDE)), "/cyan.glb": (kind, flat_square_glb(SIDE, (0, 1, 1, 1))),
                   "/green.glb": (kind, flat_square_glb(SIDE, (0, 0.21586, 0, 1))),
                   "/cube.glb": (kind, corners_glb()), "/page.glb": ("text/html", b"<!doctype html><title>no model</title>"),
                   "/broken.glb": (kind, flat_square_glb(SIDE).replace(b'"indices": 1', b'"indices": 9'))}


def found(phone, path, colors=(MAGENTA, CYAN)):
    """Bounds of each colour on the screen."""
    return patches(phone.page, phone.page.screenshot(path=path), [list(color) for color in colors], 40)


def box(points):
    return [min(p[0] for p in points), min(p[1] for p in points), max(p[0] for p in points), max(p[1] for p in points)]


def assert_boxes(phone, path, wanted, slack=1.5):
    """Each of the colours is where it has to be; `None`: nowhere."""
    for _ in range(60):
        seen = [patch and patch["box"] for patch in found(phone, path)]
        worst = math.inf
        if [each is None for each in seen] == [each is None for each in wanted]:
            worst = max((abs(a - b) for one, other in zip(seen, wanted) if one for a, b in zip(one, other)), default=0.0)
        if worst < slack:
            break
        phone.page.wait_for_timeout(50)
    print(f"{path.stem}: edges off by {worst:.2f} px")
    assert worst < slack, (seen, wanted)


def test_models_stand_on_their_marker(visitor, site, views, output):  # noqa: F811
    phone = visitor()
    phone.page.add_init_script(HEAR)
    phone.page.goto(site.page("/models.html", f"{PHONE}<sightline-view>{TWO}</sightline-view>"))
    phone.wait(STATES)
    begin(phone)
    show(phone, "tilted")
    seen = views["tilted"]
    lies, stands = box([on_screen(corner) for corner in seen.corners()]), box([on_screen(seen.pixel(point)) for point in STANDS])
    assert_boxes(phone, output / "embed-models.png", [lies, stands])
    assert phone.page.get_by_role("img", name="A square").count() == 1
    # What is in front is selected, and what is behind beside it; nothing where nothing is.
    middle = on_screen(seen.pixel((0, -0.01, HALF / 2)))
    beside = on_screen(seen.pixel((HALF * 0.9, -0.01, 0)))
    for point in (middle, beside, (5, 5)):
        phone.page.mouse.click(*point)
    heard = phone.page.evaluate("window.heard")
    assert sorted(id for type, id, _ in heard if type == "load") == ["lies", "stands"]
    assert [id for type, id, _ in heard if type == "select"] == ["stands", "lies"]
    assert_boxes(phone, output / "embed-models.png", [lies, stands])
    # The graphics card may be lost for a while.
    phone.page.evaluate("""() => { const canvas = document.querySelector('sightline-view').shadowRoot.querySelector('[part=models]');
      window.lost = canvas.getContext('webgl2').getExtension('WEBGL_lose_context'); window.lost.loseContext(); }""")
    assert_boxes(phone, output / "embed-models-lost.png", [None, None])
    phone.page.evaluate("window.lost.restoreContext()")
    assert_boxes(phone, output / "embed-models-restored.png", [lies, stands])
    # Turned, taken out, put in again, another file.
    phone.page.evaluate("document.querySelector('#stands').setAttribute('rotation', '0 0 0')")
    flat = box([on_screen(seen.pixel((x * HALF / 2, -0.01 + y * HALF / 2, 0.015))) for x in (-1, 1) for y in (-1, 1)])
    assert_boxes(phone, output / "embed-models-turned.png", [lies, flat])
    phone.page.evaluate("window.gone = document.querySelector('#stands'); window.gone.remove()")
    assert_boxes(phone, output / "embed-models-one.png", [lies, None])
    phone.page.evaluate("document.querySelector('#lies').setAttribute('src', '/cyan.glb')")
    assert_boxes(phone, output / "embed-models-other.png", [None, lies])
    # A second view, in the upper left, with a model of its own.
    phone.page.evaluate("""() => { const view = document.createElement('sightline-view');
      view.innerHTML = '<sightline-marker dictionary="6x6-250" marker-id="0" size="0.06"><sightline-model src="/square.glb"></sightline-model>';
      view.style.inset = '0 60% 60% 0'; document.body.append(view); view.start(); }""")
    assert_boxes(phone, output / "embed-models-two.png", [[value * 0.4 for value in lies], lies])
    phone.page.evaluate("document.querySelectorAll('sightline-view')[1].remove()")
    phone.page.evaluate("document.querySelector('sightline-view').stop()")
    assert_boxes(phone, output / "embed-models-stopped.png", [None, None])
    phone.page.evaluate("document.querySelector('#lies').remove()")
    assert phone.page.evaluate("document.querySelector('sightline-view').shadowRoot.querySelectorAll('canvas').length") == 1, "only the held picture's"


def test_models_stand_at_places(new_phone, site, output):  # noqa: F811
    """One near, whose eight corners are told apart; one ten kilometres away, which is seen because it is large."""
    here = (48.3935, 9.9916, None)
    near, far = geometry.place_at((*here[:2], 0.0), 2.0, 14.0, 0.0), geometry.place_at((*here[:2], 0.0), 1200.0, 10_000.0, 0.0)
    phone = new_phone(on=site, screen=(390, 844), position=here, scale=1, allowed=[])
    phone.expect("GPU stall due to ReadPixels")
    phone.state = lambda: phone.page.evaluate("document.body.innerText")
    phone.page.goto(site.page("/places.html", f"""{PHONE}<sightline-view>
      <sightline-place latitude="{near[0]:.9f}" longitude="{near[1]:.9f}" height="1.5">
        <sightline-model src="/cube.glb" heading="215" scale="1.5" position="0 -0.5 0"></sightline-model></sightline-place>
      <sightline-place latitude="{far[0]:.9f}" longitude="{far[1]:.9f}" height="800">
        <sightline-model src="/green.glb" heading="187" scale="10000" rotation="90 0 0"></sightline-model></sightline-place>
      </sightline-view>"""))
    axes = phone.point(0 - phone.declination, 2)
    begin(phone)
    phone.wait(STATES)
    phone.wait("document.querySelector('sightline-view').tracker.video.videoWidth > 0")
    focal = geometry.focal_points(phone.screen, phone.picture, 65)

    def at(place, up, offset):
        foot = geometry.east_north_up((*here[:2], 0.0), (*place[:2], 0.0))
        return geometry.project((foot[0] + offset[0], foot[1] + offset[1], up + offset[2]), axes, phone.screen, focal)
    # The place is 1.5 m over the eye; the middle of the cube half a metre lower.
    wanted = [at(near, 1.0, standing(tuple(1.5 * c for c in corner), 215)) for corner in CORNERS]
    large = box([at(far, 800.0, standing((x, y, 0), 187)) for x in (-300, 300) for y in (-300, 300)])
    for _ in range(60):
        *seen, green = found(phone, output / "embed-models-places.png", [*SHOWN, (0, 128, 0)])
        worst = max(math.dist(patch["middle"], point) if patch else math.inf for patch, point in zip(seen, wanted))
        edges = max(abs(a - b) for a, b in zip(green["box"], large)) if green else math.inf
        if worst < 2 and edges < 2.5:
            break
        phone.page.wait_for_timeout(50)
    print(f"places: corners off by {worst:.2f} px, edges ten kilometres away by {edges:.2f} px")
    assert worst < 2 and edges < 2.5, (seen, wanted, green, large)


def test_what_is_wrong_with_a_model_is_said(visitor, foreign):  # noqa: F811
    closed = foreign.serve("/closed.glb", Answer(flat_square_glb(SIDE)))
    other = Site(elsewhere=foreign.address(""))
    try:
        wrong = {"missing": 'src="/no.glb"', "page": 'src="/page.glb"', "broken": 'src="/broken.glb"', "closed": f'src="{closed}"',
                 "nothing": "", "big": 'src="/square.glb" scale="big"', "north": 'src="/square.glb" heading="0"',
                 "fine": 'src="/square.glb"'}
        other.pages |= {f"/{name}.glb": ("model/gltf-binary", body) for name, body in (
            ("square", flat_square_glb(SIDE)), ("page", b"<!doctype html>"), ("broken", flat_square_glb(SIDE).replace(b'"indices": 1', b'"indices": 9')))}
        models = "".join(f'<sightline-model id="{id}" {attributes}></sightline-model>' for id, attributes in wrong.items())
        phone = visitor(on=other)
        phone.expect("Sightline:", "Failed to load", "blocked by CORS", "Refused to connect", "violates")
        phone.page.add_init_script(HEAR)
        phone.page.goto(other.page("/wrong.html", f'<sightline-model id="lonely" src="/square.glb"></sightline-model><sightline-view>'
                                                  f'<sightline-marker dictionary="6x6-250" marker-id="0" size="0.06">{models}</sightline-marker>'
                                                  '<sightline-model id="nowhere" src="/square.glb"></sightline-model></sightline-view>'))
        phone.wait("window.heard?.length === 10", seconds=20)
        heard = {id: code or type for type, id, code in phone.page.evaluate("window.heard")}
        assert heard == {
            "missing": "model-missing", "page": "model-not-glb", "broken": "model-invalid", "closed": "model-cross-origin",
            "nothing": "attribute", "big": "attribute", "north": "attribute", "fine": "load", "lonely": "attribute",
            "nowhere": "attribute"}, heard
        phone.expect_requests(closed)
    finally:
        other.close()


def test_a_hundred_times_in_and_out_nothing_grows(new_phone, site, pictures, record_property):  # noqa: F811
    # Without what counts in the other tests: that would hold what it counts.
    camera = CAMERA.replace("SIZE", json.dumps(SIZE)).replace("PICTURES", json.dumps(pictures))
    phone = new_phone(on=site, picture=None, scripts=[camera], screen=SCREEN, scale=1, allowed=[])
    phone.state = lambda: phone.page.evaluate("document.body.innerText")
    phone.expect("GPU stall due to ReadPixels")
    phone.page.goto(site.page("/memory.html", PHONE))
    session = phone.page.context.new_cdp_session(phone.page)
    session.send("HeapProfiler.enable")

    # Five at a time share a camera and a worker, as views of a page do. What each of them is made of must be gone, whatever the heap says.
    def turn(rounds):
        phone.page.evaluate("""async ([body, rounds]) => {
          window.made ??= [];
          for (let k = 0; k < rounds; k++) {
            const views = Array.from({ length: 5 }, () => {
              const view = document.createElement('sightline-view');
              view.insertAdjacentHTML('beforeend', body);
              document.body.append(view);
              return view;
            });
            await Promise.all(views.map((view) => view.start()));
            await Promise.all(views.flatMap((view) => [...view.querySelectorAll('sightline-model')]).map((model) =>
              model.state === 'ready' || new Promise((done) => model.addEventListener('load', done, { once: true }))));
            for (const view of views) {
              for (const part of [view, view.tracker, view.tracker.video, view.firstElementChild.anchor, view.querySelector('sightline-model')]) {
                made.push(new WeakRef(part));
              }
              view.remove();
            }
          }
        }""", [TWO, rounds])

    def measure():
        for _ in range(3):
            phone.page.wait_for_timeout(300)
            session.send("HeapProfiler.collectGarbage")
        counters = session.send("Memory.getDOMCounters")
        return {"heap": session.send("Runtime.getHeapUsage")["usedSize"], **counters}
    show(phone, "front")
    turn(4)
    states = [measure()]
    for _ in range(2):
        turn(10)
        states.append(measure())
    made, held = phone.page.evaluate("[made.length, made.filter((one) => one.deref()).map((one) => one.deref().constructor.name)]")
    print(f"of {made} views, trackers, videos, anchors and models there are left: {held}")
    print(json.dumps(states))
    first, _, last = states
    record_property("heap", last["heap"] - first["heap"])
    print(f"100 times: heap {first['heap']} → {last['heap']} bytes, nodes {first['nodes']} → {last['nodes']}, "
          f"listeners {first['jsEventListeners']} → {last['jsEventListeners']}")
    assert made == 120 * 5 and len(held) <= 5, held
    assert last["nodes"] <= first["nodes"] + 5 and last["jsEventListeners"] <= first["jsEventListeners"] + 5
    # Half a kilobyte a time is the browser's own (compiled code, what its inspector keeps of requests, as a snapshot of the heap says);
    # a view that something holds takes eight and 170 nodes: the bound is half of that.
    assert last["heap"] < first["heap"] + 400_000


def test_html_on_a_wall_and_on_a_video_of_the_page(visitor, site, views, output):  # noqa: F811
    """The examples: what is drawn follows by CSS, and what is in it can be tapped."""
    for name, selector, width in (("wall", ".panel", 0.3), ("video", ".sheet", SIDE)):
        phone = visitor()
        phone.page.goto(f"{site.url}/examples/{name}.html")
        phone.page.locator("#start").click()
        phone.wait("window.markerCamera.calls > 0")
        show(phone, "tilted")
        phone.wait("(selector) => getComputedStyle(document.querySelector(selector)).visibility === 'visible'", arg=selector)
        high = width * phone.page.evaluate("(s) => { const e = document.querySelector(s); return e.offsetHeight / e.offsetWidth; }", selector)
        wanted = [on_screen(views["tilted"].pixel((x * width / 2, y * high / 2, 0))) for x, y in ((-1, 1), (1, 1), (1, -1), (-1, -1))]
        for _ in range(40):
            worst = max(math.dist(a, b) for a, b in zip(phone.page.evaluate(QUAD, selector), wanted))
            if worst < 0.005 * math.dist(wanted[0], wanted[2]):
                break
            phone.page.wait_for_timeout(50)
        phone.page.screenshot(path=output / f"embed-{name}.png")
        print(f"{name}: corners off by {worst:.2f} px")
        assert worst < 0.005 * math.dist(wanted[0], wanted[2]), (worst, wanted)
        if name == "wall":
            phone.page.get_by_role("button", name="I am here").click()
            assert phone.page.get_by_role("button", name="Welcome").count() == 1
        else:
            assert phone.page.evaluate("window.markerCamera.calls") == 1, "the page's own stream is the only one"
        show(phone, "nothing")
        phone.wait("(selector) => getComputedStyle(document.querySelector(selector)).visibility === 'hidden'", arg=selector)


def test_the_boat_of_the_example(visitor, site, views, output):  # noqa: F811
    """Its bow and its stern are where the file says, turned by thirty degrees, and as it rocks."""
    phone = visitor()
    phone.page.goto(f"{site.url}/examples/model.html")
    phone.wait(STATES)
    begin(phone)
    show(phone, "tilted")
    ends = [on_screen(views["tilted"].pixel((x * math.cos(math.radians(30)), x * math.sin(math.radians(30)), 0.03))) for x in (-0.05, 0.05)]
    for _ in range(60):
        # The paper, lit; the card of the marker is darker.
        [paper] = patches(phone.page, phone.page.screenshot(path=output / "embed-model.png"), [[252, 252, 246]], 20)
        left, top, right, bottom = paper["box"] if paper else (0, 0, 0, 0)
        worst = max(math.dist((left, bottom), ends[0]), math.dist((right, top), ends[1]))
        if worst < 10:
            break
        phone.page.wait_for_timeout(50)
    print(f"boat: ends off by {worst:.2f} px")
    assert worst < 10, (paper, ends)


# A square on the marker and the camera's picture behind it, with WebGL 1 or 2 and nothing else.
PLAIN = """
import { createTracker } from './embed/tracker.js';
import { webglBridge } from './embed/webgl-bridge.js';
const canvas = document.querySelector('canvas');
[canvas.width, canvas.height] = [innerWidth, innerHeight];
const gl = canvas.getContext('KIND', { alpha: false, preserveDrawingBuffer: true });
const tracker = await createTracker({ markers: true });
const marker = tracker.add({ marker: { dictionary: '6x6-250', id: 0, size: 0.06 } });
const bridge = webglBridge(tracker, gl);
const program = gl.createProgram();
for (const [type, text] of [
  [gl.VERTEX_SHADER, 'attribute vec3 p; uniform mat4 a, b; void main() { gl_Position = a * b * vec4(p, 1.0); }'],
  [gl.FRAGMENT_SHADER, 'precision mediump float; void main() { gl_FragColor = vec4(1.0, 0.0, 1.0, 1.0); }']]) {
  const shader = gl.createShader(type);
  gl.shaderSource(shader, text);
  gl.compileShader(shader);
  gl.attachShader(program, shader);
}
gl.bindAttribLocation(program, 0, 'p');
gl.linkProgram(program);
gl.useProgram(program);
gl.bindBuffer(gl.ARRAY_BUFFER, gl.createBuffer());
gl.bufferData(gl.ARRAY_BUFFER, new Float32Array([-1, -1, 0, 1, -1, 0, -1, 1, 0, 1, 1, 0].map((v) => v * 0.015)), gl.STATIC_DRAW);
gl.enableVertexAttribArray(0);
gl.vertexAttribPointer(0, 3, gl.FLOAT, false, 0, 0);
gl.enable(gl.DEPTH_TEST);
// All of this is set once: the bridge leaves it alone.
tracker.on('frame', () => {
  gl.clear(gl.COLOR_BUFFER_BIT | gl.DEPTH_BUFFER_BIT);
  bridge.drawBackground();
  const modelView = bridge.modelView(marker);
  if (!modelView) return;
  gl.uniformMatrix4fv(gl.getUniformLocation(program, 'a'), false, bridge.projection);
  gl.uniformMatrix4fv(gl.getUniformLocation(program, 'b'), false, modelView);
  gl.drawArrays(gl.TRIANGLE_STRIP, 0, 4);
  window.fault = gl.getError();
});
await tracker.start();
window.tracker = tracker;
window.bridge = bridge;
"""


@pytest.mark.parametrize("kind", ["webgl", "webgl2"])
def test_a_page_with_its_own_webgl(visitor, site, views, output, kind):  # noqa: F811
    phone = visitor()
    site.script("/plain.js", PLAIN.replace("KIND", kind))
    phone.page.goto(site.page("/plain.html", f'{PHONE}<div id="view"><canvas></canvas></div>', scripts=["/plain.js"]))
    phone.wait("window.tracker?.state === 'running'")
    show(phone, "tilted")
    seen = views["tilted"]
    path = output / f"embed-{kind}.png"
    assert_boxes(phone, path, [box([on_screen(corner) for corner in seen.corners(SIDE / 4)]), None])
    # The picture lies behind it as the view cuts it: just inside and outside of the black border's corners it is black and white.
    spots = [on_screen(corner) for side in (0.95, 1.08) for corner in seen.corners(HALF * side)]
    colours = decode(phone.page, path.read_bytes(), spots)["colours"]
    assert all(max(colour[:3]) < 90 for colour in colours[:4]) and all(min(colour[:3]) > 150 for colour in colours[4:]), colours
    assert phone.page.evaluate("window.fault") == 0
    phone.page.evaluate("window.bridge.stop()")
