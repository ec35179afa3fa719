// What is shown in a few plain values, for `window.sightline.state()`.

import { bearing } from '../core/format.js';
import { failureText } from './failure.js';

/** @param {import('../../engine/types').SceneFrame} frame */
function frameSnapshot(frame) {
  return {
    isValid: frame.isValid,
    width: frame.width,
    height: frame.height,
    bearing: frame.bearing,
    pitch: frame.pitch,
    roll: frame.roll,
    horizontalFieldOfView: frame.horizontalFieldOfView,
    verticalFieldOfView: frame.verticalFieldOfView,
    items: frame.items.length,
    clusters: frame.clusters.length,
    arrows: frame.arrows.length,
    blips: frame.radar.blips.length,
    candidates: frame.candidateCount,
    heading: bearing(frame.bearing),
  };
}

const CHECKS = /** @type {const} */ (['camera', 'location', 'orientation', 'secure']);

/** @param {import('./stage.js').Stage} stage */
export function stageSnapshot({ session, device, entered, anchors, occupied, ar, parts }) {
  const { frame, content } = session;
  return {
    world: content ? { id: content.id, name: content.title, places: content.places.length } : null,
    worlds: session.worlds.list.map(({ number, address, hidden, content: part }) => ({
      number, address, hidden, name: part?.title ?? null, places: part?.places.length ?? 0, status: session.worldStatus(number),
    })),
    status: session.status,
    selected: session.selected,
    occupied: occupied.rectangles,
    radius: session.radius,
    frozen: session.frozen,
    sources: device.sources,
    entered,
    suspended: session.suspended,
    pose: device.sources.position === 'chosen' ? { ...device.phone.pose } : null,
    failure: session.failure ? [failureText(session.failure), session.failure.detail].filter(Boolean).join(' ') : null,
    ...anchors.state(),
    path: parts.path?.state(),
    sound: parts.sounds?.state() ?? null,
    things: ar.things?.state() ?? null,
    frame: frame && frameSnapshot(frame),
    checks: Object.fromEntries(CHECKS.map((name) => [name, device.check(name)])),
  };
}
