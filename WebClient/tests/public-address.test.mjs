// Which address codes and cards carry.

import assert from 'node:assert/strict';
import { test } from 'node:test';

import { chooseOrigin, isThisMachine } from '../app/net/public-address.js';

test('names that mean the machine that reads them', () => {
  for (const host of ['localhost', 'a.localhost', '127.0.0.1', '127.8.0.3', '[::1]', '0.0.0.0', '[::ffff:7f00:1]', 'LOCALHOST.']) {
    assert.equal(isThisMachine(host), true, host);
  }
  for (const host of ['192.168.1.4', 'sightline.example', 'localhost.example', '12.70.0.1', '[fe80::1]', '127.example']) {
    assert.equal(isThisMachine(host), false, host);
  }
});

test('a page opened as this machine is given out under the address that others can open', () => {
  assert.deepEqual(chooseOrigin('http://127.0.0.1:8080', 'https://ar.example/'), { origin: 'https://ar.example', isLocal: false });
  assert.deepEqual(chooseOrigin('http://localhost:8080', 'http://192.168.1.4:8080'), { origin: 'http://192.168.1.4:8080', isLocal: false });
});

test('without such an address it is said that only this machine can open it', () => {
  for (const none of [null, undefined, '', 'not an address', 'ftp://ar.example', 'http://localhost:9']) {
    assert.deepEqual(chooseOrigin('http://127.0.0.1:8080', none), { origin: 'http://127.0.0.1:8080', isLocal: true });
  }
});

test('a page that came from elsewhere keeps its address', () => {
  assert.deepEqual(chooseOrigin('https://town.example', 'http://10.0.0.2:80'), { origin: 'https://town.example', isLocal: false });
});
