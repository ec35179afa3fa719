// What this server has been set up with.

import { getJSON } from './request.js';

/** @typedef {import('../types').ServerSettings} ServerSettings */

/** @type {Promise<ServerSettings> | null} */
let settings = null;

/** Fetched once; without an answer there are no tiles and everything else works. */
export function fetchSettings() {
  settings ??= getJSON('/api/v1/settings').catch(() => {
    settings = null;
    return { tiles: null };
  });
  return settings;
}
