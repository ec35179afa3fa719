// Modal sheets: the browser's own dialog element keeps the focus inside and gives it back.

import { h, icon } from '../core/dom.js';
import { labelled } from '../core/i18n.js';

/** @type {Set<HTMLDialogElement>} */
const open = new Set();
/** @type {Set<(anyOpen: boolean) => void>} */
const listeners = new Set();

/**
 * @param {(anyOpen: boolean) => void} listener told when one opens or closes, whether any is open then
 * @param {AbortSignal} until takes the listener off again
 */
export function watchDialogs(listener, until) {
  if (until.aborted) return;
  listeners.add(listener);
  until.addEventListener('abort', () => listeners.delete(listener), { once: true });
}

function tell() {
  for (const listener of listeners) listener(open.size > 0);
}

/**
 * @param {{ title: string, class?: string, id?: string }} options
 * @param {...(Node | null | undefined | false)} children
 * @returns {{ element: HTMLDialogElement, close: () => void, closed: Promise<void> }}
 */
export function showDialog(options, ...children) {
  const heading = h('h2', { id: `title-${options.id ?? 'dialog'}` }, options.title);
  const element = h('dialog', { class: `sheet ${options.class ?? ''}`, 'aria-labelledby': heading.id });
  if (options.id) element.id = options.id;
  const close = () => element.close();
  const closer = labelled(
    h('button', { type: 'button', class: 'round small plain sheet-close', onclick: close }, icon('close')),
    'common.close',
  );
  element.append(h('header', { class: 'sheet-head' }, heading, closer));
  const body = h('div', { class: 'sheet-body' });
  for (const child of children) if (child) body.append(child);
  element.append(body);
  document.body.append(element);
  /** @type {Promise<void>} */
  const closed = new Promise((resolve) => {
    element.addEventListener('close', () => {
      open.delete(element);
      element.remove();
      tell();
      resolve();
    });
  });
  // A tap beside the sheet closes it.
  element.addEventListener('click', (event) => event.target === element && close());
  // Whoever listens must not keep the dialog from opening.
  element.showModal();
  open.add(element);
  tell();
  return { element, close, closed };
}

export function closeDialogs() {
  for (const element of [...open]) element.close();
}
