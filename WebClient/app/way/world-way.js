// The way on foot to a place of a world, when it is asked for on the place's card: in words there, on the ground in the view, on the map, and
// its length at the needle, which leads there until one is there or has enough of it. With the server's own map.

import { find, h, icon, setText } from '../core/dom.js';
import { distance } from '../core/format.js';
import { loadTexts, localized, onLanguage, t } from '../core/i18n.js';
import { Places } from '../../engine/places.js';
import { covers } from '../map/ground/area.js';
import { fetchSettings } from '../net/settings.js';
import { placeKey } from '../session/content.js';
import { needleOf } from '../stage/needle.js';
import { WalkCard } from './walk-card.js';
import { Walk } from './walk.js';
import { walkingTime } from './walking-time.js';
import { WayLayer } from './way-layer.js';

/** @typedef {import('../stage/stage.js').Stage} Stage */

/** Milliseconds between two looks at where the user is. */
const EVERY = 500;
/** Farther away nobody walks; metres in a straight line. */
const FARTHEST = 20_000;
const LINES = /** @type {const} */ ([{ color: '#0c1216', weight: 9, opacity: 0.8 }, { color: '#ffcf5c', weight: 5, opacity: 1 }]);

/** @type {WeakMap<Stage, WorldWay>} */
const ways = new WeakMap();

/**
 * Offers the way to a place, or shows it if it was asked for.
 * @param {Stage} stage
 * @param {HTMLElement} room of the place's card
 * @param {number} place with a position
 */
export async function offerWay(stage, room, place) {
  const [{ ground }] = await Promise.all([fetchSettings(), loadTexts('walk')]);
  const { session } = stage;
  const position = session.content?.places[place]?.position;
  if (!ground || !position || session.closed.aborted || !covers(ground, session.engine.part(Places).onMap(position))) return;
  let way = ways.get(stage);
  if (!way) ways.set(stage, way = new WorldWay(stage));
  way.fill(room, place);
}

class WorldWay {
  /** @type {import('./walk.js').Goal | null} */
  #goal = null;
  #looked = 0;
  /** @type {import('../stage/needle.js').Needle | null} */
  #needle = null;
  /** @type {import('../map/map.js').MapView | null} the map that the line lies on */
  #map = null;
  /** @type {{ remove: () => void }[]} */
  #lines = [];

  /** @param {Stage} stage */
  constructor(stage) {
    this.stage = stage;
    const { session } = stage;
    this.walk = new Walk(
      (a, b) => session.engine.distance(a.latitude, a.longitude, b.latitude, b.longitude),
      (ground, at) => covers(ground, session.engine.part(Places).onMap(at)), FARTHEST,
    );
    this.card = new WalkCard(this.walk, session.closed);
    this.card.element.open = true;
    this.note = h('p', { class: 'card-note', role: 'status' });
    this.shown = h('div', { class: 'card-walk' }, this.note, this.card.element);
    this.layer = new WayLayer(find('#paths', HTMLElement), session, () => stage.ar.changed());
    this.walk.on('change', () => this.#show());
    session.on('frame', (frame) => {
      if (!this.#goal) return;
      if (performance.now() - this.#looked > EVERY) this.#look();
      if (stage.view === 'ar' && this.layer.draw(frame)) stage.ar.changed();
    });
    onLanguage(() => this.#tell(), session.closed);
    session.closed.addEventListener('abort', () => this.walk.close());
  }

  /**
   * @param {HTMLElement} room
   * @param {number} place
   */
  fill(room, place) {
    room.hidden = false;
    if (this.#keyOf(place) === this.#goal?.id) return room.replaceChildren(this.shown);
    const ask = h('button', { type: 'button', class: 'button', id: 'card-walk', onclick: () => this.#start(place, room) },
      icon('location'), localized(h('span'), 'walk.show'));
    room.replaceChildren(ask);
  }

  /** @param {number | null} place */
  #keyOf(place) {
    const entry = place === null ? null : this.stage.session.content?.places[place];
    return entry && place !== null ? placeKey(entry, place) : null;
  }

  /**
   * @param {number} place
   * @param {HTMLElement} room
   */
  #start(place, room) {
    const needle = needleOf(this.stage);
    const position = this.stage.session.content?.places[place]?.position;
    const id = this.#keyOf(place);
    if (!position || id === null) return;
    if (this.#needle !== needle) {
      this.#needle = needle;
      needle.on('place', (other) => this.#keyOf(other) === this.#goal?.id || this.#end());
      needle.far = () => this.#length();
    }
    this.#end();
    this.#goal = { id, latitude: position.latitude, longitude: position.longitude };
    needle.lead(place);
    this.#look();
    this.#tell();
    room.replaceChildren(this.shown);
    this.card.element.querySelector('summary')?.focus();
  }

  #end() {
    this.#goal = null;
    this.walk.follow(null, null);
    this.#show();
  }

  #look() {
    this.#looked = performance.now();
    this.walk.follow(this.#goal, this.stage.device.position());
    void this.#drawOnMap();
  }

  #show() {
    const { session, ar } = this.stage;
    session.guarded(() => this.layer.set(this.walk.route?.line ?? null));
    if (session.frame) this.layer.draw(session.frame);
    for (const line of this.#lines.splice(0)) line.remove();
    this.#map = null;
    void this.#drawOnMap();
    this.#tell();
    ar.changed();
  }

  #tell() {
    const { walk } = this;
    setText(this.note, walk.route ? '' : t(walk.isAsking ? 'walk.asking' : 'walk.none'));
    this.note.hidden = Boolean(walk.route);
    this.#needle?.tell();
  }

  /** How far it is to walk, and how long that takes; '' where that is not known. */
  #length() {
    const { route } = this.walk;
    return route ? `${distance(route.metres)} · ${t('walk.time', { time: walkingTime(route.seconds) })}` : '';
  }

  async #drawOnMap() {
    const { map } = this.stage;
    const { route } = this.walk;
    if (!map || !route || map === this.#map) return;
    this.#map = map;
    const L = await import('../../vendor/leaflet/leaflet.esm.js');
    if (route !== this.walk.route) return;
    const points = Array.from({ length: Math.floor(route.line.length / 2) }, (_, k) => /** @type {[number, number]} */ ([route.line[2 * k], route.line[2 * k + 1]]));
    for (const look of LINES) {
      this.#lines.push(L.polyline([points], { ...look, className: 'map-way', interactive: false, lineJoin: 'round', lineCap: 'round' }).addTo(map.map));
    }
  }
}
