// The file of the geoid, which heights over the sea and over the ellipsoid need to agree: fetched once for all sessions of a page.

const FILE = new URL('../../data/egm96.geoid', import.meta.url);
/** @type {Promise<Uint8Array> | null} */
let file = null;

/** The same bytes each time; after a failure the next call tries anew. */
export function geoid() {
  file ??= fetchGeoid().catch((error) => {
    file = null;
    throw error;
  });
  return file;
}

async function fetchGeoid() {
  const answer = await fetch(FILE);
  if (!answer.ok) throw new Error(`${FILE}: status ${answer.status}`);
  return new Uint8Array(await answer.arrayBuffer());
}
