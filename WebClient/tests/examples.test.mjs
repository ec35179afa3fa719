// The list of the examples shows the source of each as it is. SIGHTLINE_RECORD=1 writes it there.

import assert from 'node:assert/strict';
import { existsSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';

const folder = fileURLToPath(new URL('../examples', import.meta.url));
const list = join(folder, 'index.html');
const read = (/** @type {string} */ name) => readFileSync(join(folder, name), 'utf8');
const escaped = (/** @type {string} */ text) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');

/** A page's source, and that of its own script, as the list has them. @param {string} name */
function sources(name) {
  const files = [`${name}.html`, `${name}.js`].filter((file) => existsSync(join(folder, file)));
  const shown = files.map((file) => `<pre tabindex="0" role="region" aria-label="${file}"><code>${escaped(read(file).trimEnd())}</code></pre>`);
  return `        <details><summary>Source of ${files.join(' and ')}</summary>\n${shown.join('\n')}\n        </details>\n`;
}

/** The list with the sources as they are. @param {string} text */
const withSources = (text) => text.replaceAll(/( {6}<article id="([\w-]+)">\n)(.*?)( {6}<\/article>\n)/gs,
  (_, start, name, body, end) => start + body.replace(/ {8}<details>.*<\/details>\n/s, '') + sources(name) + end);

test('every example is in the list, with its source', () => {
  const text = readFileSync(list, 'utf8');
  const pages = readdirSync(folder).filter((file) => file.endsWith('.html') && file !== 'index.html').map((file) => file.slice(0, -5));
  assert.deepEqual([...text.matchAll(/<article id="([\w-]+)">/g)].map(([, name]) => name).sort(), pages.sort());
  const wanted = withSources(text);
  if (process.env.SIGHTLINE_RECORD === '1') writeFileSync(list, wanted);
  else assert.equal(text, wanted, 'a source has changed: SIGHTLINE_RECORD=1 node --test WebClient/tests/examples.test.mjs');
});

test('what the list leads to is there', () => {
  const text = readFileSync(list, 'utf8').replaceAll(/<pre.*?<\/pre>/gs, '');
  for (const [, target] of text.matchAll(/(?:href|src)="([^"#:]+)"/g)) assert.ok(existsSync(join(folder, target)), target);
});
