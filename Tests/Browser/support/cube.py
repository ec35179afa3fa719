"""A cube of two metres whose corners can be told apart, as a GLB, and what is seen of it."""
import json
import math
import struct

# Corners of the cube and the colours of the small cubes in them.
CORNERS = [(x, y, z) for x in (-1, 1) for y in (-1, 1) for z in (-1, 1)]
COLORS = [(1, 0, 0), (0, 1, 0), (0, 0, 1), (1, 1, 0), (1, 0, 1), (0, 1, 1), (1, 0.21586, 0), (0.21586, 0, 1)]
# The same as the display has them, 0 … 255.
SHOWN = [(255, 0, 0), (0, 255, 0), (0, 0, 255), (255, 255, 0), (255, 0, 255), (0, 255, 255), (255, 128, 0), (128, 0, 255)]
FACES = [(0, 1, 3, 2), (4, 6, 7, 5), (0, 4, 5, 1), (2, 3, 7, 6), (0, 2, 6, 4), (1, 5, 7, 3)]


def corners_glb(small=0.1, low=0.0):
    """Eight small unlit cubes about the corners of a cube of two metres, whose middle is at the origin, or whose foot is at `low`."""
    indices = [k for a, b, c, d in FACES for k in (a, b, c, a, c, d)]
    data = struct.pack(f"<{len(indices)}H", *indices)
    views, accessors, materials, primitives = [{"buffer": 0, "byteLength": len(data)}], [
        {"bufferView": 0, "componentType": 5123, "type": "SCALAR", "count": len(indices)}], [], []
    for corner, color in zip(CORNERS, COLORS):
        points = [tuple(c + s * small / 2 for c, s in zip(corner, side)) for side in CORNERS]
        points = [(x, y + low, z) for x, y, z in points]
        views.append({"buffer": 0, "byteOffset": len(data), "byteLength": 96})
        data += struct.pack("<24f", *(v for point in points for v in point))
        accessors.append({"bufferView": len(views) - 1, "componentType": 5126, "type": "VEC3", "count": 8,
                          "min": [min(p[k] for p in points) for k in range(3)], "max": [max(p[k] for p in points) for k in range(3)]})
        materials.append({"pbrMetallicRoughness": {"baseColorFactor": [*color, 1]}, "doubleSided": True, "extensions": {"KHR_materials_unlit": {}}})
        primitives.append({"attributes": {"POSITION": len(accessors) - 1}, "indices": 0, "material": len(materials) - 1})
    text = json.dumps({
        "asset": {"version": "2.0"}, "scenes": [{"nodes": [0]}], "nodes": [{"mesh": 0}], "buffers": [{"byteLength": len(data)}],
        "bufferViews": views, "accessors": accessors, "materials": materials, "extensionsUsed": ["KHR_materials_unlit"],
        "meshes": [{"primitives": primitives}]}).encode()
    text += b" " * (-len(text) % 4)
    data += b"\0" * (-len(data) % 4)
    return (struct.pack("<4sII", b"glTF", 2, 28 + len(text) + len(data)) + struct.pack("<I4s", len(text), b"JSON") + text
            + struct.pack("<I4s", len(data), b"BIN\0") + data)


def standing(point, heading):
    """East, north and up of a point of a thing's own frame (x to its right, y up, z out of its front) whose front faces `heading`."""
    x, y, z = point
    h = math.radians(heading)
    # To the right of who looks at its front, who looks the other way.
    return (-x * math.cos(h) + z * math.sin(h), x * math.sin(h) + z * math.cos(h), y)
