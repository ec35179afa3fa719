// Joining a tour: by the address in a team's code, or by typing the code. And the way back to tours joined before.

import { h, icon, loadStyle } from '../core/dom.js';
import { loadTexts, t } from '../core/i18n.js';
import { join, TourError } from './api.js';
import { joinedTour, joinedTours, keep } from './keeper.js';
import { pageFrame } from './frame.js';

/** @typedef {import('./keeper.js').Joined} Joined */

/**
 * Joins, or goes back into the tour if this phone is in that team already.
 * @param {string} code
 * @returns {Promise<Joined>}
 */
export async function joinTour(code) {
  const answer = await join(code);
  const { content, state } = answer;
  const key = `${content.run}-${state.team.number}`;
  const before = await joinedTour(key);
  /** @type {Joined} */
  const joined = {
    key, secret: answer.secret, content, state, messages: state.messages, read: before?.read ?? 0,
    sequence: before?.sequence ?? 0, joined: Date.now(),
  };
  await keep(joined);
  return joined;
}

/**
 * @param {import('../parts.js').Opening} opening
 * @returns {Promise<import('../parts.js').Page>}
 */
export async function openJoin({ path, leave }) {
  await Promise.all([loadTexts('tours'), loadStyle('tours')]);
  const frame = pageFrame('tours-join', t('tours.joinTitle'), leave);
  const problem = h('p', { class: 'tour-problem', role: 'alert' });
  const field = h('input', {
    type: 'text', id: 'tour-code', class: 'field tour-code', autocapitalize: 'characters', autocomplete: 'off',
    spellcheck: false, placeholder: '7K2QX-40BNM-9TZ', value: path[0] ?? '', 'aria-label': t('tours.code'),
  });
  const button = h('button', { type: 'submit', class: 'button primary large', id: 'tour-join' }, t('tours.join'));
  const enter = async () => {
    const code = field.value.trim();
    if (!code) return field.focus();
    button.disabled = true;
    problem.textContent = '';
    try {
      const joined = await joinTour(code);
      location.replace(`#/play/${encodeURIComponent(joined.key)}`);
    } catch (error) {
      button.disabled = false;
      const failed = error instanceof TourError ? error : null;
      if (!failed) console.warn(error);
      const words = failed?.code === 'tour.code-unknown' ? t('tours.codeUnknown') : failed?.message;
      problem.textContent = failed?.status === 0 ? t('tours.noNetwork') : words || t('tours.failed');
    }
  };
  frame.main.append(
    h('p', { class: 'tour-lead' }, t('tours.joinText')),
    h('form', {
      class: 'tour-join-form',
      onsubmit: (/** @type {Event} */ event) => {
        event.preventDefault();
        void enter();
      },
    }, h('a', { class: 'button large', id: 'tour-scan', href: '#/scan' }, icon('qr'), t('tours.scanCode')), field, button),
    problem,
    h('p', { class: 'tour-privacy-note' }, icon('lock'), h('span', {}, t('tours.joinPrivacy')), ' ',
      h('a', { href: '#/tours/privacy' }, t('tours.privacy'))),
  );
  const before = await joinedTours();
  if (before.length) {
    frame.main.append(
      h('h2', {}, t('tours.joinedBefore')),
      h('ul', { class: 'tour-cards' }, ...before.map((joined) =>
        h('li', {}, h('a', { class: 'tour-card', href: `#/play/${encodeURIComponent(joined.key)}` },
          h('strong', {}, joined.content.title), h('span', {}, joined.state.team.name)))
      )),
    );
  }
  // Who came by a code has said all there is to say.
  if (path[0]) void enter();
  else field.focus();
  return { close: () => frame.element.remove(), state: () => ({ joining: field.value }) };
}
