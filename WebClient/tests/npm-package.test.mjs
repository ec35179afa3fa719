// The package as `npm install` gets it: unpacked, every import leads somewhere, and no part grows unseen.

import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { after, test } from 'node:test';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../..', import.meta.url));
const built = process.env.SIGHTLINE_WASM ? dirname(process.env.SIGHTLINE_WASM) : join(root, '.build-wasm/release');
const hasEngine = existsSync(join(built, 'sightline.wasm'));
const folder = mkdtempSync(join(tmpdir(), 'sightline-npm-'));
after(() => rmSync(folder, { recursive: true }));

const run = (/** @type {string} */ program, /** @type {string[]} */ ...words) => execFileSync(program, words, { cwd: folder, encoding: 'utf8' });
const report = JSON.parse(run(join(root, 'Scripts/build-npm'), '--out', folder, ...(hasEngine ? ['--wasm', built] : ['--without-engine'])));
run('tar', 'xzf', report.tarball, '-C', folder);
const unpacked = join(folder, 'package');
const files = readdirSync(unpacked, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile())
  .map((entry) => join(entry.path, entry.name));
const manifest = JSON.parse(readFileSync(join(unpacked, 'package.json'), 'utf8'));

test('every import leads to a file of the package', () => {
  const comments = /\/\*.*?\*\/|(?<![:'"`\w])\/\/[^\n]*/gs;
  let count = 0;
  // The one script has its modules in it.
  for (const file of files.filter((path) => path.endsWith('.js') && path !== join(unpacked, 'sightline.js'))) {
    const text = readFileSync(file, 'utf8').replace(comments, '');
    for (const [, target] of text.matchAll(/(?:\bfrom\s+|\bimport\s*\(?\s*|new URL\(\s*)['"](\.[^'"]*[^'"/])['"]/g)) {
      assert.ok(existsSync(join(dirname(file), target)), `${file}: ${target}`);
      count += 1;
    }
    assert.doesNotMatch(text, /\bfrom\s+['"][^.'"]/, `${file} imports from elsewhere`);
  }
  assert.ok(count > 80, `only ${count} imports were found`);
});

test('what the package exports is there, with its types', () => {
  const targets = Object.values(manifest.exports).flatMap((entry) => (typeof entry === 'string' ? [entry] : Object.values(entry)));
  for (const target of [...targets, ...manifest.sideEffects, manifest.types]) assert.ok(existsSync(join(unpacked, target)), target);
  assert.deepEqual(Object.keys(manifest.exports).filter((name) => !name.includes('.', 1)), ['.', './view', './three', './webgl', './css']);
  assert.equal(manifest.dependencies, undefined);
});

test('pages and tests of the client stay out', () => {
  const names = files.map((file) => file.slice(unpacked.length + 1));
  assert.deepEqual(names.sort().filter((name) => /^(tests|examples|vendor|styles|app\/(ui|stage|net|start))\//.test(name)), [
    'app/net/addresses.js', 'app/net/assets.js', 'app/net/limited.js', 'styles/labels.css',
  ]);
  assert.ok(names.filter((name) => name.startsWith('languages/embed/')).length >= 7);
});

/** Bytes as sent; measured, and some room for words. */
const MOST = {
  'geo, modules': 50_400, 'session, modules': 22_900, 'vision, modules': 20_500, 'surfaces, modules': 27_100, 'world, modules': 64_000,
  'element, modules': 14_300, 'surfaces in the element, modules': 4_500, 'platform, modules': 8_600, 'models, modules': 22_800, 'three.js bridge': 2_000, 'WebGL bridge': 3_500,
  'CSS bridge': 1_000, 'geo, engine': 47_000, 'session, engine': 190_000, 'vision, engine': 293_500, 'surfaces, engine': 144_500,
  'models, engine': 41_200, 'one script': 98_950,
};

test('every part is within its bounds', () => {
  for (const [part, bytes] of Object.entries(report.gzip)) {
    const most = MOST[/** @type {keyof typeof MOST} */ (part)];
    assert.ok(bytes <= most, `${part}: ${bytes} bytes, ${most} at most`);
    assert.ok(bytes > most * 0.8, `${part}: ${bytes} bytes: the bound can be tightened`);
  }
});

test('the one script is a script: no module, no global but its own', () => {
  const text = readFileSync(join(unpacked, 'sightline.js'), 'utf8');
  assert.match(text, /^var Sightline=/);
  assert.doesNotMatch(text, /\bimport\.meta\b|^\s*(?:import|export)\b/m);
});

test('it is installed as npm does, and Node finds what it exports', () => {
  writeFileSync(join(folder, 'package.json'), '{ "name": "page", "private": true, "type": "module" }');
  const hasNPM = (process.env.PATH ?? '').split(':').some((path) => existsSync(join(path, 'npm')));
  if (hasNPM) run('npm', 'install', '--offline', '--no-audit', '--no-fund', report.tarball);
  // Without npm what it does with a package without dependencies.
  else {
    mkdirSync(join(folder, 'node_modules/sightline-ar'), { recursive: true });
    run('tar', 'xzf', report.tarball, '-C', join(folder, 'node_modules/sightline-ar'), '--strip-components=1');
  }
  const found = run('node', '--input-type=module', '-e', `
    for (const part of ['', '/view', '/three', '/webgl', '/css']) console.log(import.meta.resolve ? await import.meta.resolve('sightline-ar' + part) : part);`);
  assert.match(found, /node_modules\/sightline-ar\/embed\/tracker\.js[\s\S]*sightline-view\.js[\s\S]*three-bridge\.js[\s\S]*webgl-bridge\.js[\s\S]*css-bridge\.js/);
});
