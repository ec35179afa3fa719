"""A ball as a GLB, of as many triangles as are wanted."""
import json
import math
import struct


def ball(triangles, size):
    """A ball of about so many triangles, as a GLB."""
    rows = max(3, round(math.sqrt(triangles / 4)))
    columns = 2 * rows
    points = [(size * math.sin(math.pi * r / rows) * math.cos(2 * math.pi * c / columns), size * (1 - math.cos(math.pi * r / rows)),
               size * math.sin(math.pi * r / rows) * math.sin(2 * math.pi * c / columns)) for r in range(rows + 1) for c in range(columns + 1)]
    indices = []
    for r in range(rows):
        for c in range(columns):
            a, b = r * (columns + 1) + c, (r + 1) * (columns + 1) + c
            indices += [a, a + 1, b, b, a + 1, b + 1]
    data = struct.pack(f"<{len(indices)}H", *indices)
    data += b"\0" * (-len(data) % 4)
    start = len(data)
    data += struct.pack(f"<{3 * len(points)}f", *(v for p in points for v in p))
    bounds = [[f(p[k] for p in points) for k in range(3)] for f in (min, max)]
    text = json.dumps({
        "asset": {"version": "2.0"}, "scenes": [{"nodes": [0]}], "nodes": [{"mesh": 0}], "buffers": [{"byteLength": len(data)}],
        "bufferViews": [{"buffer": 0, "byteLength": 2 * len(indices)}, {"buffer": 0, "byteOffset": start, "byteLength": 12 * len(points)}],
        "accessors": [{"bufferView": 0, "componentType": 5123, "type": "SCALAR", "count": len(indices)},
                      {"bufferView": 1, "componentType": 5126, "type": "VEC3", "count": len(points), "min": bounds[0], "max": bounds[1]}],
        "materials": [{"pbrMetallicRoughness": {"baseColorFactor": [0.8, 0.3, 0.2, 1]}}],
        "meshes": [{"primitives": [{"attributes": {"POSITION": 1}, "indices": 0, "material": 0}]}]}).encode()
    text += b" " * (-len(text) % 4)
    return (struct.pack("<4sII", b"glTF", 2, 28 + len(text) + len(data)) + struct.pack("<I4s", len(text), b"JSON") + text
            + struct.pack("<I4s", len(data), b"BIN\0") + data), len(indices) // 3
