// What the session has to say: to everybody by messages, to screen readers by a live text.

import { onConsent } from '../core/consents.js';
import { loadShared } from '../core/dom.js';
import { distance } from '../core/format.js';
import { t, tn } from '../core/i18n.js';
import { announce, closeToast, toast } from '../ui/toast.js';
import { leaveFor } from './commands.js';
import { failureText } from './failure.js';

/**
 * @typedef {import('../session/session.js').Session} Session
 * @typedef {import('../device/device.js').Device} Device
 */

/**
 * @param {Session} session
 * @param {Device} device
 */
export function speakFor(session, device) {
  session.on('world', (content) => {
    announce(t('live.world', { name: content.title, places: tn('places', content.places.length) }));
    closeToast('failure');
    if (content.problems.some(({ severity }) => severity === 'error')) void mentionProblems(session);
  });
  session.on('failure', (failure) => {
    const reason = [failure.name, failureText(failure)].filter(Boolean).join(': ');
    const outdated = failure.stopped ? t('fail.refresh', { reason }) : t('fail.older', { reason });
    toast(session.content ? outdated : t('fail.load', { reason }), {
      kind: 'warning',
      key: 'failure',
      details: failure.detail,
      action: { text: t('common.retry'), run: () => session.refresh() },
    });
  });
  session.on('webPage', ({ url }) => leaveFor(url));
  session.on('positionWanted', (host) => void askPosition(session, host));
  onConsent((kind, host, isAllowed) => {
    if (kind === 'position' && isAllowed) session.loader.allowed(host);
  }, session.closed);
  session.on('restarted', () => toast(t('fail.engine'), { kind: 'warning' }));
  session.on('frozen', (frozen) => frozen && announce(t('control.frozen')));
  session.on('selection', (place) => {
    if (place === null || !session.content) return;
    const range = session.range(place, device.position());
    const name = session.content.placeTitle(session.content.places[place]);
    announce(t('live.selected', { name, distance: range ? distance(range.distance) : '' }));
  });
}

/** @param {Session} session */
async function mentionProblems(session) {
  const [menu] = await Promise.all([import('../ui/menu.js'), loadShared('panels')]);
  if (!session.closed.aborted) menu.mentionProblems(session);
}

/**
 * @param {Session} session
 * @param {string} host
 */
async function askPosition(session, host) {
  const [consent] = await Promise.all([import('../ui/consent.js'), loadShared('panels')]);
  if (!session.closed.aborted) consent.askPosition(session, host);
}
