// What another page has and somebody wants to see at home: "Place it here" opens with it.

/**
 * @typedef {import('./things.js').Kind} Kind
 * @typedef {{ title: string, kind: Kind }} Offered
 */

/** What fingers can take a model by whose size is not known yet, metres. */
const HEIGHT = 0.3;

/** @type {Offered | null} */
let offered = null;

/**
 * Opens "Place it here" with something.
 * @param {Offered} thing
 */
export function placeHere(thing) {
  offered = thing;
  location.hash = '#/place';
}

/**
 * What the page that opens now is to set down.
 * @returns {Offered | null}
 */
export function takeOffered() {
  const thing = offered;
  offered = null;
  return thing;
}

/**
 * What of a world's place can be set down elsewhere: its model, or its picture when that has a size.
 * @param {string} title of the place
 * @param {import('../types').Place} place
 * @param {Kind['look']} look how that is fetched
 * @returns {Offered | null}
 */
export function offerOf(title, place, look) {
  const { visual } = place;
  if (visual.kind === 'model') {
    const { scale, xRotation, yRotation, zRotation } = visual;
    return { title, kind: { posture: 'standing', height: HEIGHT, width: null, scale, rotation: [xRotation, yRotation, zRotation], look } };
  }
  const width = place.size?.width;
  return visual.kind === 'image' && width ? { title, kind: { posture: 'flat', height: 0, width, scale: 1, look } } : null;
}

/**
 * A poster in one of its sizes.
 * @param {import('../posters/api.js').Poster} poster
 * @param {() => Promise<Blob>} load its picture
 * @returns {Offered}
 */
export function offerPoster({ title, sizes: [size] }, load) {
  const picture = async () => createImageBitmap(await load(), { premultiplyAlpha: 'none' });
  return { title, kind: { posture: 'flat', height: 0, width: size.width / 1000, scale: 1, look: { picture } } };
}
