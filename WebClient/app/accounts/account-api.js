// Who is signed in, and requests on their behalf: the cookie is the browser's, the secret that every change needs is kept here.

/**
 * @typedef {{ id: number, name: string, role: 'author' | 'operator', active: boolean, secondFactor: boolean, created: string,
 *   signedIn: string | null, bytes?: number }} Account
 * @typedef {{ account: Account | null, csrf?: string, needsSecondFactor?: boolean, recoveryCodes?: number, files?: number,
 *   bytes?: number, needsFirstAccount?: boolean, quota?: { bytes: number, worlds: number } }} SessionAnswer
 */

const TIMEOUT_MS = 30_000;

/** A refusal, with the server's sentence. */
export class AccountError extends Error {
  /**
   * @param {number} status 0: no answer
   * @param {string} code
   * @param {string} detail
   * @param {any} [body] of the problem document
   */
  constructor(status, code, detail, body) {
    super(detail || code);
    this.name = 'AccountError';
    this.status = status;
    this.code = code;
    this.detail = detail;
    this.body = body ?? {};
  }
}

/** @type {SessionAnswer | null} */
let current = null;
/** @type {Set<() => void>} */
const listeners = new Set();

/** What is known of the session, without asking. */
export const session = () => current;

/**
 * Who may work: somebody who is signed in, and who has a second factor where the server asks for one. Who lacks it is
 * refused everything but the account's page.
 */
export const activeAccount = () => current?.needsSecondFactor ? null : current?.account ?? null;

/**
 * @param {() => void} listener called when somebody signs in or out, and when a second factor comes or goes
 * @param {AbortSignal} until
 */
export function onSession(listener, until) {
  listeners.add(listener);
  until.addEventListener('abort', () => listeners.delete(listener));
}

/** @param {SessionAnswer | null} answer */
const standing = (answer) => `${answer?.account?.id} ${answer?.account?.secondFactor} ${answer?.needsSecondFactor}`;

/** @param {SessionAnswer} answer */
function become(answer) {
  const changed = standing(current) !== standing(answer);
  current = answer;
  if (changed) for (const listener of listeners) listener();
  return answer;
}

/** Asks who is signed in. */
export async function refreshSession() {
  return become(await (await send('GET', '/api/v1/session')).json());
}

/** Asks who is signed in, unless that is known. */
export async function ensureSession() {
  return current ?? refreshSession();
}

/**
 * @param {string} name
 * @param {string} password
 * @param {string} [code] of the second factor
 */
export async function signIn(name, password, code) {
  return become(await (await send('POST', '/api/v1/session', { json: { name, password, code } })).json());
}

/** @param {boolean} everywhere */
export async function signOut(everywhere) {
  await send('DELETE', `/api/v1/session${everywhere ? '?everywhere=1' : ''}`);
  signedOut();
}

/** What holds once the server has ended this session. */
export const signedOut = () => void become({ account: null });

/**
 * @param {string} present
 * @param {string} next
 */
export async function changePassword(present, next) {
  return become(await (await send('PUT', '/api/v1/session/password', { json: { current: present, new: next } })).json());
}

/**
 * @param {string} token
 * @returns {Promise<{ role: Account['role'], name: string | null }>}
 */
export async function openLink(token) {
  return (await send('POST', '/api/v1/invitations/open', { json: { token } })).json();
}

/**
 * @param {string} token
 * @param {string} name
 * @param {string} password
 * @param {string} [code] of the second factor
 */
export async function acceptLink(token, name, password, code) {
  return become(await (await send('POST', '/api/v1/invitations/accept', { json: { token, name, password, code } })).json());
}

/**
 * A request of the one who is signed in.
 * @param {'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'} method
 * @param {string} path
 * @param {{ json?: unknown, text?: string, file?: Blob, headers?: Record<string, string>, signal?: AbortSignal, slow?: boolean, again?: boolean }} [options]
 *   `text` is JSON already; `slow`: an upload, which may take its time
 * @returns {Promise<Response>} an answer of success, or 304
 */
export async function send(method, path, options = {}) {
  /** @type {Record<string, string>} */
  const headers = { accept: 'application/json', ...options.headers };
  if (method !== 'GET' && current?.csrf) headers['x-csrf-token'] = current.csrf;
  /** @type {BodyInit | undefined} */
  let body;
  if (options.file) {
    headers['content-type'] = 'application/octet-stream';
    body = options.file;
  } else if (options.text !== undefined || options.json !== undefined) {
    headers['content-type'] = 'application/json';
    body = options.text ?? JSON.stringify(options.json);
  }
  const limit = new AbortController();
  const timer = setTimeout(() => limit.abort(), options.slow ? 5 * TIMEOUT_MS : TIMEOUT_MS);
  options.signal?.addEventListener('abort', () => limit.abort());
  let response;
  try {
    response = await fetch(path, { method, headers, body, signal: limit.signal, credentials: 'same-origin' });
  } catch {
    throw new AccountError(0, 'network', '');
  } finally {
    clearTimeout(timer);
  }
  if (response.ok || response.status === 304) return response;
  const problem = await response.json().catch(() => ({}));
  // Another tab has signed in anew meanwhile: the same person goes on with the new session's secret.
  if (problem.code === 'account.csrf' && !options.again) {
    const before = current?.account?.id;
    await refreshSession();
    if (before !== undefined && current?.account?.id === before) return send(method, path, { ...options, again: true });
  }
  if (problem.code === 'account.required' && current?.account) signedOut();
  // The server was told to ask for it after this page had asked who is signed in.
  if (problem.code === 'account.second-factor-missing' && current) become({ ...current, needsSecondFactor: true });
  throw new AccountError(response.status, problem.code ?? '', problem.detail ?? response.statusText, problem);
}

/**
 * A picture or model of one's own on the server.
 * @param {Blob} file
 * @param {AbortSignal} [signal]
 * @param {number} [side] longest side that is kept, pixels; the server has a usual one
 * @returns {Promise<{ hash: string, url: string, mediaType: string, bytes: number, width?: number, height?: number, used: number, limit: number }>}
 */
export async function uploadAsset(file, signal, side) {
  const answer = await (await send('POST', `/api/v1/assets${side ? `?side=${side}` : ''}`, { file, signal, slow: true })).json();
  if (current?.account) current.bytes = answer.used;
  return answer;
}
