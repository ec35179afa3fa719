// Where the page begins: texts, then the start page or an open world, as the address says.

import { startAppearance } from './core/appearance.js';
import { find, loadShared, whenIdle } from './core/dom.js';
import { offerLanguages, startLanguage, t, translate } from './core/i18n.js';
import { formatRoute, parseRoute } from './core/router.js';
import { fetchSettings } from './net/settings.js';
import { fetchWorlds, worldExists } from './net/worlds.js';
import { partOf } from './parts.js';
import { preloadEngine } from './session/engine-link.js';
import { preloadStage } from './stage/preload.js';
import { toast } from './ui/toast.js';

/**
 * @typedef {import('./core/router.js').Route} Route
 * @typedef {import('./stage/stage.js').Stage} Stage
 * @typedef {import('./start/start.js').StartPage} StartPage
 */

/** The stage before any world was on it. */
const template = find('#stage', HTMLElement).cloneNode(true);
/** @type {Stage | null} */
let stage = null;
/** @type {StartPage | null} */
let start = null;
/** @type {Route} */
let route = parseRoute(location.hash);
/** What was shown before, and now. */
let [before, now] = ['', location.hash];
/** Counts openings, so that one that was overtaken stops. */
let opening = 0;
/** @type {{ name: string, page: import('./parts.js').Page } | null} */
let open = null;
/** @type {string[]} */
const errors = [];

addEventListener('error', (event) => errors.push(event.message));
addEventListener('unhandledrejection', (event) => errors.push(String(event.reason)));

window.sightline = {
  ready: begin(),
  state: () => ({
    view: document.documentElement.dataset.view,
    ready: document.documentElement.dataset.ready === '1',
    route: { ...route },
    errors: [...errors],
    ...(open?.page.state?.() ?? stage?.state() ?? {}),
  }),
  get session() {
    return stage?.session ?? null;
  },
};

async function begin() {
  // The page's head has begun to load it, whatever is opened.
  void preloadEngine();
  startAppearance();
  await startLanguage();
  void fetchSettings().then(({ languages }) => {
    offerLanguages(languages);
    start?.showLanguages();
  });
  if (location.search.startsWith('?link=')) (await import('./start/link.js')).followLink();
  addEventListener('hashchange', () => void follow());
  await follow();
}

async function follow() {
  [before, now] = [now, location.hash];
  const next = parseRoute(location.hash);
  const wanted = partOf(location.hash);
  const same = stage && next.address && stage.session.worlds.find(next.address);
  route = next;
  if (wanted && open?.name === wanted.name && open.page.follow?.({ ...wanted, leave })) return;
  if (open) {
    // What stood over a part goes with it: the way back need not have been the dialog's own.
    for (const dialog of document.querySelectorAll('dialog[open]')) if (dialog instanceof HTMLDialogElement) dialog.close();
    open.page.close();
  }
  open = null;
  if (wanted) return showPart(wanted);
  if (!next.address) return /^#?\/?(\?|&|$)/.test(location.hash) ? showStart() : showMissing('missing.page', location.hash);
  if (same && stage) {
    // A part that is still on its way comes too late.
    opening += 1;
    return stage.follow(next);
  }
  await openWorld(next);
}

/**
 * @param {import('./core/i18n.js').TextKey} title
 * @param {string} address that leads to nothing
 */
async function showMissing(title, address) {
  const turn = ++opening;
  closeStage();
  find('#start', HTMLElement).hidden = true;
  document.documentElement.dataset.view = 'missing';
  const [{ openMissing }] = await Promise.all([import('./start/missing.js'), loadShared('start')]);
  if (turn === opening) open = { name: 'missing', page: openMissing(title, address) };
}

const leave = () => void (location.hash = '#/');

/**
 * A part of its own, without any world.
 * @param {NonNullable<ReturnType<typeof partOf>>} wanted
 */
async function showPart({ name, part, path, query }) {
  const turn = ++opening;
  const kept = part.keepsWorld ? stage : null;
  if (kept) kept.aside ??= new (await import('./stage/aside.js')).Aside(kept);
  if (turn !== opening) return;
  if (kept) kept.aside?.go();
  else closeStage();
  document.title = `${t(part.title)} · ${t('app.name')}`;
  find('#start', HTMLElement).hidden = true;
  document.documentElement.dataset.view = name;
  try {
    const page = await part.open({ path, query, leave: part.keepsWorld && /^#\/[^?]/.test(before) && before !== now ? () => history.back() : leave });
    if (turn === opening) open = { name, page };
    else page.close();
  } catch (error) {
    if (turn !== opening) return;
    console.warn(error);
    if (kept) history.back();
    else await showStart();
    toast(t('fail.part'), { kind: 'warning', key: 'part', action: { text: t('common.retry'), run: () => void follow() } });
  }
}

/** The start page; who opens a world by its address never needs it. */
async function startPage() {
  const [{ StartPage }] = await Promise.all([import('./start/start.js'), loadShared('start')]);
  start ??= new StartPage(find('#start', HTMLElement));
  return start;
}

async function showStart() {
  const turn = ++opening;
  closeStage();
  const { dataset } = document.documentElement;
  dataset.view = 'start';
  document.title = t('app.name');
  find('#start', HTMLElement).hidden = false;
  const page = await startPage();
  if (turn !== opening) return;
  page.show();
  preloadEngine().catch(() => undefined);
  // The way into a world is short then.
  void page.refresh().then(() => whenIdle(() => turn === opening && void loadStage().catch(() => undefined)));
}

/**
 * What an open world needs; nothing of it is needed on the start page.
 * @param {boolean} [isVirtual] whether its picture is drawn
 */
function loadStage(isVirtual = false) {
  preloadStage();
  const modules = /** @type {const} */ ([import('./stage/stage.js'), import('./session/session.js')]);
  const drawn = isVirtual ? [import('./ar/backdrop.js'), import('../engine/places.js')] : [];
  return Promise.all([...modules, ...drawn]);
}

/** @param {Route} next */
async function openWorld(next) {
  const turn = ++opening;
  closeStage();
  find('#start', HTMLElement).hidden = true;
  document.documentElement.dataset.view = next.view;
  try {
    const [[{ Stage }, session], center, guide] = await Promise.all([
      loadStage(next.virtual).then(async ([module, { Session }]) => /** @type {const} */ ([module, await Session.start()])), centerOf(next), guideOf(next),
    ]);
    if (turn !== opening) return;
    stage = new Stage(session, navigate);
    guide?.attach(stage);
    stage.open(next, center);
    if (next.address?.kind === 'world') watchFor(next.address.id, stage, next.virtual);
  } catch (error) {
    if (turn !== opening) return;
    console.warn(error);
    await showStart();
    toast(t('fail.engineStart'), {
      kind: 'warning',
      key: 'engine',
      action: { text: t('common.retry'), run: () => void openWorld(next) },
    });
  }
}

/**
 * @param {string} id
 * @param {Stage} shown
 * @param {boolean} isVirtual nobody is asked for anything then
 */
function watchFor(id, shown, isVirtual) {
  shown.session.on('failure', ({ code }) => {
    if (code === 'world.unknown' && !shown.session.content && shown.session.worlds.list.length < 2) void showMissing('missing.world', id);
  });
  if (!isVirtual) void lookUp(id, shown);
}

/**
 * Whether the world is here is found out before anybody is asked for a permission, and what it needs and how far it is.
 * @param {string} id
 * @param {Stage} shown
 */
async function lookUp(id, shown) {
  const worlds = await fetchWorlds().catch(() => null);
  if (stage !== shown || shown.entered || !worlds) return;
  const entry = worlds.find((world) => world.id === id);
  if (entry) return shown.introduce(entry);
  const isThere = await worldExists(id);
  if (!isThere && stage === shown) await showMissing('missing.world', id);
}

/**
 * What goes along with a world that the page makes itself: the tour that is played, or the guided minute.
 * @param {Route} next
 */
async function guideOf(next) {
  if (next.address?.kind === 'around') return (await import('./around/guide.js')).openAround();
  if (next.address?.kind !== 'tour') return null;
  const [{ openTour }] = await Promise.all([import('./tours/play-view.js'), loadShared('panels', 'places')]);
  const tour = await openTour(next.address.id);
  if (!tour) location.hash = '#/join';
  return tour;
}

/**
 * The middle of a world of this server: where a virtual phone waits for it.
 * @param {Route} next
 */
async function centerOf(next) {
  const { address } = next;
  if (!next.virtual || address?.kind !== 'world' || next.pose.latitude !== undefined) return null;
  const worlds = start?.worlds ?? (await fetchWorlds().catch(() => []));
  return worlds.find((world) => world.id === address.id)?.center ?? null;
}

/**
 * @param {Partial<Route>} change
 * @param {boolean} replace whether the browser's "back" skips what was before
 */
function navigate(change, replace) {
  const merged = { ...route, pose: {}, place: null, ...change };
  const hash = formatRoute(merged);
  if (hash === location.hash) return;
  if (!replace) {
    location.hash = hash;
    return;
  }
  history.replaceState(null, '', hash);
  route = parseRoute(hash);
  stage?.follow(route);
}

function closeStage() {
  if (!stage) return;
  stage.close();
  stage = null;
  delete document.documentElement.dataset.ready;
  // A fresh copy of the stage's elements has no listeners of the old world.
  const fresh = /** @type {HTMLElement} */ (template.cloneNode(true));
  translate(fresh);
  find('#stage', HTMLElement).replaceWith(fresh);
}
