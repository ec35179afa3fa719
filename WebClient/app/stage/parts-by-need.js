// The parts of the stage that the first picture does without: each is fetched when it is wanted, and all of them once the view
// is there, so that it answers the first tap at once, and also where the network is gone by then.

import { find, h, loadShared } from '../core/dom.js';
import { loadTexts } from '../core/i18n.js';
import { load } from '../core/storage.js';
import { commandsOf, leaveFor, share } from './commands.js';

/** @typedef {import('./stage.js').Stage} Stage */

export class PartsByNeed {
  /** @type {import('../ui/card.js').Card | null} */
  card = null;
  /** @type {import('../align/align.js').Align | null} */
  align = null;
  /** @type {import('../audio/sounds.js').Sounds | null} */
  sounds = null;
  /** @type {import('./nothing-here.js').NothingHere | null} */
  nothing = null;
  /** @type {import('../recording/recording.js').Recording | null} */
  #recording = null;
  /** @type {import('./path-tracking.js').PathTracking | null} */
  path = null;

  /** @param {Stage} stage */
  constructor(stage) {
    this.stage = stage;
    const { session } = stage;
    // What earlier visits found out about north counts.
    if (load('headingCorrections', /** @type {unknown[]} */ ([])).length || load('level', null)) void this.#aligner();
    session.on('aligned', (event) => void this.#aligner().then((align) => align?.aligned(event)));
    session.on('selection', (place) => place !== null && void this.openCard());
    session.on('world', ({ dimension }) => dimension.soundURL && void this.#hear());
  }

  get isOver() {
    return this.stage.session.closed.aborted;
  }

  async openCard() {
    const { stage } = this;
    const { session } = stage;
    if (this.card) return;
    const [{ Card }] = await Promise.all([import('../ui/card.js'), loadShared('panels')]);
    if (this.card || this.isOver) return;
    this.card = new Card(find('#card', HTMLElement), session, {
      leave: leaveFor,
      share: (place) => share(session, place),
      lead: (place) => void import('./needle.js').then(({ leadTo }) => leadTo(stage, place)),
      stage,
      showIn: (view) => stage.showIn(view),
      view: () => stage.view,
      range: (place) => session.range(place, stage.device.position()),
      sound: async (place) => (await this.#hear())?.button(place) ?? null,
      body: (place) => stage.cardBody?.(place) ?? this.#stopBoard(place),
    });
    this.card.choose(session.selected);
  }

  /** What the world lets hear. */
  async #hear() {
    const { stage } = this;
    const [{ Sounds }] = await Promise.all([import('../audio/sounds.js'), loadTexts('sound'), loadShared('panels')]);
    if (!this.isOver) this.sounds ??= new Sounds(stage.session, stage.element);
    return this.sounds;
  }

  /**
   * What leaves from a stop of the layer of departures.
   * @param {import('../types').Place} place
   */
  #stopBoard(place) {
    const { worlds, content } = this.stage.session;
    const at = content ? worlds.origin(place, content.places.indexOf(place)) : null;
    if (at?.world.content?.address.kind !== 'transit') return null;
    const room = h('div');
    void import('../transit/layer-card.js').then(({ boardOf }) => room.append(boardOf(at.key)));
    return [room];
  }

  async openMenu() {
    const { stage } = this;
    const { session, device } = stage;
    const [{ showMenu }, { Recording }] = await Promise.all([
      import('../ui/menu.js'), import('../recording/recording.js'), loadTexts('record'), loadShared('panels'),
    ]);
    if (this.isOver || document.getElementById('menu-dialog')) return;
    this.#recording ??= new Recording(session, device, find('#topbar-left', HTMLElement));
    showMenu({ ...commandsOf(stage), session, device, recording: this.#recording, align: () => void this.openAlign() });
  }

  async #aligner() {
    const { session, device } = this.stage;
    const [{ Align }] = await Promise.all([import('../align/align.js'), loadTexts('align')]);
    if (!this.isOver) this.align ??= new Align(session, device);
    return this.align;
  }

  /** The tools for showing where north is. */
  async openAlign() {
    const align = await this.#aligner();
    await align?.open();
  }

  /** Says from now on why nothing is to be seen, when nothing is. */
  async tellNothing() {
    const { NothingHere } = await import('./nothing-here.js');
    if (!this.isOver) this.nothing ??= new NothingHere(this.stage);
  }

  fetchAll() {
    if (this.isOver) return;
    const parts = [
      import('../ui/card.js'), import('../ui/menu.js'), import('../recording/recording.js'), import('../ui/share.js'), import('../ui/filters.js'),
      import('../align/align.js'), import('./nearest.js'), import('./needle.js'), import('../start/start.js'), import('./shots.js'), this.stage.ar.loadLeaders(), loadShared('start', 'panels', 'places'),
      loadTexts('align'), loadTexts('model'), loadTexts('record'), loadTexts('clip'),
      import('./path-tracking.js').then(({ PathTracking }) => (this.path = new PathTracking(this.stage))),
    ];
    // Whoever needs one of them asks again, and says what failed.
    for (const part of parts) part.catch(() => undefined);
  }
}
