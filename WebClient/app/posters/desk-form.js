// The form of a poster of the catalogue: its picture, what is said of it, its sizes and prices.

import { confirmDialog } from '../controls/confirm.js';
import { fileField } from '../controls/file-field.js';
import { h, icon } from '../core/dom.js';
import { labelled, localized, t } from '../core/i18n.js';
import { AccountError } from '../accounts/account-api.js';
import { failure } from '../accounts/forms.js';
import { areaRow, button, numberRow, PICTURES, textRow } from '../studio/form.js';
import { showDialog } from '../ui/dialog.js';
import { toast } from '../ui/toast.js';
import { aspectOf, pictureFor } from './api.js';
import { addPoster, changePoster, openDesk, removePoster, uploadPicture } from './desk-api.js';

/**
 * @typedef {import('./desk-api.js').DeskPoster} DeskPoster
 * @typedef {{ name: string, width: number | undefined, height: number | undefined, amount: string, currency: string }} SizeFields
 *   `width` and `height` in centimetres
 */

/** Edges of the paper, centimetres. */
const EDGES = { min: 2, max: 500, step: 0.1 };
const MOST_SIZES = 20;

export class PosterForm {
  #isChanged = false;
  #isBusy = false;
  /**
   * The upload that is to be the picture.
   * @type {{ hash: string, url: string, width?: number, height?: number } | null}
   */
  #picture = null;
  #life = new AbortController();

  /** @param {DeskPoster | null} opened `null`: a new one */
  constructor(opened) {
    this.opened = opened;
    this.fields = fieldsOf(opened);
    this.message = h('p', { class: 'form-message', role: 'alert' });
    this.look = h('div', { class: 'desk-look' });
    this.rows = h('div', { class: 'desk-sizes' });
    this.submit = localized(h('button', { type: 'submit', class: 'button primary', id: 'desk-save' }), 'posters.form.save');
    this.element = this.#form();
    this.#showLook();
    this.#showSizes();
    addEventListener('beforeunload', (event) => this.#isChanged && event.preventDefault(), { signal: this.#life.signal });
  }

  #form() {
    const { fields } = this;
    const set = (/** @type {'title' | 'artist' | 'text' | 'categories' | 'shop'} */ name) => (/** @type {string} */ value) => {
      fields[name] = value;
      this.#isChanged = true;
    };
    return h('form', { class: 'desk-form', onsubmit: (/** @type {Event} */ event) => {
      event.preventDefault();
      void this.#save();
    } },
    h('div', { class: 'desk-picture' }, this.look, fileField({
      label: 'posters.form.choosePicture', accept: PICTURES, id: 'desk-picture', keep: false, pick: ([file]) => void this.#upload(file),
    })),
    h('div', { class: 'form-rows' },
      textRow('posters.form.title', fields.title, set('title'), { id: 'desk-title', required: true, maxLength: 200 }),
      textRow('posters.form.artist', fields.artist, set('artist'), { id: 'desk-artist', maxLength: 200 }),
      areaRow('posters.form.text', fields.text, set('text'), { id: 'desk-text', maxLength: 10000 }),
      textRow('posters.categories', fields.categories, set('categories'), { id: 'desk-categories' }, 'posters.form.categoriesHint'),
      localized(h('h3'), 'posters.sizes'), this.rows,
      textRow('posters.form.shop', fields.shop, set('shop'), { id: 'desk-shop', type: 'url', maxLength: 2000 }),
      this.message,
      h('div', { class: 'actions' }, this.submit,
        this.opened && button('posters.form.remove', () => void this.#askRemove(), { id: 'desk-remove', class: 'button danger' }))));
  }

  #showLook() {
    const known = this.opened?.poster;
    const url = this.#picture?.url ?? (known && pictureFor(known, 480).url);
    const aspect = this.#picture?.width && this.#picture.height ? this.#picture.width / this.#picture.height : known ? aspectOf(known) : 0.7;
    this.look.style.setProperty('--aspect', String(aspect));
    this.look.replaceChildren(url ? h('img', { src: url, alt: '' }) : icon('picture'));
  }

  #showSizes() {
    const { sizes } = this.fields;
    this.rows.replaceChildren(...sizes.map((size, index) => {
      const change = () => (this.#isChanged = true);
      return h('fieldset', { class: 'desk-size', dataset: { size: index } },
        h('legend', { class: 'sr-only' }, t('posters.form.size', { number: index + 1 })),
        textRow('posters.form.sizeName', size.name, (value) => {
          size.name = value;
          change();
        }, { maxLength: 60, placeholder: 'A3' }),
        numberRow('posters.form.width', size.width, (value) => {
          size.width = value;
          change();
        }, EDGES),
        numberRow('posters.form.height', size.height, (value) => {
          size.height = value;
          change();
        }, EDGES),
        textRow('posters.form.price', size.amount, (value) => {
          size.amount = value.trim();
          change();
        }, { inputMode: 'decimal', pattern: '[0-9]{1,9}([.,][0-9]{1,3})?', maxLength: 13 }),
        textRow('posters.form.currency', size.currency, (value) => {
          size.currency = value.trim().toUpperCase();
          change();
        }, { pattern: '[A-Za-z]{3}', maxLength: 3 }),
        sizes.length > 1 && labelled(h('button', { type: 'button', class: 'round small plain', onclick: () => {
          sizes.splice(index, 1);
          change();
          this.#showSizes();
        } }, icon('close')), 'posters.form.removeSize'));
    }), sizes.length < MOST_SIZES && button('posters.form.addSize', () => {
      const last = sizes[sizes.length - 1];
      sizes.push({ name: '', width: undefined, height: undefined, amount: '', currency: last?.currency ?? 'EUR' });
      this.#showSizes();
      /** @type {HTMLElement | null} */ (this.rows.querySelector('fieldset:last-of-type input'))?.focus();
    }, { id: 'desk-add-size' }) || '');
  }

  /** @param {File} file */
  async #upload(file) {
    this.message.textContent = '';
    await this.#work('posters.form.uploading', async () => {
      this.#picture = await uploadPicture(file);
      this.#isChanged = true;
      this.#showLook();
    });
  }

  /**
   * Runs it while nothing else can be pressed, and says what went wrong.
   * @param {import('../core/i18n.js').TextKey} meanwhile
   * @param {() => Promise<void>} work
   */
  async #work(meanwhile, work) {
    if (this.#isBusy) return;
    this.#isBusy = true;
    this.submit.disabled = true;
    this.submit.textContent = t(meanwhile);
    try {
      await work();
    } catch (error) {
      if (!(error instanceof AccountError)) throw error;
      this.message.textContent = [failure(error), ...(error.body.problems ?? []).slice(1).map((/** @type {{ message: string }} */ { message }) => message)].join(' ');
    } finally {
      this.#isBusy = false;
      this.submit.disabled = false;
      localized(this.submit, 'posters.form.save');
    }
  }

  /** @returns {import('./desk-api.js').PosterDraft} */
  #draft() {
    const { title, artist, text, categories, shop, sizes } = this.fields;
    return {
      title, artist, text, shop, categories: categories.split(/[,;]/).map((name) => name.trim()).filter(Boolean),
      sizes: sizes.map(({ name, width, height, amount, currency }) => ({
        name: name || undefined, width: millimetres(width), height: millimetres(height), price: amount ? { amount, currency } : undefined,
      })),
      picture: this.#picture?.hash,
    };
  }

  async #save() {
    this.message.textContent = '';
    if (!this.opened && !this.#picture) {
      this.message.textContent = t('posters.form.pictureNeeded');
      return;
    }
    await this.#work('posters.form.saving', async () => {
      const { opened } = this;
      try {
        this.#done(opened ? await changePoster(opened.poster.id, opened.revision, this.#draft()) : await addPoster(this.#draft()));
      } catch (error) {
        if (!(error instanceof AccountError) || error.code !== 'poster.conflict' || !opened) throw error;
        this.#askConflict(await openDesk(opened.poster.id));
      }
    });
  }

  /** @param {DeskPoster} saved */
  #done({ poster, warnings }) {
    this.#isChanged = false;
    const margins = warnings.flatMap(({ path }) => poster.sizes[Number(path.split('/')[1])] ?? []).map(({ name }) => name);
    toast(margins.length ? t('posters.form.margins', { sizes: margins.join(', ') }) : t('posters.form.saved'), { key: 'desk' });
    location.hash = `#/posters/poster/${encodeURIComponent(poster.id)}`;
  }

  /**
   * Somebody else was first: theirs is taken, or this is put in its place, knowingly.
   * @param {DeskPoster} theirs
   */
  #askConflict(theirs) {
    const dialog = showDialog({ title: t('posters.form.conflict'), id: 'desk-conflict', class: 'small-sheet' },
      h('p', {}, t('posters.form.conflictText', { title: theirs.poster.title })),
      h('div', { class: 'actions' },
        button('posters.form.mine', () => {
          this.opened = theirs;
          dialog.close();
          void this.#save();
        }, { id: 'desk-mine' }),
        button('posters.form.theirs', () => {
          dialog.close();
          this.opened = theirs;
          this.fields = fieldsOf(theirs);
          this.#picture = null;
          this.#isChanged = false;
          const form = this.#form();
          this.element.replaceWith(form);
          this.element = form;
          this.#showLook();
          this.#showSizes();
        }, { id: 'desk-theirs' })));
  }

  async #askRemove() {
    const { opened } = this;
    if (!opened) return;
    const title = t('posters.form.remove');
    const text = t('posters.form.removeText', { title: opened.poster.title });
    if (!await confirmDialog({ title, text, action: title, danger: true, until: this.#life.signal })) return;
    await this.#work('posters.form.saving', async () => {
      await removePoster(opened.poster.id);
      this.#isChanged = false;
      location.hash = '#/posters/mine';
    });
  }

  state() {
    return { isChanged: this.#isChanged, isBusy: this.#isBusy, picture: this.#picture?.hash ?? null, revision: this.opened?.revision ?? null };
  }

  close() {
    this.#life.abort();
  }
}

/** @param {number | undefined} centimetres what was not typed is refused by the server, in words */
const millimetres = (centimetres) => Math.round((centimetres ?? 0) * 100) / 10;

/** @param {DeskPoster | null} opened */
function fieldsOf(opened) {
  const poster = opened?.poster;
  /** @type {SizeFields[]} */
  const sizes = poster
    ? poster.sizes.map(({ name, width, height, price }) => ({
      name, width: width / 10, height: height / 10, amount: price?.amount ?? '', currency: price?.currency ?? 'EUR',
    }))
    : [{ name: 'A3', width: 29.7, height: 42, amount: '', currency: 'EUR' }];
  return {
    title: poster?.title ?? '', artist: poster?.artist ?? '', text: poster?.text ?? '', categories: poster?.categories.join(', ') ?? '',
    shop: poster?.shop ?? '', sizes,
  };
}
