// The address that opens a position in the phone's own map app, or in a map on the web where there is none.

/**
 * @param {{ latitude: number, longitude: number }} position degrees
 * @param {string} name of the place
 * @param {string} [agent] what the browser says it is
 */
export function mapsAddress({ latitude, longitude }, name, agent = navigator.userAgent) {
  const at = `${latitude.toFixed(6)},${longitude.toFixed(6)}`;
  // RFC 5870; the query with a name in brackets is what Android's apps read.
  if (/Android/i.test(agent)) return `geo:${at}?q=${at}(${encodeURIComponent(name)})`;
  if (/iPhone|iPad|iPod|Macintosh/i.test(agent)) return `https://maps.apple.com/?ll=${at}&q=${encodeURIComponent(name)}`;
  const [y, x] = at.split(',');
  return `https://www.openstreetmap.org/?mlat=${y}&mlon=${x}#map=18/${y}/${x}`;
}
