// The demonstration around the phone: a world that is made where the phone is, so that there is something to see anywhere
// on the Earth, without a network and without a position from a server.

import { Places } from '../../engine/places.js';
import { integer } from '../core/format.js';
import { t } from '../core/i18n.js';

/**
 * @typedef {import('../types').Place} Place
 * @typedef {import('../types').WorldAnswer} WorldAnswer
 * @typedef {{ latitude: number, longitude: number, heading: number }} Stand degrees; `heading` is where the phone looked
 * @typedef {Pick<import('../../engine/engine.js').Engine, 'distance' | 'bearing' | 'part'>} Engine
 */

/** The marker of the third moment: a windmill stands on it. */
export const MARKER = { dictionary: '6x6-250', id: 0, length: 0.06 };

/** What the signposts say: great cities, so that some are far and one is in each direction. */
const CITIES = /** @type {const} */ ([
  ['tokyo', 35.68, 139.69], ['newYork', 40.71, -74.01], ['sydney', -33.87, 151.21], ['nairobi', -1.29, 36.82],
  ['buenosAires', -34.6, -58.38], ['london', 51.51, -0.13], ['delhi', 28.61, 77.21], ['capeTown', -33.92, 18.42], ['honolulu', 21.31, -157.86],
]);
/** Degrees that two signposts stand apart at least, and that they stay away from what has to be found. */
const APART = 34;
const MOST_SIGNS = 4;

/** @param {number} a @param {number} b degrees */
const between = (a, b) => Math.abs(((a - b + 540) % 360) - 180);

/**
 * @param {string} id
 * @param {Partial<Place>} more
 * @returns {Place}
 */
function place(id, more) {
  const title = more.title ?? '';
  return {
    id, title, altitudeMode: 'eye', offset: { east: 0, north: 0, up: 0 }, visual: { kind: 'text', text: title }, pivot: 'BC',
    showInRadar: true, showOnFocus: [], categories: [], metadata: {}, ...more,
  };
}

/**
 * Signposts to great cities: directions on the globe are true wherever one stands.
 * @param {Stand} stand
 * @param {Engine} engine
 */
function signposts(stand, engine) {
  /** @type {{ bearing: number, sign: Place }[]} */
  const signs = [];
  for (const [name, latitude, longitude] of CITIES) {
    const kilometres = engine.distance(stand.latitude, stand.longitude, latitude, longitude) / 1000;
    const bearing = (engine.bearing(stand.latitude, stand.longitude, latitude, longitude) + 360) % 360;
    const isClear = [stand.heading, stand.heading + 180, ...signs.map((sign) => sign.bearing)].every((other) => between(bearing, other) >= APART);
    if (!isClear || kilometres < 100 || signs.length === MOST_SIGNS) continue;
    const city = t(`around.city.${name}`);
    const far = t('around.kilometres', { n: integer(Math.round(kilometres / 10) * 10) });
    signs.push({
      bearing,
      sign: place(`sign-${name}`, {
        title: t('around.sign', { city }), visual: { kind: 'text', text: `${city} · ${far}` }, summary: t('around.signText', { city, distance: far }), position: engine.part(Places).moved(stand, bearing, 60 + 15 * signs.length),
        offset: { east: 0, north: 0, up: 2 + 3 * (signs.length % 2) },
      }),
    });
  }
  return signs.map(({ sign }) => sign);
}

/**
 * @param {Stand} stand
 * @param {boolean} hasMarker whether the third moment has come
 * @param {Engine} engine
 * @returns {WorldAnswer}
 */
export function worldAround(stand, hasMarker, engine) {
  const earth = engine.part(Places);
  const places = [
    place('hello', { title: t('around.hello'), summary: t('around.helloText'), position: earth.moved(stand, stand.heading, 40) }),
    place('balloon', {
      title: t('around.balloon'), summary: t('around.balloonText'), position: earth.moved(stand, stand.heading + 180, 70), offset: { east: 0, north: 0, up: 9 },
      visual: { kind: 'image', assetID: 'balloon' }, pivot: 'CC',
    }),
    ...signposts(stand, engine),
  ];
  if (hasMarker) {
    places.push(place('windmill', {
      title: t('around.windmill'), marker: MARKER, visual: { kind: 'model', assetID: 'windmill', xRotation: 0, yRotation: 0, zRotation: 0, scale: 1 },
      showInRadar: false,
    }));
  }
  return {
    world: { id: 'around', url: location.origin, title: t('around.title') },
    dimension: {
      name: t('around.title'), radarRange: 150, radarAvailable: true, relativeAltitude: true, refreshIntervalSeconds: 0, refreshDistance: 0,
      assets: [
        { id: 'balloon', url: new URL('../../pictures/balloon.svg', import.meta.url).href },
        { id: 'windmill', url: new URL('../../models/windmill.glb', import.meta.url).href, format: 'GAMA3D' },
      ],
      places, overlays: [],
    },
    problems: [],
  };
}

/**
 * Where a request says that the phone is.
 * @param {[string, string][]} fields of the request
 * @returns {Stand | null}
 */
export function standOf(fields) {
  const values = new Map(fields.map(([name, value]) => [name, Number(value)]));
  const [latitude, longitude] = [values.get('lat'), values.get('lon')];
  return latitude === undefined || longitude === undefined ? null : { latitude, longitude, heading: values.get('bearing') ?? 0 };
}
