// Departures as a layer: the stops around the phone as a world of its own, which stands beside others in one view. Its cards have
// the boards.

import { loadTexts, t } from '../core/i18n.js';
import { fetchStops } from './api.js';

/**
 * @typedef {import('../types').WorldAnswer} WorldAnswer
 * @typedef {import('../types').Place} Place
 * @typedef {import('./types').Stop} Stop
 */

/** Stops of the layer, and how far away they are at most, metres. */
const STOPS = 40;
const REACH = 2000;
/** Metres that the user goes before they are asked for again. */
const STEP = 250;
/** Metres above the ground: over the heads of those who wait. */
const HEIGHT = 4;

/**
 * @param {[string, string][]} fields of the request
 * @param {AbortSignal} signal
 * @returns {Promise<WorldAnswer>}
 */
export async function stopsWorld(fields, signal) {
  const number = (/** @type {string} */ wanted) => Number(fields.find(([name]) => name === wanted)?.[1] ?? NaN);
  const [latitude, longitude] = [number('lat'), number('lon')];
  await loadTexts('worlds');
  const isKnown = Number.isFinite(latitude) && Number.isFinite(longitude);
  const { stops, attributions } = isKnown
    ? await fetchStops({ latitude, longitude }, { limit: STOPS, radius: REACH }, signal)
    : { stops: [], attributions: [] };
  return layerOf(stops, attributions.map(({ text }) => text));
}

/**
 * @param {Stop[]} stops
 * @param {string[]} credits
 * @returns {WorldAnswer}
 */
export function layerOf(stops, credits) {
  return {
    world: { id: 'transit', url: location.origin, title: t('start.transit') },
    dimension: {
      name: t('start.transit'), attribution: credits.join(' · ') || undefined, radarAvailable: true, relativeAltitude: false,
      refreshURL: `${location.origin}/api/v1/transit/stops`, refreshIntervalSeconds: 0, refreshDistance: STEP,
      assets: [], overlays: [],
      places: stops.map(placeOf),
    },
    problems: [],
  };
}

/**
 * @param {Stop} stop
 * @returns {Place}
 */
function placeOf({ id, name, platform, lat, lon, lines }) {
  const title = platform ? `${name} · ${platform}` : name;
  return {
    id, title, summary: lines.map((line) => line.name).join(' · ') || undefined, position: { latitude: lat, longitude: lon },
    altitudeMode: 'ground', offset: { east: 0, north: 0, up: HEIGHT }, visual: { kind: 'text', text: title }, kind: 'stop', pivot: 'BC', showInRadar: true,
    showOnFocus: [], categories: [t('worlds.topic.stops')], metadata: {},
  };
}
