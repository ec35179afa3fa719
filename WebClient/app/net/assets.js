// Pictures of worlds, by address: loaded once, kept over refreshes.

/**
 * @typedef {{ url: string, source: string, state: 'loading' | 'ready' | 'failed', width: number, height: number,
 *   image: HTMLImageElement | null, waiting: Set<(picture: Picture) => void> }} Picture
 */

/** @type {Map<string, Picture>} */
const cache = new Map();
const FAILED = new URL('../../failed.svg', import.meta.url).href;
const LIMIT = 400;
/** Other people's pages have no proxy. */
export const proxy = { isUsed: true };

/**
 * Where a picture is fetched from: this server's files as they are, all else through its proxy.
 * @param {string} url
 */
export function pictureSource(url) {
  const absolute = new URL(url.replace(/^gamaray:/i, 'http:'), location.href);
  if (!proxy.isUsed || absolute.origin === location.origin && /^\/(assets|client)\//.test(absolute.pathname)) return absolute.href;
  return `/api/v1/asset?url=${encodeURIComponent(absolute.href)}`;
}

/**
 * @param {string | undefined} url
 * @returns {Picture}
 */
export function picture(url) {
  const key = url ?? '';
  const known = cache.get(key);
  if (known) return known;
  /** @type {Picture} */
  const entry = { url: key, source: FAILED, state: 'loading', width: 0, height: 0, image: null, waiting: new Set() };
  cache.set(key, entry);
  if (cache.size > LIMIT) forgetOldest();
  if (!url) {
    finish(entry, 'failed');
    return entry;
  }
  try {
    entry.source = pictureSource(url);
  } catch {
    finish(entry, 'failed');
    return entry;
  }
  const image = new Image();
  image.decoding = 'async';
  image.onload = () => {
    entry.image = image;
    entry.width = image.naturalWidth;
    entry.height = image.naturalHeight;
    finish(entry, 'ready');
  };
  image.onerror = () => {
    entry.source = FAILED;
    finish(entry, 'failed');
  };
  image.src = entry.source;
  return entry;
}

/**
 * Calls back when the picture is there or has failed, at once if that is so already.
 * @param {string | undefined} url
 * @param {(picture: Picture) => void} then
 */
export function whenPicture(url, then) {
  const entry = picture(url);
  if (entry.state === 'loading') entry.waiting.add(then);
  else then(entry);
}

/** After "refresh" by hand failed pictures get another chance. */
export function forgetFailed() {
  for (const [key, entry] of cache) if (entry.state === 'failed') cache.delete(key);
}

/**
 * @param {Picture} entry
 * @param {'ready' | 'failed'} state
 */
function finish(entry, state) {
  entry.state = state;
  if (state === 'failed') entry.width = entry.height = 48;
  const waiting = [...entry.waiting];
  entry.waiting.clear();
  for (const then of waiting) then(entry);
}

function forgetOldest() {
  for (const [key, entry] of cache) {
    if (entry.state === 'loading') continue;
    cache.delete(key);
    return;
  }
}
