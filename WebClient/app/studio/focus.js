// The focus of a form that is made anew.

/**
 * Remembers which field of a form has the focus, and where in it one writes: forms are made anew when somebody else's
 * changes come in.
 * @param {HTMLElement} panel
 * @returns {() => void} gives the focus to the same field of the new form
 */
export function keepFocus(panel) {
  const active = document.activeElement;
  if (!(active instanceof HTMLElement) || !panel.contains(active)) {
    const id = active?.id;
    return () => id ? document.getElementById(id)?.focus({ preventScroll: true }) : undefined;
  }
  const name = (/** @type {Element} */ control) => control.closest('.form-row, .form-check')?.querySelector('[data-i18n]')?.getAttribute('data-i18n');
  const isText = active instanceof HTMLTextAreaElement || (active instanceof HTMLInputElement && /^(text|search|url|tel)$/.test(active.type));
  const range = isText ? [active.selectionStart, active.selectionEnd] : null;
  const { id, tagName } = active;
  const key = name(active);
  return () => {
    const same = (id && !id.startsWith('f-') && document.getElementById(id)) ||
      (key && [...panel.querySelectorAll(tagName)].find((control) => name(control) === key));
    if (!(same instanceof HTMLElement)) return;
    same.focus({ preventScroll: true });
    if (range && (same instanceof HTMLInputElement || same instanceof HTMLTextAreaElement)) same.setSelectionRange(range[0], range[1]);
  };
}
