// The numbers by which the engine knows pictures: worlds name them so, and observations.

/** @type {Map<string, number>} */
const numbers = new Map();

/**
 * @param {string} key of a picture
 * @returns {number} the same for the same key, as long as the page lives
 */
export function pictureNumber(key) {
  const known = numbers.get(key) ?? numbers.size;
  numbers.set(key, known);
  return known;
}
