// What the parts on the page of the design show: places that are nowhere, and how a part stands among the others.

import { h } from '../core/dom.js';
import { t } from '../core/i18n.js';
import { Content } from '../session/content.js';

/** A picture of the page's own. */
export const PICTURE = new URL('../../pictures/balloon.svg', import.meta.url).href;

/**
 * One state of a part, with the class or attribute that makes it.
 * @param {string} name as it stands in the code
 * @param {...(Node | null)} parts
 */
export function shown(name, ...parts) {
  return h('figure', { class: 'design-part' }, h('div', { class: 'design-stand' }, ...parts), h('figcaption', {}, h('code', {}, name)));
}

/** @param {...Node} parts */
export const row = (...parts) => h('div', { class: 'design-row' }, ...parts);

/** @param {Partial<import('../types').Place>} place */
const place = (place) => /** @type {import('../types').Place} */ ({
  title: '', altitudeMode: 'eye', offset: { east: 0, north: 0, up: 0 }, visual: { kind: 'text', text: '' }, pivot: 'BC', showInRadar: true, showOnFocus: [],
  categories: [], metadata: {}, position: { latitude: 48.4, longitude: 9.99, altitude: 530 }, ...place,
});

/**
 * Stands in for an open world, as far as those parts ask that are shown here.
 * @returns {import('../session/session.js').Session}
 */
export function sampleSession() {
  const words = [t('start.loop1'), t('start.loop2'), t('start.loop3')];
  const kinds = ['Tower', 'Traffic', 'Museum'];
  const content = new Content({
    world: { id: 'design', url: location.origin },
    dimension: /** @type {import('../types').Dimension} */ (/** @type {unknown} */ ({
      name: t('app.name'), radarRange: 0, radarAvailable: true, refreshIntervalSeconds: 0, refreshDistance: 0, overlays: [],
      assets: [{ id: 'picture', url: PICTURE }],
      places: [
        ...words.map((title, index) => place({
          title, visual: { kind: 'text', text: title }, categories: [kinds[index]], summary: t('design.sample'), id: `p${index}`,
          ...(index === 1 ? {} : { link: location.origin }), ...(index === 2 ? { phone: '+49 731 1' } : {}),
        })),
        place({ title: words[2], visual: { kind: 'image', assetID: 'picture' }, categories: [kinds[2]], id: 'p3' }),
        place({ title: words[0], visual: { kind: 'text', text: words[0] }, categories: [kinds[0]], id: 'p4' }),
      ],
    })),
    problems: [],
  }, { kind: 'around', id: 'design' });
  /** @type {Set<number>} */
  const favourites = new Set([2]);
  return /** @type {import('../session/session.js').Session} */ (/** @type {unknown} */ ({
    content, radius: 5000, selected: null, frame: { isValid: true, bearing: 0 }, address: null, closed: new AbortController().signal,
    marks: {
      isFavourite: (/** @type {number} */ index) => favourites.has(index), isSeen: (/** @type {number} */ index) => index === 0, see: () => undefined,
      setFavourite: (/** @type {number} */ index, /** @type {boolean} */ on) => (on ? favourites.add(index) : favourites.delete(index)),
    },
    on: () => undefined, tell: () => undefined, select: () => undefined,
    range: (/** @type {number} */ index) => ({ distance: [240, 80, 6200, 410, 640][index], bearing: index * 1.3 }),
  }));
}
