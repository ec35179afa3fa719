// The server's interface for tours: what teachers ask with their account, and teams' phones with their secret.

/**
 * @typedef {{ latitude: number, longitude: number }} Point
 * @typedef {{ text: string, cost: number }} Hint
 * @typedef {'choice' | 'open' | 'info' | 'picture'} StationKind
 * @typedef {{
 *   id: string, kind: StationKind, title: string, text: string, position: Point, radius: number,
 *   visibleRadius?: number | null, picture?: string | null, options: string[], correct: number[], accepted: string[],
 *   points: number, tries: number, hints: Hint[], round: number
 * }} Station
 * @typedef {{
 *   title: string, summary?: string, order: 'free' | 'ordered' | 'random', stations: Station[], border: Point[],
 *   way: 'none' | 'stations' | 'drawn', route: Point[],
 *   rounds: number, minutes?: number, showsVerdict: boolean, showsScore: boolean, triesCost: number, rounding: number,
 *   keepDays: number, allowsVirtualPhones?: boolean
 * }} Tour
 * @typedef {'prepared' | 'running' | 'paused' | 'ended'} Phase
 * @typedef {{
 *   id: string, tour: string, title: string, trial: boolean, created: string, started: string | null,
 *   ended: string | null, deleted: string | null, keepDays: number, phase: Phase, round: number, rounds: number,
 *   revision: number, secondsLeft: number | null
 * }} Run
 * @typedef {{ severity: 'error' | 'warning' | 'info', path: string, message: string }} Finding
 * @typedef {{ id: string, version: number, saved: string, tour: Tour, problems: Finding[], runs: Run[] }} StoredTour
 * @typedef {{ id: string, title: string, stations: number, version: number, saved: string, runs: Run[] }} TourListing
 * @typedef {{ number: number, name: string, color: string, code: string }} TeamCode
 * @typedef {{ name: string, color: string }} TeamDraft
 */

const TIMEOUT_MS = 20_000;

/** An answer of the server that is none of success, or no answer at all (`status` 0). */
export class TourError extends Error {
  /**
   * @param {number} status
   * @param {string} code
   * @param {string} detail
   * @param {Finding[]} [problems]
   */
  constructor(status, code, detail, problems = []) {
    super(detail || code);
    this.name = 'TourError';
    this.status = status;
    this.code = code;
    this.problems = problems;
  }

  /** Whether asking again later may help. */
  get isPassing() {
    return this.status === 0 || this.status === 408 || this.status === 429 || this.status >= 500;
  }
}

/**
 * @param {string} path
 * @param {{ method?: string, body?: unknown, headers?: Record<string, string> }} [options]
 * @returns {Promise<{ data: any, response: Response }>}
 */
async function request(path, options = {}) {
  const { method = 'GET', body, headers = {} } = options;
  const limit = new AbortController();
  const timer = setTimeout(() => limit.abort(), TIMEOUT_MS);
  try {
    const response = await fetch(path, {
      method,
      signal: limit.signal,
      headers: {
        accept: 'application/json',
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...headers,
      },
      body: body === undefined ? undefined : JSON.stringify(body),
    });
    const isJSON = /json/.test(response.headers.get('content-type') ?? '');
    const data = isJSON ? await response.json() : null;
    if (!response.ok) throw new TourError(response.status, data?.code ?? '', data?.detail ?? '', data?.problems);
    return { data, response };
  } catch (error) {
    if (error instanceof TourError) throw error;
    throw new TourError(0, 'network', '');
  } finally {
    clearTimeout(timer);
  }
}

// ---- Teams' phones ----

/** @param {string} code */
export const join = async (code) => (await request('/api/v1/tour-team/join', { method: 'POST', body: { code } })).data;

/**
 * @param {string} secret
 * @param {'' | '/state' | '/events' | '/help' | '/ranking'} path
 * @param {unknown} [body] none to read
 */
export async function asTeam(secret, path, body) {
  const method = body === undefined ? 'GET' : 'POST';
  const headers = { authorization: `Bearer ${secret}` };
  return (await request(`/api/v1/tour-team${path}`, { method, body, headers })).data;
}

// ---- Teachers ----

let csrf = '';

/**
 * Who is signed in, and has a second factor where the server asks for one: others may do nothing with tours.
 * @returns {Promise<{ name: string, role: string } | null>}
 */
export async function account() {
  const { data } = await request('/api/v1/session');
  csrf = data?.csrf ?? '';
  return data?.needsSecondFactor ? null : data?.account ?? null;
}

/**
 * @param {string} path
 * @param {string} [method]
 * @param {unknown} [body]
 * @param {Record<string, string>} [headers]
 */
export async function asTeacher(path, method = 'GET', body, headers = {}) {
  const send = () => request(path, { method, body, headers: { ...headers, ...(method === 'GET' ? {} : { 'x-csrf-token': csrf }) } });
  if (method !== 'GET' && !csrf) await account();
  try {
    return (await send()).data;
  } catch (error) {
    // The session was begun anew in another tab: its secret is another.
    if (!(error instanceof TourError) || error.code !== 'account.csrf') throw error;
    await account();
    return (await send()).data;
  }
}

/** @returns {Promise<TourListing[]>} */
export const listTours = async () => (await asTeacher('/api/v1/tours')).tours;
/** @param {string} id @returns {Promise<StoredTour>} */
export const fetchTour = (id) => asTeacher(`/api/v1/tours/${encodeURIComponent(id)}`);
/** @param {Tour} tour @returns {Promise<StoredTour>} */
export const addTour = (tour) => asTeacher('/api/v1/tours', 'POST', tour);
/** @param {string} id @param {Tour} tour @param {number} version @returns {Promise<StoredTour>} */
export const saveTour = (id, tour, version) =>
  asTeacher(`/api/v1/tours/${encodeURIComponent(id)}`, 'PUT', tour, { 'if-match': `"${version}"` });
/** @param {string} id */
export const removeTour = (id) => asTeacher(`/api/v1/tours/${encodeURIComponent(id)}`, 'DELETE');
/**
 * @param {string} tour
 * @param {TeamDraft[]} teams
 * @param {boolean} trial
 * @returns {Promise<{ run: Run, teams: TeamCode[] }>}
 */
export const addRun = (tour, teams, trial) =>
  asTeacher(`/api/v1/tours/${encodeURIComponent(tour)}/runs`, 'POST', { teams, trial });
/** @param {string} run */
export const runPath = (run) => `/api/v1/tour-runs/${encodeURIComponent(run)}`;

/**
 * Keeps a picture on the server.
 * @param {Blob} file
 * @returns {Promise<string>} its hash
 */
export async function upload(file) {
  if (!csrf) await account();
  const response = await fetch('/api/v1/assets?side=1600', {
    method: 'POST',
    headers: { 'content-type': file.type || 'application/octet-stream', 'x-csrf-token': csrf, accept: 'application/json' },
    body: file,
  }).catch(() => null);
  if (!response) throw new TourError(0, 'network', '');
  const data = await response.json().catch(() => null);
  if (!response.ok) throw new TourError(response.status, data?.code ?? '', data?.detail ?? '');
  return data.hash;
}

/** @param {string} hash */
export const pictureURL = (hash) => `/assets/${encodeURIComponent(hash)}`;

/** @returns {Tour} */
export const emptyTour = () => ({
  title: '', order: 'free', stations: [], border: [], way: 'none', route: [], rounds: 1, showsVerdict: true, showsScore: true, triesCost: 0,
  rounding: 0, keepDays: 7,
});
