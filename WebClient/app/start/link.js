// Links that lead to this client from elsewhere: `web+gamaray:` and `web+sightline:`, which an installed client is registered for (browsers
// give pages no other names). What they lead to is checked as that of a code is; anybody may have written them.

import { formatRoute } from '../core/router.js';
import { meaningOf } from '../scan/meaning.js';

/** Longer ones are not looked at, characters. */
const LONGEST = 2048;

/**
 * @param {string} text
 * @param {Location | URL} [here]
 * @returns {{ hash: string, outside?: string }} where to go in this client, and what is to be opened outside of it after a question
 */
export function routeOfLink(text, here = location) {
  const unknown = { hash: `#/link/${encodeURIComponent(text.slice(0, 100).replace(/[^ -~]/g, '?'))}` };
  const [, inner] = /^web\+((?:gamaray|sightline):.+)$/is.exec(text.trim()) ?? [];
  if (!inner || text.length > LONGEST) return unknown;
  const meaning = meaningOf(inner, here);
  switch (meaning.kind) {
    case 'here': return { hash: new URL(meaning.url).hash };
    case 'world': return { hash: formatRoute({ address: meaning.address }) };
    case 'page': return { hash: '#/', outside: meaning.url };
    default: return unknown;
  }
}

/** Goes where the link in the page's address leads; the address is then that of an ordinary visit. */
export function followLink() {
  const text = new URLSearchParams(location.search).get('link') ?? '';
  const { hash, outside } = routeOfLink(text);
  history.replaceState(null, '', `${location.pathname}${hash}`);
  if (outside) void Promise.all([import('../ui/share.js'), import('../core/dom.js')]).then(async ([{ leaveFor }, { loadShared }]) => {
    await loadShared('panels');
    leaveFor(outside);
  });
}
