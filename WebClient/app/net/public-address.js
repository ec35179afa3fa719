// The address of this page as other devices have to write it. A server that was started on one machine is often opened there
// as 127.0.0.1, which on a phone is the phone itself: codes and cards must not carry that without a word.

import { h, icon } from '../core/dom.js';
import { localized } from '../core/i18n.js';
import { fetchSettings } from './settings.js';

/**
 * Whether a host's name means the very machine that reads it.
 * @param {string} host as in `location.hostname`
 */
export function isThisMachine(host) {
  const name = host.toLowerCase().replace(/^\[|\]$/g, '').replace(/\.$/, '');
  return name === 'localhost' || name.endsWith('.localhost') || /^127(\.\d+){3}$/.test(name) || name === '0.0.0.0' ||
    name === '::1' || name === '::' || /^::ffff:(127\.|7f)/.test(name);
}

/**
 * What comes before the path of an address for others, without a slash at its end.
 * @param {string} own the page's own origin
 * @param {string | null | undefined} published what the server's settings say
 * @returns {{ origin: string, isLocal: boolean }} `isLocal`: only this machine can open it
 */
export function chooseOrigin(own, published) {
  const isLocal = isThisMachine(new URL(own).hostname);
  // A page that came from elsewhere has an address that works for others, too.
  if (!isLocal) return { origin: own, isLocal };
  try {
    const url = new URL(published ?? '');
    if (/^https?:$/.test(url.protocol) && !isThisMachine(url.hostname)) return { origin: url.href.replace(/\/$/, ''), isLocal: false };
  } catch {
    // None, or nothing that can be opened.
  }
  return { origin: own, isLocal };
}

/** The origin for others, as the server says. */
export async function publicOrigin() {
  const settings = await fetchSettings();
  return chooseOrigin(location.origin, settings.publicURL);
}

/**
 * @param {string} path from the root on, such as `/#/world/ulm`
 * @returns {Promise<{ url: string, isLocal: boolean }>}
 */
export async function publicAddress(path) {
  const { origin, isLocal } = await publicOrigin();
  return { url: origin + path, isLocal };
}

/**
 * The warning that stands where an address is handed out which only this machine can open, and what to do about it. Comes
 * hidden, and shows itself when that is so.
 */
export function localOnlyWarning() {
  const note = h('p', { class: 'local-only', role: 'note', hidden: true }, icon('warning'), localized(h('span'), 'public.local'));
  void publicOrigin().then(({ isLocal }) => (note.hidden = !isLocal));
  return note;
}
