"""The buildings around the user in what is drawn: a model half behind a house is half seen, one in a house is seen by its front, ways end at
walls; and where no camera is, the town stands behind the labels."""
import json

from support import geoid
from support.cube import SHOWN, corners_glb
from support.foreign import Answer, gddf, place
from support.phone import SPARING, Phone, wait_until
from support.picture import patches
from support.sightline import ROOT, Sightline
from support.worlds import towards
from test_things import bare, corner_points

#: In the hall of tracks of Helsinki's main station, as the extract has it: to the right of heading 224 stands a house of 18 m, 36 m away;
#: to its left nothing is for 120 m. In heading 265 one of 18 m begins 26.5 m away, in heading 95 one of 12 m 43.7 m away (`gather` of WebClient/app/session/buildings.js).
EYE = (60.17270, 24.94113, 10.0)
EDGE, HOUSE, FRONT = 224.0, 265.0, 26.5
SIDE = 9.0


def feature(id, at, heading):
    return {"type": "Feature", "id": id, "geometry": {"type": "Point", "coordinates": [at[1], at[0], at[2] + geoid.height(*at[:2])]},
            "properties": {"title": id, "model": {"url": "MODEL", "scale": SIDE / 2}, "attitude": {"heading": heading}}}


def seen(phone, output, name):
    data = phone.page.screenshot(path=output / f"town-{name}.png")
    return [patch is not None and patch["count"] > 6 for patch in patches(phone.page, data, [list(color) for color in SHOWN], 40)]


def expect_corners(phone, output, name, expected):
    found = []

    def fits():
        found[:] = seen(phone, output, name)
        return found == expected
    try:
        wait_until(fits, name, seconds=8)
    except AssertionError:
        raise AssertionError(f"{name}: seen are {found}, expected {expected}") from None


def test_models_and_lines_are_cut_by_houses(new_phone, foreign, output):
    # Small cubes a quarter as broad as the large one; its foot is the origin.
    model = foreign.serve("/town.glb", Answer(corners_glb(0.5, 1.25)))
    half, within = towards(EYE, EDGE, 80.0, -1.5), towards(EYE, HOUSE, FRONT + 10, -1.5)
    line = [towards(EYE, HOUSE, away, -1.5) for away in (4.0, 150.0)]
    world = {"type": "FeatureCollection", "name": "town", "features": [
        feature("half", half, (EDGE + 180) % 360), feature("within", within, (HOUSE + 180) % 360),
        {"type": "Feature", "id": "line", "geometry": {"type": "LineString", "coordinates": [[p[1], p[0]] for p in line]},
         "properties": {"title": "line", "stroke": "#ff0000"}}]}
    phone = new_phone(position=EYE, reduced_motion="reduce")
    phone.expect("GPU stall due to ReadPixels", "GL Driver Message", "Multiple readback operations")
    phone.open_foreign(foreign.serve("/town.geojson", json.dumps(world).replace("MODEL", model)))
    axes = phone.point(EDGE - phone.declination)
    phone.start()
    phone.wait("window.sightline.state().things?.drawn > 0")
    bare(phone)
    # To the left of the house's edge everything is seen, to its right nothing.
    points = corner_points(phone, axes, half, (EDGE + 180) % 360, SIDE, middle=1.25 * SIDE / 2)
    expected = [x < phone.expected_point(axes, half)[0] for x, _ in points]
    assert True in expected and False in expected
    expect_corners(phone, output, "half", expected)
    # What is in a house is that house: all of it is seen.
    phone.point(HOUSE - phone.declination)
    expect_corners(phone, output, "within", [True] * 8)
    # The line on the ground ends at its front but for a trace: its first rows are far away, its last ones near.
    phone.page.evaluate("document.adoptedStyleSheets = document.adoptedStyleSheets.slice(0, -1)")
    phone.wait("""(() => {
      const canvas = document.querySelector('#paths');
      const { data, width, height } = canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height);
      const alpha = [];
      for (let y = 0; y < height; y++) alpha.push(Math.max(...data.subarray(4 * y * width, 4 * (y + 1) * width).filter((_, k) => k % 4 === 3)));
      const drawn = alpha.filter((value) => value > 0);
      return drawn.length > 20 && drawn[0] < 80 && Math.max(...drawn.slice(-20)) > 200;
    })()""")


def test_the_town_stands_behind_the_labels_where_no_camera_is(new_phone, foreign, output):
    world = gddf("Town", [place("front", "Before the house", *towards(EYE, HOUSE, 20.0))])
    phone = new_phone(position=EYE, reduced_motion="reduce")
    phone.expect("GPU stall due to ReadPixels", "GL Driver Message", "Multiple readback operations")
    phone.open_foreign(foreign.serve("/drawn.gddf", world), virtual=1, lat=EYE[0], lon=EYE[1], heading=HOUSE)
    # Before the house's front the sky is gone.
    phone.wait("""(() => {
      const canvas = document.querySelector('#backdrop');
      const [r, g, b] = canvas.getContext('2d').getImageData(canvas.width / 2, canvas.height * 0.4, 1, 1).data;
      return r > 60 && r >= g && g >= b;
    })()""")
    phone.page.screenshot(path=output / "town-drawn.png")


def test_pins_and_ways_of_the_departures_are_faint_behind_houses(browser, foreign, output, tmp_path_factory):
    server = Sightline(tmp_path_factory.mktemp("town"), foreign.port, more=["--transit", ROOT / "Fixtures" / "transit" / "demonstration.json"]).start()
    phone = Phone(browser, server, **SPARING, position=EYE)
    phone.expect("GPU stall due to ReadPixels", "GL Driver Message", "Multiple readback operations")
    try:
        phone.open(f"/transit?virtual=1&lat={EYE[0]}&lon={EYE[1]}&heading=95&pitch=0")
        phone.wait("window.sightline.state().transit?.stops?.length > 3")
        # The house 43.7 m away stands 26 pixels below the horizon: from there up the ground that the view lies on is not drawn.
        phone.wait("""(() => {
          const canvas = document.querySelector('#transit-ground');
          canvas.dispatchEvent(new Event('redraw'));
          const gl = canvas.getContext('webgl2'), pixel = new Uint8Array(4);
          const alpha = (below) => {
            gl.readPixels(canvas.width / 2, canvas.height / 2 - below, 1, 1, gl.RGBA, gl.UNSIGNED_BYTE, pixel);
            return pixel[3];
          };
          return alpha(24) === 0 && alpha(36) > 200;
        })()""")
        phone.page.screenshot(path=output / "town-departures.png")
        phone.check()
    finally:
        phone.close()
        server.stop()


def test_stops_behind_houses_are_marked_and_become_what_the_reader_chose(browser, foreign, output, tmp_path_factory):
    """On the square before the station one stop is across it, at the corner of its theatre's street, another stands behind the blocks."""
    at, seen, hidden = (60.17135, 24.94330), "hsl:1020401", "hsl:1010419"
    server = Sightline(tmp_path_factory.mktemp("stops"), foreign.port, more=["--transit", ROOT / "Fixtures" / "transit" / "demonstration.json"]).start()
    phone = Phone(browser, server, **SPARING, position=(*at, 10.0))
    phone.expect("GPU stall due to ReadPixels", "GL Driver Message", "Multiple readback operations")

    def choose(text):
        phone.tap("#transit-menu")
        phone.tap("#menu-settings")
        phone.page.locator("#settings-hidden").get_by_text(text).click()
        phone.page.keyboard.press("Escape")

    def box(stop):
        return phone.page.locator(f".stop-label[data-stop='{stop}'].shown").bounding_box()
    try:
        phone.open(f"/transit?virtual=1&lat={at[0]}&lon={at[1]}&heading=120&pitch=0")
        phone.wait(f"document.querySelector(\".stop-label.shown[data-stop='{hidden}']\")?.dataset.visibility === 'hidden'")
        assert box(seen)
        assert phone.page.locator(f".stop-label[data-stop='{seen}']").get_attribute("data-visibility") is None
        assert "dashed" in phone.page.locator(f".stop-label[data-stop='{hidden}']").evaluate("(e) => getComputedStyle(e).outlineStyle")
        phone.page.screenshot(path=output / "town-stops-dimmed.png")
        choose("Left out")
        phone.page.wait_for_selector(f".stop-label[data-stop='{hidden}']:not(.shown)", state="attached")
        assert box(seen)
        # In the map nothing hides.
        phone.tap("#transit-views [data-value=map]")
        phone.wait("document.querySelectorAll('.stop-label.shown').length > 2 && !document.querySelector('.stop-label[data-visibility]')")
        phone.tap("#transit-views [data-value=view]")
        # Before the hall of tracks' house of 12 m, 43.7 m away, labels stand higher than over their pins.
        choose("Dimmed")
        stop, places = "hsl:1020457", {}
        phone.page.evaluate(f"location.hash = '#/transit?virtual=1&lat={EYE[0]}&lon={EYE[1]}&heading=120&pitch=0'")
        for choice in ("Dimmed", "On the roofs"):
            choose(choice)
            phone.page.wait_for_selector(f".stop-label.shown[data-stop='{stop}'][data-visibility=hidden]")
            phone.page.wait_for_timeout(700)
            places[choice] = box(stop)["y"]
            phone.page.screenshot(path=output / f"town-stops-{choice[:6]}.png")
        assert 15 < places["Dimmed"] - places["On the roofs"] < 250, places
        phone.check()
    finally:
        phone.close()
        server.stop()
