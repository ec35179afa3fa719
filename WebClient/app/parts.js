// The parts of the client besides worlds, each opened by need at an address of its own, `#/NAME/…?…`, and offered on the
// start page.

import { loadLeafletStyle, loadShared, loadStyle } from './core/dom.js';
import { loadTexts } from './core/i18n.js';

/**
 * @typedef {{ path: string[], query: URLSearchParams, leave: () => void }} Opening `path` is what follows the part's name
 * @typedef {{ close: () => void, state?: () => Record<string, any>, follow?: (opening: Opening) => boolean }} Page a part
 *   that is open; `follow` says whether it went to another address of its own by itself
 * @typedef {{
 *   icon: string, hue: number, title: import('./core/i18n.js').TextKey, summary: import('./core/i18n.js').TextKey,
 *   isOffered?: (settings: import('./types').ServerSettings) => boolean, keepsWorld?: boolean,
 *   open: (opening: Opening) => Promise<Page>
 * }} Part `isOffered`: whether this server has what it takes; without it, always; `keepsWorld`: an open world
 *   is only set aside meanwhile, and is there again on the way back
 */

/**
 * Styles of parts, and with them those that all parts share.
 * @param {...string} own
 */
const styled = (...own) => Promise.all([loadShared('start', 'panels', 'places', 'markers'), loadLeafletStyle(), ...own.map(loadStyle)]);

/** @type {Record<string, Part>} */
export const PARTS = {
  join: {
    icon: 'search', hue: 40, title: 'start.join', summary: 'start.joinSummary',
    open: async (opening) => {
      const [{ openJoin }] = await Promise.all([import('./tours/join.js'), styled()]);
      return openJoin(opening);
    },
  },
  tours: {
    icon: 'location', hue: 20, title: 'start.tours', summary: 'start.toursSummary',
    open: async (opening) => {
      const [{ openTours }] = await Promise.all([import('./tours/pages.js'), styled()]);
      return openTours(opening);
    },
  },
  markers: {
    icon: 'ar', hue: 165, title: 'markers.title', summary: 'markers.summary',
    open: async ({ leave }) => {
      const [{ MarkersPage }] = await Promise.all([import('./markers/page.js'), loadTexts('lens'), styled()]);
      return new MarkersPage(leave);
    },
  },
  place: {
    icon: 'target', hue: 185, title: 'start.place', summary: 'start.placeSummary',
    open: async ({ leave }) => {
      const [{ PlacePage }] = await Promise.all([import('./place/page.js'), loadTexts('place'), styled('place')]);
      return new PlacePage(leave);
    },
  },
  studio: {
    icon: 'edit', hue: 280, title: 'start.studio', summary: 'start.studioSummary',
    open: async (opening) => {
      const [{ StudioPage }] = await Promise.all([
        import('./studio/page.js'), loadTexts('studio'), loadTexts('accounts'), styled('studio'),
      ]);
      return new StudioPage(opening);
    },
  },
  account: {
    icon: 'lock', hue: 240, title: 'start.account', summary: 'start.accountSummary',
    open: async (opening) => {
      const [{ AccountPage }] = await Promise.all([
        import('./accounts/page.js'), loadTexts('accounts'), styled('studio', 'accounts'),
      ]);
      return new AccountPage(opening);
    },
  },
  transit: {
    icon: 'bus', hue: 222, title: 'start.transit', summary: 'start.transitSummary',
    isOffered: ({ transit }) => Boolean(transit),
    open: async ({ leave, query }) => {
      const [{ TransitPage }] = await Promise.all([import('./transit/page.js'), loadTexts('transit'), styled('transit')]);
      return TransitPage.open(leave, query);
    },
  },
  scan: {
    icon: 'qr', hue: 205, title: 'start.scan', summary: 'start.scanSummary', keepsWorld: true,
    open: async ({ leave }) => {
      const [{ ScanPage }] = await Promise.all([import('./scan/page.js'), loadTexts('scan'), styled('scan')]);
      return new ScanPage(leave);
    },
  },
  show: {
    icon: 'picture', hue: 100, title: 'start.show', summary: 'start.show', isOffered: () => false,
    open: async (opening) => {
      const [{ ShowPage }] = await Promise.all([import('./show/page.js'), loadTexts('show'), styled('show')]);
      return new ShowPage(opening);
    },
  },
  // For whoever changes how the pages look.
  design: {
    icon: 'settings', hue: 0, title: 'app.name', summary: 'app.name', isOffered: () => false,
    open: async (opening) => {
      const [{ DesignPage }] = await Promise.all([import('./design/page.js'), loadTexts('design'), loadTexts('record'), styled('design')]);
      return new DesignPage(opening);
    },
  },
  'record-sensors': {
    icon: 'record', hue: 0, title: 'app.name', summary: 'app.name', isOffered: () => false,
    open: async ({ leave }) => {
      const [{ SensorsPage }] = await Promise.all([import('./sensors/page.js'), loadTexts('sensors'), loadTexts('record'), styled('sensors')]);
      return new SensorsPage(leave);
    },
  },
  posters: {
    icon: 'heart', hue: 350, title: 'start.posters', summary: 'start.postersSummary',
    open: async (opening) => {
      const [{ PostersPage }] = await Promise.all([import('./posters/page.js'), loadTexts('posters'), styled('posters')]);
      return new PostersPage(opening);
    },
  },
};

/**
 * The part that an address leads to, and what is left of the address for it.
 * @param {string} hash
 */
export function partOf(hash) {
  const text = hash.replace(/^#\/?/, '');
  const split = text.search(/[?&]/);
  const [name, ...path] = (split < 0 ? text : text.slice(0, split)).split('/').filter(Boolean);
  const part = Object.hasOwn(PARTS, name ?? '') ? PARTS[name] : null;
  return part && { name, part, path, query: new URLSearchParams(split < 0 ? '' : text.slice(split + 1)) };
}
