// index.html names every module the page begins with, so that a phone fetches them at once and not one after the other.

import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { test } from 'node:test';

const root = new URL('..', import.meta.url);
const page = readFileSync(new URL('index.html', root), 'utf8');

function modules(path, seen = new Set()) {
  if (seen.has(path)) return seen;
  seen.add(path);
  const url = new URL(path, root);
  for (const [, from] of readFileSync(url, 'utf8').matchAll(/^import [^'"]*['"](\.[^'"]+)['"]/gm)) {
    modules(new URL(from, url).href.slice(root.href.length), seen);
  }
  return seen;
}

test('the modules of the page are preloaded, and no others', () => {
  const needed = [...modules('app/main.js')].filter((path) => path !== 'app/main.js').sort();
  const named = [...page.matchAll(/rel="modulepreload" href="\/client\/dev\/([^"]+)"/g)].map((match) => match[1])
    .sort();
  assert.deepEqual(named, needed);
});

test('everything the page names exists', () => {
  const named = [...page.matchAll(/(?:href|src)="\/client\/dev\/([^"]+)"/g)].map((match) => match[1]);
  assert.ok(named.length > 20);
  // The engine is built, not kept.
  for (const path of named) if (path !== 'engine.wasm') assert.ok(existsSync(new URL(path, root)), path);
});

test('nothing in the page is inline, and nothing comes from elsewhere', () => {
  assert.doesNotMatch(page, /<style|<script(?![^>]* src=)|\son\w+=|\sstyle=/);
  assert.doesNotMatch(page, /(?:src|href)="(?:https?:)?\/\//);
});
