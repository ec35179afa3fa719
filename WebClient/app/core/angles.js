// Sensors, documents and style sheets speak of degrees, the engine's frames of radians.

/** @param {number} degrees */
export const toRadians = (degrees) => (degrees * Math.PI) / 180;

/** @param {number} radians */
export const toDegrees = (radians) => (radians * 180) / Math.PI;
