"""Whole worlds in other people's pages: `<sightline-view world="…">` from another origin, before a phone whose direction and position are
known exactly."""
import json
import math
import re
import struct
import zlib

import pytest

from support import geometry
from support.sightline import ROOT, Sightline
from support.cube import CORNERS, SHOWN, corners_glb, standing
from support.marker_pictures import flat_square_glb
from support.picture import patches
from test_embed import CAMERA, COUNT, SCREEN, SIDE as MARKER, SIZE, Site, begin, magenta, on_screen, pictures, show, views  # noqa: F401
from test_sounds import EARS, wav

HERE = (48.3935, 9.9916, 480.0)
# Metres east, north and over the eye; the first two lie before the phone, the third behind it.
WHERE = {"sign": (0.0, 150.0, -30.0), "minster": (-10.0, 300.0, 20.0), "museum": (30.0, 200.0, 8.0), "station": (0.0, -400.0, 0.0)}
# A picture in true size, metres; and one of magenta alone.
SIDE = 20.0


def chunk(kind, data):
    return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))


MAGENTA = b"\x89PNG\r\n\x1a\n" + b"".join([chunk(b"IHDR", struct.pack(">IIBBBBB", 4, 4, 8, 2, 0, 0, 0)),
                                           chunk(b"IDAT", zlib.compress((b"\0" + b"\xff\0\xff" * 4) * 4)), chunk(b"IEND", b"")])
PICTURE = ("image/svg+xml", b'<svg xmlns="http://www.w3.org/2000/svg" width="80" height="60"><rect width="80" height="60" fill="#c0f"/></svg>')


def world(**more):
    """A world in the form that a server gives."""
    def place(name, **fields):
        east, north, up = WHERE[name]
        latitude, longitude, _ = geometry.place_at((HERE[0], HERE[1], 0), east, north, 0)
        return {"id": name, "title": name.capitalize(), "position": {"latitude": latitude, "longitude": longitude, "altitude": up},
                "altitudeMode": "eye", "pivot": "CC", "visual": {"kind": "text", "text": name.capitalize()}, **fields}
    return {"world": {}, "dimension": {
        "name": "Old town", "attribution": "Ulm archive", "radarAvailable": True, "assets": [{"id": "sign", "url": "pictures/sign.png"}],
        "places": [
            place("minster", summary="<img src=x onerror=window.hit=1> The **highest** steeple, https://example.org/tower.",
                  imageURL="pictures/tower.svg", link="https://example.org/minster?a=1", phone="+49 731 1", metadata={"built": "1377"}),
            place("museum", summary="Nothing to press", link="javascript:window.hit=1", categories=["museum"],
                  action={"kind": "webPage", "url": "javascript:window.hit=1"}),
            place("sign", visual={"kind": "image", "assetID": "sign"}, size={"width": SIDE}, attitude={"heading": 180}),
            place("station", shapes=[{"kind": "line", "parts": [[[9.99, 48.396], [9.993, 48.396]]]}]),
        ],
        "overlays": [{"x": 0, "y": 0, "pivot": "TL", "hidden": False, "content": {"kind": "html", "url": "javascript:window.hit=1", "width": 9, "height": 9}}],
    } | more, "problems": [{"severity": "warning", "code": "x", "path": "places[1].link", "message": "this link opens nothing"}]}


@pytest.fixture(scope="module")
def site(archive):
    # Its policy allows the other server, as embedding.md says.
    site = Site(elsewhere=archive.url)
    yield site
    site.close()


@pytest.fixture(scope="module")
def archive():
    """Another server: only its worlds are read."""
    other = Site()
    other.pages["/town/world.json"] = ("application/json", json.dumps(world()).encode())
    other.pages["/town/pictures/tower.svg"] = PICTURE
    other.pages["/town/pictures/sign.png"] = ("image/png", MAGENTA)
    yield other
    other.close()


HEAR = """['worldload', 'select', 'error'].forEach((type) => addEventListener(type, ({ detail }) => detail &&
  (window.heard ??= []).push([type, detail.place?.id ?? detail.code ?? detail.title ?? null, detail.message ?? detail.notes ?? null]), true));"""


@pytest.fixture
def visitor(new_phone, site):
    def make(**options):
        phone = new_phone(on=options.pop("on", site), position=HERE, allowed=[], scripts=[COUNT, HEAR], **options)
        phone.expect("GPU stall due to ReadPixels")
        phone.state = lambda: phone.page.evaluate("""({ heard: window.heard, views: [...document.querySelectorAll('sightline-view')].map((view) =>
          [view.tracker?.status, view.world?.content?.title, view.world?.frame?.isValid, view.world?.engine.status(), view.world?.labels]) })""")
        return phone
    return make


SEEN = """(selector) => {
  const root = document.querySelector(selector).shadowRoot;
  return Object.fromEntries([...root.querySelectorAll('.label:not([hidden])')].map((label) =>
    [label.dataset.id, { anchor: [label.anchorX, label.anchorY], level: label.dataset.level, text: label.innerText,
      box: (({ left, top, width, height }) => [left, top, width, height])(label.getBoundingClientRect()) }]));
}"""


def labels(phone, view="sightline-view"):
    return phone.page.evaluate(SEEN, view)


def truth(phone, name, axes, screen, aside=(0, 0)):
    latitude, longitude, _ = geometry.place_at((HERE[0], HERE[1], 0), *WHERE[name][:2], 0)
    east, north, _ = geometry.east_north_up((HERE[0], HERE[1], 0), (latitude, longitude, 0))
    return geometry.project((east + aside[0], north, WHERE[name][2] + aside[1]), axes, screen, geometry.focal_points(screen, phone.picture, 65))


def page(site, path, body):
    """As wide as the phone, in place of the 980 points of pages that say nothing."""
    address = site.page(path, body)
    kind, text = site.pages[path]
    site.pages[path] = (kind, text.replace(b'<meta charset="utf-8">', b'<meta charset="utf-8"><meta name="viewport" content="width=device-width">'))
    return address


def inside(phone, script, view="sightline-view"):
    """What a function of the view and of its shadow says."""
    return phone.page.evaluate(f"(selector) => {{ const view = document.querySelector(selector), root = view.shadowRoot; return ({script}); }}", view)


def test_a_world_is_seen_and_its_places_tell_of_themselves(visitor, site, archive, output):
    phone = visitor(color_scheme="dark")
    phone.page.goto(page(site, "/world.html", f'<sightline-view world="{archive.url}/town/world.json"></sightline-view>'))
    axes = phone.point(0 - phone.declination, 2)
    phone.wait("window.heard?.length")
    kind, title, notes = phone.page.evaluate("window.heard[0]")
    assert (kind, title) == ("worldload", "Old town"), "it is read before anybody taps"
    assert notes == ["places[1].link: this link opens nothing", "1 pages of others, fixed to the screen, are not shown here"]
    begin(phone)
    phone.wait("document.querySelector('sightline-view').tracker.video.videoWidth > 0")
    phone.wait("['minster', 'museum'].every((id) => document.querySelector('sightline-view').shadowRoot.querySelector(`.label[data-id=${id}]:not([hidden])`))")
    error = 99
    for _ in range(60):
        seen = labels(phone)
        error = max(math.dist(seen[name]["anchor"], truth(phone, name, axes, phone.screen)) for name in ("minster", "museum"))
        if error < 2:
            break
        phone.page.wait_for_timeout(50)
    print(f"world: places off by {error:.2f} px")
    assert error < 2
    # As large as the engine was told, so that the text fits; and over their places.
    assert seen["minster"]["text"].split("\n") == ["Minster", "300 m"]
    rooms = inside(phone, "[...root.querySelectorAll('.label:not([hidden]):not([data-level=dot]) .label-name')].map((e) => [e.textContent, "
                   "e.getBoundingClientRect().right, e.parentElement.getBoundingClientRect().right])")
    assert len(rooms) >= 2 and all(right <= edge + 0.5 for _, right, edge in rooms), rooms
    phone.wait("[...document.querySelector('sightline-view').shadowRoot.querySelectorAll('.label:not([hidden]) use')].some((use) => use.getBoundingClientRect().width > 5)")
    assert inside(phone, "[...root.querySelectorAll('.edge-arrow:not([hidden])')].map((e) => e.textContent)") == ["Station400 m"]
    # The same without a view, once the view has come to rest: what the page reads of the world.
    apart = 99
    for _ in range(60):
        told = {one["id"]: one for one in phone.page.evaluate("document.querySelector('sightline-view').world.labels")}
        apart = math.dist((told["museum"]["anchorX"], told["museum"]["anchorY"]), labels(phone)["museum"]["anchor"])
        if apart < 0.02:
            break
        phone.page.wait_for_timeout(50)
    assert apart < 0.02
    # A picture in true size stands where it belongs, as large as it is.
    corners = [truth(phone, "sign", axes, phone.screen, (dx, dy)) for dx in (-SIDE / 2, SIDE / 2) for dy in (-SIDE / 2, SIDE / 2)]
    expected = [min(x for x, _ in corners), min(y for _, y in corners), max(x for x, _ in corners), max(y for _, y in corners)]
    drawn = None
    for _ in range(60):
        phone.page.screenshot(path=output / "embed-world.png")
        drawn = magenta(phone, output / "embed-world.png")
        if drawn and max(abs(a - b) for a, b in zip(drawn, expected)) < 2.5:
            break
        phone.page.wait_for_timeout(100)
    print("sign:", drawn, expected)
    assert drawn and max(abs(a - b) for a, b in zip(drawn, expected)) < 2.5

    left, top, width, height = labels(phone)["minster"]["box"]
    phone.page.touchscreen.tap(left + width / 2, top + height / 2)
    card = phone.page.locator("sightline-view .card")
    card.locator("h2", has_text="Minster").wait_for()
    card.locator(".card-far", has_text=re.compile("^300 m$")).wait_for()
    assert "1377" in card.inner_text()
    assert "<img src=x" in card.inner_text(), "what looks like markup is text"
    assert card.locator("strong").inner_text() == "highest"
    links = card.locator("a").evaluate_all("(all) => all.map((a) => [a.getAttribute('href'), a.rel, a.target])")
    assert [link[0] for link in links] == ["https://example.org/tower", "https://example.org/minster?a=1", "tel:+497311"]
    assert all("noopener" in rel and target == "_blank" for _, rel, target in links)
    phone.wait("document.querySelector('sightline-view').shadowRoot.querySelector('.card img').naturalWidth === 80")
    phone.wait("document.querySelector('sightline-view').shadowRoot.querySelector('.label.selected')")
    phone.page.screenshot(path=output / "embed-world-card.png")
    # Nothing is laid out under the card.
    below = card.bounding_box()["y"]
    assert all(box["box"][1] + box["box"][3] <= below for box in labels(phone).values())
    card.get_by_role("button").click()
    phone.wait("document.querySelector('sightline-view').shadowRoot.querySelector('.card').hidden")
    # By keys; what would run a script is no link and opens nothing.
    phone.page.evaluate("document.querySelector('sightline-view').shadowRoot.querySelector('.label[data-id=museum]').focus()")
    phone.page.keyboard.press("Enter")
    card.locator("h2", has_text="Museum").wait_for()
    assert card.locator("a").count() == 0
    phone.page.keyboard.press("Escape")
    phone.wait("document.querySelector('sightline-view').shadowRoot.querySelector('.card').hidden")
    selections = [name for kind, name, _ in phone.page.evaluate("window.heard") if kind == "select"]
    assert selections == ["minster", None, "museum", None], selections
    assert phone.page.evaluate("window.hit ?? null") is None and len(phone.context.pages) == 1
    # The line before the phone is drawn.
    assert inside(phone, "root.querySelector('.world-lines').getContext('2d').getImageData(0, 0, 780, 1688).data.some((v) => v > 0)")
    assert {url.split("/")[2] for url in phone.foreign} == {archive.url.split("/")[2]}
    assert "lat" not in " ".join(phone.foreign)
    phone.expect_requests(archive.url)


def things(near):
    """A world of what is not a label: a model at a place and one on a marker, what is fixed to the view, sounds."""
    model = {"kind": "model", "xRotation": 0, "yRotation": 0, "zRotation": 0}
    return {"dimension": {
        "name": "Things", "soundURL": "bell.wav",
        "assets": [{"id": "cube", "url": "cube.glb"}, {"id": "square", "url": "square.glb"}, {"id": "sign", "url": "sign.png"}],
        "places": [
            {"id": "cube", "title": "Cube", "position": {"latitude": near[0], "longitude": near[1], "altitude": 1.0}, "altitudeMode": "eye", "pivot": "CC",
             "visual": {**model, "assetID": "cube", "scale": 1.5}, "attitude": {"heading": 215}},
            {"id": "plate", "title": "Plate", "summary": "On a print", "soundURL": "gone.wav", "marker": {"dictionary": "6x6-250", "id": 0, "length": MARKER},
             "visual": {**model, "assetID": "square", "scale": 1}},
        ],
        "overlays": [
            {"id": "more", "x": 10, "y": 20, "anchor": "TR", "pivot": "TR", "hidden": False, "content": {"kind": "text", "text": "More", "width": 0},
             "action": {"kind": "webPage", "url": "https://example.org/more"}},
            {"id": "logo", "x": 10, "y": 12, "anchor": "BR", "pivot": "BR", "hidden": False, "content": {"kind": "image", "assetID": "sign"}},
        ],
    }}


def test_models_prints_overlays_and_sounds_of_a_world(new_phone, site, pictures, views, output):  # noqa: F811
    near = geometry.place_at((HERE[0], HERE[1], 0.0), 6.0, 14.0, 0.0)
    kind = "model/gltf-binary"
    site.pages |= {"/things/world.json": ("application/json", json.dumps(things(near)).encode()), "/things/sign.png": ("image/png", MAGENTA),
                   "/things/cube.glb": (kind, corners_glb()), "/things/square.glb": (kind, flat_square_glb(MARKER, (0, 0.21586, 0, 1))),
                   "/things/bell.wav": ("audio/wav", wav(30))}
    camera = CAMERA.replace("SIZE", json.dumps(SIZE)).replace("PICTURES", json.dumps(pictures))
    phone = new_phone(on=site, picture=None, position=HERE, scripts=[COUNT, HEAR, EARS, camera], screen=SCREEN, scale=1, allowed=[])
    phone.expect("GPU stall due to ReadPixels")
    phone.state = lambda: phone.page.evaluate("[window.heard, document.querySelector('sightline-view').world?.engine.status()]")
    phone.page.goto(page(site, "/things.html", '<sightline-view world="/things/world.json"></sightline-view>'))
    axes = phone.point(0 - phone.declination, 2)
    phone.wait("window.heard?.length")
    assert phone.page.evaluate("window.heard") == [["worldload", "Things", []]], "nothing of it is left out"
    begin(phone)
    show(phone, "nothing")
    focal = geometry.focal_points(SCREEN, SIZE, 65)
    foot = geometry.east_north_up((*HERE[:2], 0.0), (*near[:2], 0.0))
    wanted = [geometry.project((foot[0] + dx, foot[1] + dy, 1.0 + dz), axes, SCREEN, focal)
              for dx, dy, dz in (standing(tuple(1.5 * c for c in corner), 215) for corner in CORNERS)]
    green = [on_screen(corner) for corner in views["front"].corners()]
    edges = [min(x for x, _ in green), min(y for _, y in green), max(x for x, _ in green), max(y for _, y in green)]

    def seen(path):
        *corners, square = patches(phone.page, phone.page.screenshot(path=path), [*map(list, SHOWN), [0, 128, 0]], 40)
        return (max(math.dist(one["middle"], point) if one else math.inf for one, point in zip(corners, wanted)),
                max(abs(a - b) for a, b in zip(square["box"], edges)) if square else math.inf)
    phone.wait("document.querySelector('sightline-view').shadowRoot.querySelector('[data-id=logo] img')?.naturalWidth === 4")
    logo, more = [inside(phone, f"(({{ left, top, right, bottom }}) => [left, top, right, bottom])(root.querySelector('.overlay[data-id={id}]').getBoundingClientRect())")
                  for id in ("logo", "more")]
    assert logo[2:] == [SCREEN[0] - 10, SCREEN[1] - 12] and more[1:3] == [20, SCREEN[0] - 10], (logo, more)
    # The logo has the colour of one of the corners.
    phone.page.evaluate("document.querySelector('sightline-view').shadowRoot.querySelector('[data-id=logo]').style.visibility = 'hidden'")
    for name, has_marker in (("front", True), ("nothing", False)):
        show(phone, name)
        for _ in range(80):
            off = seen(output / f"embed-world-things-{name}.png")
            if off[0] < 2 and (off[1] < 1.5) == has_marker:
                break
            phone.page.wait_for_timeout(50)
        print(f"things, {name}: corners off by {off[0]:.2f} px, edges on the marker by {off[1]:.2f} px")
        assert off[0] < 2 and (off[1] < 1.5 if has_marker else off[1] == math.inf), off
    # What is fixed to the view leads on only when it is pressed, and away from this page.
    assert inside(phone, "(({ localName, href, target, rel }) => [localName, href, target, rel])(root.querySelector('.overlay[data-id=more]'))") == [
        "a", "https://example.org/more", "_blank", "noopener noreferrer"]
    # The world's own sound: nothing before a tap, and mute.
    assert phone.page.evaluate("window.ears.every((one) => one.paused)")
    phone.page.locator("sightline-view #sound-play").click()
    phone.wait("window.ears.some((one) => !one.paused && one.currentTime > 0.1)")
    phone.page.locator("sightline-view #sound-mute").click()
    assert phone.page.evaluate("window.ears.every((one) => one.muted)")
    phone.page.screenshot(path=output / "embed-world-sound.png")
    # What stands on the print can be tapped, and its card has its sound, which is not there.
    show(phone, "front")
    phone.page.locator("sightline-view .anchor-label").click()
    phone.expect("gone.wav")
    phone.expect("Failed to load resource")
    phone.page.locator("sightline-view .card [data-action=sound]").click()
    phone.page.get_by_text("The sound of Plate cannot be played.").wait_for()
    phone.page.screenshot(path=output / "embed-world-print.png")
    # One camera and one worker, and nothing after it has gone.
    assert phone.page.evaluate("[window.markerCamera.calls, window.counts.workers]") == [1, 1]
    phone.page.evaluate("document.querySelector('sightline-view').remove()")
    phone.wait("window.counts.workers === 0")
    assert phone.page.evaluate("window.ears.every((one) => one.paused)")


def test_worlds_are_replaced_stand_beside_and_go(visitor, site, archive, output):
    phone = visitor(screen=(844, 390))
    place = '<sightline-place latitude="48.3984" longitude="9.9916"><span class="sign">A place</span></sightline-place>'
    phone.page.goto(page(site, "/two-worlds.html", f'<sightline-view id="a" world="{archive.url}/town/world.json">{place}<p slot="card" class="mine">'
                         'Mine</p></sightline-view><sightline-view id="b"></sightline-view>'))
    phone.page.evaluate("Object.assign(document.querySelector('#b').style, { left: '60%', width: '40%' })")
    before = phone.page.evaluate("window.counts.listeners")
    phone.point(0 - phone.declination, 2)
    begin(phone, "#a")
    # The second has content that the page made itself, and gets it while it runs.
    own = world(name="Own", assets=[])
    own["dimension"]["places"].pop(2)
    for one in own["dimension"]["places"]:
        one.pop("imageURL", None)
    phone.page.evaluate("(content) => { const b = document.querySelector('#b'); b.world = content; return b.start(); }", own)
    # Sensors of tests speak when something changes; the second view came later, and may say so.
    phone.expect("there is no position here")
    phone.point(0.2 - phone.declination, 2)
    phone.move((HERE[0] + 1e-6, *HERE[1:]))
    for view in ("#a", "#b"):
        phone.wait("(view) => document.querySelector(view).shadowRoot.querySelector('.label[data-id=minster]:not([hidden])')", arg=view)
    phone.wait("document.querySelector('#a sightline-place').anchor.isVisible")
    # Each in its own middle: the narrow view shows as much of the picture as it holds.
    for view in ("#a", "#b"):
        middle = inside(phone, "view.clientWidth / 2", view)
        assert abs(labels(phone, view)["minster"]["anchor"][0] - middle) < 60
    # A tap in the second view, which does not begin at the window's corner, means what is there.
    left, top, width, height = labels(phone, "#b")["minster"]["box"]
    phone.page.touchscreen.tap(left + width / 2, top + height / 2)
    phone.wait("document.querySelector('#b').world.selected === 0")
    assert phone.page.evaluate("document.querySelector('#a').world.selected") is None
    # What the page made has changed: what is selected stays so.
    own["dimension"]["places"][0]["title"] = own["dimension"]["places"][0]["visual"]["text"] = "Steeple"
    phone.page.evaluate("(content) => { document.querySelector('#b').world = content; }", own)
    phone.page.locator("#b .card h2", has_text="Steeple").wait_for()
    # The page's own card in place of the built-in one.
    phone.page.evaluate("document.querySelector('#a').world.select('minster')")
    phone.page.get_by_text("Mine").wait_for()
    phone.page.screenshot(path=output / "embed-world-landscape.png")
    # Another world in place of the first.
    archive.pages["/town/other.json"] = ("application/json", json.dumps({"dimension": {"name": "Other", "places": [
        {"id": "x", "title": "X", "position": {"latitude": 48.397, "longitude": 9.9916}}]}}).encode())
    phone.page.evaluate("(url) => document.querySelector('#a').setAttribute('world', url)", archive.url + "/town/other.json")
    phone.wait("document.querySelector('#a').shadowRoot.querySelector('.label[data-id=x]:not([hidden])')")
    assert list(labels(phone, "#a")) == ["x"]
    assert phone.page.evaluate("document.querySelector('#a sightline-place').anchor.isVisible"), "other things are left alone"
    phone.page.evaluate("document.querySelector('#a').removeAttribute('world')")
    phone.wait("!document.querySelector('#a').shadowRoot.querySelector('.world')")
    phone.page.evaluate("document.querySelectorAll('sightline-view').forEach((view) => view.remove())")
    # One module listens as long as the page lives: the one that keeps the screen on.
    assert phone.page.evaluate("window.counts.listeners") <= before + 1
    phone.expect_requests(archive.url)


def test_what_is_no_world_is_said(visitor, site, archive):
    phone = visitor()
    for noise in ("Sightline:", "Failed to load resource", "CORS policy", "Content Security Policy"):
        phone.expect(noise)
    archive.pages["/huge.json"] = ("application/json", b'{"dimension": "' + b"x" * (33 << 20) + b'"}')
    archive.pages["/points.geojson"] = ("application/json", b'{"type": "FeatureCollection", "features": []}')
    archive.pages["/walk.gddf"] = ("application/gamaray-gddf", b"<dimension/>")
    phone.page.goto(page(site, "/errors.html", '<sightline-view lang="de"></sightline-view>'))
    cases = [
        (site.url + "/none.json", "world-missing", "404"),
        (archive.url + "/none.json", "world-cross-origin", f"--allow-origin {site.url}"),
        (archive.url + "/points.geojson", "world-unreadable", "GeoJSON"),
        (archive.url + "/walk.gddf", "world-unreadable", "is GDDF, and no world in Sightline's own form"),
        (archive.url + "/huge.json", "world-too-large", "split"),
        ("http://127.0.0.1:1/world.json", "world-unreachable", "connect-src"),
        ("javascript:alert(1)", "world-address", "https"),
        (archive.url + "/#/play/secret", "world-address", "/#/world/ID"),
    ]
    for address, code, advice in cases:
        phone.page.evaluate("(url) => { window.heard = []; document.querySelector('sightline-view').setAttribute('world', url); }", address)
        phone.wait("window.heard.length > 0")
        [[kind, told, message]] = phone.page.evaluate("window.heard")
        assert (kind, told) == ("error", code) and advice in message, (address, kind, told, message)
    phone.page.get_by_text("Welt").wait_for()
    # What the page's policy forbade was meant to be.
    phone.page.evaluate("window.violations = []")
    phone.expect_requests(archive.url)


def test_examples_of_worlds(visitor, site, foreign, tmp_path, output):
    """A world beside the page, a tour's stations, and departures of a real server's demonstration, which plays elsewhere."""
    visible = "(id) => document.querySelector('sightline-view').shadowRoot.querySelector(`.label[data-id=${id}]:not([hidden])`)"
    phone = visitor(screen=(360, 640))
    phone.page.goto(site.url + "/examples/world.html")
    phone.point(5 - phone.declination, 5)
    begin(phone)
    phone.wait(visible, arg="minster")
    phone.page.evaluate("document.querySelector('sightline-view').world.select('minster')")
    phone.page.get_by_text("161 m high").wait_for()
    phone.page.screenshot(path=output / "example-world.png")
    phone.page.goto("about:blank")

    asked = []
    content = {"title": "Old town", "stations": [
        {"id": "bridge", "title": "Bridge", "text": "How many arches?", "position": {"latitude": 48.3955, "longitude": 9.9917}},
        {"id": "gate", "title": "Gate", "text": "", "position": {"latitude": 48.3945, "longitude": 9.9913}}]}

    def join(route):
        asked.append(route.request.post_data_json)
        route.fulfill(status=200, json={"secret": "s", "content": content, "state": {"stations": {"gate": {"state": "right"}}}})
    phone = visitor(screen=(360, 640))
    phone.page.route("**/api/v1/tour-team/join", join)
    phone.page.goto(site.url + "/examples/tour.html?code=ABCD")
    phone.point(0 - phone.declination, 2)
    phone.page.screenshot(path=output / "example-tour-join.png")
    phone.page.get_by_role("button", name="Join").click()
    begin(phone)
    phone.wait(visible, arg="bridge")
    assert asked == [{"code": "ABCD"}] and "Gate ✓" in labels(phone)["gate"]["text"]
    phone.page.evaluate("document.querySelector('sightline-view').world.select('bridge')")
    assert phone.page.locator("sightline-view .card a").get_attribute("href") == site.url + "/#/join/ABCD"
    phone.page.screenshot(path=output / "example-tour.png")
    phone.page.goto("about:blank")

    server = Sightline(tmp_path, foreign.port, more=["--demo", "none", "--transit", ROOT / "Fixtures" / "transit" / "demonstration.json"]).start()
    try:
        phone = visitor(on=server, screen=(844, 390))
        phone.page.goto(server.url + "/examples/departures.html")
        phone.point(0 - phone.declination, -5)
        begin(phone)
        phone.point(0.2 - phone.declination, -5)
        phone.wait("document.querySelector('sightline-view').world?.places.length > 5", seconds=30)
        # Towards the nearest stop from which something leaves.
        stop = phone.page.evaluate("document.querySelector('sightline-view').world.places.find(({ text }) => text)")
        east, north, _ = geometry.east_north_up((HERE[0], HERE[1], 0), (stop["latitude"], stop["longitude"], 0))
        assert 0 < math.hypot(east, north) < 2000, "the demonstration is brought to the phone"
        phone.point(math.degrees(math.atan2(east, north)) - phone.declination, 0)
        phone.wait("[...document.querySelector('sightline-view').shadowRoot.querySelectorAll('.label:not([hidden])')].some((l) => / min/.test(l.innerText))")
        phone.page.evaluate("(id) => document.querySelector('sightline-view').world.select(id)", stop["id"])
        phone.wait("!document.querySelector('sightline-view').shadowRoot.querySelector('.card').hidden")
        phone.page.screenshot(path=output / "example-departures.png")
    finally:
        server.stop()
