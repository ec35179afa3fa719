// Every language says everything, in the same terms, and nothing is said that nobody asks for: the texts of every visit
// (languages/CODE.json) and those of each area (languages/AREA/CODE.json).

import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { test } from 'node:test';

const root = new URL('..', import.meta.url);
const read = (name) => readFileSync(new URL(name, root), 'utf8');
const LANGUAGES = ['de', 'en', 'es', 'fr', 'nl', 'sv', 'zh'];
const PLURAL = /\.(zero|one|two|few|many|other)$/;
const stem = (key) => key.replace(PLURAL, '');
const blanks = (text) => [...text.matchAll(/\{(\w+)\}/g)].map((match) => match[1]).sort();

const entries = readdirSync(new URL('languages', root), { withFileTypes: true });
const areas = entries.filter((entry) => entry.isDirectory()).map((entry) => entry.name);

/** Files of texts: `area` is '' for those of every visit. */
const tables = ['', ...areas].map((area) => {
  const folder = area ? `languages/${area}` : 'languages';
  const codes = readdirSync(new URL(folder, root)).filter((name) => name.endsWith('.json'))
    .map((name) => name.replace(/\.json$/, ''));
  const texts = Object.fromEntries(codes.map((code) => [code, JSON.parse(read(`${folder}/${code}.json`))]));
  return { area, codes, texts, name: (code) => `${folder}/${code}.json` };
});
const english = Object.assign({}, ...tables.map(({ texts }) => texts.en));

function sources(folder = 'app') {
  return readdirSync(new URL(folder, root), { withFileTypes: true }).flatMap((entry) =>
    entry.isDirectory()
      ? sources(`${folder}/${entry.name}`)
      : entry.name.endsWith('.js')
      ? [read(`${folder}/${entry.name}`)]
      : []
  );
}

for (const { area, codes, texts, name } of tables) {
  test(`${area || 'every visit'}: is there in all languages`, () => {
    for (const code of LANGUAGES) assert.ok(codes.includes(code), `${name(code)} is missing`);
  });

  if (area) {
    test(`${area}: keys begin with the name of their area, so that two areas never meet`, () => {
      assert.deepEqual(Object.keys(texts.en).filter((key) => !key.startsWith(`${area}.`)), []);
    });
  }

  for (const code of codes) {
    test(`${name(code)}: has every text, and only these`, () => {
      const plain = (table) => Object.keys(table).filter((key) => !PLURAL.test(key)).sort();
      assert.deepEqual(plain(texts[code]), plain(texts.en));
      const stems = (table) => [...new Set(Object.keys(table).filter((key) => PLURAL.test(key)).map(stem))].sort();
      assert.deepEqual(stems(texts[code]), stems(texts.en));
    });

    test(`${name(code)}: has every plural form its language needs, and no other`, () => {
      const needed = new Intl.PluralRules(code).resolvedOptions().pluralCategories;
      for (const plural of new Set(Object.keys(texts.en).filter((key) => PLURAL.test(key)).map(stem))) {
        for (const form of needed) assert.ok(`${plural}.${form}` in texts[code], `${plural}.${form} is missing`);
      }
      const odd = Object.keys(texts[code]).filter((key) => PLURAL.test(key) && !needed.includes(key.match(PLURAL)[1]));
      assert.deepEqual(odd, []);
    });

    test(`${name(code)}: fills in the same values as English, and no text is empty`, () => {
      for (const [key, text] of Object.entries(texts[code])) {
        assert.ok(text.trim(), `${key} is empty`);
        const model = texts.en[key] ?? texts.en[`${stem(key)}.other`];
        const expected = blanks(model).filter((blank) => blank !== 'n');
        assert.deepEqual(blanks(text).filter((blank) => blank !== 'n'), expected, key);
      }
    });

    test(`${name(code)}: is not English that somebody forgot to translate`, () => {
      if (code === 'en') return;
      // Sentences, that is texts with several words beside what is filled in, are the same in no two languages.
      const words = (text) => text.replace(/\{\w+\}|https?:\S+/g, '').split(/[^\p{L}]+/u).filter((word) => word.length > 1);
      const same = Object.keys(texts.en).filter((key) => words(texts.en[key]).length > 2 && texts[code][key] === texts.en[key]);
      assert.deepEqual(same.filter((key) => !/\.(credits|addressPlaceholder)$/.test(key)), []);
    });
  }
}

test('every text is used somewhere', () => {
  const all = [...sources(), ...sources('embed'), read('index.html')].join('\n');
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

test('every area that is loaded has its texts, and every area with texts is loaded', () => {
  // The element for other pages has a loader of its own, which leaves the page's language alone.
  const loaded = [...[...sources(), ...sources('embed')].join('\n').matchAll(/\bloadTexts\('(\w+)'\)|\blanguages\/(\w+)\/\$\{/g)].map((match) => match[1] ?? match[2]);
  assert.deepEqual([...new Set(loaded)].sort(), [...areas].sort());
});
