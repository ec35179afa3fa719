// The account's pages: the security log's words, what belongs to an account, and who is told when the session changes.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { before, beforeEach, test } from 'node:test';

const root = new URL('..', import.meta.url);
const read = (path) => readFileSync(new URL(path, root), 'utf8');
/** What the server answers, by method and path. */
let answers = {};
/** @type {[string, string, any][]} */
let asked = [];

before(async () => {
  Object.defineProperty(globalThis, 'navigator', { value: { languages: ['en'] }, configurable: true });
  globalThis.document = { documentElement: {}, querySelectorAll: () => [] };
  globalThis.fetch = async (url, options = {}) => {
    const file = String(url).split('/languages/')[1];
    if (file) return { ok: true, status: 200, json: async () => JSON.parse(read(`languages/${file}`)) };
    const method = options.method ?? 'GET';
    asked.push([method, String(url), options]);
    const [status, body] = answers[`${method} ${url}`] ?? [404, { code: 'none' }];
    return { ok: status < 300, status, statusText: '', json: async () => body };
  };
  const { loadTexts, startLanguage } = await import('../app/core/i18n.js');
  await startLanguage();
  await loadTexts('accounts');
});
beforeEach(() => {
  answers = {};
  asked = [];
});

const event = (kind, more = {}) => ({ id: 1, time: '2026-11-23T10:00:00Z', kind, device: '', network: '', ...more });

test('every kind of event that the server notes has words in every language', () => {
  const source = read('../Sources/Service/SightlineStore/Accounts/SecurityEvent.swift');
  const kinds = [...source.matchAll(/^ {4}case \w+ = "([a-z-]+)"/gm)].map((match) => match[1]);
  assert.ok(kinds.length > 15);
  for (const language of ['en', 'de', 'es', 'fr', 'nl', 'sv', 'zh']) {
    const texts = JSON.parse(read(`languages/accounts/${language}.json`));
    const known = Object.keys(texts).filter((key) => key.startsWith('accounts.event.')).map((key) => key.slice('accounts.event.'.length));
    assert.deepEqual(known.sort(), [...kinds].sort(), language);
  }
});

test('attempts that the server counts as failed are marked', async () => {
  const { isFailure } = await import('../app/accounts/event-words.js');
  const source = read('../Sources/Service/SightlineStore/Accounts/SecurityEvent.swift');
  const names = Object.fromEntries([...source.matchAll(/case (\w+) = "([a-z-]+)"/g)].map(([, name, kind]) => [name, kind]));
  const failures = [...source.match(/isFailure: Bool \{([^}]*)\}/)[1].matchAll(/\.(\w+)/g)].map((match) => names[match[1]]);
  assert.ok(failures.length > 0);
  for (const kind of Object.values(names)) assert.equal(isFailure(event(kind)), failures.includes(kind), kind);
});

test('a line of the log says what, and the detail in words', async () => {
  const { eventWords } = await import('../app/accounts/event-words.js');
  assert.equal(eventWords(event('signed-in')), 'Signed in');
  assert.equal(eventWords(event('role-changed', { detail: 'operator' })), 'The role was changed (Operator)');
  assert.equal(eventWords(event('sessions-revoked', { detail: '3' })), 'Sessions were ended (3)');
  const nameOf = (id) => id === 5 ? 'petra' : undefined;
  assert.equal(eventWords(event('account-deleted', { detail: 'to 5' }), nameOf), 'The account was deleted (handed to petra)');
  assert.equal(eventWords(event('account-deleted', { detail: 'to 6' }), nameOf), 'The account was deleted (handed to Account 6 (deleted))');
  assert.equal(eventWords(event('of-tomorrow')), 'of-tomorrow');
});

test('people are named where it does not go without saying', async () => {
  const { peopleWords } = await import('../app/accounts/event-words.js');
  const line = event('account-closed', { account: { id: 2, name: 'inga' }, actor: { id: 3, name: 'orm' } });
  assert.equal(peopleWords(line, true), 'inga · by orm');
  assert.equal(peopleWords(line, false), 'by orm');
  assert.equal(peopleWords(event('signed-in', { account: { id: 9 } }), true), 'Account 9 (deleted)');
  assert.equal(peopleWords(event('sign-in-failed'), true), '');
});

test('devices are named, also those that say nothing, and the server itself', async () => {
  const { originWords } = await import('../app/accounts/origin-words.js');
  assert.equal(originWords({ device: 'Firefox/Android', network: '192.0.2.0/24' }), 'Firefox, Android · network 192.0.2.0/24');
  assert.equal(originWords({ device: '', network: '' }), 'Unknown device');
  assert.equal(originWords({ device: 'sightline', network: '' }), 'The server’s command line');
});

test('what belongs to an account is counted, and what is not there is not named', async () => {
  const { belongingsWords, isEmpty } = await import('../app/accounts/belongings.js');
  const none = { worlds: [], posters: [], tours: [], publishedWorlds: 0, runs: 0, files: 0, bytes: 0, sharedWorlds: 2 };
  assert.ok(isEmpty(none));
  assert.deepEqual(belongingsWords(none), []);
  const worlds = [{ id: 'a', title: 'A' }, { id: 'b', title: 'B' }];
  const found = belongingsWords({ ...none, worlds, publishedWorlds: 1, tours: [{ id: 't', title: 'T' }], runs: 1, files: 3, bytes: 2_500_000 });
  assert.deepEqual(found.map(({ words }) => words), [
    '2 worlds, 1 published', '1 tour', '1 run of a tour, with its teams and answers', '3 files, 2.5 MB',
  ]);
  assert.equal(found[0].things, worlds);
});

test('the file of recovery codes has a code a line', async () => {
  const { codesFile } = await import('../app/accounts/recovery-codes.js');
  assert.equal(codesFile(['A-B', 'C-D'], { heading: 'Codes', note: 'Once.' }), 'Codes\nOnce.\n\nA-B\nC-D\n');
});

test('listeners hear of a second factor that comes, and who lacks a required one may not work', async () => {
  const api = await import('../app/accounts/account-api.js?1');
  const account = { id: 1, name: 'a', role: 'operator', active: true, secondFactor: false };
  let heard = 0;
  api.onSession(() => heard += 1, new AbortController().signal);
  const become = async (answer) => {
    answers['GET /api/v1/session'] = [200, answer];
    await api.refreshSession();
  };
  await become({ account, csrf: 'x', needsSecondFactor: true });
  assert.equal(heard, 1);
  assert.equal(api.activeAccount(), null);
  await become({ account: { ...account, secondFactor: true }, csrf: 'x', needsSecondFactor: false, recoveryCodes: 10 });
  assert.equal(heard, 2);
  assert.equal(api.activeAccount().id, 1);
  // Fewer codes are no other standing: a page that shows something is not made anew for it.
  await become({ account: { ...account, secondFactor: true }, csrf: 'x', needsSecondFactor: false, recoveryCodes: 9 });
  assert.equal(heard, 2);
  assert.equal(api.session().recoveryCodes, 9);
});

test('a server that begins to ask for a second factor is believed, and so is one that has ended the session', async () => {
  const api = await import('../app/accounts/account-api.js?2');
  answers['GET /api/v1/session'] = [200, { account: { id: 1, secondFactor: false }, csrf: 'x', needsSecondFactor: false }];
  await api.refreshSession();
  assert.ok(api.activeAccount());
  answers['GET /api/v1/sessions'] = [403, { code: 'account.second-factor-missing', detail: 'Set one up.' }];
  await assert.rejects(api.send('GET', '/api/v1/sessions'), { code: 'account.second-factor-missing', message: 'Set one up.' });
  assert.equal(api.activeAccount(), null);
  assert.equal(api.session().account.id, 1);
  answers['GET /api/v1/sessions'] = [401, { code: 'account.required', detail: 'Sign in.' }];
  await assert.rejects(api.send('GET', '/api/v1/sessions'));
  assert.equal(api.session().account, null);
});

test('a page of the log is asked for by whose it is and where the last one ended', async () => {
  const { readLog } = await import('../app/accounts/own-api.js');
  answers = new Proxy({}, { get: () => [200, { events: [], next: null }] });
  await readLog({ whose: 'all', before: null });
  await readLog({ whose: 'own', before: 40 });
  await readLog({ whose: '7', before: null });
  assert.deepEqual(asked.map(([, url]) => url.split('?')[1]), ['limit=30', 'limit=30&own=1&before=40', 'limit=30&account=7']);
});
