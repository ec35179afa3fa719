// Whether a world is too far away for anything of it to be seen, before anybody is asked for anything.

import { distance } from '../core/format.js';
import { t } from '../core/i18n.js';
import { quietPosition } from '../device/location.js';
import { FAR } from '../session/reach.js';

/** @typedef {import('../session/session.js').Session} Session */

/**
 * How far a world is from where this phone is, if that may be known without a question.
 * @param {Session} session
 * @param {import('../types').WorldEntry} entry
 * @returns {Promise<string>} a sentence; '' when it is near, or nothing is known
 */
export async function farText(session, { title, center }) {
  const here = center && await quietPosition();
  if (!here || session.closed.aborted) return '';
  const far = session.engine.distance(here.latitude, here.longitude, center.latitude, center.longitude);
  return far > FAR ? t('nothing.far', { name: title, distance: distance(far) }) : '';
}
