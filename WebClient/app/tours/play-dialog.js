// What a team can look up during a tour: its stations, messages, help, privacy, and the way out.

import { confirmDialog } from '../controls/confirm.js';
import { h } from '../core/dom.js';
import { t } from '../core/i18n.js';
import { showDialog } from '../ui/dialog.js';
import { toast } from '../ui/toast.js';
import { showTourEnd } from './end-dialog.js';
import { forget } from './keeper.js';

/**
 * @param {import('./play.js').Play} play
 * @param {(station: import('./keeper.js').PlayStation) => void} show
 */
export function showTourDialog(play, show) {
  const { content, state, joined } = play;
  const shown = new Set(play.visible().map(({ id }) => id));
  const stations = play.open().map((station) => {
    const standing = play.standing(station).state;
    const word = t(/** @type {import('../core/i18n.js').TextKey} */ (`tours.standing.${standing}`));
    const row = h('span', { class: 'tour-row' }, h('span', {}, station.title), h('span', { class: `tour-state ${standing}` }, word));
    if (!shown.has(station.id)) return h('li', {}, row);
    return h('li', {}, h('button', {
      type: 'button', class: 'tour-pick',
      onclick: () => {
        dialog.close();
        show(station);
      },
    }, row));
  });
  const messages = [...joined.messages].reverse().map((message) =>
    h('li', {}, h('time', { dateTime: message.time }, new Date(message.time).toLocaleTimeString([], { hour: '2-digit', minute: '2-digit' })), ' ', message.text)
  );
  const dialog = showDialog(
    { title: content.title, id: 'tour-dialog' },
    content.summary ? h('p', {}, content.summary) : null,
    h('p', { class: 'setting-hint', id: 'tour-saved' }, t(/** @type {const} */ ({ saving: 'tours.savingHere', saved: 'tours.savedHere', failed: 'tours.notSavedHere' })[play.saved])),
    content.rounds > 1 && h('p', { class: 'setting-hint' }, t('tours.roundOf', { round: state.round, rounds: content.rounds })),
    h('h3', {}, t('tours.stations')),
    h('ul', { class: 'tour-list' }, ...stations),
    messages.length > 0 && h('h3', {}, t('tours.messages')),
    messages.length > 0 && h('ul', { class: 'tour-messages' }, ...messages),
    h('div', { class: 'actions' },
      play.phase === 'ended' && h('button', {
        type: 'button', class: 'button primary', id: 'tour-result',
        onclick: () => {
          dialog.close();
          showTourEnd(play);
        },
      }, t('tours.endResult')),
      play.phase !== 'ended' && h('button', {
        type: 'button', class: 'button', id: 'tour-help',
        onclick: () => {
          dialog.close();
          play.help().then(() => toast(t('tours.helpAsked')), () => toast(t('tours.helpFailed'), { kind: 'warning' }));
        },
      }, t('tours.askHelp')),
      h('a', { class: 'button', href: '#/tours/privacy' }, t('tours.privacy')),
      h('button', {
        type: 'button', class: 'button', id: 'tour-quit',
        onclick: async () => {
          const isSure = await confirmDialog({
            title: t('tours.quit'), text: play.waiting.length ? t('tours.quitUnsent') : t('tours.quitSure'), action: t('tours.quit'), danger: true,
          });
          if (!isSure) return;
          play.close();
          void forget(play.key).then(() => (location.hash = '#/'));
          dialog.close();
        },
      }, t('tours.quit'))),
  );
  return dialog;
}
