// The studio's changes of content, and worlds that speak several languages.

import assert from 'node:assert/strict';
import { test } from 'node:test';

const { addPlace, changeOverlay, changePlace, fromTopLeft, joined, newOverlay, newPlace, removeOverlay, sameContent, toAnchor, transplanted, withAsset, withValue } =
  await import('../app/studio/content.js');
const { inLanguage } = await import('../app/session/wording.js');

const empty = { name: 'W', radarRange: 1000, radarAvailable: true, relativeAltitude: false, refreshIntervalSeconds: 0, refreshDistance: 0, assets: [], places: [], overlays: [] };
const place = (id, title) => ({ ...newPlace(title, { latitude: 1, longitude: 2 }), id });
const world = (...places) => ({ ...empty, places });

test('a change gives a new world and leaves the old one as it was', () => {
  const before = world(place('a', 'A'), place('b', 'B'));
  const after = changePlace(before, 'a', { title: 'C', summary: undefined });
  assert.equal(before.places[0].title, 'A');
  assert.equal(after.places[0].title, 'C');
  assert.equal(after.places[1], before.places[1]);
  assert.ok(!('summary' in after.places[0]));
});

test('new things have identifiers of their own', () => {
  const ids = new Set(Array.from({ length: 200 }, () => newPlace('x').id));
  assert.equal(ids.size, 200);
});

test('changes of others go into the states that undoing leads to, one\'s own stay out', () => {
  const base = world(place('a', 'A'), place('b', 'B'));
  const mine = changePlace(base, 'a', { title: 'mine' });
  const both = addPlace(changePlace(mine, 'b', { title: 'theirs' }), place('c', 'C'));
  const undone = transplanted(mine, both, base);
  assert.deepEqual(undone.places.map(({ title }) => title), ['A', 'theirs', 'C']);
  const removed = transplanted(mine, world(mine.places[0]), base);
  assert.deepEqual(removed.places.map(({ id }) => id), ['a']);
  assert.equal(transplanted({ ...base }, { ...base, name: 'X' }, base).name, 'X');
});

test('a choice goes to where the conflict was', () => {
  const base = world(place('a', 'A'), place('x/y~z', 'B'));
  assert.equal(withValue(base, 'places/a/title', 'new').places[0].title, 'new');
  assert.equal(withValue(base, 'places/x~1y~0z/position/latitude', 9).places[1].position.latitude, 9);
  assert.deepEqual(withValue(base, 'places/a', undefined).places.map(({ id }) => id), ['x/y~z']);
  assert.equal(withValue(base, 'places/c', place('c', 'C')).places.length, 3);
  assert.equal(withValue(base, 'name', undefined).name, undefined);
  assert.equal(base.places[0].title, 'A');
});

test('content is the same whatever the order of its members', () => {
  assert.ok(sameContent({ a: 1, b: [{ c: 2, d: 3 }] }, { b: [{ d: 3, c: 2 }], a: 1 }));
  assert.ok(!sameContent({ a: [1, 2] }, { a: [2, 1] }));
});

test('an imported world keeps its own links between things', () => {
  const first = withAsset(world({ ...place('a', 'A'), showOnFocus: ['o'] }), '/assets/1', 'PNG');
  const more = { ...first.dimension, overlays: [{ ...newOverlay('hello'), id: 'o' }] };
  more.places = more.places.map((one) => ({ ...one, visual: { kind: 'image', assetID: first.id } }));
  const twice = joined(more, more);
  const [, copy] = twice.places;
  assert.notEqual(copy.id, 'a');
  assert.notEqual(copy.showOnFocus[0], 'o');
  assert.ok(twice.overlays.some(({ id }) => id === copy.showOnFocus[0]));
  assert.ok(twice.assets.some(({ id }) => id === copy.visual.assetID));
  assert.notEqual(copy.visual.assetID, first.id);
  assert.deepEqual(removeOverlay(twice, 'o').places[0].showOnFocus, []);
});

test('a file with the same address is used again', () => {
  const one = withAsset(empty, '/assets/1');
  assert.equal(withAsset(one.dimension, '/assets/1').id, one.id);
  assert.equal(one.dimension.assets.length, 1);
});

test('texts are those of the reader\'s language, where there are some', () => {
  const minster = { ...place('a', 'Münster'), summary: 'Kirche', translations: { en: { title: 'Minster' }, 'pt-BR': { title: 'Catedral', summary: 'Igreja', text: 'Sé' } } };
  const overlay = { ...newOverlay('Willkommen'), translations: { en: { text: 'Welcome' } } };
  const all = { ...world(minster), language: 'de', name: 'Ulm', translations: { en: { title: 'Ulm, Germany' } }, overlays: [overlay] };
  const english = inLanguage(all, 'en');
  assert.equal(english.name, 'Ulm, Germany');
  assert.equal(english.places[0].title, 'Minster');
  assert.equal(english.places[0].visual.text, 'Minster', 'a label that repeats the title follows it');
  assert.equal(english.places[0].summary, 'Kirche', 'what is not translated stays');
  assert.equal(english.overlays[0].content.text, 'Welcome');
  assert.equal(inLanguage(all, 'de'), all);
  assert.equal(inLanguage(all, 'pt').places[0].visual.text, 'Sé');
  assert.equal(inLanguage(all, 'fr').places[0].title, 'Münster');
});

test('an overlay from another corner is drawn there, and counts from the top left once it is moved', () => {
  const at = (/** @type {any} */ anchor) => {
    const { x, y } = fromTopLeft({ ...newOverlay('o'), x: 10, y: 20, anchor }, { width: 400, height: 800 }, { top: 60, bottom: 100 });
    return [x, y];
  };
  assert.deepEqual(at(undefined), [10, 20]);
  assert.deepEqual(at('TL'), [10, 80]);
  assert.deepEqual(at('CC'), [210, 400]);
  assert.deepEqual(at('BR'), [390, 680]);
  const anchored = { ...empty, overlays: [{ ...newOverlay('o'), id: 'o', anchor: 'BR' }] };
  const moved = changeOverlay(/** @type {any} */ (anchored), 'o', { x: 5, y: 6, anchor: undefined }).overlays[0];
  assert.equal('anchor' in moved, false);
  assert.deepEqual([moved.x, moved.y], [5, 6]);
});

test('an overlay stays where it is whatever its place counts from', () => {
  const [screen, bars] = [{ width: 390, height: 844 }, { top: 66, bottom: 80 }];
  for (const anchor of [undefined, ...['T', 'C', 'B'].flatMap((row) => ['L', 'C', 'R'].map((column) => row + column))]) {
    for (const point of [{ x: 0, y: 0 }, { x: 195, y: 415 }, { x: 390, y: 844 }, { x: 17, y: 601 }]) {
      const overlay = /** @type {any} */ ({ ...toAnchor(point, anchor, screen, bars), anchor });
      assert.deepEqual(fromTopLeft(overlay, screen, bars), point, `${anchor} ${JSON.stringify(point)}`);
    }
  }
  assert.deepEqual(toAnchor({ x: 380, y: 754 }, 'BR', screen, bars), { x: 10, y: 10 });
});

test('what goes along with the user has metres from his eye and no place, and gets a place again when it stays', async () => {
  const { following, staying } = await import('../app/studio/follow-rows.js');
  const before = world({ ...place('a', 'A'), marker: { dictionary: '6x6-250', id: 1, length: 0.1 }, summary: 'kept' });
  const along = changePlace(before, 'a', following(before.places[0]));
  const [one] = along.places;
  assert.ok(one.followsUser && !('position' in one) && !('marker' in one) && one.summary === 'kept');
  assert.deepEqual(one.offset, { east: 0, north: 5, up: 0 });
  // What has a true size stands on the ground.
  assert.equal(following({ ...one, visual: { kind: 'model', assetID: 'm', xRotation: 0, yRotation: 0, zRotation: 0, scale: 1 } }).offset?.up, -1.5);
  const [back] = changePlace(along, 'a', staying(one, { latitude: 3, longitude: 4 })).places;
  assert.ok(!('followsUser' in back));
  assert.deepEqual([back.position, back.offset], [{ latitude: 3, longitude: 4 }, { east: 0, north: 0, up: 0 }]);
  // A place that never went along keeps where it is.
  assert.deepEqual(staying(place('b', 'B'), { latitude: 3, longitude: 4 }), {});
});

test('what says nothing of when and how a place is shown is left out', async () => {
  const { tidyDisplay, withScaling } = await import('../app/studio/display-rows.js');
  const { tidyIcon } = await import('../app/studio/sign-rows.js');
  assert.equal(tidyDisplay({ visibleFrom: undefined, shownWhile: undefined }), undefined);
  assert.deepEqual(tidyDisplay({ visibleFrom: 0, feature: undefined }), { visibleFrom: 0 });
  assert.equal(withScaling(undefined, { far: 100, factor: 2 }), undefined);
  assert.deepEqual(withScaling({ near: 5, factor: 1 }, { far: 100 }), { near: 5, far: 100, factor: 1 });
  assert.deepEqual(withScaling({ near: 5, far: 100, factor: 2 }, { far: undefined }), { near: 5, factor: 2 });
  assert.equal(tidyIcon({ color: undefined }), undefined);
  assert.deepEqual(tidyIcon({ opacity: 0, scale: undefined }), { opacity: 0 });
});

test('who tries a place stands where it is shown, and near enough to see what is small', async () => {
  const { stepBack, towardsOffset } = await import('../app/studio/preview.js');
  const from = (/** @type {object} */ values) => stepBack({ ...place('a', 'A'), ...values });
  assert.equal(from({}), 60);
  assert.equal(from({ size: { height: 2 } }), 8);
  assert.equal(from({ size: { width: 0.1 } }), 3);
  assert.equal(from({ size: { height: 300 } }), 60);
  for (const [visibleFrom, visibilityRadius] of [[0, 10], [0, 60], [80, undefined], [80, 90], [50, 70], [3, 4]]) {
    const distance = from({ visibilityRadius, ...(visibleFrom ? { display: { visibleFrom } } : {}) });
    assert.ok(distance > visibleFrom && distance < (visibilityRadius ?? Infinity), `${visibleFrom} … ${visibilityRadius}: ${distance}`);
  }
  for (let degrees = 0; degrees < 360; degrees += 5) {
    const [east, north] = [Math.sin, Math.cos].map((along) => 7 * along((degrees * Math.PI) / 180));
    const off = Math.abs(towardsOffset({ east, north, up: 0 }) - degrees);
    assert.ok(Math.min(off, 360 - off) <= 22.5, `${degrees}: ${off}`);
  }
  assert.equal(towardsOffset({ east: 0, north: 0, up: 3 }), 0);
});
