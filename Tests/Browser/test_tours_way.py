"""The way of a tour: a teacher draws it on the map, phones show it on the ground and on the map, with what comes next."""
import math

from support.tours import moved
from test_tours import click_map, join, sign_in

START = (52.0116, 4.3571)
#: North, round a corner to the east, and back to the south to a station, whose pin is clicked; metres north and east.
CORNERS = [(0, 0), (160, 0), (160, 120), (25, 118)]
ORANGE = (255, 122, 26)

COLOUR = """([x, y]) => {
  const canvas = document.querySelector('#paths');
  const ratio = canvas.width / innerWidth;
  return [...canvas.getContext('2d').getImageData(Math.round(x * ratio), Math.round(y * ratio), 1, 1).data];
}"""


def at(north, east):
    latitude, longitude = moved(START, north, east)
    return {"latitude": latitude, "longitude": longitude}


def station(name, north, east):
    return {"id": name.lower(), "kind": "choice", "title": name, "text": "Which?", "position": at(north, east), "options": ["A", "B"],
            "correct": [0], "radius": 20}


#: The last one lies near the begin of the way, as the crow flies.
TOUR = {"title": "Round the block", "stations": [station("Corner", 160, 60), station("Close", 25, 118)]}


def is_near(point, north, east, metres=4):
    expected = moved(START, north, east)
    up = (point["latitude"] - expected[0]) * 111_195
    right = (point["longitude"] - expected[1]) * 111_195 * math.cos(math.radians(START[0]))
    return math.hypot(up, right) < metres


def test_a_teacher_draws_the_way(new_phone, server, teacher_account, output):
    desk = new_phone(screen=(1280, 800), mobile=False, scale=1, sensors=False, position=(*START, 2.0))
    teacher = sign_in(desk)
    tour = teacher.json("POST", "/api/v1/tours", TOUR)["id"]
    page = desk.page
    desk.open(f"/tours/{tour}")
    page.wait_for_selector("#tours-designer .tour-pin")
    # Everything on the map: the corners that are drawn lie beyond the stations.
    desk.wait("window.sightline.state().map?.zoom >= 16")
    page.locator("#tours-draw-way").click()
    assert page.locator(".tour-map-hint").is_visible()

    def stored():
        desk.wait("window.sightline.state().saved === true")
        return teacher.json("GET", f"/api/v1/tours/{tour}")

    click_map(desk, moved(START, *CORNERS[0]))
    one = stored()
    assert one["tour"]["way"] == "drawn" and [problem["path"] for problem in one["problems"]] == ["route"], "a way of one corner is none yet"
    for corner in CORNERS[1:]:
        click_map(desk, moved(START, *corner))
    answer = stored()
    assert not answer["problems"]
    route = answer["tour"]["route"]
    assert len(route) == 4 and all(is_near(point, *corner) for point, corner in zip(route, CORNERS)), route
    assert page.locator("#tours-way").input_value() == "drawn"
    page.screenshot(path=output / "tours-way-designer.png")
    # A click on the line adds a corner there, one on a corner takes it away, and each is one step back.
    click_map(desk, moved(START, 80, 0))
    route = stored()["tour"]["route"]
    assert len(route) == 5 and is_near(route[1], 80, 0), route
    page.locator(".tour-corner").nth(1).click()
    assert len(stored()["tour"]["route"]) == 4
    page.locator("#tours-undo").click()
    assert len(stored()["tour"]["route"]) == 5
    page.locator("#tours-draw-way").click()
    # Straight lines between the stations instead; what was drawn is kept.
    page.locator("#tours-settings summary").click()
    page.locator("#tours-way").select_option("stations")
    answer = stored()["tour"]
    assert answer["way"] == "stations" and len(answer["route"]) == 5
    assert page.locator(".tour-way").count() == 1 and page.locator(".tour-corner").count() == 0
    page.locator("#tours-remove-way").click()
    answer = stored()["tour"]
    assert answer["way"] == "none" and not answer["route"]
    assert page.locator(".tour-way").count() == 0


def test_a_phone_shows_the_way_and_what_comes_next(new_phone, server, teacher_account, output):
    desk = new_phone(screen=(1280, 800), mobile=False, scale=1, sensors=False, position=(*START, 2.0))
    teacher = sign_in(desk)
    _, run, teams = teacher.make_run({**TOUR, "way": "drawn", "route": [at(*corner) for corner in CORNERS]}, 1)
    phone = join(new_phone, f"{server.url}/t/{teams[0]['code']}", moved(START, 40, 0))
    phone.expect("Multiple readback operations")
    page = phone.page
    # Close is 120 m away, but the way comes to it last: 120 m north and 60 m east to the corner.
    page.locator("#tour-bar .tour-next", has_text="Corner").wait_for()
    assert "180" in page.locator("#tour-bar .tour-next").inner_text(), page.locator("#tour-bar .tour-next").inner_text()
    phone.wait("window.sightline.session.paths().length >= 1")
    # Straight along it: compasses point to magnetic north.
    phone.point(-phone.declination % 360, pitch=-8.0)
    phone.settle()
    width, height = phone.screen
    frame = page.evaluate("(() => { const f = window.sightline.session.frame; return [f.horizontalFieldOfView, f.pitch]; })()")
    focal = width / 2 / math.tan(frame[0] / 2)
    # Along the ground straight ahead, at 8 and at 20 m.
    for metres in (8, 20):
        y = height / 2 + focal * math.tan(math.atan2(1.6, metres) + frame[1])
        colour = page.evaluate(COLOUR, [width / 2, y])
        assert colour[3] > 200 and all(abs(a - b) < 45 for a, b in zip(colour, ORANGE)), (metres, colour, y)
    page.screenshot(path=output / "tours-way-phone.png")
    phone.tap("#view-map")
    page.wait_for_selector("#map path.leaflet-interactive", state="attached")
    widths = page.locator("#map path.leaflet-interactive").evaluate_all(
        "(p) => p.filter((e) => e.getAttribute('stroke') === '#ff7a1a').map((e) => Number(e.getAttribute('stroke-width')))")
    assert 9 in widths and 3 in widths, widths
    page.screenshot(path=output / "tours-way-map.png")
    # Past the first station, answered: the way goes on to the other one, and what was walked is thin.
    phone.tap("#view-ar")
    phone.move((*moved(START, 160, 60), 2.0))
    page.locator("#card .card-head h2", has_text="Corner").wait_for()
    page.locator("#tour-option-0").check()
    page.locator("#tour-send").tap()
    page.locator("#card .tour-verdict.right").wait_for()
    page.locator("#card .card-close").tap()
    phone.move((*moved(START, 160, 98), 2.0))
    page.locator("#tour-bar .tour-next", has_text="Close").wait_for()
    assert "160" in page.locator("#tour-bar .tour-next").inner_text(), page.locator("#tour-bar .tour-next").inner_text()
