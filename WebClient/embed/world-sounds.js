// Sounds of a world and of its places: as in the page of a server, nothing is heard before a tap, and one button mutes.

import { WorldSounds } from '../app/audio/world-sounds.js';
import { sheetOf } from './style-sheet.js';
import { learn } from './world-words.js';

/** @typedef {import('./world-session.js').WorldSession} WorldSession */

const STYLE = `
.world .sound-pill { position: absolute; inset: 8px auto auto 8px; width: auto; height: auto; display: flex; align-items: center; max-width: calc(100% - 16px); pointer-events: auto;
  border-radius: 22px; color: var(--sightline-label-color, #fff); background: var(--sightline-label, rgb(12 18 24 / 0.88)); }
.world .sound-pill button, .card button[data-action=sound] { display: inline-flex; align-items: center; gap: 8px; min-width: 44px; min-height: 44px;
  padding: 0 14px; border: 0; border-radius: 22px; color: inherit; background: none; font: 620 0.92rem/1.2 system-ui, sans-serif; cursor: pointer; }
.world .sound-pill button:focus-visible { outline: 3px solid var(--accent); outline-offset: -3px; }
.world .sound-pill .icon, .card button[data-action=sound] .icon { flex: none; width: 20px; height: 20px; }
.world .sound-words { overflow: hidden; text-overflow: ellipsis; white-space: nowrap; }
.world #sound-mute { padding: 0 12px; }
.world #sound-mute[aria-pressed=true] { color: var(--pick); }
.card button[data-action=sound] { margin-top: 0.5rem; color: var(--sightline-button-color, #fff); background: var(--sightline-button, #0a66c2); }
.card button[data-action=sound] .icon { fill: none; stroke: currentColor; stroke-width: 2; stroke-linecap: round; stroke-linejoin: round; }
`;

const words = (/** @type {string} */ code) => new URL(`../languages/sound/${code}.json`, import.meta.url);

/**
 * @param {HTMLElement} layer that the button for the world's own sound stands in
 * @param {ShadowRoot} root
 * @param {WorldSession} world
 * @param {(text: string) => void} fail says what cannot be played
 */
export async function soundsOf(layer, root, world, fail) {
  await learn(words);
  const sheet = sheetOf(STYLE);
  if (!root.adoptedStyleSheets.includes(sheet)) root.adoptedStyleSheets = [...root.adoptedStyleSheets, sheet];
  // It needs no more of a session than a world has: content, `closed` and `on`.
  const sounds = new WorldSounds(/** @type {import('../app/session/session.js').Session} */ (/** @type {unknown} */ (world)), layer, fail);
  // A symbol of the view has this name.
  sounds.element.removeAttribute('id');
  sounds.element.setAttribute('part', 'sound');
  return sounds;
}
