// The guided minute: turn to something that is behind, tap it, and look at a marker (or take the page to a phone). A small
// panel says what comes next; everything else is an ordinary open world.

import { h, icon, loadStyle, setText } from '../core/dom.js';
import { loadTexts, localized, onLanguage, t } from '../core/i18n.js';
import { save } from '../core/storage.js';
import { offerLocalWorld } from '../net/local-worlds.js';
import { localOnlyWarning, publicAddress } from '../net/public-address.js';
import { announce } from '../ui/toast.js';
import { standOf, worldAround } from './world.js';

/**
 * @typedef {import('../stage/stage.js').Stage} Stage
 * @typedef {'turn' | 'tap' | 'look' | 'end'} Moment
 */

const MOMENTS = /** @type {const} */ (['turn', 'tap', 'look']);
/** Where a phone stands of which nothing is known: at the meridian of Greenwich. */
const NOWHERE = { latitude: 51.47788, longitude: -0.00147, heading: 0 };
/** Metres from where the world was made that it is made anew: a first fix may be far off. */
const TOO_FAR = 100;
/** Part of half the picture's width in which something counts as looked at. */
const MIDDLE = 0.7;

export async function openAround() {
  await Promise.all([loadTexts('around'), loadStyle('around')]);
  return new Guide();
}

export class Guide {
  /** @type {Moment} */
  moment = 'turn';
  /** @type {import('./world.js').Stand | null} */
  stand = null;
  #hasMarker = false;
  #looked = 0;
  /** @type {Stage | null} */
  #stage = null;
  text = h('p', { class: 'guide-text', role: 'status' });
  count = h('span', { class: 'guide-count' });
  more = h('div', { class: 'guide-more' });
  actions = h('div', { class: 'actions guide-actions' });
  panel = h('section', { id: 'guide', class: 'glass', 'data-occupies': '' }, h('div', { class: 'guide-head' }, this.count, this.text, this.actions), this.more);

  /** @param {Stage} stage */
  attach(stage) {
    this.#stage = stage;
    const { session, device } = stage;
    offerLocalWorld('around', (fields) => {
      this.stand ??= standOf(fields) ?? { ...NOWHERE, ...this.#position() };
      return worldAround(this.stand, this.#hasMarker, session.engine);
    });
    document.documentElement.dataset.around = '1';
    if (device.phone.pose.latitude === 45 && device.phone.pose.longitude === -85) device.phone.place({ ...NOWHERE, altitude: null }, true);
    stage.element.append(this.panel);
    session.on('frame', (frame) => this.#look(frame));
    session.on('selection', (place) => {
      if (this.moment !== 'tap' || place === null || session.content?.places[place]?.id !== 'balloon') return;
      this.#go('look');
    });
    device.on('sources', () => this.#show());
    onLanguage(() => {
      session.refresh();
      this.#show();
    }, session.closed);
    session.closed.addEventListener('abort', () => {
      delete document.documentElement.dataset.around;
      this.panel.remove();
    });
    this.#show();
  }

  #position() {
    const at = this.#stage?.device.position();
    return at ? { latitude: at.latitude, longitude: at.longitude } : {};
  }

  /** @param {import('../../engine/types').SceneFrame} frame */
  #look(frame) {
    const stage = this.#stage;
    const { content } = stage?.session ?? {};
    // Asked now and then, not with each frame.
    if (!stage || !content || !frame.isValid || frame.time - this.#looked < 0.15) return;
    this.#looked = frame.time;
    const at = stage.device.position();
    if (!at || !this.stand || !stage.entered) return;
    const { engine } = stage.session;
    if (engine.distance(at.latitude, at.longitude, this.stand.latitude, this.stand.longitude) > TOO_FAR && this.moment !== 'end') {
      this.stand = null;
      return stage.session.refresh();
    }
    if (this.moment === 'turn') {
      const range = stage.session.range(content.placeByID('balloon'), at);
      const turn = ((range?.bearing ?? 0) - frame.bearing) % (2 * Math.PI);
      const off = Math.min(Math.abs(turn), 2 * Math.PI - Math.abs(turn));
      if (range && off < (frame.horizontalFieldOfView / 2) * MIDDLE) this.#go('tap');
    } else if (this.moment === 'look' && stage.anchors.isAnyFound) {
      this.#go('end');
    }
  }

  /** @param {Moment} moment */
  #go(moment) {
    this.moment = moment;
    navigator.vibrate?.(40);
    this.panel.classList.remove('arrived');
    requestAnimationFrame(() => this.panel.classList.add('arrived'));
    if (moment === 'look' && this.#isCamera && !this.#hasMarker) {
      this.#hasMarker = true;
      this.#stage?.session.refresh();
    }
    if (moment === 'end') save('aroundDone', true);
    this.#show();
    announce(this.text.textContent ?? '');
  }

  get #isCamera() {
    return this.#stage?.device.sources.picture === 'camera';
  }

  #show() {
    const { moment } = this;
    const number = MOMENTS.indexOf(/** @type {typeof MOMENTS[number]} */ (moment)) + 1;
    this.panel.dataset.moment = moment;
    this.count.hidden = !number;
    setText(this.count, number ? `${number}/${MOMENTS.length}` : '');
    setText(this.text, this.#words());
    this.more.replaceChildren();
    if (moment === 'look') void this.#showAddress();
    const skip = (/** @type {Moment} */ to) => button('around.skip', () => this.#go(to));
    this.actions.replaceChildren(...{
      turn: [skip('tap')], tap: [skip('look')], look: [skip('end')],
      end: [link('around.worlds', '#/', true), button('around.again', () => this.#again())],
    }[moment]);
  }

  #words() {
    const isByHand = this.#stage?.device.sources.direction === 'hand';
    if (this.moment === 'turn') return t(isByHand ? 'around.turnDrag' : 'around.turn');
    if (this.moment === 'tap') return t('around.tap');
    if (this.moment === 'end') return t('around.end');
    return t(this.#isCamera ? 'around.look' : 'around.take');
  }

  /** For a camera where its marker is shown; on a computer the code that takes the page to a phone. */
  async #showAddress() {
    const path = this.#isCamera ? '/#/show/around' : '/#/around';
    const [{ url, isLocal }, { qrPicture }] = await Promise.all([publicAddress(path), import('../core/qr.js')]);
    if (this.moment !== 'look') return;
    const shown = h('a', { class: 'guide-address', href: path.slice(1), target: '_blank', rel: 'noopener' }, url.replace(/^https?:\/\//, ''));
    if (this.#isCamera) return this.more.replaceChildren(shown);
    const code = isLocal ? null : qrPicture(url, t('around.codeOf', { url }));
    this.more.replaceChildren(...(code ? [code] : []), shown, localOnlyWarning());
  }

  #again() {
    this.stand = null;
    this.#stage?.session.select(null);
    this.#stage?.session.refresh();
    this.#go('turn');
  }
}

/** @param {import('../core/i18n.js').TextKey} key @param {() => void} run */
function button(key, run) {
  return localized(h('button', { type: 'button', class: 'button small', onclick: run, dataset: { guide: key } }), key);
}

/** @param {import('../core/i18n.js').TextKey} key @param {string} href @param {boolean} isPrimary */
function link(key, href, isPrimary) {
  return h('a', { class: `button small${isPrimary ? ' primary' : ''}`, href }, icon('go'), localized(h('span'), key));
}
