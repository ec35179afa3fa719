"""Names of the operator's own map at 1:5,000 to 1:100,000, of central Helsinki and of a small town, by day and by night: some are there, none
lies on another, none is too small. That they stand out from what they lie on: WebClient/tests/ground-map.test.mjs."""
import subprocess

import pytest

from support.phone import Phone
from support.sightline import PROGRAM, ROOT, Sightline, environment

SCALES = [5_000, 10_000, 25_000, 50_000, 100_000]
#: Middle of both extracts, degrees.
PLACES = {"Helsinki": (60.1716, 24.9443), "town": (60.530, 26.948)}

#: Lays maps of all scales side by side. A CSS pixel is 1/96 of an inch.
LAY = """async ([latitude, longitude, scales, side]) => {
  const root = window.clientRoot = document.querySelector('script[src$="app/main.js"]').src.replace('app/main.js', '');
  const L = await import(`${root}vendor/leaflet/leaflet.esm.js`);
  const { addGround } = await import(`${root}app/map/ground/layer.js`);
  const { ground } = await (await fetch('/api/v1/settings')).json();
  document.body.replaceChildren();
  document.body.style.cssText = 'display: flex; flex-wrap: wrap; gap: 4px; overflow: auto; background: #888';
  for (const name of ['vendor/leaflet/leaflet.css', 'styles/places.css']) {
    const link = Object.assign(document.createElement('link'), { rel: 'stylesheet', href: root + name });
    const loaded = new Promise((done) => (link.onload = done));
    document.head.append(link);
    await loaded;
  }
  window.maps = scales.map((scale) => {
    const zoom = Math.log2((2 * Math.PI * 6378137 * Math.cos((latitude * Math.PI) / 180)) / 256 / (scale * 0.0254 / 96));
    const element = document.createElement('div');
    element.className = 'map-of-a-scale';
    element.style.cssText = `position: relative; width: ${side}px; height: ${side}px`;
    document.body.append(element);
    const map = L.map(element, { zoomSnap: 0, zoomControl: false, attributionControl: false, fadeAnimation: false });
    map.setView([latitude, longitude], zoom);
    addGround(map, ground, 21);
    return { map, zoom, scale };
  });
}"""

#: The names of each map: their text, size and corners, from the letters as the browser measures them.
NAMES = """async (side) => {
  const { candidatesIn, fontOf, withRoom } = await import(`${window.clientRoot}app/map/ground/names.js`);
  const { groundSource } = await import(`${window.clientRoot}app/map/ground/source.js`);
  const { ground } = await (await fetch('/api/v1/settings')).json();
  const pen = document.createElement('canvas').getContext('2d');
  return Promise.all(window.maps.map(async ({ map, zoom, scale }) => {
    const corner = map.project(map.containerPointToLatLng([0, 0]), zoom);
    const placed = withRoom(await candidatesIn(groundSource(ground), { zoom, corner, width: side, height: side }));
    const canvas = map.getContainer().querySelector('canvas.map-names');
    return { scale, written: canvas.dataset.names ?? '', names: placed.map(({ text, kind, x, y, angle, size }) => {
      pen.font = fontOf(kind);
      pen.textAlign = 'center';
      pen.textBaseline = 'middle';
      const m = pen.measureText(text);
      const [c, s] = [Math.cos(angle), Math.sin(angle)];
      const box = [[-m.actualBoundingBoxLeft, -m.actualBoundingBoxAscent], [m.actualBoundingBoxRight, -m.actualBoundingBoxAscent],
        [m.actualBoundingBoxRight, m.actualBoundingBoxDescent], [-m.actualBoundingBoxLeft, m.actualBoundingBoxDescent]];
      return { text, size: parseFloat(/([\\d.]+)px/.exec(pen.font)[1]), box: box.map(([u, v]) => [x + u * c - v * s, y + u * s + v * c]) };
    }) };
  }));
}"""


def apart(a, b):
    """Whether two turned boxes do not touch: a line along a side of one parts them."""
    for box in (a, b):
        for k in range(4):
            (x, y), (u, v) = box[k], box[(k + 1) % 4]
            sides = [[(p - x) * (v - y) - (q - y) * (u - x) for p, q in points] for points in (a, b)]
            if max(sides[0]) <= min(sides[1]) or max(sides[1]) <= min(sides[0]):
                return True
    return False


@pytest.fixture(scope="module")
def two_towns(foreign, tmp_path_factory):
    folder = tmp_path_factory.mktemp("names")
    subprocess.run([PROGRAM, "ground", "add", ROOT / "Fixtures" / "ground" / "town.osm.pbf", "--ground", folder / "grounds", "--name", "town"],
                   check=True, capture_output=True, timeout=120, env=environment())
    subprocess.run([PROGRAM, "ground", "add", ROOT / "Fixtures" / "demo" / "ground" / "Helsinki.osm.pbf", "--ground", folder / "grounds", "--name", "helsinki"],
                   check=True, capture_output=True, timeout=120, env=environment())
    server = Sightline(folder, foreign.port).start()
    yield server
    server.stop()


def test_names_are_legible_and_apart_at_every_scale(browser, two_towns, output):
    side = 380
    phone = Phone(browser, two_towns, screen=(1160, 780), position=(*PLACES["Helsinki"], 10.0), mobile=False, scale=1, sensors=False)
    try:
        for town, place in PLACES.items():
            phone.open("")
            phone.page.evaluate(LAY, [*place, SCALES, side])
            phone.wait("window.maps.every(({ map }) => map.getContainer().querySelector('canvas.map-names')?.dataset.names)")
            counts = {}
            for found in phone.page.evaluate(NAMES, side):
                names, scale = found["names"], found["scale"]
                assert names and found["written"].split("\n") == [one["text"] for one in names][:60], (town, scale, found)
                assert min(one["size"] for one in names) >= 11, (town, scale)
                for k, one in enumerate(names):
                    inside = all(0 <= x <= side and 0 <= y <= side for x, y in one["box"])
                    assert inside, (town, scale, one)
                    for other in names[:k]:
                        assert apart(one["box"], other["box"]), (town, scale, one["text"], other["text"])
                counts[scale] = len(names)
            print(town, counts)
            for scheme in ("dark", "light"):
                phone.page.evaluate("(scheme) => { document.documentElement.dataset.scheme = scheme; }", scheme)
                phone.page.wait_for_timeout(300)
                phone.page.screenshot(path=output / f"map-names-{town}-{scheme}.png")
    finally:
        phone.close()
