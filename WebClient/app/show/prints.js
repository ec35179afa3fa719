// What a world needs in front of the camera: the pictures and markers that its places stand on.

/**
 * @typedef {import('../types').Dimension} Dimension
 * @typedef {{ kind: 'picture', key: string, name: string, url: string | undefined, width: number } |
 *   { kind: 'marker', key: string, name: string, dictionary: string, id: number, width: number }} Print
 *   `width` in metres: of the whole picture, or of the marker's black border
 */

/**
 * Whether a place stands on a picture or marker that may be anywhere: then it has no position of its own. A marker that hangs at a known spot has.
 * @param {Pick<import('../types').Place, 'marker' | 'target'>} place
 */
export function standsOnPrint({ marker, target }) {
  return target !== undefined || (marker !== undefined && marker.facing === undefined);
}

/**
 * Each picture and marker once, in the order of the places; markers that hang at a known spot are there already.
 * @param {Dimension} dimension
 * @param {(assetID: string) => string | undefined} address
 * @returns {Print[]}
 */
export function printsOf(dimension, address) {
  /** @type {Map<string, Print>} */
  const found = new Map();
  for (const { marker, target, title } of dimension.places) {
    if (target) {
      const key = `picture ${target.assetID}`;
      if (!found.has(key)) found.set(key, { kind: 'picture', key, name: target.assetID, url: address(target.assetID), width: target.width });
    } else if (marker && standsOnPrint({ marker })) {
      const key = `marker ${marker.dictionary} ${marker.id}`;
      if (!found.has(key)) found.set(key, { kind: 'marker', key, name: title, dictionary: marker.dictionary, id: marker.id, width: marker.length });
    }
  }
  return [...found.values()];
}

/**
 * Whether all that a world shows stands on pictures or markers that may be anywhere: then neither position nor direction matter.
 * @param {{ places: import('../types').Place[] }} content
 */
export function standsOnPrints({ places }) {
  return places.length > 0 && places.every(standsOnPrint);
}
