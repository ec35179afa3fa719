// A tile of the operator's own map as it comes from the server (Documentation/formats/ground.md), made ready for drawing.

/** Units along a tile's side. */
export const EXTENT = 4096;

/** Numbers of the kinds that are drawn or read by name here. */
export const KIND = /** @type {const} */ ({
  sea: 1, residential: 2, commercial: 3, industrial: 4, farmland: 5, meadow: 6, grass: 7, park: 8, cemetery: 9, pitch: 10, forest: 11,
  scrub: 12, wetland: 13, sand: 14, rock: 15, parking: 16, pedestrianArea: 17, water: 18, building: 19, buildingPart: 20,
  river: 40, stream: 41,
  motorway: 50, primary: 51, secondary: 52, tertiary: 53, street: 54, pedestrian: 55, service: 56, cycleway: 57, footway: 58, path: 59,
  track: 60, steps: 61, rail: 70, tram: 71, subway: 72, ferry: 73, pier: 74, wall: 75,
  city: 90, town: 91, suburb: 92, quarter: 93, square: 94, stationName: 95, sight: 96, museum: 97, church: 98, school: 99, hospital: 100,
  shop: 101, restaurant: 102, houseNumber: 103, peak: 104, stop: 105,
});

/**
 * @typedef {{ own: string, languages: Record<string, string> }} Name
 * @typedef {{ kind: number, name: Name | null, layer: number, top: number, bottom: number, isKnown: boolean, pieces: Int32Array[], holes: boolean[] }} Feature
 *   `top` and `bottom` of buildings, metres over the ground; `pieces` are rings, lines or a point, x and y by turns, in units from the tile's
 *   north-west corner; `holes` which of the rings are
 * @typedef {{ features: Feature[] }} GroundTile in the order in which they are drawn
 */

/** A tile that ends too early or says what cannot be. */
export class DamagedTile extends Error {}

const decoder = new TextDecoder();

class Reader {
  #at = 0;

  /** @param {Uint8Array} bytes */
  constructor(bytes) {
    this.bytes = bytes;
  }

  /** Bytes that are left: nothing can be of more pieces than that. */
  get left() {
    return this.bytes.length - this.#at;
  }

  number() {
    let value = 0;
    let scale = 1;
    for (let count = 0; count < 8; count++) {
      if (this.#at >= this.bytes.length) throw new DamagedTile('ends too early');
      const byte = this.bytes[this.#at++];
      value += (byte & 0x7f) * scale;
      if (byte < 0x80) return value;
      scale *= 128;
    }
    throw new DamagedTile('a number is too long');
  }

  /** A number of things that take at least a byte each. */
  count() {
    const count = this.number();
    if (count > this.left) throw new DamagedTile('says more than it has');
    return count;
  }

  signed() {
    const value = this.number();
    return value % 2 ? -(value + 1) / 2 : value / 2;
  }

  text() {
    const count = this.count();
    this.#at += count;
    return decoder.decode(this.bytes.subarray(this.#at - count, this.#at));
  }
}

/**
 * @param {ArrayBuffer} buffer
 * @returns {GroundTile}
 */
export function readTile(buffer) {
  const reader = new Reader(new Uint8Array(buffer));
  const version = reader.number();
  if (version !== 1) throw new DamagedTile(`is of version ${version}`);
  /** @type {Name[]} */
  const names = [];
  for (let left = reader.count(); left > 0; left--) {
    const own = reader.text();
    /** @type {Record<string, string>} */
    const languages = Object.create(null);
    for (let more = reader.count(); more > 0; more--) languages[reader.text()] = reader.text();
    names.push({ own, languages });
  }
  /** @type {Feature[]} */
  const features = [];
  for (let kinds = reader.count(); kinds > 0; kinds--) {
    const kind = reader.number();
    for (let left = reader.count(); left > 0; left--) features.push(readFeature(reader, kind, names));
  }
  return { features };
}

/**
 * @param {Reader} reader
 * @param {number} kind
 * @param {Name[]} names
 * @returns {Feature}
 */
function readFeature(reader, kind, names) {
  const head = reader.number();
  const name = names[Math.floor(head / 2) - 1] ?? null;
  const layer = head % 2 ? reader.signed() : 0;
  /** @type {Feature} */
  const feature = { kind, name, layer, top: 0, bottom: 0, isKnown: false, pieces: [], holes: [] };
  if (kind === KIND.building || kind === KIND.buildingPart) {
    const top = reader.number();
    feature.isKnown = top % 2 === 1;
    feature.top = Math.floor(top / 2) / 10;
    feature.bottom = reader.number() / 10;
  }
  const isArea = kind < 40;
  const isLine = kind >= 40 && kind < 90;
  let x = 0;
  let y = 0;
  for (let pieces = isArea || isLine ? reader.count() : 1; pieces > 0; pieces--) {
    const head = isArea || isLine ? reader.number() : 1;
    const count = isArea ? Math.floor(head / 2) : head;
    if (count * 2 > reader.left) throw new DamagedTile('says more than it has');
    const piece = new Int32Array(count * 2);
    for (let index = 0; index < piece.length; index += 2) {
      x += reader.signed();
      y += reader.signed();
      piece[index] = x;
      piece[index + 1] = y;
    }
    feature.pieces.push(piece);
    feature.holes.push(isArea && head % 2 === 1);
  }
  return feature;
}
