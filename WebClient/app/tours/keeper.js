// What a team's phone keeps: the tours it has joined, and the queue of what it has not yet told the server. In
// IndexedDB, so that neither a closed page nor an empty battery loses an answer.

/**
 * @typedef {import('./api.js').Point} Point
 * @typedef {import('./api.js').StationKind} StationKind
 * @typedef {{
 *   id: string, number?: number, kind: StationKind, title: string, text: string, position: Point, radius: number,
 *   visibleRadius: number | null, picture: string | null, options: string[], multiple: boolean, points: number,
 *   tries: number, hints: { cost: number, text?: string }[], round: number
 * }} PlayStation
 * @typedef {{
 *   run: string, revision: number, title: string, summary: string | null, sequential: boolean, showsScore: boolean,
 *   showsVerdict: boolean, rounds: number, rounding: number, keepDays: number, trial: boolean, allowsVirtualPhones?: boolean, border: Point[],
 *   way?: 'none' | 'stations' | 'drawn', route?: Point[],
 *   stations: PlayStation[], stationCount?: number
 * }} PlayContent
 * @typedef {{ state: 'open' | 'right' | 'wrong' | 'pending' | 'answered', triesLeft: number | null, points?: number,
 *   hints: number[], hintTexts?: Record<string, string> }} StationState
 * @typedef {{
 *   phase: import('./api.js').Phase, round: number, rounds: number, revision: number, secondsLeft: number | null,
 *   team: { number: number, name: string, color: string }, score: number | null, done: number,
 *   stations: Record<string, StationState>, messages: { number: number, time: string, text: string }[]
 * }} PlayState
 * @typedef {{
 *   key: string, secret: string, content: PlayContent, state: PlayState, messages: PlayState['messages'], read: number, ended?: boolean,
 *   sequence: number, joined: number
 * }} Joined
 * @typedef {{
 *   id: string, key: string, sequence: number, station: string, kind: 'choice' | 'text' | 'hint' | 'visit',
 *   choices?: number[], text?: string, hint?: number, position: (Point & { accuracy: number, isVirtual?: boolean }) | null, made: number
 * }} Queued `made` in milliseconds of `Date.now()`
 */

/** @type {Promise<IDBDatabase> | null} */
let database = null;

function opened() {
  database ??= new Promise((resolve, reject) => {
    const asked = indexedDB.open('sightline-tours', 1);
    asked.onupgradeneeded = () => {
      asked.result.createObjectStore('joined', { keyPath: 'key' });
      const queue = asked.result.createObjectStore('queue', { keyPath: 'id' });
      queue.createIndex('key', 'key');
    };
    asked.onsuccess = () => resolve(asked.result);
    asked.onerror = () => reject(asked.error);
  });
  return database;
}

/**
 * @template T
 * @param {'joined' | 'queue' | ('joined' | 'queue')[]} stores
 * @param {IDBTransactionMode} mode
 * @param {(transaction: IDBTransaction) => IDBRequest<T> | void} work
 * @returns {Promise<T | undefined>} settles when the transaction is on the disk
 */
async function transact(stores, mode, work) {
  const db = await opened();
  return new Promise((resolve, reject) => {
    const transaction = db.transaction(stores, mode, { durability: 'strict' });
    const asked = work(transaction);
    transaction.oncomplete = () => resolve(asked ? asked.result : undefined);
    transaction.onabort = transaction.onerror = () => reject(transaction.error);
  });
}

/** @returns {Promise<Joined[]>} tours that this phone is in, the latest first */
export async function joinedTours() {
  const all = (await transact('joined', 'readonly', (t) => t.objectStore('joined').getAll())) ?? [];
  return /** @type {Joined[]} */ (all).sort((a, b) => b.joined - a.joined);
}

/** @param {string} key @returns {Promise<Joined | undefined>} */
export const joinedTour = (key) => transact('joined', 'readonly', (t) => t.objectStore('joined').get(key));

/** @param {Joined} joined */
export const keep = (joined) => transact('joined', 'readwrite', (t) => t.objectStore('joined').put(joined));

/**
 * Takes a tour off this phone, with all that it has not sent.
 * @param {string} key
 */
export async function forget(key) {
  const waiting = await queued(key);
  await transact(['joined', 'queue'], 'readwrite', (t) => {
    t.objectStore('joined').delete(key);
    for (const event of waiting) t.objectStore('queue').delete(event.id);
  });
}

/**
 * Puts an event at the end of the queue: number and event are kept in one transaction, so no number is given twice.
 * @param {string} key
 * @param {Omit<Queued, 'id' | 'key' | 'sequence' | 'made'>} event
 * @returns {Promise<Queued>}
 */
export async function enqueue(key, event) {
  const db = await opened();
  return new Promise((resolve, reject) => {
    const transaction = db.transaction(['joined', 'queue'], 'readwrite', { durability: 'strict' });
    /** @type {Queued | null} */
    let made = null;
    const asked = transaction.objectStore('joined').get(key);
    asked.onsuccess = () => {
      const joined = /** @type {Joined | undefined} */ (asked.result);
      if (!joined) return transaction.abort();
      // By the clock, so that a phone that has lost its counter still goes on behind what it has sent.
      joined.sequence = Math.max(joined.sequence + 1, Date.now());
      made = { ...event, id: crypto.randomUUID(), key, sequence: joined.sequence, made: Date.now() };
      transaction.objectStore('joined').put(joined);
      transaction.objectStore('queue').put(made);
    };
    transaction.oncomplete = () => (made ? resolve(made) : reject(new Error('not joined')));
    transaction.onabort = transaction.onerror = () => reject(transaction.error ?? new Error('not joined'));
  });
}

/**
 * What waits to be sent, in order.
 * @param {string} key
 * @returns {Promise<Queued[]>}
 */
export async function queued(key) {
  const all = await transact('queue', 'readonly', (t) => t.objectStore('queue').index('key').getAll(key));
  return /** @type {Queued[]} */ (all ?? []).sort((a, b) => a.sequence - b.sequence);
}

/** @param {string[]} ids what the server has confirmed */
export const sent = (ids) =>
  transact('queue', 'readwrite', (t) => {
    for (const id of ids) t.objectStore('queue').delete(id);
  });

/**
 * Changes what is kept of a tour without touching its counter, which another tab may have moved on.
 * @param {string} key
 * @param {Partial<Joined>} change
 */
export const change = (key, change) =>
  transact('joined', 'readwrite', (t) => {
    const asked = t.objectStore('joined').get(key);
    asked.onsuccess = () => {
      if (asked.result) t.objectStore('joined').put({ ...asked.result, ...change, sequence: asked.result.sequence });
    };
  });
