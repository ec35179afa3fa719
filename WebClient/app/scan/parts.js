// Codes that are one of several (structured append): their texts are put together when all are there.

export class PartCollection {
  /** @type {{ count: number, parity: number, texts: Map<number, string> } | null} */
  #series = null;

  /**
   * Notes one part; one of another series begins anew.
   * @param {{ index: number, count: number, parity: number }} place
   * @param {string} text
   * @returns {{ isNew: boolean, have: number, whole: string | null }} `whole` is the text of all parts
   */
  add({ index, count, parity }, text) {
    if (!this.#series || this.#series.count !== count || this.#series.parity !== parity) {
      this.#series = { count, parity, texts: new Map() };
    }
    const { texts } = this.#series;
    const isNew = !texts.has(index);
    texts.set(index, text);
    if (texts.size < count) return { isNew, have: texts.size, whole: null };
    this.#series = null;
    return { isNew, have: count, whole: Array.from({ length: count }, (_, k) => texts.get(k) ?? '').join('') };
  }
}
