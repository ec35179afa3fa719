// Reading what was saved here; fetched with the page, for later nothing can be fetched.

/** @typedef {import('../types').WorldAddress} WorldAddress */

/** Name of the browser's store of saved worlds. */
export const WORLDS = 'sightline-worlds';

export const worldPath = (/** @type {string} */ id) => `/api/v1/worlds/${encodeURIComponent(id)}`;

/**
 * What a world is kept under; `null` for what this page makes itself.
 * @param {WorldAddress} address
 */
export function savedPath(address) {
  if (address.kind === 'world') return worldPath(address.id);
  if (address.kind === 'url') return `/saved/url?url=${encodeURIComponent(address.url)}`;
  return address.kind === 'osm' || address.kind === 'draft' ? `/saved/${address.kind}/${encodeURIComponent(address.id)}` : null;
}

/** Whether this browser can save anything at all; only secure pages may. */
export const canSave = () => 'serviceWorker' in navigator && 'caches' in globalThis;

/**
 * @param {WorldAddress} address
 * @returns {Promise<import('../types').WorldAnswer | null>} the saved copy, with when it was saved
 */
export async function savedWorld(address) {
  const path = savedPath(address);
  if (!path || !canSave()) return null;
  const answer = await caches.match(path, { cacheName: WORLDS });
  const world = await answer?.json().catch(() => null);
  return answer && world ? { ...world, saved: answer.headers.get('date') ?? '' } : null;
}
