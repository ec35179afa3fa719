// Fetches the worlds that the engine asks for: by address, with what the server wants to know, until the engine says stop.

import { hostOf } from '../core/consents.js';
import { RequestError } from '../net/request.js';
import { requestWorld } from '../net/worlds.js';
import { requestFields, sharingWith } from '../net/request-fields.js';
import { Content } from './content.js';

/**
 * @typedef {import('./session.js').Session} Session
 * @typedef {import('../../engine/types').DimensionRequest} DimensionRequest
 * @typedef {import('../types').WorldAddress} WorldAddress
 * @typedef {{ controller: AbortController, world: number, request: DimensionRequest, withheldFrom: string }} Running
 *   `withheldFrom`: the host that is not told where the phone is; '' when nothing is kept from it
 */

export class Loader {
  /**
   * The server's own sentence on the last failure.
   * @type {string | undefined}
   */
  detail;
  /**
   * The server's word for the last failure.
   * @type {string | undefined}
   */
  code;
  /** The host that was asked last without being told where the phone is; '' when it was told. */
  withheldFrom = '';
  /** @type {Map<number, Running>} */
  #running = new Map();
  /** Hosts whose worlds were fetched without a position. */
  #withheld = new Set();

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
    const sharing = sharingWith(address);
    const withheldFrom = sharing === 'withheld' && address.kind === 'url' ? hostOf(address.url) : '';
    /** @type {Running} */
    const running = { controller, world: request.world, request, withheldFrom };
    this.#running.set(request.id, running);
    if (withheldFrom) {
      this.#withheld.add(withheldFrom);
      this.ask(address);
    }
    // Whether this is still what the engine waits for: it may have been given up, or be asked anew.
    const isOver = () => this.#running.get(request.id) !== running || !this.#running.delete(request.id);
    try {
      const answer = await requestWorld(
        address,
        requestFields(request, address, this.#sourceID(request), session.time, sharing),
        controller.signal,
      );
      if (answer.dimension.places.some(({ display }) => display)) answer.rules = (await import('../../engine/rules.js')).rulesOf(answer);
      if (isOver()) return;
      this.detail = this.code = undefined;
      this.withheldFrom = '';
      session.worlds.install(request.id, request.world, new Content(answer, address));
    } catch (error) {
      // What fails on the way in was taken from the list already.
      if (this.#running.has(request.id) ? isOver() : controller.signal.aborted) return;
      const failure = error instanceof RequestError ? error : new RequestError({ kind: 'malformed' });
      if (!(error instanceof RequestError)) console.error(error);
      this.detail = failure.detail;
      this.code = failure.code;
      this.withheldFrom = withheldFrom;
      session.tell({ type: 'failed', request: request.id, reason: failure.reason });
    }
  }

  /**
   * Has the user asked, if this is a world of another server that is not told where the phone is.
   * @param {WorldAddress} address
   */
  ask(address) {
    if (address.kind === 'url' && sharingWith(address) === 'withheld') this.session.emit('positionWanted', hostOf(address.url));
  }

  /**
   * A host may be told where the phone is from now on: what was asked without is asked again.
   * @param {string} host
   */
  allowed(host) {
    const under = [...this.#running.values()].filter(({ withheldFrom }) => withheldFrom === host);
    for (const { controller, request } of under) {
      this.#running.delete(request.id);
      controller.abort();
      void this.request(request);
    }
    if (this.#withheld.delete(host) && under.length === 0) this.session.refresh();
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
