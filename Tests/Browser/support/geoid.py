"""Metres from the WGS84 ellipsoid up to mean sea level, out of the page's own file, read here once more as SightlineGeodesy.docc says."""
import functools
import math
import pathlib
import struct
import zlib

FILE = pathlib.Path(__file__).parents[3] / "WebClient/data/egm96.geoid"
SIDE, SYMBOLS, CONTEXTS, LEVELS = 120, 16, 5, 10


@functools.cache
def parts():
    """The file's step, its height at the south pole, and the bytes of its tiles."""
    data = FILE.read_bytes()
    assert data[:8] == b"SLGEOID1" and struct.unpack_from("<I", data, 8)[0] == zlib.crc32(data[12:])
    step, pole = struct.unpack_from("<Hh", data, 12)
    at, tiles = 160, []
    for length in struct.unpack_from("<72H", data, 16):
        tiles.append(data[at:at + length])
        at += length
    assert at == len(data)
    return step, pole / 100, tiles


class Coder:
    """A binary range decoder with adaptive probabilities."""

    def __init__(self, data):
        self.data, self.range, self.code = iter(data), 0xFFFFFFFF, 0
        self.odds = [2048] * (LEVELS * CONTEXTS * SYMBOLS + LEVELS)
        for _ in range(4):
            self.code = self.code << 8 | next(self.data, 0)

    def bit(self, context):
        odds = self.odds[context]
        bound = (self.range >> 12) * odds
        if self.code >= bound:
            self.code, self.range, bit = self.code - bound, self.range - bound, True
            self.odds[context] = odds - (odds >> 4)
        else:
            self.range, bit = bound, False
            self.odds[context] = odds + (4096 - odds >> 4)
        while self.range < 1 << 24:
            self.range = self.range << 8 & 0xFFFFFFFF
            self.code = (self.code << 8 | next(self.data, 0)) & 0xFFFFFFFF
        return bit


@functools.cache
def tile(number):
    """Heights of a tile in centimetres, row by row."""
    step, _, tiles = parts()
    coder = Coder(tiles[number])
    known, sizes = [[0] * SIDE for _ in range(SIDE)], [[0] * SIDE for _ in range(SIDE)]

    def take(i, j, predicted, level, near):
        context = (level * CONTEXTS + min(near, CONTEXTS - 1)) * SYMBOLS
        steps = 0
        if coder.bit(context):
            below = coder.bit(LEVELS * CONTEXTS * SYMBOLS + level)
            steps = 1
            while steps < 512 and coder.bit(context + min(steps, SYMBOLS - 1)):
                steps += 1
            sizes[i][j] = steps
            steps = -steps if below else steps
        known[i][j] = predicted + steps * step

    def between(value, k, half):
        """Of a point that is number `k` in a line, from those half a mesh and three halves away."""
        before = value(k - half)
        if k + half >= SIDE:
            return before if k < 3 * half else (3 * before - value(k - 3 * half)) >> 1
        pair = before + value(k + half)
        if k < 3 * half or k + 3 * half >= SIDE:
            return pair >> 1
        return (9 * pair - value(k - 3 * half) - value(k + 3 * half) + 8) >> 4

    mesh = 8
    for i in range(0, SIDE, mesh):
        for j in range(0, SIDE, mesh):
            left, above = (known[i][j - mesh] if j else 0), (known[i - mesh][j] if i else 0)
            predicted = left + above - known[i - mesh][j - mesh] if i and j else left if j else above
            take(i, j, predicted, 0, (sizes[i][j - mesh] if j else 0) + (sizes[i - mesh][j] if i else 0))
    level = 1
    while mesh > 1:
        half = mesh // 2
        for rows, columns in ((0, half), (half, 0), (half, half)):
            for i in range(rows, SIDE, mesh):
                for j in range(columns, SIDE, mesh):
                    near = 0
                    if columns:
                        near += sizes[i][j - half] + (sizes[i][j + half] if j + half < SIDE else 0)
                    if rows:
                        near += sizes[i - half][j] + (sizes[i + half][j] if i + half < SIDE else 0)
                    if not (rows and columns) and j >= mesh:
                        near += sizes[i][j - mesh]
                    across = between(lambda k: known[i][k], j, half) if columns else 0
                    along = between(lambda k: known[k][j], i, half) if rows else 0
                    take(i, j, (along + across + 1) >> 1 if rows and columns else along + across, level, near)
            level += 1
        mesh = half
    return known


def height(latitude, longitude):
    y, x = 4 * (90 - latitude), 4 * (longitude % 360)
    row, column = min(math.floor(y), 719), min(math.floor(x), 1439)
    down, right = y - row, x - column

    def point(i, j):
        if i == 720:
            return parts()[1]
        j %= 1440
        return tile(i // SIDE * 12 + j // SIDE)[i % SIDE][j % SIDE] / 100

    upper = point(row, column) * (1 - right) + point(row, column + 1) * right
    lower = point(row + 1, column) * (1 - right) + point(row + 1, column + 1) * right
    return upper * (1 - down) + lower * down
