"""A KMZ archive that is opened by its address: the pictures in it are the signs of its places, in their colour, size and turn."""
import io
import struct
import zipfile
import zlib

from support.foreign import Answer
from support.worlds import EYE, towards


def png(width, height, pixel):
    """An RGBA picture; `pixel` gives red, green, blue and alpha at x, y."""
    rows = b"".join(b"\0" + bytes(part for x in range(width) for part in pixel(x, y)) for y in range(height))

    def chunk(kind, data):
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))
    return (b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", struct.pack(">IIBBBBB", width, height, 8, 6, 0, 0, 0))
            + chunk(b"IDAT", zlib.compress(rows)) + chunk(b"IEND", b""))


# White above, grey below, nothing on the left.
SIGN = png(40, 40, lambda x, y: (0, 0, 0, 0) if x < 10 else (255, 255, 255, 255) if y < 20 else (128, 128, 128, 255))


def placemark(id, position, style):
    latitude, longitude = position[:2]
    return (f'<Placemark id="{id}"><name>{id}</name><Style>{style}</Style><Point><altitudeMode>clampToGround</altitudeMode>'
            f'<coordinates>{longitude},{latitude}</coordinates></Point></Placemark>')


def archive(north):
    icon = "<Icon><href>files/sign.png</href></Icon>"
    alone = "<LabelStyle><scale>0</scale></LabelStyle>"
    places = [
        placemark("alone", towards(EYE, north - 12, 200), f"<IconStyle><color>ff0000ff</color><scale>1.5</scale><heading>90</heading>{icon}</IconStyle>{alone}"),
        placemark("named", towards(EYE, north + 12, 200), f"<IconStyle><color>ffff0000</color>{icon}</IconStyle>"),
        placemark("usual", towards(EYE, north + 60, 200), "<IconStyle><color>ff00ff00</color></IconStyle>"),
    ]
    data = io.BytesIO()
    with zipfile.ZipFile(data, "w", zipfile.ZIP_DEFLATED) as packed:
        packed.writestr("doc.kml", f'<kml xmlns="http://www.opengis.net/kml/2.2"><Document><name>Signs</name>{"".join(places)}</Document></kml>')
        packed.writestr("files/sign.png", SIGN)
    return data.getvalue()


# Colours of a picture at fractions of its width and height, as red, green, blue and alpha.
COLOURS = """async ([selector, points]) => {
  const image = document.querySelector(selector);
  await image.decode();
  const canvas = document.createElement('canvas');
  [canvas.width, canvas.height] = [image.naturalWidth, image.naturalHeight];
  const context = canvas.getContext('2d', { willReadFrequently: true });
  context.drawImage(image, 0, 0);
  return points.map(([x, y]) => [...context.getImageData(Math.floor(x * canvas.width), Math.floor(y * canvas.height), 1, 1).data]);
}"""


def near(color, wanted):
    return all(abs(a - b) <= 3 for a, b in zip(color, wanted))


def test_signs_of_an_archive_have_their_colour_size_and_turn(phone, foreign, output):
    phone.open_foreign(foreign.serve("/signs.kmz", Answer(archive(phone.declination))))
    phone.point(0.0)
    phone.start()
    phone.wait_label("named")
    phone.page.wait_for_selector('.label[data-id="alone"] img[src^="data:"]')
    # A turn of 90 degrees clockwise brings what was above to the right, and what was on the left to the top.
    colours = phone.page.evaluate(COLOURS, ['.label[data-id="alone"] img', [(0.75, 0.6), (0.25, 0.6), (0.5, 0.1)]])
    assert near(colours[0], (255, 0, 0, 255)) and near(colours[1], (128, 0, 0, 255)) and colours[2][3] == 0, colours
    phone.settle()
    box = phone.page.locator('.label[data-id="alone"]').evaluate("(e) => [parseFloat(e.style.width), parseFloat(e.style.height)]")
    assert box == [68, 68], "40 pixels, half as much again, and the frame"
    colours = phone.page.evaluate(COLOURS, ['.label[data-id="named"] .label-icon img', [(0.6, 0.25), (0.6, 0.75), (0.1, 0.5)]])
    assert near(colours[0], (0, 0, 255, 255)) and near(colours[1], (0, 0, 128, 255)) and colours[2][3] == 0, colours
    assert phone.page.locator('.label[data-id="named"] .label-icon svg').is_hidden()
    phone.page.screenshot(path=output / "signs.png")
    asked = len(foreign.asked("/signs.kmz"))
    assert asked == 2, f"once for the world, once for its pictures, not {asked} times"
    phone.tap("#view-map")
    pins = phone.page.locator("#map .map-pin .pin")
    pins.first.wait_for(state="attached")
    dots = pins.evaluate_all("(all) => all.map((pin) => getComputedStyle(pin.querySelector('.pin-dot')).backgroundColor)")
    assert sorted(dots) == ["rgb(0, 0, 255)", "rgb(0, 255, 0)", "rgb(255, 0, 0)"], dots
    phone.page.screenshot(path=output / "signs-map.png")
