// What is said to who holds the phone, from what world tracking says of itself: one thing at a time, and nothing while all is well.

/** @typedef {import('./surfaces.js').Advice} Advice */

/** What helps whatever one is about; the rest only where something is to be set down. */
const URGENT = new Set(['noMotion', 'moreLight', 'tooFast', 'morePattern']);

/**
 * @param {{ surfaces: import('./tracker.js').TrackerStatus['surfaces'], advice: Advice }} status of the tracker
 * @param {{ isWaiting: boolean, isLost: boolean, hasReticle: boolean, isMissed: boolean }} scene `isWaiting`: something is to be set down; `isLost`:
 *   something that was is not found; `isMissed`: a tap has just hit nothing
 * @returns {string} name of the text in languages/embed without its area; empty: nothing is to be said
 */
export function coachingFor({ surfaces, advice }, { isWaiting, isLost, hasReticle, isMissed }) {
  if (surfaces === 'unused' || surfaces === 'idle') return '';
  if (URGENT.has(advice)) return `coach.${advice}`;
  if (surfaces === 'relocalising' || isLost) return 'coach.relocalising';
  if (isMissed) return 'coach.missed';
  if (!isWaiting) return '';
  if (surfaces === 'starting') return 'coach.moveSideways';
  if (advice !== 'none') return `coach.${advice}`;
  return hasReticle ? 'coach.tap' : 'coach.lookAtFloor';
}
