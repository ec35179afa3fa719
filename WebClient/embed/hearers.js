// Who hears what a session is told: worlds beside it, which have engines of their own.

/**
 * @typedef {import('../engine/types').EngineEvent} EngineEvent
 * @typedef {(event: EngineEvent, time?: number) => void} Hear
 */

/** What is over as soon as it was said. */
const FLEETING = new Set(['observations', 'motion', 'open']);

export class Hearers {
  /** @type {Set<Hear>} */
  #all = new Set();
  /**
   * The last of each kind.
   * @type {Map<string, EngineEvent>}
   */
  #last = new Map();

  /**
   * @param {EngineEvent} event
   * @param {number} [time] seconds
   */
  tell(event, time) {
    if (!FLEETING.has(event.type)) this.#last.set(event.type, event);
    for (const hear of this.#all) hear(event, time);
  }

  /**
   * From now on it hears the same; first what is known already.
   * @param {Hear} hear
   */
  add(hear) {
    this.repeat(hear);
    this.#all.add(hear);
  }

  /**
   * Says once what is known already.
   * @param {Hear} hear
   */
  repeat(hear) {
    for (const event of this.#last.values()) hear(event);
  }

  /** @param {Hear} hear */
  delete(hear) {
    this.#all.delete(hear);
  }
}
