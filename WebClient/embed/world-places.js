// What of a world is told to the page: plain objects that it may keep.

/**
 * @typedef {import('../app/session/content.js').Content} Content
 * @typedef {import('../engine/types').SceneFrame} SceneFrame
 * @typedef {{ index: number, id: string, title: string, text: string, latitude: number | null, longitude: number | null,
 *   altitude: number | null, categories: string[], picture: string | null, link: string | null, phone: string | null,
 *   metadata: Record<string, string> }} WorldPlace degrees, metres over what the document says; `link` has a scheme that may be opened
 * @typedef {{ place: number, id: string, title: string, distance: number, level: 'card' | 'pill' | 'dot', x: number, y: number, width: number,
 *   height: number, anchorX: number, anchorY: number, opacity: number, isSelected: boolean }} WorldLabel metres; CSS pixels of the view: left top
 *   corner, size, and where the place itself is
 * @typedef {{ title: string, summary: string, attribution: string, places: number, shown: number, notes: string[] }} WorldReport `shown`: places that
 *   have a position; `notes`: what was not understood, and what is not shown here
 */

/** Findings that are told one by one. */
const MOST_NOTES = 20;

/**
 * @param {Content} content
 * @param {number} index
 * @returns {WorldPlace}
 */
export function describePlace(content, index) {
  const place = content.places[index];
  const { position } = place;
  return {
    index, id: place.id ?? `#${index}`, title: content.placeTitle(place), text: place.summary?.trim() ?? '',
    latitude: position?.latitude ?? null, longitude: position?.longitude ?? null, altitude: position?.altitude ?? null,
    categories: [...place.categories], picture: content.placePicture(place) ?? null, link: content.link(place)?.href ?? null,
    phone: place.phone ?? null, metadata: { ...place.metadata },
  };
}

/**
 * @param {Content} content
 * @param {SceneFrame} frame
 * @returns {WorldLabel[]}
 */
export function labelsOf(content, { isValid, items }) {
  return isValid ? items.filter(({ feature }) => content.places[feature]).map((item) => ({
    place: item.feature, id: content.places[item.feature].id ?? `#${item.feature}`, title: content.placeTitle(content.places[item.feature]),
    distance: item.distance, level: item.level, x: item.centerX - item.width / 2, y: item.centerY - item.height / 2,
    width: item.width, height: item.height, anchorX: item.anchorX, anchorY: item.anchorY, opacity: item.opacity, isSelected: item.isSelected,
  })) : [];
}

/**
 * What readers found, and what of the world is not shown in pages of others.
 * @param {Content} content
 */
export function notesOf({ problems, dimension }) {
  const said = problems.slice(0, MOST_NOTES).map(({ message, path }) => (path ? `${path}: ${message}` : message));
  if (problems.length > MOST_NOTES) said.push(`${problems.length - MOST_NOTES} more findings`);
  const count = (/** @type {number} */ number, /** @type {string} */ what) => number && said.push(`${number} ${what} not shown here`);
  count(dimension.overlays.filter(({ content: { kind } }) => kind === 'html').length, 'pages of others, fixed to the screen, are');
  return said;
}

/**
 * What is to be said of a world that has come.
 * @param {Content} content
 * @returns {WorldReport}
 */
export function reportOf(content) {
  const { dimension, places } = content;
  return {
    title: content.title, summary: dimension.summary ?? '', attribution: dimension.attribution ?? '', places: places.length,
    shown: places.filter(({ position, marker, target }) => position || marker || target).length, notes: notesOf(content),
  };
}
