// The designer: stations on a map, their questions beside it, saved as one goes on. Five minutes from nothing to codes.

import { searchField } from '../controls/search-field.js';
import { h } from '../core/dom.js';
import { t } from '../core/i18n.js';
import { quietPosition } from '../device/location.js';
import { toast } from '../ui/toast.js';
import { addRun, fetchTour, saveTour, TourError } from './api.js';
import { Draft } from './draft.js';
import { tellFailure } from './failure.js';
import { button, pageFrame, when } from './frame.js';
import { joinTour } from './join.js';
import { settingsForm } from './settings-form.js';
import { stationForm } from './station-form.js';
import { showTeamsDialog } from './teams-dialog.js';
import { TourMap } from './tour-map.js';

/** @typedef {import('./api.js').Station} Station */

const SAVE_MS = 900;

/**
 * @param {string} id
 * @param {() => void} back
 * @returns {Promise<import('../parts.js').Page>}
 */
export async function openDesigner(id, back) {
  const stored = await fetchTour(id);
  const designer = new Designer(stored, back);
  await designer.begin();
  return { close: () => designer.close(), state: () => designer.state() };
}

class Designer {
  /** @type {'pick' | 'add' | 'border' | 'way'} what a click on the map does */
  #mode = 'pick';
  #life = new AbortController();
  #timer = 0;
  #saving = false;
  /** The station that was set last, until another thing is turned to: what it lacks is not held against it. */
  #young = '';
  /** @type {import('./api.js').Finding[]} what the server said last */
  #findings = [];

  /** @param {import('./api.js').StoredTour} stored @param {() => void} back */
  constructor(stored, back) {
    this.draft = new Draft(stored);
    this.runs = stored.runs;
    this.frame = pageFrame('tours-designer', stored.tour.title, () => void this.save().finally(back));
    this.status = h('span', { class: 'tour-status', role: 'status' });
    this.mapElement = h('div', { class: 'tour-map' });
    this.list = h('ol', { class: 'tour-stations' });
    this.form = h('div', { class: 'tour-form-box' });
    this.problems = h('ul', { class: 'tour-problems' });
    this.runList = h('ul', { class: 'tour-runs' });
    this.add = button(t('tours.addStation'), () => this.#use(this.#mode === 'add' ? 'pick' : 'add'), { id: 'tours-add', class: 'primary' });
    this.border = button(t('tours.drawBorder'), () => this.#use(this.#mode === 'border' ? 'pick' : 'border'), { id: 'tours-border' });
    this.unborder = button(t('tours.removeBorder'), () => this.#change(() => (this.draft.tour.border = [])), { id: 'tours-unborder' });
    this.way = button(t('tours.drawWay'), () => this.#use(this.#mode === 'way' ? 'pick' : 'way'), { id: 'tours-draw-way' });
    this.unway = button(t('tours.removeWay'), () => this.#change(() => Object.assign(this.draft.tour, { way: 'none', route: [] })), { id: 'tours-remove-way' });
    this.undo = button(t('tours.undo'), () => this.#undo(), { id: 'tours-undo' });
    this.hint = h('p', { class: 'tour-map-hint', role: 'status', hidden: true });
  }

  async begin() {
    const { frame } = this;
    const title = h('input', {
      type: 'text', class: 'field tour-title', id: 'tours-name', maxLength: 200, value: this.draft.tour.title, 'aria-label': t('tours.name'),
      oninput: () => this.#change(() => (this.draft.tour.title = title.value), false),
    });
    frame.heading.replaceWith(title);
    frame.tools.append(this.status, this.undo,
      button(t('tours.try'), () => void this.#try(), { id: 'tours-try' }),
      button(t('tours.startClass'), () => void this.#makeRun(), { id: 'tours-run', class: 'primary' }));
    frame.main.classList.add('tour-split');
    frame.main.append(
      h('section', { class: 'tour-map-box' }, this.mapElement, h('div', { class: 'tour-map-tools' }, this.add, this.border, this.unborder, this.way, this.unway), this.hint),
      h('section', { class: 'tour-side' }, this.problems, this.list, this.form,
        settingsForm(this.draft, (work) => this.#change(work, false)), h('h2', {}, t('tours.runs')), this.runList),
    );
    this.map = new TourMap(this.mapElement);
    void this.#addSearch(this.map);
    this.map.onClick((at) => this.#click(at));
    const { stations, border, route } = this.draft.tour;
    if (stations.length) this.map.fit([...stations.map(({ position }) => position), ...border, ...route]);
    else {
      const here = await quietPosition();
      if (here) this.map.map.setView([here.latitude, here.longitude], 16);
      this.#use('add');
    }
    this.#show();
    this.#showRuns();
  }

  /** @param {TourMap} map */
  async #addSearch(map) {
    const field = await searchField({
      id: 'tours-search',
      until: this.#life.signal,
      known: () => this.draft.tour.stations.map(({ id, title, position }) => ({ id, title, ...position })),
      around: () => map.view(),
      choose: (found) => {
        if (found.id) this.#select(found.id);
        map.goTo(found, !found.id);
      },
    });
    field.classList.add('map-search');
    this.mapElement.parentElement?.prepend(field);
  }

  /** @param {'pick' | 'add' | 'border' | 'way'} mode */
  #use(mode) {
    this.#mode = mode;
    this.add.setAttribute('aria-pressed', String(mode === 'add'));
    this.border.setAttribute('aria-pressed', String(mode === 'border'));
    this.way.setAttribute('aria-pressed', String(mode === 'way'));
    this.hint.textContent = mode === 'pick' ? '' : t(/** @type {const} */ ({ add: 'tours.hintAdd', border: 'tours.hintBorder', way: 'tours.hintWay' })[mode]);
    this.hint.hidden = !this.hint.textContent;
    this.mapElement.classList.toggle('placing', mode !== 'pick');
    this.#showMap();
  }

  /** @param {import('./api.js').Point} at */
  #click(at) {
    if (this.#mode === 'add') {
      this.#change(() => (this.draft.selected = this.#young = this.draft.addStation(at)));
      this.#use('pick');
      this.form.querySelector('input')?.focus();
    } else if (this.#mode === 'border') {
      this.#change(() => this.draft.tour.border.push(at));
    } else if (this.#mode === 'way') {
      this.#changeRoute([...this.draft.tour.route, at]);
    }
  }

  /** @param {import('./api.js').Point[]} route; who draws wants it to be shown */
  #changeRoute(route) {
    this.#change(() => Object.assign(this.draft.tour, { way: 'drawn', route }));
  }

  /**
   * Any change of the tour: shown, noted for undoing, and saved soon.
   * @param {() => unknown} work
   * @param {boolean} [redraw] whether lists and forms are made anew; not while one types in them
   */
  #change(work, redraw = true) {
    this.draft.note(redraw);
    work();
    if (redraw) this.#show();
    else this.#showLight();
    clearTimeout(this.#timer);
    this.status.textContent = t('tours.unsaved');
    this.#timer = window.setTimeout(() => void this.save(), SAVE_MS);
  }

  #undo() {
    if (!this.draft.undo()) return;
    this.#show();
    this.status.textContent = t('tours.unsaved');
    clearTimeout(this.#timer);
    this.#timer = window.setTimeout(() => void this.save(), SAVE_MS);
  }

  #show() {
    this.#showLight();
    const { tour, selected } = this.draft;
    const station = tour.stations.find((entry) => entry.id === selected);
    this.form.replaceChildren(station
      ? stationForm(station, tour, {
        change: (work, redraw) => this.#change(work, redraw ?? false),
        remove: () => this.#change(() => this.draft.removeStation(station.id)),
      })
      : h('p', { class: 'tour-lead' }, t(tour.stations.length ? 'tours.pickStation' : 'tours.firstStation')));
  }

  /** What can be brought up to date while somebody types. */
  #showLight() {
    const { tour, selected } = this.draft;
    this.list.replaceChildren(...tour.stations.map((station, index) => this.#row(station, index, selected)));
    this.undo.disabled = !this.draft.canUndo;
    this.unborder.hidden = tour.border.length === 0;
    this.unway.hidden = tour.way === 'none' && tour.route.length === 0;
    const kind = /** @type {HTMLSelectElement | null} */ (this.frame.main.querySelector('#tours-way'));
    if (kind) kind.value = tour.way;
    this.#showMap();
  }

  #showMap() {
    const { tour, selected } = this.draft;
    this.map?.showStations(tour.stations, {
      selected,
      // A way leads to the stations that are clicked.
      pick: (id) => {
        const station = this.#mode === 'way' && tour.stations.find((entry) => entry.id === id);
        if (station) this.#changeRoute([...tour.route, { ...station.position }]);
        else this.#select(id);
      },
      moved: (id, to) => this.#change(() => this.draft.moveStation(id, to)),
    });
    this.map?.showBorder(tour.border, this.#mode === 'border' ? (corners) => this.#change(() => (tour.border = corners)) : null);
    const isDrawing = this.#mode === 'way';
    const way = tour.way === 'stations' && !isDrawing ? tour.stations.map(({ position }) => position) : tour.way === 'drawn' || isDrawing ? tour.route : [];
    this.map?.showWay(way, isDrawing ? (corners) => this.#changeRoute(corners) : null);
  }

  /** @param {string} id */
  #select(id) {
    if (id !== this.#young) this.#judgeAll();
    this.draft.selected = id;
    this.#show();
    this.form.scrollIntoView({ block: 'nearest' });
  }

  /** @param {Station} station @param {number} index @param {string | null} selected */
  #row(station, index, selected) {
    const move = (/** @type {number} */ by) => this.#change(() => this.draft.reorder(index, index + by));
    return h('li', { class: station.id === selected ? 'selected' : '' },
      h('button', { type: 'button', class: 'tour-pick', 'aria-pressed': String(station.id === selected), onclick: () => this.#select(station.id) },
        h('span', { class: `tour-pin small ${station.kind}` }, String(index + 1)), h('span', {}, station.title || t('tours.unnamed'))),
      h('button', { type: 'button', class: 'round small plain', disabled: index === 0, 'aria-label': t('tours.moveUp'), onclick: () => move(-1) }, '↑'),
      h('button', { type: 'button', class: 'round small plain', disabled: index === this.draft.tour.stations.length - 1, 'aria-label': t('tours.moveDown'), onclick: () => move(1) }, '↓'));
  }

  #showRuns() {
    this.runList.replaceChildren(...this.runs.filter((run) => !run.trial).map((run) =>
      h('li', {}, h('a', { href: `#/tours/${this.draft.id}/run/${run.id}` }, `${t(`tours.phase.${run.phase}`)} ${when(run.started ?? run.created)}`))
    ));
    if (!this.runList.children.length) this.runList.append(h('li', { class: 'tour-quiet' }, t('tours.noRuns')));
  }

  /** @returns {Promise<boolean>} whether the server has it as it is */
  async save() {
    clearTimeout(this.#timer);
    if (!this.draft.isChanged) return true;
    if (this.#saving) return new Promise((resolve) => setTimeout(() => resolve(this.save()), 100));
    this.#saving = true;
    const sending = this.draft.content();
    try {
      const stored = await saveTour(this.draft.id, sending, this.draft.version);
      this.draft.saved(stored, sending);
      this.#showProblems(stored.problems);
      this.status.textContent = this.draft.isChanged ? t('tours.unsaved') : t('tours.saved');
      return !this.draft.isChanged;
    } catch (error) {
      this.#saveFailed(error);
      return false;
    } finally {
      this.#saving = false;
    }
  }

  /** @param {unknown} error */
  #saveFailed(error) {
    if (!(error instanceof TourError)) throw error;
    this.draft.keep();
    if (error.code === 'tour.conflict') {
      this.status.textContent = t('tours.conflict');
      toast(t('tours.conflict'), {
        kind: 'warning', key: 'tours',
        action: { text: t('tours.takeOver'), run: () => void fetchTour(this.draft.id).then((stored) => {
          this.draft.version = stored.version;
          return this.save();
        }, tellFailure) },
      });
    } else if (error.status === 422) {
      this.#showProblems(error.problems);
      this.status.textContent = t(this.problems.hidden ? 'tours.draftKept' : 'tours.incomplete');
    } else {
      this.status.textContent = t('tours.notSaved');
      if (error.status === 401) tellFailure(error);
      else this.#timer = window.setTimeout(() => void this.save(), 5000);
    }
  }

  /** Nothing is young any more. */
  #judgeAll() {
    this.#young = '';
    this.#showProblems(this.#findings);
  }

  /** @param {import('./api.js').Finding} finding */
  #isEarly({ path }) {
    const index = /^stations\/(\d+)/.exec(path)?.[1];
    return this.#young !== '' && index !== undefined && this.draft.tour.stations[Number(index)]?.id === this.#young;
  }

  /** @param {import('./api.js').Finding[]} findings */
  #showProblems(findings) {
    this.#findings = findings;
    const problems = findings.filter((finding) => !this.#isEarly(finding));
    this.problems.replaceChildren(...problems.map(({ severity, path, message }) => {
      const index = /^stations\/(\d+)/.exec(path)?.[1];
      const station = index === undefined ? null : this.draft.tour.stations[Number(index)];
      const text = station && station.title ? `${Number(index) + 1}. ${message}` : message;
      return h('li', { class: severity }, station
        ? h('button', { type: 'button', class: 'tour-link', onclick: () => this.#select(station.id) }, text)
        : text);
    }));
    this.problems.hidden = !problems.length;
  }

  /** The teacher's own try, from the desk: a virtual phone before the first station. */
  async #try() {
    if (!(await this.#ready())) return;
    try {
      const { teams } = await addRun(this.draft.id, [{ name: t('tours.tryTeam'), color: '#3f7fd3' }], true);
      const joined = await joinTour(teams[0].code);
      const first = joined.content.stations[0].position;
      // Some steps to the south, looking north.
      location.hash = `#/play/${encodeURIComponent(joined.key)}?virtual=1&lat=${(first.latitude - 0.0007).toFixed(6)}&lon=${first.longitude.toFixed(6)}&heading=0`;
    } catch (error) {
      tellFailure(error);
    }
  }

  async #ready() {
    this.#judgeAll();
    const { stations } = this.draft.tour;
    if (!stations.length) {
      toast(t('tours.firstStation'), { kind: 'warning', key: 'tours' });
      return false;
    }
    if (await this.save()) return true;
    toast(t('tours.incomplete'), { kind: 'warning', key: 'tours' });
    return false;
  }

  async #makeRun() {
    if (!(await this.#ready())) return;
    showTeamsDialog(async (teams) => {
      const { run } = await addRun(this.draft.id, teams, false);
      location.hash = `#/tours/${this.draft.id}/run/${run.id}`;
    });
  }

  state() {
    return { tour: this.draft.id, version: this.draft.version, stations: this.draft.tour.stations.length, saved: !this.draft.isChanged, map: this.map?.view() };
  }

  close() {
    this.#life.abort();
    void this.save();
    this.map?.close();
    this.frame.element.remove();
  }
}
