// Worlds that this page makes itself, such as the stations of a tour: asked for like any other, answered without a
// network.

/** @typedef {import('../types').WorldAnswer} WorldAnswer */

/** @type {Map<string, () => WorldAnswer>} */
const makers = new Map();

/**
 * @param {string} id
 * @param {() => WorldAnswer} make called each time the world is asked for
 */
export function offerLocalWorld(id, make) {
  makers.set(id, make);
}

/**
 * @param {string} id
 * @returns {WorldAnswer | null}
 */
export const localWorld = (id) => makers.get(id)?.() ?? null;
