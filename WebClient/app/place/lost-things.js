// Which of the things that were set down are lost: the engine says so once of each, and again when one is found.

export class LostThings {
  /** @type {Set<number>} */
  #numbers = new Set();

  /** @param {readonly { id: number, state: string }[]} observations what one picture tells */
  note(observations) {
    for (const { id, state } of observations) {
      if (state === 'lost') this.#numbers.add(id);
      else this.#numbers.delete(id);
    }
  }

  /** @param {readonly number[]} numbers of what is not set down any more */
  forget(numbers) {
    for (const number of numbers) this.#numbers.delete(number);
  }

  /** @param {number} number */
  has(number) {
    return this.#numbers.has(number);
  }

  get size() {
    return this.#numbers.size;
  }
}
