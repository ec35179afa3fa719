// Ways to walk, from the server's own ground.

import { getJSON } from './request.js';

/**
 * @typedef {{ latitude: number, longitude: number }} Point
 * @typedef {'depart' | 'walk' | 'stepsUp' | 'stepsDown' | 'steps' | 'escalator' | 'elevator' | 'cross' | 'crossWithSignals' | 'arrive'} Action
 * @typedef {'straight' | 'slightRight' | 'right' | 'sharpRight' | 'back' | 'sharpLeft' | 'left' | 'slightLeft'} Turn
 * @typedef {{ action: Action, turn: Turn | null, name: string | null, metres: number, steps: number, bearing: number | null, point: number }} Instruction
 * @typedef {{ metres: number, seconds: number, hasSteps: boolean, steps: number, isStepCountKnown: boolean, ascentMetres: number | null,
 *   descentMetres: number | null, line: number[], instructions: Instruction[] }} FootRoute `line` is latitude and longitude by turns
 * @typedef {{ metres: number, seconds: number, hasSteps: boolean }} FootDistance
 */

/**
 * @param {Point} from
 * @param {Point} to
 * @param {{ avoidSteps?: boolean, signal?: AbortSignal }} options
 * @returns {Promise<{ routes: FootRoute[], attribution: string }>} the quickest first; rejects with a `RequestError`
 */
export function footRoutes(from, to, { avoidSteps = false, signal } = {}) {
  return getJSON('/api/v1/routes/foot', {
    method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify({ from: plain(from), to: plain(to), avoidSteps }), signal,
  });
}

/**
 * @param {Point} from
 * @param {Point[]} to
 * @param {{ avoidSteps?: boolean, signal?: AbortSignal }} options
 * @returns {Promise<{ distances: (FootDistance | null)[], attribution: string }>} for each place in turn; rejects with a `RequestError`
 */
export function footDistances(from, to, { avoidSteps = false, signal } = {}) {
  return getJSON('/api/v1/routes/foot/distances', {
    method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify({ from: plain(from), to: to.map(plain), avoidSteps }), signal,
  });
}

/**
 * A position without what else is known of it.
 * @param {Point} point
 */
const plain = ({ latitude, longitude }) => ({ latitude, longitude });
