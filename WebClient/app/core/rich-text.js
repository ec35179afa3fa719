// A safe few signs in authors' texts: **strong**, *emphasis*, [words](https://…) and bare addresses. Everything becomes nodes by
// `textContent`; nothing of a text is ever read as HTML.

import { h } from './dom.js';

/**
 * Strong, emphasis, link with words, bare link. Each part is bounded, and none may hold its own closing sign, so that the time
 * grows with the text's length only.
 */
const PARTS = /\*\*(?=\S)([^*\n]{1,400})\*\*|(?<![\w*])\*(?=[^\s*])([^*\n]{1,400})\*(?![\w*])|\[([^[\]\n]{1,200})\]\((https?:\/\/[^\s()]{1,2000})\)|(https?:\/\/[^\s<>"']{1,2000})/g;
/** What ends a sentence rather than an address. */
const AFTER_LINK = /[.,;:!?)\]]+$/;

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
    const [, strong, emphasis, words, named, bare] = match;
    if (strong !== undefined) nodes.push(h('strong', {}, strong));
    else if (emphasis !== undefined) nodes.push(h('em', {}, emphasis));
    else if (named !== undefined) nodes.push(link(words, named, follow));
    else {
      const after = AFTER_LINK.exec(bare)?.[0] ?? '';
      const url = bare.slice(0, bare.length - after.length);
      nodes.push(link(url.replace(/^https?:\/\/(www\.)?/, '').replace(/\/$/, ''), url, follow));
      say(after);
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
  return text.replace(PARTS, (_, strong, emphasis, words, __, bare) => strong ?? emphasis ?? words ?? bare);
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
