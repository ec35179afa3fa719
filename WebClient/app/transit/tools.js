// What the menu of the departures offers besides: codes, recording, and north, with the stops as landmarks.

import { h, loadShared } from '../core/dom.js';
import { loadTexts, t } from '../core/i18n.js';
import { load } from '../core/storage.js';
import { recordingOf, showPartMenu } from '../ui/part-menu.js';

/** @typedef {import('./page.js').TransitPage} TransitPage */

export class TransitTools {
  #recording;
  /** @type {Promise<import('../align/align.js').Align | null> | null} */
  #aligner = null;

  /** @param {TransitPage} page */
  constructor(page) {
    this.page = page;
    const { session, device } = page;
    this.#recording = recordingOf(session, device, page.bars.lights);
    session.on('aligned', (event) => void this.#align().then((align) => align?.aligned(event)));
    // What was found out about north in earlier visits counts from the start.
    if (load('headingCorrections', /** @type {unknown[]} */ ([])).length || load('level', null)) void this.#align();
  }

  async showMenu() {
    const { page } = this;
    const isPossible = page.device.hasCompass && page.entered && page.shown !== 'list';
    await showPartMenu({
      title: t('start.transit'),
      items: [
        isPossible && { symbol: 'compass', key: 'menu.align', id: 'menu-align', run: () => void this.#openAlign() },
        { symbol: 'settings', key: 'settings.title', id: 'menu-settings', run: () => void import('../ui/settings.js').then(({ showSettings }) => showSettings(page.device)) },
      ],
      recording: this.#recording,
    });
  }

  #align() {
    const { session, device, data, element } = this.page;
    this.#aligner ??= Promise.all([import('../align/align.js'), loadTexts('align'), loadShared('panels')]).then(([{ Align }]) => {
      if (session.closed.aborted) return null;
      // Over the ground, so that it is the world that is dragged and not the map.
      const scene = h('div', { class: 'transit-drag' });
      return new Align(session, device, {
        scene, layer: element, stage: element,
        landmarks: () => data.stops.map(({ name, lat, lon }) => ({ name, latitude: lat, longitude: lon })),
      });
    });
    return this.#aligner;
  }

  async #openAlign() {
    const align = await this.#align();
    if (!align) return;
    this.page.choose(null);
    await align.open();
  }
}
