// Changes of a world's content. Nothing is changed in place: a change gives a new world that shares with the old one
// whatever is the same, so that undoing costs nothing but keeping the old.

/**
 * @typedef {import('../types').Dimension} Dimension
 * @typedef {import('../types').Place} Place
 * @typedef {import('../types').Overlay} Overlay
 * @typedef {import('../types').Asset} Asset
 * @typedef {{ id?: string }} Thing
 */

/**
 * @param {string} prefix
 * @returns {string} an identifier that no other browser makes
 */
export function newID(prefix) {
  const bytes = crypto.getRandomValues(new Uint8Array(6));
  return `${prefix}-${Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')}`;
}

/**
 * @param {string} title
 * @param {{ latitude: number, longitude: number }} [position]
 * @returns {Place}
 */
export function newPlace(title, position) {
  return {
    id: newID('place'), title, ...(position && { position }), altitudeMode: 'eye', offset: { east: 0, north: 0, up: 0 },
    visual: { kind: 'text', text: title }, pivot: 'BC', showInRadar: true, showOnFocus: [], categories: [], metadata: {},
  };
}

/**
 * @param {string} text
 * @returns {Overlay}
 */
export function newOverlay(text) {
  // In the middle above, clear of the page's bars on every phone.
  return { id: newID('overlay'), x: 0, y: 54, anchor: 'TC', pivot: 'TC', hidden: false, content: { kind: 'text', text, width: 220 } };
}

/**
 * The same without members that say nothing: what is not there is left out of the JSON, too.
 * @template {object} T
 * @param {T} thing
 * @returns {T}
 */
function tidy(thing) {
  return /** @type {T} */ (Object.fromEntries(Object.entries(thing).filter(([, value]) => value !== undefined && value !== null)));
}

/**
 * @template {'places' | 'overlays' | 'assets'} Name
 * @param {Dimension} dimension
 * @param {Name} name
 * @param {string} id
 * @param {Partial<Dimension[Name][number]>} change `undefined` takes a member away
 * @returns {Dimension}
 */
function changed(dimension, name, id, change) {
  const list = /** @type {Thing[]} */ (dimension[name]).map((thing) => thing.id === id ? tidy({ ...thing, ...change }) : thing);
  return { ...dimension, [name]: list };
}

/** @param {Dimension} dimension @param {string} id @param {Partial<Place>} change */
export const changePlace = (dimension, id, change) => changed(dimension, 'places', id, change);

/** @param {Dimension} dimension @param {string} id @param {Partial<Overlay>} change */
export const changeOverlay = (dimension, id, change) => changed(dimension, 'overlays', id, change);

/**
 * Where an overlay stands on a phone, points from its top left corner.
 * @param {Overlay} overlay
 * @param {{ width: number, height: number }} screen
 * @param {{ top: number, bottom: number }} bars what they take of it
 */
export function fromTopLeft({ x, y, anchor }, { width, height }, bars) {
  if (!anchor) return { x, y };
  const low = height - bars.bottom;
  const across = { L: x, C: width / 2 + x, R: width - x }[anchor[1]] ?? x;
  const down = { T: bars.top + y, C: (bars.top + low) / 2 + y, B: low - y }[anchor[0]] ?? y;
  return { x: Math.round(across), y: Math.round(down) };
}

/**
 * The same point as it counts from an anchor: the other way round.
 * @param {{ x: number, y: number }} point points from the screen's top left corner
 * @param {string | undefined} anchor
 * @param {{ width: number, height: number }} screen
 * @param {{ top: number, bottom: number }} bars
 */
export function toAnchor({ x, y }, anchor, { width, height }, bars) {
  if (!anchor) return { x, y };
  const low = height - bars.bottom;
  const across = { L: x, C: x - width / 2, R: width - x }[anchor[1]] ?? x;
  const down = { T: y - bars.top, C: y - (bars.top + low) / 2, B: low - y }[anchor[0]] ?? y;
  return { x: Math.round(across), y: Math.round(down) };
}

/** @param {Dimension} dimension @param {Partial<Dimension>} change */
export const changeWorld = (dimension, change) => tidy({ ...dimension, ...change });

/** @param {Dimension} dimension @param {Place} place */
export const addPlace = (dimension, place) => ({ ...dimension, places: [...dimension.places, place] });

/** @param {Dimension} dimension @param {Overlay} overlay */
export const addOverlay = (dimension, overlay) => ({ ...dimension, overlays: [...dimension.overlays, overlay] });

/** @param {Dimension} dimension @param {string} id */
export const removePlace = (dimension, id) => ({ ...dimension, places: dimension.places.filter((place) => place.id !== id) });

/** @param {Dimension} dimension @param {string} id */
export const removeOverlay = (dimension, id) => ({
  ...dimension,
  overlays: dimension.overlays.filter((overlay) => overlay.id !== id),
  // Places must not name what is gone.
  places: dimension.places.map((place) =>
    place.showOnFocus.includes(id) ? { ...place, showOnFocus: place.showOnFocus.filter((name) => name !== id) } : place
  ),
});

/**
 * A file among the world's; one with the same address is used again.
 * @param {Dimension} dimension
 * @param {string} url
 * @param {string} [format]
 * @returns {{ dimension: Dimension, id: string }}
 */
export function withAsset(dimension, url, format) {
  const known = dimension.assets.find((asset) => asset.url === url);
  if (known) return { dimension, id: known.id };
  const asset = tidy({ id: newID('file'), url, format });
  return { dimension: { ...dimension, assets: [...dimension.assets, asset] }, id: asset.id };
}

/**
 * Another world's content beside what is there; identifiers that are taken get new ones.
 * @param {Dimension} dimension
 * @param {Dimension} more
 * @returns {Dimension}
 */
export function joined(dimension, more) {
  const taken = new Set([...dimension.places, ...dimension.overlays, ...dimension.assets].map(({ id }) => id));
  /** @type {Map<string, string>} */
  const renamed = new Map();
  const own = (/** @type {string | undefined} */ id, /** @type {string} */ prefix) => {
    if (id && !taken.has(id)) return id;
    const fresh = newID(prefix);
    if (id) renamed.set(`${prefix} ${id}`, fresh);
    return fresh;
  };
  const assets = more.assets.map((asset) => ({ ...asset, id: own(asset.id, 'file') }));
  const asset = (/** @type {any} */ look) => 'assetID' in look
    ? { ...look, assetID: renamed.get(`file ${look.assetID}`) ?? look.assetID }
    : look;
  const overlays = more.overlays.map((overlay) => ({ ...overlay, id: own(overlay.id, 'overlay'), content: asset(overlay.content) }));
  const places = more.places.map((place) => ({
    ...place, id: own(place.id, 'place'), visual: asset(place.visual),
    ...(place.target ? { target: asset(place.target) } : {}), ...(place.icon ? { icon: asset(place.icon) } : {}),
    showOnFocus: place.showOnFocus.map((id) => renamed.get(`overlay ${id}`) ?? id),
  }));
  return {
    ...dimension, assets: [...dimension.assets, ...assets], overlays: [...dimension.overlays, ...overlays],
    places: [...dimension.places, ...places],
  };
}

/**
 * Members in one order, so that equal content is equal text.
 * @param {any} value
 * @returns {any}
 */
function sorted(value) {
  if (Array.isArray(value)) return value.map(sorted);
  if (value === null || typeof value !== 'object') return value;
  return Object.fromEntries(Object.keys(value).sort().map((name) => [name, sorted(value[name])]));
}

/** @param {unknown} a @param {unknown} b */
export const sameContent = (a, b) => a === b || JSON.stringify(sorted(a)) === JSON.stringify(sorted(b));

const LISTS = /** @type {const} */ (['places', 'overlays', 'assets']);

/**
 * What changed from one state to another, done to a third: how the changes of others come into the states that undoing
 * leads back to.
 * @param {Dimension} from
 * @param {Dimension} to
 * @param {Dimension} state
 * @returns {Dimension}
 */
export function transplanted(from, to, state) {
  /** @type {any} */
  const result = { ...state };
  for (const name of new Set([...Object.keys(from), ...Object.keys(to)])) {
    const [old, now] = [/** @type {any} */ (from)[name], /** @type {any} */ (to)[name]];
    if (LISTS.some((list) => list === name) || sameContent(old, now)) continue;
    if (now === undefined) delete result[name];
    else result[name] = now;
  }
  for (const name of LISTS) {
    const before = new Map(/** @type {Thing[]} */ (from[name]).map((thing) => [thing.id, thing]));
    const after = new Map(/** @type {Thing[]} */ (to[name]).map((thing) => [thing.id, thing]));
    const list = /** @type {Thing[]} */ (state[name]).flatMap((thing) => {
      if (before.has(thing.id) && !after.has(thing.id)) return [];
      const now = after.get(thing.id);
      return now && before.has(thing.id) && !sameContent(before.get(thing.id), now) ? [now] : [thing];
    });
    for (const [id, thing] of after) {
      if (!before.has(id) && !list.some((other) => other.id === id)) list.push(thing);
    }
    result[name] = list;
  }
  return result;
}

/**
 * Puts a value where a conflict was.
 * @param {Dimension} dimension
 * @param {string} path `places/ID/title`, `~1` for a slash in an identifier
 * @param {any} value `undefined` takes it away
 * @returns {Dimension}
 */
export function withValue(dimension, path, value) {
  const segments = path.split('/').map((segment) => segment.replaceAll('~1', '/').replaceAll('~0', '~'));
  /** @type {(node: any, depth: number) => any} */
  const put = (node, depth) => {
    const name = segments[depth];
    if (Array.isArray(node)) {
      const index = node.findIndex((thing) => thing?.id === name);
      const next = depth === segments.length - 1 ? value : put(index >= 0 ? node[index] : {}, depth + 1);
      if (next === undefined) return node.filter((_, at) => at !== index);
      return index >= 0 ? node.map((thing, at) => at === index ? next : thing) : [...node, next];
    }
    const copy = { ...node };
    const next = depth === segments.length - 1 ? value : put(copy[name] ?? {}, depth + 1);
    if (next === undefined) delete copy[name];
    else copy[name] = next;
    return copy;
  };
  return put(dimension, 0);
}
