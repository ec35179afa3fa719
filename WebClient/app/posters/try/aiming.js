// The four ways to tell where the wall is, up to the anchor.

import { h, icon } from '../../core/dom.js';
import { localized, t } from '../../core/i18n.js';
import { load, save } from '../../core/storage.js';
import { askForSensors } from '../../device/orientation.js';
import { showSheet } from '../../markers/sheet.js';
import { preloadWalls } from '../../vision/camera-vision.js';
import { stillOf } from '../../vision/still.js';
import { showDialog } from '../../ui/dialog.js';
import { toast } from '../../ui/toast.js';
import { MARKER_DICTIONARY } from '../../../engine/layout.js';
import { pictureBlob } from '../api.js';
import { keptWalls } from '../kept.js';
import { WallAnchor } from './anchor.js';
import { Handles } from './handles.js';
import { restoredWall, wallList } from './kept-walls.js';
import { pickPoster } from './picker.js';

/**
 * @typedef {import('./anchor.js').AnchorKind} AnchorKind
 * @typedef {import('../../vision/camera-vision.js').CameraVision} CameraVision
 * @typedef {import('../../vision/camera-vision.js').Sight} Sight
 * @typedef {import('../../vision/camera-vision.js').Still} Still
 * @typedef {import('../../../engine/targets.js').TargetDescription} TargetDescription
 * @typedef {[number, number]} Point
 * @typedef {import('../kept.js').KeptWall} KeptWall
 * @typedef {{ anchor: WallAnchor, beside: number, kept?: KeptWall }} Aimed `beside`: how far to the right of the wall's middle the first
 *   poster begins, metres; 0: it hangs in the middle; `kept`: the wall of an earlier visit that it is
 */

/** Millimetres of what people have at hand. */
const SHEETS = { a4: [210, 297], a5: [148, 210], a3: [297, 420], letter: [215.9, 279.4], card: [53.98, 85.6] };
/** How far away somebody stands who photographs a wall, metres: only until an edge is measured. */
const GUESSED_DISTANCE = 1.5;
/** How much of the wall round a sheet or a marker is learned, in lengths of its longer edge. */
const AROUND_SHEET = 1.5;
const AROUND_MARKER = 5;
/** Longest side of the pictures that targets are made of, pixels. */
const LONGEST = 960;
const WAYS = /** @type {const} */ ([
  ['photo', 'camera'], ['sheet', 'sheet'], ['marker', 'target'], ['poster', 'search'],
]);

export class Aiming {
  /** @type {Handles | null} */
  #handles = null;
  /** @type {((sight: Sight) => void) | null} what waits for the next picture */
  #waiting = null;
  #count = 0;

  /**
   * @param {CameraVision} vision
   * @param {HTMLElement} host over the camera
   * @param {HTMLElement} panel
   * @param {{ say: (text: string) => void, freeze: (frozen: boolean) => void, learned: () => void }} page `freeze` holds the picture that
   *   is shown; `learned`: more is known of what hangs on the wall
   */
  constructor(vision, host, panel, { say, freeze, learned }) {
    this.vision = vision;
    this.host = host;
    this.panel = panel;
    this.say = say;
    this.freeze = freeze;
    this.learned = learned;
  }

  /** @param {Sight} sight */
  see(sight) {
    const waiting = this.#waiting;
    this.#waiting = null;
    waiting?.(sight);
  }

  /**
   * @template T
   * @param {(sight: Sight) => T} use called while the next picture is open, which it is only for a moment
   * @returns {Promise<T>}
   */
  #nextSight(use) {
    return new Promise((resolve) => (this.#waiting = (sight) => resolve(use(sight))));
  }

  /**
   * Asks how, and goes through with it.
   * @returns {Promise<Aimed | null>} `null` when it was given up
   */
  async run() {
    for (;;) {
      const way = await this.#chooseWay(await keptWalls());
      if (!way) return null;
      const aimed = typeof way === 'string' ? await this.#aim(way) : await restoredWall(way, this.vision, () => `wall-${++this.#count}`);
      this.#clear();
      if (aimed) return aimed;
    }
  }

  /**
   * @param {AnchorKind} kind
   * @returns {Promise<Aimed | null>}
   */
  #aim(kind) {
    if (kind === 'poster') return this.#aimPoster();
    void preloadWalls();
    if (kind === 'marker') return this.#aimMarker();
    return this.#aimStill(kind);
  }

  /**
   * @param {KeptWall[]} kept
   * @returns {Promise<AnchorKind | KeptWall | null>}
   */
  #chooseWay(kept) {
    return new Promise((resolve) => {
      const take = (/** @type {AnchorKind | KeptWall} */ choice) => {
        // On iOS the sensors want a tap; without them everything works but what is out of view.
        void askForSensors();
        resolve(choice);
        dialog.close();
      };
      const way = (/** @type {AnchorKind} */ kind, /** @type {string} */ symbol) => h('button', {
        type: 'button', class: 'way', dataset: { way: kind }, onclick: () => take(kind),
      }, icon(symbol), h('span', { class: 'way-words' }, localized(h('strong'), /** @type {any} */ (`posters.way.${kind}`)),
        localized(h('span'), /** @type {any} */ (`posters.wayText.${kind}`))));
      const dialog = showDialog({ title: t('posters.where'), id: 'poster-ways' },
        h('div', { class: 'ways' }, ...WAYS.map(([kind, symbol]) => way(kind, symbol))), wallList(kept, take));
      void dialog.closed.then(() => resolve(null));
    });
  }

  /**
   * A photograph of the wall, with or without a sheet of known size on it.
   * @param {'photo' | 'sheet'} kind
   * @returns {Promise<Aimed | null>}
   */
  async #aimStill(kind) {
    for (;;) {
      this.say(t(`posters.aim.${kind}`));
      if (!await this.#button('camera', 'posters.shutter', 'wall-shutter')) return null;
      const { still, width, height, focal } = await this.#nextSight(({ image, width, height, focal }) => {
        this.freeze(true);
        return { still: stillOf(image, width, height), width, height, focal };
      });
      if (!await this.#canSeeWalls()) {
        this.freeze(false);
        continue;
      }
      const found = await this.vision.findSheet(still).catch(() => null);
      const corners = found ?? inset(width, height, kind === 'photo' ? 0.12 : 0.3);
      // A photograph's frame is taken as it is, unless something rectangular was found that fills much of it.
      const start = kind === 'sheet' || (found && area(corners) > 0.2 * width * height) ? corners : inset(width, height, 0.12);
      this.#handles = new Handles({ width, height }, start, { isClosed: true });
      this.host.append(this.#handles.element);
      this.say(t(kind === 'sheet' ? 'posters.mark.sheet' : 'posters.mark.photo'));
      const sheet = kind === 'sheet' ? this.#sheetChoice() : null;
      const isConfirmed = await this.#button('ok', 'posters.useThis', 'wall-confirm', sheet?.element);
      const points = this.#handles.points;
      this.#clear();
      if (!isConfirmed) {
        this.freeze(false);
        continue;
      }
      const made = await this.#fromStill(kind, still, points, focal, sheet?.size(points) ?? null);
      this.freeze(false);
      if (made) return made;
    }
  }

  /** Whether the engine's file for walls is there; says so when it could not be loaded. */
  #canSeeWalls() {
    return preloadWalls().then(() => true, (error) => {
      console.warn(error);
      toast(t('fail.engineStart'), { kind: 'warning', key: 'anchor' });
      return false;
    });
  }

  /**
   * @param {'photo' | 'sheet'} kind
   * @param {Still} still
   * @param {Point[]} corners
   * @param {number} focal
   * @param {{ width: number, height: number } | null} size metres
   * @returns {Promise<Aimed | null>}
   */
  async #fromStill(kind, still, corners, focal, size) {
    const width = size?.width ?? (Math.hypot(corners[1][0] - corners[0][0], corners[1][1] - corners[0][1]) / focal) * GUESSED_DISTANCE;
    const rectangle = { corners, width, height: size?.height ?? 0, focal, margin: size ? AROUND_SHEET : 0 };
    const front = await this.vision.wallFront(still, rectangle);
    if (!front) {
      toast(t('posters.noRectangle'), { kind: 'warning', key: 'anchor' });
      return null;
    }
    const anchor = new WallAnchor(kind, size !== null);
    const description = await this.#learn(anchor, front);
    return this.#accept(description) ? { anchor, beside: 0 } : null;
  }

  /**
   * @param {WallAnchor} anchor
   * @param {import('../../../engine/wall.js').Front} front
   */
  async #learn(anchor, { pixels, width, height, left, top, right, bottom }) {
    const key = `wall-${++this.#count}`;
    const layout = { format: /** @type {const} */ ('gray'), width, height, offset: 0, stride: width, isLimited: false };
    const { description, file } = await this.vision.addPicture(key, { pixels, layout }, right - left);
    anchor.targets.push({ key, center: [(left + right) / 2, (top + bottom) / 2], file, width: right - left });
    return description;
  }

  /**
   * Whether a picture is good enough to be found again; says why not.
   * @param {TargetDescription} description
   */
  #accept({ stars, reasons }) {
    if (stars >= 1) {
      if (stars < 2) toast(t('posters.weakAnchor', { why: words(reasons) }), { key: 'anchor' });
      return true;
    }
    this.vision.remove(this.vision.keys);
    toast(t('posters.noAnchor', { why: words(reasons) }), { kind: 'warning', key: 'anchor' });
    return false;
  }

  #sheetChoice() {
    const saved = load('posters.sheet', 'a4');
    const select = h('select', { class: 'select', id: 'wall-sheet', onchange: () => save('posters.sheet', select.value) },
      ...Object.keys(SHEETS).map((name) => localized(h('option', { value: name }), /** @type {any} */ (`posters.sheet.${name}`))));
    select.value = saved in SHEETS ? saved : 'a4';
    return {
      element: h('label', { class: 'setting' }, localized(h('span'), 'posters.sheetKind'), select),
      size: (/** @type {Point[]} */ [a, b, c, d]) => {
        const [short, long] = SHEETS[/** @type {keyof typeof SHEETS} */ (select.value)].map((value) => value / 1000);
        const across = Math.hypot(b[0] - a[0], b[1] - a[1]) + Math.hypot(c[0] - d[0], c[1] - d[1]);
        const down = Math.hypot(d[0] - a[0], d[1] - a[1]) + Math.hypot(c[0] - b[0], c[1] - b[1]);
        return across > down ? { width: long, height: short } : { width: short, height: long };
      },
    };
  }

  /** @returns {Promise<Aimed | null>} */
  async #aimMarker() {
    const choice = { dictionary: '6x6-250', millimetres: 60, ...load('markers', {}) };
    if (!MARKER_DICTIONARY.includes(choice.dictionary)) choice.dictionary = '6x6-250';
    const watch = () => {
      this.vision.watchMarkers({ dictionaries: [choice.dictionary], sides: [], usual: choice.millimetres / 1000 });
      save('markers', { ...load('markers', {}), ...choice });
    };
    const side = h('input', {
      type: 'number', class: 'field', id: 'wall-marker-side', min: '10', max: '2000', value: String(choice.millimetres),
      oninput: () => {
        const value = Number(side.value);
        if (value < 10 || value > 2000) return;
        choice.millimetres = value;
        watch();
      },
    });
    const dictionary = h('select', {
      class: 'select', id: 'wall-marker-dictionary',
      onchange: () => {
        choice.dictionary = dictionary.value;
        watch();
      },
    }, ...MARKER_DICTIONARY.map((name) => h('option', { value: name }, name)));
    dictionary.value = choice.dictionary;
    watch();
    this.say(t('posters.aim.marker'));
    /** @type {boolean | null} whether it was confirmed; `null` as long as neither */
    let answer = null;
    const print = localized(h('button', {
      type: 'button', class: 'button', id: 'wall-print', onclick: () => void showSheet({ side: choice.millimetres, dictionary: choice.dictionary }),
    }), 'posters.print');
    void this.#button('ok', 'posters.useThis', 'wall-confirm', h('div', { class: 'wall-fields' },
      h('label', { class: 'setting' }, localized(h('span'), 'sheet.dictionary'), dictionary),
      h('label', { class: 'setting' }, localized(h('span'), 'sheet.side'), side), print)).then((isConfirmed) => (answer = isConfirmed));
    const confirm = this.panel.querySelector('#wall-confirm');
    if (confirm instanceof HTMLButtonElement) confirm.disabled = true;
    let steady = 0;
    for (;;) {
      const seen = await this.#nextSight(({ observations, image, width, height, focal }) => {
        const marker = observations.filter(({ kind, state, pose }) => kind === 'marker' && state !== 'carried' && pose).sort((a, b) => span(b.corners) - span(a.corners))[0];
        // Several pictures in a row, so that a hand that still moves is not taken for the place.
        steady = marker ? steady + 1 : 0;
        if (confirm instanceof HTMLButtonElement) confirm.disabled = steady < 3;
        this.say(marker ? t('posters.seen.marker', { id: marker.id }) : t('posters.aim.marker'));
        return answer && marker && steady >= 3 ? { marker, still: stillOf(image, width, height), focal } : null;
      });
      if (answer === false) {
        this.vision.watchMarkers(null);
        return null;
      }
      if (!seen) continue;
      const { marker, still, focal } = seen;
      const anchor = new WallAnchor('marker', true);
      anchor.marker = { dictionary: marker.dictionary, id: marker.id, side: choice.millimetres / 1000 };
      void this.#learnAround(anchor, still, marker.corners, marker.width, focal);
      return { anchor, beside: 0 };
    }
  }

  /**
   * The wall round a marker, so that it is known where the marker is while it is covered or out of the picture.
   * @param {WallAnchor} anchor
   * @param {Still} still
   * @param {Point[]} corners
   * @param {number} side metres
   * @param {number} focal
   */
  async #learnAround(anchor, still, corners, side, focal) {
    const front = await this.vision.wallFront(still, { corners, width: side, height: side, focal, margin: AROUND_MARKER }).catch(() => null);
    if (front) await this.#learn(anchor, front).then(() => this.learned(), () => undefined);
  }

  /** @returns {Promise<Aimed | null>} */
  async #aimPoster() {
    const picked = await pickPoster('posters.whichHangs', true);
    if (!picked) return null;
    const { poster, size } = picked;
    try {
      const bitmap = await createImageBitmap(await pictureBlob(poster, 800));
      const scale = Math.min(1, LONGEST / Math.max(bitmap.width, bitmap.height));
      const still = stillOf(bitmap, Math.round(bitmap.width * scale), Math.round(bitmap.height * scale));
      bitmap.close();
      const anchor = new WallAnchor('poster', true);
      const key = `wall-${++this.#count}`;
      const width = poster.sizes[size].width / 1000;
      const { description, file } = await this.vision.addPicture(key, still, width);
      if (!this.#accept(description)) return null;
      anchor.targets.push({ key, center: [0, 0], file, width });
      this.say(t('posters.aim.poster', { title: poster.title }));
      return { anchor, beside: width / 2 + 0.1 };
    } catch (error) {
      console.warn(error);
      toast(t('posters.failed'), { kind: 'warning', key: 'anchor' });
      return null;
    }
  }

  /**
   * One large button, and one to go back.
   * @param {string} symbol
   * @param {import('../../core/i18n.js').TextKey} key
   * @param {string} id
   * @param {HTMLElement} [more] above them
   * @returns {Promise<boolean>} whether it was the large one
   */
  #button(symbol, key, id, more) {
    return new Promise((resolve) => {
      const main = h('button', { type: 'button', class: 'button primary', id, onclick: () => resolve(true) }, icon(symbol), localized(h('span'), key));
      const back = localized(h('button', { type: 'button', class: 'button', id: 'wall-back', onclick: () => resolve(false) }), 'posters.back');
      this.panel.replaceChildren(...(more ? [more] : []), h('div', { class: 'wall-buttons' }, back, main));
    });
  }

  #clear() {
    this.#handles?.close();
    this.#handles = null;
    this.panel.replaceChildren();
  }

  close() {
    this.#waiting = null;
    this.#clear();
  }
}

/**
 * @param {number} width
 * @param {number} height
 * @param {number} share of the shorter side that is left free
 * @returns {Point[]}
 */
function inset(width, height, share) {
  const by = share * Math.min(width, height);
  return [[by, by], [width - 1 - by, by], [width - 1 - by, height - 1 - by], [by, height - 1 - by]];
}

/** @param {Point[]} p */
function area(p) {
  return Math.abs(p.reduce((sum, [x, y], k) => sum + x * p[(k + 1) % p.length][1] - p[(k + 1) % p.length][0] * y, 0)) / 2;
}

/** @param {Point[]} corners */
const span = (corners) => Math.hypot(corners[2][0] - corners[0][0], corners[2][1] - corners[0][1]);

/** @param {string[]} reasons */
const words = (reasons) => reasons.map((reason) => t(/** @type {any} */ (`posters.why.${reason}`))).join(', ');
