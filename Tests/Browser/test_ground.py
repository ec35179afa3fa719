"""The operator's own map: streets, water and names of central Helsinki under a world and under the departures, in the reader's
language, light and dark, and the way on foot to a stop. Nobody else is asked for it."""
import math
import re

import pytest

from support import geometry
from support.foreign import gddf, place
from support.phone import FIELD_OF_VIEW, SPARING, Phone
from support.sightline import ROOT, Sightline
from test_map import rest

#: Before the main railway station.
STATION = (60.17045, 24.94095, 10.0)
SIGHTS = gddf("Sights", [place("ateneum", "Ateneum", 60.17020, 24.94410), place("theatre", "National Theatre", 60.17190, 24.94480),
                         place("park", "Botanic garden", 60.17480, 24.94600)])
#: How much of the ground's pieces is of a colour, by its name.
COLOURS = """(wanted) => {
  const shares = Object.fromEntries(Object.keys(wanted).map((name) => [name, 0]));
  const pieces = [...document.querySelectorAll('#map canvas.map-ground')].filter((one) => one.checkVisibility());
  let all = 0;
  for (const canvas of pieces) {
    const { data } = canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height);
    all += data.length / 4;
    for (let at = 0; at < data.length; at += 4) {
      for (const [name, [r, g, b]] of Object.entries(wanted)) if (data[at] === r && data[at + 1] === g && data[at + 2] === b) shares[name]++;
    }
  }
  return { pieces: pieces.length, ...Object.fromEntries(Object.entries(shares).map(([name, count]) => [name, all ? count / all : 0])) };
}"""
DARK = {"land": (0x1a, 0x21, 0x27), "building": (0x33, 0x3c, 0x44), "park": (0x1d, 0x30, 0x23), "water": (0x16, 0x30, 0x3f)}
LIGHT = {"land": (0xf2, 0xef, 0xe9), "building": (0xd5, 0xca, 0xbd), "park": (0xc9, 0xe3, 0xb4), "water": (0xa9, 0xcf, 0xe0)}


def names(phone):
    return (phone.page.locator("#map canvas.map-names").get_attribute("data-names") or "").split("\n")


@pytest.mark.parametrize("locale, quarter", [("en-GB", "Kaisaniemi"), ("sv-SE", "Kajsaniemi")])
def test_a_world_lies_on_streets_with_names_in_the_readers_language(new_phone, foreign, output, locale, quarter):
    phone = new_phone(position=STATION, locale=locale, reduced_motion="reduce")
    hosts = set()
    phone.page.on("request", lambda request: hosts.add(re.sub(r"^\w+://([^/]*).*", r"\1", request.url)))
    phone.open_foreign(foreign.serve("/sights.gddf", SIGHTS))
    phone.point(0.0)
    phone.start()
    phone.page.evaluate("location.hash = location.hash + '&view=map'")
    phone.page.wait_for_selector("#map canvas.map-ground", state="attached")
    phone.wait("document.querySelector('#map canvas.map-names')?.dataset.names?.length > 20")
    rest(phone)
    seen = phone.page.evaluate(COLOURS, {name: list(value) for name, value in DARK.items()})
    assert seen["pieces"] >= 4 and 0.1 < seen["building"] < 0.7 and seen["land"] > 0.05 and seen["park"] > 0.005, seen
    assert "OpenStreetMap" in phone.page.locator("#map .leaflet-control-attribution").text_content()
    assert quarter in names(phone), names(phone)
    phone.page.screenshot(path=output / f"ground-{locale}.png")
    assert all(host.startswith("127.0.0.1") or not host for host in hosts), hosts


def test_the_ground_is_drawn_again_when_the_page_turns_light(new_phone, foreign, output):
    phone = new_phone(position=STATION, reduced_motion="reduce")
    phone.open_foreign(foreign.serve("/sights-light.gddf", SIGHTS))
    phone.point(0.0)
    phone.start()
    phone.page.evaluate("location.hash = location.hash + '&view=map'")
    phone.page.wait_for_selector("#map canvas.map-ground", state="attached")
    rest(phone)
    phone.page.evaluate("document.documentElement.dataset.scheme = 'light'")
    light = {name: list(value) for name, value in LIGHT.items()}
    phone.wait(f"({COLOURS})({light}).building > 0.1")
    phone.page.screenshot(path=output / "ground-light.png")
    # Farther out there are still streets and water, and nothing where the extract ends.
    for _ in range(2):
        phone.tap("#map .map-controls [aria-label='Zoom out']")
        rest(phone)
    phone.wait(f"({COLOURS})({light}).water > 0.002")
    phone.page.screenshot(path=output / "ground-light-far.png")


def test_tiles_are_asked_for_once_and_only_where_the_area_is(new_phone, foreign):
    phone = new_phone(position=STATION, reduced_motion="reduce")
    tiles = []
    phone.page.on("request", lambda request: tiles.append(request.url) if "/ground/tiles/" in request.url else None)
    phone.open_foreign(foreign.serve("/sights-once.gddf", SIGHTS))
    phone.point(0.0)
    phone.start()
    phone.page.evaluate("location.hash = location.hash + '&view=map'")
    phone.page.wait_for_selector("#map canvas.map-ground", state="attached")
    rest(phone)
    for _ in range(3):
        phone.tap("#map .map-controls [aria-label='Zoom in']")
        rest(phone)
    assert tiles and len(tiles) == len(set(tiles)), tiles
    assert all(re.search(r"/(10|12|14|16)/\d+/\d+\?version=", url) for url in tiles), tiles


def test_a_world_elsewhere_has_the_plain_grid(new_phone):
    phone = new_phone(reduced_motion="reduce")
    tiles = []
    phone.page.on("request", lambda request: tiles.append(request.url) if "/ground/tiles/" in request.url else None)
    phone.open("/world/ulm?virtual=1&view=map")
    phone.page.wait_for_selector("#map .map-grid", state="attached")
    rest(phone)
    assert tiles == []


@pytest.fixture(scope="module")
def helsinki(foreign, tmp_path_factory):
    server = Sightline(tmp_path_factory.mktemp("ground"), foreign.port,
                       more=["--transit", ROOT / "Fixtures" / "transit" / "demonstration.json"]).start()
    yield server
    server.stop()


def test_the_way_to_a_stop_is_on_the_ground_and_in_words(browser, helsinki, output):
    phone = Phone(browser, helsinki, **SPARING, position=STATION)
    phone.expect("GPU stall due to ReadPixels")
    try:
        phone.open(f"/transit?virtual=1&lat={STATION[0]}&lon={STATION[1]}&heading=20&pitch=-30")
        phone.wait("window.sightline.state().transit?.stops?.length > 3")
        stops = phone.state()["transit"]["stops"]
        phone.page.evaluate("(id) => document.querySelector(`.stop-label[data-stop='${id}']`).click()", stops[min(5, len(stops) - 1)])
        phone.page.wait_for_selector("#walk summary")
        text = phone.page.locator("#walk summary").text_content().replace("\u00a0", " ")
        assert re.match(r"\d+ m · Way on foot, \d+ min · (no steps|\d+ steps?)$", text), text
        phone.tap("#walk summary")
        steps = phone.page.locator("#walk li").all_inner_texts()
        assert steps[0].startswith("Set out") and steps[-1].startswith("You are there"), steps
        assert "OpenStreetMap" in phone.page.locator("#walk .credits").text_content()
        phone.wait("window.sightline.state().transit.tiles > 0")
        phone.page.screenshot(path=output / "ground-way.png")
        with phone.page.expect_request("**/api/v1/routes/foot") as asked:
            phone.page.locator("#walk-avoid").check()
        assert asked.value.post_data_json["avoidSteps"] is True
        phone.check()
    finally:
        phone.close()


def test_the_list_of_stops_has_the_distances_that_are_walked(browser, helsinki):
    """Ways are longer than the straight lines that stand on the labels."""
    phone = Phone(browser, helsinki, **SPARING, position=STATION)
    phone.expect("GPU stall due to ReadPixels")

    def metres(found):
        found = {stop: text.replace("\u00a0", " ").split(" · ")[0] for stop, text in found.items()}
        return {stop: float(text.removesuffix(" m")) for stop, text in found.items() if text.endswith(" m")}

    try:
        phone.open(f"/transit?virtual=1&lat={STATION[0]}&lon={STATION[1]}&heading=20&pitch=-30")
        phone.wait("document.querySelectorAll('.stop-label .stop-label-far').length > 3")
        straight = metres(phone.page.evaluate(
            "() => Object.fromEntries([...document.querySelectorAll('.stop-label[data-stop]')].map((e) => [e.dataset.stop, e.querySelector('.stop-label-far').textContent]))"))
        phone.tap("#transit-views [data-value=list]")
        phone.wait("document.querySelector('#walked-credit').textContent.includes('OpenStreetMap')")
        walked = metres(phone.page.evaluate(
            "() => Object.fromEntries([...document.querySelectorAll('#near-stops li[data-stop]')].map((e) => [e.dataset.stop, e.querySelector('.stop-facts').textContent]))"))
        pairs = [(straight[stop], walked[stop]) for stop in straight if stop in walked]
        assert len(pairs) > 2, (straight, walked)
        # Rounded to ten metres, and from the nearest point of a way.
        assert all(far >= near - 30 for near, far in pairs), pairs
        assert sum(far for _, far in pairs) > 1.05 * sum(near for near, _ in pairs), pairs
        phone.check()
    finally:
        phone.close()


def test_what_stands_behind_houses_is_dimmed_and_dashed_and_what_is_before_them_is_not(new_phone, foreign, output):
    """On the square before the station: the theatre across it is seen, a church behind three blocks is not."""
    square = (60.17135, 24.94330, 10.0)
    phone = new_phone(position=square, reduced_motion="reduce")
    world = gddf("Behind", [place("near", "On the square", 60.17160, 24.94380), place("far", "Behind the blocks", 60.16880, 24.94560)], radar=2000)
    phone.open_foreign(foreign.serve("/behind.gddf", world))
    phone.point(150.0)
    phone.start()
    label = "#labels .label[data-id='far'], .label[data-id='far']"
    phone.wait("document.querySelector(\".label[data-id='far']\")?.dataset.visibility === 'hidden'")
    assert "dashed" in phone.page.locator(label).first.evaluate("(e) => getComputedStyle(e).outlineStyle")
    phone.page.screenshot(path=output / "ground-behind.png")
    # Who does not want to see them at all says so, and sees them again.
    is_shown = "[...document.querySelectorAll(\".label[data-id='far']\")].some((e) => e.checkVisibility({ visibilityProperty: true }))"
    for choice, condition in (("Left out", f"!({is_shown})"), ("Dimmed", is_shown)):
        phone.tap("#menu")
        phone.tap("#menu-settings")
        phone.page.locator("#settings-hidden").get_by_text(choice).click()
        phone.page.keyboard.press("Escape")
        phone.wait(condition)
    phone.point(25.0)
    phone.page.wait_for_selector(".label[data-id='near']")
    phone.page.wait_for_timeout(500)
    assert phone.page.locator(".label[data-id='near']").first.get_attribute("data-visibility") is None


#: How much of the ribbon is drawn whole, and how much faintly behind walls: pixels by their opacity.
RIBBON = """() => {
  const canvas = document.querySelector('#way');
  canvas.dispatchEvent(new Event('redraw'));
  const gl = canvas.getContext('webgl2'), data = new Uint8Array(4 * canvas.width * canvas.height);
  gl.readPixels(0, 0, canvas.width, canvas.height, gl.RGBA, gl.UNSIGNED_BYTE, data);
  const found = { whole: 0, faint: 0, top: 1 };
  for (let at = 3; at < data.length; at += 4) {
    // The rows come from below.
    if (data[at] > 200) [found.whole, found.top] = [found.whole + 1, 1 - at / data.length];
    else if (data[at] > 30 && data[at] < 90) found.faint++;
  }
  return found;
}"""


def test_the_way_to_a_place_of_a_world_is_asked_for_on_its_card(new_phone, foreign, output):
    """In words on the card, as a ribbon before the user that houses cut and that rises with the ground, as a line on the map, and at the needle
    until that is ended."""
    square = (60.17135, 24.94330, 10.0)
    phone = new_phone(position=square, reduced_motion="reduce", screen=(320, 568))
    slope = 0.0

    def settings(route):
        answer = route.fetch()
        route.fulfill(response=answer, json={**answer.json(), "hasTerrain": True})

    def ground(route):
        places = route.request.post_data_json["places"]
        away = [math.hypot((place["latitude"] - square[0]) * 111_195, (place["longitude"] - square[1]) * 111_195 * math.cos(math.radians(square[0])))
                for place in places]
        route.fulfill(json={"heights": [round(8 + slope * far, 1) for far in away]})
    phone.page.route("**/api/v1/settings", settings)
    phone.page.route("**/api/v1/ground", ground)
    phone.expect("GPU stall due to ReadPixels", "GL Driver Message", "Multiple readback operations")
    world = gddf("Ways", [place("far", "Behind the blocks", 60.16880, 24.94560)], radar=2000)
    phone.open_foreign(foreign.serve("/ways.gddf", world))
    phone.point(150.0)
    phone.start()
    # Nothing of it is there before somebody asks.
    assert phone.page.locator("#way").count() == 0
    phone.wait("document.querySelector(\".label[data-id='far']\")?.dataset.visibility === 'hidden'")
    phone.tap(".label[data-id='far']")
    with phone.page.expect_request("**/api/v1/routes/foot"):
        phone.tap("#card-walk")
    phone.page.wait_for_selector("#walk summary")
    text = phone.page.locator("#walk summary").text_content().replace("\u00a0", " ")
    found = re.match(r"(\d+) m · Way on foot, \d+ min · (no steps|\d+ steps?)$", text)
    # In a straight line it is 310 m.
    assert found and 320 < int(found[1]) < 900, text
    steps = phone.page.locator("#card #walk li").all_inner_texts()
    assert steps[0].startswith("Set out") and steps[-1].startswith("You are there"), steps
    assert "OpenStreetMap" in phone.page.locator("#card #walk .credits").text_content()
    phone.page.screenshot(path=output / "ground-way-card.png")
    with phone.page.expect_request("**/api/v1/routes/foot") as asked:
        phone.page.locator("#walk-avoid").check()
    assert asked.value.post_data_json["avoidSteps"] is True
    # The card makes room, the ribbon and the needle stay.
    phone.tap("#card .card-close")
    assert "Way on foot" in phone.page.locator("#needle .needle-far").text_content()
    phone.point(150.0, pitch=-25.0)
    phone.wait(f"(() => {{ const {{ whole, faint }} = ({RIBBON})(); return whole > 300 && faint > 50; }})()")
    phone.page.screenshot(path=output / "ground-way-view.png")
    # On level ground all of it is below the horizon, which is 25 degrees over the middle; up a hill it is not.
    horizon = 0.5 - geometry.focal_points((320, 568), (720, 1280), FIELD_OF_VIEW) * math.tan(math.radians(25)) / 568
    assert phone.page.evaluate(RIBBON)["top"] > horizon > 0.02, horizon
    slope = 0.1
    phone.tap("#needle-place")
    with phone.page.expect_request("**/api/v1/ground"):
        phone.page.locator("#walk-avoid").uncheck()
    phone.tap("#card .card-close")
    phone.wait(f"({RIBBON})().top < {horizon - 0.01}")
    phone.page.screenshot(path=output / "ground-way-hill.png")
    phone.page.evaluate("location.hash = location.hash + '&view=map'")
    phone.page.wait_for_selector("#map path.map-way", state="attached")
    rest(phone)
    phone.page.screenshot(path=output / "ground-way-map.png")
    # Again on the card, as it was left; and with the needle all of it ends.
    phone.tap("#needle-place")
    assert phone.page.locator("#card #walk").get_attribute("open") is not None
    phone.page.keyboard.press("Escape")
    phone.tap("#needle-end")
    phone.wait("document.querySelectorAll('#map path.map-way').length === 0")
    phone.page.evaluate("location.hash = location.hash.replace('&view=map', '')")
    phone.wait(f"({RIBBON})().whole === 0")
