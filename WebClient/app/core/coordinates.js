// Coordinates out of what people type or paste: decimal degrees, degrees with minutes and seconds, `geo:` addresses and links of maps.

/** @typedef {{ latitude: number, longitude: number }} Point */

const NUMBER = String.raw`[-+]?\d{1,3}(?:\.\d+)?`;
const PAIR = new RegExp(`^(${NUMBER}),(${NUMBER})(?:$|[^\\d.])`);
/** Where maps on the web have the middle of what they show, in the order in which they are believed. */
const PARAMETERS = ['q', 'query', 'll', 'destination', 'daddr', 'sll', 'center', 'at', 'cp', 'coordinate'];
/** Longer texts are no coordinates, and are not looked through. */
const LONGEST = 2000;

/**
 * @param {number} latitude degrees
 * @param {number} longitude degrees
 * @returns {Point | null} null for what is nowhere on Earth
 */
function point(latitude, longitude) {
  return Math.abs(latitude) <= 90 && Math.abs(longitude) <= 180 ? { latitude, longitude } : null;
}

/** @param {string | null | undefined} text @returns {Point | null} `48.4,9.99` at its beginning, without blanks */
function pair(text) {
  const found = PAIR.exec((text ?? '').trim().replace(/^loc:/, '').replace('~', ',').replace(/,\s+/, ','));
  return found && point(Number(found[1]), Number(found[2]));
}

/** @param {string} text @returns {Point | null} */
function fromLink(text) {
  if (/^geo:/i.test(text)) {
    const rest = text.slice(4);
    const asked = /[?&]q=([^&]*)/i.exec(rest);
    // `geo:0,0?q=48.4,9.99(Minster)` means what is asked for.
    return (asked && pair(decode(asked[1]))) ?? pair(rest.split(/[?;]/)[0]);
  }
  if (!/^(https?:\/\/|www\.|maps\.)/i.test(text)) return null;
  let url;
  try {
    url = new URL(/^https?:/i.test(text) ? text : `https://${text}`);
  } catch {
    return null;
  }
  const inside = decode(url.pathname + url.hash);
  // The place of a link counts more than the middle of its map.
  const place = /!3d(-?\d+(?:\.\d+)?)!4d(-?\d+(?:\.\d+)?)/.exec(inside + url.search);
  if (place) return point(Number(place[1]), Number(place[2]));
  const fields = [url.searchParams, new URLSearchParams(url.hash.includes('?') ? url.hash.slice(url.hash.indexOf('?') + 1) : '')];
  for (const values of fields) {
    for (const [one, other] of [['mlat', 'mlon'], ['lat', 'lon'], ['lat', 'lng'], ['latitude', 'longitude']]) {
      const [latitude, longitude] = [values.get(one), values.get(other)];
      if (latitude && longitude && isFinite(Number(latitude)) && isFinite(Number(longitude))) return point(Number(latitude), Number(longitude));
    }
    for (const name of PARAMETERS) {
      const found = pair(values.get(name));
      if (found) return found;
    }
  }
  const middle = /@(-?\d+(?:\.\d+)?),(-?\d+(?:\.\d+)?)/.exec(inside) ?? /#(?:map=)?[\d.]+\/(-?\d+(?:\.\d+)?)\/(-?\d+(?:\.\d+)?)/.exec(inside);
  return middle && point(Number(middle[1]), Number(middle[2]));
}

/** @param {string} text */
function decode(text) {
  try {
    return decodeURIComponent(text.replace(/\+/g, ' '));
  } catch {
    return text;
  }
}

/** Letters of directions: those of all languages, and the ones that mean east here and west there. */
const COMMON = { N: 'N', S: 'S', E: 'E', W: 'W' };
/** @type {Record<string, Record<string, string>>} */
const OWN = {
  de: { O: 'E' }, nl: { O: 'E', Z: 'S' }, fr: { O: 'W' }, es: { O: 'W' }, sv: { Ö: 'E', Ø: 'E', V: 'W' },
  zh: { 北: 'N', 南: 'S', 东: 'E', 東: 'E', 西: 'W' },
};

/**
 * @param {string} text
 * @param {string} [language] decides what O is: Ost, or ouest
 * @returns {Point | null} null when it is none, or not certainly
 */
export function readCoordinates(text, language = 'en') {
  const given = text.trim();
  if (!given || given.length > LONGEST) return null;
  const link = fromLink(given);
  if (link || /:\/\/|^geo:/i.test(given)) return link;
  const letters = { ...COMMON, ...OWN[language.slice(0, 2)] };
  let plain = given.toUpperCase()
    .replace(/[−–]/g, '-').replace(/[′‘’´`]/g, "'").replace(/[″“”„]|''/g, '"').replace(/[º˚]/g, '°').replace(/[，、]/g, ',').replace(/；/g, ';');
  // 48,4 9,99 and 48,4; 9,99: a comma without a blank, twice, is that of a fraction.
  if (!plain.includes('.') && (plain.match(/\d,\d/g) ?? []).length === 2 && !/\d,\d+,\d/.test(plain)) plain = plain.replace(/(\d),(?=\d)/g, '$1.');
  const pattern = new RegExp(`[${Object.keys(letters).join('')}]|[-+]?\\d+(?:\\.\\d+)?|[°'"]|[,;/]`, 'g');
  if (plain.replace(pattern, '').trim()) return null;
  return fromTokens(plain.match(pattern) ?? [], letters);
}

/**
 * @param {string[]} tokens numbers, signs of units, letters of directions, and what parts them
 * @param {Record<string, string>} letters
 */
function fromTokens(tokens, letters) {
  /** @type {{ numbers: string[], letter: string }[]} */
  let angles = [];
  const hasLetters = tokens.some((token) => letters[token]);
  if (hasLetters) {
    const isBefore = Boolean(letters[tokens[0]]);
    let open = { numbers: /** @type {string[]} */ ([]), letter: '' };
    for (const token of tokens) {
      if (letters[token]) {
        if (isBefore && (open.letter || open.numbers.length)) {
          angles.push(open);
          open = { numbers: [], letter: '' };
        }
        open.letter = letters[token];
        if (!isBefore) {
          angles.push(open);
          open = { numbers: [], letter: '' };
        }
      } else if (/\d/.test(token)) open.numbers.push(token);
    }
    if (open.numbers.length || open.letter) angles.push(open);
  } else {
    const parted = tokens.findIndex((token) => /[,;/]/.test(token));
    const numbers = (/** @type {string[]} */ part) => part.filter((token) => /\d/.test(token));
    const all = numbers(tokens);
    if (tokens.filter((token) => /[,;/]/.test(token)).length > 1) return null;
    const first = parted >= 0 ? numbers(tokens.slice(0, parted)) : all.slice(0, all.length / 2);
    angles = [{ numbers: first, letter: '' }, { numbers: all.slice(first.length), letter: '' }];
    // Without a comma or degree signs, six numbers are more likely a telephone's.
    if (parted < 0 && all.length > 2 && !tokens.includes('°')) return null;
    if (all.length % 2 && parted < 0) return null;
  }
  if (angles.length !== 2) return null;
  const isSwapped = /[EW]/.test(angles[0].letter);
  if (hasLetters && !(isSwapped ? /[NS]/.test(angles[1].letter) : /[NS]/.test(angles[0].letter) && /[EW]/.test(angles[1].letter))) return null;
  const [latitude, longitude] = (isSwapped ? [angles[1], angles[0]] : angles).map(degrees);
  return latitude === null || longitude === null ? null : point(latitude, longitude);
}

/** @param {{ numbers: string[], letter: string }} angle @returns {number | null} */
function degrees({ numbers, letter }) {
  if (numbers.length < 1 || numbers.length > 3) return null;
  const [whole, minutes = 0, seconds = 0] = numbers.map(Number);
  // Only the last of several has a fraction, and only the first a sign.
  if (numbers.slice(0, -1).some((text) => text.includes('.')) || numbers.slice(1).some((text) => /[-+]/.test(text))) return null;
  if (minutes >= 60 || seconds >= 60 || (letter && /[-+]/.test(numbers[0]))) return null;
  const size = Math.abs(whole) + minutes / 60 + seconds / 3600;
  return numbers[0].startsWith('-') || letter === 'S' || letter === 'W' ? -size : size;
}
