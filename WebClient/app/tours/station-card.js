// The card of a station on a team's phone: text, picture, hints, and what there is to answer.

import { h, setText } from '../core/dom.js';
import { distance } from '../core/format.js';
import { t, tn } from '../core/i18n.js';
import { pictureURL } from './api.js';

/**
 * @typedef {import('./play.js').Play} Play
 * @typedef {import('./keeper.js').PlayStation} PlayStation
 * @typedef {{ choices: Set<number>, text: string }} Draft
 */

/**
 * What a card depends on, in one text: while it is the same, the card is left alone.
 * @param {Play} play
 * @param {PlayStation} station
 */
export function stationKey(play, station) {
  const { state, triesLeft, points, hints, hintTexts } = play.standing(station);
  return [station.id, state, triesLeft, points, [...hints], Object.keys(hintTexts).length, play.isHere(station), play.phase, play.lost, play.content.revision].join('|');
}

/**
 * How much farther it is; changes with each step, while the card stays.
 * @param {Play} play
 * @param {PlayStation} station
 */
export function closerText(play, station) {
  const isQuestion = station.kind === 'choice' || station.kind === 'open';
  if (!play.fix) return t(isQuestion ? 'tours.thereAnswer' : 'tours.thereRead');
  const away = play.ground.distance(play.fix, station.position) - station.radius;
  return t(isQuestion ? 'tours.closerAnswer' : 'tours.closerRead', { distance: distance(Math.max(1, away)) });
}

/**
 * @param {Play} play
 * @param {PlayStation} station
 * @param {Draft} draft
 * @returns {Node[]}
 */
export function stationBody(play, station, draft) {
  const standing = play.standing(station);
  const here = play.isHere(station);
  const isQuestion = station.kind === 'choice' || station.kind === 'open';
  if (!here && standing.state === 'open') {
    const line = h('p', { class: 'tour-closer', id: 'tour-closer' });
    setText(line, closerText(play, station));
    return [line];
  }
  const nodes = /** @type {Node[]} */ ([]);
  if (station.picture) {
    nodes.push(h('img', { class: 'tour-picture', src: pictureURL(station.picture), alt: t('tours.pictureOf', { title: station.title }) }));
  }
  if (station.text) nodes.push(h('p', { class: 'card-text tour-text' }, station.text));
  if (!isQuestion) return nodes.length ? nodes : [h('p', { class: 'card-note' }, t('tours.visited'))];
  nodes.push(...hintNodes(play, station, here));
  if (standing.state !== 'open') {
    nodes.push(h('p', { class: `tour-verdict ${standing.state}` }, verdictText(play, station)));
    return nodes;
  }
  if (play.phase !== 'running') {
    nodes.push(h('p', { class: 'tour-verdict' }, t(`tours.phase.${play.phase}`)));
    return nodes;
  }
  if (standing.triesLeft !== null && station.tries > 1) {
    nodes.push(h('p', { class: 'card-note' }, tn('tours.triesLeft', standing.triesLeft)));
  }
  nodes.push(station.kind === 'choice' ? choiceForm(play, station, draft) : textForm(play, station, draft));
  return nodes;
}

/** @param {Play} play @param {PlayStation} station */
function verdictText(play, station) {
  const { state, points } = play.standing(station);
  const text = t(/** @type {import('../core/i18n.js').TextKey} */ (`tours.verdict.${state}`));
  return points ? `${text} ${t('tours.plus', { points })}` : text;
}

/** @param {Play} play @param {PlayStation} station @param {boolean} here */
function hintNodes(play, station, here) {
  const { hints, hintTexts, state } = play.standing(station);
  const nodes = [];
  for (const [number, hint] of station.hints.entries()) {
    if (hints.has(number)) {
      // Its words come from the server once it is told; tours joined before have them already.
      nodes.push(h('p', { class: 'tour-hint' }, h('strong', {}, `${t('tours.hint')}: `), hintTexts[number] ?? hint.text ?? t('tours.hintLater')));
    } else {
      if (state === 'open' && here && play.phase === 'running') {
        nodes.push(h('button', {
          type: 'button', class: 'button', id: `tour-hint-${number}`,
          onclick: () => void play.tell(station, { kind: 'hint', hint: number }),
        }, t('tours.takeHint', { cost: hint.cost })));
      }
      break;
    }
  }
  return nodes;
}

/** @param {Play} play @param {PlayStation} station @param {Draft} draft */
function choiceForm(play, station, draft) {
  const send = h('button', { type: 'submit', class: 'button primary large', id: 'tour-send', disabled: draft.choices.size === 0, 'aria-describedby': 'tour-missing' }, t('tours.answer'));
  const missing = h('p', { class: 'card-note', id: 'tour-missing', hidden: draft.choices.size > 0 }, t('tours.chooseFirst'));
  const rows = station.options.map((option, number) => {
    const input = h('input', {
      type: station.multiple ? 'checkbox' : 'radio', name: 'tour-option', id: `tour-option-${number}`,
      value: String(number), checked: draft.choices.has(number),
      onchange: () => {
        if (!station.multiple) draft.choices.clear();
        if (input.checked) draft.choices.add(number);
        else draft.choices.delete(number);
        send.disabled = draft.choices.size === 0;
        missing.hidden = !send.disabled;
      },
    });
    return h('label', { class: 'tour-option' }, input, h('span', {}, option));
  });
  return h(
    'form',
    {
      class: 'tour-form',
      onsubmit: (/** @type {Event} */ event) => {
        event.preventDefault();
        if (draft.choices.size) void play.tell(station, { kind: 'choice', choices: [...draft.choices].sort((a, b) => a - b) });
      },
    },
    h('fieldset', {}, h('legend', { class: 'sr-only' }, station.text || station.title), ...rows),
    station.multiple && h('p', { class: 'card-note' }, t('tours.several')),
    send,
    missing,
  );
}

/** @param {Play} play @param {PlayStation} station @param {Draft} draft */
function textForm(play, station, draft) {
  const send = h('button', { type: 'submit', class: 'button primary large', id: 'tour-send', disabled: !draft.text.trim(), 'aria-describedby': 'tour-missing' }, t('tours.answer'));
  const missing = h('p', { class: 'card-note', id: 'tour-missing', hidden: Boolean(draft.text.trim()) }, t('tours.writeFirst'));
  const area = h('textarea', {
    class: 'field', id: 'tour-words', rows: 3, maxLength: 2000, value: draft.text, 'aria-label': t('tours.yourAnswer'),
    oninput: () => {
      draft.text = area.value;
      send.disabled = !draft.text.trim();
      missing.hidden = !send.disabled;
    },
  });
  return h(
    'form',
    {
      class: 'tour-form',
      onsubmit: (/** @type {Event} */ event) => {
        event.preventDefault();
        if (draft.text.trim()) void play.tell(station, { kind: 'text', text: draft.text.trim() });
      },
    },
    area,
    send,
    missing,
  );
}
