// Why nothing is to be seen in the view, and the next step: the world is far away, the radius too small, the filter too narrow,
// or its places stand on pictures that have to be there first.

import { h, icon, loadStyle, setText } from '../core/dom.js';
import { distance } from '../core/format.js';
import { localized, onLanguage, t } from '../core/i18n.js';
import { publicAddress } from '../net/public-address.js';
import { FAR, stepFor } from '../session/reach.js';

/**
 * @typedef {import('./stage.js').Stage} Stage
 * @typedef {import('../session/session.js').Session} Session
 * @typedef {{ kind: 'empty' | 'unplaced' | 'filtered' | 'prints' } | { kind: 'radius' | 'far', distance: number }} Reason
 */

/** Steps of the radius, metres. */
const STEP = 500;
/** What a radius that is widened for a place far away has beyond it. */
const ROOM = 1.12;
/** How often the view is judged, milliseconds. */
const EVERY = 500;
const ALL = 0xffff_ffff_ffff_ffffn;

/**
 * @param {Session} session
 * @param {import('../device/device.js').Device} device
 * @returns {Reason | null} null while something is to be seen, or nothing can be said
 */
export function reasonForNothing(session, device) {
  const { content, frame } = session;
  if (!content) return null;
  if (content.places.length === 0) return content.dimension.overlays.length ? null : { kind: 'empty' };
  if (device.markersOnly) return { kind: 'prints' };
  const at = device.position();
  if (!at || !frame?.isValid || frame.candidateCount > 0) return null;
  let [nearest, nearestShown] = [Infinity, Infinity];
  content.places.forEach((_, index) => {
    const far = session.range(index, at)?.distance ?? Infinity;
    nearest = Math.min(nearest, far);
    if (session.isShown(index)) nearestShown = Math.min(nearestShown, far);
  });
  if (nearest === Infinity) return content.places.some((place) => place.target || place.marker) ? null : { kind: 'unplaced' };
  if (nearest <= session.radius) return nearestShown <= session.radius ? null : { kind: 'filtered' };
  return { kind: nearest <= FAR ? 'radius' : 'far', distance: nearest };
}

export class NothingHere {
  #key = '';
  #isDismissed = false;
  text = h('p', { class: 'nothing-text' });
  more = h('div', { class: 'nothing-more' });
  actions = h('div', { class: 'actions nothing-actions' });
  note = h('section', { id: 'nothing-here', class: 'glass', role: 'status', 'data-occupies': '', hidden: true }, this.text, this.more, this.actions);

  /** @param {Stage} stage */
  constructor(stage) {
    this.stage = stage;
    const { session } = stage;
    stage.element.append(this.note);
    const timer = setInterval(() => this.update(), EVERY);
    session.on('world', () => {
      this.#isDismissed = false;
      this.update();
    });
    onLanguage(() => {
      this.#key = '';
      this.update();
    }, session.closed);
    session.closed.addEventListener('abort', () => {
      clearInterval(timer);
      this.note.remove();
    });
  }

  /** The reason in words; '' while something is to be seen. */
  sentence() {
    const { session, device } = this.stage;
    const reason = reasonForNothing(session, device);
    const name = session.content?.title ?? '';
    if (!reason) return '';
    return 'distance' in reason ? t(`nothing.${reason.kind}`, { name, distance: distance(reason.distance) }) : t(`nothing.${reason.kind}`);
  }

  update() {
    const { stage } = this;
    const { session, device } = stage;
    const isSeen = reasonForNothing(session, device);
    const isFound = stage.anchors.isAnyFound;
    if (isFound) this.#isDismissed = true;
    const isPossible = stage.entered && stage.view === 'ar' && !session.suspended && session.selected === null &&
      document.documentElement.dataset.around === undefined;
    const reason = isPossible && !this.#isDismissed ? isSeen : null;
    document.documentElement.toggleAttribute('data-prints', device.markersOnly);
    if (this.note.hidden === Boolean(reason)) this.note.hidden = !reason;
    if (!reason) return;
    setText(this.text, this.sentence());
    const key = `${reason.kind} ${device.sources.picture} ${'distance' in reason && reason.kind === 'radius' ? Math.ceil(reason.distance / STEP) : ''}`;
    if (key === this.#key) return;
    this.#key = key;
    void loadStyle('nothing');
    this.more.replaceChildren();
    this.actions.replaceChildren(...this.#steps(reason));
    if (reason.kind === 'prints') void this.#showPrints();
  }

  /** @param {Reason} reason */
  #steps(reason) {
    const { stage } = this;
    const { session } = stage;
    const around = link('nothing.around', `#/around${stage.device.isVirtual ? '?virtual=1' : ''}`);
    switch (reason.kind) {
      case 'far':
        return [
          button('nothing.standThere', 'phone-virtual', () => stage.standThere(), true),
          button('nothing.widen', 'plus', () => session.setRadius(stepFor(reason.distance * ROOM))), around,
        ];
      case 'radius': {
        const wanted = Math.min(FAR, Math.ceil(reason.distance / STEP) * STEP);
        return [button('nothing.widen', 'plus', () => session.setRadius(wanted), true), button('nothing.standThere', 'phone-virtual', () => stage.standThere())];
      }
      case 'filtered':
        return [button('nothing.showAll', 'ok', () => session.setCategories(ALL), true)];
      case 'unplaced':
        return [button('gate.list', 'list', () => stage.navigate({ view: 'list' }, false), true)];
      case 'prints':
        return [button('nothing.ready', 'ok', () => this.#dismiss(), true)];
      default:
        return [link('menu.leave', '#/'), around];
    }
  }

  #dismiss() {
    this.#isDismissed = true;
    this.update();
  }

  /** The pictures and markers that have to be there, and where they are had. */
  async #showPrints() {
    const { content, address } = this.stage.session;
    if (!content) return;
    const [{ printsOf }, { pictureSource }] = await Promise.all([import('../show/prints.js'), import('../net/assets.js')]);
    const prints = printsOf(content.dimension, (id) => content.assetURL(id));
    const pictures = h('div', { class: 'nothing-prints' }, ...prints.slice(0, 6).map((one) => (one.kind === 'picture'
      ? h('img', { src: pictureSource(one.url ?? ''), alt: one.name, loading: 'lazy' })
      : h('span', { class: 'nothing-marker', title: `${one.dictionary} ${one.id}` }, icon('qr'), String(one.id)))));
    /** @type {Node[]} */
    const parts = [pictures];
    if (address?.kind === 'world') {
      const path = `/#/show/${encodeURIComponent(address.id)}`;
      const { url } = await publicAddress(path);
      parts.push(
        h('p', { class: 'nothing-where' }, t('nothing.otherScreen'), ' ', h('strong', {}, url.replace(/^https?:\/\//, ''))),
        h('div', { class: 'actions nothing-actions' }, link('nothing.show', path.slice(1), '_blank'), link('nothing.print', path.slice(1), '_blank')),
      );
    }
    this.more.replaceChildren(...parts);
  }
}

/**
 * @param {import('../core/i18n.js').TextKey} key
 * @param {string} symbol
 * @param {() => void} run
 * @param {boolean} [isPrimary]
 */
function button(key, symbol, run, isPrimary = false) {
  return h('button', { type: 'button', class: `button${isPrimary ? ' primary' : ''}`, dataset: { step: key }, onclick: run }, icon(symbol), localized(h('span'), key));
}

/**
 * @param {import('../core/i18n.js').TextKey} key
 * @param {string} href
 * @param {string} [target]
 */
function link(key, href, target = '') {
  return h('a', { class: 'button', href, target, rel: target ? 'noopener' : '', dataset: { step: key } }, localized(h('span'), key));
}
