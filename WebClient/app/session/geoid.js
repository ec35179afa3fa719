// The geoid's file, once for all sessions of a page.

const FILE = new URL('../../data/egm96.geoid', import.meta.url);
/** @type {Promise<Uint8Array> | null} */
let file = null;

async function load() {
  const answer = await fetch(FILE);
  if (!answer.ok) throw new Error(`${FILE}: status ${answer.status}`);
  return new Uint8Array(await answer.arrayBuffer());
}

/** After a failure the next call tries anew. */
export function geoid() {
  file ??= load();
  file.catch(() => (file = null));
  return file;
}
