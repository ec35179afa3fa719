// The next departures at the stops around: what the server's timetable says, as a world that the page makes.
import '../embed/sightline-view.js';

/** A page on a disk is told where a Sightline server is: `?server=https://…`. One of a server asks that and nobody else. */
const server = location.protocol === 'file:' ? new URLSearchParams(location.search).get('server') ?? '' : '';
const view = /** @type {import('../embed/public').ViewElement} */ (document.querySelector('sightline-view'));
/** @type {{ latitude: number, longitude: number } | null} */
let here = null;
/**
 * Where the demonstration's timetable plays, which is brought to wherever you are.
 * @type {{ lat: number, lon: number } | null}
 */
let center = null;

/**
 * @param {string} path
 * @param {object} [question]
 */
async function ask(path, question) {
  const headers = { 'content-type': 'application/json' };
  const answer = await fetch(`${server}/api/v1/transit/${path}`, question && { method: 'POST', headers, body: JSON.stringify(question) });
  if (!answer.ok) throw new Error(`the server answered ${answer.status}`);
  return answer.json();
}

/**
 * Says what is wrong to whoever looks at the page; what is shown already stays.
 * @param {string} text
 */
function say(text) {
  const note = document.querySelector('#note') ?? view.parentElement?.appendChild(document.createElement('p'));
  if (note) Object.assign(note, { id: 'note', role: 'status', textContent: text, hidden: text === '' });
}

/**
 * @param {string} name
 * @param {any[]} places
 */
const show = (name, places) => (view.world = { dimension: { name, places } });

async function showDepartures() {
  if (!here) return;
  const { latitude, longitude } = center ? { latitude: center.lat, longitude: center.lon } : here;
  const { now, stops } = await ask('stops', { latitude, longitude, departures: 6 });
  show('Departures', stops.map((/** @type {any} */ { id, name, lat, lon, forecast }) => {
    const rows = (forecast?.departures ?? []).map((/** @type {any} */ one) =>
      ({ ...one, minutes: Math.max(0, Math.round((Date.parse(one.expected ?? one.scheduled) - Date.parse(now)) / 60_000)) }));
    const [next] = rows;
    return {
      id, title: name, categories: ['stop'], altitudeMode: 'ground', offset: { east: 0, north: 0, up: 4 },
      position: here && { latitude: here.latitude + lat - latitude, longitude: here.longitude + lon - longitude },
      visual: { kind: 'text', text: next ? `${name}\n${next.line} in ${next.minutes} min` : name },
      summary: rows.map((/** @type {any} */ { line, headsign, minutes }) => `**${line}** ${headsign}: ${minutes} min`).join('\n'),
    };
  }));
}

/** Departures that do not come now may come in half a minute. */
const refresh = () => showDepartures().then(() => say(''), (error) => say(`The departures cannot be had (${error.message}). The page tries again.`));

show('Departures', []);
/** @type {any} */
const providers = await ask('providers').catch((error) => error);
if (providers instanceof Error) say(`This server has no timetables (${providers.message}). Start one with: sightline serve --transit FILE, and give its address: ?server=https://…`);
else if (providers.demonstration) center = providers.center;
view.addEventListener('frame', () => {
  if (here || providers instanceof Error || !view.world?.position) return;
  here = view.world.position;
  void refresh();
  setInterval(refresh, 30_000);
});
