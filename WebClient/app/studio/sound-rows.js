// The sound of a place or of the whole world: chosen, listened to, taken away.

import { fileField } from '../controls/file-field.js';
import { h } from '../core/dom.js';
import { localized, t } from '../core/i18n.js';
import { button } from './form.js';

/** Sounds that the server takes. */
const SOUNDS = 'audio/mpeg,audio/mp4,audio/aac,audio/ogg,audio/wav,audio/flac,.mp3,.m4a,.aac,.ogg,.oga,.opus,.wav,.flac';

/**
 * @param {import('./editor.js').Editor} editor
 * @param {string | undefined} url
 * @param {(url: string | undefined) => void} change after it the rows are other ones
 * @param {string} id of the field
 * @returns {(Node | false | undefined)[]}
 */
export function soundRows(editor, url, change, id) {
  const source = url && editor.absolute(url);
  return [
    source ? h('audio', { controls: true, preload: 'none', src: source, class: 'panel-sound', 'aria-label': t('studio.sound') }) : undefined,
    h('div', { class: 'actions' },
      fileField({
        label: source ? 'studio.otherSound' : 'studio.chooseSound', accept: SOUNDS, id, keep: false,
        pick: async ([file]) => {
          const stored = await editor.upload(file);
          if (!stored) return;
          if (stored.mediaType.startsWith('audio/')) change(stored.url);
          else editor.refuse('studio.notSound');
        },
      }),
      source && button('studio.noSound', () => change(undefined))),
    localized(h('p', { class: 'form-note' }), 'studio.soundNote'),
  ];
}
