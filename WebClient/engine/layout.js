// Where numbers stand in the engine's memory: the mirror of Sources/Web/SightlineWasm (FrameExport, WorldImport,
// WorldExport, EffectExport). A change there is a change here, and a new LAYOUT_VERSION in both.

export const LAYOUT_VERSION = 6;

/** @type {import('./types').UnavailableReason[]} */
export const UNAVAILABLE = ['denied', 'missing', 'timedOut'];
/** @type {('trueNorth' | 'magnetic' | 'arbitrary')[]} */
export const NORTH = ['trueNorth', 'magnetic', 'arbitrary'];
/** @type {import('./types').FailureReason['kind'][]} */
export const FAILURE = ['network', 'timedOut', 'status', 'malformed', 'notAWorld', 'refused'];
/** @type {import('./types').DimensionRequest['event'][]} */
export const REQUEST_EVENT = ['init', 'refreshOnTime', 'refreshOnDistance', 'refreshOnPress'];
/** @type {import('./types').LabelLevel[]} */
export const LEVEL = ['card', 'pill', 'dot'];
/** @type {import('./types').EdgeSide[]} */
export const SIDE = ['left', 'right', 'above', 'below'];
/** @type {import('./types').RadarFrame['attitude'][]} */
export const ATTITUDE = ['upright', 'flat', 'upsideDown'];
/** @type {import('./types').Quality[]} */
export const QUALITY = ['none', 'poor', 'good'];
/** @type {import('./types').SessionStatus['content']['reason'][]} */
export const CONTENT = [
  'nothingOpened', 'waitingForSensors', 'loading', 'ready', 'refreshing', 'outdated', 'failed', 'nothingInRange',
];
/** @type {import('./types').SessionStatus['location']['reason'][]} */
export const LOCATION = ['waiting', 'denied', 'missing', 'good', 'inaccurate', 'stale'];
/** @type {import('./types').SessionStatus['heading']['reason'][]} */
export const HEADING = [
  'waiting', 'denied', 'missing', 'good', 'noNorth', 'inaccurate', 'stale', 'noMagneticNorth', 'noDeclination',
  'disturbed', 'aligned', 'uncertain',
];
/** @type {import('./types').AlignmentOutcome[]} */
export const ALIGNMENT = [
  'done', 'noOrientation', 'noPosition', 'noDate', 'tooClose', 'tooSteep', 'notInSky', 'notThere', 'fromCourse',
];
/** @type {import('./types').ActionKind[]} */
export const ACTION = ['none', 'refresh', 'webPage', 'dimension'];
/** @type {import('./types').FeatureRecord['kind'][]} */
export const KIND = ['text', 'image', 'model'];

/** @type {import('./types').ContentPlace['altitudeMode'][]} */
export const SURFACE = ['ellipsoid', 'seaLevel', 'ground', 'eye'];
/** @type {import('./types').ContentPlace['pivot'][]} */
export const PIVOT = ['TL', 'TC', 'TR', 'CL', 'CC', 'CR', 'BL', 'BC', 'BR'];

/** What the engine knows of a world: counts and head, features, overlays, focus list. */
export const WORLD = { head: 8, feature: 23, overlay: 4 };

/** A frame: 64 values, then the tables they name. */
export const FRAME = {
  time: 0, width: 1, height: 2, isValid: 3, worldFromDevice: 4, eye: 8, bearing: 11, pitch: 12, roll: 13,
  horizontalFieldOfView: 14, verticalFieldOfView: 15, selected: 16, focused: 17, candidateCount: 18, isFrozen: 19,
  items: 20, clusters: 22, members: 24, arrows: 26, blips: 28, overlays: 30, radar: 32, clipFromWorld: 39, status: 55,
};
/** Values in a row of each table. */
export const STRIDE = { item: 11, cluster: 12, arrow: 8, blip: 4 };
