// Where world tracking says that the camera was, as the session takes it.

/**
 * What the session is told of a picture.
 * @param {import('../../engine/odometry.js').Tracked} tracked
 * @returns {import('../../engine/bindings').EngineEvent}
 */
export function pathEvent({ state, time, position, rotation, yawDeviation, isLost }) {
  const [x, y, z] = position;
  const [qw, qx, qy, qz] = rotation;
  const isMetric = state === 'metric';
  return { type: 'path', pictureTime: time, x, y, z, qw, qx, qy, qz, yawDeviation, isMetric, isFollowed: (isMetric || state === 'uncertainScale') && !isLost };
}
