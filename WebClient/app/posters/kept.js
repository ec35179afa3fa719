// What stays on this device between visits, beside what fits into a few lines of text: pictures of one's own, and walls
// with what hangs on them. In IndexedDB; where that is refused (private windows, a full disk), for this visit only.

/**
 * @typedef {import('./api.js').PosterSize} PosterSize
 * @typedef {{ id: string, title: string, sizes: PosterSize[], width: number, height: number, blob: Blob }} KeptPicture
 * @typedef {{ file: Uint8Array, width: number, center: [number, number] }} KeptTarget `file` of the engine, `width` and
 *   `center` as the anchor has them
 * @typedef {{ id: string, frame: string, size: number, x: number, y: number, turn: number }} KeptPoster
 * @typedef {{ id: string, used: number, kind: import('./try/anchor.js').AnchorKind, isTrue: boolean, scale: number,
 *   upright: number, marker: { dictionary: string, id: number, side: number } | null, targets: KeptTarget[],
 *   hung: KeptPoster[], look: Blob | null }} KeptWall `used` in milliseconds of `Date.now()`
 * @typedef {'pictures' | 'walls'} StoreName
 */

/** @type {Promise<IDBDatabase> | null} */
let database = null;
/**
 * What could not be kept on the disk.
 * @type {Record<StoreName, Map<string, any>>}
 */
const forNow = { pictures: new Map(), walls: new Map() };

function opened() {
  database ??= new Promise((resolve, reject) => {
    const asked = indexedDB.open('sightline-posters', 1);
    asked.onupgradeneeded = () => {
      asked.result.createObjectStore('pictures', { keyPath: 'id' });
      asked.result.createObjectStore('walls', { keyPath: 'id' });
    };
    asked.onsuccess = () => resolve(asked.result);
    asked.onerror = () => reject(asked.error);
  });
  return database;
}

/**
 * @template T
 * @param {StoreName} name
 * @param {IDBTransactionMode} mode
 * @param {(store: IDBObjectStore) => IDBRequest<T>} work
 * @returns {Promise<T>}
 */
async function transact(name, mode, work) {
  const db = await opened();
  return new Promise((resolve, reject) => {
    const transaction = db.transaction(name, mode);
    const asked = work(transaction.objectStore(name));
    transaction.oncomplete = () => resolve(asked.result);
    transaction.onabort = transaction.onerror = () => reject(transaction.error);
  });
}

/**
 * @param {StoreName} name
 * @returns {Promise<any[]>}
 */
async function all(name) {
  const kept = await transact(name, 'readonly', (store) => store.getAll()).catch(() => []);
  return [...kept.filter(({ id }) => !forNow[name].has(id)), ...forNow[name].values()];
}

/**
 * @param {StoreName} name
 * @param {{ id: string }} value
 * @returns {Promise<boolean>} whether it stays after this visit
 */
async function put(name, value) {
  try {
    await transact(name, 'readwrite', (store) => store.put(value));
    forNow[name].delete(value.id);
    return true;
  } catch {
    forNow[name].set(value.id, value);
    return false;
  }
}

/**
 * @param {StoreName} name
 * @param {string} id
 */
async function remove(name, id) {
  forNow[name].delete(id);
  await transact(name, 'readwrite', (store) => store.delete(id)).catch(() => undefined);
}

/** @returns {Promise<KeptPicture[]>} the oldest first */
export const keptPictures = async () => (await all('pictures')).sort((a, b) => numberOf(a.id) - numberOf(b.id));
/** @param {KeptPicture} picture */
export const keepPicture = (picture) => put('pictures', picture);
/** @param {string} id */
export const removePicture = (id) => remove('pictures', id);

/**
 * The number in an identifier such as `own-3`.
 * @param {string} id
 */
export const numberOf = (id) => Number(/\d+$/.exec(id)?.[0] ?? 0);

/** Walls that are kept; older ones make room. */
const MOST_WALLS = 8;

/** @returns {Promise<KeptWall[]>} what was used last is first */
export const keptWalls = async () => (await all('walls')).map(withCenters).sort((a, b) => b.used - a.used);

/**
 * Walls that were kept before walls had y to their top held where a picture is as `middle`, y down.
 * @param {any} wall
 * @returns {KeptWall}
 */
const withCenters = (wall) => ({
  ...wall,
  targets: wall.targets.map((/** @type {any} */ { middle, ...target }) => (middle ? { ...target, center: [middle[0], -middle[1]] } : target)),
});

/** @param {KeptWall} wall */
export async function keepWall(wall) {
  await put('walls', wall);
  for (const { id } of (await keptWalls()).slice(MOST_WALLS)) await remove('walls', id);
}

/** @param {string} id */
export const removeWall = (id) => remove('walls', id);
