// The worlds that are shown together. Their rules, what of them is seen and in which order are the engine's; this keeps what
// people read of each.

import { MOST_BESIDE, sameAddress } from '../core/router.js';
import { load, save } from '../core/storage.js';
import { placeKey } from './content.js';
import { SeveralWorlds } from './several.js';

/**
 * @typedef {import('../types').WorldAddress} WorldAddress
 * @typedef {import('./content.js').Content} Content
 * @typedef {import('./session.js').Session} Session
 * @typedef {import('../../engine/types').EngineEvent} EngineEvent
 * @typedef {import('../types').Place} Place
 * @typedef {{
 *   number: number, address: WorldAddress, content: Content | null, arriving: Content | null, hidden: boolean,
 *   remembered: WorldAddress | null
 * }} OpenWorld `arriving`: what the engine is just told of; `remembered`: where it is found again at the next start
 */

/** What the engine holds at once, all worlds together. */
const MOST_PLACES = 250_000;
/** Worlds that the start page offers again, and marks as visited. */
const MOST_RECENT = 24;

export class OpenWorlds {
  /**
   * By number.
   * @type {OpenWorld[]}
   */
  list = [];

  /** @param {Session} session */
  constructor(session) {
    this.session = session;
  }

  /** @param {number} number */
  get(number) {
    return this.list.find((world) => world.number === number) ?? null;
  }

  /** @param {WorldAddress} address */
  find(address) {
    return this.list.find((world) => sameAddress(world.address, address)) ?? null;
  }

  /**
   * @param {WorldAddress} address
   * @param {number} [number] the smallest that is free, if not given; one that is in use gets another world
   */
  #put(address, number) {
    let free = 0;
    while (this.get(free)) free += 1;
    const wanted = number ?? free;
    const known = this.get(wanted);
    if (known) return Object.assign(known, { address });
    /** @type {OpenWorld} */
    const world = { number: wanted, address, content: null, arriving: null, hidden: false, remembered: null };
    this.list.push(world);
    this.list.sort((a, b) => a.number - b.number);
    return world;
  }

  // ---- What the user does ----

  /** @param {WorldAddress} address */
  open(address) {
    const { session } = this;
    this.#put(address, 0);
    session.failure = null;
    session.tell({ type: 'open', address: session.addresses.number(address) });
    session.emit('opened', address);
    session.loader.ask(address);
    session.emit('worlds', undefined);
  }

  /**
   * Opens a world beside what is open.
   * @param {WorldAddress} address
   */
  openBeside(address) {
    const { session } = this;
    if (this.find(address) || this.list.length > MOST_BESIDE) return;
    const { number } = this.#put(address);
    session.loader.ask(address);
    session.tell({ type: 'openBeside', world: number, address: session.addresses.number(address) });
    session.emit('worlds', undefined);
  }

  /** @param {number} number of the world; the last one that is open stays */
  close(number) {
    if (this.list.length < 2 || !this.get(number)) return;
    this.session.loader.cancelWorld(number);
    this.#change(() => (this.list = this.list.filter((world) => world.number !== number)), { type: 'closeWorld', world: number });
    this.#keep();
  }

  /**
   * @param {number} number of the world
   * @param {boolean} hidden
   */
  hide(number, hidden) {
    const world = this.get(number);
    if (!world || world.hidden === hidden) return;
    this.#change(() => (world.hidden = hidden), { type: 'hideWorld', world: number, hidden });
  }

  /**
   * Opens and closes worlds until exactly these are open.
   * @param {WorldAddress[]} addresses
   */
  showTogether(addresses) {
    for (const address of addresses) this.openBeside(address);
    for (const { number, address } of [...this.list]) {
      if (!addresses.some((wanted) => sameAddress(wanted, address))) this.close(number);
    }
  }

  /**
   * Another choice of worlds.
   * @param {() => void} work
   * @param {EngineEvent} event
   */
  #change(work, event) {
    const again = this.#selectedKey();
    work();
    this.session.tell(event);
    this.session.emit('worlds', undefined);
    this.#show(again);
  }

  // ---- What comes of it ----

  /**
   * A world came.
   * @param {number} request
   * @param {number} number of the world
   * @param {Content} content
   */
  install(request, number, content) {
    const { session } = this;
    const entry = this.get(number);
    if (!entry) return;
    if (!this.#hasRoomFor(number, content)) throw new RangeError('these worlds are more than the engine takes');
    const before = session.content;
    const again = this.#selectedKey();
    const compiled = session.guarded(() => session.engine.compile(request, content.source(session.addresses)));
    // An engine that died over it is started again, and asks anew.
    if (!compiled) return;
    content.answer.rules?.(session.engine);
    content.adopt(compiled);
    entry.arriving = content;
    session.failure = null;
    // Beside other worlds everybody's categories keep their numbers, and what is filtered stays so.
    const names = (/** @type {Content | null} */ of) => of?.categories.map(({ name }) => name).join('\n');
    if (!before || (this.list.length === 1 && names(before) !== names(content))) {
      session.setCategories(~0n & 0xffff_ffff_ffff_ffffn);
    }
    session.loaded(request, content);
    entry.arriving = null;
    session.emit('worlds', undefined);
    this.#show(again);
  }

  /**
   * Keeps what is open for the next start.
   * @param {number} number
   * @param {WorldAddress | null} address where this world is found again
   */
  remember(number, address) {
    const world = this.get(number);
    if (world) world.remembered = address;
    this.#keep();
  }

  #keep() {
    // A draft is nobody's last world: it is for those who make it.
    const [address, ...also] = this.list.flatMap(({ remembered }) => remembered ?? []).filter(({ kind }) => kind !== 'draft' && kind !== 'around');
    if (!address || !this.session.content) return;
    const last = { address, also, title: this.session.content.title };
    const before = load('recent', /** @type {{ address?: unknown }[]} */ ([]));
    const others = before.filter((one) => !sameAddress(/** @type {WorldAddress} */ (one?.address ?? null), address));
    save('last', last);
    save('recent', [last, ...others].slice(0, MOST_RECENT));
  }

  /** What the selected place is called. */
  #selectedKey() {
    const { selected, content } = this.session;
    const place = selected === null ? null : content?.places[selected];
    return place && selected !== null ? placeKey(place, selected) : null;
  }

  /** @param {string | null} selectedKey of the place that was selected before */
  #show(selectedKey) {
    const { session } = this;
    const { content } = session;
    if (!content) return;
    session.emit('world', content);
    if (selectedKey !== null && session.selected === null) {
      const again = content.placeByID(selectedKey);
      if (again >= 0) session.select(again);
    }
  }

  /**
   * What an engine has to hear to have the same worlds open.
   * @param {(event: EngineEvent) => void} tell
   */
  tellAll(tell) {
    for (const { number, address, hidden } of this.list) {
      tell({ type: 'openBeside', world: number, address: this.session.addresses.number(address) });
      if (hidden) tell({ type: 'hideWorld', world: number, hidden });
    }
  }

  /**
   * What is open, for a recording that begins. A replayed session asks for its worlds first of all, in this order.
   * @param {import('../recording/recorder.js').Recorder} recorder
   * @param {number} now seconds
   */
  record(recorder, now) {
    this.tellAll((event) => recorder.event(event, now));
    this.list.forEach(({ number, content }, index) => {
      if (!content) return;
      this.session.guarded(() => recorder.worldOf(index + 1, this.session.engine, number, () => this.names(content), now));
    });
  }

  /**
   * What people see of a world, for a recording.
   * @param {Content} content
   */
  names(content) {
    return {
      title: content.title,
      texts: content.places.map((place) => content.labelText(place)),
      addresses: this.session.addresses.list(),
      places: content.places,
    };
  }

  // ---- What is shown ----

  /**
   * Whether a world has room beside the others.
   * @param {number} number
   * @param {Content} content
   */
  #hasRoomFor(number, content) {
    const others = this.list.filter((world) => world.number !== number);
    return others.reduce((sum, world) => sum + (world.content?.places.length ?? 0), content.places.length) <= MOST_PLACES;
  }

  /**
   * The engine shows something else: what people read has to be in place before it speaks of its features.
   * @param {number} changed number of the world that is why
   */
  changed(changed) {
    const { session } = this;
    const entry = this.get(changed);
    if (entry?.arriving) entry.content = entry.arriving;
    const shown = session.guarded(() => session.engine.shownWorlds());
    if (!shown || !this.list.some(({ content }) => content)) return;
    const parts = shown.flatMap(({ number }) => {
      const content = this.get(number)?.content;
      return content ? { number, content } : [];
    });
    session.content = parts.length === 1 && parts[0].number === 0 ? parts[0].content : new SeveralWorlds(parts);
  }

  /**
   * Where a world came from last.
   * @param {OpenWorld} world
   */
  addressOf(world) {
    return world.content?.address ?? world.address;
  }

  /**
   * Which world a place of the joined ones is of, and what it is called there.
   * @param {Place} place
   * @param {number} index
   */
  origin(place, index) {
    const world = place.world === undefined ? this.list.find((one) => one.content && !one.hidden) : this.get(place.world);
    const prefix = place.world ? `${place.world}/` : '';
    const key = placeKey(place, index);
    return world && { world, key: key.startsWith(prefix) ? key.slice(prefix.length) : key };
  }
}

