// The menu of an open world, in three groups, and the small sheets behind it.

import { h, icon, loadShared } from '../core/dom.js';
import { localized, t, tn } from '../core/i18n.js';
import { richText } from '../core/rich-text.js';
import { load, resetVisitorIDs, save } from '../core/storage.js';
import { fetchSettings } from '../net/settings.js';
import { canSave, saveWorld } from '../offline/offline.js';
import { savedPath } from '../offline/saved.js';
import { showConsents } from './consent.js';
import { showDialog } from './dialog.js';
import { heightSentence } from './height-sentence.js';
import { leaveFor } from './share.js';
import { toast } from './toast.js';

/**
 * @typedef {import('../session/session.js').Session} Session
 * @typedef {import('../device/device.js').Device} Device
 * @typedef {{ session: Session, device: Device, leave: () => void, share: () => void, screenshot: () => void,
 *   virtual: (on: boolean) => void, offersVirtual: () => boolean, worlds: () => void, recording: import('../recording/recording.js').Recording,
 *   align: () => void, status: () => { symbol: string, quality: string, text: string }[] }} MenuHost `status`: what can be relied on
 */

/** @param {MenuHost} host */
export function showMenu(host) {
  const { session, device } = host;
  const { content } = session;
  /** @type {() => void} */
  let close = () => undefined;
  const item = (
    /** @type {string} */ symbol,
    /** @type {import('../core/i18n.js').TextKey} */ key,
    /** @type {() => void} */ run,
    /** @type {string} */ id,
  ) =>
    h(
      'button',
      {
        type: 'button',
        class: 'menu-item',
        id,
        onclick: () => {
          close();
          run();
        },
      },
      icon(symbol),
      localized(h('span'), key),
    );
  const title = h(
    'div',
    { class: 'menu-world' },
    h('p', { class: 'menu-name', id: 'menu-world-name' }, content?.title ?? t('menu.untitled')),
    content &&
      h(
        'p',
        { class: 'menu-facts' },
        [
          tn('places', content.places.length),
          content.dimension.overlays.length && tn('overlays', content.dimension.overlays.length),
        ].filter(Boolean).join(' · '),
      ),
    content?.dimension.summary && h('p', { class: 'menu-summary' }, ...richText(content.dimension.summary, leaveFor)),
    content?.dimension.attribution &&
      h('p', { class: 'menu-facts' }, t('menu.by', { name: content.dimension.attribution })),
  );
  const saved = session.worlds.list.flatMap(({ content: part }) => (part && savedPath(part.address) ? [part] : []));
  const problems = content?.problems.filter((problem) => problem.severity !== 'info') ?? [];
  const hasMarkers = content?.places.some((place) => place.marker) ?? false;
  const group = (/** @type {import('../core/i18n.js').TextKey} */ name, /** @type {(Node | false | null)[]} */ ...items) => {
    const heading = localized(h('h3', { class: 'menu-group', id: `group-${name.replace('.', '-')}` }), name);
    return h('nav', { class: 'menu-items', 'aria-labelledby': heading.id }, heading, ...items);
  };
  const dialog = showDialog(
    { title: t('menu.title'), class: 'menu-sheet', id: 'menu-dialog' },
    title,
    group(
      'menu.world',
      item('share', 'menu.share', host.share, 'menu-share'),
      saved.length > 0 && canSave() && item('download', 'menu.save', () => void saveThese(saved), 'menu-save'),
      item('refresh', 'menu.refresh', () => session.refresh(), 'menu-refresh'),
      item('plus', 'menu.worlds', host.worlds, 'menu-worlds'),
      hasMarkers && item('print', 'menu.markers', () => void printMarkers(host), 'menu-markers'),
      problems.length > 0 && item('warning', 'menu.problems', () => showProblems(host), 'menu-problems'),
      item('world', 'menu.leave', host.leave, 'menu-leave'),
    ),
    group(
      'menu.view',
      item('camera', 'menu.screenshot', host.screenshot, 'menu-screenshot'),
      device.isVirtual
        ? item('phone', 'menu.virtualOff', () => host.virtual(false), 'menu-virtual')
        : host.offersVirtual() && item('phone-virtual', 'menu.virtualOn', () => host.virtual(true), 'menu-virtual'),
      device.hasCompass && item('compass', 'menu.align', host.align, 'menu-align'),
      item('settings', 'settings.title', () => void openSettings(device), 'menu-settings'),
    ),
    group(
      'menu.help',
      item('qr', 'start.scan', () => void (location.hash = '#/scan'), 'menu-scan'),
      item('ok', 'menu.status', () => showStatus(host), 'menu-status'),
      host.recording.running
        ? item('stop', 'record.stop', () => host.recording.stop(), 'menu-record')
        : item('record', 'menu.record', () => host.recording.ask(), 'menu-record'),
      item('lock', 'consent.title', showConsents, 'menu-consents'),
      item('info', 'menu.about', () => void showAbout(), 'menu-about'),
    ),
  );
  close = dialog.close;
}

/** @param {Device} device */
async function openSettings(device) {
  const { showSettings } = await import('./settings.js');
  await showSettings(device);
}

/**
 * How far world, position and direction can be relied on: the view itself speaks of what is wrong only.
 * @param {MenuHost} host
 */
function showStatus({ status, session, device }) {
  const sentences = device.markersOnly ? status() : [...status(), heightSentence(session, device.fix())];
  showDialog(
    { title: t('menu.status'), id: 'status-dialog' },
    h('ul', { class: 'status-list' }, ...sentences.map(({ symbol, quality, text }) =>
      h('li', { dataset: { quality } }, icon(symbol), h('span', {}, text)))),
  );
}

/** @param {import('../session/content.js').Content[]} worlds that are open */
async function saveThese(worlds) {
  toast(t('save.running'), { key: 'save' });
  try {
    for (const [index, world] of worlds.entries()) {
      await saveWorld(world, (share) => {
        toast(`${t('save.running')} ${Math.round(((index + share) / worlds.length) * 100)} %`, { key: 'save' });
      });
    }
    toast(t('save.done'), { key: 'save' });
  } catch (error) {
    console.warn(error);
    toast(t('save.failed'), { kind: 'warning', key: 'save' });
  }
}

/**
 * The sheet for this world's markers, if it has any, else any.
 * @param {MenuHost} host
 */
async function printMarkers({ session }) {
  const [{ showSheet }] = await Promise.all([import('../markers/sheet.js'), loadShared('markers')]);
  const used = (session.content?.places ?? []).flatMap(({ marker }) => marker ?? []);
  if (used.length === 0) return showSheet();
  const [{ dictionary, length }] = used;
  const ids = used.filter((marker) => marker.dictionary === dictionary && marker.length === length).map(({ id }) => id);
  const first = Math.min(...ids);
  await showSheet({ dictionary, first, count: Math.max(...ids) - first + 1, side: Math.round(length * 1e4) / 10 });
}

/** @param {MenuHost} host */
function showProblems({ session }) {
  const problems = session.content?.problems ?? [];
  showDialog(
    { title: t('menu.problems'), id: 'problems-dialog' },
    h(
      'ul',
      { class: 'problems' },
      ...problems.slice(0, 200).map((problem) =>
        h(
          'li',
          { dataset: { severity: problem.severity } },
          h(
            'span',
            { class: 'problem-code' },
            [problem.code, problem.line && `: ${problem.line}`].filter(Boolean).join(' '),
          ),
          h('span', {}, problem.message),
          h('code', {}, problem.path),
        )
      ),
    ),
  );
}

async function showAbout() {
  const { version } = await fetchSettings();
  const done = h('p', { class: 'setting-hint', role: 'status' });
  const reset = localized(
    h('button', {
      type: 'button',
      class: 'button',
      onclick: () => {
        resetVisitorIDs();
        done.textContent = t('about.resetDone');
      },
    }),
    'about.reset',
  );
  const dialog = showDialog(
    { title: t('menu.about'), id: 'about-dialog' },
    h('p', {}, t('about.text')),
    h('p', {}, t('about.visitor')),
    reset,
    done,
    localized(h('a', { class: 'button', href: '#/record-sensors', id: 'about-sensors', onclick: () => dialog.close() }), 'record.sensors'),
    Boolean(version) && h('p', { class: 'menu-facts' }, t('about.version', { version: version ?? '' })),
    h('p', { class: 'menu-facts' }, t('about.credits')),
  );
}

/**
 * Says once for each world what its file's notes are about; the menu has them in full.
 * @param {Session} session
 */
export function mentionProblems(session) {
  const { content } = session;
  if (!content?.problems.some((problem) => problem.severity === 'error')) return;
  const seen = load('notedProblems', /** @type {string[]} */ ([]));
  if (seen.includes(content.id)) return;
  save('notedProblems', [...seen.slice(-20), content.id]);
  toast(t('menu.problems'), {
    action: { text: t('common.open'), run: () => showProblems(/** @type {MenuHost} */ ({ session })) },
  });
}
