// What was made of the view, a picture or a clip: shown, to be saved or shared.

import { h, icon } from '../core/dom.js';
import { localized } from '../core/i18n.js';
import { showDialog } from './dialog.js';

/**
 * @param {Blob} blob
 * @param {object} options
 * @param {string} options.title what it is of
 * @param {string} [options.text] that goes with it when it is shared
 * @param {string} options.ending of the file's name
 * @param {string} options.heading of the sheet
 * @param {(url: string) => HTMLElement} options.show what shows it
 */
export function offerFile(blob, { title, text, ending, heading, show }) {
  const name = `${title.replace(/[^\p{L}\p{N}]+/gu, '-').replace(/^-|-$/g, '') || 'Sightline'}-${
    new Date().toISOString().slice(0, 10)
  }.${ending}`;
  const file = new File([blob], name, { type: blob.type });
  const url = URL.createObjectURL(blob);
  const download = h(
    'a',
    { class: 'button primary', href: url, download: name, id: 'shot-download' },
    icon('download'),
    localized(h('span'), 'shot.download'),
  );
  const canShare = navigator.canShare?.({ files: [file] });
  const share = canShare &&
    h(
      'button',
      {
        type: 'button',
        class: 'button',
        id: 'shot-share',
        // Where the platform refuses after all, it is not lost; who turned away wants nothing more.
        onclick: () => void navigator.share({ files: [file], title, ...(text ? { text } : {}) }).catch((error) => {
          if (error?.name !== 'AbortError') download.click();
        }),
      },
      icon('share'),
      localized(h('span'), 'shot.share'),
    );
  const dialog = showDialog(
    { title: heading, class: 'shot-sheet', id: 'shot-dialog' },
    show(url),
    h('div', { class: 'actions' }, share, download),
  );
  void dialog.closed.then(() => setTimeout(() => URL.revokeObjectURL(url), 60_000));
}
