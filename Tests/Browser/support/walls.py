"""A wall before a camera, computed here independently of the page: where its points are in the picture."""
import base64
import json
import math
import pathlib
import struct
import zlib

from support.marker_pictures import View, code_6x6, homography_inverse, rotation

HERE = pathlib.Path(__file__).parent
DEMO = HERE.parents[2] / "Fixtures" / "demo"
SIZE = (960, 540)
DEGREES = 65


def picture(name, folder="posters"):
    """A poster or another print of the demonstration as a data address."""
    return "data:image/png;base64," + base64.b64encode((DEMO / folder / f"{name}.png").read_bytes()).decode()


def marker_cells(id):
    """Rows of cells of a 6x6 marker with its border; True is white."""
    code = code_6x6(id)
    return [[0 < r < 7 and 0 < c < 7 and bool(code >> (35 - (r - 1) * 6 - (c - 1)) & 1) for c in range(8)] for r in range(8)]


def plain_png(width, height, color):
    """A PNG of one colour."""
    def part(kind, data):
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))
    row = b"\0" + bytes(color) * width
    return (b"\x89PNG\r\n\x1a\n" + part(b"IHDR", struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0))
            + part(b"IDAT", zlib.compress(row * height)) + part(b"IEND", b""))


def view(x=0.0, y=0.0, distance=1.5, tilt=0, turn=0, spin=0):
    """The camera with the wall's point (x, y) on its axis, so far away, the wall turned as the angles say."""
    matrix = rotation(tilt, turn, spin)
    middle = [matrix[i][0] * x + matrix[i][1] * y for i in range(3)]
    return View(SIZE, DEGREES, matrix, [-middle[0], -middle[1], distance - middle[2]], 0.1)


def script(items, **more):
    setup = {"size": SIZE, "wall": (3.2, 2.4), "density": 640, "items": items, **more}
    return (HERE / "wall_camera.js").read_text().replace("SETUP", json.dumps(setup))


def map_of(seen):
    """From pixels of the picture to metres of the wall, row by row."""
    inverse = homography_inverse(seen)
    # The map's matrix from three points of it is roundabout; its rows follow from the values at the unit points.
    m, t, f = seen.matrix, seen.translation, seen.focal
    cx, cy = (seen.width - 1) / 2, (seen.height - 1) / 2
    h = [[f * m[0][k] + cx * m[2][k] for k in (0, 1)] + [f * t[0] + cx * t[2]],
         [f * m[1][k] + cy * m[2][k] for k in (0, 1)] + [f * t[1] + cy * t[2]], [m[2][0], m[2][1], t[2]]]
    c = [[h[(j + 1) % 3][(i + 1) % 3] * h[(j + 2) % 3][(i + 2) % 3] - h[(j + 1) % 3][(i + 2) % 3] * h[(j + 2) % 3][(i + 1) % 3]
          for j in range(3)] for i in range(3)]
    u, v = inverse(100, 200)
    w = c[2][0] * 100 + c[2][1] * 200 + c[2][2]
    assert math.isclose((c[0][0] * 100 + c[0][1] * 200 + c[0][2]) / w, u, abs_tol=1e-9)
    assert math.isclose((c[1][0] * 100 + c[1][1] * 200 + c[1][2]) / w, v, abs_tol=1e-9)
    scale = max(abs(value) for row in c for value in row)
    return [value / scale for row in c for value in row]


def pose(phone, seen):
    """Puts the camera there."""
    phone.page.evaluate("(map) => window.wallCamera.pose(map)", map_of(seen))


def turned(seen, axis, degrees):
    """The camera after it turned about its lens: about an axis of its own, x right, y down, z forward."""
    c, s = math.cos(math.radians(degrees)), math.sin(math.radians(degrees))
    x, y, z = axis
    # Rodrigues; its transpose takes what was in the camera's axes then to those now.
    r = [[c + x * x * (1 - c), x * y * (1 - c) - z * s, x * z * (1 - c) + y * s],
         [y * x * (1 - c) + z * s, c + y * y * (1 - c), y * z * (1 - c) - x * s],
         [z * x * (1 - c) - y * s, z * y * (1 - c) + x * s, c + z * z * (1 - c)]]
    back = [[r[j][i] for j in range(3)] for i in range(3)]
    matrix = [[sum(back[i][k] * seen.matrix[k][j] for k in range(3)) for j in range(3)] for i in range(3)]
    return View(SIZE, DEGREES, matrix, [sum(back[i][k] * seen.translation[k] for k in range(3)) for i in range(3)], 0.1)


def turn(phone, seen, axis, degrees, milliseconds, back=False):
    """Turns the camera about its lens, the gyroscope with it. Answers at once."""
    steps = [turned(seen, axis, degrees * k / 400) for k in range(401)]
    maps = [map_of(step) for step in (reversed(steps) if back else steps)]
    phone.page.evaluate("(turn) => window.wallCamera.turn(turn)", {
        "maps": maps, "axis": axis, "degrees": -degrees if back else degrees, "milliseconds": milliseconds})


def between(a, b, share):
    """A camera on the way from one keyword set to another."""
    keys = {**{k: 0 for k in ("x", "y", "tilt", "turn", "spin")}, "distance": 1.5}
    one, two = {**keys, **a}, {**keys, **b}
    return {k: one[k] + (two[k] - one[k]) * share for k in keys}


def move(phone, start, end, steps=10):
    """Walks there, each step a picture that the page has looked at."""
    for step in range(1, steps + 1):
        pose(phone, view(**between(start, end, step / steps)))
        seen = phone.page.evaluate("window.sightline.state().posters?.seen ?? window.sightline.state().markers?.seen ?? 0")
        phone.wait("(n) => (window.sightline.state().posters?.seen ?? window.sightline.state().markers?.seen ?? 0) > n + 1", arg=seen)
    return view(**end)
