// A field for files: a button in the page's own look, what was chosen with its size and a picture, and how to take it away.

import { h, icon } from '../core/dom.js';
import { bytes } from '../core/format.js';
import { labelled, localized, t } from '../core/i18n.js';

/**
 * @typedef {{ name: string, size?: number, url?: string }} Shown `size` in bytes; `url` of a picture of it
 * @typedef {{ show: (files: Shown[]) => void, setDisabled: (off: boolean) => void, input: HTMLInputElement }} Field `show` says what is there already, for
 *   instance on the server
 */

/**
 * @param {{ label: import('../core/i18n.js').TextKey, accept: string, multiple?: boolean, pick: (files: File[]) => void, id?: string, keep?: boolean,
 *   icon?: string, capture?: string, isPrimary?: boolean, isRound?: boolean }} setting `label` stands on the button; `pick` gets what was chosen, and an empty list when it was taken away; `id` is that of the
 *   input; `keep` false: what was chosen goes elsewhere and is not listed; `capture`: asks for the camera; `isPrimary`: the one thing to do
 *   here; `isRound`: a symbol alone, in a bar over the camera
 * @returns {HTMLElement & Field}
 */
export function fileField({ label, accept, multiple = false, pick, id, keep = true, icon: symbol = 'up', capture, isPrimary, isRound }) {
  /** @type {string[]} */
  let addresses = [];
  const input = h('input', { type: 'file', accept, multiple, id, capture });
  const look = isRound ? 'round glass' : isPrimary ? 'button primary' : 'button';
  const choose = h('label', { class: `${look} file-choose` }, icon(symbol), localized(h('span', { class: isRound ? 'sr-only' : '' }), label), input);
  if (isRound) labelled(choose, label);
  const list = h('ul', { class: 'file-list' });
  const element = h('div', { class: 'file-field' }, choose, list);

  /** @param {Shown[]} files */
  const show = (files) => {
    const had = list.contains(document.activeElement);
    list.replaceChildren(...files.map(({ name, size, url }) =>
      h('li', { class: 'file-item' },
        url ? h('img', { src: url, alt: '', onerror: (/** @type {Event} */ event) => /** @type {HTMLElement} */ (event.target).remove() }) : icon('file'),
        h('span', { class: 'file-words' }, h('span', { class: 'file-name' }, name),
          size === undefined ? null : h('span', { class: 'file-size' }, bytes(size))),
        h('button', {
          type: 'button', class: 'round small plain', 'aria-label': t('file.remove', { name }), title: t('file.remove', { name }), onclick: () => take([]),
        }, icon('close')))));
    if (had) input.focus();
  };
  /** @param {File[]} files */
  const take = (files) => {
    for (const address of addresses) URL.revokeObjectURL(address);
    const shown = files.map((file) => ({
      name: file.name, size: file.size, url: file.type.startsWith('image/') ? URL.createObjectURL(file) : undefined,
    }));
    addresses = shown.flatMap(({ url }) => url ?? []);
    if (keep) show(shown);
    pick(files);
  };

  input.addEventListener('change', () => {
    const files = [...input.files ?? []];
    // The same file may be chosen again, after it was changed.
    input.value = '';
    if (files.length) take(files);
  });
  const over = (/** @type {DragEvent} */ event) => {
    if (input.disabled || !event.dataTransfer?.types.includes('Files')) return;
    event.preventDefault();
    choose.dataset.over = '';
  };
  element.addEventListener('dragover', over);
  element.addEventListener('dragleave', () => delete choose.dataset.over);
  element.addEventListener('drop', (event) => {
    delete choose.dataset.over;
    if (input.disabled) return;
    event.preventDefault();
    const files = [...event.dataTransfer?.files ?? []].filter((file) => fits(file, accept));
    if (files.length) take(multiple ? files : files.slice(0, 1));
  });
  return Object.assign(element, {
    show, input,
    setDisabled: (/** @type {boolean} */ off) => {
      input.disabled = off;
      element.toggleAttribute('data-disabled', off);
    },
  });
}

/**
 * Whether a dropped file is of a kind that the field takes, as the browser's own dialog would offer it.
 * @param {{ name: string, type: string }} file
 * @param {string} accept kinds (`image/*`, `model/gltf-binary`) and endings (`.glb`), with commas; empty takes all
 */
export function fits(file, accept) {
  const kinds = accept.split(',').map((kind) => kind.trim().toLowerCase()).filter(Boolean);
  return !kinds.length || kinds.some((kind) =>
    kind.startsWith('.') ? file.name.toLowerCase().endsWith(kind) : kind.endsWith('/*') ? file.type.startsWith(kind.slice(0, -1)) : file.type === kind
  );
}
