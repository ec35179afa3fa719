// The stations of a tour, after a team's phone has joined it by its code. Questions are answered in Sightline's own page.
import '../embed/sightline-view.js';

/** A page on a disk is told where a Sightline server is: `?server=https://…`. One of a server asks that and nobody else. */
const server = location.protocol === 'file:' ? new URLSearchParams(location.search).get('server') ?? '' : '';
const view = /** @type {import('../embed/public').ViewElement} */ (document.querySelector('sightline-view'));
const form = /** @type {HTMLFormElement} */ (document.querySelector('form'));
const code = /** @type {HTMLInputElement} */ (form.querySelector('input'));
const fault = /** @type {HTMLElement} */ (form.querySelector('[role=alert]'));

/**
 * @param {any} tour
 * @param {any} state
 */
function show({ title, stations }, state) {
  view.world = {
    dimension: {
      name: title,
      places: stations.map((/** @type {any} */ { id, title, text, position }) => {
        const { state: standing = 'open' } = state.stations[id] ?? {};
        const name = standing === 'open' ? title : `${title} ✓`;
        return {
          id, title: name, summary: text, position, altitudeMode: 'ground', offset: { east: 0, north: 0, up: 2 },
          categories: [standing], visual: { kind: 'text', text: name }, link: `${server}/#/join/${encodeURIComponent(code.value)}`,
        };
      }),
    },
  };
}

form.addEventListener('submit', async (event) => {
  event.preventDefault();
  const headers = { 'content-type': 'application/json' };
  const answer = await fetch(`${server}/api/v1/tour-team/join`, { method: 'POST', headers, body: JSON.stringify({ code: code.value.trim() }) });
  const { secret, content, state, detail } = await answer.json();
  if (!answer.ok) return void (fault.textContent = detail);
  form.hidden = true;
  show(content, state);
  // Stations of the next round, and what the team has answered meanwhile.
  setInterval(async () => {
    const news = await fetch(`${server}/api/v1/tour-team`, { headers: { authorization: `Bearer ${secret}` } });
    if (news.ok) {
      const { content, state } = await news.json();
      show(content, state);
    }
  }, 20_000);
});
code.value = new URLSearchParams(location.search).get('code') ?? '';
