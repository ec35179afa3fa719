// What this phone's sensors call level, as it was found out on a table: kept on this device, and told to each session.

import { load, save } from '../core/storage.js';

/** @typedef {{ right: number, top: number }} Level parts of "up" to the right and to the top of a phone that lies level */

const KEPT = 'level';

/** @returns {Level} */
export function keptLevel() {
  const level = load(KEPT, /** @type {Partial<Level> | null} */ (null));
  return Number.isFinite(level?.right) && Number.isFinite(level?.top) ? /** @type {Level} */ (level) : { right: 0, top: 0 };
}

/** @param {Level} level zeros forget it */
export function keepLevel({ right, top }) {
  save(KEPT, right === 0 && top === 0 ? undefined : { right, top });
}

/**
 * @param {import('../session/session.js').Session} session
 * @param {import('../device/device.js').Device} device
 */
export function tellLevel(session, device) {
  session.tell({ type: 'setLevel', ...(device.hasCompass ? keptLevel() : { right: 0, top: 0 }) });
}
