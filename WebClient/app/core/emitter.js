// A typed list of listeners: the one way modules tell each other that something happened.

/**
 * @template {Record<string, unknown>} Events
 */
export class Emitter {
  /** @type {Map<keyof Events, Set<(value: any) => void>>} */
  #listeners = new Map();

  /**
   * @template {keyof Events} K
   * @param {K} type
   * @param {(value: Events[K]) => void} listener
   * @returns {() => void} takes the listener off again
   */
  on(type, listener) {
    let set = this.#listeners.get(type);
    if (!set) this.#listeners.set(type, set = new Set());
    set.add(listener);
    return () => set?.delete(listener);
  }

  /**
   * @template {keyof Events} K
   * @param {K} type
   * @param {Events[K]} value
   */
  emit(type, value) {
    const set = this.#listeners.get(type);
    if (!set) return;
    for (const listener of set) listener(value);
  }
}
