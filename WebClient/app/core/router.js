// The address of what is shown lives after the `#`: it can be shared, and the browser's back button works.

/**
 * @typedef {'ar' | 'map' | 'list'} ViewName
 * @typedef {import('../types').WorldAddress} WorldAddress
 * @typedef {import('../../engine/anchors.js').Survey} Survey
 * @typedef {{
 *   address: WorldAddress | null, also: WorldAddress[], view: ViewName, virtual: boolean, place: string | null, time?: string,
 *   anchor: Survey | null,
 *   pose: { latitude?: number, longitude?: number, heading?: number, pitch?: number }
 * }} Route
 */

/**
 * Reads `#/world/ID`, `#/draft/ID`, `#/osm/TOPIC`, `#/play/TOUR`, `#/around` (the demonstration), `#/stops` (departures as a layer), `#/open?url=…` with `with` (worlds beside it: `world:ID`,
 * `osm:TOPIC`, `transit:stops`, `url:https://…`; may be repeated), `time` (of a virtual phone, ISO 8601), `view`, `virtual`, `place`, `lat`, `lon`, `heading`, `pitch`.
 * @param {string} hash
 * @returns {Route}
 */
export function parseRoute(hash) {
  const text = hash.replace(/^#\/?/, '');
  const split = text.search(/[?&]/);
  const path = split < 0 ? text : text.slice(0, split);
  const query = new URLSearchParams(split < 0 ? '' : text.slice(split + 1));
  const segments = path.split('/').filter(Boolean);
  /** @type {WorldAddress | null} */
  let address = null;
  const url = query.get('url')?.trim();
  if (segments[0] === 'world' && segments[1]) address = { kind: 'world', id: decoded(segments[1]) };
  else if (segments[0] === 'draft' && segments[1]) address = { kind: 'draft', id: decoded(segments[1]) };
  else if (segments[0] === 'osm' && segments[1]) address = { kind: 'osm', id: decoded(segments[1]) };
  else if (segments[0] === 'play' && segments[1]) address = { kind: 'tour', id: decoded(segments[1]) };
  else if (segments[0] === 'stops') address = { kind: 'transit', id: 'stops' };
  else if (segments[0] === 'around') address = { kind: 'around', id: 'around' };
  else if (segments[0] === 'open' && url) address = { kind: 'url', url };
  const view = query.get('view');
  return {
    address,
    also: address ? query.getAll('with').flatMap((text) => beside(text) ?? []).slice(0, MOST_BESIDE) : [],
    view: view === 'map' || view === 'list' ? view : 'ar',
    virtual: query.get('virtual') === '1',
    place: query.get('place'),
    anchor: anchorOf(query),
    ...moment(query.get('time')),
    pose: {
      latitude: number(query.get('lat'), -90, 90),
      longitude: number(query.get('lon'), -180, 180),
      heading: number(query.get('heading'), -360, 360),
      pitch: number(query.get('pitch'), -90, 90),
    },
  };
}

/**
 * Where the code with this address hangs: `at=LATITUDE,LONGITUDE[,ALTITUDE]&facing=DEGREES&size=METRES`, and perhaps `tilt`
 * (degrees its front looks up) and `roll` (degrees it is turned clockwise).
 * @param {URLSearchParams} query
 * @returns {Survey | null} null when one of the three is missing or no number
 */
export function anchorOf(query) {
  const [latitude, longitude, altitude] = (query.get('at') ?? '').split(',');
  const anchor = {
    latitude: number(latitude ?? null, -90, 90), longitude: number(longitude ?? null, -180, 180),
    altitude: number(altitude ?? null, -1000, 10_000) ?? null, facing: number(query.get('facing'), -360, 360),
    tilt: number(query.get('tilt'), -90, 90) ?? 0, roll: number(query.get('roll'), -360, 360) ?? 0,
    size: number(query.get('size'), 0.01, 100),
  };
  const { latitude: north, longitude: east, facing, size } = anchor;
  if (north === undefined || east === undefined || facing === undefined || size === undefined) return null;
  return { ...anchor, latitude: north, longitude: east, facing, size };
}

/**
 * @param {URLSearchParams} query
 * @param {Survey} anchor
 */
function setAnchor(query, anchor) {
  const place = [anchor.latitude.toFixed(7), anchor.longitude.toFixed(7), ...(anchor.altitude === null ? [] : [anchor.altitude.toFixed(2)])];
  query.set('at', place.map((text) => String(Number(text))).join(','));
  query.set('facing', String(anchor.facing));
  query.set('size', String(anchor.size));
  if (anchor.tilt) query.set('tilt', String(anchor.tilt));
  if (anchor.roll) query.set('roll', String(anchor.roll));
}

/** Most worlds beside the first. */
export const MOST_BESIDE = 7;

/**
 * A world beside the first, as it stands in an address.
 * @param {string} text
 * @returns {WorldAddress | null}
 */
function beside(text) {
  const [, kind, name] = /^(world|draft|osm|transit|url):(.+)$/.exec(text.trim()) ?? [];
  if (!name) return null;
  if (kind === 'url') return { kind, url: name };
  return { kind: /** @type {'world' | 'draft' | 'osm' | 'transit'} */ (kind), id: name };
}

/**
 * @param {Partial<Route> & { address: WorldAddress | null }} route
 * @returns {string} begins with `#/`
 */
export function formatRoute(route) {
  if (!route.address) return '#/';
  const query = new URLSearchParams();
  if (route.address.kind === 'url') query.set('url', route.address.url);
  for (const other of route.also ?? []) {
    if (other.kind !== 'tour' && other.kind !== 'around') query.append('with', other.kind === 'url' ? `url:${other.url}` : `${other.kind}:${other.id}`);
  }
  if (route.view && route.view !== 'ar') query.set('view', route.view);
  if (route.virtual) query.set('virtual', '1');
  if (route.place) query.set('place', route.place);
  const pose = route.pose ?? {};
  if (pose.latitude !== undefined) query.set('lat', pose.latitude.toFixed(6));
  if (pose.longitude !== undefined) query.set('lon', pose.longitude.toFixed(6));
  if (pose.heading !== undefined) query.set('heading', pose.heading.toFixed(1));
  if (pose.pitch !== undefined) query.set('pitch', pose.pitch.toFixed(1));
  if (route.time) query.set('time', route.time);
  if (route.anchor) setAnchor(query, route.anchor);
  const { address } = route;
  const name = address.kind === 'tour' ? 'play' : address.kind;
  const path = address.kind === 'url' ? '#/open' : address.kind === 'around' ? '#/around' : address.kind === 'transit' ? '#/stops'
    : `#/${name}/${encodeURIComponent(address.id)}`;
  const text = query.toString();
  return text ? `${path}?${text}` : path;
}

/**
 * Whether a value, such as one that was kept on this device, is the address of a world.
 * @param {any} value
 * @returns {value is WorldAddress}
 */
export function isWorldAddress(value) {
  if (typeof value !== 'object' || value === null) return false;
  if (value.kind === 'url') return typeof value.url === 'string' && value.url !== '';
  return ['world', 'draft', 'osm', 'tour', 'transit'].includes(value.kind) && typeof value.id === 'string' && value.id !== '';
}

/**
 * @param {WorldAddress | null} a
 * @param {WorldAddress | null} b
 */
export function sameAddress(a, b) {
  if (!a || !b) return a === b;
  if (a.kind === 'url') return b.kind === 'url' && a.url === b.url;
  return b.kind === a.kind && a.id === b.id;
}

/**
 * @param {string | null} text
 * @param {number} low
 * @param {number} high
 */
function number(text, low, high) {
  if (text === null || text.trim() === '') return undefined;
  const value = Number(text);
  return Number.isFinite(value) && value >= low && value <= high ? value : undefined;
}

/**
 * @param {string | null} text
 * @returns {{ time?: string }}
 */
function moment(text) {
  const date = text ? new Date(text) : null;
  return date && Number.isFinite(date.getTime()) ? { time: date.toISOString() } : {};
}

/**
 * @param {string} text a piece of an address, in which anybody may have written `%` as it is
 */
export function decoded(text) {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
