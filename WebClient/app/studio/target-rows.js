// Places that stand on a flat picture: a poster of the catalogue, or a photograph of a sign or page.

import { fileField } from '../controls/file-field.js';
import { h } from '../core/dom.js';
import { localized, t } from '../core/i18n.js';
import { showDialog } from '../ui/dialog.js';
import { send } from '../accounts/account-api.js';
import { changePlace, withAsset } from './content.js';
import { button, numberRow, PICTURES } from './form.js';

/**
 * @typedef {import('../types').Place} Place
 * @typedef {import('./editor.js').Editor} Editor
 * @typedef {{ assetID: string, width: number }} Target `width` of the whole print, metres
 * @typedef {Place & { target?: Target }} WithTarget
 * @typedef {{ id: string, title: string, sizes: { name: string, width: number }[], pictures: { url: string, width: number }[] }} Poster
 */

/** Width of a picture whose paper nobody has named, metres. */
const USUAL_WIDTH = 0.297;
/** Pictures narrower than this have too few details to be found from afar, pixels. */
const DETAIL = 640;

/**
 * @param {Editor} editor
 * @param {Place} place
 * @param {Target} target
 * @param {(values: Partial<Place>, key?: string) => void} change
 */
export function targetRows(editor, place, target, change) {
  const url = editor.assetURL(target.assetID);
  const now = () => /** @type {WithTarget | undefined} */ (editor.draft.dimension.places.find(({ id }) => id === place.id))?.target ?? target;
  return [
    url ? h('img', { class: 'panel-picture', src: url, alt: '' }) : undefined,
    numberRow('studio.targetWidth', Math.round(target.width * 1e4) / 10, (millimetres) =>
      change(/** @type {any} */ ({ target: { ...now(), width: (millimetres ?? 297) / 1000 } }), 'target'), { min: 10, max: 200_000, id: 'target-width' }, 'studio.targetHint'),
    button('studio.otherTarget', () => void choosePoster(editor, place.id ?? '')),
  ];
}

/**
 * @param {Editor} editor
 * @param {string} id of the place
 */
export async function choosePoster(editor, id) {
  const use = (/** @type {string} */ url, /** @type {number} */ width) => {
    editor.draft.edit((dimension) => {
      const { dimension: next, id: assetID } = withAsset(dimension, url);
      return changePlace(next, id, /** @type {any} */ ({ marker: undefined, followsUser: undefined, target: { assetID, width } }));
    });
    dialog.close();
    editor.showPanel();
  };
  const list = h('ul', { class: 'poster-choice', id: 'poster-choice' });
  const dialog = showDialog(
    { title: t('studio.chooseTarget'), id: 'target-dialog', class: 'wide-sheet' },
    localized(h('p', {}), 'studio.targetText'),
    fileField({
      label: 'studio.choosePicture', accept: PICTURES, id: 'target-picture', isPrimary: true, keep: false,
      pick: async ([file]) => {
        const stored = await editor.upload(file);
        if (stored) use(stored.url, USUAL_WIDTH);
      },
    }),
    list,
  );
  // What was shown as chosen before goes back when nothing is.
  void dialog.closed.then(() => editor.element.isConnected && editor.showPanel());
  /** @type {Poster[]} */
  let posters = [];
  try {
    posters = (await (await send('GET', '/api/v1/posters?limit=100')).json()).posters ?? [];
  } catch {
    // A server without posters: one's own picture is the way.
  }
  list.replaceChildren(...posters.flatMap((poster) => {
    const picture = poster.pictures.find(({ width }) => width >= DETAIL) ?? poster.pictures.at(-1);
    if (!picture) return [];
    const width = (poster.sizes[0]?.width ?? USUAL_WIDTH * 1000) / 1000;
    return [h('li', {}, h('button', { type: 'button', dataset: { poster: poster.id }, onclick: () => use(picture.url, width) },
      h('img', { src: poster.pictures[0].url, alt: '', loading: 'lazy' }), h('span', {}, poster.title)))];
  }));
}
