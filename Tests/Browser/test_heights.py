"""Heights over the sea, the ellipsoid and the ground: where places are drawn, and what the page says of it."""
import array
import json
import math
import subprocess

import pytest
from support import geoid, geometry
from support.foreign import gddf, place
from support.phone import wait_until
from support.sightline import PROGRAM, Sightline, environment
from support.worlds import EYE, towards

IPHONE = ("Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.0 "
          "Mobile/15E148 Safari/604.1")


def open_world(phone, foreign, path, places):
    phone.open_foreign(foreign.serve(path, gddf("heights", places)))
    axes = phone.point(0.0)
    phone.start()
    phone.wait_world("heights")
    phone.settle()
    return axes


def said(phone):
    """The sentence about heights under "How accurate is this?"."""
    phone.tap("#menu")
    phone.tap("#menu-status")
    phone.page.locator("#status-dialog").wait_for()
    return next(text for text in phone.page.locator("#status-dialog li").all_inner_texts() if text.startswith("Height"))


def fetches_geoid(phone):
    return phone.page.evaluate("performance.getEntriesByType('resource').some((e) => e.name.endsWith('/data/egm96.geoid'))")


@pytest.mark.parametrize("agent", [None, IPHONE], ids=["ellipsoid", "sea"])
def test_a_place_over_the_sea_is_where_it_stands(new_phone, foreign, output, agent):
    phone = new_phone(agent=agent)
    spot = towards(EYE, 4.0, 300.0, 12.0)
    axes = open_world(phone, foreign, f"/sea-{bool(agent)}.gddf", [place("a", "Tower", *spot)])
    expected = phone.expected_point(axes, spot)

    def is_there():
        label = phone.labels().get("a")
        return label and max(abs(label["anchor"][k] - expected[k]) for k in (0, 1)) <= 2
    wait_until(is_there, f"it is drawn at {expected}")
    assert fetches_geoid(phone) == (agent is None)
    text = said(phone)
    assert "480 m above sea level" in text and "within 3 m" in text
    assert ("ellipsoid" in text and f"{round(geoid.height(EYE[0], EYE[1]))} m away" in text) == (agent is None), text
    phone.page.screenshot(path=str(output / f"heights-{'sea' if agent else 'ellipsoid'}.png"))


def test_without_the_geoid_places_are_at_eye_level_and_the_page_says_so(new_phone, foreign):
    phone = new_phone()
    phone.expect("egm96.geoid", "Failed to load resource")
    phone.page.route("**/data/egm96.geoid", lambda route: route.fulfill(status=404))
    spot = towards(EYE, 4.0, 300.0, 40.0)
    axes = open_world(phone, foreign, "/no-geoid.gddf", [place("a", "Tower", *spot)])
    level = phone.expected_point(axes, (spot[0], spot[1], EYE[2]))
    wait_until(lambda: "a" in phone.labels() and abs(phone.labels()["a"]["anchor"][1] - level[1]) <= 2, f"it is drawn at {level}")
    assert "sea level could not be looked up" in said(phone)


def test_the_ground_stands_in_for_an_altitude(new_phone, foreign):
    phone = new_phone(position=(EYE[0], EYE[1], None))
    asked = []

    def settings(route):
        answer = route.fetch()
        route.fulfill(response=answer, json={**answer.json(), "hasTerrain": True})

    def ground(route):
        places = json.loads(route.request.post_data)["places"]
        asked.append(places)
        route.fulfill(json={"heights": [470.0 for _ in places]})
    phone.page.route("**/api/v1/settings", settings)
    phone.page.route("**/api/v1/ground", ground)
    spot = towards((EYE[0], EYE[1], 471.5), 4.0, 300.0, 25.0)
    axes = open_world(phone, foreign, "/ground.gddf", [place("a", "Tower", *spot)])
    phone.position = (EYE[0], EYE[1], 471.5)
    expected = phone.expected_point(axes, spot)
    wait_until(lambda: "a" in phone.labels() and abs(phone.labels()["a"]["anchor"][1] - expected[1]) <= 2, f"it is drawn at {expected}")
    assert asked == [[{"latitude": EYE[0], "longitude": EYE[1]}]], "places with a height are not asked about"
    assert "this phone tells no height, so it is that of the ground here" in said(phone)


# A tile of 3 seconds of arc made here: a slope with hills on it, in whole metres as files have them, rows from north to south.
SOUTH, WEST, MESHES = 48, 10, 1200


def made_height(row, column):
    return round(40 + 6 * (MESHES - row) + 6 * math.sin(row / 1.7) * math.cos(column / 1.3))


def ground_at(latitude, longitude):
    """Metres over the sea, between the four heights around."""
    y, x = (SOUTH + 1 - latitude) * MESHES, (longitude - WEST) * MESHES
    row, column = math.floor(y), math.floor(x)
    down, right = y - row, x - column
    return sum(made_height(row + i, column + j) * (down if i else 1 - down) * (right if j else 1 - right) for i in (0, 1) for j in (0, 1))


@pytest.fixture
def hilly(foreign, tmp_path):
    """A server that has the tile, and how to take it away."""
    tile = array.array("h", (made_height(row, column) for row in range(MESHES + 1) for column in range(MESHES + 1)))
    tile.byteswap()
    (tmp_path / "N48E010.hgt").write_bytes(tile.tobytes())
    server = Sightline(tmp_path, foreign.port, more=["--demo", "none"])

    def terrain(*arguments):
        subprocess.run([PROGRAM, "terrain", *arguments, "--database", server.database], check=True, capture_output=True, timeout=60, env=environment())
    terrain("add", tmp_path / "N48E010.hgt")
    yield server.start(), lambda: terrain("remove", "N48E010")
    server.stop()


def kml(marks):
    """A world of (name, position, mode): heights over the ground or the sea."""
    return '<kml xmlns="http://www.opengis.net/kml/2.2"><Document><name>Hills</name>' + "".join(
        f'<Placemark id="{name}"><name>{name}</name><Point><altitudeMode>{mode}</altitudeMode>'
        f"<coordinates>{at[1]:.9f},{at[0]:.9f},{at[2]:.4f}</coordinates></Point></Placemark>" for name, at, mode in marks) + "</Document></kml>"


def test_places_stand_on_real_terrain_also_after_a_walk_and_without_the_tile(hilly, new_phone, foreign, output):
    server, take_away = hilly

    def standing(north):
        """Somebody so far north of where the walk begins, the phone in his hand."""
        latitude, longitude, _ = geometry.place_at((48.4, 10.3, 0.0), 0.0, north, 0.0)
        return (latitude, longitude, ground_at(latitude, longitude) + 1.5)
    start = standing(0.0)
    phone = new_phone(on=server, position=start)
    over_ground, over_sea = (towards(start, phone.declination + azimuth, 700.0) for azimuth in (-4.0, 4.0))
    marks = [("Mast", (*over_ground[:2], 20.0), "relativeToGround"), ("Kite", (*over_sea[:2], start[2] + 60.0), "absolute")]
    address = foreign.serve("/hills.kml", kml(marks))

    def is_drawn(where, rise):
        """Both are where they have to be; `rise`: how much higher the ground below the mast is than below the phone."""
        axes = phone.point(0.0)
        eye = phone.position[2]
        wanted = {"Mast": (*over_ground[:2], eye + rise + 20.0), "Kite": marks[1][1]}
        expected = {name: phone.expected_point(axes, at) for name, at in wanted.items()}
        seen = {}

        def fits():
            seen.update({name: label["anchor"] for name, label in phone.labels().items()})
            return all(name in seen and max(abs(seen[name][k] - expected[name][k]) for k in (0, 1)) <= 2 for name in expected)
        wait_until(fits, f"{where}: both are drawn at {expected}", seconds=15)
        phone.page.screenshot(path=str(output / f"heights-hills-{where}.png"))

    phone.open_foreign(address)
    phone.point(0.0)
    phone.start()
    phone.wait_world("Hills")
    rises = [ground_at(*over_ground[:2]) - (standing(north)[2] - 1.5) for north in (0.0, 360.0)]
    # So different from level ground, and from each other, that none could be taken for another: 2 pixels are about 2 m here.
    assert abs(rises[0]) > 12 and abs(rises[1]) > 12 and abs(rises[0] - rises[1]) > 12, rises
    is_drawn("before", rises[0])
    for north in range(90, 361, 90):
        phone.move(standing(north))
        phone.settle()
    is_drawn("after", rises[1])

    take_away()
    wait_until(lambda: not json.loads(server.get("/api/v1/settings"))["hasTerrain"], "the server has no terrain any more", seconds=20)
    phone.page.reload()
    phone.wait("Boolean(window.sightline?.ready)")
    phone.page.evaluate("window.sightline.ready")
    phone.point(0.0)
    phone.start()
    phone.wait_world("Hills")
    # The ground is as high everywhere as where the user stands.
    is_drawn("without", 0.0)
