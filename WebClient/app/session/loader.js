// Fetches the worlds that the engine asks for: by address, with what the server wants to know, until the engine says stop.

import { RequestError } from '../net/request.js';
import { requestWorld } from '../net/worlds.js';
import { requestFields } from '../net/request-fields.js';
import { Content } from './content.js';

/**
 * @typedef {import('./session.js').Session} Session
 * @typedef {import('../../engine/types').DimensionRequest} DimensionRequest
 */

export class Loader {
  /**
   * The server's own sentence on the last failure.
   * @type {string | undefined}
   */
  detail;
  /** @type {Map<number, { controller: AbortController, world: number }>} */
  #running = new Map();

  /** @param {Session} session */
  constructor(session) {
    this.session = session;
  }

  /** @param {DimensionRequest} request */
  async request(request) {
    const { session } = this;
    const address = this.address(request.address, request.world);
    if (!address) return session.tell({ type: 'failed', request: request.id, reason: { kind: 'refused' } });
    const controller = new AbortController();
    this.#running.set(request.id, { controller, world: request.world });
    try {
      const answer = await requestWorld(
        address,
        requestFields(request, address, this.#sourceID(request), session.time),
        controller.signal,
      );
      if (!this.#running.delete(request.id)) return;
      this.detail = undefined;
      const numbers = session.worlds.numbersFor(request.world);
      session.worlds.install(request.id, request.world, new Content(answer, address, numbers));
    } catch (error) {
      if (!this.#running.delete(request.id) || controller.signal.aborted) return;
      const failure = error instanceof RequestError ? error : new RequestError({ kind: 'malformed' });
      if (!(error instanceof RequestError)) console.error(error);
      this.detail = failure.detail;
      session.tell({ type: 'failed', request: request.id, reason: failure.reason });
    }
  }

  /** @param {number} request */
  cancel(request) {
    this.#running.get(request)?.controller.abort();
    this.#running.delete(request);
  }

  /** @param {number} world that is closed: what is under way for it counts no more */
  cancelWorld(world) {
    for (const [id, running] of this.#running) if (running.world === world) this.cancel(id);
  }

  close() {
    for (const { controller } of this.#running.values()) controller.abort();
    this.#running.clear();
  }

  /**
   * What a number of the engine's stands for.
   * @param {number | null} number `null`: where the world is fetched again
   * @param {number} world
   */
  address(number, world) {
    const { addresses, worlds } = this.session;
    const content = worlds.get(world)?.content;
    if (number !== null) return addresses.get(number);
    const url = content?.dimension.refreshURL;
    const absolute = url && content?.absolute(url);
    return absolute ? addresses.get(addresses.numberOfURL(absolute)) : content?.address ?? null;
  }

  /** @param {DimensionRequest} request */
  #sourceID(request) {
    const { source } = request;
    const content = this.session.worlds.get(request.world)?.content;
    if (source.kind === 'none' || !content) return null;
    const { places, overlays } = content.dimension;
    return (source.kind === 'feature' ? places[source.index]?.id : overlays[source.index]?.id) ?? null;
  }
}
