// What comes as a world, made fit for the page: numbers that can be drawn, texts that can be read, lists that end. The server's
// readers have their own bounds, but a world may also come from a copy or a draft.

/**
 * @typedef {import('../types').WorldAnswer} WorldAnswer
 * @typedef {import('../types').Dimension} Dimension
 * @typedef {import('../types').Place} Place
 * @typedef {import('../types').Overlay} Overlay
 * @typedef {import('../types').Action} Action
 * @typedef {import('../types').Wording} Wording
 */

/** Most of each: the engine takes no more places and paths; no screen shows more overlays. */
const MOST = {
  places: 250_000, overlays: 300, assets: 20_000, vertices: 200_000, shapes: 200, categories: 50, focus: 50, metadata: 100,
  languages: 60, problems: 1000,
};
/** Longest texts, in UTF-16 units. */
const LONGEST = { name: 500, text: 20_000, url: 8192, id: 500, category: 100 };
/** Farther is nothing that anybody could point at, metres: past the Moon. */
const FARTHEST = 1e9;
const PIVOT = /^[TCB][LCR]$/;
const COLOR = /^(#[0-9a-f]{3,8}|[a-z]{3,30})$/i;
const MODES = new Set(['ellipsoid', 'seaLevel', 'ground', 'eye']);

/**
 * @param {any} answer as it came; it is changed
 * @returns {WorldAnswer | null} null when it is no world
 */
export function soundWorld(answer) {
  const dimension = answer?.dimension;
  if (!isRecord(dimension) || !Array.isArray(dimension.places)) return null;
  if (!isRecord(answer.world)) answer.world = {};
  for (const name of ['id', 'url', 'title']) answer.world[name] = text(answer.world[name], LONGEST.url);
  const budget = { vertices: MOST.vertices };
  answer.dimension = /** @type {Dimension} */ ({
    ...dimension,
    ...words(dimension, 'name'),
    language: text(dimension.language, 40),
    attribution: line(dimension.attribution, LONGEST.name),
    radarRange: within(dimension.radarRange, 0, FARTHEST, 0) || undefined,
    radarAvailable: dimension.radarAvailable !== false,
    relativeAltitude: dimension.relativeAltitude === true,
    refreshURL: text(dimension.refreshURL, LONGEST.url),
    refreshIntervalSeconds: within(dimension.refreshIntervalSeconds, 0, FARTHEST, 0),
    refreshDistance: within(dimension.refreshDistance, 0, FARTHEST, 0),
    soundURL: text(dimension.soundURL, LONGEST.url),
    assets: list(dimension.assets, MOST.assets).flatMap(asset),
    places: list(dimension.places, MOST.places).filter(isRecord).map((entry) => place(entry, budget)),
    overlays: list(dimension.overlays, MOST.overlays).filter(isRecord).flatMap(overlay),
  });
  answer.problems = list(answer.problems, MOST.problems).filter(isRecord).map((problem) => ({
    ...problem, code: line(problem.code, 100) ?? '', path: line(problem.path, 400) ?? '', message: line(problem.message, 2000) ?? '',
  }));
  return answer;
}

/** @param {unknown} value @returns {value is Record<string, any>} */
const isRecord = (value) => typeof value === 'object' && value !== null && !Array.isArray(value);

/**
 * @param {unknown} value
 * @param {number} most
 * @returns {any[]}
 */
const list = (value, most) => (Array.isArray(value) ? (value.length > most ? value.slice(0, most) : value) : []);

/**
 * @param {unknown} value
 * @param {number} low
 * @param {number} high
 * @param {number} otherwise for what is no number at all
 */
export function within(value, low, high, otherwise) {
  if (typeof value !== 'number' || Number.isNaN(value)) return otherwise;
  return Math.min(high, Math.max(low, value));
}

/**
 * @param {unknown} value
 * @param {number} longest
 * @returns {string | undefined}
 */
function text(value, longest) {
  if (typeof value !== 'string') return undefined;
  // Half a character at the end would be shown as a box.
  return value.length > longest ? `${value.slice(0, longest).replace(/[\ud800-\udbff]$/, '')}…` : value;
}

/**
 * A text of several lines, without what turns the direction of writing over by force.
 * @param {unknown} value
 * @param {number} longest
 */
const prose = (value, longest) => text(value, longest)?.replace(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f\u202a-\u202e]/g, '');

/**
 * A text that stands among the page's own words: whatever could make those read differently is left out.
 * @param {unknown} value
 * @param {number} longest
 */
export const line = (value, longest) => prose(value, longest)?.replace(/[\u2028\u2029\u2066-\u2069]/g, '');

/**
 * @param {Record<string, any>} value
 * @param {string} [title] what its heading is called
 */
function words(value, title = 'title') {
  /** @type {Record<string, Wording>} */
  const translations = {};
  if (isRecord(value.translations)) {
    for (const [tag, wording] of Object.entries(value.translations).slice(0, MOST.languages)) {
      if (!isRecord(wording) || tag === '__proto__') continue;
      translations[tag] = {
        title: line(wording.title, LONGEST.name), summary: prose(wording.summary, LONGEST.text), text: prose(wording.text, LONGEST.text),
      };
    }
  }
  return {
    [title]: line(value[title], LONGEST.name),
    summary: prose(value.summary, LONGEST.text),
    translations: value.translations ? translations : undefined,
  };
}

/** @param {unknown} value */
function asset(value) {
  if (!isRecord(value) || typeof value.id !== 'string' || typeof value.url !== 'string') return [];
  return [{ ...value, id: value.id, url: value.url.slice(0, LONGEST.url) }];
}

/**
 * @param {unknown} value
 * @returns {Action | undefined}
 */
function action(value) {
  if (!isRecord(value)) return undefined;
  if (value.kind === 'refresh') return { kind: 'refresh' };
  const url = text(value.url, LONGEST.url);
  return url !== undefined && (value.kind === 'webPage' || value.kind === 'dimension') ? { kind: value.kind, url } : undefined;
}

/** @param {unknown} value */
function position(value) {
  if (!isRecord(value)) return undefined;
  const { latitude, longitude, altitude } = value;
  if (!isDegrees(latitude, 90) || !isDegrees(longitude, 360)) return undefined;
  return { latitude, longitude, ...(typeof altitude === 'number' ? { altitude: within(altitude, -FARTHEST, FARTHEST, 0) } : {}) };
}

/** @param {unknown} value @param {number} most */
const isDegrees = (value, most) => typeof value === 'number' && Math.abs(value) <= most;

/**
 * @param {Record<string, any>} value
 * @param {{ vertices: number }} budget
 * @returns {Place}
 */
function place(value, budget) {
  const { offset } = value;
  const metres = (/** @type {unknown} */ part) => within(part, -FARTHEST, FARTHEST, 0);
  const title = words(value);
  return /** @type {Place} */ ({
    ...value,
    ...title,
    title: title.title ?? '',
    id: text(value.id, LONGEST.id),
    position: position(value.position),
    followsUser: value.followsUser === true || undefined,
    altitudeMode: MODES.has(value.altitudeMode) ? value.altitudeMode : 'eye',
    offset: { east: metres(offset?.east), north: metres(offset?.north), up: metres(offset?.up) },
    marker: marker(value.marker),
    target: isRecord(value.target) && typeof value.target.assetID === 'string'
      ? { ...value.target, width: within(value.target.width, 0.001, 1000, 1) }
      : undefined,
    shapes: value.shapes ? shapes(value.shapes, budget) : undefined,
    shapeStyle: isRecord(value.shapeStyle) ? style(value.shapeStyle) : undefined,
    visual: visual(value.visual),
    size: size(value.size),
    attitude: attitude(value.attitude),
    pivot: PIVOT.test(value.pivot) ? value.pivot : 'BC',
    action: action(value.action),
    showInRadar: value.showInRadar !== false,
    showOnFocus: list(value.showOnFocus, MOST.focus).filter((id) => typeof id === 'string'),
    categories: list(value.categories, MOST.categories).flatMap((name) => line(name, LONGEST.category) ?? []),
    visibilityRadius: value.visibilityRadius > 0 ? within(value.visibilityRadius, 0, FARTHEST, 0) : undefined,
    link: text(value.link, LONGEST.url),
    imageURL: text(value.imageURL, LONGEST.url),
    soundURL: text(value.soundURL, LONGEST.url),
    phone: line(value.phone, 100),
    metadata: isRecord(value.metadata)
      ? Object.fromEntries(Object.entries(value.metadata).slice(0, MOST.metadata).map(([key, entry]) =>
        [line(key, 200) ?? '', prose(typeof entry === 'string' ? entry : '', 5000) ?? '']))
      : {},
  });
}

/** @param {unknown} value */
function marker(value) {
  if (!isRecord(value) || typeof value.dictionary !== 'string' || !Number.isInteger(value.id) || !(value.length > 0)) return undefined;
  const turn = (/** @type {unknown} */ degrees) => (isDegrees(degrees, 360) ? /** @type {number} */ (degrees) : undefined);
  return {
    dictionary: value.dictionary, id: within(value.id, 0, 1e6, 0), length: within(value.length, 0.001, 1000, 1),
    facing: turn(value.facing), tilt: turn(value.tilt), roll: turn(value.roll),
  };
}

/** @param {unknown} value */
function size(value) {
  if (!isRecord(value)) return undefined;
  const side = (/** @type {unknown} */ metres) => (typeof metres === 'number' && metres > 0 ? within(metres, 0.001, 10_000, 1) : undefined);
  const [width, height] = [side(value.width), side(value.height)];
  return width || height ? { width, height } : undefined;
}

/** @param {unknown} value */
function attitude(value) {
  if (!isRecord(value) || !isDegrees(value.heading, 360)) return undefined;
  const turn = (/** @type {unknown} */ degrees) => (isDegrees(degrees, 360) ? /** @type {number} */ (degrees) : undefined);
  return { heading: /** @type {number} */ (value.heading), pitch: turn(value.pitch), roll: turn(value.roll) };
}

/** @param {unknown} value */
function visual(value) {
  if (isRecord(value) && typeof value.assetID === 'string') {
    const turn = (/** @type {unknown} */ degrees) => (Number.isFinite(degrees) ? /** @type {number} */ (degrees) % 360 : 0);
    if (value.kind === 'image') return { kind: /** @type {const} */ ('image'), assetID: value.assetID };
    if (value.kind === 'model') {
      return {
        kind: /** @type {const} */ ('model'), assetID: value.assetID, xRotation: turn(value.xRotation), yRotation: turn(value.yRotation),
        zRotation: turn(value.zRotation), scale: within(value.scale, 1e-6, 1e6, 1),
      };
    }
  }
  return { kind: /** @type {const} */ ('text'), text: prose(isRecord(value) ? value.text : '', LONGEST.text) ?? '' };
}

/**
 * @param {unknown} value
 * @param {{ vertices: number }} budget
 */
function shapes(value, budget) {
  return list(value, MOST.shapes).filter(isRecord).map(({ kind, parts }) => ({
    kind: kind === 'area' ? /** @type {const} */ ('area') : /** @type {const} */ ('line'),
    parts: list(parts, MOST.vertices).flatMap((part) => {
      const points = list(part, budget.vertices).filter((point) =>
        Array.isArray(point) && isDegrees(point[0], 360) && isDegrees(point[1], 90) && (point[2] === undefined || Number.isFinite(point[2])));
      budget.vertices -= points.length;
      return points.length > 1 ? [points] : [];
    }),
  })).filter(({ parts }) => parts.length);
}

/** @param {Record<string, any>} value */
function style(value) {
  const color = (/** @type {unknown} */ name) => (typeof name === 'string' && COLOR.test(name) ? name : undefined);
  const part = (/** @type {unknown} */ number) => (typeof number === 'number' ? within(number, 0, 1, 1) : undefined);
  return {
    stroke: color(value.stroke), strokeOpacity: part(value.strokeOpacity), fill: color(value.fill), fillOpacity: part(value.fillOpacity),
    width: typeof value.width === 'number' ? within(value.width, 0, 100, 4) : undefined,
  };
}

/**
 * @param {Record<string, any>} value
 * @returns {Overlay[]}
 */
function overlay(value) {
  const { content } = value;
  if (!isRecord(content)) return [];
  const pixels = (/** @type {unknown} */ number) => within(number, -10_000, 10_000, 0);
  const size = (/** @type {unknown} */ number) => within(number, 0, 10_000, 0);
  /** @type {Overlay['content'] | null} */
  let made = null;
  if (content.kind === 'text') made = { kind: 'text', text: prose(content.text, 5000) ?? '', width: size(content.width) };
  else if (content.kind === 'image' && typeof content.assetID === 'string') made = { kind: 'image', assetID: content.assetID };
  else if (content.kind === 'html' && typeof content.url === 'string') {
    made = { kind: 'html', url: content.url.slice(0, LONGEST.url), width: size(content.width), height: size(content.height) };
  }
  return made === null ? [] : [{
    ...value, id: text(value.id, LONGEST.id), x: pixels(value.x), y: pixels(value.y), pivot: PIVOT.test(value.pivot) ? value.pivot : 'TL',
    anchor: PIVOT.test(value.anchor) ? value.anchor : undefined, hidden: value.hidden === true, action: action(value.action), content: made, translations: words(value).translations,
  }];
}
