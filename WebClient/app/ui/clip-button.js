// The button beside that of the picture: begins a clip of the view, shows how long it is, and ends it.

import { h, loadShared, setIcon, setText } from '../core/dom.js';
import { clock } from '../core/format.js';
import { labelled, loadTexts, t } from '../core/i18n.js';
import { Clip, LONGEST } from './clip.js';
import { buzz } from './feel.js';
import { offerFile } from './offer-file.js';
import { captionText } from './screenshot.js';
import { announce, toast } from './toast.js';

/**
 * @typedef {import('./clip.js').Seen} Seen
 * @typedef {import('./clip.js').Caption} Caption
 */

/**
 * The clips that are being made, by their buttons; `null` while one is about to begin.
 * @type {Map<Element, Clip | null>}
 */
const running = new Map();

/**
 * The button was pressed.
 * @param {EventTarget | null} button
 * @param {Seen} seen
 * @param {AbortSignal} left when the view is
 */
export async function toggleClip(button, seen, left) {
  if (!(button instanceof HTMLElement)) return;
  if (running.has(button)) return running.get(button)?.stop('asked');
  running.set(button, null);
  try {
    await Promise.all([loadTexts('clip'), loadShared('panels')]);
    if (left.aborted) return void running.delete(button);
    begin(button, seen, left);
  } catch (error) {
    console.warn(error);
    running.delete(button);
    toast(t('shot.failed'), { kind: 'warning' });
  }
}

/**
 * @param {HTMLElement} button
 * @param {Seen} seen
 * @param {AbortSignal} left
 */
function begin(button, seen, left) {
  const { caption } = seen();
  const time = h('span', { class: 'clip-time', 'aria-hidden': 'true' });
  const clip = new Clip(seen, left, (blob, end) => {
    clearInterval(timer);
    running.delete(button);
    time.remove();
    show(button, false);
    offer(blob, end, caption);
  });
  running.set(button, clip);
  button.append(time);
  show(button, true);
  const tell = () => setText(time, clock(Math.min(LONGEST, clip.seconds)));
  tell();
  const timer = setInterval(tell, 200);
  buzz(15);
  announce(t('clip.begun', { n: LONGEST }));
}

/**
 * @param {HTMLElement} button
 * @param {boolean} isOn
 */
function show(button, isOn) {
  button.classList.toggle('is-recording', isOn);
  const symbol = button.querySelector('svg');
  if (symbol) setIcon(symbol, isOn ? 'stop' : 'clip');
  labelled(button, isOn ? 'clip.stop' : 'control.clip');
}

/**
 * @param {Blob | null} blob
 * @param {import('./clip.js').End} end
 * @param {Caption} caption
 */
function offer(blob, end, caption) {
  if (!blob || end === 'failed') return void toast(t('clip.failed'), { kind: 'warning' });
  announce(t(end === 'full' ? 'clip.full' : 'clip.ended'));
  offerFile(blob, {
    title: caption.title, text: captionText(caption), ending: blob.type.endsWith('mp4') ? 'mp4' : 'webm', heading: t('clip.title'),
    show: (url) => h('video', { class: 'shot', src: url, controls: true, loop: true, muted: true, playsInline: true, 'aria-label': t('clip.alt') }),
  });
}
