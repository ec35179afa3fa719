// What the stops of the radius's slider mean.

import { RADIUS, stepFor } from '../session/reach.js';

/**
 * All steps up to the one that a world needs.
 * @param {number} reach metres
 */
export function stepsTo(reach) {
  /** @type {number[]} */
  const steps = [];
  for (let metres = RADIUS.low; metres < reach; metres = stepFor(metres + 1)) steps.push(metres);
  return [...steps, reach];
}
