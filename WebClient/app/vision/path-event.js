// Where world tracking says that the camera was, as the session takes it.

/**
 * What the session is told of a picture.
 * @param {import('../../engine/odometry.js').Tracked} tracked
 * @returns {import('../../engine/bindings').EngineEvent}
 */
export function pathEvent({ state, time, timeOffset, position, rotation, yawDeviation, isLost }) {
  const [x, y, z] = position;
  const [qw, qx, qy, qz] = rotation;
  const isFollowed = (state === 'metric' || state === 'uncertainScale') && !isLost;
  // On the clock of the motion sensors: a stamp is later than the picture, and what is said of a turning phone would lag.
  return { type: 'path', pictureTime: time - timeOffset, x, y, z, qw, qx, qy, qz, yawDeviation, state: isFollowed ? state : 'lost' };
}
