// What rays of the display meet, by the platform: one for the middle, all the time, and one for each tap or finger.

/**
 * @typedef {[number, number, number]} Direction in the viewer's axes
 * @typedef {{ ray: () => Direction | null, take: (pose: XRTransform | null) => any, resolve: (value: any) => void, frames: number,
 *   isAsked: boolean, source: XRHitSourceLike | null }} Question `frames`: how many have gone by without an answer
 */

/** Frames after which nothing is there; those with a source that meets nothing count for more. */
const PATIENCE = 30;
/** By how much the middle's direction may differ from the one that was asked for. */
const SLACK = 1e-4;

export class HitTests {
  /** @type {Question[]} */
  #questions = [];
  /** @type {{ direction: Direction, source: XRHitSourceLike | null } | null} */
  #middle = null;
  #isClosed = false;

  /**
   * @param {XRSessionLike} session
   * @param {XRSpaceLike} viewer
   * @param {XRSpaceLike} space that answers are in
   */
  constructor(session, viewer, space) {
    this.session = session;
    this.viewer = viewer;
    this.space = space;
  }

  /**
   * @param {() => Direction | null} ray
   * @param {(pose: XRTransform | null) => any} take what is done with the answer, in its frame
   * @returns {Promise<any>} what that gives; `null` when the session ends before
   */
  ask(ray, take) {
    if (this.#isClosed) return Promise.resolve(null);
    return new Promise((resolve) => this.#questions.push({ ray, take, resolve, frames: 0, isAsked: false, source: null }));
  }

  /** @param {XRFrameLike} frame */
  answer(frame) {
    for (const question of this.#questions) {
      if (!question.isAsked) {
        const direction = question.ray();
        if (direction) {
          question.isAsked = true;
          void this.#request(direction).then((source) => {
            // The patience of the frames is over, or the session is.
            if (this.#isClosed || !this.#questions.includes(question)) source?.cancel();
            else question.source = source;
          });
        }
      }
      const pose = question.source && this.#pose(frame, question.source);
      if (!pose && (question.frames += question.source ? 10 : 1) < PATIENCE) continue;
      this.#questions = this.#questions.filter((each) => each !== question);
      question.source?.cancel();
      question.resolve(question.take(pose));
    }
  }

  /**
   * What lies under the middle.
   * @param {XRFrameLike} frame
   * @param {Direction | null} direction of its ray
   */
  middle(frame, direction) {
    if (!direction) return null;
    if (!this.#middle || this.#middle.direction.some((value, k) => Math.abs(value - direction[k]) > SLACK)) {
      this.#middle?.source?.cancel();
      const middle = (this.#middle = { direction, source: /** @type {XRHitSourceLike | null} */ (null) });
      void this.#request(direction).then((source) => {
        if (this.#isClosed || this.#middle !== middle) source?.cancel();
        else middle.source = source;
      });
    }
    return this.#middle.source && this.#pose(frame, this.#middle.source);
  }

  /**
   * @param {XRFrameLike} frame
   * @param {XRHitSourceLike} source
   */
  #pose(frame, source) {
    return frame.getHitTestResults(source)[0]?.getPose(this.space)?.transform ?? null;
  }

  /** @param {Direction} direction */
  async #request([x, y, z]) {
    const offsetRay = new XRRay({ x: 0, y: 0, z: 0, w: 1 }, { x, y, z, w: 0 });
    // A session that is ending refuses.
    return (await this.session.requestHitTestSource?.({ space: this.viewer, offsetRay }).catch(() => null)) ?? null;
  }

  close() {
    this.#isClosed = true;
    for (const { resolve } of this.#questions) resolve(null);
    this.#questions = [];
    this.#middle = null;
  }
}
