// Every language says everything, in the same terms, and nothing is said that nobody asks for.

import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { test } from 'node:test';

const root = new URL('..', import.meta.url);
const read = (name) => readFileSync(new URL(name, root), 'utf8');
const codes = readdirSync(new URL('languages', root)).map((name) => name.replace(/\.json$/, ''));
const texts = Object.fromEntries(codes.map((code) => [code, JSON.parse(read(`languages/${code}.json`))]));
const english = texts.en;
const PLURAL = /\.(zero|one|two|few|many|other)$/;
const stem = (key) => key.replace(PLURAL, '');
const blanks = (text) => [...text.matchAll(/\{(\w+)\}/g)].map((match) => match[1]).sort();

function sources(folder = 'app') {
  return readdirSync(new URL(folder, root), { withFileTypes: true }).flatMap((entry) =>
    entry.isDirectory()
      ? sources(`${folder}/${entry.name}`)
      : entry.name.endsWith('.js')
      ? [read(`${folder}/${entry.name}`)]
      : []
  );
}

test('there are at least English and Swedish', () => {
  assert.ok(codes.includes('en') && codes.includes('sv'));
});

for (const code of codes) {
  test(`${code}: has every text, and only these`, () => {
    const plain = (table) => Object.keys(table).filter((key) => !PLURAL.test(key)).sort();
    assert.deepEqual(plain(texts[code]), plain(english));
    const stems = (table) => [...new Set(Object.keys(table).filter((key) => PLURAL.test(key)).map(stem))].sort();
    assert.deepEqual(stems(texts[code]), stems(english));
  });

  test(`${code}: has every plural form its language needs`, () => {
    const needed = new Intl.PluralRules(code).resolvedOptions().pluralCategories;
    for (const name of new Set(Object.keys(english).filter((key) => PLURAL.test(key)).map(stem))) {
      for (const form of needed) assert.ok(`${name}.${form}` in texts[code], `${name}.${form} is missing`);
    }
  });

  test(`${code}: fills in the same values as English, and no text is empty`, () => {
    for (const [key, text] of Object.entries(texts[code])) {
      assert.ok(text.trim(), `${key} is empty`);
      const model = english[key] ?? english[`${stem(key)}.other`];
      const expected = blanks(model).filter((name) => name !== 'n');
      assert.deepEqual(blanks(text).filter((name) => name !== 'n'), expected, key);
    }
  });
}

test('every text is used somewhere', () => {
  const all = [...sources(), read('index.html')].join('\n');
  // Keys put together at run time: t(`status.content.${reason}`) uses all that begin like it.
  const families = [...all.matchAll(/`((?:[a-z]+\.)+)\$\{/gi)].map((match) => match[1]);
  const unused = Object.keys(english).filter((key) =>
    !all.includes(`'${stem(key)}'`) && !all.includes(`'${key}'`) && !all.includes(`"${key}"`) &&
    !families.some((family) => key.startsWith(family))
  );
  assert.deepEqual(unused, []);
});

test('every text that is asked for exists', () => {
  const all = sources().join('\n');
  const asked = [
    ...all.matchAll(/\b(?:t|localized|labelled)\((?:[^()'`]|\([^()]*(?:\([^()]*\))?[^()]*\))*?'([a-z]+\.[\w.]+)'/gi),
  ].map((match) => match[1]);
  assert.ok(asked.length > 60, `the search found only ${asked.length}`);
  assert.deepEqual(asked.filter((key) => !(key in english)), []);
  const plurals = [...all.matchAll(/\btn\('([\w.]+)'/g)].map((match) => match[1]);
  assert.ok(plurals.length > 3);
  assert.deepEqual(plurals.filter((name) => !(`${name}.other` in english)), []);
  for (const key of [...read('index.html').matchAll(/data-i18n(?:-label)?="([^"]+)"/g)].map((match) => match[1])) {
    assert.ok(key in english, key);
  }
});
