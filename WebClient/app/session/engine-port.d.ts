// The engine as the client sees it: SessionEvent, SceneFrame, SessionStatus and SessionEffect in JavaScript's terms.
// Angles are radians unless a name says degrees; screen coordinates are CSS pixels, x right, y down.

export type UnavailableReason = 'denied' | 'missing' | 'timedOut';
export type FailureReason =
  | { kind: 'network' } | { kind: 'timedOut' } | { kind: 'status'; status: number }
  | { kind: 'malformed' } | { kind: 'notAWorld' } | { kind: 'refused' };

export type EngineEvent =
  | { type: 'orientation'; alpha: number; beta: number; gamma: number; north: 'trueNorth' | 'magnetic' | 'arbitrary' }
  | { type: 'orientationWithCompass'; alpha: number; beta: number; gamma: number; heading: number; accuracy: number }
  | { type: 'orientationUnavailable'; reason: UnavailableReason }
  | { type: 'fix'; latitude: number; longitude: number; altitude: number | null; horizontalAccuracy: number; verticalAccuracy: number | null }
  | { type: 'locationUnavailable'; reason: UnavailableReason }
  | { type: 'display'; width: number; height: number; screenAngle: number }
  | { type: 'camera'; width: number; height: number; longSideFieldOfView: number }
  | { type: 'calendar'; decimalYear: number }
  | { type: 'open'; address: number }
  | { type: 'failed'; request: number; reason: FailureReason }
  | { type: 'refreshByHand' }
  | { type: 'labelSize'; feature: number; width: number; height: number }
  | { type: 'touch'; x: number; y: number }
  | { type: 'press'; feature: number }
  | { type: 'pressOverlay'; overlay: number }
  | { type: 'select'; feature: number | null }
  | { type: 'toggleCluster'; cluster: number }
  | { type: 'setRadius'; radius: number }
  | { type: 'setCategories'; mask: bigint }
  | { type: 'setFrozen'; frozen: boolean }
  | { type: 'suspend' }
  | { type: 'resume' };

export interface SceneItem {
  feature: number;
  anchorX: number; anchorY: number;
  centerX: number; centerY: number;
  width: number; height: number;
  depth: number; distance: number; opacity: number;
  hasLeader: boolean; isSelected: boolean; isFannedOut: boolean;
}
export interface SceneCluster {
  id: number; centerX: number; centerY: number; width: number; height: number;
  nearestDistance: number; members: Int32Array | number[]; isOpen: boolean;
}
export type EdgeSide = 'left' | 'right' | 'above' | 'below';
export interface EdgeArrow {
  side: EdgeSide; x: number; y: number; direction: number; count: number; nearest: number; nearestDistance: number;
  isForSelection: boolean;
}
export interface RadarBlip { feature: number; x: number; y: number; isSelected: boolean }
export interface RadarFrame {
  attitude: 'upright' | 'flat' | 'upsideDown';
  range: number; north: number; wedgeDirection: number; wedgeOpening: number; wedgeLength: number;
  isAvailable: boolean; blips: RadarBlip[];
}
export interface SceneFrame {
  time: number; width: number; height: number; isValid: boolean;
  eyeX: number; eyeY: number; eyeZ: number;
  clipFromWorld: Float32Array | number[];
  bearing: number; pitch: number; roll: number; horizontalFieldOfView: number; verticalFieldOfView: number;
  items: SceneItem[]; clusters: SceneCluster[]; arrows: EdgeArrow[]; radar: RadarFrame;
  overlayVisible: boolean[]; selected: number | null; focused: number | null; candidateCount: number;
}

export type Quality = 'none' | 'poor' | 'good';
export interface StatusLight<Reason extends string> { reason: Reason; quality: Quality }
export interface SessionStatus {
  content: StatusLight<'nothingOpened' | 'waitingForSensors' | 'loading' | 'ready' | 'refreshing' | 'outdated' | 'failed' | 'nothingInRange'>;
  location: StatusLight<'waiting' | 'denied' | 'missing' | 'good' | 'inaccurate' | 'stale'>;
  heading: StatusLight<'waiting' | 'denied' | 'missing' | 'good' | 'noNorth' | 'inaccurate' | 'stale' | 'noMagneticNorth'>;
}

export interface DimensionRequest {
  id: number; address: number | null; event: 'init' | 'refreshOnTime' | 'refreshOnDistance' | 'refreshOnPress';
  source: { kind: 'none' } | { kind: 'feature' | 'overlay'; index: number };
  latitude: number; longitude: number; altitude: number;
  bearing: number; pitch: number; roll: number; width: number; height: number;
}
export type EngineEffect =
  | { type: 'request'; request: DimensionRequest }
  | { type: 'cancel'; request: number }
  | { type: 'openWebPage'; address: number }
  | { type: 'remember'; address: number | null }
  | { type: 'selectionChanged'; feature: number | null }
  | { type: 'loadFailed'; reason: FailureReason; event: DimensionRequest['event']; automaticRefreshStopped: boolean }
  | { type: 'worldChanged' };
