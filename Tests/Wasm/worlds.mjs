// Worlds for tests: what a document would say, handed to an engine as the page does it.

const NOTHING = { east: 0, north: 0, up: 0 };

/** A place; `more` are its fields as a document has them, and `label` and `compact`, the sizes of its label. */
export function place(latitude, longitude, more = {}) {
  return {
    title: 'Place', position: { latitude, longitude, altitude: 0 }, altitudeMode: 'eye', offset: NOTHING,
    visual: { kind: 'text' }, pivot: 'BC', showInRadar: true, showOnFocus: [], categories: ['some'],
    label: { width: 100, height: 30 }, ...more,
  };
}

export function world(places, more = {}) {
  return {
    radarRange: 1000, radarAvailable: true, refreshIntervalSeconds: 0, refreshDistance: 0, places, overlays: [], ...more,
  };
}

/** Addresses are the numbers that they are written as. */
export const source = (dimension) => ({
  dimension,
  address: (url) => (url === '' ? null : Number(url)),
  label: ({ label, compact }) => ({ label, compact }),
});

/** Answers a request. */
export function load(engine, request, dimension, time) {
  const compiled = engine.compile(request, source(dimension));
  engine.loaded(request, time);
  return compiled;
}
