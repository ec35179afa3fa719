// What is kept on this device between visits. Every access may fail (private mode, full, blocked): then the value
// lives for this visit only.

const PREFIX = 'sightline.';
/** @type {Map<string, string>} */
const fallback = new Map();

/**
 * @template T
 * @param {string} key
 * @param {T} otherwise
 * @returns {T}
 */
export function load(key, otherwise) {
  let text = fallback.get(key) ?? null;
  try {
    text ??= localStorage.getItem(PREFIX + key);
  } catch {
    // Blocked: what this visit knows is all there is.
  }
  try {
    return text === null ? otherwise : JSON.parse(text);
  } catch {
    return otherwise;
  }
}

/**
 * @param {string} key
 * @param {unknown} value `undefined` forgets it
 */
export function save(key, value) {
  const text = value === undefined ? undefined : JSON.stringify(value);
  try {
    if (text === undefined) localStorage.removeItem(PREFIX + key);
    else localStorage.setItem(PREFIX + key, text);
    fallback.delete(key);
  } catch {
    if (text === undefined) fallback.delete(key);
    else fallback.set(key, text);
  }
}

/**
 * The random number a world's server may know this browser by: one a source, so that two sources cannot compare notes.
 * @param {string} source
 */
export function visitorID(source) {
  const ids = load('visitor', /** @type {Record<string, string>} */ ({}));
  if (!ids[source]) {
    const bytes = crypto.getRandomValues(new Uint8Array(12));
    ids[source] = 'UID' + Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
    save('visitor', ids);
  }
  return ids[source];
}

/** Makes every source see a new visitor. */
export function resetVisitorIDs() {
  save('visitor', undefined);
}
