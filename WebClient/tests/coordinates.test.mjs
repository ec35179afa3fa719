// Coordinates as people write and paste them.

import assert from 'node:assert/strict';
import { test } from 'node:test';

import { readCoordinates } from '../app/core/coordinates.js';

/** @param {string} text @param {[number, number] | null} expected @param {string} [language] */
function reads(text, expected, language) {
  const found = readCoordinates(text, language);
  if (!expected) return assert.equal(found, null, text);
  assert.ok(found, text);
  assert.ok(Math.abs(found.latitude - expected[0]) < 1e-5 && Math.abs(found.longitude - expected[1]) < 1e-5, `${text}: ${JSON.stringify(found)}`);
}

test('decimal degrees, with points or commas, with signs or letters', () => {
  for (const text of [
    '48.4, 9.99', '48.4 9.99', '48.4,9.99', ' 48.4 ; 9.99 ', '48,4 9,99', '48,4; 9,99', '48,4, 9,99', '48.4°, 9.99°', '48.4° N, 9.99° E', 'N48.4 E9.99',
    'n 48.4, e 9.99', '9.99 E 48.4 N', '+48.4 +9.99', '48.4/9.99', '48.4N 9.99E',
  ]) reads(text, [48.4, 9.99]);
  reads('-33.8568, 151.2153', [-33.8568, 151.2153]);
  reads('−33.8568 151.2153', [-33.8568, 151.2153]);
  reads('33.8568 S 151.2153 E', [-33.8568, 151.2153]);
  reads('40.7 N, 74 W', [40.7, -74]);
  reads('48, 9', [48, 9]);
  reads('0,0', [0, 0]);
});

test('degrees with minutes and seconds', () => {
  const minster = /** @type {[number, number]} */ ([48 + 23 / 60 + 54.3 / 3600, 9 + 59 / 60 + 29 / 3600]);
  for (const text of [
    `48°23'54.3"N 9°59'29"E`, `48° 23′ 54.3″ N, 9° 59′ 29″ E`, `N 48° 23' 54.3" E 9° 59' 29"`, `48°23’54.3”N 9°59’29”E`, `48°23'54.3''N 9°59'29''E`,
    `48 23 54.3 N 9 59 29 E`, `48°23'54.3", 9°59'29"`, `48º23'54.3"N, 9º59'29"E`,
  ]) reads(text, minster);
  reads(`48° 23.905' N 9° 59.4833' E`, [48 + 23.905 / 60, 9 + 59.4833 / 60]);
  reads(`33°51'24"S 151°12'55"E`, [-33.856667, 151.215278]);
});

test('a letter may mean another direction in another language', () => {
  reads('48,4 N 9,99 O', [48.4, 9.99], 'de');
  reads('48,4 N 4,5 O', [48.4, -4.5], 'fr');
  reads('4 Z 9 O', [-4, 9], 'nl');
  reads('59,3 N 18,1 Ö', [59.3, 18.1], 'sv');
  reads('北48.4 东9.99', [48.4, 9.99], 'zh');
  reads('48.4 N 9.99 O', null, 'en');
});

test('geo: addresses and links of maps', () => {
  reads('geo:48.4,9.99', [48.4, 9.99]);
  reads('geo:48.4,9.99,470;u=35', [48.4, 9.99]);
  reads('geo:0,0?q=48.4,9.99(Minster)', [48.4, 9.99]);
  reads('geo:48.4,9.99?z=17', [48.4, 9.99]);
  reads('https://www.openstreetmap.org/#map=17/48.39841/9.99163', [48.39841, 9.99163]);
  reads('https://www.openstreetmap.org/?mlat=48.4&mlon=9.99#map=12/50/8', [48.4, 9.99]);
  reads('https://www.google.com/maps/@48.39841,9.99163,17z', [48.39841, 9.99163]);
  reads('https://www.google.com/maps/place/Ulm/@48.3,9.9,13z/data=!3m1!4b1!4m5!3m4!1s0x0:0x0!8m2!3d48.4!4d-9.99', [48.4, -9.99]);
  reads('https://maps.google.com/?q=48.4,9.99', [48.4, 9.99]);
  reads('https://www.google.com/maps/search/?api=1&query=48.4%2C9.99', [48.4, 9.99]);
  reads('https://maps.apple.com/?ll=48.4,9.99&q=Minster', [48.4, 9.99]);
  reads('https://www.bing.com/maps?cp=48.4~9.99&lvl=16', [48.4, 9.99]);
  reads('https://ar.example.org/#/world/ulm?lat=48.4&lon=9.99', [48.4, 9.99]);
});

test('what is no coordinate, or not certainly one, is none', () => {
  for (const text of [
    '', '   ', 'Ulm', 'Münsterplatz 1', '48', '48.4', '91, 9', '48, 181', '1 2 3', '0731 16 17 00 12 13', '48.4 N 9.99 N', '48 61 0 N 9 0 0 E', '48.4, 9.99, 470',
    'geo:ulm', 'geo:91,0', 'https://example.org/', 'https://example.org/48.4,9.99', 'javascript:48,9', 'E 12', '48.4 9.99 Ulm', '-48 N 9 E', `${'9'.repeat(3000)}, 1`, '--4, 5',
    '48.4.1, 9.9', '%', 'http://[', 'geo:%,%',
  ]) reads(text, null);
});
