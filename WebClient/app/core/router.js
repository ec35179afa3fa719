// The address of what is shown lives after the `#`: it can be shared, and the browser's back button works.

/**
 * @typedef {'ar' | 'map' | 'list'} ViewName
 * @typedef {import('../types').WorldAddress} WorldAddress
 * @typedef {{
 *   address: WorldAddress | null, view: ViewName, virtual: boolean, place: string | null, time?: string,
 *   pose: { latitude?: number, longitude?: number, heading?: number, pitch?: number }
 * }} Route
 */

/**
 * Reads `#/world/ID`, `#/draft/ID`, `#/play/TOUR`, `#/open?url=…` with `time` (of a virtual phone, ISO 8601), `view`, `virtual`, `place`, `lat`, `lon`, `heading`, `pitch`.
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
  if (segments[0] === 'world' && segments[1]) address = { kind: 'world', id: decode(segments[1]) };
  else if (segments[0] === 'draft' && segments[1]) address = { kind: 'draft', id: decode(segments[1]) };
  else if (segments[0] === 'play' && segments[1]) address = { kind: 'tour', id: decode(segments[1]) };
  else if (segments[0] === 'open' && url) address = { kind: 'url', url };
  const view = query.get('view');
  return {
    address,
    view: view === 'map' || view === 'list' ? view : 'ar',
    virtual: query.get('virtual') === '1',
    place: query.get('place'),
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
 * @param {Partial<Route> & { address: WorldAddress | null }} route
 * @returns {string} begins with `#/`
 */
export function formatRoute(route) {
  if (!route.address) return '#/';
  const query = new URLSearchParams();
  if (route.address.kind === 'url') query.set('url', route.address.url);
  if (route.view && route.view !== 'ar') query.set('view', route.view);
  if (route.virtual) query.set('virtual', '1');
  if (route.place) query.set('place', route.place);
  const pose = route.pose ?? {};
  if (pose.latitude !== undefined) query.set('lat', pose.latitude.toFixed(6));
  if (pose.longitude !== undefined) query.set('lon', pose.longitude.toFixed(6));
  if (pose.heading !== undefined) query.set('heading', pose.heading.toFixed(1));
  if (pose.pitch !== undefined) query.set('pitch', pose.pitch.toFixed(1));
  if (route.time) query.set('time', route.time);
  const { address } = route;
  const name = address.kind === 'tour' ? 'play' : address.kind;
  const path = address.kind === 'url' ? '#/open' : `#/${name}/${encodeURIComponent(address.id)}`;
  const text = query.toString();
  return text ? `${path}?${text}` : path;
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

/** @param {string} text */
function decode(text) {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
