// How many teams there are, and what they are called: asked before a class begins.

import { h } from '../core/dom.js';
import { t } from '../core/i18n.js';
import { showDialog } from '../ui/dialog.js';
import { tellFailure } from './failure.js';
import { button, numberField, setting } from './frame.js';

/** @typedef {import('./api.js').TeamDraft} TeamDraft */

/** Colours that are told apart on a map, also by those who see red and green alike: lightness differs between neighbours. */
export const COLORS = [
  '#d33f49', '#2b6cb0', '#e0a100', '#2f855a', '#7b4bb3', '#f08a4b', '#1aa6a6', '#c2417c', '#5b6470', '#8fb339', '#17408b', '#8a5a2b',
];
const USUAL = 6;

/** @param {number} number from 1 */
const draftOf = (number) => ({ name: t('tours.teamNumber', { number }), color: COLORS[(number - 1) % COLORS.length] });

/**
 * @param {(teams: TeamDraft[]) => Promise<void>} make
 * @param {TeamDraft[]} [before] teams of another class, to begin with
 */
export function showTeamsDialog(make, before = []) {
  /** @type {TeamDraft[]} */
  let teams = before.length ? before : Array.from({ length: USUAL }, (_, index) => draftOf(index + 1));
  const list = h('ul', { class: 'tour-team-list' });
  const show = () =>
    list.replaceChildren(...teams.map((team, index) => {
      const name = h('input', {
        type: 'text', class: 'field', maxLength: 40, value: team.name, 'aria-label': t('tours.teamName'), oninput: () => (team.name = name.value),
      });
      const color = h('input', { type: 'color', value: team.color, 'aria-label': t('tours.teamColor'), oninput: () => (team.color = color.value) });
      return h('li', {}, h('span', {}, String(index + 1)), color, name);
    }));
  show();
  const count = numberField(teams.length, { min: 1, max: 200, id: 'teams-count' }, (value) => {
    const wanted = value ?? USUAL;
    teams = Array.from({ length: wanted }, (_, index) => teams[index] ?? draftOf(index + 1));
    show();
  });
  const dialog = showDialog(
    { title: t('tours.teams'), id: 'teams-dialog' },
    h('p', {}, t('tours.teamsText')),
    setting(t('tours.teamCount'), count),
    list,
    button(t('tours.makeCodes'), () => {
      for (const [index, team] of teams.entries()) if (!team.name.trim()) team.name = draftOf(index + 1).name;
      make(teams).then(dialog.close, tellFailure);
    }, { id: 'teams-make', class: 'primary large' }),
  );
}
