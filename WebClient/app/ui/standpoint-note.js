// From where map and list are seen, when that is not where the user is: a position is never invented without a word.

import { h, icon, setText } from '../core/dom.js';
import { localized, onLanguage, t } from '../core/i18n.js';
import { toast } from './toast.js';

/** @typedef {import('../device/device.js').Device} Device */

/**
 * @param {Device} device
 * @returns {HTMLElement} hides itself while the position is the user's own
 */
export function standpointNote(device) {
  const words = h('span');
  const ask = localized(
    h('button', { type: 'button', class: 'button small', dataset: { action: 'locate' }, onclick: () => void locate(device) }),
    'position.ask',
  );
  const note = h('p', { class: 'standpoint-note', role: 'status' }, icon('location'), words, ask);
  const show = () => {
    const isChosen = device.sources.position === 'chosen';
    const isInMiddle = isChosen && device.phone.isInMiddle;
    note.hidden = isChosen ? !isInMiddle : device.position() !== null;
    ask.hidden = isChosen;
    setText(words, t(isInMiddle ? 'position.middle' : device.location.state === 'waiting' ? 'position.waiting' : 'position.unknown'));
  };
  const off = [device.on('checks', show), device.on('sources', show), device.phone.on('moved', show), device.location.on('fix', show)];
  device.session.closed.addEventListener('abort', () => off.forEach((end) => end()));
  onLanguage(show, device.session.closed);
  show();
  return note;
}

/**
 * The user's own position, which is asked for if need be; where there is none, why and what to do is said.
 * @param {Device} device
 */
export async function locate(device) {
  const known = device.position();
  if (known) return known;
  const fix = await device.location.find();
  if (!fix) toast(t(device.location.state === 'denied' ? 'position.denied' : 'position.missing'), { kind: 'warning', key: 'position' });
  return fix;
}
