// Pictures and clips of an open world: what belongs to them, and what is said of them.

import { find, loadShared } from '../core/dom.js';
import { toggleClip as toggle } from '../ui/clip-button.js';
import { takeScreenshot } from '../ui/screenshot.js';

/** @typedef {import('./stage.js').Stage} Stage */

const SEEN = ['#camera', '#backdrop', '#things', '.anchor-picture', '.anchor-models', '#scene', '.anchor-labels', '#radar-box', '#overlays'].join();

/** @param {Stage} stage */
function seen({ session: { content, selected } }) {
  const all = [...find('#stage', HTMLElement).querySelectorAll(SEEN)];
  const name = content && selected !== null && content.places[selected] ? content.placeTitle(content.places[selected]) : '';
  return {
    roots: all.filter((one) => !all.some((other) => other !== one && other.contains(one))),
    caption: { title: [content?.title ?? 'Sightline', name].filter(Boolean).join(' · '), credit: content?.dimension.attribution },
  };
}

/** @param {Stage} stage */
export async function takePicture(stage) {
  await loadShared('panels');
  const { roots, caption } = seen(stage);
  await takeScreenshot(roots, caption, find('#scene', HTMLElement));
}

/**
 * @param {Stage} stage
 * @param {EventTarget | null} button that was pressed
 */
export const toggleClip = (stage, button) => toggle(button, () => seen(stage), stage.session.closed);
