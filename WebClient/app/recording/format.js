// The bytes of a recording (Documentation/recording.md); those of the session's events are in events.js.

import { ACTION_KIND, HEIGHT_DATUM, VISUAL_KIND } from '../../engine/layout.js';
import { KIND, writeEvent } from './events.js';
import { writeAnchors, writeStanding } from './observations.js';

/**
 * @typedef {import('../../engine/types').EngineEvent} EngineEvent
 * @typedef {import('../../engine/types').WorldRecord} WorldRecord
 * @typedef {import('../../engine/types').ActionRecord} ActionRecord
 */

export const SIGNATURE = new Uint8Array([0x89, 0x53, 0x4c, 0x52, 0x0d, 0x0a, 0x1a, 0x0a]);
const VERSION = 1;
export const LARGEST_PAYLOAD = 64 * 2 ** 20;

export { KIND };

const CRC_TABLE = Uint32Array.from({ length: 256 }, (_, index) => {
  let value = index;
  for (let bit = 0; bit < 8; bit++) value = value & 1 ? (value >>> 1) ^ 0xedb88320 : value >>> 1;
  return value;
});

/**
 * The checksum of gzip and PNG.
 * @param {Uint8Array} bytes
 */
export function crc32(bytes) {
  let value = 0xffffffff;
  for (let k = 0; k < bytes.length; k++) value = CRC_TABLE[(value ^ bytes[k]) & 255] ^ (value >>> 8);
  return ~value >>> 0;
}

/** Appends little-endian numbers and texts. */
export class ByteWriter {
  #bytes = new Uint8Array(64);
  #view = new DataView(this.#bytes.buffer);
  #length = 0;

  /** @param {number} count */
  #grow(count) {
    const at = this.#length;
    this.#length += count;
    if (this.#length > this.#bytes.length) {
      const larger = new Uint8Array(Math.max(this.#length, this.#bytes.length * 2));
      larger.set(this.#bytes);
      this.#bytes = larger;
      this.#view = new DataView(larger.buffer);
    }
    return at;
  }

  // Growing replaces the array and the view: the place comes first.
  u8(/** @type {number} */ value) {
    const at = this.#grow(1);
    this.#bytes[at] = value;
  }
  u16(/** @type {number} */ value) {
    const at = this.#grow(2);
    this.#view.setUint16(at, value, true);
  }
  u32(/** @type {number} */ value) {
    const at = this.#grow(4);
    this.#view.setUint32(at, value, true);
  }
  i32(/** @type {number} */ value) {
    const at = this.#grow(4);
    this.#view.setInt32(at, value, true);
  }
  u64(/** @type {bigint} */ value) {
    const at = this.#grow(8);
    this.#view.setBigUint64(at, value, true);
  }
  f64(/** @type {number[]} */ ...values) {
    for (const value of values) {
      const at = this.#grow(8);
      this.#view.setFloat64(at, value, true);
    }
  }
  flag(/** @type {boolean} */ value) {
    this.u8(value ? 1 : 0);
  }
  raw(/** @type {Uint8Array} */ bytes) {
    const at = this.#grow(bytes.length);
    this.#bytes.set(bytes, at);
  }
  text(/** @type {string} */ text) {
    const bytes = new TextEncoder().encode(text);
    this.u32(bytes.length);
    this.raw(bytes);
  }
  /** A record that may grow in later versions. */
  record(/** @type {(record: ByteWriter) => void} */ write) {
    const record = new ByteWriter();
    write(record);
    this.u16(record.#length);
    this.raw(record.bytes());
  }

  /** What was written; a copy. */
  bytes() {
    return this.#bytes.slice(0, this.#length);
  }
}

/**
 * A chunk: head and payload.
 * @param {number} kind
 * @param {number} time seconds
 * @param {Uint8Array} payload
 */
export function chunk(kind, time, payload) {
  const bytes = new Uint8Array(24 + payload.length);
  const view = new DataView(bytes.buffer);
  view.setUint32(0, payload.length, true);
  view.setUint16(4, kind, true);
  view.setFloat64(8, time, true);
  view.setUint32(16, crc32(payload), true);
  view.setUint32(20, crc32(bytes.subarray(0, 20)), true);
  bytes.set(payload, 24);
  return bytes;
}

/** @param {Record<string, string>} fields */
export function headerPayload(fields) {
  const out = new ByteWriter();
  out.u16(VERSION);
  const names = Object.keys(fields).sort();
  out.u16(names.length);
  for (const name of names) {
    out.text(name);
    out.text(fields[name]);
  }
  return out.bytes();
}

/** @param {number} count chunks before the end mark */
export function endPayload(count) {
  const out = new ByteWriter();
  out.u64(BigInt(count));
  return out.bytes();
}

/**
 * Kind and payload of an event.
 * @param {EngineEvent} event
 * @returns {{ kind: number, payload: Uint8Array }}
 */
export function encodeEvent(event) {
  const out = new ByteWriter();
  writeEvent(event, out);
  return { kind: KIND[event.type], payload: out.bytes() };
}

/**
 * @param {number} request that it answers
 * @param {WorldRecord} world
 * @param {import('./recorder.js').WorldNames} names
 */
export function worldPayload(request, world, names) {
  const out = new ByteWriter();
  out.i32(request);
  out.text(names.title);
  out.record((head) => {
    head.f64(world.radarRange);
    head.flag(world.radarAvailable);
    head.f64(world.refreshIntervalSeconds, world.refreshDistance);
    head.i32(world.refreshAddress ?? -1);
  });
  out.u32(world.features.length);
  let focus = 0;
  world.features.forEach((feature, index) => {
    out.record((record) => {
      record.u64(BigInt(feature.key));
      record.f64(feature.latitude, feature.longitude, feature.altitude);
      record.u8(HEIGHT_DATUM.indexOf(feature.altitudeDatum));
      record.f64(feature.east, feature.north, feature.up);
      record.u8(VISUAL_KIND.indexOf(feature.kind));
      record.u8(feature.trueSize ? 1 : 0);
      record.f64(feature.width, feature.height, feature.pivotX, feature.pivotY);
      record.u8(feature.category);
      record.flag(feature.showInRadar);
      record.f64(feature.visibilityRadius);
      writeAction(feature.action, record);
      record.i32(focus);
      record.i32(feature.focusOverlays.length);
      record.f64(feature.compactWidth ?? 0, feature.compactHeight ?? 0);
      writeStanding(feature, record);
    });
    focus += feature.focusOverlays.length;
    out.text(names.texts[index] ?? '');
  });
  out.u32(world.overlays.length);
  for (const overlay of world.overlays) {
    out.record((record) => {
      record.u64(BigInt(overlay.key));
      record.flag(overlay.hidden);
      writeAction(overlay.action, record);
    });
  }
  out.u32(focus);
  for (const feature of world.features) for (const overlay of feature.focusOverlays) out.i32(overlay);
  out.u32(names.addresses.length);
  for (const [number, address] of names.addresses) {
    out.i32(number);
    out.text(address);
  }
  writeAnchors(world.anchors ?? [], out);
  const hasRules = world.rules?.length;
  const hasPaths = world.paths?.length || hasRules;
  if (world.things?.length || hasPaths) writeThings(world.things ?? [], out);
  if (hasPaths) writePaths(world.paths ?? [], world.corners ?? [], names.places ?? [], out);
  if (hasRules) writeRules(world.rules ?? [], out);
  return out.bytes();
}

/**
 * @param {import('../../engine/types').ThingRecord[]} things
 * @param {ByteWriter} out
 */
function writeThings(things, out) {
  out.u32(things.length);
  for (const { feature, isModel, model, width, height, attitude } of things) {
    out.record((record) => {
      record.i32(feature);
      record.flag(isModel);
      record.f64(...model, width, height);
      record.flag(attitude !== null);
      record.f64(...(attitude ?? [0, 0, 0]));
      // Earlier versions want to be told whether it is on the ground: the feature's datum says so.
      record.flag(false);
    });
  }
}

/**
 * @param {import('../../engine/types').PathRecord[]} paths
 * @param {ArrayLike<number>} corners
 * @param {{ shapeStyle?: import('../types').ShapeStyle }[]} places the world's, which say how their lines and areas are drawn
 * @param {ByteWriter} out
 */
function writePaths(paths, corners, places, out) {
  out.u32(paths.length);
  for (const { feature, shape, isRing, altitudeDatum, first, count } of paths) {
    out.record((record) => {
      record.i32(feature);
      record.i32(shape);
      record.flag(isRing);
      record.u8(HEIGHT_DATUM.indexOf(altitudeDatum));
      record.i32(first);
      record.i32(count);
    });
  }
  out.u32(corners.length / 3);
  for (let k = 0; k < corners.length; k++) out.f64(corners[k]);
  const styles = places.flatMap(({ shapeStyle }, feature) => (shapeStyle ? [{ feature, ...shapeStyle }] : []));
  out.u32(styles.length);
  for (const { feature, stroke, strokeOpacity, fill, fillOpacity, width } of styles) {
    out.record((record) => {
      record.i32(feature);
      record.i32(colorNumber(stroke));
      record.f64(strokeOpacity ?? NaN);
      record.i32(colorNumber(fill));
      record.f64(fillOpacity ?? NaN, width ?? NaN);
    });
  }
}

/**
 * @param {import('../../engine/types').RuleRecord[]} rules
 * @param {ByteWriter} out
 */
function writeRules(rules, out) {
  out.u32(rules.length);
  for (const { feature, nearest, scaling, selection, group } of rules) {
    out.record((record) => {
      record.i32(feature);
      record.f64(nearest, ...scaling);
      record.u8(selection);
      record.i32(group);
    });
  }
}

/**
 * A colour as a number; -1 for none.
 * @param {string | undefined} color `#rrggbb`, or `#rgb`
 */
function colorNumber(color) {
  const digits = /^#(?:([\da-f]{6})|([\da-f]{3}))$/i.exec(color ?? '');
  return digits ? parseInt(digits[1] ?? digits[2].replace(/./g, '$&$&'), 16) : -1;
}

/**
 * @param {ActionRecord} action
 * @param {ByteWriter} out
 */
function writeAction(action, out) {
  out.u8(ACTION_KIND.indexOf(action.kind));
  out.i32(action.address ?? -1);
}

/**
 * @param {number} width pixels
 * @param {number} height pixels
 * @param {Uint8Array} jpeg
 */
export function picturePayload(width, height, jpeg) {
  const out = new ByteWriter();
  out.i32(width);
  out.i32(height);
  out.u8(0);
  out.raw(jpeg);
  return out.bytes();
}
