// Publishing, the address and its code, and who else may edit.

import { confirmDialog } from '../controls/confirm.js';
import { h } from '../core/dom.js';
import { localized, t } from '../core/i18n.js';
import { localOnlyWarning } from '../net/public-address.js';
import { shareLink } from '../ui/share.js';
import { showDialog } from '../ui/dialog.js';
import { toast } from '../ui/toast.js';
import { failure } from '../accounts/forms.js';
import { codeAddress, publishWorld, removeWorld, setMembers, withdrawWorld } from './studio-api.js';

/** @typedef {import('./editor.js').Editor} Editor */

/** @param {Editor} editor */
export async function publishDialog(editor) {
  await editor.draft.save();
  const body = h('div', { class: 'form-rows', id: 'publish-body' });
  const show = () => {
    const { world, draft } = editor;
    const isPublished = world.published !== null;
    const address = `${location.origin}/#/world/${encodeURIComponent(world.id)}`;
    const act = (/** @type {() => Promise<void>} */ work) => async () => {
      try {
        await work();
        show();
      } catch (error) {
        toast(failure(error), { kind: 'warning', key: 'studio' });
      }
    };
    const isLatest = world.published === draft.version;
    const publish = localized(h('button', { type: 'button', class: 'button primary', id: 'publish-now', disabled: isLatest || !draft.isSaved, onclick: act(async () => {
      const { published } = await publishWorld(world.id, draft.version);
      editor.becomeWorld({ ...world, published });
      toast(t('studio.published'), { key: 'studio-published' });
    }) }), isPublished ? 'studio.publishAgain' : 'studio.publishNow');
    const withdraw = localized(h('button', { type: 'button', class: 'button danger', id: 'publish-withdraw', onclick: act(async () => {
      await withdrawWorld(world.id);
      editor.becomeWorld({ ...world, published: null });
    }) }), 'studio.withdraw');
    body.replaceChildren(
      h('p', { role: 'status' }, t(!isPublished ? 'studio.notPublished' : isLatest ? 'studio.latestPublished' : 'studio.olderPublished')),
      h('div', { class: 'actions' }, publish, isPublished && withdraw),
      ...(isPublished ? code(world.id, world.title, address) : []),
    );
  };
  show();
  showDialog({ title: t('studio.publish'), id: 'publish-dialog' }, body);
}

/**
 * @param {string} id
 * @param {string} title
 * @param {string} address
 */
function code(id, title, address) {
  const text = h('input', { type: 'text', class: 'field', readOnly: true, value: address, id: 'publish-address', 'aria-label': t('studio.addressOf') });
  const file = (/** @type {'svg' | 'pdf' | 'png'} */ format) =>
    h('a', { class: 'button', href: codeAddress(id, format), download: `${id}-code.${format}`, dataset: { code: format } }, format.toUpperCase());
  return [
    localOnlyWarning(),
    h('img', { class: 'publish-code', id: 'publish-code', src: codeAddress(id, 'svg'), alt: t('studio.codeOf', { title }) }),
    text,
    h('div', { class: 'actions' },
      localized(h('button', { type: 'button', class: 'button', onclick: () => void shareLink(address, title) }), 'studio.share'),
      localized(h('a', { class: 'button', href: `#/world/${encodeURIComponent(id)}?virtual=1`, id: 'publish-open' }), 'common.open')),
    localized(h('p', { class: 'form-note' }), 'studio.codeText'),
    h('div', { class: 'actions' }, file('svg'), file('pdf'), file('png')),
  ];
}

/** @param {Editor} editor */
export function membersDialog(editor) {
  const list = h('ul', { class: 'account-list', id: 'member-list' });
  const message = h('p', { class: 'form-message', role: 'alert' });
  const put = async (/** @type {string[]} */ names) => {
    message.textContent = '';
    try {
      const { world } = await setMembers(editor.world.id, names);
      editor.becomeWorld({ ...editor.world, members: world.members });
      show();
      return true;
    } catch (error) {
      message.textContent = failure(error);
      return false;
    }
  };
  const show = () => list.replaceChildren(...editor.world.members.map((name) => h('li', {}, h('strong', {}, name),
    localized(h('button', { type: 'button', class: 'button tiny-button', onclick: () => void put(editor.world.members.filter((other) => other !== name)) }), 'studio.remove'))));
  const field = h('input', { type: 'text', class: 'field', required: true, id: 'member-name', autocapitalize: 'off', 'aria-label': t('studio.memberName'), placeholder: t('studio.memberName') });
  show();
  showDialog(
    { title: t('studio.members'), id: 'members-dialog' },
    localized(h('p', {}), 'studio.membersText'),
    list,
    h('form', { class: 'address-form', onsubmit: async (/** @type {Event} */ event) => {
      event.preventDefault();
      if (await put([...editor.world.members, field.value])) field.value = '';
    } }, field, localized(h('button', { type: 'submit', class: 'button primary' }), 'studio.addMember')),
    message,
  );
}

/** @param {Editor} editor */
export async function removeDialog(editor) {
  const { id, title } = editor.world;
  if (!await confirmDialog({ title: t('studio.removeWorld'), text: t('studio.removeText', { title }), action: t('studio.remove'), danger: true })) return;
  try {
    await removeWorld(id);
    location.hash = '#/studio';
  } catch (error) {
    toast(failure(error), { kind: 'warning', key: 'studio' });
  }
}
