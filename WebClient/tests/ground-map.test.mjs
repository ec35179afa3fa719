// The operator's own map: tiles read and refused, names that have room, widths that grow with the zoom.

import assert from 'node:assert/strict';
import { test } from 'node:test';

globalThis.document = /** @type {any} */ ({ documentElement: { dataset: {}, lang: '' }, querySelectorAll: () => [] });
globalThis.location ??= /** @type {any} */ ({ origin: 'https://here.example', href: 'https://here.example/', hash: '' });
const { DamagedTile, KIND, readTile } = await import('../app/map/ground/tile.js');
const { alongLine, withRoom } = await import('../app/map/ground/names.js');
const { areaStyle, LEAST_NAME, LINE_ORDER, lineStyle, nameStyle, OUTLINE, PAPER } = await import('../app/map/ground/style.js');
const { GroundSource, tileAddress } = await import('../app/map/ground/source.js');

/** Numbers as the server writes them. */
class Writer {
  /** @type {number[]} */
  bytes = [];

  /** @param {number} value */
  number(value) {
    let rest = value;
    while (rest >= 128) {
      this.bytes.push((rest % 128) | 128);
      rest = Math.floor(rest / 128);
    }
    this.bytes.push(rest);
    return this;
  }

  /** @param {number} value */
  signed(value) {
    return this.number(value < 0 ? -value * 2 - 1 : value * 2);
  }

  /** @param {string} text */
  text(text) {
    const bytes = new TextEncoder().encode(text);
    this.number(bytes.length);
    this.bytes.push(...bytes);
    return this;
  }
}

function sample() {
  const out = new Writer().number(1).number(1).text('Rautatientori').number(2).text('en').text('Railway Square').text('sv').text('Järnvägstorget').number(3);
  // Two buildings, one with a court.
  out.number(KIND.building).number(2);
  out.number(0).number(155 * 2 + 1).number(12).number(2);
  out.number(4 * 2);
  for (const [x, y] of [[10, 10], [100, 0], [0, 100], [-100, 0]]) out.signed(x).signed(y);
  out.number(3 * 2 + 1);
  for (const [x, y] of [[20, -80], [20, 0], [0, 20]]) out.signed(x).signed(y);
  out.number(0).number(80 * 2).number(0).number(1).number(3 * 2);
  for (const [x, y] of [[-5, -5], [1, 0], [0, 1]]) out.signed(x).signed(y);
  out.number(KIND.street).number(1).number(1 * 2 + 1).signed(-1).number(1).number(2).signed(0).signed(0).signed(4096).signed(1);
  out.number(KIND.square).number(1).number(1 * 2).signed(7).signed(9);
  return new Uint8Array(out.bytes);
}

test('a tile is read as it was written', () => {
  const { features } = readTile(sample().buffer);
  assert.deepEqual(features.map(({ kind }) => kind), [KIND.building, KIND.building, KIND.street, KIND.square]);
  const [first, second, street, square] = features;
  assert.deepEqual([first.top, first.bottom, first.isKnown, first.holes], [15.5, 1.2, true, [false, true]]);
  assert.deepEqual([...first.pieces[0]], [10, 10, 110, 10, 110, 110, 10, 110]);
  assert.deepEqual([...first.pieces[1]], [30, 30, 50, 30, 50, 50]);
  assert.deepEqual([second.top, second.isKnown], [8, false]);
  assert.deepEqual([street.layer, street.name?.languages.sv, [...street.pieces[0]]], [-1, 'Järnvägstorget', [0, 0, 4096, 1]]);
  assert.deepEqual([square.name?.own, [...square.pieces[0]]], ['Rautatientori', [7, 9]]);
});

test('a tile that is cut off anywhere is refused, and one that is turned never takes the memory', () => {
  const whole = sample();
  for (let end = 0; end < whole.length; end++) assert.throws(() => readTile(whole.slice(0, end).buffer), DamagedTile, `${end}`);
  let seed = 7;
  const random = (/** @type {number} */ below) => {
    seed = (seed * 48271) % 2147483647;
    return seed % below;
  };
  for (let round = 0; round < 3000; round++) {
    const turned = whole.slice();
    for (let count = 0; count < 3; count++) turned[random(turned.length)] = random(256);
    try {
      const { features } = readTile(turned.buffer);
      assert.ok(features.length <= turned.length);
    } catch (error) {
      assert.ok(error instanceof DamagedTile, String(error));
    }
  }
  assert.throws(() => readTile(new Uint8Array([2]).buffer), /version 2/);
  assert.throws(() => readTile(new Uint8Array([1, 255, 255, 255, 255, 255, 255, 255, 127]).buffer), DamagedTile);
});

test('a name of a language is no property of objects', () => {
  const out = new Writer().number(1).number(1).text('a').number(1).text('__proto__').text('b').number(1).number(KIND.square).number(1).number(2).signed(0).signed(0);
  const [{ name }] = readTile(new Uint8Array(out.bytes).buffer).features;
  assert.equal(name?.languages.en, undefined);
  assert.equal(/** @type {any} */ ({}).en, undefined);
});

test('names that are drawn do not lie on each other, and the weightier have room first', () => {
  let seed = 3;
  const random = () => ((seed = (seed * 48271) % 2147483647) / 2147483647);
  const candidates = Array.from({ length: 400 }, (_, k) => ({
    text: `name ${k}`, kind: KIND.street, x: random() * 400, y: random() * 300, angle: (random() - 0.5) * 3, weight: random() * 100, width: 30 + random() * 60, size: 12,
  })).sort((a, b) => b.weight - a.weight);
  const placed = withRoom(candidates);
  assert.ok(placed.length > 10 && placed.length < 200);
  assert.equal(placed[0], candidates[0]);
  const corners = (/** @type {typeof placed[0]} */ { x, y, angle, width, size }) => [[-1, -1], [1, -1], [1, 1], [-1, 1]].map(([u, v]) => {
    const [w, h] = [(u * width) / 2, (v * size) / 2];
    return [x + w * Math.cos(angle) - h * Math.sin(angle), y + w * Math.sin(angle) + h * Math.cos(angle)];
  });
  // Two turned boxes are apart where a line of one side parts them (theorem of the separating axis).
  const apart = (/** @type {number[][]} */ a, /** @type {number[][]} */ b) => [a, b].some((shape) => shape.some(([x, y], k) => {
    const [u, v] = shape[(k + 1) % 4];
    const side = (/** @type {number[]} */ [p, q]) => (p - x) * (v - y) - (q - y) * (u - x);
    return [a, b].map((points) => points.map(side)).every((sides, which, all) => which || Math.max(...all[0]) <= Math.min(...all[1]) || Math.max(...all[1]) <= Math.min(...all[0]));
  }));
  placed.forEach((one, k) => placed.slice(0, k).forEach((other) => assert.ok(apart(corners(one), corners(other)), `${one.text} on ${other.text}`)));
});

test('names keep clear of pins and their names', () => {
  const at = (/** @type {number} */ x) => ({ text: `at ${x}`, kind: KIND.square, x, y: 10, angle: 0, weight: 1, width: 40, size: 12 });
  assert.deepEqual(withRoom([at(30), at(200)], [{ left: 40, top: 0, right: 60, bottom: 20 }]).map(({ x }) => x), [200]);
});

test('the same street is named once in a while', () => {
  const at = (/** @type {number} */ x) => ({ text: 'Street', kind: KIND.street, x, y: 10, angle: 0, weight: 1, width: 40, size: 12 });
  assert.deepEqual(withRoom([at(0), at(100), at(230)]).map(({ x }) => x), [0, 230]);
});

test('a name stands where its street is straight, and never upside down', () => {
  const line = new Int32Array([0, 0, 50, 40, 1000, 0, 0, 10]);
  const place = alongLine(line, 300);
  assert.ok(place && Math.abs(place.angle) <= Math.PI / 2);
  assert.equal(alongLine(new Int32Array([0, 0, 10, 0]), 300), null);
  assert.equal(alongLine(new Int32Array([]), 1), null);
});

/** @param {string} color `#rrggbb` or `rgb(r g b / a)` */
function channels(color) {
  if (color[0] === '#') return { rgb: [1, 3, 5].map((at) => parseInt(color.slice(at, at + 2), 16)), alpha: 1 };
  const [r, g, b, alpha] = (color.match(/[\d.]+/g) ?? []).map(Number);
  return { rgb: [r, g, b], alpha };
}

/** Relative luminance as WCAG 2.2 defines it. @param {number[]} rgb */
const luminance = (rgb) => rgb.map((value) => value / 255).map((v) => (v <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4))
  .reduce((sum, value, k) => sum + value * [0.2126, 0.7152, 0.0722][k], 0);

test('every name is large enough, and its halo tells it from whatever it lies on, by day and by night', () => {
  for (const scheme of /** @type {const} */ (['light', 'dark'])) {
    const below = [PAPER[scheme].land, OUTLINE[scheme]];
    for (const kind of Object.values(KIND)) {
      const area = areaStyle(kind)?.[scheme];
      if (area) below.push(area);
    }
    for (const kind of LINE_ORDER) {
      const { color, casing } = lineStyle(kind, 16, scheme);
      below.push(color, ...(casing ? [casing] : []));
    }
    assert.ok(below.length > 40);
    const halo = channels(PAPER[scheme].halo);
    let names = 0;
    for (const kind of Object.values(KIND)) {
      const style = nameStyle(kind);
      if (!style) continue;
      names += 1;
      assert.ok(style.size >= LEAST_NAME, `${kind}: ${style.size}`);
      const own = luminance(channels(style.color?.[scheme] ?? PAPER[scheme].name).rgb);
      for (const ground of below) {
        const around = luminance(channels(ground).rgb.map((value, k) => halo.rgb[k] * halo.alpha + value * (1 - halo.alpha)));
        const contrast = (Math.max(own, around) + 0.05) / (Math.min(own, around) + 0.05);
        assert.ok(contrast >= 4.5, `${scheme}: a name of kind ${kind} on ${ground} has ${contrast.toFixed(2)}`);
      }
    }
    assert.ok(names > 20);
  }
});

test('every line grows with the zoom or stays', () => {
  for (const kind of LINE_ORDER) {
    let before = 0;
    for (let zoom = 10; zoom <= 21; zoom += 0.25) {
      const { width } = lineStyle(kind, zoom, 'light');
      assert.ok(width >= before - 1e-9, `${kind} at ${zoom}`);
      before = width;
    }
    assert.ok(before > 0);
  }
});

test('only tiles of the area are asked for, once, and again after a failure', async () => {
  /** @type {string[]} */
  const asked = [];
  let fails = true;
  globalThis.fetch = /** @type {any} */ (async (/** @type {string} */ address) => {
    asked.push(address);
    if (fails) return { status: 500, ok: false };
    return { status: 200, ok: true, arrayBuffer: async () => sample().buffer };
  });
  const source = new GroundSource({ version: 'a b', attribution: '', zooms: [10, 12, 14, 16], areas: [[100, 200, 103, 203]] });
  assert.deepEqual([9, 10, 11, 13, 16, 20].map((zoom) => source.zoomFor(zoom)), [-1, 10, 10, 12, 16, 16]);
  assert.deepEqual([source.has(16, 103, 203), source.has(16, 104, 203), source.has(14, 25, 50), source.has(14, 26, 50)], [true, false, true, false]);
  await assert.rejects(source.tile(16, 100, 200));
  fails = false;
  const [one, two] = await Promise.all([source.tile(16, 100, 200), source.tile(16, 100, 200)]);
  assert.equal(one, two);
  assert.deepEqual(asked, ['/api/v1/ground/tiles/16/100/200?version=a%20b', '/api/v1/ground/tiles/16/100/200?version=a%20b']);
  assert.equal(tileAddress(source.settings), '/api/v1/ground/tiles/{z}/{x}/{y}?version=a%20b');
});

test('buildings around a point are gathered once each, on the web map, courtyards with their building', async () => {
  const { gather } = await import('../app/session/buildings.js');
  const { features } = readTile(sample().buffer);
  /** @type {string[]} */
  const asked = [];
  const source = /** @type {any} */ ({
    settings: { zooms: [10, 16] },
    has: (/** @type {number} */ zoom, /** @type {number} */ column) => column < 102,
    tile: async (/** @type {number} */ zoom, /** @type {number} */ column, /** @type {number} */ row) => {
      asked.push(`${zoom}/${column}/${row}`);
      // The neighbour has the same house as it lies from its own corner.
      const moved = features.map((one) => ({ ...one, pieces: one.pieces.map((piece) => piece.map((value, k) => value - (k % 2 ? row - 50 : column - 100) * 4096)) }));
      return row === 51 ? null : { features: moved };
    },
  });
  const side = 65536;
  const found = await gather(source, 101 / side, 50.9 / side, 0.5 / side);
  assert.deepEqual(asked.sort(), ['16/100/50', '16/100/51', '16/101/50', '16/101/51']);
  assert.equal(found.length, 2);
  const [court] = found.filter(({ rings }) => rings.length === 2);
  assert.deepEqual([court.top, court.bottom], [15.5, 1.2]);
  assert.ok(Math.abs(court.rings[0][0] * side - (100 + 10 / 4096)) < 1e-9 && Math.abs(court.rings[0][1] * side - (50 + 10 / 4096)) < 1e-9);
});
