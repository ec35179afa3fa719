"""Models, and the page's own drawing and HTML, on anchors in other people's pages: from the file to the pixel."""
import json
import math
import pathlib

import pytest
from support import geometry
from support.cube import CORNERS, SHOWN, corners_glb, standing
from support.foreign import Answer
from support.marker_pictures import flat_square_glb
from support.picture import patches
from test_embed import SCREEN, SIDE, Site, begin, on_screen, pictures, show, site, views, visitor  # noqa: F401

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
    phone.page.evaluate("document.querySelector('sightline-view').stop()")
    assert_boxes(phone, output / "embed-models-stopped.png", [None, None])
    phone.page.evaluate("document.querySelector('#lies').remove()")
    assert phone.page.evaluate("document.querySelector('sightline-view').shadowRoot.querySelectorAll('canvas').length") == 1, "only the held picture's"
