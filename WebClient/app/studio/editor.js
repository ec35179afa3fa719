// The editor of one world: a map, a panel with forms, and everything one does with the whole.

import { h, icon, setText } from '../core/dom.js';
import { labelled, localized, onLanguage, t } from '../core/i18n.js';
import { formatRoute } from '../core/router.js';
import { load, save as store } from '../core/storage.js';
import { quietPosition } from '../device/location.js';
import { whenAtRest } from '../map/life.js';
import { categoryHue } from '../session/content.js';
import { announce, toast } from '../ui/toast.js';
import { uploadAsset } from '../accounts/account-api.js';
import { failure } from '../accounts/forms.js';
import { addPlace, changePlace, newID, newPlace, removePlace } from './content.js';
import { showConflict } from './conflict.js';
import { Draft } from './draft.js';
import { exportDialog, importDialog } from './files.js';
import { historyDialog } from './history.js';
import { MapEditor } from './map-editor.js';
import { showPanel } from './panel.js';
import { previewDialog } from './preview.js';
import { addSearch } from './search.js';
import { membersDialog, publishDialog, removeDialog } from './sharing.js';

/**
 * @typedef {import('../types').Place} Place
 * @typedef {import('./studio-api.js').OpenWorld} OpenWorld
 * @typedef {import('./studio-api.js').StudioWorld} StudioWorld
 * @typedef {'places' | 'world' | 'overlays'} Tab
 */

/**
 * What was edited when a world's preview was opened, by the world's identifier: who comes back goes on with it.
 * @type {Map<string, { tab: Tab, selected: string | null, overlay: string | null }>}
 */
const leftFor = new Map();

export class Editor {
  /** @type {Tab} */
  tab = 'places';
  /** @type {string | null} the place that is edited */
  selected = null;
  /** @type {string | null} the overlay that is edited */
  overlay = null;
  #life = new AbortController();
  /** @type {Map<string, number>} */
  #hues = new Map();
  #closeConflict = () => {};

  /**
   * @param {HTMLElement} parent
   * @param {OpenWorld} answer
   * @param {{ id: string, title: string }[]} worlds of this server, to link to
   */
  constructor(parent, answer, worlds) {
    this.world = answer.world;
    this.worlds = worlds;
    this.draft = new Draft(answer);
    this.title = h('h1', { class: 'editor-title' });
    this.status = h('p', { class: 'editor-status', id: 'editor-status', role: 'status' });
    this.mapBox = h('div', { class: 'editor-map', id: 'editor-map' });
    this.panel = h('div', { class: 'editor-panel', id: 'editor-panel' });
    this.tabs = h('div', { class: 'editor-tabs', role: 'tablist' });
    this.hint = localized(h('p', { class: 'adding-hint glass', hidden: true }), 'studio.tapMap');
    this.element = h(
      'div',
      { class: 'editor', id: 'studio-editor' },
      this.#bar(),
      this.mapBox,
      h('aside', { class: 'editor-side' }, this.tabs, this.panel),
    );
    parent.append(this.element);
    this.map = new MapEditor(this.mapBox);
    this.mapBox.append(this.hint);
    void addSearch(this, this.#life.signal);
    this.#listen();
    this.#goOn();
    this.showPanel();
    this.#showMap();
    this.#showState();
    if (this.draft.dimension.places.some(({ position }) => position)) this.map.fit();
    else void this.#begin();
    whenAtRest(this.map.map, () => store('studio.view', { ...this.map.center(), zoom: this.map.map.getZoom() }));
  }

  /** Whoever comes back from trying the world finds what he was at. */
  #goOn() {
    const left = leftFor.get(this.world.id);
    leftFor.delete(this.world.id);
    if (!left) return;
    const { places, overlays } = this.draft.dimension;
    this.tab = left.tab;
    this.selected = places.some(({ id }) => id === left.selected) ? left.selected : null;
    this.overlay = overlays.some(({ id }) => id === left.overlay) ? left.overlay : null;
  }

  /** An empty world begins where one last worked, else where one is. */
  async #begin() {
    const view = load('studio.view', /** @type {{ latitude: number, longitude: number, zoom: number } | null} */ (null));
    if (view && [view.latitude, view.longitude, view.zoom].every(Number.isFinite)) return void this.map.map.setView([view.latitude, view.longitude], view.zoom, { animate: false });
    const here = await quietPosition();
    if (here && !this.#life.signal.aborted && !this.draft.dimension.places.length) {
      this.map.map.setView([here.latitude, here.longitude], 16, { animate: false });
    }
  }

  // The bar

  #bar() {
    const round = (
      /** @type {string} */ id, /** @type {string} */ symbol, /** @type {import('../core/i18n.js').TextKey} */ key, /** @type {() => void} */ run,
    ) => labelled(h('button', { type: 'button', class: 'round plain', id, onclick: run }, icon(symbol)), key);
    this.undoButton = round('studio-undo', 'undo', 'studio.undo', () => this.undo());
    this.redoButton = round('studio-redo', 'redo', 'studio.redo', () => this.redo());
    return h(
      'header',
      { class: 'editor-bar' },
      labelled(h('a', { class: 'round plain', href: '#/studio', id: 'editor-back' }, icon('back')), 'studio.toWorlds'),
      h('div', { class: 'editor-name' }, this.title, this.status),
      this.undoButton,
      this.redoButton,
      h('button', { type: 'button', class: 'button', id: 'studio-preview', onclick: () => void previewDialog(this) }, icon('phone'), localized(h('span'), 'studio.preview')),
      h('button', { type: 'button', class: 'button primary', id: 'studio-publish', onclick: () => void publishDialog(this) }, icon('share'), localized(h('span'), 'studio.publish')),
    );
  }

  #listen() {
    const { draft, map } = this;
    draft.on('change', ({ others }) => {
      this.#showMap();
      this.#showBar();
      if (!others) return;
      if (this.selected && !draft.dimension.places.some(({ id }) => id === this.selected)) this.selected = null;
      this.showPanel();
      if (draft.other) toast(t('studio.others', { name: draft.other }), { key: 'studio-others' });
    });
    draft.on('state', () => this.#showState());
    draft.on('conflict', (contradiction) => {
      // What an editor that is gone could not save is on this device, and comes up again when the world is opened.
      if (this.element.isConnected) this.#closeConflict = showConflict(this, contradiction);
    });
    map.on('select', (id) => this.select(id));
    map.on('move', ({ id, latitude, longitude }) => {
      draft.edit((dimension) => {
        const old = dimension.places.find((place) => place.id === id)?.position;
        return changePlace(dimension, id, { position: { ...old, latitude, longitude } });
      }, `move ${id}`);
      if (this.selected === id) this.#showPosition(latitude, longitude);
    });
    map.on('add', (point) => this.addPlace(point));
    onLanguage(() => this.showPanel(), this.#life.signal);
    addEventListener('keydown', (event) => this.#key(event), { signal: this.#life.signal });
    addEventListener('beforeunload', (event) => {
      if (!draft.isSaved) event.preventDefault();
    }, { signal: this.#life.signal });
    document.addEventListener('visibilitychange', () => {
      if (document.visibilityState === 'hidden') void draft.save();
      else void draft.look();
    }, { signal: this.#life.signal });
  }

  /** @param {KeyboardEvent} event */
  #key(event) {
    if (document.querySelector('dialog[open]')) return;
    if (event.key === 'Escape' && this.map.drawing) return this.cancelDrawing();
    if (event.key === 'Escape' && this.map.isAdding) return this.stopAdding();
    if (!(event.ctrlKey || event.metaKey) || event.altKey) return;
    // A text field's own undo knows letters; the studio's knows the world. The world's is the one that is always there.
    const key = event.key.toLowerCase();
    if (key === 'z' && !event.shiftKey) this.undo();
    else if (key === 'y' || (key === 'z' && event.shiftKey)) this.redo();
    else if (key === 's') void this.draft.save();
    else return;
    event.preventDefault();
  }

  undo() {
    if (!this.draft.canUndo) return;
    this.draft.undo();
    this.#afterStep('studio.undone');
  }

  redo() {
    if (!this.draft.canRedo) return;
    this.draft.redo();
    this.#afterStep('studio.redone');
  }

  /** @param {'studio.undone' | 'studio.redone'} key */
  #afterStep(key) {
    const { places, overlays } = this.draft.dimension;
    if (!places.some(({ id }) => id === this.selected)) this.selected = null;
    if (!overlays.some(({ id }) => id === this.overlay)) this.overlay = null;
    this.showPanel();
    announce(t(key));
  }

  // What is shown

  #showBar() {
    const { draft } = this;
    setText(this.title, draft.dimension.name?.trim() || t('menu.untitled'));
    this.undoButton?.toggleAttribute('disabled', !draft.canUndo);
    this.redoButton?.toggleAttribute('disabled', !draft.canRedo);
  }

  #showState() {
    const { draft } = this;
    this.#showBar();
    this.status.dataset.state = draft.state;
    const published = this.world.published;
    const saved = published === null ? t('studio.draft') : published === draft.version ? t('studio.asPublished') : t('studio.newerDraft');
    setText(this.status, draft.state === 'saved' ? saved : draft.state === 'refused' ? draft.refusal : t(`studio.state.${draft.state}`));
  }

  #showMap() {
    const { places } = this.draft.dimension;
    this.#hues = new Map();
    for (const place of places) {
      const name = place.categories[0];
      if (name && !this.#hues.has(name)) this.#hues.set(name, categoryHue(this.#hues.size + 1));
    }
    this.map.show(places.flatMap((place) => place.position && place.id
      ? [{ id: place.id, title: place.title, latitude: place.position.latitude, longitude: place.position.longitude, hue: this.hueOf(place), radius: place.visibilityRadius }]
      : []));
    this.map.showShapes(places.flatMap((place) => (place.id ? [{ id: place.id, hue: this.hueOf(place), place }] : [])));
    this.map.select(this.selected);
  }

  /** @param {Place} place */
  hueOf(place) {
    return this.#hues.get(place.categories[0] ?? '') ?? 165;
  }

  /** Makes the form anew; what had the focus has it again. */
  showPanel() {
    showPanel(this);
  }

  /**
   * @param {number} latitude
   * @param {number} longitude
   */
  #showPosition(latitude, longitude) {
    const put = (/** @type {string} */ id, /** @type {number} */ value) => {
      const input = this.panel.querySelector(id);
      if (input instanceof HTMLInputElement && input !== document.activeElement) input.value = String(value);
    };
    put('#place-latitude', latitude);
    put('#place-longitude', longitude);
  }

  /** @param {Tab} tab */
  showTab(tab) {
    this.tab = tab;
    this.showPanel();
  }

  /**
   * @param {string | null} id
   * @param {boolean} [show] brings it into sight on the map
   */
  select(id, show = false) {
    if (id !== this.selected) this.cancelDrawing();
    if (id === this.selected && this.tab === 'places') return this.map.select(id, show);
    this.selected = id;
    if (id) this.tab = 'places';
    this.map.select(id, show);
    this.showPanel();
  }

  // Places

  /**
   * Ends what is drawn on the map without keeping it.
   * @type {() => void}
   */
  cancelDrawing = () => {};

  startAdding() {
    this.cancelDrawing();
    this.map.setAdding(true);
    this.hint.hidden = false;
    announce(t('studio.tapMap'));
    this.hint.replaceChildren(
      localized(h('span'), 'studio.tapMap'),
      localized(h('button', { type: 'button', class: 'button tiny-button', id: 'add-middle', onclick: () => this.addPlace(this.map.center()) }), 'studio.addMiddle'),
      localized(h('button', { type: 'button', class: 'button tiny-button', onclick: () => this.stopAdding() }), 'studio.cancel'),
    );
  }

  stopAdding() {
    this.map.setAdding(false);
    this.hint.hidden = true;
  }

  /** @param {{ latitude: number, longitude: number }} point */
  addPlace(point) {
    this.stopAdding();
    const place = newPlace(t('studio.newPlace', { number: this.draft.dimension.places.length + 1 }), point);
    this.draft.edit((dimension) => addPlace(dimension, place));
    this.select(place.id ?? null, true);
    const title = this.panel.querySelector('#place-title');
    if (title instanceof HTMLInputElement) {
      title.focus();
      title.select();
    }
  }

  /** @param {string} id */
  duplicatePlace(id) {
    const place = this.draft.dimension.places.find((other) => other.id === id);
    if (!place) return;
    // A little beside it, so that both can be seen.
    const position = place.position && { ...place.position, longitude: place.position.longitude + 0.0001 };
    const copy = { ...place, id: newID('place'), ...(position && { position }) };
    this.draft.edit((dimension) => addPlace(dimension, copy));
    this.select(copy.id, true);
  }

  /** @param {string} id */
  removePlace(id) {
    const title = this.draft.dimension.places.find((place) => place.id === id)?.title ?? '';
    this.draft.edit((dimension) => removePlace(dimension, id));
    this.select(null);
    toast(t('studio.removed', { title }), { key: 'studio-removed', action: { text: t('studio.undo'), run: () => this.undo() } });
  }

  // Files

  /**
   * Sends a file; it is made smaller and stripped of notes there.
   * @param {File} file
   * @param {number} [_side]
   */
  async upload(file, _side) {
    announce(t('studio.uploading'));
    this.element.classList.add('busy');
    try {
      return await uploadAsset(file, this.#life.signal);
    } catch (error) {
      if (!this.#life.signal.aborted) toast(failure(error), { kind: 'warning', key: 'upload' });
      return null;
    } finally {
      this.element.classList.remove('busy');
    }
  }

  /**
   * Says why something was not taken.
   * @param {import('../core/i18n.js').TextKey} key
   */
  refuse(key) {
    toast(t(key), { kind: 'warning', key: 'upload' });
  }

  /** @param {string} id */
  assetURL(id) {
    const url = this.draft.dimension.assets.find((asset) => asset.id === id)?.url;
    return url && this.absolute(url);
  }

  /**
   * An address that this page may show pictures from: the server's own, or through it.
   * @param {string} url
   */
  absolute(url) {
    try {
      const full = new URL(url, location.origin);
      return full.origin === location.origin ? full.href : `/api/v1/asset?url=${encodeURIComponent(full.href)}`;
    } catch {
      return undefined;
    }
  }

  importFile() {
    importDialog(this);
  }

  exportFile() {
    void exportDialog(this);
  }

  async showHistory() {
    await this.draft.save();
    await historyDialog(this);
  }

  showMembers() {
    membersDialog(this);
  }

  removeWorld() {
    void removeDialog(this);
  }

  /** @param {StudioWorld} world */
  becomeWorld(world) {
    this.world = world;
    this.#showState();
  }

  /**
   * The draft in the view, with a virtual phone.
   * @param {{ latitude: number, longitude: number, heading?: number, time?: string }} from
   */
  async preview({ time, ...pose }) {
    await this.draft.save();
    leftFor.set(this.world.id, { tab: this.tab, selected: this.selected, overlay: this.overlay });
    location.hash = formatRoute({ address: { kind: 'draft', id: this.world.id }, virtual: true, pose, time });
  }

  state() {
    const { draft } = this;
    return {
      world: this.world.id, saved: draft.isSaved, saveState: draft.state, version: draft.version, published: this.world.published,
      selected: this.selected, tab: this.tab, canUndo: draft.canUndo, dimension: draft.dimension,
    };
  }

  close() {
    this.#life.abort();
    this.#closeConflict();
    this.draft.close();
    this.map.close();
    this.element.remove();
  }
}

