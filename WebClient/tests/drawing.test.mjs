// What is drawn with every picture of the view: nothing is told to the document that it was told before, and all of it looks as the engine says.

import assert from 'node:assert/strict';
import { test } from 'node:test';

/** Everything that is written to the document. @type {string[]} */
const written = [];
/** Everything that is drawn on canvases. @type {string[]} */
const drawn = [];

/** As much of a node as the drawing modules need; what is written to it is noted. */
class Node {
  /** @type {Node[]} */
  childNodes = [];
  /** @type {Map<string, string>} */
  attributes = new Map();
  nodeType = 1;
  #text = '';
  /** @param {string} name */
  constructor(name) {
    this.name = name;
    const note = (/** @type {string} */ kind) => new Proxy(/** @type {Record<string, string>} */ ({}), {
      set: (kept, key, value) => (written.push(`${this.name} ${kind} ${String(key)} ${value}`), kept[String(key)] = value, true),
      get: (kept, key) => {
        if (key === 'setProperty') return () => undefined;
        assert.ok(kind !== 'style', `${this.name}: the style is read back: ${String(key)}`);
        return kept[String(key)];
      },
    });
    this.style = note('style');
    this.dataset = note('data');
    /** @type {Set<string>} */
    const classes = this.classes = new Set();
    this.classList = {
      toggle: (/** @type {string} */ one, /** @type {boolean} */ on) => (written.push(`${this.name} class ${one} ${on}`), on ? classes.add(one) : classes.delete(one)),
      add: (/** @type {string} */ one) => classes.add(one), remove: (/** @type {string} */ one) => classes.delete(one),
    };
  }
  get firstChild() { return this.childNodes[0] ?? null; }
  get firstElementChild() { return this.childNodes[0] ?? null; }
  get nextSibling() { return null; }
  get textContent() { return this.#text; }
  set textContent(text) { written.push(`${this.name} text ${text}`), this.#text = text; }
  get hidden() { return this.attributes.has('hidden'); }
  set hidden(on) { written.push(`${this.name} hidden ${on}`), on ? this.attributes.set('hidden', '') : this.attributes.delete('hidden'); }
  set title(/** @type {string} */ text) { this.attributes.set('title', text); }
  get title() { return this.attributes.get('title') ?? ''; }
  set className(/** @type {string} */ one) { this.name = one || this.name; }
  /** @param {string} key */
  getAttribute(key) { return this.attributes.get(key) ?? null; }
  /** @param {string} key @param {string} value */
  setAttribute(key, value) { written.push(`${this.name} ${key} ${value}`), this.attributes.set(key, value); }
  /** @param {Node[]} nodes */
  append(...nodes) { this.childNodes.push(...nodes); }
  addEventListener() {}
}

const context = new Proxy(/** @type {Record<string, unknown>} */ ({}), {
  get: (kept, key) => (key === 'measureText' ? (/** @type {string} */ text) => ({ width: 8 * text.length }) :
    key in kept ? kept[String(key)] : (/** @type {unknown[]} */ ...values) => (drawn.push(`${String(key)} ${values}`), { addColorStop() {} })),
  set: (kept, key, value) => (kept[String(key)] = value, true),
});
const canvas = () => /** @type {any} */ ({ getContext: () => context, width: 0, height: 0 });
Object.assign(globalThis, {
  Element: Node,
  location: new URL('https://example.org/'), innerWidth: 390, innerHeight: 844,
  document: {
    documentElement: {}, querySelectorAll: () => [],
    createElement: (/** @type {string} */ name) => (name === 'canvas' ? canvas() : new Node(name)), createElementNS: (/** @type {string} */ _, /** @type {string} */ name) => new Node(name),
  },
});
const { apply } = await import('../app/core/i18n.js');
const { EdgeArrows } = await import('../app/ar/arrows.js');
const { Labels } = await import('../app/ar/labels.js');
const { Leaders } = await import('../app/ar/leaders.js');
const { Clusters } = await import('../app/ar/marks.js');
const { Radar } = await import('../app/ar/radar.js');
const { isChange } = await import('../app/stage/occupied.js');

apply('en', { 'label.label': '{name}, {distance}', 'places.other': '{n} places', 'cluster.label': '{places}, {distance}', 'arrow.left': '{places}, {distance}' }, null);
const names = ['Museum', 'Tower', 'Bridge', 'Gate'];
const session = /** @type {any} */ ({
  radius: 1000, on() {}, tell() {},
  content: {
    places: names.map((title) => ({ title, visual: { kind: 'text' }, categories: [], pivot: 'BC' })),
    placeTitle: (/** @type {any} */ { title }) => title, labelText: (/** @type {any} */ { title }) => title, categoryNumber: () => 0,
  },
});
/** @param {number} feature @param {object} [more] */
const item = (feature, more) => ({
  feature, anchorX: 100, anchorY: 300, centerX: 100, centerY: 250, width: 120, height: 40, scale: 1, distance: 200 + feature, opacity: 1, level: 'card',
  isSelected: false, hasLeader: false, isFannedOut: false, ...more,
});
const frameOf = (/** @type {object[]} */ items, roll = 0) => /** @type {any} */ ({
  items, roll, width: 390, height: 844,
  clusters: [{ id: 1, centerX: 50, centerY: 60, width: 44, height: 44, nearestDistance: 320, opacity: 0.5, members: [0, 1], isOpen: false, hasLeader: false }],
  arrows: [{ side: 'left', x: 60, y: 400, direction: -1.5, count: 3, nearest: 0, nearestDistance: 640, isForSelection: false }],
});

function view() {
  const [names, groups, rim] = ['names', 'groups', 'rim'].map((name) => new Node(name));
  const parts = [new Labels(/** @type {any} */ (names), session), new Clusters(/** @type {any} */ (groups), session), new EdgeArrows(/** @type {any} */ (rim), session, () => undefined)];
  const draw = (/** @type {any} */ frame) => {
    written.length = 0;
    for (const part of parts) part.draw(frame);
    return [...written];
  };
  return { draw, labels: /** @type {any[]} */ (names.childNodes), parts };
}

test('what is the same as in the last picture is not written again', () => {
  const { draw } = view();
  assert.ok(draw(frameOf([item(0), item(1)])).length > 20);
  // The arrow has told how large it wants to be.
  draw(frameOf([item(0), item(1)]));
  assert.deepEqual(draw(frameOf([item(0), item(1)])), []);
});

test('of what has moved only the transform is written', () => {
  const { draw } = view();
  for (let k = 0; k < 2; k++) draw(frameOf([item(0), item(1)]));
  const [only, ...more] = draw(frameOf([item(0, { centerX: 101.238 }), item(1)]));
  assert.deepEqual(more, []);
  assert.match(only, /^label style transform translate3d\(41\.24px,230px,0\) rotate\(0\.0000rad\) translateY\(0\.\d+px\) scale\(0\.96\)$/);
});

test('a distance is said anew when it changes, and in another language', () => {
  const { draw, parts, labels } = view();
  draw(frameOf([item(0)]));
  assert.equal(labels[0].attributes.get('aria-label'), 'Museum, 200 m');
  assert.deepEqual(draw(frameOf([item(0, { distance: 201 })])).filter((one) => /aria|text/.test(one)), [], 'it is as far, as far as one knows');
  assert.deepEqual(draw(frameOf([item(0, { distance: 214 })])).filter((one) => /aria|text/.test(one)), ['label-meta text 210 m', 'label aria-label Museum, 210 m']);
  apply('de', { 'label.label': '{name} in {distance}' }, null);
  for (const part of parts) part.reset();
  draw(frameOf([item(0, { distance: 214 })]));
  assert.equal(labels[0].attributes.get('aria-label'), 'Museum in 210 m');
  apply('en', { 'label.label': '{name}, {distance}', 'places.other': '{n} places', 'cluster.label': '{places}, {distance}', 'arrow.left': '{places}, {distance}' }, null);
});

test('an element that is used again shows all of the other place', () => {
  const { draw, labels } = view();
  draw(frameOf([item(0, { opacity: 0.4, isSelected: true, hasLeader: true })]));
  draw(frameOf([]));
  assert.equal(labels[0].hidden, true);
  draw(frameOf([item(1, { opacity: 1 })]));
  assert.equal(labels.length, 1);
  const [, , name, meta] = labels[0].childNodes;
  assert.deepEqual([name.textContent, meta.textContent, labels[0].attributes.get('aria-label')], ['Tower', '200 m', 'Tower, 200 m']);
  assert.deepEqual([labels[0].hidden, ...labels[0].classes], [false]);
  assert.deepEqual([labels[0].attributes.get('aria-pressed'), labels[0].was.opacity], ['false', '0.94']);
});

test('the nearest lies on top, what is selected over all; who comes does not move the others', () => {
  const { draw, labels } = view();
  const stack = () => labels.filter(({ hidden }) => !hidden).sort((a, b) => b.was.z - a.was.z).map(({ title }) => title);
  draw(frameOf([item(0), item(2)]));
  assert.deepEqual(stack(), ['Museum', 'Bridge']);
  const z = (/** @type {string[]} */ all) => all.filter((one) => one.includes('zIndex'));
  assert.equal(z(draw(frameOf([item(0), item(1), item(2)]))).length, 1);
  assert.equal(z(draw(frameOf([item(0), item(1), item(2), item(3)]))).length, 1);
  assert.deepEqual(stack(), ['Museum', 'Tower', 'Bridge', 'Gate']);
  assert.equal(z(draw(frameOf([item(0), item(1), item(2), item(3, { isSelected: true })]))).length, 1);
  assert.deepEqual(stack(), ['Gate', 'Museum', 'Tower', 'Bridge']);
  // However often they change places, by a drawn lot.
  let seed = 7;
  const random = () => (seed = (seed * 16807) % 2147483647) / 2147483647;
  for (let k = 0; k < 20_000; k++) {
    const order = [0, 1, 2, 3].filter(() => random() < 0.8).map((feature) => ({ feature, lot: random() })).sort((a, b) => a.lot - b.lot).map(({ feature }) => feature);
    draw(frameOf(order.map((feature) => item(feature))));
    assert.deepEqual(stack(), order.map((feature) => names[feature]), `picture ${k}`);
    assert.ok(labels.every((label) => label.was.z < 1_000_000));
  }
});

test('the radar is drawn again when something is seen elsewhere, and only then', () => {
  const radar = new Radar(canvas());
  radar.resize(1);
  const hue = { now: 25 };
  const draw = (/** @type {object} */ more, x = 0.2) => {
    drawn.length = 0;
    radar.draw(/** @type {any} */ ({ attitude: 'upright', north: 0, wedgeDirection: 0, wedgeOpening: 1, wedgeLength: 1, blips: [{ feature: 0, x, y: 0, isSelected: false }], ...more }), () => hue.now);
    return drawn.length > 0;
  };
  assert.equal(draw({}), true);
  assert.equal(draw({}), false);
  // A trembling hand is not seen, but a slow turn is.
  assert.equal(draw({}, 0.201), false);
  let turned = 0;
  for (let k = 1; k <= 100; k++) turned += draw({ north: k * 1e-3 }) ? 1 : 0;
  assert.ok(turned >= 20 && turned < 60, `${turned} of 100`);
  for (const change of [{ attitude: 'upsideDown' }, { wedgeOpening: 1.1 }, { blips: [] }, { blips: [{ feature: 0, x: 0.2, y: 0, isSelected: true }] }]) {
    assert.equal(draw(change), true, JSON.stringify(change));
    assert.equal(draw(change), false, JSON.stringify(change));
  }
  draw({});
  hue.now = 95;
  assert.equal(draw({}), true, 'another category');
  radar.resize(2);
  assert.equal(draw({}), true, 'a canvas of another size is empty');
});

test('where no label is lifted the lines are cleared once and then left alone', () => {
  const leaders = new Leaders(canvas());
  leaders.resize(390, 844, 1);
  const draw = (/** @type {boolean} */ hasLeader) => {
    drawn.length = 0;
    leaders.draw(frameOf([item(0, { hasLeader })]));
    return drawn.map((one) => one.split(' ')[0]);
  };
  assert.deepEqual(draw(false), []);
  assert.ok(draw(true).includes('lineTo'));
  const cleared = draw(false);
  assert.ok(cleared.includes('clearRect') && !cleared.includes('lineTo'));
  assert.deepEqual(draw(false), []);
});

test('another text over the view is measured by its size alone; what comes or goes is looked at', () => {
  const record = (/** @type {object} */ more) => /** @type {any} */ ({ type: 'childList', target: new Node('p'), attributeName: null, oldValue: null, addedNodes: [], removedNodes: [], ...more });
  assert.equal(isChange(record({ addedNodes: [{ nodeType: 3 }], removedNodes: [{ nodeType: 3 }] })), false);
  assert.equal(isChange(record({ addedNodes: [{ nodeType: 3 }, new Node('b')] })), true);
  assert.equal(isChange(record({ removedNodes: [new Node('b')] })), true);
  const target = new Node('p');
  target.attributes.set('class', 'a');
  assert.equal(isChange(record({ type: 'attributes', target, attributeName: 'class', oldValue: 'a' })), false);
  assert.equal(isChange(record({ type: 'attributes', target, attributeName: 'class', oldValue: 'b' })), true);
});
