"""Models and pictures in true size at places: from the file to the pixel, within two CSS pixels of what the tests compute themselves."""
import json
import math
import struct
import zlib

import pytest
from support import geoid, geometry
from support.ball import ball
from support.cube import CORNERS, SHOWN, corners_glb, standing
from support.foreign import Answer
from support.phone import wait_until
from support.picture import patches
from support.worlds import EYE, towards

TOLERANCE = 2.0
HEADINGS = (0.0, 75.0, 180.0, 290.0)
# Metres of the cube's middle above the eye.
HEIGHTS = (-1.5, 0.0, 3.0)
AWAY = 9.0
BARE = "#stage * { visibility: hidden !important } #things { visibility: visible !important } body, #stage { background: #000 !important }"


def bare(phone):
    """Nothing but the things, on black."""
    phone.page.evaluate("""(css) => { const sheet = new CSSStyleSheet(); sheet.replaceSync(css);
      document.adoptedStyleSheets = [...document.adoptedStyleSheets, sheet]; }""", BARE)


def seen(phone, output, name):
    """CSS pixels of the middle of what has each corner's colour."""
    data = phone.page.screenshot(path=output / f"thing-{name}.png")
    ratio = phone.page.evaluate("devicePixelRatio")
    return [patch and (patch["middle"][0] / ratio, patch["middle"][1] / ratio)
            for patch in patches(phone.page, data, [list(color) for color in SHOWN], 30)]


def corner_points(phone, axes, position, heading, side=2.0, middle=0.0):
    """Where the corners of the cube have to be; `middle`: of the cube above the position."""
    focal = geometry.focal_points(phone.screen, phone.picture, 65.0)
    foot = geometry.east_north_up(phone.position, position)
    points = []
    for corner in CORNERS:
        shift = standing(tuple(c * side / 2 for c in corner), heading)
        offset = (foot[0] + shift[0], foot[1] + shift[1], foot[2] + middle + shift[2])
        points.append(geometry.project(offset, axes, phone.screen, focal))
    return points


def assert_cube(phone, output, name, axes, position, heading, side=2.0, middle=0.0):
    expected = corner_points(phone, axes, position, heading, side, middle)
    phone.wait("window.sightline.state().things?.drawn > 0")
    phone.settle()
    found = []

    def fits():
        found[:] = seen(phone, output, name)
        return all(p is not None and math.dist(p, q) <= TOLERANCE for p, q in zip(found, expected))
    wait_until(fits, f"{name}: the corners are seen at {found}; they have to be at {expected}", seconds=4)


def gltf_world(foreign, name, feature, file=None):
    model = foreign.serve(f"/{name}.glb", Answer(corners_glb() if file is None else file))
    return foreign.serve(f"/{name}.gddf", f"""<dimension version="1.0"><name>{name}</name><relativeAltitude>false</relativeAltitude>
      <assets><asset id="m"><format>GAMA3D</format><url>{model}</url></asset></assets><features>{feature}</features></dimension>""")


def feature3d(position, extra="", scale=1):
    latitude, longitude, altitude = position
    return f"""<feature3d id="cube"><assetId>m</assetId><location><lat>{latitude:.9f}</lat><lon>{longitude:.9f}</lon><alt>{altitude:.4f}</alt></location>
      {extra}<scale>{scale}</scale><showInRadar>true</showInRadar></feature3d>"""


def open_world(new_phone, address, name):
    phone = new_phone()
    phone.expect("GPU stall due to ReadPixels", "GL Driver Message")
    phone.open_foreign(address)
    axes = phone.point(0)
    phone.start()
    phone.wait_world(name)
    bare(phone)
    return phone, axes


@pytest.mark.parametrize("height", HEIGHTS)
@pytest.mark.parametrize("heading", HEADINGS)
def test_a_cube_is_drawn_where_it_is(new_phone, foreign, output, heading, height):
    name = f"cube-{heading:.0f}-{height:.1f}"
    place = towards(EYE, 4.0, AWAY, height)
    phone, axes = open_world(new_phone, gltf_world(foreign, name, feature3d(
        place, f'<attitude heading="{heading}"/>')), name)
    assert_cube(phone, output, name, axes, place, heading)
    assert "cube" not in phone.labels(), "what is drawn needs no label"
    # A touch on its middle selects it.
    phone.page.evaluate("document.adoptedStyleSheets = document.adoptedStyleSheets.slice(0, -1)")
    x, y = phone.expected_point(axes, place)
    phone.page.touchscreen.tap(x, y)
    phone.wait("window.sightline.state().selected === 0")


def test_a_model_has_the_height_that_is_said(new_phone, foreign, output):
    place = towards(EYE, 4.0, 14.0, -1.5)
    phone, axes = open_world(new_phone, gltf_world(foreign, "high", feature3d(
        place, '<size height="3.15"/><attitude heading="200"/>')), "high")
    # The small cubes about the corners make it 2.1 m high in its own units.
    assert_cube(phone, output, "high", axes, place, 200, side=3.0, middle=1.575)


def turned_formats(foreign, model, place):
    """The same cube, its front to 215 degrees, twice as large, in every format that has models."""
    latitude, longitude, altitude = place
    at = f"{latitude:.9f}"
    # GeoJSON and ARML count from the ellipsoid, the others from the sea.
    over_ellipsoid = altitude + geoid.height(latitude, longitude)
    yield "gddf-turned", "gddf", gltf_world(foreign, "gddf-turned", feature3d(place, "<yRot>-35</yRot>", 2))
    yield "geojson-turned", "geojson", json.dumps({
        "type": "FeatureCollection", "name": "geojson-turned", "features": [{
            "type": "Feature", "id": "cube", "geometry": {"type": "Point", "coordinates": [longitude, latitude, over_ellipsoid]},
            "properties": {"title": "cube", "model": {"url": model, "scale": 2}, "attitude": {"heading": 215}}}]})
    yield "kml-turned", "kml", f"""<kml xmlns="http://www.opengis.net/kml/2.2"><Document><name>kml-turned</name><Placemark id="cube">
      <name>cube</name><Model><altitudeMode>absolute</altitudeMode><Location><longitude>{longitude:.9f}</longitude><latitude>{at}</latitude>
      <altitude>{altitude:.4f}</altitude></Location><Orientation><heading>35</heading><tilt>0</tilt><roll>0</roll></Orientation>
      <Scale><x>2</x><y>2</y><z>2</z></Scale><Link><href>{model}</href></Link></Model></Placemark></Document></kml>"""
    yield None, "arml", f"""<arml xmlns="http://www.opengis.net/arml/2.0" xmlns:gml="http://www.opengis.net/gml/3.2"
      xmlns:xlink="http://www.w3.org/1999/xlink"><ARElements><Feature id="cube"><name>cube</name><anchors><Geometry><assets><Model>
      <Orientation><roll>0</roll><tilt>0</tilt><heading>35</heading></Orientation><href xlink:href="{model}"/>
      <Scale><x>2</x><y>2</y><z>2</z></Scale></Model></assets><gml:Point srsDimension="3"><gml:pos>{at} {longitude:.9f} {over_ellipsoid:.4f}</gml:pos>
      </gml:Point></Geometry></anchors></Feature></ARElements></arml>"""
    yield "layar-turned", "layar", json.dumps({
        "layer": "layar-turned", "errorCode": 0, "errorString": "ok", "hotspots": [{
            "id": "cube", "anchor": {"geolocation": {"lat": latitude, "lon": longitude, "alt": altitude}}, "text": {"title": "cube"},
            "object": {"contentType": "model/gltf-binary", "url": model}, "transform": {
                "scale": 2, "rotate": {"axis": {"x": 0, "y": 0, "z": 1}, "angle": -35, "rel": False}}}]})


@pytest.mark.parametrize("kind", ["gddf", "geojson", "kml", "arml", "layar"])
def test_every_format_puts_it_there(new_phone, foreign, output, kind):
    place = towards(EYE, 4.0, 16.0, 0.5)
    model = foreign.serve("/turned.glb", Answer(corners_glb(0.2)))
    name, _, content = next(entry for entry in turned_formats(foreign, model, place) if entry[1] == kind)
    address = content if content.startswith("http://") else foreign.serve(f"/turned.{kind}", content)
    phone = new_phone()
    phone.expect("GPU stall due to ReadPixels", "GL Driver Message")
    phone.open_foreign(address)
    axes = phone.point(0)
    phone.start()
    if name:
        phone.wait_world(name)
    bare(phone)
    assert_cube(phone, output, f"turned-{kind}", axes, place, 215, side=4.0)


def arml_feature(name, place, assets):
    latitude, longitude, altitude = place
    return f"""<Feature id="{name}"><name>{name}</name><anchors><Geometry><assets>{assets}</assets><gml:Point srsDimension="3">
      <gml:pos>{latitude:.9f} {longitude:.9f} {altitude + geoid.height(latitude, longitude):.4f}</gml:pos></gml:Point></Geometry></anchors></Feature>"""


def scaled(near, far, factor):
    return f"""<ScalingMode type="custom"><minScalingDistance>{near}</minScalingDistance><maxScalingDistance>{far}</maxScalingDistance>
      <scalingFactor>{factor}</scalingFactor></ScalingMode>"""


UNSELECTED = "<conditions><SelectedCondition><selected>false</selected></SelectedCondition></conditions>"


def label_is_seen(name):
    """Whether a label of a place is seen; one that is not used any more may keep its name."""
    return f"[...document.querySelectorAll('.label[data-id={name}]')].some((label) => label.checkVisibility())"


def test_size_by_distance_and_what_is_shown_while_it_is_not_selected(new_phone, foreign, output):
    """As ARML 2.0 says it: a cube that is drawn as large as from half of its distance until it is selected, a sign that shrinks and goes; and a
    ball of many triangles that is far away is drawn of few."""
    away = math.hypot(16.0, 0.5)
    place, sign, far = towards(EYE, 4.0, 16.0, 0.5), towards(EYE, -9.0, 600.0, 60.0), towards(EYE, -6.0, 60.0, -6.0)
    cube, many = foreign.serve("/scaled.glb", Answer(corners_glb(0.2))), foreign.serve("/many.glb", Answer(ball(20_000, 1.0)[0]))
    body = arml_feature("cube", place, f"""<Model>{UNSELECTED}<Orientation><heading>35</heading></Orientation>{scaled(away / 2, 1000, 1)}
      <href xlink:href="{cube}"/></Model>""")
    body += arml_feature("sign", sign, f"<Text>{UNSELECTED}{scaled(100, 1100, 0.5)}<src>Far sign</src></Text>")
    body += arml_feature("ball", far, f'<Model><href xlink:href="{many}"/></Model>')
    phone = new_phone()
    phone.expect("GPU stall due to ReadPixels", "GL Driver Message")
    phone.open_foreign(foreign.serve("/scaled.arml", f"""<arml xmlns="http://www.opengis.net/arml/2.0" xmlns:gml="http://www.opengis.net/gml/3.2"
      xmlns:xlink="http://www.w3.org/1999/xlink"><ARElements>{body}</ARElements></arml>"""))
    axes = phone.point(0)
    phone.start()
    phone.wait("window.sightline.state().things?.drawn === 2 && window.sightline.state().things.coarse === 1")
    phone.settle()
    phone.page.screenshot(path=output / "thing-scaled-world.png")
    # Half as large as the usual one of 600 m, but for what all labels lose by distance.
    share = phone.page.evaluate("""() => { const e = document.querySelector('.label[data-id=sign]');
      return e.getBoundingClientRect().height / e.offsetHeight; }""")
    assert 0.75 * 0.85 < share < 0.76, share
    bare(phone)
    assert_cube(phone, output, "scaled", axes, place, 215, side=4.0)
    phone.page.evaluate("document.adoptedStyleSheets = document.adoptedStyleSheets.slice(0, -1)")
    phone.page.touchscreen.tap(*phone.expected_point(axes, place))
    phone.page.locator("#card h2").wait_for()
    phone.wait("window.sightline.state().things.drawn === 1 && " + label_is_seen("cube"))
    phone.page.screenshot(path=output / "thing-selected.png")
    phone.tap("#card .card-close")
    phone.wait("window.sightline.state().things.drawn === 2 && !" + label_is_seen("cube"))
    phone.page.evaluate("window.sightline.session.select(1)")
    phone.wait("!" + label_is_seen("sign"))
    phone.page.evaluate("window.sightline.session.select(null)")
    phone.wait(label_is_seen("sign"))


def colored_png(colors, side=32):
    """Four fields: top left, top right, bottom left, bottom right."""
    rows = b"".join(b"\0" + b"".join(bytes(colors[2 * (y >= side) + (x >= side)]) for x in range(2 * side)) for y in range(2 * side))
    head = struct.pack(">IIBBBBB", 2 * side, 2 * side, 8, 2, 0, 0, 0)
    return b"\x89PNG\r\n\x1a\n" + b"".join(
        struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))
        for kind, data in ((b"IHDR", head), (b"IDAT", zlib.compress(rows)), (b"IEND", b"")))


@pytest.mark.parametrize("attitude,heading", [("", None), ('<attitude heading="170"/>', 170.0)])
def test_a_picture_stands_in_its_true_size(new_phone, foreign, output, attitude, heading):
    name = f"poster-{heading}"
    picture = foreign.serve(f"/{name}.png", Answer(colored_png(SHOWN[:4]), headers={"x-content": "png"}))
    place = towards(EYE, 4.0, 8.0, -1.0)
    latitude, longitude, altitude = place
    phone, axes = open_world(new_phone, foreign.serve(f"/{name}.gddf", f"""<dimension version="1.0"><name>{name}</name>
      <assets><asset id="p"><format>PNG</format><url>{picture}</url></asset></assets><features><featureImg id="poster"><assetId>p</assetId>
      <location><lat>{latitude:.9f}</lat><lon>{longitude:.9f}</lon><alt>{altitude:.4f}</alt></location><anchor>BC</anchor>
      <size width="2" height="3"/>{attitude}<showInRadar>true</showInRadar></featureImg></features></dimension>"""), name)
    # Who is faced sees it straight on.
    turn = heading if heading is not None else 184.0
    expected = []
    focal = geometry.focal_points(phone.screen, phone.picture, 65.0)
    foot = geometry.east_north_up(phone.position, place)
    for x, y in ((-0.5, 2.25), (0.5, 2.25), (-0.5, 0.75), (0.5, 0.75)):
        shift = standing((x, y, 0), turn)
        expected.append(geometry.project(tuple(a + b for a, b in zip(foot, shift)), axes, phone.screen, focal))
    phone.wait("window.sightline.state().things?.drawn > 0")
    phone.settle()
    found = []

    def fits():
        found[:] = seen(phone, output, name)[:4]
        return all(p is not None and math.dist(p, q) <= 3 for p, q in zip(found, expected))
    # The middle of a field is not quite the picture of its middle.
    wait_until(fits, f"{name}: {found} has to be {expected}", seconds=4)


def test_a_broken_model_keeps_its_label_and_says_why(new_phone, foreign):
    place = towards(EYE, 4.0, AWAY, 0.0)
    phone = new_phone()
    phone.expect("502", "Error")
    phone.open_foreign(gltf_world(foreign, "broken-thing", feature3d(place), file=b"no model at all"))
    phone.point(0)
    phone.start()
    phone.wait_label("cube")
    phone.page.wait_for_selector(".toast:has-text('cube')")
    assert phone.state()["things"]["failed"] == 1
    assert "cube" in phone.labels()


def test_one_missing_file_of_many_places_keeps_no_other_model_away(new_phone, foreign):
    """Forty trees of one file that is not there, near by, and a cube behind them."""
    tree = foreign.serve("/no-tree.glb", Answer("gone", 404))
    cube = foreign.serve("/behind-trees.glb", Answer(corners_glb()))

    def feature(number, url, place):
        return {"type": "Feature", "id": number, "geometry": {"type": "Point", "coordinates": [place[1], place[0], place[2]]},
                "properties": {"title": f"T{number}", "altitudeMode": "seaLevel", "model": {"url": url}, "size": {"height": 2}}}
    features = [feature(f"tree-{k}", tree, towards(EYE, 4.0 - 10 + k / 2, 12.0, 0.0)) for k in range(40)]
    features.append(feature("cube", cube, towards(EYE, 4.0, 40.0, 0.0)))
    phone = new_phone()
    phone.expect("502", "404", "Error", "GPU stall due to ReadPixels", "GL Driver Message")
    phone.open_foreign(foreign.serve("/trees.geojson", json.dumps({"type": "FeatureCollection", "name": "trees", "features": features})))
    phone.point(0)
    phone.start()
    phone.wait_world("trees")
    phone.wait("window.sightline.state().things?.drawn > 0")
    state = phone.state()["things"]
    assert (state["failed"], state["ready"]) == (1, 1), state


def test_without_a_height_things_stand_on_the_ground(new_phone, foreign, output):
    model = foreign.serve("/ground.glb", Answer(corners_glb(0.1, low=1.0)))
    place = towards(EYE, 4.0, 11.0, 0.0)
    phone, axes = open_world(new_phone, foreign.serve("/ground.geojson", json.dumps({
        "type": "FeatureCollection", "name": "ground", "features": [{
            "type": "Feature", "id": "cube", "geometry": {"type": "Point", "coordinates": [place[1], place[0]]},
            "properties": {"title": "cube", "model": {"url": model}, "attitude": {"heading": 200}}}]})), "ground")
    # The ground is 1.5 m below the eye, where the eye's own horizon is.
    latitude, longitude, _ = place
    level = geometry.place_at(EYE, *geometry.east_north_up(EYE, place)[:2], -1.5)
    assert_cube(phone, output, "ground", axes, level, 200, middle=1.0)
    # Who holds the phone lower says so, and sees the ground nearer; the next visit knows it.
    phone.page.evaluate("document.adoptedStyleSheets = document.adoptedStyleSheets.slice(0, -1)")
    phone.tap("#menu")
    phone.tap("#menu-settings")
    phone.page.locator("#settings-eye-height").select_option("0.8")
    phone.page.screenshot(path=output / "thing-eye-height.png")
    phone.page.keyboard.press("Escape")
    lower = geometry.place_at(EYE, *geometry.east_north_up(EYE, place)[:2], -0.8)
    assert phone.page.evaluate("localStorage['sightline.eyeHeight']") == "0.8"
    bare(phone)
    assert_cube(phone, output, "lower-ground", axes, lower, 200, middle=1.0)
