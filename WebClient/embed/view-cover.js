// What covers a view that does not run: the start button with what it is for, or what is wrong and a button to try again; in the language
// of the page, and replaceable by slots.

/**
 * @param {string} tag
 * @param {Record<string, string>} attributes
 * @param {...Node} children
 */
export function make(tag, attributes, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
  element.append(...children);
  return element;
}

export class ViewCover {
  /**
   * The code of what is wrong.
   * @type {string | null}
   */
  fault = null;
  /** @type {Record<string, string>} */
  texts = {};
  #startButton = make('button', { part: 'start', type: 'button' });
  #hint = make('p', { part: 'hint' });
  #againButton = make('button', { part: 'again', type: 'button' });
  #message = make('p', { part: 'error', role: 'alert' });
  #start = make('div', { class: 'cover', part: 'cover' }, make('slot', { name: 'start' }, this.#hint, this.#startButton));
  #error = make('div', { class: 'cover', part: 'cover', hidden: '' }, make('slot', { name: 'error' }, this.#message, this.#againButton));

  /**
   * @param {ShadowRoot} root
   * @param {() => void} start called by a tap
   */
  constructor(root, start) {
    for (const cover of [this.#start, this.#error]) {
      cover.addEventListener('click', start);
      root.append(cover);
    }
  }

  /** Before the words are there, and where they cannot be had. */
  speak() {
    this.#startButton.textContent ||= 'Start';
  }

  /** @param {Record<string, string>} texts */
  say(texts) {
    this.texts = texts;
    const { 'embed.start': start = 'Start', 'embed.hint': hint = '', 'embed.again': again = 'Try again' } = texts;
    this.#startButton.textContent = start;
    this.#hint.textContent = hint;
    this.#againButton.textContent = again;
  }

  /** @param {import('./tracker.js').TrackerState} state */
  show(state) {
    const { fault, texts } = this;
    this.#start.hidden = state !== 'idle' || fault !== null;
    this.#error.hidden = fault === null;
    if (fault !== null) this.#message.textContent = texts[`embed.${fault}`] ?? texts['embed.failed'] ?? PLAIN[fault] ?? PLAIN.failed;
  }
}

/**
 * Where not even the words can be fetched: of most use then is that the server is not there.
 * @type {Record<string, string>}
 */
const PLAIN = {
  insecure: 'This page needs https to use the camera.', network: 'The files cannot be loaded. See whether there is a network, and try again.',
  failed: 'This does not work here.',
};
