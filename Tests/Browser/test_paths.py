"""Lines and areas of a world: over the camera's picture where they lie, and on the map."""
import math

from support.lines import paths

COLOUR = """([x, y]) => {
  const canvas = document.querySelector('#paths');
  const ratio = canvas.width / innerWidth;
  return [...canvas.getContext('2d').getImageData(Math.round(x * ratio), Math.round(y * ratio), 1, 1).data];
}"""


def test_a_line_lies_on_the_ground_ahead(phone, foreign, output):
    # The browser's remark on how this test reads the canvas.
    phone.expect("Multiple readback operations")
    phone.open_foreign(foreign.serve("/paths.geojson", paths(phone.declination)))
    phone.point(0.0, pitch=-8.0)
    phone.start()
    phone.settle()
    phone.wait("window.sightline.session.paths().length === 2")
    width, height = phone.screen
    frame = phone.page.evaluate("(() => { const f = window.sightline.session.frame; return [f.horizontalFieldOfView, f.pitch, f.width, f.height]; })()")
    focal = width / 2 / math.tan(frame[0] / 2)
    # The middle corner: 15 m ahead, 1.6 m down.
    drop = math.atan2(1.6, 15) + frame[1]
    y = height / 2 + focal * math.tan(drop)
    red = phone.page.evaluate(COLOUR, [width / 2, y])
    assert red[0] > 200 and red[1] < 60 and red[3] > 200, (red, y)
    # Between the line and the far side of the square the ground is blue.
    far = height / 2 + focal * math.tan(math.atan2(1.6, 40) + frame[1])
    blue = phone.page.evaluate(COLOUR, [width / 2, far])
    assert blue[2] > 200 and blue[0] < 60, (blue, far)
    # Above the horizon there is nothing.
    sky = phone.page.evaluate(COLOUR, [width / 2, height / 2 + focal * math.tan(frame[1]) - 20])
    assert sky[3] == 0, sky
    phone.page.screenshot(path=output / "paths-view.png")


def test_paths_are_on_the_map_and_can_be_chosen(phone, foreign, output):
    phone.open_foreign(foreign.serve("/paths-map.geojson", paths(phone.declination)))
    phone.point(0.0)
    phone.start()
    phone.tap("#view-map")
    phone.page.wait_for_selector("#map path.leaflet-interactive", state="attached")
    strokes = phone.page.locator("#map path.leaflet-interactive").evaluate_all("(p) => p.map((e) => e.getAttribute('stroke') + e.getAttribute('fill'))")
    assert any(s.startswith("#ff0000") for s in strokes) and any("#0000ff" in s for s in strokes), strokes
    phone.page.screenshot(path=output / "paths-map.png")
    phone.page.evaluate("""() => [...document.querySelectorAll('#map path.leaflet-interactive')]
      .find((e) => e.getAttribute('stroke') === '#ff0000').dispatchEvent(new MouseEvent('click', { bubbles: true, clientX: 5, clientY: 5 }))""")
    phone.wait("window.sightline.session.selected === 0")
