// How high the user is, in words: for who asks how accurate this is.

import { UserHeights } from '../../engine/user-heights.js';
import { height } from '../core/format.js';
import { t } from '../core/i18n.js';
import { aside } from './status.js';

/** @typedef {import('../session/session.js').Session} Session */

/**
 * How high the user is, and how that is known.
 * @param {Session} session
 * @param {import('../device/location.js').Fix | null} fix the last, of whatever phone it is
 * @returns {{ symbol: string, quality: import('../../engine/types').Quality, text: string }}
 */
export function heightSentence(session, fix) {
  const known = session.guarded(() => session.engine.part(UserHeights).read());
  const { altitude = null, datum = null, geoid = null, ground = null } = known ?? {};
  const said = (/** @type {import('../../engine/types').Quality} */ quality, /** @type {string} */ text) => ({
    symbol: 'up', quality, text: `${t('status.height')}: ${text}`,
  });
  if (altitude === null) return said(fix ? 'poor' : 'none', t(fix ? 'status.height.unknown' : 'status.location.waiting'));
  if (datum !== 'seaLevel') return said('poor', t('status.height.noGeoid'));
  const names = { height: height(altitude), geoid: height(Math.abs(geoid ?? 0)) };
  if (fix?.altitude == null) return said(ground === null ? 'poor' : 'good', t('status.height.ground', names));
  const text = t(fix.altitudeDatum === 'seaLevel' ? 'status.height.sea' : 'status.height.ellipsoid', names);
  return said('good', fix.verticalAccuracy == null ? text : aside(text, t('status.accuracy', { distance: height(fix.verticalAccuracy) })));
}
