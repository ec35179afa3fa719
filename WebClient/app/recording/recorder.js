// Records what a session is told and when its frames are made, chunk by chunk, until it is stopped.

import { WorldRecords } from '../../engine/world-record.js';
import { HIDDEN_LABEL_KINDS } from '../../engine/buildings.js';
import { buildingsPayload } from './buildings.js';
import { seesCode } from './observations.js';
import { KIND, LARGEST_PAYLOAD, SIGNATURE, chunk, encodeEvent, endPayload, headerPayload, picturePayload, worldPayload }
  from './format.js';

/**
 * @typedef {import('../../engine/types').EngineEvent} EngineEvent
 * @typedef {import('../../engine/types').WorldRecord} WorldRecord
 * @typedef {{ title: string, texts: string[], addresses: [number, string][], places?: { shapeStyle?: import('../types').ShapeStyle }[] }} WorldNames
 */

/** Bytes that are gathered before the browser may put them wherever it keeps large things. */
const PIECE = 2 ** 20;
/** What tells where somebody is. */
const PLACES = new Set(['fix', 'ground', 'featureGround', 'cornerGround', 'survey', 'pointAtPlace', 'restoreHeadingCorrection']);

export class Recorder {
  /** Bytes so far. */
  size = 0;
  /** Events so far. */
  count = 0;
  #chunks = 0;
  /** @type {Blob[]} */
  #pieces = [];
  /** @type {Uint8Array[]} */
  #loose = [];
  #looseSize = 0;
  #lastTime;

  /**
   * @param {{ positions: boolean, time: number, created: Date, device?: string, fields?: Record<string, string> }} options `positions`:
   *   whether positions, worlds and pictures may be kept; `time`: seconds; `fields`: more that the header tells
   */
  constructor({ positions, time, created, device = '', fields = {} }) {
    this.positions = positions;
    this.startTime = time;
    this.created = created;
    this.#lastTime = time;
    this.#add(SIGNATURE);
    this.#chunk(KIND.header, time, headerPayload({
      writer: 'Sightline web client',
      created: created.toISOString(),
      positions: positions ? 'kept' : 'stripped',
      ...(device ? { device } : {}),
      ...fields,
    }));
  }

  /**
   * What the session is told.
   * @param {EngineEvent} event
   * @param {number} time seconds
   */
  event(event, time) {
    if (!this.positions && (PLACES.has(event.type) || hasCodes(event))) return;
    const { kind, payload } = encodeEvent(event);
    this.#chunk(kind, time, payload);
    this.count += 1;
  }

  /**
   * The answer to a request.
   * @param {number} request
   * @param {WorldRecord} world
   * @param {WorldNames} names
   * @param {number} time seconds
   */
  world(request, world, names, time) {
    if (!this.positions) return;
    this.#chunk(KIND.world, time, worldPayload(request, world, names));
    this.count += 1;
  }

  /**
   * The answer to a request, as the engine has it.
   * @param {number} request
   * @param {import('../../engine/engine.js').Engine} engine
   * @param {number | null} number of an open world; `null`: what was compiled and is not loaded yet
   * @param {() => WorldNames} names
   * @param {number} time seconds
   */
  worldOf(request, engine, number, names, time) {
    const world = this.positions ? engine.part(WorldRecords).read(number) : null;
    if (world) this.world(request, world, names(), time);
  }

  /**
   * The buildings around, which tell where somebody is.
   * @param {import('../../engine/buildings.js').Buildings['told']} told
   * @param {number} time seconds
   */
  buildings(told, time) {
    if (this.positions) this.other(KIND.buildings, time, buildingsPayload(told));
  }

  /**
   * What becomes of labels of hidden things.
   * @param {typeof HIDDEN_LABEL_KINDS[number]} kind
   * @param {number} time seconds
   */
  hiddenLabels(kind, time) {
    this.other(KIND.setHiddenLabels, time, Uint8Array.of(HIDDEN_LABEL_KINDS.indexOf(kind)));
  }

  /**
   * A picture of the camera.
   * @param {number} width pixels
   * @param {number} height pixels
   * @param {Uint8Array} jpeg
   * @param {number} time when it was taken, seconds
   */
  picture(width, height, jpeg, time) {
    if (this.positions) this.#chunk(KIND.picture, time, picturePayload(width, height, jpeg));
  }

  /**
   * What no session is told.
   * @param {number} kind of the chunk
   * @param {number} time seconds
   * @param {Uint8Array} payload
   */
  other(kind, time, payload) {
    this.#chunk(kind, time, payload);
    this.count += 1;
  }

  /** @param {number} time seconds */
  tick(time) {
    this.#chunk(KIND.tick, time, NOTHING);
  }

  /** @param {number} time seconds */
  advance(time) {
    this.#chunk(KIND.advance, time, NOTHING);
  }

  /**
   * The whole recording; nothing may be added after it.
   * @returns {Blob}
   */
  finish() {
    this.#chunk(KIND.end, this.#lastTime, endPayload(this.#chunks));
    this.#gather();
    return new Blob(this.#pieces, { type: 'application/octet-stream' });
  }

  /**
   * @param {number} kind
   * @param {number} time
   * @param {Uint8Array} payload
   */
  #chunk(kind, time, payload) {
    if (!Number.isFinite(time) || payload.length > LARGEST_PAYLOAD) return;
    this.#add(chunk(kind, time, payload));
    this.#chunks += 1;
    this.#lastTime = time;
  }

  /** @param {Uint8Array} bytes */
  #add(bytes) {
    this.#loose.push(bytes);
    this.#looseSize += bytes.length;
    this.size += bytes.length;
    if (this.#looseSize >= PIECE) this.#gather();
  }

  #gather() {
    if (this.#loose.length) this.#pieces.push(new Blob(this.#loose));
    this.#loose = [];
    this.#looseSize = 0;
  }
}

const NOTHING = new Uint8Array(0);
/** What a code says may tell where it hangs. */
const hasCodes = (/** @type {EngineEvent} */ event) => event.type === 'observations' && seesCode(event.rows);
