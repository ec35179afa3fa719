// Says what is wrong with a model or picture that could not be shown; its place keeps its label.

import { t } from '../core/i18n.js';
import { modelFailureText } from '../models/failure.js';
import { toast } from '../ui/toast.js';

/**
 * @param {import('./thing-layer.js').ThingLayer} layer
 * @param {import('../session/session.js').Session} session
 */
export function tellFailures(layer, session) {
  layer.on('failed', ({ place, error }) => {
    console.warn(error);
    const { content } = session;
    const shown = content?.places[place];
    if (!content || !shown) return;
    void modelFailureText(error).then((text) => {
      toast(`${content.placeTitle(shown) || t('card.unnamed')}: ${text}`, { kind: 'warning', key: `thing ${place}` });
    });
  });
}
