"""Filled polygons in units of a picture's width, y down, with nothing but the standard library.

A picture is painted three times as large and averaged, which makes the edges smooth.
"""
import math
import os
import struct
import zlib

FINE = 3
# Five by seven cells a letter, a row a number.
FONT = {
    'A': (14, 17, 17, 31, 17, 17, 17), 'B': (30, 17, 17, 30, 17, 17, 30), 'C': (14, 17, 16, 16, 16, 17, 14),
    'D': (30, 17, 17, 17, 17, 17, 30), 'E': (31, 16, 16, 30, 16, 16, 31), 'F': (31, 16, 16, 30, 16, 16, 16),
    'G': (14, 17, 16, 23, 17, 17, 14), 'H': (17, 17, 17, 31, 17, 17, 17), 'I': (14, 4, 4, 4, 4, 4, 14),
    'K': (17, 18, 20, 24, 20, 18, 17), 'L': (16, 16, 16, 16, 16, 16, 31), 'M': (17, 27, 21, 21, 17, 17, 17),
    'N': (17, 25, 21, 19, 17, 17, 17), 'O': (14, 17, 17, 17, 17, 17, 14), 'P': (30, 17, 17, 30, 16, 16, 16),
    'R': (30, 17, 17, 30, 20, 18, 17), 'S': (15, 16, 16, 14, 1, 1, 30), 'T': (31, 4, 4, 4, 4, 4, 4),
    'U': (17, 17, 17, 17, 17, 17, 14), 'V': (17, 17, 17, 17, 17, 10, 4), 'W': (17, 17, 17, 21, 21, 27, 17),
    'Y': (17, 17, 10, 4, 4, 4, 4), 'Z': (31, 1, 2, 4, 8, 16, 31), ' ': (0,) * 7,
    '2': (14, 17, 1, 2, 4, 8, 31), '6': (14, 16, 16, 30, 17, 17, 14), '7': (31, 1, 2, 4, 8, 8, 8), '8': (14, 17, 17, 14, 17, 17, 14),
}


def rgb(text):
    return tuple(int(text[k:k + 2], 16) for k in (0, 2, 4))


def circle(x, y, rx, ry=None, start=0, end=360, steps=48):
    ry = rx if ry is None else ry
    turn = [math.radians(start + (end - start) * i / steps) for i in range(steps + 1)]
    return [(x + rx * math.cos(a), y + ry * math.sin(a)) for a in turn]


def box(left, top, right, bottom):
    return [(left, top), (right, top), (right, bottom), (left, bottom)]


def word(text, colour, left, top, height):
    """The letters' cells, as shapes."""
    cell = height / 7
    shapes = []
    for index, letter in enumerate(text):
        for row, bits in enumerate(FONT[letter]):
            for column in range(5):
                if bits >> (4 - column) & 1:
                    x, y = left + (6 * index + column) * cell, top + row * cell
                    shapes.append((colour, box(x, y, x + cell * 1.02, y + cell * 1.02)))
    return shapes


class Poster:
    """A picture that is painted; saved as PNG into a folder."""

    def __init__(self, folder, name, width, height, ground):
        self.folder, self.name, self.width, self.height = folder, name, width, height
        self.w, self.h = width * FINE, height * FINE
        self.rows = [[ground] * self.w for _ in range(self.h)]
        self.top = height / width

    def paint(self, colour, polygon):
        points = [(x * self.w, y * self.w) for x, y in polygon]
        first, last = max(0, int(min(y for _, y in points))), min(self.h - 1, int(max(y for _, y in points)) + 1)
        edges = list(zip(points, points[1:] + points[:1]))
        for row in range(first, last + 1):
            y = row + 0.5
            crossings = sorted(x0 + (y - y0) * (x1 - x0) / (y1 - y0) for (x0, y0), (x1, y1) in edges if (y0 <= y) != (y1 <= y))
            for left, right in zip(crossings[::2], crossings[1::2]):
                start, end = max(0, math.ceil(left - 0.5)), min(self.w, math.ceil(right - 0.5))
                if end > start:
                    self.rows[row][start:end] = [colour] * (end - start)

    def all(self, shapes):
        for colour, polygon in shapes:
            self.paint(colour, polygon)

    def save(self):
        data = bytearray()
        for y in range(0, self.h, FINE):
            data.append(0)
            fine = self.rows[y:y + FINE]
            for x in range(0, self.w, FINE):
                cell = [row[x + j] for row in fine for j in range(FINE)]
                first = cell[0]
                if all(value == first for value in cell):
                    data += bytes(first)
                else:
                    # Steps of eight levels: edges stay smooth, and the file a third smaller.
                    data += bytes(min(255, (sum(c[k] for c in cell) // len(cell) + 4) // 8 * 8) for k in range(3))

        def chunk(kind, content):
            return struct.pack('>I', len(content)) + kind + content + struct.pack('>I', zlib.crc32(kind + content))

        with open(os.path.join(self.folder, self.name + '.png'), 'wb') as file:
            file.write(b'\x89PNG\r\n\x1a\n' + chunk(b'IHDR', struct.pack('>IIBBBBB', self.width, self.height, 8, 2, 0, 0, 0))
                       + chunk(b'IDAT', zlib.compress(bytes(data), 9)) + chunk(b'IEND', b''))


INK, PAPER, RED, SUN = rgb('1d2430'), rgb('f6f0e2'), rgb('d2482f'), rgb('f0b23c')
SEA, DEEP, LEAF, MOSS = rgb('4a90b2'), rgb('1f4d6e'), rgb('6f9a5a'), rgb('3c5c3a')
ROSE, STONE, NIGHT, SKY = rgb('e6a29a'), rgb('c9bfa9'), rgb('101830'), rgb('bcd9e4')
