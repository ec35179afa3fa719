// What carries the wall: a marker, flat pictures, or both. The wall's pose comes from the engine, which is told what hangs where on it.

import { pictureNumber } from '../../vision/picture-numbers.js';

/**
 * @typedef {import('../../vision/camera-vision.js').Sight} Sight
 * @typedef {import('../../../engine/vision.js').WallDescription} WallDescription
 * @typedef {'photo' | 'sheet' | 'marker' | 'poster'} AnchorKind
 * @typedef {{ pose: import('../../../engine/observations.js').Pose, state: 'seen' | 'carried', uncertainty: number }} WallPose
 *   `pose` of the wall before the camera; `uncertainty` in pixels of the picture
 */

/** The one wall of the page. */
const WALL = 0;

export class WallAnchor {
  /**
   * Metres for one of the units that the anchor was made with: other than 1 once an edge was measured.
   */
  scale = 1;
  /** @type {{ dictionary: string, id: number, side: number } | null} `side` in metres */
  marker = null;
  /**
   * Pictures on the wall; `center` in its frame, `width` in metres; `file` is what the engine made of it.
   * @type {{ key: string, center: [number, number], file: Uint8Array, width: number }[]}
   */
  targets = [];

  /**
   * @param {AnchorKind} kind
   * @param {boolean} isTrue whether the size is known, not guessed
   */
  constructor(kind, isTrue) {
    this.kind = kind;
    this.isTrue = isTrue;
  }

  /**
   * What the engine has to know to find the wall.
   * @returns {WallDescription}
   */
  get description() {
    /** @type {WallDescription['members']} */
    const members = this.targets.map(({ key, center }) => ({ kind: 'picture', id: pictureNumber(key), center }));
    if (this.marker) members.unshift({ kind: 'marker', dictionary: this.marker.dictionary, id: this.marker.id, center: [0, 0] });
    return { id: WALL, scale: this.scale, members };
  }

  /**
   * @param {Sight} sight
   * @returns {WallPose | null} `null` when nothing is known of the wall
   */
  pose({ observations }) {
    const wall = observations.find(({ kind, id, pose }) => kind === 'wall' && id === WALL && pose);
    if (!wall?.pose) return null;
    return { pose: wall.pose, state: wall.state === 'carried' ? 'carried' : 'seen', uncertainty: wall.sigma };
  }
}
