// What the session wants its page to do, from numbers: the mirror of Sources/Web/SightlineWasm/EffectExport.

import { ALIGNMENT, FAILURE, REQUEST_EVENT } from './layout.js';

/**
 * @param {number} kind 0 is none
 * @param {(k: number) => number} at the effect's values
 * @returns {import('./types').EngineEffect | null}
 */
export function readEffect(kind, at) {
  const index = (/** @type {number} */ k) => (at(k) < 0 ? null : at(k));
  switch (kind) {
    case 1: return { type: 'request', request: readRequest(at) };
    case 2: return { type: 'cancel', request: at(0) };
    case 3: return { type: 'openWebPage', address: at(0) };
    case 4: return { type: 'remember', address: index(0), world: at(1) };
    case 5: return { type: 'selectionChanged', feature: index(0) };
    case 6: {
      const name = FAILURE[at(0)];
      return {
        type: 'loadFailed', reason: name === 'status' ? { kind: name, status: at(1) } : { kind: name },
        event: REQUEST_EVENT[at(2)], automaticRefreshStopped: at(3) !== 0, world: at(4),
      };
    }
    case 7: return { type: 'worldChanged', world: at(0) };
    case 8: return { type: 'aligned', outcome: ALIGNMENT[at(0)], by: at(1) };
    default: return null;
  }
}

/**
 * @param {(k: number) => number} at
 * @returns {import('./types').DimensionRequest}
 */
function readRequest(at) {
  const hasPosition = at(5) !== 0;
  const hasOrientation = at(9) !== 0;
  const kind = at(3);
  return {
    id: at(0), address: at(1) < 0 ? null : at(1), event: REQUEST_EVENT[at(2)],
    source: kind === 0 ? { kind: 'none' } : { kind: kind === 1 ? 'feature' : 'overlay', index: at(4) },
    latitude: hasPosition ? at(6) : null, longitude: hasPosition ? at(7) : null, altitude: hasPosition ? at(8) : null,
    bearing: hasOrientation ? at(10) : null, pitch: hasOrientation ? at(11) : null,
    roll: hasOrientation ? at(12) : null, width: at(13), height: at(14), world: at(15),
  };
}
