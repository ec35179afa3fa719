// What the teacher is told when a request came to nothing.

import { t } from '../core/i18n.js';
import { toast } from '../ui/toast.js';
import { TourError } from './api.js';

/** Signing in leads back to where it was asked for. */
export const signInAddress = () => `#/account?next=${encodeURIComponent(location.hash)}`;

/** @param {unknown} error */
export function tellFailure(error) {
  const failed = error instanceof TourError ? error : null;
  if (!failed) console.error(error);
  if (failed?.status === 401 || failed?.code === 'account.second-factor-missing') return void (location.hash = signInAddress());
  toast(failed?.status === 0 ? t('tours.noNetwork') : failed?.message || t('tours.failed'), { kind: 'warning', key: 'tours' });
}
