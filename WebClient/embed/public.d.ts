// What the package promises: the tracker, the element, the bridge to three.js. Kept by hand; `agreement.js` holds it against the sources.

export interface PlaceDescription {
  /** Degrees. */ latitude: number; longitude: number;
  /** Metres over `heightOver`; without it the place stands at the eye's height. */ height?: number;
  heightOver?: 'eye' | 'sea' | 'ellipsoid';
}
export interface MarkerDescription {
  /** `4x4-50` … `7x7-1000`, `aruco-original`, `aruco-mip-36h12`, `apriltag-16h5` … `apriltag-36h11`. */ dictionary: string;
  id: number;
  /** Of the black border, metres. */ size: number;
}
/** `src`: a picture to be fetched; or `target`: a file of `sightline target build`. `physicalWidth` of the print in metres. */
export interface PictureDescription { src?: string | URL; target?: Uint8Array; physicalWidth: number }
/** Without a text: whatever code is seen. */
export interface CodeDescription { text?: string }
export type Description =
  | { place: PlaceDescription } | { marker: MarkerDescription } | { picture: PictureDescription } | { code: CodeDescription };

/** `waiting`: never seen so far; `carried`: covered for a moment, and carried on. */
export type AnchorState = 'waiting' | 'found' | 'tracked' | 'carried' | 'lost';

export interface Anchor {
  readonly id: number;
  readonly kind: 'place' | 'marker' | 'picture' | 'code';
  readonly state: AnchorState;
  readonly isVisible: boolean;
  /** 4 × 4 by columns, metres. Prints: x right, y up, z out of it; places: east, north, up. Camera: x right, y down, z forward. */
  readonly cameraFromAnchor: Float32Array | null;
  /** CSS pixels of the view. */ readonly screen: { x: number; y: number } | null;
  /** From its own top left clockwise, CSS pixels. */ readonly corners: [number, number][] | null;
  /** Metres to a place. */ readonly distance: number | null;
  readonly opacity: number;
  /** Width of a print, metres. */ readonly size: number | null;
  /** Of a code. */ readonly text: string | null;
  remove(): void;
}

/** Objects of a frame may be reused by the next one. */
export interface TrackerFrame {
  /** Seconds. */ time: number;
  /** Of the view, CSS pixels. */ width: number; height: number;
  /** The picture that prints were found in; valid during the event. */ image: CanvasImageSource | null;
  picture: { width: number; height: number } | null;
  /** From the camera's frame to clip space of the view. */ projection: Float32Array | null;
  /** From east, north, up at the user to clip space of the view. */ clipFromWorld: Float32Array | null;
  /** Degrees; heading clockwise from true north. */ direction: { heading: number; pitch: number; roll: number } | null;
  anchors: Anchor[];
}

export interface TrackerOptions {
  /** What is looked for; each part is loaded only when it is wanted. */
  geo?: boolean; markers?: boolean; pictures?: boolean; codes?: boolean;
  /** The folder of `engine.wasm` and `vision.wasm`, where they do not lie as in the package. One for the whole page. */ base?: string | URL;
  /** Pictures come from this video, and not from the camera. */ video?: HTMLVideoElement;
  /** Of the view, CSS pixels; without it the window's. Call `resized` when it changes. */ size?: () => { width: number; height: number };
  /** Metres within which places are shown. */ radius?: number;
}

export interface TrackerStatus {
  state: 'idle' | 'starting' | 'running' | 'paused';
  /** idle, waiting, running, paused, denied or missing; sensors also `unused`. */ camera: string; location: string; orientation: string;
}

/** Degrees; metres over what the document says. */
export interface WorldPlace {
  index: number; id: string; title: string; text: string; latitude: number | null; longitude: number | null; altitude: number | null;
  categories: string[]; picture: string | null;
  /** Only with a scheme that may be opened. */ link: string | null;
  phone: string | null; metadata: Record<string, string>;
}
/** Metres; CSS pixels of the view: left top corner, size, and where the place itself is. */
export interface WorldLabel {
  place: number; id: string; title: string; distance: number; level: 'card' | 'pill' | 'dot'; x: number; y: number; width: number; height: number;
  anchorX: number; anchorY: number; opacity: number; isSelected: boolean;
}
/** `shown`: places that have a position; `notes`: what was not understood, and what is not shown. */
export interface WorldReport { title: string; summary: string; attribution: string; places: number; shown: number; notes: string[] }
export interface World {
  readonly places: WorldPlace[];
  readonly selectedPlace: WorldPlace | null;
  /** Where the user is; metres at 95 %. */ readonly position: { latitude: number; longitude: number; accuracy: number } | null;
  /** As the engine lays them out in the newest frame, the nearest first. */ readonly labels: WorldLabel[];
  /** By index or id; `null` for nothing. */ select(place: number | string | null): void;
  /** `code`: `world-address`, `world-missing`, `world-refused`, `world-unreachable`, `world-cross-origin`, `world-unreadable`, `world-too-large` or `engine`. */
  on(type: 'error', listener: (fault: { code: string; message: string }) => void): () => void;
  on(type: 'load', listener: (report: WorldReport) => void): () => void;
  on(type: 'select', listener: (place: WorldPlace | null) => void): () => void;
  /** Once a frame, after `labels` changed; `null` when nothing runs. */ on(type: 'frame', listener: (frame: object | null) => void): () => void;
  close(): void;
}

export interface TrackerEvents { frame: TrackerFrame; found: Anchor; lost: Anchor; statechange: TrackerStatus; error: TrackerError }

export interface Tracker {
  readonly state: TrackerStatus['state'];
  readonly status: TrackerStatus;
  readonly anchors: Anchor[];
  readonly video: HTMLVideoElement | null;
  /** @returns takes the listener off again */
  on<K extends keyof TrackerEvents>(type: K, listener: (value: TrackerEvents[K]) => void): () => void;
  /** @throws DescriptionError when a field is wrong */
  add(description: Description): Anchor;
  /** An address, or content in the form that a server gives; needs `geo`. */ openWorld(world: string | URL | object): Promise<World>;
  has(part: 'geo' | 'markers' | 'pictures' | 'codes'): boolean;
  /** Call it inside a tap: iOS asks for the motion sensors only then. */
  start(): Promise<void>;
  pause(): void;
  stop(): void;
  resized(): void;
}

/** `code`: `camera-denied`, `camera-missing`, `location-denied` …, `insecure`, `engine`, `vision` or `picture`. */
export interface TrackerError extends Error { code: string; anchor: Anchor | null }
/** `where`: the field that is wrong. */
export interface DescriptionError extends TypeError { where: string }

export function createTracker(options: TrackerOptions): Promise<Tracker>;

/** `<sightline-view>`. */
export interface ViewElement extends HTMLElement {
  readonly tracker: Tracker | null;
  readonly state: TrackerStatus['state'];
  /** What the attribute `world` or the page opened. Set it to content of your own, and again whenever that changed. */
  get world(): World | null;
  set world(content: object | null);
  start(): Promise<void>;
  pause(): void;
  stop(): void;
}

/** A three.js `Group` on an anchor; `userData.leave()` ends it. */
export function anchorObject(THREE: { Group: new () => any }, tracker: Tracker, anchor: Anchor): any;
/** @returns leaves the camera alone */
export function followCamera(tracker: Tracker, camera: any): () => void;
/** @returns takes the picture away */
export function videoBackground(tracker: Tracker, host: HTMLElement): () => void;

declare global {
  interface HTMLElementTagNameMap { 'sightline-view': ViewElement }
}
