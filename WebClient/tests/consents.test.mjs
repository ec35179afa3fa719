// What is kept on the device of answers about other websites, whatever stands in the storage.

import assert from 'node:assert/strict';
import { webcrypto } from 'node:crypto';
import { beforeEach, test } from 'node:test';

globalThis.crypto ??= /** @type {any} */ (webcrypto);
globalThis.location = /** @type {any} */ ({ origin: 'https://here.example', href: 'https://here.example/' });
/** @type {Map<string, string>} */
const stored = new Map();
globalThis.localStorage = /** @type {any} */ ({
  getItem: (key) => stored.get(key) ?? null,
  setItem: (key, value) => void stored.set(key, value),
  removeItem: (key) => void stored.delete(key),
});
const { consent, consents, hostOf, isOwnServer, noteAsked, onConsent, setConsent, withdrawAll } = await import('../app/core/consents.js');
const { reachOf } = await import('../app/core/reach.js');
const { forgetVisitorID, load, visitorID } = await import('../app/core/storage.js');

beforeEach(() => {
  withdrawAll();
  stored.clear();
});

test('hosts of addresses', () => {
  for (const [url, host] of [
    ['https://a.example/x', 'a.example'], ['http://A.Example:8080/', 'a.example:8080'], ['https://a.example:443/', 'a.example'],
    ['gamaray://a.example/x', 'a.example'], ['https://user:word@a.example/', 'a.example'], ['http://[::1]/', '[::1]'],
    ['https://bücher.example/', 'xn--bcher-kva.example'], ['http://0x7f.1/', '127.0.0.1'],
    ['javascript:alert(1)', ''], ['data:text/html,x', ''], ['nonsense', ''], ['', ''],
  ]) assert.equal(hostOf(url), host, url);
  assert.ok(isOwnServer('https://here.example/x') && !isOwnServer('http://here.example/x') && !isOwnServer('x'));
});

test('an answer is for one host and one kind, and is kept', () => {
  setConsent('frames', 'a.example', true);
  assert.equal(consent('frames', 'a.example'), 'allowed');
  assert.equal(consent('position', 'a.example'), 'unknown');
  assert.equal(consent('frames', 'b.a.example'), 'unknown');
  assert.equal(consent('frames', 'a.example:81'), 'unknown');
  assert.match(stored.get('sightline.consents') ?? '', /a\.example/);
  setConsent('frames', 'a.example', false);
  assert.equal(consent('frames', 'a.example'), 'refused');
  assert.equal(stored.has('sightline.consents'), false);
});

test('"not now" holds for the visit, and is in the list', () => {
  setConsent('position', 'later.example', false);
  assert.equal(consent('position', 'later.example'), 'refused');
  assert.equal(stored.has('sightline.consents'), false);
  assert.ok(consents().some(({ host, position }) => host === 'later.example' && position === 'refused'));
  noteAsked('position', 'later.example');
  assert.equal(consent('position', 'later.example'), 'refused', 'asking is no answer');
});

test('nothing is allowed to an address without a host', () => {
  setConsent('position', '', true);
  assert.equal(consent('position', ''), 'refused');
});

test('damaged storage allows nothing and stops nothing', () => {
  for (const text of [
    '{', 'null', '1', '"x"', '{}', '[[]]', '[null,1,"a.example"]', '[["a.example","everything"]]', '[[1,"frames"]]',
    '{"a.example":["frames"]}', '[["a.example",["frames"]]]', '[{"0":"a.example","1":"frames"}]',
  ]) {
    stored.set('sightline.consents', text);
    assert.notEqual(consent('frames', 'a.example'), 'allowed', text);
    consents();
  }
  setConsent('frames', 'a.example', true);
  assert.equal(consent('frames', 'a.example'), 'allowed');
});

test('what is kept has bounds, and the latest stay', () => {
  for (let k = 0; k < 500; k++) setConsent('frames', `h${k}.example`, true);
  assert.equal(JSON.parse(stored.get('sightline.consents') ?? '').length, 200);
  assert.equal(consent('frames', 'h499.example'), 'allowed');
  assert.notEqual(consent('frames', 'h0.example'), 'allowed');
  for (let k = 0; k < 5000; k++) noteAsked('position', `n${k}.example`);
  assert.ok(consents().length <= 400);
});

test('withdrawing takes back everything and is told', () => {
  setConsent('frames', 'a.example', true);
  setConsent('position', 'b.example', true);
  const first = visitorID('b.example');
  /** @type {string[]} */
  const heard = [];
  onConsent((kind, host, isAllowed) => heard.push(`${kind} ${host} ${isAllowed}`));
  withdrawAll();
  assert.deepEqual(heard, ['frames a.example false', 'position b.example false']);
  assert.equal(consent('position', 'b.example'), 'refused');
  assert.notEqual(visitorID('b.example'), first);
});

test('private addresses are known by their form', () => {
  for (const host of ['localhost', 'a.localhost:8080', '127.0.0.1', '127.9.9.9:80', '[::1]', '[::1]:8080', '0.0.0.0', '[::ffff:7f00:1]']) {
    assert.equal(reachOf(host), 'device', host);
  }
  for (const host of [
    '10.0.0.1', '172.16.0.1', '172.31.255.1', '192.168.0.1:8080', '169.254.1.1', '100.64.0.1', 'printer.local', 'router', 'nas:5000',
    'fritz.box', 'x.fritz.box', 'a.home.arpa', 'a.lan', 'b.internal', '[fe80::1]', '[fd00::1]:80', '[fc12:3::]', '[::ffff:c0a8:1]', '[64:ff9b::a00:1]',
    'printer.local.', '224.0.0.1', '255.255.255.255', '[ff02::1]',
  ]) assert.equal(reachOf(host), 'network', host);
  for (const host of ['a.example', '172.15.0.1', '172.32.0.1', '8.8.8.8', '11.0.0.1', '100.128.0.1', '[2001:db8::1]', '[64:ff9b::808:808]', 'local.example', 'fritz.box.example']) {
    assert.equal(reachOf(host), 'public', host);
  }
});

test('a value of another kind counts as nothing', () => {
  for (const text of ['null', '5', '"x"', '[]', 'true', '{', '']) {
    stored.set('sightline.thing', text);
    assert.deepEqual(load('thing', { a: 1 }), { a: 1 }, text);
  }
  stored.set('sightline.thing', '{}');
  assert.deepEqual(load('thing', []), []);
  assert.equal(load('thing', 7), 7);
  assert.equal(load('thing', ''), '');
  assert.deepEqual(load('thing', null), {});
});

test('the number that a host knows this browser by, whatever the host is called and whatever stands there', () => {
  for (const text of ['null', '[]', '7', '{"a.example":7}', '{"a.example":"<script>"}', '{"__proto__":"x"}']) {
    stored.set('sightline.visitor', text);
    for (const host of ['a.example', '__proto__', 'constructor', 'toString']) {
      const id = visitorID(host);
      assert.match(id, /^UID[0-9a-f]{24}$/);
      assert.equal(visitorID(host), id, `${host} in ${text}`);
    }
    const kept = visitorID('a.example');
    forgetVisitorID('__proto__');
    assert.equal(visitorID('a.example'), kept);
  }
});
