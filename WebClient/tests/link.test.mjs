// Links from elsewhere: what they lead to, and what leads nowhere.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import test from 'node:test';
import { routeOfLink } from '../app/start/link.js';

const here = new URL('https://sightline.example/');
globalThis.location = here;
const hashOf = (text) => routeOfLink(text, here).hash;

test('a registered link leads to its world', () => {
  assert.equal(hashOf('web+sightline:world/ulm?view=list'), '#/world/ulm?view=list');
  assert.equal(hashOf('web+sightline://sightline.example/world/ulm'), '#/world/ulm');
  assert.match(hashOf('web+gamaray://worlds.example/city.gddf'), /^#\/open\?url=/);
  assert.deepEqual(routeOfLink('web+sightline://other.example/world/ulm', here), { hash: '#/', outside: 'https://other.example/#/world/ulm' });
});

test('nothing else is opened', () => {
  for (const text of [
    '', 'web+', 'web+sightline:', 'web+gamaray:', 'javascript:alert(1)', 'web+javascript:alert(1)', 'https://other.example/', 'gamaray://a/b',
    'web+sightline', 'web+gamaray:javascript:alert(1)', `web+gamaray://worlds.example/${'a'.repeat(3000)}`, 'web+https://other.example/', '\ud800',
  ]) {
    let answer;
    try {
      answer = routeOfLink(text, here);
    } catch (error) {
      assert.fail(`${JSON.stringify(text.slice(0, 40))}: ${error}`);
    }
    assert.match(answer.hash, /^#\/link\//, text.slice(0, 40));
    assert.equal(answer.outside, undefined);
    assert.ok(answer.hash.length < 1000);
  }
});

test('the manifest registers both names, with an address that the page reads', () => {
  const { protocol_handlers: handlers } = JSON.parse(readFileSync(new URL('../manifest.webmanifest', import.meta.url)));
  assert.deepEqual(handlers.map(({ protocol }) => protocol), ['web+gamaray', 'web+sightline']);
  for (const { url } of handlers) assert.equal(url, '/?link=%s');
});
