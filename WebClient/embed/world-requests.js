// What the engine of a world asks for, and from where it comes: what was fetched before it asked, an address, or what the page made.

import { AddressTable } from '../app/net/addresses.js';
import { Content } from '../app/session/content.js';
import { fetchWorld, sourceOf, worldOf } from './world-source.js';

/** @typedef {import('../engine/types').DimensionRequest} DimensionRequest */

export class WorldRequests {
  addresses = new AddressTable();
  /**
   * What the page made itself, in place of an address.
   * @type {unknown}
   */
  #given = null;
  /**
   * What was fetched before the engine asked for it.
   * @type {Promise<Content | null> | null}
   */
  #first = null;
  /** @type {Map<number, AbortController>} */
  #open = new Map();
  #closed;
  #read;

  /**
   * @param {AbortSignal} closed
   * @param {(content: Content) => void} read called with each world that came
   */
  constructor(closed, read) {
    this.#closed = closed;
    this.#read = read;
    closed.addEventListener('abort', () => {
      for (const request of this.#open.values()) request.abort();
      this.#open.clear();
    });
  }

  /**
   * Another world, which begins to come.
   * @param {string | URL | object} world an address, or content in the form that a server gives
   * @param {(error: unknown) => void} fail hears why it does not come
   * @returns {number} of its address
   * @throws {import('./world-source.js').WorldError} when that is none
   */
  begin(world, fail) {
    const isAddress = typeof world === 'string' || world instanceof URL;
    this.#given = isAddress ? null : world;
    const url = isAddress ? sourceOf(world, document.baseURI) : document.baseURI;
    this.#first = this.#fetch(url, this.#closed).catch((error) => {
      if (!this.#closed.aborted) fail(error);
      return null;
    });
    return this.addresses.number({ kind: 'url', url });
  }

  /**
   * What the page made has changed.
   * @param {object} world
   * @returns {boolean} whether it is to be asked for again; else what is open came from an address
   */
  update(world) {
    if (this.#given === null) return false;
    this.#given = world;
    return true;
  }

  /**
   * @param {DimensionRequest} request
   * @param {Content | null} shown
   * @returns {Promise<Content | null>} `null`: it was cancelled; rejects with a `WorldError`
   */
  async answer(request, shown) {
    const life = new AbortController();
    this.#open.set(request.id, life);
    const isOver = () => life.signal.aborted || this.#closed.aborted;
    try {
      const url = this.#addressOf(request, shown);
      const first = this.#first;
      this.#first = null;
      const content = (request.event === 'init' && await first) || await this.#fetch(url, life.signal);
      return isOver() ? null : content;
    } catch (error) {
      if (isOver()) return null;
      throw error;
    } finally {
      if (this.#open.get(request.id) === life) this.#open.delete(request.id);
    }
  }

  /** @param {number} id of a request */
  cancel(id) {
    this.#open.get(id)?.abort();
    this.#open.delete(id);
  }

  /**
   * @param {string} url
   * @param {AbortSignal} signal
   */
  async #fetch(url, signal) {
    const answer = this.#given === null ? await fetchWorld(url, signal) : worldOf(structuredClone(this.#given), 'what the page gave');
    if (answer.dimension.places.some(({ display }) => display)) answer.rules = (await import('../engine/rules.js')).rulesOf(answer);
    const content = new Content(answer, { kind: 'url', url });
    if (!signal.aborted) this.#read(content);
    return content;
  }

  /**
   * Where to fetch from: what the request names, and where the world is to be fetched again, what the world says or where it came from.
   * @param {DimensionRequest} request
   * @param {Content | null} shown
   */
  #addressOf({ address }, shown) {
    if (address === null) {
      const again = shown?.dimension.refreshURL;
      return sourceOf((again && shown.absolute(again)) || (shown?.address.kind === 'url' ? shown.address.url : ''), document.baseURI);
    }
    const known = this.addresses.get(address);
    if (known?.kind === 'url') return sourceOf(known.url, document.baseURI);
    return sourceOf(`/api/v1/${known?.kind === 'osm' ? 'osm' : 'worlds'}/${encodeURIComponent(known?.id ?? '')}`, location.href);
  }
}
