"""The ground map: what lies on it and the pins that stand on it are where Python, from positions, angles and the field of
view alone, says they have to be, from a view above the horizon to a flat phone."""
import math
import re
import struct
import zlib

import pytest

from support import geometry
from support.picture import decode, patches
from support.phone import FIELD_OF_VIEW
from support.transit import HERE, MockTransit, line, path, stop

SCREEN = (390, 844)
FOCAL = geometry.focal_points(SCREEN, SCREEN, FIELD_OF_VIEW)
#: Height of the eye over the ground, looking level and straight down, metres; and over the map at the start.
LOW, HIGH, MAP = 20.0, 150.0, 720.0
HEADING = 24.0
#: Marks on the ground: colour, and where, in metres east and north of the user.
MARKS = {(255, 0, 255): (35, 120), (0, 255, 255): (85, 110), (255, 0, 0): (20, 165), (255, 255, 0): (70, 240),
         (0, 0, 255): (-5, 62), (0, 255, 0): (30, 34), (255, 128, 0): (12, 88), (128, 0, 255): (62, 150)}


def expected(offset, pitch):
    """Display points of a place on the ground, by the law of the eye's height (see GroundCamera.swift)."""
    height = LOW + (HIGH - LOW) * max(0.0, math.sin(math.radians(-pitch)))
    return geometry.project((*offset, -height), geometry.held(HEADING, pitch), SCREEN, FOCAL)


def on_map(offset):
    """Display points on the heading-up map: a plain turn and a scale."""
    h = math.radians(HEADING)
    right = offset[0] * math.cos(h) - offset[1] * math.sin(h)
    ahead = offset[0] * math.sin(h) + offset[1] * math.cos(h)
    return (SCREEN[0] / 2 + right * FOCAL / MAP, SCREEN[1] / 2 - ahead * FOCAL / MAP)


def inside(point, margin=14):
    if point is None or not (margin < point[0] < SCREEN[0] - margin and margin + 66 < point[1] < SCREEN[1] - margin - 90):
        return False
    # Four round buttons stand at the right edge.
    return not (point[0] > SCREEN[0] - 66 - margin and point[1] > SCREEN[1] - 310 - margin)


def middles(phone, wanted):
    """The middle of the pixels of each mark's colour on the screen, in points, looked for within 24 points of where it is
    wanted: what is farther off counts as not there."""
    boxes = [[2 * (x - 24), 2 * (y - 24), 2 * (x + 24), 2 * (y + 24)] for x, y in wanted.values()]
    found = patches(phone.page, phone.page.screenshot(), list(wanted), 70, boxes)
    return {color: patch and [v / 2 for v in patch["middle"]] for color, patch in zip(wanted, found)}


def is_broad(offset, pitch):
    """Whether a mark, six metres deep, is more than three points high on the screen."""
    reach = math.hypot(*offset)
    near, far = (expected(tuple(v * (1 + d / reach) for v in offset), pitch) for d in (-3, 3))
    return near is not None and far is not None and math.dist(near, far) > 3


def marks():
    """Crosses small enough that perspective does not move their middle."""
    return [{"id": f"m:{k}", "name": str(k), "mode": "bus", "color": "%02X%02X%02X" % color, "textColor": "FFFFFF",
             "source": "shapes", "paths": [path((e - 0.4, n), (e + 0.4, n)), path((e, n - 0.4), (e, n + 0.4))]}
            for k, (color, (e, n)) in enumerate(MARKS.items())]


def address(pitch, **more):
    query = {"virtual": 1, "lat": f"{HERE[0]:.8f}", "lon": f"{HERE[1]:.8f}", "heading": HEADING, "pitch": pitch, **more}
    return "/transit?" + "&".join(f"{name}={value}" for name, value in query.items())


@pytest.fixture
def ground(new_phone):
    phone = new_phone(reduced_motion="reduce", position=HERE, scale=2)
    mock = MockTransit(phone.page)
    mock.lines, mock.stops, mock.vehicles = marks(), [], []
    # Reading the screen back stalls the graphics card, which the browser remarks on.
    phone.expect("GPU stall due to ReadPixels")
    phone.mock = mock
    return phone


def look(phone, pitch, **more):
    """Turns the virtual phone and waits for a picture of it."""
    phone.page.evaluate("(hash) => { location.hash = hash; }", "#" + address(pitch, **more))
    phone.wait("""(pitch) => { const f = window.sightline.state().transit?.frame;
      return f?.isValid && Math.abs(f.pitch * 180 / Math.PI - pitch) < 1e-6; }""", arg=pitch)
    phone.page.evaluate("() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))")


def test_marks_on_the_ground_are_where_they_belong(ground):
    """Every mark in view, at seven tilts from above the horizon to flat, by the pixels of the screen: within 2 points of
    the independent computation, and mostly within one."""
    ground.open(address(0))
    ground.wait_ready()
    errors = []
    for pitch in (8, 0, -12, -25, -38, -50, -62):
        look(ground, pitch)
        wanted = {color: expected(offset, pitch) for color, offset in MARKS.items()
                  if inside(expected(offset, pitch)) and is_broad(offset, pitch)}
        for color, found in middles(ground, wanted).items():
            assert found, f"nothing of {color} at {pitch}°, expected at {wanted[color]}"
            errors.append((math.dist(found, wanted[color]), pitch, color))
    look(ground, -88)
    ground.wait("window.sightline.state().transit.frame.mapPart === 1")
    wanted = {color: on_map(offset) for color, offset in MARKS.items()}
    for color, found in middles(ground, wanted).items():
        assert found, f"nothing of {color} on the map, expected at {wanted[color]}"
        errors.append((math.dist(found, wanted[color]), "map", color))
    print(f"{len(errors)} marks, largest error {max(errors)[0]:.2f} points")
    assert len(errors) >= 30
    assert max(errors)[0] < 2, sorted(errors)[-5:]


def test_pins_stand_where_they_belong(ground):
    """Feet and heads of two hundred pins, at tilts from flat to above the horizon, to a twentieth of a point; and that the
    page draws them there, by the pixels of one pin's face."""
    mock = ground.mock
    mock.lines = []
    offsets = [((k * 37 % 200 - 100) * 4, 15 + (k * 53 % 200) * 4) for k in range(200)]
    mock.stops = [stop(f"p{k}", f"Stop {k}", e, n, [line("1")]) for k, (e, n) in enumerate(offsets)]
    where = {f"hsl:p{k}": offset for k, offset in enumerate(offsets)}
    ground.page.route("**/api/v1/transit/stops", lambda route: route.fulfill(json=mock._stops(
        {**route.request.post_data_json, "limit": 200})))
    ground.open(address(0))
    ground.wait_ready()
    seen, largest = 0, 0.0
    for pitch in (12, 0, -10, -20, -35, -50, -60):
        look(ground, pitch)
        state = ground.state()["transit"]
        for id, pin in zip(state["stops"], state["frame"]["pins"]):
            point = expected(where[id], pitch)
            if not pin["isInView"] or point is None:
                continue
            seen += 1
            largest = max(largest, math.dist((pin["footX"], pin["footY"]), point))
            # The axis is upright in the world here, so the head is over the foot by the pin's length on the screen.
            height = LOW + (HIGH - LOW) * max(0.0, math.sin(math.radians(-pitch)))
            if pitch > -40:
                head = geometry.project((*where[id], pin["height"] - height), geometry.held(HEADING, pitch), SCREEN, FOCAL)
                largest = max(largest, math.dist((pin["headX"], pin["headY"]), head))
    print(f"{seen} pins, largest error {largest:.4f} points")
    assert seen > 300 and largest < 0.05
    # One pin alone: the white of its face, which covers the middle of its head.
    mock.stops = [stop("one", "One", 60, 160, [line("1", "rail")])]
    ground.page.tap("#transit-refresh")
    ground.wait("window.sightline.state().transit.stops.length === 1")
    for pitch in (0, -15, -30):
        look(ground, pitch)
        pin = ground.state()["transit"]["frame"]["pins"][0]
        # The face's white ring, bright and round the middle of the head; the label beside it is dark.
        x, y = pin["headX"] * 2, pin["headY"] * 2
        ring, = patches(ground.page, ground.page.screenshot(), [(255, 255, 255)], 20, [[x - 60, y - 60, x + 60, y + 60]])
        center = ((ring["box"][0] + ring["box"][2]) / 4, (ring["box"][1] + ring["box"][3]) / 4)
        assert math.dist(center, (pin["headX"], pin["headY"])) < 2, (pitch, center, pin)


def test_the_horizon_agrees_with_the_picture(ground):
    """However high the eye is lifted, the ground ends at the true horizon, and azimuths stay."""
    ground.open(address(0))
    ground.wait_ready()
    far = (40_000 * math.sin(math.radians(HEADING)), 40_000 * math.cos(math.radians(HEADING)))
    for pitch in (10, 0, -20):
        point = geometry.project((*far, 0), geometry.held(HEADING, pitch), SCREEN, FOCAL)
        on_ground = expected(far, pitch)
        assert abs(point[0] - on_ground[0]) < 0.01 and 0 <= on_ground[1] - point[1] < 2.5
        look(ground, pitch)
        m = ground.state()["transit"]["frame"]
        assert m["eye"][2] == pytest.approx(LOW + (HIGH - LOW) * max(0, math.sin(math.radians(-pitch))), abs=1e-6)


TILE_COLORS = [(226, 92, 40), (40, 150, 226), (90, 190, 60), (200, 60, 190)]


def one_color(color):
    """A PNG of one pixel."""
    chunk = lambda kind, data: struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))
    return (b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", struct.pack(">IIBBBBB", 1, 1, 8, 2, 0, 0, 0))
            + chunk(b"IDAT", zlib.compress(b"\0" + bytes(color))) + chunk(b"IEND", b""))


def test_map_pictures_are_draped_where_they_belong(ground):
    """Each tile has a colour by its place in the pyramid; points of the screen show the colour of the tile that Web
    Mercator says is there."""
    zooms = set()

    def tile(route):
        z, x, y = map(int, re.search(r"/tiles/(\d+)/(\d+)/(\d+)", route.request.url).groups())
        zooms.add(z)
        route.fulfill(content_type="image/png", body=one_color(TILE_COLORS[x % 2 + 2 * (y % 2)]))

    ground.page.route("**/tiles/**", tile)
    ground.mock.lines = []
    ground.mock.tiles = {"url": ground.server.url + "/tiles/{z}/{x}/{y}.png", "attribution": "Tests", "maxZoom": 17}
    ground.open(address(-30, view="map"))
    ground.wait_ready()
    ground.wait("window.sightline.state().transit.frame.mapPart === 1 && window.sightline.state().transit.tiles >= 16")
    ground.page.evaluate("() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))")
    assert len(zooms) == 1
    scale = 2 ** zooms.pop()
    spots, expectations = [], []
    h = math.radians(HEADING)
    for y in range(100, 740, 40):
        for x in range(16, 300, 40):
            right, ahead = (x - SCREEN[0] / 2) * MAP / FOCAL, (SCREEN[1] / 2 - y) * MAP / FOCAL
            east, north = right * math.cos(h) + ahead * math.sin(h), ahead * math.cos(h) - right * math.sin(h)
            latitude, longitude, _ = geometry.place_at(HERE, east, north, 0.0)
            u = (longitude + 180) / 360 * scale
            v = (1 - math.asinh(math.tan(math.radians(latitude))) / math.pi) / 2 * scale
            # Two points of the screen from a border either colour would do.
            margin = 2 * MAP / FOCAL / (40_075_017 * math.cos(math.radians(latitude)) / scale)
            if margin < u % 1 < 1 - margin and margin < v % 1 < 1 - margin and math.hypot(right, ahead) > 60:
                spots.append((2 * x, 2 * y))
                expectations.append(TILE_COLORS[int(u) % 2 + 2 * (int(v) % 2)])
    found = decode(ground.page, ground.page.screenshot(), spots)["colours"]
    wrong = [(spot, seen, wanted) for spot, seen, wanted in zip(spots, found, expectations)
             if max(abs(a - b) for a, b in zip(seen, wanted)) > 12]
    assert len(spots) > 60 and len(set(expectations)) >= 2
    assert not wrong, f"{len(wrong)} of {len(spots)}: {wrong[:4]}"
