// The menu of a view without a world: markers, posters, departures. What every view can do is in it by itself.

import { h, icon, loadShared } from '../core/dom.js';
import { loadTexts, localized, t } from '../core/i18n.js';
import { showDialog } from './dialog.js';

/**
 * @typedef {import('../core/i18n.js').TextKey} TextKey
 * @typedef {{ symbol: string, key: TextKey, run: () => void, id: string }} MenuItem
 * @typedef {import('../recording/recording.js').Recording} Recording
 */

/**
 * @param {object} options
 * @param {string} options.title of the view
 * @param {(MenuItem | false | null)[]} [options.items] of the view alone
 * @param {() => Promise<Recording | null>} options.recording made when it is asked for; `null`: the view is not ready yet
 */
export async function showPartMenu({ title, items = [], recording }) {
  const [made] = await Promise.all([recording(), loadTexts('record'), loadShared('panels')]);
  if (document.getElementById('menu-dialog')) return;
  /** @type {(MenuItem | false | null)[]} */
  const all = [
    ...items,
    { symbol: 'qr', key: 'start.scan', run: () => void (location.hash = '#/scan'), id: 'menu-scan' },
    made && (made.running
      ? { symbol: 'stop', key: 'record.stop', run: () => made.stop(), id: 'menu-record' }
      : { symbol: 'record', key: 'menu.record', run: () => made.ask(), id: 'menu-record' }),
  ];
  const dialog = showDialog(
    { title: t('menu.title'), class: 'menu-sheet', id: 'menu-dialog' },
    h('div', { class: 'menu-world' }, h('p', { class: 'menu-name' }, title)),
    h('nav', { class: 'menu-items', 'aria-label': title }, ...all.flatMap((item) => (item
      ? [h('button', {
        type: 'button', class: 'menu-item', id: item.id,
        onclick: () => {
          dialog.close();
          item.run();
        },
      }, icon(item.symbol), localized(h('span'), item.key))]
      : []))),
  );
}

/**
 * The recording of a view, made once.
 * @param {import('../recording/recording.js').Recorded} session
 * @param {import('../recording/recording.js').Seen} device
 * @param {HTMLElement} place where its light stands
 * @returns {() => Promise<Recording>}
 */
export function recordingOf(session, device, place) {
  /** @type {Promise<Recording> | null} */
  let made = null;
  return () => (made ??= Promise.all([import('../recording/recording.js'), loadTexts('record')])
    .then(([module]) => new module.Recording(session, device, place)));
}
