// Requests to the server's HTTP interface: JSON or a plain reason back.

/** @typedef {import('../../engine/types').FailureReason} FailureReason */

const TIMEOUT_MS = 30_000;

/** What went wrong, in the engine's terms, with the server's own sentence if it gave one. */
export class RequestError extends Error {
  /**
   * @param {FailureReason} reason
   * @param {string} [detail]
   * @param {string} [code] the server's stable word for it: `world.unknown`
   */
  constructor(reason, detail, code) {
    super(detail ?? reason.kind);
    this.name = 'RequestError';
    this.reason = reason;
    this.detail = detail;
    this.code = code;
  }
}

/**
 * @param {string} path
 * @param {RequestInit} [init]
 * @returns {Promise<any>}
 */
export async function getJSON(path, init = {}) {
  const limit = new AbortController();
  const timer = setTimeout(() => limit.abort(), TIMEOUT_MS);
  init.signal?.addEventListener('abort', () => limit.abort());
  try {
    const response = await fetch(path, {
      ...init,
      signal: limit.signal,
      headers: { accept: 'application/json', ...init.headers },
    });
    if (!response.ok) throw await problem(response);
    return await response.json();
  } catch (error) {
    if (error instanceof RequestError) throw error;
    if (init.signal?.aborted) throw error;
    if (limit.signal.aborted) throw new RequestError({ kind: 'timedOut' });
    // A TypeError is the browser's word for "no answer"; a SyntaxError an answer that is not JSON.
    throw new RequestError(error instanceof SyntaxError ? { kind: 'malformed' } : { kind: 'network' });
  } finally {
    clearTimeout(timer);
  }
}

/**
 * Turns an RFC 9457 answer into a reason. The `code` member tells apart what a status cannot.
 * @param {Response} response
 */
async function problem(response) {
  /** @type {{ code?: string, detail?: string, title?: string }} */
  let body = {};
  try {
    if (/json/.test(response.headers.get('content-type') ?? '')) body = await response.json();
  } catch {
    // An error page without a readable body still has its status.
  }
  const detail = body.detail ?? body.title;
  const code = body.code ?? '';
  /** @type {FailureReason} */
  let reason = { kind: 'status', status: response.status };
  if (/unreadable/.test(code)) reason = { kind: 'malformed' };
  else if (/unreachable|unresolved|tls/.test(code)) reason = { kind: 'network' };
  else if (response.status === 403 || /scheme|userinfo|port|host/.test(code)) reason = { kind: 'refused' };
  else if (/timeout/.test(code) || response.status === 504) reason = { kind: 'timedOut' };
  return new RequestError(reason, detail, code);
}
