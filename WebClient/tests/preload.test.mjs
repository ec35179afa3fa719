// What is fetched before the first picture of a world: everything at once and not one after the other, and not more than a
// phone in the street waits for gladly.

import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { test } from 'node:test';
import { gzipSync } from 'node:zlib';

const root = new URL('..', import.meta.url);
const page = readFileSync(new URL('index.html', root), 'utf8');
const read = (/** @type {string} */ path) => readFileSync(new URL(path, root));

/**
 * Bytes as they are sent, without engine, pictures and data. Before the view had a sheet, marks on its rim and levels of labels
 * they were 146,786 on every way; the radius that follows the world came on top, and 100 for the town and for what goes along
 * with the user. Whoever adds something that the first picture does not need fetches it later.
 */
const MOST = { link: 151_100, start: 157_500, page: 76_000 };

/**
 * A module and all that come with it.
 * @param {string} path
 * @param {Set<string>} [seen]
 */
function modules(path, seen = new Set()) {
  if (seen.has(path)) return seen;
  seen.add(path);
  for (const [, from] of read(path).toString().matchAll(/^(?:import [^'"]*|export \{[^'"]*\} from )['"](\.[^'"]+)['"]/gm)) {
    modules(new URL(from, new URL(path, root)).href.slice(root.href.length), seen);
  }
  return seen;
}

const every = modules('app/main.js');
const stage = new Set([...modules('app/stage/stage.js'), ...modules('app/session/session.js')]);
const named = [...page.matchAll(/(?:href|src)="\/client\/dev\/([^"]+)"/g)].map((match) => match[1]);
const sent = (/** @type {Iterable<string>} */ paths) =>
  [...new Set(paths)].reduce((sum, path) => sum + gzipSync(read(path), { level: 9 }).length, 0);

test('the modules of every visit are preloaded by the page, and no others', () => {
  const needed = [...every].filter((path) => path !== 'app/main.js').sort();
  const preloaded = [...page.matchAll(/rel="modulepreload" href="\/client\/dev\/([^"]+)"/g)].map((match) => match[1]).sort();
  assert.deepEqual(preloaded, needed);
});

test('the modules of an open world are preloaded once one is opened, and no others', () => {
  const folders = [...read('app/stage/preload.js').toString().matchAll(/^ {2}'([^']+)': '([^']+)',$/gm)];
  const preloaded = folders.flatMap(([, folder, names]) => names.split(' ').map((name) => `${folder}/${name}.js`)).sort();
  assert.deepEqual(preloaded, [...stage].filter((path) => !every.has(path)).sort());
});

test('what is fetched before the first picture is within its bounds', () => {
  const always = ['index.html', ...named.filter((path) => path !== 'engine.wasm'), ...every, 'languages/en.json'];
  const start = [...modules('app/start/start.js'), 'styles/start.css'];
  const bytes = { page: sent([...always, ...start]), link: sent([...always, ...stage]), start: sent([...always, ...start, ...stage]) };
  for (const way of /** @type {const} */ (['page', 'link', 'start'])) {
    assert.ok(bytes[way] <= MOST[way], `${way}: ${bytes[way]} bytes, ${MOST[way]} at most`);
    // A bound that nothing comes near says nothing.
    assert.ok(bytes[way] > MOST[way] * 0.9, `${way}: ${bytes[way]} bytes: the bound can be tightened`);
  }
});

test('everything the page names exists', () => {
  assert.ok(named.length > 20);
  // The engine is built, not kept.
  for (const path of named) if (path !== 'engine.wasm') assert.ok(existsSync(new URL(path, root)), path);
});

test('nothing in the page is inline, and nothing comes from elsewhere', () => {
  assert.doesNotMatch(page, /<style|<script(?![^>]* src=)|\son\w+=|\sstyle=/);
  assert.doesNotMatch(page, /(?:src|href)="(?:https?:)?\/\//);
});
