// A model's file from its address; what is wrong is said with a code, and with what to do.

import { ModelFailure } from '../engine/models.js';

/** As many bytes as the engine reads (`ModelLimits`): more need not come. */
export const MOST_BYTES = 64 * 1024 * 1024;

/**
 * @typedef {'attribute' | 'model-missing' | 'model-unreachable' | 'model-cross-origin' | 'model-too-large' | 'model-not-glb'
 *   | 'model-invalid' | 'model-no-webgl' | 'engine'} ModelErrorCode
 */

export class ModelError extends Error {
  /**
   * @param {ModelErrorCode} code
   * @param {string} message what is wrong, and what to do
   */
  constructor(code, message) {
    super(message);
    this.name = 'ModelError';
    this.code = code;
  }
}

const tooLarge = () => new ModelError('model-too-large', `more than ${MOST_BYTES >> 20} MB: make its pictures smaller, or leave triangles out`);

/**
 * @param {string} address absolute
 * @param {AbortSignal} signal
 * @returns {Promise<Uint8Array>}
 * @throws {ModelError}
 */
export async function fetchModel(address, signal) {
  let response;
  try {
    response = await fetch(address, { signal });
  } catch (error) {
    if (signal.aborted) throw error;
    throw await unreachable(address, signal);
  }
  if (!response.ok) throw new ModelError('model-missing', `the server answered ${response.status}: see whether the address is right`);
  if (Number(response.headers.get('content-length')) > MOST_BYTES) {
    void response.body?.cancel();
    throw tooLarge();
  }
  return collect(response);
}

/**
 * The bytes of an answer, no more than are of use: its length may be missing, or wrong.
 * @param {Response} response
 */
async function collect(response) {
  const reader = response.body?.getReader();
  /** @type {Uint8Array[]} */
  const parts = [];
  let length = 0;
  for (let part = await reader?.read(); part && !part.done; part = await reader?.read()) {
    parts.push(part.value);
    length += part.value.length;
    if (length <= MOST_BYTES) continue;
    void reader?.cancel();
    throw tooLarge();
  }
  const all = new Uint8Array(length);
  parts.reduce((start, part) => (all.set(part, start), start + part.length), 0);
  return all;
}

/**
 * Browsers do not say why an address could not be fetched; one that can be reached without reading the answer forbids just that.
 * @param {string} address
 * @param {AbortSignal} signal
 */
async function unreachable(address, signal) {
  const { origin } = new URL(address);
  if (origin !== location.origin && origin !== 'null') {
    try {
      await fetch(address, { method: 'HEAD', mode: 'no-cors', signal });
      return new ModelError('model-cross-origin', `${origin} keeps it from other pages: let that server answer with Access-Control-Allow-Origin`);
    } catch {
      // It cannot be reached at all.
    }
  }
  return new ModelError('model-unreachable', 'it cannot be fetched: see whether the server runs, and whether connect-src of the page\'s policy names it');
}

/**
 * @param {unknown} error of reading or drawing a model
 * @returns {ModelError}
 */
export function modelErrorOf(error) {
  if (error instanceof ModelError) return error;
  if (!(error instanceof ModelFailure)) return new ModelError('engine', error instanceof Error ? error.message : String(error));
  if (error.code === 'notGLB') return new ModelError('model-not-glb', 'that is no GLB file: give a .glb of glTF 2.0, not .gltf and no web page');
  if (error.code === 'limit') return new ModelError('model-too-large', `too much for a phone (${error.message}): make it simpler`);
  return new ModelError('model-invalid', `the file is not as glTF 2.0 wants it (${error.message}): see what a glTF validator says`);
}
