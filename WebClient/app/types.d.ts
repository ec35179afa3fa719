// Shapes that cross module borders: the server's JSON and the engine's frame.

import type { Session } from './session/session.js';

// ---- Content (JSON of the common model) ----

export interface Position {
  latitude: number;
  longitude: number;
  altitude?: number;
}
export type Pivot = 'TL' | 'TC' | 'TR' | 'CL' | 'CC' | 'CR' | 'BL' | 'BC' | 'BR';
export type Action = { kind: 'refresh' } | { kind: 'webPage'; url: string } | { kind: 'dimension'; url: string };
export type Visual =
  | { kind: 'text'; text: string }
  | { kind: 'image'; assetID: string }
  | { kind: 'model'; assetID: string; xRotation: number; yRotation: number; zRotation: number; scale: number };
export type OverlayContent =
  | { kind: 'text'; text: string; width: number }
  | { kind: 'image'; assetID: string }
  | { kind: 'html'; url: string; width: number; height: number };
/**
 * A printed marker: `length` is the outer edge of its black border, metres. With `facing` it hangs where its place says: degrees
 * clockwise from north that its front faces; `tilt` how far it looks up, `roll` how far it is turned clockwise.
 */
export interface MarkerAnchor {
  dictionary: string;
  id: number;
  length: number;
  facing?: number;
  tilt?: number;
  roll?: number;
}
/** Texts in one more language; what is missing is shown in the world's own. */
export interface Wording {
  title?: string;
  summary?: string;
  text?: string;
}
/** A flat picture: `width` is that of the whole print, metres. */
export interface TargetAnchor {
  assetID: string;
  width: number;
}
/** Positions are longitude, latitude and perhaps altitude; an area has its outer ring first, then its holes. */
export interface Shape {
  kind: 'line' | 'area';
  parts: number[][][];
}
export interface ShapeStyle {
  stroke?: string;
  strokeOpacity?: number;
  width?: number;
  fill?: string;
  fillOpacity?: number;
}
export interface TrueSize {
  width?: number;
  height?: number;
}
/** Degrees: direction that its front faces, how far that looks up, how far it is turned clockwise. */
export interface Attitude {
  heading: number;
  pitch?: number;
  roll?: number;
}
export interface Place {
  id?: string;
  title: string;
  summary?: string;
  position?: Position;
  altitudeMode: 'ellipsoid' | 'seaLevel' | 'ground' | 'eye';
  /** Goes along with the user: `offset` is metres from his eye, and there is no position. */
  followsUser?: boolean;
  offset: { east: number; north: number; up: number };
  marker?: MarkerAnchor;
  target?: TargetAnchor;
  shapes?: Shape[];
  shapeStyle?: ShapeStyle;
  visual: Visual;
  /** What stands in the open: no house beside it is taken for it. */
  kind?: 'stop';
  /** Metres in the world. */
  size?: TrueSize;
  /** How picture or model stand in the world. */
  attitude?: Attitude;
  /** How its sign is drawn: the file of the picture in its label, a colour to multiply with, `#rrggbb`, size, degrees clockwise. */
  icon?: { assetID?: string; color?: string; opacity?: number; scale?: number; heading?: number };
  pivot: Pivot;
  action?: Action;
  showInRadar: boolean;
  showOnFocus: string[];
  categories: string[];
  visibilityRadius?: number;
  /** When its visual is shown, and how large. */
  display?: import('../engine/types').ContentPlace['display'];
  link?: string;
  imageURL?: string;
  soundURL?: string;
  phone?: string;
  translations?: Record<string, Wording>;
  metadata: Record<string, string>;
  /** Of several worlds that are shown together, the number of the one it is of. */
  world?: number;
}
export interface Overlay {
  id?: string;
  x: number;
  y: number;
  /** What of the free part of the screen x and y count from, inwards; without one the top left corner of the whole screen. */
  anchor?: Pivot;
  pivot: Pivot;
  hidden: boolean;
  action?: Action;
  content: OverlayContent;
  translations?: Record<string, Wording>;
}
export interface Asset {
  id: string;
  url: string;
  format?: string;
}
export interface Dimension {
  name?: string;
  /** BCP 47 tag of the texts' language. */
  language?: string;
  translations?: Record<string, Wording>;
  summary?: string;
  attribution?: string;
  /** Metres; without it the radar shows what the user's radius holds. */
  radarRange?: number;
  radarAvailable: boolean;
  relativeAltitude: boolean;
  refreshURL?: string;
  refreshIntervalSeconds: number;
  refreshDistance: number;
  soundURL?: string;
  assets: Asset[];
  places: Place[];
  overlays: Overlay[];
}
export interface Problem {
  severity: 'error' | 'warning' | 'info';
  code: string;
  line?: number;
  path: string;
  message: string;
}
export interface WorldAnswer {
  world: { id?: string; version?: number | string; url?: string; title?: string };
  dimension: Dimension;
  problems?: Problem[];
  /** When it was saved on this phone, for a copy that stands in for the server's. */
  saved?: string;
  /** What tells the engine when visuals are shown, of a world that says so. */
  rules?: ReturnType<typeof import('../engine/rules.js').rulesOf>;
}
export interface WorldEntry {
  id: string;
  title: string;
  summary?: string | null;
  places: number;
  overlays: number;
  version?: number | string;
  updated?: string;
  center: { latitude: number; longitude: number } | null;
  format?: string;
  /** Address of its first picture, null without one; missing while the server has not read the world yet. */
  cover?: string | null;
}
export interface ServerSettings {
  tiles: { url: string; attribution: string; maxZoom: number } | null;
  /** The operator's own map: `areas` are west and north, east and south, in columns and rows of the finest of `zooms`. */
  ground?: { version: string; attribution: string; zooms: number[]; areas: number[][] } | null;
  transit?: { demonstration: boolean } | null;
  /** Topics that this server fetches from OpenStreetMap; none when the operator has not set it up. */
  osm?: { topics: string[] } | null;
  languages?: string[];
  version?: string;
  /** What other devices should open; null where only the server's own machine can reach it. */
  publicURL?: string | null;
  /** Whether the server finds addresses by name. */
  hasGeocoder?: boolean;
  /** Whether the server knows how high the ground is somewhere. */
  hasTerrain?: boolean;
}

/** Where a world comes from: one of this server's, an address somewhere else, or the page itself. */
export type WorldAddress =
  | { kind: 'world'; id: string }
  /** A world that is being made in the studio, for those who make it. */
  | { kind: 'draft'; id: string }
  | { kind: 'url'; url: string }
  /** What OpenStreetMap has of a topic around the phone, through this server. */
  | { kind: 'osm'; id: string }
  /** A tour that this phone has joined: its stations, made by the page itself. */
  | { kind: 'tour'; id: string }
  /** The demonstration, which is made where the phone is. */
  | { kind: 'around'; id: string }
  /** Stops of public transport around the phone, as a layer that this page makes. */
  | { kind: 'transit'; id: string };

// ---- What tests and scripts may rely on ----

export interface SightlineGlobal {
  /** Settles when the page is usable: texts, settings and the first view are there. */
  ready: Promise<void>;
  /** A plain snapshot of what the page shows. */
  state(): Record<string, unknown>;
  /** The running session, or null on the start page. */
  session: Session | null;
}
