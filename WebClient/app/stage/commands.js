// What buttons, menu and cards of the stage do beyond it: share, take a picture, choose worlds, leave.

import { find } from '../core/dom.js';
import { t } from '../core/i18n.js';
import { formatRoute } from '../core/router.js';
import { flash } from '../ui/feel.js';
import { shareLink } from '../ui/share.js';

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
  void shareLink(url.href, t('share.world', { name }));
}

/** @param {Stage} stage */
async function chooseWorlds(stage) {
  const { showWorlds } = await import('../ui/worlds-sheet.js');
  await showWorlds(stage.session, (address, also) => stage.navigate({ address, also }, true));
}

/** @param {Stage} stage */
async function screenshot({ session, ar }) {
  flash(find('#scene', HTMLElement));
  const { takeScreenshot } = await import('../ui/screenshot.js');
  await takeScreenshot({
    session,
    ground: ar.ground(),
    labelLines: (place, level) => ar.labels.lines(place, level),
    overlays: ar.overlays.visible(),
  });
}

/** @param {Session} session */
function leave({ address }) {
  location.hash = address?.kind === 'draft' ? `#/studio/world/${encodeURIComponent(address.id)}` : '#/';
}

/**
 * @param {Stage} stage
 * @returns {import('../ui/menu.js').MenuHost & { leave: () => void, screenshot: () => void }}
 */
export function commandsOf(stage) {
  const { session, device, recording, align } = stage;
  return {
    session,
    device,
    recording,
    align,
    leave: () => leave(session),
    share: () => share(session, null),
    screenshot: () => void screenshot(stage),
    virtual: (on) => stage.useVirtual(on),
    offersVirtual: () => stage.gate.isVirtualOffered,
    worlds: () => void chooseWorlds(stage),
    status: () => stage.lights.sentences(),
  };
}
