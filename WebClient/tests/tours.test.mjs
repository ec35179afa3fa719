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

/** Round a block of the flat world, where a thousandth of a degree is 100 m: the end lies beside the begin. */
const block = [at(0, 0), at(0.003, 0), at(0.003, 0.003), at(0, 0.003), at(0, 0.0002)].map(({ latitude, longitude }) => ({ latitude, longitude }));

test('the way leads to the first station ahead, whatever is nearest', () => {
  const stations = [['last', 0.00005, 0.0006], ['first', 0.0015, 0.0001], ['middle', 0.0029, 0.0029]].map(([id, latitude, longitude]) =>
    station(id, { position: { latitude, longitude } }));
  const game = play({ way: 'drawn', route: block, stations });
  game.fix = at(0.0001, 0);
  assert.equal(game.next()?.id, 'first');
  const ahead = game.ahead();
  assert.ok(Math.abs(ahead.metres - 140) < 1, `${ahead.metres}`);
  game.fix = at(0.002, 0.00005);
  assert.equal(game.next()?.id, 'middle');
  game.fix = at(0.0015, 0.003);
  assert.equal(game.next()?.id, 'last');
  // Everything lies behind: the one that was passed last, and the way leads back.
  game.state.stations.last = { state: 'right', triesLeft: 0, hints: [] };
  assert.equal(game.next()?.id, 'middle');
  assert.ok(game.ahead().to < game.ahead().from);
});

test('the way lies on the ground with the stations: the part that comes next strong, the rest thin', () => {
  const stations = [station('a', { position: block[1] }), station('b', { position: block[3] })];
  const game = play({ way: 'drawn', route: block, stations });
  game.fix = at(0.001, 0.0001);
  const [a, b] = game.world().dimension.places;
  assert.equal(a.shapes.length, 1);
  const [part] = a.shapes[0].parts;
  assert.deepEqual(part.map(([longitude, latitude]) => [longitude.toFixed(5), latitude.toFixed(5)]), [['0.00000', '0.00100'], ['0.00000', '0.00300']]);
  assert.ok(a.shapeStyle.width > b.shapeStyle.width);
  // What was walked, and what comes after the next station.
  assert.deepEqual(b.shapes.map(({ parts }) => parts[0].length), [2, 4]);
  // A step to the side changes nothing, twenty-five metres do.
  const key = game.worldKey();
  game.fix = at(0.00105, 0.0002);
  assert.equal(game.worldKey(), key);
  game.fix = at(0.0013, 0.0002);
  assert.notEqual(game.worldKey(), key);
});

test('the line through the stations shows none that is not known yet, and needs two', () => {
  const stations = [0, 1, 2].map((k) => station(`s${k}`, { position: { latitude: 0.001 * k, longitude: 0 } }));
  const game = play({ way: 'stations', sequential: true, stations });
  game.fix = at(0.0005, 0.00001);
  assert.equal(game.way(), null);
  game.state.stations.s0 = { state: 'right', triesLeft: 0, hints: [] };
  assert.deepEqual(game.way().corners, stations.slice(0, 2).map(({ position }) => position));
  assert.ok(!JSON.stringify(game.world()).includes('0.002'));
  // An older server's tour has no way, and before a session nothing is measured.
  assert.equal(play({ stations }).way(), null);
  game.ground.engine = () => null;
  assert.equal(game.way(), null);
});
