// What covers the view, into the engine's memory: see OccupiedExport.swift.

/** What the engine takes of it. */
const MOST_RECTANGLES = 64;
const MOST_ARROWS = 5;

/**
 * @param {Record<string, (...values: number[]) => number>} call
 * @param {(address: number, count: number) => Float64Array} room
 * @param {Extract<import('./types').EngineEvent, { type: 'occupied' }>} event
 * @param {number} time seconds
 */
export function tellOccupied(call, room, { rectangles, arrows }, time) {
  const shown = rectangles.slice(0, MOST_RECTANGLES);
  const numbers = [
    ...shown.flatMap(({ x, y, width, height }) => [x, y, width, height]),
    ...arrows.slice(0, MOST_ARROWS).flatMap(({ width, height }) => [width, height]),
  ];
  room(call.sl_occupied_values_in(), numbers.length).set(numbers);
  call.sl_occupied(time, shown.length, Math.min(arrows.length, MOST_ARROWS));
}
