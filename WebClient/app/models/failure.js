// A sentence for what is wrong with a model's file.

import { loadTexts, t } from '../core/i18n.js';
import { ModelFailure } from '../../engine/models.js';

/**
 * @param {unknown} error
 * @returns {Promise<string>}
 */
export async function modelFailureText(error) {
  await loadTexts('model');
  if (!(error instanceof ModelFailure)) return t('model.unreadable');
  const what = t(`model.fault.${error.code}`);
  if (error.part === 'file') return t('model.refused', { what });
  const place = [
    error.part,
    error.index < 0 ? '' : ` ${error.index}`,
    error.subindex < 0 ? '' : `.${error.subindex}`,
    error.property ? ` · ${error.property}` : '',
  ].join('');
  return t('model.refusedAt', { what, place, offset: error.offset });
}
