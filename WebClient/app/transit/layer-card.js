// The board of a stop on a card of the view: what leaves next, kept up to date while the card is there.

import { h, icon, loadStyle, setText } from '../core/dom.js';
import { loadTexts, t } from '../core/i18n.js';
import { fetchBoards } from './api.js';
import { ServerClock } from './clock.js';
import { alertRow, departureRow, intervalRow } from './rows.js';
import { sourceLine } from './words.js';

/** Departures on a card. */
const ROWS = 8;
/** How often the board is asked for, and how often the minutes are counted, milliseconds. */
const AGAIN = 20_000;
const MINUTES = 5000;

/**
 * @param {string} stop id
 * @returns {HTMLElement} fills itself, and rests once it is taken out of the page
 */
export function boardOf(stop) {
  const status = h('p', { class: 'board-source', role: 'status' });
  const alerts = h('ul', { class: 'alerts' });
  const rows = h('ul', { class: 'departures' });
  const all = h('a', { class: 'button', href: `#/transit?stop=${encodeURIComponent(stop)}` }, icon('bus'), h('span', {}, t('start.transit')));
  const element = h('div', { class: 'layer-board', dataset: { stop } }, status, alerts, rows, h('div', { class: 'actions' }, all));
  const clock = new ServerClock();
  /** @type {import('./types').Answer | null} */
  let answer = null;
  let since = 0;
  const show = () => {
    const forecast = answer?.stops[0]?.forecast;
    if (!answer) return;
    if (!forecast) return setText(status, t('transit.state.unavailable'));
    const known = new Map(answer.alerts.map((alert) => [alert.id, alert]));
    setText(status, sourceLine(forecast, (performance.now() - since) / 1000));
    alerts.replaceChildren(...forecast.alerts.flatMap((id) => known.get(id) ?? []).map(alertRow));
    const next = [...forecast.departures.slice(0, ROWS).map((one) => departureRow(one, clock, known)), ...(forecast.intervals ?? []).slice(0, ROWS).map(intervalRow)];
    rows.replaceChildren(...(next.length ? next : [h('li', {}, t('transit.noDepartures'))]));
  };
  const ask = async () => {
    try {
      answer = await fetchBoards([stop]);
      since = performance.now();
      clock.set(answer.now);
      show();
    } catch (error) {
      console.warn(error);
      setText(status, t('transit.state.unavailable'));
    }
  };
  void Promise.all([loadTexts('transit'), loadStyle('transit')]).then(() => void ask());
  const timers = [[ask, AGAIN], [show, MINUTES]].map(([work, every]) => setInterval(() => {
    if (element.isConnected) return void /** @type {() => void} */ (work)();
    timers.forEach(clearInterval);
  }, /** @type {number} */ (every)));
  return element;
}
