// What a document is that is no world in Sightline's own form, so that whoever named it knows what became of it.

/** The first characters that say it. */
const HEAD = 4096;
/**
 * Elements that documents begin with, without their prefix.
 * @type {Record<string, string>}
 */
const ROOTS = {
  kml: 'KML', gpx: 'GPX', arml: 'ARML', area: 'area XML', dimension: 'GDDF', gamaray: 'GDDF', osm: 'OpenStreetMap XML', html: 'a page (HTML)', rss: 'RSS', feed: 'Atom', svg: 'SVG',
};

/**
 * @param {string} text
 * @returns {string} what it is called; '' where nobody knows
 */
export function documentKind(text) {
  const head = text.slice(0, HEAD).replace(/^\uFEFF/, '').trimStart();
  if (head.startsWith('PK\u0003\u0004')) return 'KMZ or another archive';
  if (/^[{[]/.test(head)) return jsonKind(text);
  if (/^<!doctype html/i.test(head)) return ROOTS.html;
  const [, name = ''] = /^<(?:[\w.-]{1,40}:)?([\w.-]{1,40})/.exec(rootOf(head)) ?? [];
  return ROOTS[name.toLowerCase()] ?? '';
}

/**
 * What is left where the root element begins.
 * @param {string} head
 */
function rootOf(head) {
  let at = 0;
  for (;;) {
    while (/\s/.test(head[at] ?? '')) at += 1;
    const end = head.startsWith('<!--', at) ? '-->' : head.startsWith('<?', at) ? '?>' : head.startsWith('<!', at) ? '>' : null;
    if (end === null) return head.slice(at);
    const close = head.indexOf(end, at + 2);
    if (close < 0) return '';
    at = close + end.length;
  }
}

/** @param {string} text */
function jsonKind(text) {
  try {
    const { type } = JSON.parse(text) ?? {};
    return ['FeatureCollection', 'Feature', 'GeometryCollection', 'Point', 'LineString', 'Polygon', 'MultiPoint', 'MultiLineString', 'MultiPolygon'].includes(type)
      ? 'GeoJSON' : type === 'Topology' ? 'TopoJSON' : '';
  } catch {
    return '';
  }
}
