// The file of a recording of the sensors, to be saved or thrown away.

import { confirmDialog } from '../controls/confirm.js';
import { h } from '../core/dom.js';
import { bytes as bytesText } from '../core/format.js';
import { localized, t } from '../core/i18n.js';
import { showDialog } from '../ui/dialog.js';

/**
 * @param {{ file: Blob, count: number }} made
 * @param {{ created: Date, hasFixes: boolean }} recording
 */
export async function offerRecording(made, recording) {
  const { file, count } = made;
  const url = URL.createObjectURL(file);
  let isDealtWith = false;
  const stamp = recording.created.toISOString().slice(0, 16).replace(/[:T]/g, '-');
  const link = localized(
    h('a', { class: 'button primary', id: 'record-download', href: url, download: `sightline-sensors-${stamp}.slrec`, onclick: () => (isDealtWith = true) }),
    'record.download');
  const discard = () => {
    isDealtWith = true;
    dialog.close();
  };
  const dialog = showDialog(
    { title: t('record.done'), id: 'record-done-dialog' },
    h('p', {}, t('record.facts', { size: bytesText(file.size), events: count })),
    localized(h('p', { class: 'setting-hint' }), recording.hasFixes ? 'record.kept' : 'sensors.privacy'),
    link,
    localized(h('button', { type: 'button', class: 'button', id: 'record-discard', onclick: discard }), 'record.discard'));
  await dialog.closed;
  // A download that was begun reads on.
  setTimeout(() => URL.revokeObjectURL(url), 60_000);
  if (isDealtWith) return;
  // Closed by a slip of the finger: nothing is lost without a question.
  const isWanted = !await confirmDialog({ title: t('record.lose'), text: t('record.loseText'), action: t('record.discard'), danger: true });
  if (isWanted) await offerRecording(made, recording);
}
