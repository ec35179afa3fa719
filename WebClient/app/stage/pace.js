// Whether a phone keeps up with something that it does for each picture: judged by windows of pictures, the first of which does not count,
// because everything else is loaded then; and how long it is left alone when it does not.

/** Mean time for a picture beyond which a phone has better things to do, milliseconds, and pictures it is the mean of. */
const [SLOWEST, PICTURES] = [60, 40];
/** Until it is tried again, milliseconds: at first, and at most after it was in vain, each time twice as long. */
const [SHORTEST, LONGEST] = [45_000, 360_000];

export class Pace {
  #sum = 0;
  #count = 0;
  #isWarm = false;
  #pause = SHORTEST;

  /**
   * @param {number} milliseconds that a picture took
   * @returns {number | null} for how long to rest from now on, milliseconds; `null`: it goes on
   */
  add(milliseconds) {
    this.#sum += milliseconds;
    this.#count += 1;
    if (this.#count < PICTURES) return null;
    const isSlow = this.#isWarm && this.#sum > SLOWEST * PICTURES;
    const wasWarm = this.#isWarm;
    [this.#sum, this.#count, this.#isWarm] = [0, 0, !isSlow];
    if (!isSlow) {
      if (wasWarm) this.#pause = SHORTEST;
      return null;
    }
    const pause = this.#pause;
    this.#pause = Math.min(2 * pause, LONGEST);
    return pause;
  }
}
