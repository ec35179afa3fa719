// Reading what was saved here. It is fetched with the page, for it is needed when nothing can be fetched any more.

/** Name of the browser's store of saved worlds. */
export const WORLDS = 'sightline-worlds';

export const worldPath = (/** @type {string} */ id) => `/api/v1/worlds/${encodeURIComponent(id)}`;

/** Whether this browser can save anything at all; only secure pages may. */
export const canSave = () => 'serviceWorker' in navigator && 'caches' in globalThis;

/**
 * @param {string} id
 * @returns {Promise<import('../types').WorldAnswer | null>} the saved copy, with when it was saved
 */
export async function savedWorld(id) {
  if (!canSave()) return null;
  const answer = await caches.match(worldPath(id), { cacheName: WORLDS });
  const world = await answer?.json().catch(() => null);
  return answer && world ? { ...world, saved: answer.headers.get('date') ?? '' } : null;
}
