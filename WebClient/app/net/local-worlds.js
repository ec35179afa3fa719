// Worlds that this page makes itself, such as the stations of a tour: asked for like any other.

/** @typedef {import('../types').WorldAnswer} WorldAnswer */

/** @type {Map<string, (fields: [string, string][]) => WorldAnswer>} */
const makers = new Map();

/**
 * @param {string} id
 * @param {(fields: [string, string][]) => WorldAnswer} make with the fields of a request
 */
export function offerLocalWorld(id, make) {
  makers.set(id, make);
}

/**
 * @param {string} id
 * @param {[string, string][]} fields
 * @returns {WorldAnswer | null}
 */
export const localWorld = (id, fields) => makers.get(id)?.(fields) ?? null;
