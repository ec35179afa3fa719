// A QR code of a short text (ISO/IEC 18004: bytes, error correction M, versions 1 to 10), for an address on a screen.

/** Of each version with correction M: code words of data in all, of correction in a block, number of blocks. */
const VERSIONS = [[16, 10, 1], [28, 16, 1], [44, 26, 1], [64, 18, 2], [86, 24, 2], [108, 16, 4], [124, 18, 4], [154, 22, 4], [182, 22, 5], [216, 26, 5]];
const ALIGNMENT = [[], [6, 18], [6, 22], [6, 26], [6, 30], [6, 34], [6, 22, 38], [6, 24, 42], [6, 26, 46], [6, 28, 50]];
const QUIET = 4;

const EXP = new Uint8Array(512);
const LOG = new Uint8Array(256);
for (let i = 0, x = 1; i < 255; i++, x = x & 0x80 ? (x << 1) ^ 0x11d : x << 1) {
  EXP[i] = EXP[i + 255] = x;
  LOG[x] = i;
}
/** @param {number} a @param {number} b */
const times = (a, b) => (a && b ? EXP[LOG[a] + LOG[b]] : 0);

/**
 * Reed-Solomon remainder.
 * @param {number[]} data
 * @param {number} count of words of correction
 */
function correction(data, count) {
  let generator = [1];
  for (let i = 0; i < count; i++) {
    generator = [...generator, 0].map((value, k) => value ^ times(generator[k - 1] ?? 0, EXP[i]));
  }
  const rest = [...data, ...new Array(count).fill(0)];
  for (let i = 0; i < data.length; i++) {
    const factor = rest[i];
    generator.forEach((value, k) => (rest[i + k] ^= times(value, factor)));
  }
  return rest.slice(data.length);
}

/**
 * @param {number[]} bytes
 * @param {number} version
 */
function words(bytes, version) {
  const [total, count, blocks] = VERSIONS[version - 1];
  const bits = [0, 1, 0, 0];
  const put = (/** @type {number} */ value, /** @type {number} */ length) => {
    for (let k = length - 1; k >= 0; k--) bits.push((value >> k) & 1);
  };
  put(bytes.length, version < 10 ? 8 : 16);
  for (const byte of bytes) put(byte, 8);
  put(0, Math.min(4, total * 8 - bits.length));
  while (bits.length % 8) bits.push(0);
  const data = [];
  for (let k = 0; k < bits.length; k += 8) data.push(parseInt(bits.slice(k, k + 8).join(''), 2));
  for (let pad = 0xec; data.length < total; pad ^= 0xec ^ 0x11) data.push(pad);
  const short = Math.floor(total / blocks);
  const parts = [];
  for (let block = 0, at = 0; block < blocks; block++) {
    const length = short + (block >= blocks - (total % blocks) ? 1 : 0);
    parts.push(data.slice(at, at += length));
  }
  const ends = parts.map((part) => correction(part, count));
  const out = [];
  for (let k = 0; k <= short; k++) for (const part of parts) if (k < part.length) out.push(part[k]);
  for (let k = 0; k < count; k++) for (const end of ends) out.push(end[k]);
  return out;
}

/**
 * @param {string} text at most 213 bytes
 * @returns {boolean[][] | null} rows of dark modules without margin; null when the text is too long
 */
export function qrCode(text) {
  const bytes = [...new TextEncoder().encode(text)];
  const version = VERSIONS.findIndex(([total], k) => bytes.length + (k < 9 ? 2 : 3) <= total) + 1;
  if (!version) return null;
  const side = 17 + 4 * version;
  /** @type {(boolean | null)[][]} */
  const grid = Array.from({ length: side }, () => new Array(side).fill(null));
  const square = (/** @type {number} */ cx, /** @type {number} */ cy, /** @type {number} */ reach, /** @type {number[]} */ dark) => {
    for (let y = -reach; y <= reach; y++) {
      for (let x = -reach; x <= reach; x++) {
        if (grid[cy + y]?.[cx + x] !== undefined) grid[cy + y][cx + x] = dark.includes(Math.max(Math.abs(x), Math.abs(y)));
      }
    }
  };
  const ends = ALIGNMENT[version - 1];
  for (const y of ends) {
    for (const x of ends) {
      const isCorner = (x === 6 && (y === 6 || y === side - 7)) || (y === 6 && x === side - 7);
      if (!isCorner) square(x, y, 2, [0, 2]);
    }
  }
  for (const [x, y] of [[3, 3], [side - 4, 3], [3, side - 4]]) square(x, y, 4, [0, 1, 3]);
  for (let k = 8; k < side - 8; k++) grid[6][k] = grid[k][6] = k % 2 === 0;
  /** Correction M (00) and mask 0 (000), with its check bits. */
  const format = 0x5412;
  for (let k = 0; k < 15; k++) {
    const bit = ((format >> k) & 1) === 1;
    grid[k < 6 ? k : k < 8 ? k + 1 : side - 15 + k][8] = bit;
    grid[8][k < 8 ? side - 1 - k : k < 9 ? 7 : 14 - k] = bit;
  }
  grid[side - 8][8] = true;
  if (version >= 7) {
    let check = version;
    for (let k = 0; k < 12; k++) check = (check << 1) ^ ((check >> 11) * 0x1f25);
    const bits = (version << 12) | check;
    for (let k = 0; k < 18; k++) {
      const bit = ((bits >> k) & 1) === 1;
      const [a, b] = [Math.floor(k / 3), side - 11 + (k % 3)];
      grid[a][b] = grid[b][a] = bit;
    }
  }
  const stream = words(bytes, version);
  let at = 0;
  for (let right = side - 1, up = true; right > 0; right -= 2, up = !up) {
    if (right === 6) right -= 1;
    for (let step = 0; step < side; step++) {
      const y = up ? side - 1 - step : step;
      for (const x of [right, right - 1]) {
        if (grid[y][x] !== null) continue;
        const bit = ((stream[at >> 3] ?? 0) >> (7 - (at & 7))) & 1;
        at += 1;
        grid[y][x] = (bit === 1) !== ((x + y) % 2 === 0);
      }
    }
  }
  return grid.map((row) => row.map(Boolean));
}

/**
 * The same as a picture with its white margin.
 * @param {string} text
 * @param {string} label for those who do not see it
 * @returns {SVGSVGElement | null}
 */
export function qrPicture(text, label) {
  const grid = qrCode(text);
  if (!grid) return null;
  const side = grid.length + 2 * QUIET;
  const make = (/** @type {string} */ name, /** @type {Record<string, string>} */ attributes) => {
    const element = document.createElementNS('http://www.w3.org/2000/svg', name);
    for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
    return element;
  };
  let path = '';
  grid.forEach((row, y) => row.forEach((isDark, x) => (path += isDark ? `M${x + QUIET} ${y + QUIET}h1v1h-1z` : '')));
  const svg = make('svg', { viewBox: `0 0 ${side} ${side}`, class: 'qr', role: 'img', 'aria-label': label, 'shape-rendering': 'crispEdges' });
  svg.append(make('rect', { width: String(side), height: String(side), fill: '#fff' }), make('path', { d: path, fill: '#000' }));
  return /** @type {SVGSVGElement} */ (svg);
}
