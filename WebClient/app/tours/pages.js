// The teacher's pages: the list of tours, the designer, the board, and what is stored.

import { confirmDialog } from '../controls/confirm.js';
import { h, loadStyle } from '../core/dom.js';
import { loadTexts, t, tn } from '../core/i18n.js';
import { account, addTour, emptyTour, listTours, removeTour } from './api.js';
import { signInAddress, tellFailure } from './failure.js';
import { button, pageFrame, when } from './frame.js';
import { showPrivacy } from './privacy.js';

/** @typedef {import('../parts.js').Page} Page */

/**
 * @param {import('../parts.js').Opening} opening
 * @returns {Promise<Page>}
 */
export async function openTours({ path, leave }) {
  await Promise.all([loadTexts('tours'), loadStyle('tours')]);
  const home = () => void (location.hash = '#/tours');
  if (path[0] === 'privacy') return showPrivacy(() => history.length > 1 ? history.back() : leave());
  const who = await account().catch(() => null);
  if (!who) return signInFirst(leave);
  if (path[0] && path[1] === 'run' && path[2]) {
    const { openBoard } = await import('./board.js');
    return openBoard(path[0], path[2], () => void (location.hash = `#/tours/${path[0]}`));
  }
  if (path[0]) {
    const { openDesigner } = await import('./designer.js');
    return openDesigner(path[0], home);
  }
  return openList(leave);
}

/** @param {() => void} leave @returns {Page} */
function signInFirst(leave) {
  const frame = pageFrame('tours-list', t('tours.title'), leave);
  frame.main.append(
    h('p', { class: 'tour-lead' }, t('tours.teacherText')),
    h('a', { class: 'button primary large', href: signInAddress(), id: 'tours-sign-in' }, t('tours.signIn')),
    h('p', {}, h('a', { href: '#/join' }, t('tours.orJoin'))),
    h('p', {}, h('a', { href: '#/tours/privacy' }, t('tours.privacy'))),
  );
  return { close: () => frame.element.remove() };
}

/** @param {() => void} leave @returns {Promise<Page>} */
async function openList(leave) {
  const frame = pageFrame('tours-list', t('tours.title'), leave);
  const list = h('ul', { class: 'tour-cards' });
  const make = async () => {
    try {
      const stored = await addTour({ ...emptyTour(), title: t('tours.untitled') });
      location.hash = `#/tours/${stored.id}`;
    } catch (error) {
      tellFailure(error);
    }
  };
  frame.tools.append(button(t('tours.new'), () => void make(), { id: 'tours-new', class: 'primary' }));
  frame.main.append(list, h('p', {}, h('a', { href: '#/tours/privacy' }, t('tours.privacy'))));
  const show = async () => {
    const tours = await listTours();
    list.replaceChildren(...tours.map((tour) =>
      h('li', { class: 'tour-card-row' },
        h('a', { class: 'tour-card', href: `#/tours/${tour.id}` },
          h('strong', {}, tour.title), h('span', {}, `${tn('tours.stationCount', tour.stations)} · ${when(tour.saved)}`)),
        ...tour.runs.filter((run) => !run.trial).map((run) =>
          h('a', { class: 'tour-run', href: `#/tours/${tour.id}/run/${run.id}` }, `${t(`tours.phase.${run.phase}`)} ${when(run.started ?? run.created)}`)
        ),
        button(t('tours.removeTour'), async () => {
          const isSure = await confirmDialog({
            title: t('tours.removeTour'), text: t('tours.removeSure', { title: tour.title }), action: t('tours.removeTour'), danger: true,
          });
          if (isSure) removeTour(tour.id).then(show, tellFailure);
        }, { class: 'tiny-button danger' }))
    ));
    if (!tours.length) list.append(h('li', { class: 'tour-lead' }, t('tours.none')));
  };
  await show().catch(tellFailure);
  return { close: () => frame.element.remove() };
}
