// What a world lets hear, on the screen: a button for the world's own sound, and while anything plays what it is, with stop and mute.

import { h, icon, setIcon, setText } from '../core/dom.js';
import { labelled, onLanguage, t } from '../core/i18n.js';
import { SoundPlayer } from './player.js';

/**
 * @typedef {import('../session/session.js').Session} Session
 * @typedef {import('../types').Place} Place
 */

export class WorldSounds {
  /**
   * @param {Session} session
   * @param {Node} stage
   * @param {(text: string) => void} fail says what cannot be played
   */
  constructor(session, stage, fail) {
    this.session = session;
    this.player = new SoundPlayer(session.closed);
    this.words = h('span', { class: 'sound-words' });
    this.symbol = icon('sound');
    this.main = h('button', { type: 'button', class: 'sound-main', id: 'sound-play', onclick: () => this.#press() }, this.symbol, this.words);
    this.mute = h('button', { type: 'button', class: 'round small plain', id: 'sound-mute', onclick: () => this.player.mute(!this.player.isMuted) }, icon('mute'));
    this.element = h('div', { class: 'sound-pill glass', id: 'sound', 'data-occupies': '', hidden: true }, this.main, this.mute);
    stage.appendChild(this.element);
    this.player.on('changed', () => this.#show());
    this.player.on('failed', ({ name }) => fail(t('sound.failed', { name })));
    session.on('world', () => {
      // What is heard belongs to what is shown.
      const { sound } = this.player;
      if (sound && !this.#all().includes(sound.url)) this.player.stop();
      this.#show();
    });
    onLanguage(() => this.#show(), session.closed);
    this.#show();
  }

  /** Addresses of all sounds of what is shown. */
  #all() {
    const { content } = this.session;
    if (!content) return [];
    return [content.dimension.soundURL, ...content.places.map(({ soundURL }) => soundURL)].flatMap((url) => (url && content.absolute(url)) ?? []);
  }

  /** The world's own, as an address. */
  get #own() {
    const { content } = this.session;
    return (content?.dimension.soundURL && content.absolute(content.dimension.soundURL)) || '';
  }

  #press() {
    const { player } = this;
    if (player.sound) return player.stop();
    if (this.#own) void player.toggle({ url: this.#own, name: this.session.content?.title ?? '' });
  }

  #show() {
    const { player } = this;
    const isHeard = player.state !== 'silent';
    this.element.hidden = !isHeard && !this.#own;
    this.element.dataset.state = player.state;
    setIcon(this.symbol, isHeard ? 'stop' : 'sound');
    const name = player.sound?.name ?? '';
    setText(this.words, isHeard ? t(player.state === 'coming' ? 'sound.coming' : player.isMuted ? 'sound.muted' : 'sound.playing', { name }) : t('sound.world'));
    this.main.setAttribute('aria-label', isHeard ? t('sound.stop', { name }) : t('sound.world'));
    this.mute.hidden = !isHeard;
    this.mute.setAttribute('aria-pressed', String(player.isMuted));
    labelled(this.mute, player.isMuted ? 'sound.unmute' : 'sound.mute');
  }

  /**
   * The button on the card of a place that has a sound.
   * @param {Place} place
   * @returns {HTMLElement | null}
   */
  button(place) {
    const { content } = this.session;
    const url = place.soundURL && content?.absolute(place.soundURL);
    if (!url || !content) return null;
    const name = content.placeTitle(place);
    const symbol = icon('sound');
    const words = h('span');
    const button = h('button', {
      type: 'button', class: 'button primary', dataset: { action: 'sound' }, onclick: () => void this.player.toggle({ url, name }),
    }, symbol, words);
    const show = () => {
      const isHeard = this.player.isOf(url);
      setIcon(symbol, isHeard ? 'stop' : 'sound');
      setText(words, isHeard ? t('sound.stopShort') : t('sound.listen'));
      button.setAttribute('aria-pressed', String(isHeard));
      if (!button.isConnected && was) off();
      was = button.isConnected;
    };
    let was = false;
    const off = this.player.on('changed', show);
    show();
    return button;
  }

  /** What `window.sightline.state()` tells. */
  state() {
    const { state, sound, isMuted } = this.player;
    return { state, url: sound?.url ?? null, isMuted };
  }
}
