// The texts as the page uses them: choice of language, areas loaded by need, plural and number forms.

import assert from 'node:assert/strict';
import { before, beforeEach, test } from 'node:test';

const files = {
  'en.json': { 'app.name': 'Name', 'places.one': '{n} place', 'places.other': '{n} places' },
  'sv.json': { 'app.name': 'Namn', 'places.one': '{n} plats', 'places.other': '{n} platser' },
  'fr.json': { 'app.name': 'Nom', 'places.one': '{n} lieu', 'places.many': '{n} de lieux', 'places.other': '{n} lieux' },
  'zh.json': { 'app.name': '名称', 'places.other': '{n} 个地点' },
  'tours/en.json': { 'tours.start': 'Start', 'tours.only': 'English only', 'tours.left.one': '{n} station of {of}', 'tours.left.other': '{n} stations of {of}' },
  'tours/sv.json': { 'tours.start': 'Börja', 'tours.left.one': '{n} station av {of}', 'tours.left.other': '{n} stationer av {of}' },
};
/** @type {string[]} */
let asked = [];
let hold = null;

before(() => {
  Object.defineProperty(globalThis, 'navigator', { value: { languages: ['sv-SE', 'en'] }, configurable: true });
  globalThis.document = { documentElement: {}, querySelectorAll: () => [] };
  globalThis.fetch = async (url) => {
    const name = String(url).split('/languages/')[1];
    asked.push(name);
    if (hold) await hold;
    return name in files ? { ok: true, json: async () => files[name] } : { ok: false, status: 404 };
  };
});

let texts;
let count = 0;
beforeEach(async () => {
  asked = [];
  hold = null;
  // A fresh module each time: it holds the language in use. (What was chosen is remembered by another one.)
  texts = await import(`../app/core/i18n.js?${++count}`);
});

test('the first language of the browser that exists is taken, whatever its region', async () => {
  await texts.startLanguage();
  assert.equal(texts.language(), 'sv');
  assert.equal(texts.t('app.name'), 'Namn');
});

test('the seven languages are offered under their own names', () => {
  assert.deepEqual(texts.languages().map(({ code }) => code), ['en', 'sv', 'fr', 'de', 'nl', 'es', 'zh']);
  assert.deepEqual(texts.languages().map(({ name }) => name), [
    'English',
    'Svenska',
    'Français',
    'Deutsch',
    'Nederlands',
    'Español',
    '中文',
  ]);
});

test('an area speaks once it is loaded, in the language in use, and English where that says nothing', async () => {
  await texts.startLanguage();
  assert.equal(texts.t('tours.start'), 'tours.start');
  await texts.loadTexts('tours');
  assert.equal(texts.t('tours.start'), 'Börja');
  assert.equal(texts.t('tours.only'), 'English only');
  assert.equal(texts.t('app.name'), 'Namn');
});

test('an area is fetched once, and again in each language that is chosen later', async () => {
  await texts.startLanguage();
  await Promise.all([texts.loadTexts('tours'), texts.loadTexts('tours')]);
  await texts.loadTexts('tours');
  assert.equal(asked.filter((name) => name === 'tours/sv.json').length, 1);
  await texts.useLanguage('en');
  assert.equal(texts.t('tours.start'), 'Start');
  await texts.useLanguage('fr');
  assert.equal(texts.t('app.name'), 'Nom');
  assert.equal(texts.t('tours.start'), 'Start');
  await texts.useLanguage('sv');
  assert.equal(texts.t('tours.start'), 'Börja');
});

test('a language chosen while an area loads is the one it speaks', async () => {
  await texts.startLanguage();
  let open = () => {};
  hold = new Promise((resolve) => (open = resolve));
  const loading = texts.loadTexts('tours');
  const choosing = texts.useLanguage('en');
  open();
  await Promise.all([loading, choosing]);
  assert.equal(texts.t('tours.start'), 'Start');
  assert.equal(texts.t('app.name'), 'Name');
});

test('an area that cannot be had says so, and may be asked for again', async () => {
  await texts.startLanguage();
  await assert.rejects(texts.loadTexts('posters'), /posters\/en\.json: 404/);
  files['posters/en.json'] = { 'posters.title': 'Posters' };
  await texts.loadTexts('posters');
  delete files['posters/en.json'];
  assert.equal(texts.t('posters.title'), 'Posters');
});

test('numbers and plural forms follow the language, in areas too', async () => {
  await texts.startLanguage();
  await texts.useLanguage('sv');
  await texts.loadTexts('tours');
  assert.equal(texts.tn('places', 1), '1 plats');
  assert.equal(texts.tn('places', 12345), '12\u00a0345 platser');
  assert.equal(texts.tn('tours.left', 1, { of: 7 }), '1 station av 7');
  await texts.useLanguage('fr');
  assert.equal(texts.tn('places', 0), '0 lieu');
  assert.equal(texts.tn('places', 2), '2 lieux');
  assert.equal(texts.tn('places', 1000000), '1\u202f000\u202f000 de lieux');
  assert.equal(texts.tn('tours.left', 2, { of: 7 }), '2 stations of 7');
  await texts.useLanguage('zh');
  assert.equal(texts.tn('places', 1), '1 个地点');
});

test('a text that is too wide on a canvas is its beginning and an ellipsis, and never wider than the room', async () => {
  const { shortened } = await import('../app/core/canvas.js');
  const c = { measureText: (/** @type {string} */ text) => ({ width: 10 * [...text].length }) };
  assert.equal(shortened(c, 'Minster', 70), 'Minster');
  assert.equal(shortened(c, 'Minster', 69), 'Minst…');
  assert.equal(shortened(c, 'Minster', 25), 'M…');
  assert.equal(shortened(c, 'Minster', 3), '…');
  // Signs of two code units stay whole.
  assert.equal(shortened(c, '🏛🏛🏛', 20), '🏛…');
});
