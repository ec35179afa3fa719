// Files in and out: any format that worlds are read from, with what the reader found; any that they are written to.

import { fileField } from '../controls/file-field.js';
import { h } from '../core/dom.js';
import { localized, t, tn } from '../core/i18n.js';
import { showDialog } from '../ui/dialog.js';
import { toast } from '../ui/toast.js';
import { failure } from '../accounts/forms.js';
import { AccountError } from '../accounts/account-api.js';
import { joined } from './content.js';
import { exportAddress, readFile } from './studio-api.js';

/** @typedef {import('./editor.js').Editor} Editor */

/** Endings of names that are offered first; the content decides. */
const ACCEPT = '.kml,.kmz,.gddf,.geojson,.json,.xml,.arml,application/json,application/xml,text/xml,application/vnd.google-earth.kml+xml,application/vnd.google-earth.kmz';

/** What a world is written to, with its name. */
export const FORMATS = /** @type {[string, string][]} */ ([
  ['sightline', 'Sightline'], ['gddf', 'GDDF'], ['kml', 'KML'], ['geojson', 'GeoJSON'], ['arml', 'ARML 2.0'], ['area', 'AREA'], ['mixare', 'mixare'], ['layar', 'Layar'], ['overpass', 'Overpass'],
]);

/** @param {import('../types').Problem[]} problems */
export function problemList(problems) {
  return h('ul', { class: 'problems' }, ...problems.slice(0, 100).map((problem) => h(
    'li',
    { dataset: { severity: problem.severity } },
    h('span', {}, problem.message),
    h('code', {}, [problem.line && `:${problem.line}`, problem.path].filter(Boolean).join(' ')),
  )));
}

/** @param {Editor} editor */
export function importDialog(editor) {
  const found = h('div', { class: 'form-rows', id: 'import-found' });
  const take = async (/** @type {File} */ file) => {
    found.replaceChildren(localized(h('p', { role: 'status' }), 'studio.reading'));
    let answer;
    try {
      answer = await readFile(file);
    } catch (error) {
      const text = failure(error);
      const problems = error instanceof AccountError ? error.body.problems ?? [] : [];
      found.replaceChildren(h('p', { class: 'form-message', role: 'alert' }, text), problemList(problems));
      return;
    }
    const { dimension, problems, format } = answer;
    const use = (/** @type {boolean} */ replace) => {
      editor.selected = null;
      editor.draft.edit((now) => replace ? { ...dimension, name: dimension.name ?? now.name } : joined(now, dimension));
      dialog.close();
      editor.showPanel();
      editor.map.fit();
      toast(t('studio.imported', { count: dimension.places.length }), { key: 'studio-import', action: { text: t('studio.undo'), run: () => editor.undo() } });
    };
    found.replaceChildren(
      h('p', {}, h('strong', {}, dimension.name ?? file.name), ` · ${format} · ${tn('places', dimension.places.length)}`),
      problems.length > 0 && h('details', {}, h('summary', {}, tn('studio.findings', problems.length)), problemList(problems)) || h('span'),
      h('div', { class: 'actions' },
        localized(h('button', { type: 'button', class: 'button primary', id: 'import-add', onclick: () => use(false) }), 'studio.importAdd'),
        localized(h('button', { type: 'button', class: 'button', id: 'import-replace', onclick: () => use(true) }), 'studio.importReplace')),
    );
  };
  const dialog = showDialog(
    { title: t('studio.import'), id: 'import-dialog' },
    localized(h('p', {}), 'studio.importText'),
    fileField({ label: 'studio.chooseFile', accept: ACCEPT, id: 'import-choose', isPrimary: true, pick: ([file]) => (file ? void take(file) : found.replaceChildren()) }),
    found,
  );
}

/** @param {Editor} editor */
export async function exportDialog(editor) {
  await editor.draft.save();
  const { id } = editor.world;
  const hints = /** @type {Record<string, import('../core/i18n.js').TextKey>} */ ({ sightline: 'studio.exportWhole', gddf: 'studio.exportGddf', kml: 'studio.exportKml', geojson: 'studio.exportGeojson' });
  showDialog(
    { title: t('studio.export'), id: 'export-dialog' },
    localized(h('p', {}), 'studio.exportText'),
    h('ul', { class: 'menu-items' }, ...FORMATS.map(([format, name]) => h('li', {}, h(
      'a',
      { class: 'menu-item', href: exportAddress(id, format), download: '', dataset: { format } },
      h('span', {}, h('strong', {}, name), hints[format] && localized(h('span', { class: 'form-note' }), hints[format])),
    )))),
  );
}
