// A safe few signs in authors' texts: **strong**, *emphasis*, [words](https://…) and bare addresses. Everything becomes nodes by
// `textContent`; nothing of a text is ever read as HTML.

import { h } from './dom.js';

/**
 * Strong, emphasis after what came before it, link with words, bare link. Each part is bounded, and none may hold its own closing sign, so
 * that the time grows with the text's length only. Without looking back, which older phones' browsers do not read.
 */
const PARTS = /\*\*(?=\S)([^*\n]{1,400})\*\*|(^|[^\w*])\*(?=[^\s*])([^*\n]{1,400})\*(?![\w*])|\[([^[\]\n]{1,200})\]\((https?:\/\/[^\s()]{1,2000})\)|(https?:\/\/[^\s<>"']{1,2000})/g;
/** What ends a sentence rather than an address. */
const AFTER_LINK = '.,;:!?)]';

/**
 * @param {string} address
 * @returns {number} how much of it is the address
 */
function lengthOfLink(address) {
  let end = address.length;
  while (end > 0 && AFTER_LINK.includes(address[end - 1])) end -= 1;
  return end;
}

/**
 * @param {string} text
 * @param {(url: string) => void} follow called in place of the browser's own way to a link
 * @returns {Node[]}
 */
export function richText(text, follow) {
  /** @type {Node[]} */
  const nodes = [];
  let end = 0;
  const say = (/** @type {string} */ words) => words && nodes.push(document.createTextNode(words));
  for (const match of text.matchAll(PARTS)) {
    say(text.slice(end, match.index));
    end = (match.index ?? 0) + match[0].length;
    const [, strong, before, emphasis, words, named, bare] = match;
    if (strong !== undefined) nodes.push(h('strong', {}, strong));
    else if (emphasis !== undefined) {
      say(before);
      nodes.push(h('em', {}, emphasis));
    }
    else if (named !== undefined) nodes.push(link(words, named, follow));
    else {
      const url = bare.slice(0, lengthOfLink(bare));
      nodes.push(link(url.replace(/^https?:\/\/(www\.)?/, '').replace(/\/$/, ''), url, follow));
      say(bare.slice(url.length));
    }
  }
  say(text.slice(end));
  return nodes;
}

/**
 * The same text without its signs: for rows and labels of one line.
 * @param {string} text
 */
export function plainText(text) {
  return text.replace(PARTS, (_, strong, before, emphasis, words, __, bare) => strong ?? (emphasis === undefined ? words ?? bare : before + emphasis));
}

/**
 * @param {string} words
 * @param {string} url
 * @param {(url: string) => void} follow
 */
function link(words, url, follow) {
  return h('a', {
    href: url, target: '_blank', rel: 'noopener noreferrer', class: 'text-link',
    onclick: (/** @type {Event} */ event) => {
      event.preventDefault();
      follow(url);
    },
  }, words);
}
