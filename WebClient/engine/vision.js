// What is in the pictures of the camera, markers, flat pictures, codes and walls, by one instance of the engine: see
// VisionExports.swift.

import { anchorNumbers } from './anchors.js';
import { Codes } from './codes.js';
import { Instance } from './instance.js';
import { MARKER_DICTIONARY } from './layout.js';
import { Markers } from './markers.js';
import { OBSERVATION, readObservations } from './observations.js';
import { PictureRoom } from './picture-room.js';
import { Targets } from './targets.js';

/**
 * @typedef {import('./picture-room.js').PictureLayout} PictureLayout
 * @typedef {import('./observations.js').Observation} Observation
 * @typedef {import('./codes.js').FoundCode} FoundCode
 * @typedef {{ dictionaries: string[], sides: { dictionary: string, id: number, side: number }[], usual: number }} MarkerWatch
 *   sides of black borders in metres; `usual`: of markers not named, 0 when unknown
 * @typedef {{ kind: 'marker', dictionary: string, id: number, center: [number, number] }
 *   | { kind: 'picture', id: number, center: [number, number] }} WallMember `center` in the wall's frame, x right, y up
 * @typedef {{ id: number, scale: number, members: WallMember[] }} WallDescription `scale`: metres for one unit of the members
 * @typedef {{ rows: Float64Array, codes: FoundCode[] | null }} Seen `rows` as `readObservations` reads them; `codes` in the order of
 *   their observations, `null` when the picture was not looked at for codes
 */

export class Vision extends PictureRoom {
  /** @param {WebAssembly.Module} module */
  static async make(module) {
    return new Vision(await Instance.make(module));
  }

  /** @param {Instance} instance */
  constructor(instance) {
    super(instance);
    /** Markers for printing. */
    this.markers = new Markers(instance);
    /** Codes for printing, and in still pictures. */
    this.codes = new Codes(instance);
    /** Target files. */
    this.targets = new Targets(instance);
  }

  /** Looks for nothing, and knows nothing of earlier pictures: as at the start. */
  reset() {
    this.instance.call.sl_vision_reset();
  }

  /** @param {MarkerWatch | null} watch `null`: no markers */
  watchMarkers(watch) {
    const { call } = this.instance;
    call.sl_vision_markers((watch?.dictionaries ?? []).reduce((bits, name) => bits | maskOf(name), 0));
    for (const { dictionary, id, side } of watch?.sides ?? []) {
      call.sl_vision_marker_side(MARKER_DICTIONARY.indexOf(dictionary), id, side);
    }
    if (watch) call.sl_vision_marker_side(0, -1, watch.usual);
  }

  /**
   * How the camera's lens bends what is straight: k1, k2, p1, p2, k3 as OpenCV has them.
   * @param {number[]} [coefficients] none for a straight lens
   */
  setLens(coefficients = []) {
    const [k1 = 0, k2 = 0, p1 = 0, p2 = 0, k3 = 0] = coefficients;
    this.instance.call.sl_vision_lens(k1, k2, p1, p2, k3);
  }

  /** @param {boolean} areWanted */
  watchCodes(areWanted) {
    this.instance.call.sl_vision_codes(areWanted ? 1 : 0);
  }

  /**
   * Looks for a picture from now on; those already followed stay followed.
   * @param {number} id the page's number for it, which observations have
   * @param {Uint8Array} file as `targets.build` makes it
   * @param {{ width?: number }} options `width` of the whole print in metres, before what the file says
   */
  addPicture(id, file, { width = 0 } = {}) {
    this.room(Math.max(1, file.length)).set(file);
    if (this.instance.call.sl_vision_add_picture(id, file.length, width)) return;
    this.targets.describe(file);
    throw new RangeError('there are 65,535 pictures already');
  }

  /** @param {number} id */
  removePicture(id) {
    this.instance.call.sl_vision_remove_picture(id);
  }

  /**
   * The walls whose poses are wanted, by what hangs on them.
   * @param {WallDescription[]} walls
   */
  watchWalls(walls) {
    const numbers = walls.flatMap(({ id, scale, members }) => [
      id, scale, members.length,
      ...members.flatMap((member) => [
        ...anchorNumbers(member), ...member.center,
      ]),
    ]);
    const address = this.instance.call.sl_vision_walls_in(walls.length, walls.reduce((sum, { members }) => sum + members.length, 0));
    if (!address) throw new RangeError('too many walls');
    this.instance.doubles(address, numbers.length).set(numbers);
    this.instance.call.sl_vision_walls(walls.length);
  }

  /**
   * A reading of the gyroscope, as the platform gives it.
   * @param {number} time seconds, of the same clock as the pictures'
   * @param {readonly number[]} rate degrees a second about the device's axes x, y, z; `NaN` for none
   * @param {number} screenAngle degrees
   */
  motion(time, [x, y, z], screenAngle) {
    this.instance.call.sl_vision_motion(time, x, y, z, screenAngle);
  }

  /**
   * @param {number} width of a picture, pixels
   * @param {number} height
   * @param {number} fieldOfView along its longer side, degrees
   * @returns {number} focal length, pixels
   */
  focal(width, height, fieldOfView) {
    return this.instance.call.sl_vision_focal(width, height, fieldOfView);
  }

  /**
   * Looks at the picture that was put into the room.
   * @param {PictureLayout} layout
   * @param {number} time seconds, later than the last one's
   * @param {number} focal pixels; 0 for no poses
   * @returns {Seen}
   */
  look(layout, time, focal) {
    const { call } = this.instance;
    const count = call.sl_vision_frame(...this.numbers(layout), time, focal);
    if (count < 0) throw new RangeError('the room does not hold such a picture');
    const rows = this.instance.doubles(call.sl_vision_values(), count * OBSERVATION).slice();
    const codes = call.sl_vision_read_codes();
    return { rows, codes: codes < 0 ? null : this.codes.read(codes) };
  }

  /**
   * As `look`, read.
   * @param {PictureLayout} layout
   * @param {number} time
   * @param {number} focal
   * @returns {Observation[]}
   */
  observe(layout, time, focal) {
    return readObservations(this.look(layout, time, focal).rows);
  }
}

/** @param {string} name */
function maskOf(name) {
  const index = MARKER_DICTIONARY.indexOf(name);
  return index < 0 ? 0 : 1 << index;
}
