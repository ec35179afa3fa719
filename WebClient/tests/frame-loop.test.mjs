// When frames are drawn: one for any number of causes, also for those that drawing itself brings about.

import assert from 'node:assert/strict';
import { afterEach, beforeEach, test } from 'node:test';
import { FrameLoop } from '../app/stage/frame-loop.js';

/** @type {Map<number, (stamp: number) => void>} */
const asked = new Map();
let number = 0;
let life = new AbortController();

/** What listens to the session and the device, by the type of its cause. */
class Source {
  /** @type {Map<string, (event?: unknown) => void>} */
  listeners = new Map();

  on(type, hear) {
    this.listeners.set(type, hear);
  }

  tell(type, event) {
    this.listeners.get(type)?.(event);
  }
}

class Session extends Source {
  suspended = false;
  frozen = false;
  status = null;
  closed = life.signal;
  advance() {}
}

class Device extends Source {
  phone = Object.assign(new Source(), { isMoving: false, tick() {} });
}

beforeEach(() => {
  asked.clear();
  life = new AbortController();
  globalThis.document = /** @type {any} */ ({ documentElement: {}, addEventListener() {} });
  globalThis.addEventListener = () => {};
  globalThis.requestAnimationFrame = (run) => {
    asked.set(++number, run);
    return number;
  };
  globalThis.cancelAnimationFrame = (id) => { asked.delete(id); };
});
afterEach(() => life.abort());

/** The display shows a frame: everything runs that was asked for until now. */
function show() {
  const due = [...asked.values()];
  asked.clear();
  for (const run of due) run(performance.now());
}

test('a drawing that itself is a cause to draw again does not multiply the frames', () => {
  const session = new Session();
  let drawn = 0;
  new FrameLoop(/** @type {any} */ (session), /** @type {any} */ (new Device()), () => {
    drawn += 1;
    // As a session does whose status changes with the frame.
    session.tell('status');
    session.tell('status');
  });
  for (let frame = 1; frame <= 20; frame++) {
    show();
    assert.equal(drawn, frame);
    assert.equal(asked.size, 1);
  }
});

test('causes between two frames end in one', () => {
  const session = new Session();
  let drawn = 0;
  new FrameLoop(/** @type {any} */ (session), /** @type {any} */ (new Device()), () => { drawn += 1; });
  for (const type of ['world', 'status', 'selection']) session.tell(type);
  assert.equal(asked.size, 1);
  show();
  assert.equal(drawn, 1);
});

test('nothing is drawn while the session is suspended, and nothing after it is closed', () => {
  const session = new Session();
  let drawn = 0;
  const loop = new FrameLoop(/** @type {any} */ (session), /** @type {any} */ (new Device()), () => { drawn += 1; });
  session.suspended = true;
  show();
  loop.wake();
  assert.deepEqual([drawn, asked.size], [0, 0]);
  session.suspended = false;
  loop.wake();
  show();
  assert.equal(drawn, 1);
  life.abort();
  loop.wake();
  assert.equal(asked.size, 0);
});
