// One thing that is to be found, as the page holds it: where it is in the newest frame.

/**
 * @typedef {import('./anchors.js').AnchorKind} AnchorKind
 * @typedef {'waiting' | 'found' | 'tracked' | 'carried' | 'lost'} AnchorState `waiting`: never seen so far; `carried`: covered for a moment,
 *   and carried on
 */

export class Anchor {
  /** @type {AnchorState} */
  state = 'waiting';
  /**
   * From the anchor's frame (a print's: x right, y up, z out of it; a place's: east, north, up; a surface's: as the hit's `facing` says; metres) to the camera's: 4 × 4 by columns.
   * @type {Float32Array | null}
   */
  cameraFromAnchor = null;
  /**
   * Where its label belongs on the view, CSS pixels.
   * @type {{ x: number, y: number } | null}
   */
  screen = null;
  /**
   * Of a print in the view, CSS pixels, from its own top left clockwise.
   * @type {[number, number][] | null}
   */
  corners = null;
  /** Metres from the user to a place, from the camera to what was set down; `null` for others, and while it is not known. */
  distance = /** @type {number | null} */ (null);
  /** 0 … 1: less the less surely it is known where it is. */
  opacity = 0;
  /** Metres from a place within which something stands on it: as far away as that is seen there is a pose. */
  reach = 5;
  /** Of a code that was read. */
  text = /** @type {string | null} */ (null);
  #remove;

  /**
   * @param {number} number
   * @param {{ kind: AnchorKind } & Record<string, any>} checked
   * @param {(anchor: Anchor) => void} remove
   */
  constructor(number, checked, remove) {
    this.id = number;
    this.kind = checked.kind;
    /** What was asked for, checked. */
    this.description = checked;
    this.#remove = remove;
  }

  /** Width on the print, metres; `null` for places, and for codes, whose size nobody knows. */
  get size() {
    return this.description.size ?? this.description.width ?? null;
  }

  /** Whether it is in the newest frame. */
  get isVisible() {
    return this.opacity > 0;
  }

  /** It is not looked for any more. */
  remove() {
    this.#remove(this);
  }

  /**
   * Nothing is known of it in this frame.
   * @param {AnchorState} state
   */
  hide(state) {
    this.state = state;
    this.opacity = 0;
    this.cameraFromAnchor = this.screen = this.corners = null;
  }
}
