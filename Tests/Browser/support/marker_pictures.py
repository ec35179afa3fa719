"""Camera pictures of printed markers, drawn here independently: codes from the published tables, a pinhole camera, each
pixel the mean of several points. Frames are grey (luminance) arrays."""
import json
import math
import pathlib

ROOT = pathlib.Path(__file__).parents[3]
TABLE = ROOT / "Fixtures" / "markers" / "dictionaries.json"


def code_6x6(id):
    """Cells of a marker of the 6x6 dictionaries row by row, the first the most significant of 36 bits; 1 is white."""
    family = json.loads(TABLE.read_text())["families"]["6x6"]
    digits = family["hexDigits"]
    return int(family["codes"][id * digits:(id + 1) * digits], 16)


def rotation(tilt, turn, spin):
    """cameraFromMarker of a marker that faces the camera, tilted back about x, turned about y and spun about its normal,
    degrees. Marker: x right, y up, z out of the paper; camera: x right, y down, z forward."""
    def about(axis, degrees):
        c, s = math.cos(math.radians(degrees)), math.sin(math.radians(degrees))
        return {"x": [[1, 0, 0], [0, c, -s], [0, s, c]], "y": [[c, 0, s], [0, 1, 0], [-s, 0, c]],
                "z": [[c, -s, 0], [s, c, 0], [0, 0, 1]]}[axis]

    def times(a, b):
        return [[sum(a[i][k] * b[k][j] for k in range(3)) for j in range(3)] for i in range(3)]
    facing = [[1, 0, 0], [0, -1, 0], [0, 0, -1]]
    return times(about("x", tilt), times(about("y", turn), times(facing, about("z", spin))))


class View:
    """A marker before a camera."""

    def __init__(self, size, degrees, matrix, translation, side, id=0, lens=(0.0, 0.0, 0.0)):
        self.width, self.height = size
        self.focal = max(size) / 2 / math.tan(math.radians(degrees / 2))
        self.matrix, self.translation, self.side, self.id = matrix, translation, side, id
        self.lens = lens

    def bent(self, x, y):
        """Where a lens with radial terms k1, k2, k3 shows a ray."""
        r2, (k1, k2, k3) = x * x + y * y, self.lens
        f = 1 + r2 * (k1 + r2 * (k2 + r2 * k3))
        return x * f, y * f

    def straight(self, x, y):
        """The ray that the lens shows at a point."""
        u, v = x, y
        for _ in range(8 if any(self.lens) else 0):
            a, b = self.bent(u, v)
            u, v = u + x - a, v + y - b
        return u, v

    def pixel(self, point):
        """Where a point of the marker's frame is in the picture; pixel centres are whole numbers."""
        p = [sum(self.matrix[i][k] * point[k] for k in range(3)) + self.translation[i] for i in range(3)]
        x, y = self.bent(p[0] / p[2], p[1] / p[2])
        return (self.focal * x + (self.width - 1) / 2, self.focal * y + (self.height - 1) / 2)

    def corners(self, half=None):
        s = self.side / 2 if half is None else half
        return [self.pixel(corner) for corner in [(-s, s, 0), (s, s, 0), (s, -s, 0), (-s, -s, 0)]]

    def draw(self, paper=215, ink=28, table=120):
        """Rows of grey levels: a white card with the marker on a grey table."""
        code = code_6x6(self.id)
        card = self.side / 2 * 1.3
        inverse = homography_inverse(self)
        rows = [bytearray([table]) * self.width for _ in range(self.height)]
        outline = self.corners(card)
        x0, x1 = (max(0, math.floor(min(x for x, _ in outline)) - 1), min(self.width, math.ceil(max(x for x, _ in outline)) + 2))
        y0, y1 = (max(0, math.floor(min(y for _, y in outline)) - 1), min(self.height, math.ceil(max(y for _, y in outline)) + 2))
        fine = [(k + 0.5) / 3 - 0.5 for k in range(3)]
        for y in range(y0, y1):
            for x in range(x0, x1):
                total = 0
                for dy in fine:
                    for dx in fine:
                        u, v = inverse(x + dx, y + dy)
                        if abs(u) > card or abs(v) > card:
                            total += table
                            continue
                        column, row = math.floor((u / self.side + 0.5) * 8), math.floor((0.5 - v / self.side) * 8)
                        if not (0 <= column < 8 and 0 <= row < 8):
                            total += paper
                        elif column in (0, 7) or row in (0, 7):
                            total += ink
                        else:
                            total += paper if code >> (35 - (row - 1) * 6 - (column - 1)) & 1 else ink
                rows[y][x] = round(total / 9)
        return rows

    def blank(self, table=120):
        return [bytearray([table]) * self.width for _ in range(self.height)]


def homography_inverse(view):
    """From pixels to the marker's plane, metres."""
    m, t, f = view.matrix, view.translation, view.focal
    cx, cy = (view.width - 1) / 2, (view.height - 1) / 2
    h = [[f * m[0][k] + cx * m[2][k] for k in (0, 1)] + [f * t[0] + cx * t[2]],
         [f * m[1][k] + cy * m[2][k] for k in (0, 1)] + [f * t[1] + cy * t[2]], [m[2][0], m[2][1], t[2]]]
    c = [[h[(i + 1) % 3][(j + 1) % 3] * h[(i + 2) % 3][(j + 2) % 3] - h[(i + 1) % 3][(j + 2) % 3] * h[(i + 2) % 3][(j + 1) % 3]
          for j in range(3)] for i in range(3)]

    def at(x, y):
        if any(view.lens):
            x, y = view.straight((x - cx) / f, (y - cy) / f)
            x, y = x * f + cx, y * f + cy
        u, v, w = (c[0][k] * x + c[1][k] * y + c[2][k] for k in range(3))
        return u / w, v / w
    return at


def y4m(path, frames, rate=10):
    """A film of grey frames, limited range as video has it."""
    height, width = len(frames[0]), len(frames[0][0])
    limit = bytes(round(16 + level * 219 / 255) for level in range(256))
    chroma = bytes([128]) * (width * height // 2)
    with open(path, "wb") as file:
        file.write(f"YUV4MPEG2 W{width} H{height} F{rate}:1 Ip A1:1 C420jpeg\n".encode())
        for rows in frames:
            file.write(b"FRAME\n" + b"".join(bytes(row).translate(limit) for row in rows) + chroma)


def png(rows):
    """A grey PNG."""
    import struct
    import zlib

    def part(kind, data):
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))
    head = struct.pack(">IIBBBBB", len(rows[0]), len(rows), 8, 0, 0, 0, 0)
    body = zlib.compress(b"".join(b"\0" + bytes(row) for row in rows), 1)
    return b"\x89PNG\r\n\x1a\n" + part(b"IHDR", head) + part(b"IDAT", body) + part(b"IEND", b"")


def flat_square_glb(side, color=(1.0, 0.0, 1.0, 1.0)):
    """A GLB of one unlit square in the plane y = 0 that faces up: lying on a marker it covers the square of that side."""
    import struct
    s = side / 2
    data = struct.pack("<12f", -s, 0, s, s, 0, s, s, 0, -s, -s, 0, -s) + struct.pack("<6H", 0, 1, 2, 0, 2, 3)
    text = json.dumps({
        "asset": {"version": "2.0"}, "scenes": [{"nodes": [0]}], "nodes": [{"mesh": 0}],
        "buffers": [{"byteLength": len(data)}],
        "bufferViews": [{"buffer": 0, "byteLength": 48}, {"buffer": 0, "byteOffset": 48, "byteLength": 12}],
        "accessors": [{"bufferView": 0, "componentType": 5126, "type": "VEC3", "count": 4, "min": [-s, 0, -s], "max": [s, 0, s]},
                      {"bufferView": 1, "componentType": 5123, "type": "SCALAR", "count": 6}],
        "materials": [{"pbrMetallicRoughness": {"baseColorFactor": list(color)}, "extensions": {"KHR_materials_unlit": {}}}],
        "extensionsUsed": ["KHR_materials_unlit"],
        "meshes": [{"primitives": [{"attributes": {"POSITION": 0}, "indices": 1, "material": 0}]}]}).encode()
    text += b" " * (-len(text) % 4)
    return (struct.pack("<4sII", b"glTF", 2, 28 + len(text) + len(data)) + struct.pack("<I4s", len(text), b"JSON") + text
            + struct.pack("<I4s", len(data), b"BIN\0") + data)
