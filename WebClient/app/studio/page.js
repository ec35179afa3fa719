// The studio: one's worlds, and the editor of one of them.

import { fileField } from '../controls/file-field.js';
import { h, icon } from '../core/dom.js';
import { labelled, language, localized, onLanguage, t, tn } from '../core/i18n.js';
import { decoded } from '../core/router.js';
import { fetchWorlds } from '../net/worlds.js';
import { showDialog } from '../ui/dialog.js';
import { toast } from '../ui/toast.js';
import { AccountError, activeAccount, ensureSession, onSession, session } from '../accounts/account-api.js';
import { failure } from '../accounts/forms.js';
import { Editor } from './editor.js';
import { FORMATS } from './files.js';
import { textRow } from './form.js';
import { listWorlds, makeWorld, openWorld, readFile } from './studio-api.js';

/**
 * @typedef {import('../parts.js').Opening} Opening
 * @typedef {import('./studio-api.js').StudioWorld} StudioWorld
 */

export class StudioPage {
  #life = new AbortController();
  /** @type {Editor | null} */
  editor = null;
  /** @type {StudioWorld[] | null} */
  #worlds = null;
  #turn = 0;

  /** @param {Opening} opening */
  constructor(opening) {
    this.opening = opening;
    this.element = h('div', { class: 'studio-page', id: 'studio-page' });
    document.body.append(this.element);
    onLanguage(() => !this.editor && this.#showList(), this.#life.signal);
    onSession(() => {
      if (activeAccount()) return;
      // Signed out here or by the server, or in want of a second factor; what was not sent yet is kept on this device.
      location.hash = `#/account?next=${encodeURIComponent(location.hash)}`;
    }, this.#life.signal);
    void this.#begin();
  }

  /** @param {Opening} opening */
  follow(opening) {
    const id = opening.path[0] === 'world' ? opening.path[1] : null;
    this.opening = opening;
    if (id && this.editor?.world.id === decoded(id)) return true;
    void this.#begin();
    return true;
  }

  async #begin() {
    const turn = ++this.#turn;
    this.editor?.close();
    this.editor = null;
    this.#waiting();
    try {
      await ensureSession();
      const account = activeAccount();
      if (turn !== this.#turn) return;
      if (!account) return void (location.hash = `#/account?next=${encodeURIComponent(location.hash)}`);
      const [kind, id] = this.opening.path;
      if (kind === 'world' && id) return await this.#open(decoded(id), turn);
      this.#worlds = await listWorlds(account.role === 'operator');
      if (turn === this.#turn) this.#showList();
    } catch (error) {
      if (turn === this.#turn) this.#failed(error);
    }
  }

  #waiting() {
    this.element.replaceChildren(localized(h('p', { class: 'studio-note', role: 'status' }), 'studio.waiting'));
  }

  /** @param {unknown} error */
  #failed(error) {
    if (!(error instanceof AccountError)) throw error;
    this.element.replaceChildren(h(
      'div',
      { class: 'studio-note' },
      h('p', { role: 'alert' }, failure(error)),
      h('div', { class: 'actions' }, localized(h('button', { type: 'button', class: 'button', onclick: () => void this.#begin() }), 'common.retry'),
        localized(h('a', { class: 'button', href: '#/studio' }), 'studio.toWorlds')),
    ));
  }

  /**
   * @param {string} id
   * @param {number} turn
   */
  async #open(id, turn) {
    const [answer, worlds] = await Promise.all([openWorld(id), fetchWorlds().catch(() => [])]);
    if (turn !== this.#turn) return;
    this.element.replaceChildren();
    this.editor = new Editor(this.element, answer, worlds);
    document.title = `${answer.world.title} · ${t('app.name')}`;
  }

  // The list

  #showList() {
    const worlds = this.#worlds;
    if (!worlds) return;
    const own = session();
    this.element.replaceChildren(h(
      'div',
      { class: 'page' },
      h(
        'header',
        { class: 'part-head' },
        labelled(h('a', { class: 'round plain', href: '#/' }, icon('back')), 'common.back'),
        localized(h('h1'), 'studio.studio'),
        h('a', { class: 'button', href: '#/account', id: 'studio-account' }, icon('settings'), h('span', {}, own?.account?.name ?? '')),
      ),
      h(
        'main',
        { class: 'start-main' },
        h('div', { class: 'actions' },
          localized(h('button', { type: 'button', class: 'button primary', id: 'studio-new', onclick: () => this.#newDialog() }), 'studio.newWorld'),
          localized(h('button', { type: 'button', class: 'button', id: 'studio-copy', onclick: () => void this.#copyDialog() }), 'studio.fromWorld'),
          fileField({
            label: 'studio.fromFile', accept: '.kml,.kmz,.gddf,.geojson,.json,.xml,.arml', id: 'studio-file', keep: false, pick: ([file]) => void this.#fromFile(file),
          }),
          localized(h('a', { class: 'button', href: '#/posters/mine', id: 'studio-posters' }), 'studio.myPosters')),
        h('ul', { class: 'worlds', id: 'studio-worlds-list' }, ...worlds.map((world) => this.#card(world))),
        worlds.length === 0 && localized(h('p', { class: 'studio-note' }), 'studio.none'),
        h('p', { class: 'form-note' }, t('studio.quota', { count: worlds.length, most: own?.quota?.worlds ?? 0, formats: FORMATS.map(([, name]) => name).join(', ') })),
      ),
    ));
  }

  /** @param {StudioWorld} world */
  #card(world) {
    const state = world.published === null ? 'studio.draft' : world.published === world.version ? 'studio.asPublished' : 'studio.newerDraft';
    const date = new Date(world.saved).toLocaleString(language(), { dateStyle: 'medium', timeStyle: 'short' });
    const facts = [tn('places', world.places), date];
    if (world.owner !== session()?.account?.name) facts.push(world.owner);
    return h('li', {}, h(
      'a',
      { class: 'world-card', href: `#/studio/world/${encodeURIComponent(world.id)}`, dataset: { world: world.id } },
      h('span', { class: 'world-art' }, icon('world')),
      h('span', { class: 'world-words' }, h('span', { class: 'world-title' }, world.title || t('menu.untitled')),
        h('span', { class: 'world-summary' }, t(state)), h('span', { class: 'world-facts' }, facts.join(' · '))),
      icon('go'),
    ));
  }

  /** @param {Parameters<typeof makeWorld>[0]} given */
  async #make(given) {
    try {
      const { world } = await makeWorld(given);
      location.hash = `#/studio/world/${encodeURIComponent(world.id)}`;
      return true;
    } catch (error) {
      toast(failure(error), { kind: 'warning', key: 'studio' });
      return false;
    }
  }

  #newDialog() {
    let title = '';
    const form = h('form', { class: 'form-rows', onsubmit: async (/** @type {Event} */ event) => {
      event.preventDefault();
      if (await this.#make({ title, language: language() })) dialog.close();
    } }, textRow('studio.worldTitle', '', (text) => {
      title = text;
    }, { id: 'new-title', required: true, maxLength: 200 }), localized(h('button', { type: 'submit', class: 'button primary', id: 'new-make' }), 'studio.make'));
    const dialog = showDialog({ title: t('studio.newWorld'), id: 'new-dialog', class: 'small-sheet' }, form);
    form.querySelector('input')?.focus();
  }

  async #copyDialog() {
    const worlds = await fetchWorlds().catch(() => []);
    const taken = new Set((this.#worlds ?? []).map(({ id }) => id));
    const isOperator = session()?.account?.role === 'operator';
    const dialog = showDialog(
      { title: t('studio.fromWorld'), id: 'copy-dialog' },
      localized(h('p', {}), 'studio.fromWorldText'),
      isOperator && localized(h('p', { id: 'adopt-text' }), 'studio.adoptText'),
      h('ul', { class: 'account-list' }, ...worlds.map((world) => h('li', {}, h('strong', {}, world.title), h('span', { class: 'actions' },
        localized(h('button', { type: 'button', class: 'button tiny-button', onclick: async () => {
          if (await this.#make({ from: world.id })) dialog.close();
        } }), 'studio.makeCopy'),
        isOperator && !taken.has(world.id) && localized(h('button', { type: 'button', class: 'button tiny-button', onclick: async () => {
          if (await this.#make({ from: world.id, adopt: true })) dialog.close();
        } }), 'studio.adopt'))))),
    );
  }

  /** @param {File} file */
  async #fromFile(file) {
    try {
      const { dimension, problems } = await readFile(file);
      const title = dimension.name?.trim() || file.name.replace(/\..*$/, '');
      if (await this.#make({ title, dimension }) && problems.length) toast(tn('studio.findings', problems.length), { key: 'studio' });
    } catch (error) {
      toast(failure(error), { kind: 'warning', key: 'studio' });
    }
  }

  state() {
    return this.editor ? { studio: this.editor.state() } : { studio: null, worlds: this.#worlds?.length ?? null };
  }

  close() {
    this.#turn += 1;
    this.#life.abort();
    this.editor?.close();
    this.element.remove();
  }
}
