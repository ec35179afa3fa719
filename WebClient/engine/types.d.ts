// What crosses between the page and the engine: what is in bindings.d.ts, which is generated, and what is put together of it.
// Angles are radians unless a name says degrees; screen coordinates are CSS pixels, x right, y down; times are seconds on one
// monotonic clock.

import type {
  ActionKind, CategoryRow, ContentPivot, ContentStatus, EdgeArrow, EngineEvent, HeadingStatus, HeightDatum, LocationStatus,
  Quality, RadarBlip, RadarHead, SceneCluster, SceneItem, VisualKind,
} from './bindings';
export * from './bindings';

export type MotionEvent = Extract<EngineEvent, { type: 'motion' }>;

export interface ActionRecord { kind: ActionKind['kind']; address?: number }

// ---- What a document says, as it was parsed ----

export type ContentAction = { kind: 'refresh' } | { kind: 'webPage' | 'dimension'; url: string };
export interface ContentPlace {
  id?: string; title: string;
  position?: { latitude: number; longitude: number; altitude?: number };
  altitudeMode: HeightDatum;
  offset: { east: number; north: number; up: number };
  /** Goes along with the user, `offset` away from the eye. */
  followsUser?: boolean;
  marker?: { dictionary: string; id: number; length: number; facing?: number; tilt?: number; roll?: number };
  /** Set down in the user's surroundings: the number of its anchor, and what a picture is wide, metres. */
  placed?: { id: number; width: number };
  target?: { assetID: string; width: number };
  shapes?: { kind: 'line' | 'area'; parts: number[][][] }[];
  visual: { kind: VisualKind; xRotation?: number; yRotation?: number; zRotation?: number;
    /** Metres for one of a model's units; `fit`: as wide as what it stands on. */ scale?: number | 'fit' };
  /** What stands in the open: no house beside it is taken for it. */
  kind?: 'stop';
  size?: { width?: number; height?: number };
  attitude?: { heading: number; pitch?: number; roll?: number };
  pivot: ContentPivot;
  action?: ContentAction; showInRadar: boolean; showOnFocus: string[]; categories: string[]; visibilityRadius?: number;
  display?: {
    /** Metres from which on it is shown. */ visibleFrom?: number;
    scaling?: { near: number; far?: number; factor: number }; shownWhile?: 'selected' | 'unselected';
    /** Places of the same name count as selected together. */ feature?: string;
  };
}
export interface ContentOverlay { id?: string; hidden: boolean; action?: ContentAction }
/** A document's content, and what only the host can say about it. */
export interface WorldSource<Place extends ContentPlace = any> {
  dimension: {
    radarRange?: number; radarAvailable: boolean; refreshIntervalSeconds: number; refreshDistance: number; refreshURL?: string;
    /** Models and pictures on anchors have their names beside them also while they are not selected. */
    namesWhatStandsOnAnchors?: boolean;
    places: Place[]; overlays: ContentOverlay[];
  };
  /** The host's number of an address; `null` for one that leads nowhere. */
  address(url: string, kind: 'refresh' | 'webPage' | 'dimension'): number | null;
  /** How large its label is in the host's letters, CSS pixels: with everything on it, and with its name alone. */
  /** The host's number of a picture that places stand on, as observations have it. */
  picture(target: { assetID: string; width: number }): number;
  label(place: Place): { label: { width: number; height: number }; compact: { width: number; height: number } };
}
/**
 * What the host has to know of what became of it: the categories as they appear in the world (`first`: the first place that
 * has it), those without one as number 0 last; and the places that the document gives a position and the world none.
 */
export interface CompiledWorld { categories: CategoryRow[]; unplaced: number[] }

// ---- What the engine knows of a world, for recordings ----

/** One place. A place without position has NaN coordinates: it keeps its index and is never drawn. */
export interface FeatureRecord {
  /** A whole number below 2^53 that survives a refresh; 0 is none. */
  key: number;
  latitude: number; longitude: number; altitude: number; altitudeDatum: HeightDatum;
  east: number; north: number; up: number;
  /** Goes along with the user, so far from the eye. */
  followsEye: boolean;
  kind: VisualKind; trueSize: boolean; width: number; height: number;
  /** Of the label with its name alone; 0 or nothing: there is only the whole one, and no dot for it. */
  compactWidth?: number; compactHeight?: number;
  /** Fractions of the box: (0, 0) top left, (0.5, 1) bottom centre. */
  pivotX: number; pivotY: number;
  /** 0 none, else 1 … 63. */
  category: number;
  showInRadar: boolean; visibilityRadius: number; action: ActionRecord;
  /** Indices of overlays shown while the place is in focus. */
  focusOverlays: number[];
  /** What it stands on, an index in the world's anchors, or -1; and how its model stands there: radians, metres a unit. */
  anchor: number; model: { x: number; y: number; z: number; scale: number } | null;
}
/** What features stand on: see WorldExport.swift. */
export interface AnchorRecord {
  numbers: number[]; width: number; survey: number[] | null; reference: { kind: number; anchor: number }; transform: number[];
  altitudeDatum: HeightDatum;
}
/** A model or picture in true size: turns about x, y, z in radians and metres a unit; heading, pitch and roll in radians. */
export interface ThingRecord {
  feature: number; isModel: boolean; model: number[]; width: number; height: number; attitude: number[] | null;
}
/** A line or a ring of an area, and where its corners stand among those of the world. */
export interface PathRecord {
  feature: number; shape: number; isRing: boolean; altitudeDatum: HeightDatum; first: number; count: number;
}
export interface OverlayRecord { key: number; hidden: boolean; action: ActionRecord }
export interface WorldRecord {
  radarRange: number; radarAvailable: boolean; refreshIntervalSeconds: number; refreshDistance: number;
  refreshAddress: number | null; features: FeatureRecord[]; overlays: OverlayRecord[]; anchors: AnchorRecord[]; things?: ThingRecord[];
  paths?: PathRecord[];
  /** Latitude, longitude and altitude of each corner; not a number on the ground. */
  corners?: Float64Array;
  rules?: RuleRecord[];
}
/** When a feature's visual is shown, and how large: metres from and to, and factor, zeros for no scaling. */
export interface RuleRecord { feature: number; nearest: number; scaling: number[]; selection: number; group: number }

export interface RadarFrame extends RadarHead { blips: RadarBlip[] }
/** Objects and arrays of a frame are reused by the next one. */
export interface SceneFrame {
  time: number; width: number; height: number; isValid: boolean; isFrozen: boolean;
  /** Quaternion w, x, y, z. */
  worldFromDevice: Float64Array; eyeX: number; eyeY: number; eyeZ: number; clipFromWorld: Float32Array;
  bearing: number; pitch: number; roll: number; horizontalFieldOfView: number; verticalFieldOfView: number;
  items: SceneItem[]; clusters: SceneCluster[]; arrows: EdgeArrow[]; radar: RadarFrame; overlayVisible: boolean[];
  selected: number | null; focused: number | null; candidateCount: number;
}

export interface StatusLight<Reason extends string> { reason: Reason; quality: Quality }
export interface SessionStatus {
  content: StatusLight<ContentStatus>; location: StatusLight<LocationStatus>; heading: StatusLight<HeadingStatus>;
  /** Degrees below which the errors of horizon and heading are 95 % of the time; 180 while nothing is known. */
  tiltBound: number; headingBound: number;
  /** Where the world is drawn from, degrees: smoothed, and after a code was seen from where that code said; `accuracy` in metres, 95 %. */
  standpoint: { latitude: number; longitude: number; accuracy: number } | null;
}
