// What carries the wall: a marker, a flat picture, or both; and the wall's pose from what was found of them.

import { rigid } from '../../models/matrices.js';
import { cameraFromWallOf } from './wall-geometry.js';

/**
 * @typedef {import('../../targets/target-vision.js').Sight} Sight
 * @typedef {'photo' | 'sheet' | 'marker' | 'poster'} AnchorKind
 * @typedef {{ cameraFromWall: Float32Array, state: 'seen' | 'carried', uncertainty: number }} WallPose `uncertainty` in
 *   pixels of the picture
 */

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
   * @param {Sight} sight
   * @returns {WallPose | null} `null` when nothing is known of the wall
   */
  pose(sight) {
    const marker = this.marker && sight.markers.filter(({ dictionary, id, pose }) =>
      pose && dictionary === this.marker?.dictionary && id === this.marker.id).sort((a, b) => b.confidence - a.confidence)[0];
    if (marker?.pose) {
      const { rotation, translation } = marker.pose;
      return { cameraFromWall: rigid(rotation, translation.map((value) => value * this.scale)), state: 'seen', uncertainty: 0 };
    }
    const found = this.targets.flatMap(({ key, center }) => {
      const target = sight.targets.find((each) => each.key === key && each.pose && each.state !== 'lost');
      return target?.pose ? [{ target, pose: target.pose, center }] : [];
    });
    const best = found.find(({ target }) => target.state !== 'extrapolated') ?? found[0];
    if (!best) return null;
    return {
      cameraFromWall: cameraFromWallOf(best.pose, best.center, this.scale),
      state: best.target.state === 'extrapolated' ? 'carried' : 'seen',
      uncertainty: best.target.uncertainty,
    };
  }
}
