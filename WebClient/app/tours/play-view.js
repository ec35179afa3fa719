// A tour on the stage: the bar with the team's standing, warnings, the stations as a world, and the cards with questions.

import { h, icon, loadStyle, setText } from '../core/dom.js';
import { clock, distance } from '../core/format.js';
import { loadTexts, onLanguage, t, tn } from '../core/i18n.js';
import { offerLocalWorld } from '../net/local-worlds.js';
import { buzz, celebrate } from '../ui/feel.js';
import { announce, toast } from '../ui/toast.js';
import { showTourEnd } from './end-dialog.js';
import { Play } from './play.js';
import { showTourDialog } from './play-dialog.js';
import { closerText, stationBody, stationKey } from './station-card.js';

/**
 * @typedef {import('../stage/stage.js').Stage} Stage
 * @typedef {import('../core/i18n.js').TextKey} TextKey
 */

/**
 * Makes a joined tour ready to be shown.
 * @param {string} key
 * @returns {Promise<PlayView | null>}
 */
export async function openTour(key) {
  const [play] = await Promise.all([Play.open(key), loadTexts('tours'), loadStyle('tours')]);
  return play && new PlayView(play);
}

/** Of pins, by what became of the station; white text can be read on each. */
const COLORS = { open: '#1f6f5c', right: '#2b6cb0', answered: '#2b6cb0', pending: '#8a5a00', saved: '#8a5a00', wrong: '#b3261e' };

export class PlayView {
  /** @type {Stage | null} */
  #stage = null;
  team = h('span', { class: 'tour-team' });
  dot = h('i', { class: 'tour-dot', 'aria-hidden': 'true' });
  score = h('span', { class: 'tour-score' });
  time = h('span', { class: 'tour-time' });
  mail = h('span', { class: 'tour-mail', hidden: true });
  next = h('p', { class: 'tour-next' });
  /** Leads to the question of the station that the team has come to, or to the next one. */
  go = h('button', { type: 'button', class: 'tour-go', id: 'tour-go', hidden: true, onclick: () => this.#show(this.#aim) }, icon('go'), this.next);
  /** @type {import('./keeper.js').PlayStation | null} the station that `go` leads to */
  #aim = null;
  note = h('p', { class: 'tour-note', role: 'status' });
  warning = h('p', { class: 'tour-warning', role: 'alert', hidden: true });
  bar = h('section', { id: 'tour-bar', class: 'glass' }, this.go, this.note, this.warning);
  #shownWorld = '';
  #shownCard = '';
  /** @type {Map<string, import('./station-card.js').Draft>} what is typed and not yet sent, by station */
  drafts = new Map();
  /** @type {Set<string>} stations whose arrival was told */
  #arrived = new Set();
  #wasLeft = false;
  /** Whether this is a virtual phone, and the tour wants teams to go there themselves. */
  #isKeptOut = false;

  /** @param {Play} play */
  constructor(play) {
    this.play = play;
    offerLocalWorld(play.key, () => {
      this.#shownWorld = play.worldKey();
      return play.world();
    });
  }

  /** @param {Stage} stage */
  attach(stage) {
    this.#stage = stage;
    const { play } = this;
    const { closed } = stage.session;
    play.ground.engine = () => stage.session.engine;
    document.documentElement.dataset.tour = '1';
    this.#build();
    stage.element.append(this.bar);
    stage.allowVirtual(play.allowsVirtual);
    stage.cardBody = (place) => this.#body(place.id ?? '');
    stage.onMap = (map) => {
      map.marks = (place) => this.#pin(place.id ?? '');
      map.refresh();
      void this.#drawBorder(map);
    };
    play.on('change', () => this.#update());
    play.on('results', (results) => this.#tellResults(results));
    play.on('message', ({ text }) => {
      toast(t('tours.messageFrom', { text }), { key: 'tour-message', action: { text: t('tours.read'), run: () => this.#dialog() } });
      buzz([120, 80, 120]);
    });
    const look = () => {
      const fix = stage.device.position();
      const chosen = stage.device.sources.position === 'chosen';
      this.#isKeptOut = chosen && !play.allowsVirtual;
      // A virtual phone stands nowhere until somebody has put it somewhere.
      const isSomewhere = fix && !(chosen && fix.latitude === 45 && fix.longitude === -85);
      if (this.#isKeptOut) play.move(null);
      else if (isSomewhere) play.move(fix, chosen);
      else this.#update();
    };
    const timer = setInterval(look, 1000);
    stage.device.location.on('fix', look);
    const size = new ResizeObserver(() => {
      document.documentElement.style.setProperty('--tour-bar', `${this.bar.getBoundingClientRect().bottom.toFixed(0)}px`);
    });
    size.observe(this.bar);
    onLanguage(() => this.#update(true), closed);
    closed.addEventListener('abort', () => {
      clearInterval(timer);
      size.disconnect();
      play.close();
      this.bar.remove();
      delete document.documentElement.dataset.tour;
    });
    play.start();
    look();
  }

  #build() {
    this.bar.prepend(h('button', {
      type: 'button', class: 'tour-line', id: 'tour-open', title: t('tours.open'), onclick: () => this.#dialog(),
    }, this.dot, this.team, this.score, this.time, this.mail, icon('down')));
    this.#update();
  }

  /** Once, when the tour is over: not again with each visit afterwards. */
  #end() {
    const { play } = this;
    if (play.phase !== 'ended' || play.lost || play.joined.ended) return;
    void play.noteEnd();
    const stage = this.#stage;
    stage?.session.select(null);
    showTourEnd(play);
  }

  #dialog() {
    void this.play.read().then(() => this.#update());
    showTourDialog(this.play, (station) => this.#show(station));
  }

  /** @param {import('./keeper.js').PlayStation | null} station whose card is opened */
  #show(station) {
    const session = this.#stage?.session;
    const index = station ? session?.content?.placeByID(station.id) ?? -1 : -1;
    if (index >= 0) session?.select(index);
  }

  /** @param {boolean} [all] whether the card is made anew although nothing has changed */
  #update(all = false) {
    const { play } = this;
    const { state, content } = play;
    this.bar.dataset.saved = play.saved;
    setText(this.team, state.team.name);
    this.dot.style.setProperty('--team', state.team.color);
    setText(this.score, [
      state.score === null ? '' : tn('tours.points', state.score),
      `${state.done}/${content.stationCount ?? content.stations.length}`,
    ].filter(Boolean).join(' · '));
    const left = play.secondsLeft();
    setText(this.time, left === null ? '' : clock(left));
    this.time.classList.toggle('low', left !== null && left < 120);
    this.mail.hidden = play.unread === 0;
    setText(this.mail, String(play.unread));
    setText(this.note, this.#noteText());
    this.note.hidden = !this.note.textContent;
    this.#updateNext();
    this.#warn();
    const stage = this.#stage;
    if (!stage) return;
    if (play.worldKey() !== this.#shownWorld && stage.session.content) stage.session.refresh();
    this.#end();
    this.#arrive();
    this.#updateCard(all);
  }

  #noteText() {
    const { play } = this;
    if (play.lost) return t(play.lost === 'gone' ? 'tours.gone' : 'tours.out');
    const notes = [];
    if (this.#isKeptOut) notes.push(t('tours.refused.virtualPhone'));
    if (play.phase !== 'running') notes.push(t(`tours.phase.${play.phase}`));
    if (play.waiting.length) notes.push(tn('tours.waiting', play.waiting.length));
    else if (!play.online) notes.push(t('tours.offline'));
    return notes.join(' ');
  }

  #updateNext() {
    const { play } = this;
    const station = play.phase === 'running' ? play.next() : null;
    let text = '';
    if (station && play.fix) {
      text = play.isHere(station)
        ? t('tours.here', { title: station.title })
        : t('tours.nextStation', { title: station.title, distance: distance(play.ahead()?.metres ?? play.ground.distance(play.fix, station.position)) });
    } else if (play.phase === 'running' && !station) {
      const open = play.open();
      const rest = open.some((entry) => play.standing(entry).state === 'open');
      text = t(rest ? 'tours.look' : open.length ? 'tours.allDone' : 'tours.stationsLater');
    }
    setText(this.next, text);
    this.#aim = station;
    this.go.hidden = !text;
    this.go.disabled = !station;
    this.go.classList.toggle('here', Boolean(station && play.isHere(station)));
  }

  #warn() {
    const { left } = this.play;
    if (left === this.#wasLeft) return;
    this.#wasLeft = left;
    this.warning.hidden = !left;
    setText(this.warning, left ? t('tours.leftArea') : '');
    if (left) buzz([300, 100, 300]);
  }

  /** At a station that waits: its card opens by itself, once. */
  #arrive() {
    const { session } = /** @type {Stage} */ (this.#stage);
    if (this.play.phase !== 'running') return;
    for (const station of this.play.visible()) {
      const here = this.play.isHere(station);
      if (!here || this.#arrived.has(station.id)) {
        if (!here) this.#arrived.delete(station.id);
        continue;
      }
      const index = session.content?.placeByID(station.id) ?? -1;
      if (index < 0) continue;
      this.#arrived.add(station.id);
      const { state } = this.play.standing(station);
      if (state !== 'open' && station.kind !== 'info' && station.kind !== 'picture') continue;
      announce(t('tours.here', { title: station.title }));
      celebrate('arrived');
      // The card of a station that was left behind, or is answered, makes room; what is being answered does not.
      if (!this.#isAnswering()) session.select(index);
    }
  }

  /** Whether the open card is of a station where the team is and has something left to do. */
  #isAnswering() {
    const { session } = /** @type {Stage} */ (this.#stage);
    const place = session.selected === null ? null : session.content?.places[session.selected];
    const station = place && this.play.station(place.id ?? '');
    return Boolean(station && this.play.isHere(station) && this.play.standing(station).state === 'open');
  }

  /** @param {string} id */
  #body(id) {
    const station = this.play.station(id);
    if (!station) return null;
    this.#shownCard = stationKey(this.play, station);
    let draft = this.drafts.get(id);
    if (!draft) this.drafts.set(id, draft = { choices: new Set(), text: '' });
    return stationBody(this.play, station, draft);
  }

  /** @param {boolean} all */
  #updateCard(all) {
    const { session, parts } = /** @type {Stage} */ (this.#stage);
    const place = session.selected === null ? null : session.content?.places[session.selected];
    const station = place && this.play.station(place.id ?? '');
    const closer = document.getElementById('tour-closer');
    if (station && closer) setText(closer, closerText(this.play, station));
    if (!station || (!all && stationKey(this.play, station) === this.#shownCard)) return;
    const focused = document.activeElement?.id;
    parts.card?.show(session.selected);
    if (focused?.startsWith('tour-')) document.getElementById(focused)?.focus();
  }

  /** @param {{ event: import('./keeper.js').Queued, result: import('./play.js').Result }[]} results */
  #tellResults(results) {
    let isTold = false;
    for (const { event, result } of results) {
      const title = this.play.station(event.station)?.title ?? '';
      if (event.kind === 'hint' && result.verdict === 'hinted') continue;
      if (event.kind === 'visit' && result.verdict !== 'visited') continue;
      const key = /** @type {TextKey} */ (result.refusal ? `tours.refused.${result.refusal}` : `tours.verdict.${result.verdict}`);
      const points = result.points ? ` ${t('tours.plus', { points: result.points })}` : '';
      this.drafts.delete(event.station);
      // Of an answer made without a network the phone tells later, and not of each again.
      if (!isTold && (result.verdict === 'right' || result.verdict === 'wrong')) celebrate(result.verdict);
      isTold = true;
      toast(`${title}: ${t(key)}${points}`, { kind: result.refusal || result.verdict === 'wrong' ? 'warning' : undefined, key: `tour-${event.station}` });
    }
  }

  /** @param {string} id of a station; its pin has its number, and the colour of how far the team is with it */
  #pin(id) {
    const station = this.play.station(id);
    if (!station) return null;
    return { ...(station.number ? { mark: String(station.number) } : {}), color: COLORS[this.play.standing(station).state] };
  }

  /** @param {import('../map/map.js').MapView} map */
  async #drawBorder(map) {
    const { border } = this.play.content;
    if (border.length < 3) return;
    const L = await import('../../vendor/leaflet/leaflet.esm.js');
    L.polygon(border.map(({ latitude, longitude }) => /** @type {[number, number]} */ ([latitude, longitude])), {
      className: 'tour-border', interactive: false, fill: false,
    }).addTo(map.map);
  }
}
