// What crosses between the page and the engine: SessionEvent, SceneFrame, SessionStatus and SessionEffect of the Swift
// side in JavaScript's terms. Angles are radians unless a name says degrees; screen coordinates are CSS pixels, x right,
// y down; times are seconds on one monotonic clock.

export type UnavailableReason = 'denied' | 'missing' | 'timedOut';
export type FailureReason =
  | { kind: 'network' } | { kind: 'timedOut' } | { kind: 'status'; status: number }
  | { kind: 'malformed' } | { kind: 'notAWorld' } | { kind: 'refused' };

/** How much of a label is shown: everything, its name alone, or a dot at its place. */
export type LabelLevel = 'card' | 'pill' | 'dot';
/** On the display, CSS pixels. */
export interface Rectangle { x: number; y: number; width: number; height: number }
export interface Vector { x: number; y: number; z: number }
/**
 * What the motion sensors said, in the device frame (x right, y top, z out of the screen); leave out what is missing.
 * `devicemotion` gives degrees a second (alpha about x, beta about y, gamma about z): turn them into radians. Hand
 * accelerationIncludingGravity over as it is: the engine finds its sign, if it gets orientation events as well.
 */
export interface MotionEvent {
  type: 'motion';
  /** Radians a second. */
  angularVelocity?: Vector | null;
  /** Metres a second squared, with gravity. */
  specificForce?: Vector | null;
  /** Microtesla. */
  magneticField?: Vector | null;
}

/** Degrees clockwise that headings are corrected by at a place; store it as it is. `decimalYear` `null`: unknown. */
export interface HeadingCorrection {
  angle: number; deviation: number; latitude: number; longitude: number; decimalYear: number | null;
}
export type AlignmentOutcome =
  | 'done' | 'noOrientation' | 'noPosition' | 'noDate' | 'tooClose' | 'tooSteep' | 'notInSky' | 'notThere' | 'fromCourse';

/** Where a code hangs: degrees, metres; `facing` is the direction its front looks to, `size` the edge of its modules. */
export interface CodeAnchor {
  latitude: number; longitude: number; altitude: number | null; facing: number; tilt: number; roll: number; size: number;
}
export interface CodeSighting {
  type: 'codeSeen';
  anchor: CodeAnchor;
  /** Pixels of a picture of `width` × `height`, from the code's own top left, clockwise. */
  corners: [number, number][]; width: number; height: number;
  /** Seconds since the picture was taken. */
  age: number;
}

export type EngineEvent =
  | MotionEvent
  | { type: 'orientation'; alpha: number; beta: number; gamma: number; north: 'trueNorth' | 'magnetic' | 'arbitrary' }
  | { type: 'orientationQuaternion'; w: number; x: number; y: number; z: number; north: 'trueNorth' | 'magnetic' | 'arbitrary' }
  | { type: 'orientationWithCompass'; alpha: number; beta: number; gamma: number; heading: number; accuracy: number }
  | { type: 'orientationUnavailable'; reason: UnavailableReason }
  | { type: 'fix'; latitude: number; longitude: number; altitude: number | null; horizontalAccuracy: number; verticalAccuracy: number | null;
      /** `GeolocationCoordinates.heading` (degrees) and `speed` (metres a second). */
      course?: number | null; speed?: number | null }
  | { type: 'locationUnavailable'; reason: UnavailableReason }
  | { type: 'display'; width: number; height: number; screenAngle: number }
  /** The picture as delivered, pixels; the field of view along its longer side, degrees. */
  | { type: 'camera'; width: number; height: number; longSideFieldOfView: number }
  | { type: 'calendar'; decimalYear: number }
  | { type: 'open'; address: number }
  /** Beside what is open, as world number 0 … 15; `open` is number 0. All are shown as one, in the order of the numbers. */
  | { type: 'openBeside'; world: number; address: number }
  | { type: 'closeWorld'; world: number }
  | { type: 'hideWorld'; world: number; hidden: boolean }
  | { type: 'failed'; request: number; reason: FailureReason }
  | { type: 'refreshByHand' }
  | { type: 'labelSize'; feature: number; width: number; height: number }
  /** What covers the view (bars, sheets, hints, safe areas), and how large the arrows at the rim are drawn: those to the left,
      right, above, below, and to what is selected. Nothing is laid out under the rectangles. At most 64 of them. */
  | { type: 'occupied'; rectangles: Rectangle[]; arrows: { width: number; height: number }[] }
  | { type: 'touch'; x: number; y: number }
  | { type: 'press'; feature: number }
  | { type: 'pressOverlay'; overlay: number }
  | { type: 'select'; feature: number | null }
  | { type: 'toggleCluster'; cluster: number }
  | { type: 'setRadius'; radius: number }
  | { type: 'setCategories'; mask: bigint }
  /** How old the camera's picture is when a frame is drawn over it: frames are made for the moment it was taken. */
  | { type: 'pictureAge'; seconds: number }
  /** What was seen at the first point of the display is at the second now; one for each pointer move, they add up. */
  | { type: 'dragWorld'; fromX: number; fromY: number; toX: number; toY: number }
  /** A known landmark, a place of the world, or sun or moon is seen at a point of the display; without one, at its centre. */
  | { type: 'pointAtPlace'; latitude: number; longitude: number; altitude?: number | null; x?: number; y?: number }
  | { type: 'pointAtFeature'; feature: number; x?: number; y?: number }
  | { type: 'pointAtBody'; body: 'sun' | 'moon'; x?: number; y?: number }
  | { type: 'restoreHeadingCorrection'; correction: HeadingCorrection }
  | { type: 'forgetHeadingCorrections' }
  /** A code whose place is known is before the camera: position and heading are set by it. */
  | CodeSighting
  | { type: 'setFrozen'; frozen: boolean }
  | { type: 'suspend' }
  | { type: 'resume' };

export type ActionKind = 'none' | 'refresh' | 'webPage' | 'dimension';
export interface ActionRecord { kind: ActionKind; address?: number }

// ---- What a document says, as it was parsed ----

export type ContentAction = { kind: 'refresh' } | { kind: 'webPage' | 'dimension'; url: string };
export interface ContentPlace {
  id?: string; title: string;
  position?: { latitude: number; longitude: number; altitude?: number };
  altitudeMode: 'ellipsoid' | 'seaLevel' | 'ground' | 'eye';
  offset: { east: number; north: number; up: number };
  marker?: { facing?: number }; target?: object;
  shapes?: { kind: 'line' | 'area'; parts: number[][][] }[];
  visual: { kind: 'text' | 'image' | 'model' };
  pivot: 'TL' | 'TC' | 'TR' | 'CL' | 'CC' | 'CR' | 'BL' | 'BC' | 'BR';
  action?: ContentAction; showInRadar: boolean; showOnFocus: string[]; categories: string[]; visibilityRadius?: number;
}
export interface ContentOverlay { id?: string; hidden: boolean; action?: ContentAction }
/** A document's content, and what only the host can say about it. */
export interface WorldSource<Place extends ContentPlace = any> {
  dimension: {
    radarRange: number; radarAvailable: boolean; refreshIntervalSeconds: number; refreshDistance: number; refreshURL?: string;
    places: Place[]; overlays: ContentOverlay[];
  };
  /** The host's number of an address; `null` for one that leads nowhere. */
  address(url: string, kind: 'refresh' | 'webPage' | 'dimension'): number | null;
  /** How large its label is in the host's letters, CSS pixels: with everything on it, and with its name alone. */
  label(place: Place): { label: { width: number; height: number }; compact: { width: number; height: number } };
}
/**
 * What the host has to know of what became of it: the categories as they appear in the world (`first`: the first place that
 * has it), those without one as number 0 last; and the places that the document gives a position and the world none.
 */
export interface CompiledWorld { categories: { number: number; first: number; count: number }[]; unplaced: number[] }
/** Where a world stands among those that are shown: place `n` of its document is feature `firstPlace + n`. */
export interface ShownWorld { number: number; firstPlace: number; places: number; firstOverlay: number; overlays: number }

// ---- What the engine knows of a world, for recordings ----

/** One place. A place without position has NaN coordinates: it keeps its index and is never drawn. */
export interface FeatureRecord {
  /** A whole number below 2^53 that survives a refresh; 0 is none. */
  key: number;
  latitude: number; longitude: number; altitude: number; altitudeMode: 'absolute' | 'eye';
  east: number; north: number; up: number;
  kind: 'text' | 'image' | 'model'; trueSize: boolean; width: number; height: number;
  /** Of the label with its name alone; 0 or nothing: there is only the whole one, and no dot for it. */
  compactWidth?: number; compactHeight?: number;
  /** Fractions of the box: (0, 0) top left, (0.5, 1) bottom centre. */
  pivotX: number; pivotY: number;
  /** 0 none, else 1 … 63. */
  category: number;
  showInRadar: boolean; visibilityRadius: number; action: ActionRecord;
  /** Indices of overlays shown while the place is in focus. */
  focusOverlays: number[];
}
export interface OverlayRecord { key: number; hidden: boolean; action: ActionRecord }
export interface WorldRecord {
  radarRange: number; radarAvailable: boolean; refreshIntervalSeconds: number; refreshDistance: number;
  refreshAddress: number | null; features: FeatureRecord[]; overlays: OverlayRecord[];
}

export interface SceneItem {
  feature: number; anchorX: number; anchorY: number; centerX: number; centerY: number; width: number; height: number;
  depth: number; distance: number; opacity: number; hasLeader: boolean; isSelected: boolean; isFannedOut: boolean; level: LabelLevel;
  /** The position's error covers the place: its direction means nothing. */
  isNearField: boolean;
}
export interface SceneCluster {
  id: number; anchorX: number; anchorY: number; centerX: number; centerY: number; width: number; height: number;
  nearestDistance: number; opacity: number; members: number[]; isOpen: boolean; hasLeader: boolean;
}
export type EdgeSide = 'left' | 'right' | 'above' | 'below';
export interface EdgeArrow {
  side: EdgeSide; x: number; y: number; direction: number; count: number; nearest: number; nearestDistance: number;
  isForSelection: boolean;
}
export interface RadarBlip { feature: number; x: number; y: number; isSelected: boolean }
export interface RadarFrame {
  attitude: 'upright' | 'flat' | 'upsideDown'; range: number; north: number; wedgeDirection: number;
  wedgeOpening: number; wedgeLength: number; isAvailable: boolean; blips: RadarBlip[];
}
/** Objects and arrays of a frame are reused by the next one. */
export interface SceneFrame {
  time: number; width: number; height: number; isValid: boolean; isFrozen: boolean;
  /** Quaternion w, x, y, z. */
  worldFromDevice: Float64Array; eyeX: number; eyeY: number; eyeZ: number; clipFromWorld: Float32Array;
  bearing: number; pitch: number; roll: number; horizontalFieldOfView: number; verticalFieldOfView: number;
  items: SceneItem[]; clusters: SceneCluster[]; arrows: EdgeArrow[]; radar: RadarFrame; overlayVisible: boolean[];
  selected: number | null; focused: number | null; candidateCount: number;
}

export type Quality = 'none' | 'poor' | 'good';
export interface StatusLight<Reason extends string> { reason: Reason; quality: Quality }
export interface SessionStatus {
  content: StatusLight<'nothingOpened' | 'waitingForSensors' | 'loading' | 'ready' | 'refreshing' | 'outdated' | 'failed' | 'nothingInRange'>;
  location: StatusLight<'waiting' | 'denied' | 'missing' | 'good' | 'inaccurate' | 'stale'>;
  heading: StatusLight<'waiting' | 'denied' | 'missing' | 'good' | 'noNorth' | 'inaccurate' | 'stale' | 'noMagneticNorth' | 'noDeclination' | 'disturbed' | 'aligned' | 'uncertain'>;
  /** Degrees below which the errors of horizon and heading are 95 % of the time; 180 while nothing is known. */
  tiltBound: number; headingBound: number;
  /** Where the world is drawn from, degrees: smoothed, and after a code was seen from where that code said; `accuracy` in metres, 95 %. */
  standpoint: { latitude: number; longitude: number; accuracy: number } | null;
}

/** Position and orientation are `null` when unknown: leave those fields out of the request. `address` `null`: the world's own refresh address. */
export interface DimensionRequest {
  id: number; address: number | null; event: 'init' | 'refreshOnTime' | 'refreshOnDistance' | 'refreshOnPress';
  source: { kind: 'none' } | { kind: 'feature' | 'overlay'; index: number };
  latitude: number | null; longitude: number | null; altitude: number | null;
  bearing: number | null; pitch: number | null; roll: number | null; width: number; height: number;
  /** Number of the world that is asked for; the source's index is as that world counts. */
  world: number;
}
export type EngineEffect =
  | { type: 'request'; request: DimensionRequest }
  | { type: 'cancel'; request: number }
  | { type: 'openWebPage'; address: number }
  /** `null`: the world's refresh address. */
  | { type: 'remember'; address: number | null; world: number }
  | { type: 'selectionChanged'; feature: number | null }
  | { type: 'loadFailed'; reason: FailureReason; event: DimensionRequest['event']; automaticRefreshStopped: boolean;
      world: number }
  | { type: 'worldChanged'; world: number }
  /** What came of pointing, or of comparing heading and way; degrees clockwise. When done, store `headingCorrections()`. */
  | { type: 'aligned'; outcome: AlignmentOutcome; by: number };
export {};
