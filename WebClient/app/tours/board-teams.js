// Teams of a run with their codes: another name or colour, a team that comes later, a new code for a lost card.

import { confirmDialog } from '../controls/confirm.js';
import { h } from '../core/dom.js';
import { t } from '../core/i18n.js';
import { localOnlyWarning } from '../net/public-address.js';
import { showDialog } from '../ui/dialog.js';
import { asTeacher, runPath } from './api.js';
import { tellFailure } from './failure.js';
import { button } from './frame.js';
import { COLORS } from './teams-dialog.js';

/** @typedef {import('./api.js').TeamCode} TeamCode */

/** @param {string} run */
export async function showRunTeams(run) {
  const path = `${runPath(run)}/teams`;
  const list = h('ul', { class: 'tour-team-list' });
  const show = (/** @type {{ teams: TeamCode[] }} */ { teams }) => list.replaceChildren(...teams.map((team) => row(team)));
  const row = (/** @type {TeamCode} */ team) => {
    const change = (/** @type {boolean} */ newCode) =>
      asTeacher(`${path}/${team.number}`, 'PUT', { name: name.value.trim() || team.name, color: color.value, newCode }).then(show, tellFailure);
    const name = h('input', {
      type: 'text', class: 'field', maxLength: 40, value: team.name, 'aria-label': t('tours.teamName'), onchange: () => void change(false),
    });
    const color = h('input', { type: 'color', value: team.color, 'aria-label': t('tours.teamColor'), onchange: () => void change(false) });
    return h('li', { dataset: { team: String(team.number) } }, h('span', {}, String(team.number)), color, name,
      h('code', { class: 'tour-code-text' }, team.code.replace(/(.{5})(?=.)/g, '$1-')),
      button(t('tours.newCode'), () => {
        void confirmDialog({ title: t('tours.newCode'), text: t('tours.newCodeSure', { team: team.name }), action: t('tours.newCode'), danger: true })
          .then((yes) => { if (yes) void change(true); });
      }, { class: 'tiny-button' }));
  };
  try {
    show(await asTeacher(path));
  } catch (error) {
    return tellFailure(error);
  }
  showDialog(
    { title: t('tours.teams'), id: 'run-teams', class: 'tour-wide' },
    localOnlyWarning(),
    list,
    button(t('tours.addTeam'), () => {
      const number = list.children.length + 1;
      asTeacher(path, 'POST', { name: t('tours.teamNumber', { number }), color: COLORS[(number - 1) % COLORS.length] }).then(show, tellFailure);
    }, { id: 'team-add' }),
  );
}
