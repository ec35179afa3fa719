// What is kept on this device between visits. Every access may fail (private mode, full, blocked): then the value
// lives for this visit only.

const PREFIX = 'sightline.';
/** @type {Map<string, string>} */
const fallback = new Map();

/**
 * What was kept under a name. Storage may hold anything: of an older version, of another program on this address, or
 * damaged. What is of another kind than `otherwise` (a number, a list, an object with names) counts as nothing; where
 * `otherwise` is `null`, whoever asks looks at the members himself.
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
    const value = text === null ? otherwise : JSON.parse(text);
    return otherwise === null || kindOf(value) === kindOf(otherwise) ? value : otherwise;
  } catch {
    return otherwise;
  }
}

/** @param {unknown} value */
const kindOf = (value) => (Array.isArray(value) ? 'list' : value === null ? 'null' : typeof value);

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
  const ids = load('visitor', /** @type {Record<string, unknown>} */ ({}));
  const known = Object.hasOwn(ids, source) ? ids[source] : null;
  if (typeof known === 'string' && /^UID[0-9a-f]{24}$/.test(known)) return known;
  const bytes = crypto.getRandomValues(new Uint8Array(12));
  const made = 'UID' + Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
  // Without a prototype, for a host may be called `__proto__`.
  save('visitor', Object.assign(Object.create(null), ids, { [source]: made }));
  return made;
}

/**
 * Makes one source see a new visitor, if it is ever told one again.
 * @param {string} source
 */
export function forgetVisitorID(source) {
  const { [source]: _, ...rest } = load('visitor', /** @type {Record<string, unknown>} */ ({}));
  save('visitor', rest);
}

/** Makes every source see a new visitor. */
export function resetVisitorIDs() {
  save('visitor', undefined);
}
