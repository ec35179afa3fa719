// From where an address can be reached, as far as its name tells: for the questions about other websites.

/**
 * Where a host is, as far as its name tells: this very device, a network of one's own, or the internet. Browsers write
 * all forms of an IPv4 address as four numbers, and IPv6 in its shortest form.
 * @param {string} host with or without port
 * @returns {'device' | 'network' | 'public'}
 */
export function reachOf(host) {
  const name = host.replace(/:\d+$/, '').replace(/\.$/, '').toLowerCase();
  if (name.startsWith('[')) return reachOfIPv6(name.slice(1, -1));
  const parts = /^(\d+)\.(\d+)\.(\d+)\.(\d+)$/.exec(name);
  if (parts) return reachOfIPv4(Number(parts[1]), Number(parts[2]));
  if (name === 'localhost' || name.endsWith('.localhost')) return 'device';
  // Names without a dot and these endings are resolved by the local network alone.
  return !name.includes('.') || /\.(local|lan|home|internal|intranet|corp|private|test|home\.arpa|localdomain|fritz\.box)$/.test(name)
    || name === 'fritz.box' ? 'network' : 'public';
}

/** @param {number} a @param {number} b */
function reachOfIPv4(a, b) {
  if (a === 127 || a === 0) return 'device';
  const isPrivate = a === 10 || (a === 172 && b >= 16 && b < 32) || (a === 192 && b === 168) || (a === 169 && b === 254) ||
    (a === 100 && b >= 64 && b < 128) || (a === 198 && (b === 18 || b === 19)) || a >= 224;
  return isPrivate ? 'network' : 'public';
}

/** @param {string} text without brackets */
function reachOfIPv6(text) {
  if (text === '::1' || text === '::') return 'device';
  // An IPv4 address in another coat: mapped, or by the translation prefix; the page's browser writes two groups of hex.
  const inner = /^(?:::ffff:|::ffff:0:|64:ff9b::)([0-9a-f]{1,4}):([0-9a-f]{1,4})$/.exec(text);
  if (inner) return reachOfIPv4(parseInt(inner[1], 16) >> 8, parseInt(inner[1], 16) & 255);
  const first = parseInt(text.split(':')[0] || '0', 16);
  const isPrivate = (first & 0xfe00) === 0xfc00 || (first & 0xffc0) === 0xfe80 || (first & 0xffc0) === 0xfec0 || first === 0 ||
    (first & 0xff00) === 0xff00;
  return isPrivate ? 'network' : 'public';
}
