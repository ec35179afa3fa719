// Tours: what a phone decides by itself, and what the designer sends.

import assert from 'node:assert/strict';
import { test } from 'node:test';

globalThis.localStorage = {
  kept: new Map(),
  getItem(key) { return this.kept.get(key) ?? null; },
  setItem(key, value) { this.kept.set(key, value); },
  removeItem(key) { this.kept.delete(key); },
};
const { TourGround } = await import('../app/tours/ground.js');
const { Draft } = await import('../app/tours/draft.js');
const { formatRoute, parseRoute, sameAddress } = await import('../app/core/router.js');
const { Play } = await import('../app/tours/play.js');

const at = (latitude, longitude, horizontalAccuracy = 5) => ({ latitude, longitude, horizontalAccuracy });
const station = (id, more = {}) => ({
  id, kind: 'choice', title: id, text: '', position: { latitude: 52, longitude: 4 }, radius: 30, visibleRadius: null, picture: null,
  options: ['a', 'b'], multiple: false, points: 10, tries: 1, hints: [], round: 1, ...more,
});

/** An engine of a flat world: a degree is 100 km in every direction, and a border is 20 m away. */
const flat = {
  distance: (a, b, c, d) => 1e5 * Math.hypot(c - a, d - b),
  part: () => ({ distanceToBorder: () => 20 }),
};

test('within the radius, or outside by less than the accuracy, but never by more than 100 m', () => {
  const ground = new TourGround();
  const place = { position: { latitude: 52, longitude: 4 }, radius: 30 };
  assert.ok(!ground.isAt(at(52, 4), place), 'without an engine nobody is anywhere');
  ground.engine = () => flat;
  assert.ok(ground.isAt(at(52.0003, 4), place));
  assert.ok(!ground.isAt(at(52.0004, 4), place));
  assert.ok(ground.isAt(at(52.0004, 4, 40), place));
  assert.ok(!ground.isAt(at(52.002, 4, 5000), place));
});

test('a team has left an area when its accuracy cannot explain it', () => {
  const ground = new TourGround();
  const border = [at(52, 4), at(52, 4.1), at(52.1, 4)];
  assert.ok(!ground.hasLeft(at(0, 0), border), 'without an engine nobody has left');
  ground.engine = () => flat;
  assert.ok(ground.hasLeft(at(0, 0, 19), border));
  assert.ok(!ground.hasLeft(at(0, 0, 21), border));
  assert.ok(!ground.hasLeft(at(0, 0), []));
});

test('a tour has an address of its own kind', () => {
  const route = parseRoute('#/play/abc-2?virtual=1&view=map');
  assert.deepEqual(route.address, { kind: 'tour', id: 'abc-2' });
  assert.equal(formatRoute(route), '#/play/abc-2?view=map&virtual=1');
  assert.ok(sameAddress(route.address, { kind: 'tour', id: 'abc-2' }));
  assert.ok(!sameAddress(route.address, { kind: 'world', id: 'abc-2' }));
});

function play(content, state = {}) {
  const game = new Play({
    key: 'k', secret: 's', messages: [], read: 0, sequence: 0, joined: 0,
    content: { sequential: false, border: [], revision: 1, title: 'T', stations: [], ...content },
    state: { phase: 'running', round: 1, rounds: 1, secondsLeft: null, stations: {}, messages: [], done: 0, score: 0, ...state },
  });
  game.ground.engine = () => flat;
  return game;
}

test('stations are seen within their radius of visibility, and none of a closed round', () => {
  const game = play({ stations: [station('a'), station('b', { visibleRadius: 50 }), station('c', { round: 2 })] });
  assert.deepEqual(game.visible().map(({ id }) => id), ['a']);
  game.fix = at(52.0003, 4);
  assert.deepEqual(game.visible().map(({ id }) => id), ['a', 'b']);
  game.fix = at(52.001, 4);
  assert.deepEqual(game.visible().map(({ id }) => id), ['a']);
});

test('one after another: a try opens the next, known to the server or not', () => {
  const stations = ['a', 'b', 'c'].map((id) => station(id, { tries: 3 }));
  const game = play({ sequential: true, stations });
  assert.deepEqual(game.open().map(({ id }) => id), ['a']);
  game.waiting = [{ id: '1', key: 'k', sequence: 1, station: 'a', kind: 'choice', choices: [0], position: null, made: 0 }];
  assert.equal(game.standing(stations[0]).state, 'saved');
  assert.deepEqual(game.open().map(({ id }) => id), ['a', 'b']);
  game.waiting = [];
  game.state.stations.a = { state: 'open', triesLeft: 2, hints: [] };
  assert.deepEqual(game.open().map(({ id }) => id), ['a', 'b']);
});

test('a hint that is not sent yet is open all the same', () => {
  const only = station('a', { hints: [{ text: 'h', cost: 1 }] });
  const game = play({ stations: [only] });
  game.waiting = [{ id: '1', key: 'k', sequence: 1, station: 'a', kind: 'hint', hint: 0, position: null, made: 0 }];
  assert.ok(game.standing(only).hints.has(0));
  assert.equal(game.standing(only).state, 'open');
});

test('the labels of a tour hold no question', () => {
  const game = play({ stations: [station('a', { text: 'the question' })] });
  assert.ok(!JSON.stringify(game.world()).includes('the question'));
  assert.equal(game.world().dimension.places[0].visual.text, 'a');
});

test('the designer sends no empty answers, and the right ones stay right', () => {
  const draft = new Draft({ id: 'd', version: 1, saved: '', problems: [], runs: [], tour: { title: 'T', order: 'free', stations: [], rounds: 1 } });
  const id = draft.addStation({ latitude: 1, longitude: 2 });
  const made = draft.tour.stations[0];
  assert.match(id, /^[\w-]{1,32}$/);
  made.options = ['', ' one ', '', 'two'];
  made.correct = [3];
  const [sent] = draft.content().stations;
  assert.deepEqual(sent.options, ['one', 'two']);
  assert.deepEqual(sent.correct, [1]);
  assert.ok(draft.isChanged);
  draft.note(true);
  draft.removeStation(id);
  assert.equal(draft.tour.stations.length, 0);
  assert.ok(draft.undo());
  assert.equal(draft.tour.stations[0].id, id);
});

test('what the server did not take is there again', () => {
  const stored = { id: 'e', version: 4, saved: '', problems: [], runs: [], tour: { title: 'T', stations: [], rounds: 1 } };
  const draft = new Draft(stored);
  draft.tour.title = 'Mine';
  draft.keep();
  assert.equal(new Draft(stored).tour.title, 'Mine');
  assert.equal(new Draft({ ...stored, version: 5 }).tour.title, 'T', 'somebody else has changed it');
});
