// The readiness list: one tap for all permissions; what is missing, how to mend it, and how to go on without it.

import { find, h, icon, setAttribute, setIcon, setText } from '../core/dom.js';
import { localized, onLanguage, t } from '../core/i18n.js';
import { details } from './toast.js';

/**
 * @typedef {import('../device/device.js').Device} Device
 * @typedef {import('../device/device.js').CheckName} CheckName
 * @typedef {{ device: Device, failure: () => string, detail?: () => string | undefined, retry: () => void, loading: () => boolean, start: () => void,
 *   virtual: () => void, show: (view: 'map' | 'list') => void }} GateHost
 */

/** @type {CheckName[]} */
const CHECKS = ['secure', 'camera', 'orientation', 'location'];
const SYMBOLS = { secure: 'lock', camera: 'camera', orientation: 'compass', location: 'location' };
const STATE_SYMBOLS = { ok: 'ok', missing: 'warning', denied: 'blocked', waiting: 'dots' };

export class Gate {
  /** Whether a virtual phone may stand in for being there. */
  isVirtualOffered = true;

  /**
   * @param {HTMLElement} element
   * @param {GateHost} host
   */
  constructor(element, host) {
    this.element = element;
    this.host = host;
    this.far = h('p', { class: 'gate-far', id: 'gate-far', hidden: true });
    this.list = h('ul', { id: 'readiness' });
    this.startButton = h('button', {
      type: 'button',
      class: 'button primary large',
      id: 'start-ar',
      onclick: () => this.#press(),
    });
    this.message = h('p', { class: 'gate-message', role: 'status', hidden: true });
    this.more = h('div', {});
    this.retry = localized(
      h('button', { type: 'button', class: 'button', hidden: true, onclick: host.retry }),
      'common.retry',
    );
    this.virtualWay = way('phone-virtual', 'gate.virtual', host.virtual, 'start-virtual');
    for (const name of CHECKS) this.list.append(this.#row(name));
    element.append(
      h(
        'div',
        { class: 'gate-box' },
        localized(h('h1'), 'gate.title'),
        localized(h('p', { class: 'gate-text' }), 'gate.text'),
        this.far,
        this.list,
        this.message,
        this.more,
        this.retry,
        this.startButton,
        h(
          'div',
          { class: 'gate-ways' },
          this.virtualWay,
          way('map', 'gate.map', () => host.show('map')),
          way('list', 'gate.list', () => host.show('list')),
        ),
      ),
    );
    host.device.on('checks', () => this.update());
    onLanguage(() => this.update(), host.device.session.closed);
    this.update();
  }

  /** @param {CheckName} name */
  #row(name) {
    const mark = icon('dots');
    mark.classList.add('check-mark');
    const goOn = name === 'secure' ? null : localized(
      h('button', { type: 'button', class: 'button tiny-button', hidden: true, onclick: () => this.#without(name) }),
      'gate.goOn',
    );
    return h(
      'li',
      { dataset: { check: name, state: 'waiting' } },
      icon(SYMBOLS[name]),
      h(
        'div',
        { class: 'check-words' },
        h(
          'div',
          { class: 'check-head' },
          localized(h('span', { class: 'check-name' }), `check.${name}`),
          h('span', { class: 'check-state' }),
        ),
        h('p', { class: 'check-text' }),
        goOn,
      ),
      mark,
    );
  }

  /** @param {boolean} on whether one may stand in for being there */
  offerVirtual(on) {
    this.isVirtualOffered = on;
    this.update();
  }

  /** @param {CheckName} name */
  #without(name) {
    const { device } = this.host;
    if (name === 'camera') device.use({ picture: 'drawn' });
    if (name === 'orientation') device.use({ direction: 'hand' });
    if (name === 'location') device.use({ position: 'chosen' });
  }

  /**
   * What there is no sensor for here, and can be done without. What was only refused can be asked for again.
   * @returns {CheckName[]}
   */
  #missing() {
    const { device } = this.host;
    const bad = CHECKS.filter((name) => name !== 'secure' && device.needs(name) && ['missing', 'denied'].includes(device.check(name)));
    const canAsk = bad.some((name) => device.check(name) === 'denied') || (bad.includes('location') && !this.isVirtualOffered);
    return device.started && !canAsk ? bad : [];
  }

  #press() {
    const missing = this.#missing();
    if (missing.length) for (const name of missing) this.#without(name);
    else this.host.start();
  }

  /** @param {string} text how far the world is; '' when that is not worth a word */
  tellFar(text) {
    this.far.hidden = !text;
    this.far.replaceChildren(icon('location'), h('span', {}, text));
    // Then the virtual phone is what shows it.
    const stand = find('#start-virtual', HTMLElement, this.element);
    localized(find('span', HTMLElement, stand), text ? 'nothing.standThere' : 'gate.virtual');
    stand.classList.toggle('primary', Boolean(text));
  }

  update() {
    const { device } = this.host;
    let again = false;
    for (const name of CHECKS) {
      const row = find(`[data-check="${name}"]`, HTMLElement, this.list);
      const state = device.check(name);
      row.hidden = !device.needs(name);
      const bad = state === 'denied' || state === 'missing';
      if (bad && name !== 'secure') again = true;
      setAttribute(row, 'data-state', state);
      const pending = !device.started && state === 'waiting';
      row.classList.toggle('idle', pending);
      setText(find('.check-state', HTMLElement, row), pending ? '' : t(`check.state.${state}`));
      setText(find('.check-text', HTMLElement, row), explanation(name, pending ? 'idle' : state));
      setIcon(find('.check-mark', SVGSVGElement, row), STATE_SYMBOLS[state]);
      const goOn = row.querySelector('button');
      if (goOn) goOn.hidden = !(bad && device.started) || (name === 'location' && !this.isVirtualOffered);
    }
    setText(this.startButton, t(this.#missing().length ? 'gate.goOn' : device.started && again ? 'gate.again' : 'gate.start'));
    const busy = device.started && !again;
    this.startButton.hidden = busy;
    this.virtualWay.hidden = !this.isVirtualOffered;
    const failure = this.host.failure();
    this.message.hidden = !(failure || (busy && this.host.loading()));
    setText(this.message, failure ? t('gate.worldFailed', { reason: failure }) : t('gate.waitingWorld'));
    this.message.classList.toggle('bad', Boolean(failure));
    const detail = failure ? this.host.detail?.() ?? '' : '';
    if (this.more.dataset.text !== detail) {
      this.more.dataset.text = detail;
      const more = details(detail);
      this.more.replaceChildren(...(more ? [more] : []));
    }
    this.retry.hidden = !failure;
  }
}

/**
 * @param {CheckName} name
 * @param {'idle' | import('../device/device.js').CheckState} state
 */
function explanation(name, state) {
  if (name === 'secure') return t(state === 'missing' ? 'check.secure.missing' : 'check.secure.idle');
  return t(`check.${name}.${state === 'ok' ? 'idle' : state}`);
}

/**
 * @param {string} symbol
 * @param {import('../core/i18n.js').TextKey} key
 * @param {() => void} run
 * @param {string} [id]
 */
function way(symbol, key, run, id) {
  return h('button', { type: 'button', class: 'button', onclick: run, id }, icon(symbol), localized(h('span'), key));
}
