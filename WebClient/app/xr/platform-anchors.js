// The platform's anchors for what was set down: with them it keeps its place when the platform corrects where it thinks that things are.
// Where the browser has none, things stay where they were set in the platform's world.

/** @typedef {{ pose: XRTransform, isAsked: boolean, anchor: XRAnchorLike | null }} Wanted */

export class PlatformAnchors {
  /** @type {Map<number, Wanted>} by the numbers of what was set down */
  #all = new Map();

  /** @param {XRSpaceLike} space */
  constructor(space) {
    this.space = space;
  }

  /**
   * Something stands somewhere from now on.
   * @param {number} number
   * @param {XRTransform} pose
   */
  want(number, pose) {
    this.remove(number);
    this.#all.set(number, { pose, isAsked: false, anchor: null });
  }

  /** @param {number} number */
  remove(number) {
    this.#all.get(number)?.anchor?.delete();
    this.#all.delete(number);
  }

  /**
   * Where everything with an anchor is, and anchors for what has none yet.
   * @param {XRFrameLike} frame
   * @param {number | null} held what a finger holds, and may move
   * @returns {[number, Float32Array | null][]} `null` when the platform does not know
   */
  follow(frame, held) {
    /** @type {[number, Float32Array | null][]} */
    const known = [];
    for (const [number, wanted] of this.#all) {
      if (!wanted.isAsked && number !== held) this.#ask(frame, number, wanted);
      const { anchor } = wanted;
      if (!anchor) continue;
      const isTracked = frame.trackedAnchors?.has(anchor) ?? true;
      known.push([number, (isTracked && frame.getPose(anchor.anchorSpace, this.space)?.transform.matrix) || null]);
    }
    return known;
  }

  /**
   * @param {XRFrameLike} frame
   * @param {number} number
   * @param {Wanted} wanted
   */
  #ask(frame, number, wanted) {
    wanted.isAsked = true;
    frame.createAnchor?.(wanted.pose, this.space).then((anchor) => {
      // Moved or taken away meanwhile.
      if (this.#all.get(number) === wanted) wanted.anchor = anchor;
      else anchor.delete();
    }, () => undefined);
  }

  /**
   * The platform's world is another.
   * @returns {number[]} what had no anchor, and is lost
   */
  reset() {
    const lost = [...this.#all].flatMap(([number, { anchor }]) => (anchor ? [] : [number]));
    for (const number of lost) this.#all.delete(number);
    return lost;
  }
}
