// What buttons, menu and cards of the stage do beyond it: share, take a picture, choose worlds, leave.

import { loadShared } from '../core/dom.js';
import { t } from '../core/i18n.js';
import { formatRoute } from '../core/router.js';

/**
 * @typedef {import('./stage.js').Stage} Stage
 * @typedef {import('../session/session.js').Session} Session
 */

/**
 * The address of a world, or of one place of it, to pass on.
 * @param {Session} session
 * @param {number | null} place
 */
export function share(session, place) {
  const { content, worlds } = session;
  if (!content) return;
  const at = place === null ? null : worlds.origin(content.places[place], place);
  // A place is shared with its own world, a view with all of them.
  const [address, ...also] = at ? [worlds.addressOf(at.world)] : worlds.list.map((world) => worlds.addressOf(world));
  const url = new URL(formatRoute({ address, also, place: at?.key ?? null }), location.href.replace(/#.*/, ''));
  const name = place === null ? content.title : content.placeTitle(content.places[place]);
  const text = t('share.world', { name });
  void sharing().then(({ shareLink }) => shareLink(url.href, text));
}

const sharing = async () => (await Promise.all([import('../ui/share.js'), loadShared('panels')]))[0];

/**
 * Asks before anything outside is opened.
 * @param {string} address
 */
export function leaveFor(address) {
  void sharing().then((module) => module.leaveFor(address));
}

/** @param {Stage} stage */
async function chooseWorlds(stage) {
  const [{ showWorlds }] = await Promise.all([import('../ui/worlds-sheet.js'), loadShared('start', 'panels')]);
  await showWorlds(stage.session, (address, also) => stage.navigate({ address, also }, true));
}

/** @param {Session} session */
function leave({ address }) {
  location.hash = address?.kind === 'draft' ? `#/studio/world/${encodeURIComponent(address.id)}` : '#/';
}

/** @param {Stage} stage */
export function commandsOf(stage) {
  const { session } = stage;
  return {
    menu: () => void stage.parts.openMenu(),
    leave: () => leave(session),
    share: () => share(session, null),
    screenshot: () => void import('./shots.js').then(({ takePicture }) => takePicture(stage)),
    clip: (/** @type {Event} */ { currentTarget }) => void import('./shots.js').then(({ toggleClip }) => toggleClip(stage, currentTarget)),
    virtual: (/** @type {boolean} */ on) => stage.useVirtual(on),
    offersVirtual: () => stage.gate.isVirtualOffered,
    worlds: () => void chooseWorlds(stage),
    status: () => stage.lights.sentences(),
  };
}
