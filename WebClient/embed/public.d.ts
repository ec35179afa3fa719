// What the package promises: the tracker, the element, the bridges to three.js, WebGL and CSS. Kept by hand; `agreement.js` holds it against the sources.

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
/** `src`: a picture or a file of `sightline target build` to be fetched; or `target`: such a file. `physicalWidth` of the print in metres. */
export interface PictureDescription { src?: string | URL; target?: Uint8Array; physicalWidth: number }
/** Without a text: whatever code is seen. */
export interface CodeDescription { text?: string }
/** A hit that `hitTest` has just found; `size`: width of what is laid there, metres, for the page's own use. */
export interface SurfaceDescription { surface: SurfaceHit; size?: number }
export type Description =
  | { place: PlaceDescription } | { marker: MarkerDescription } | { picture: PictureDescription } | { code: CodeDescription } | SurfaceDescription;

/** `waiting`: never seen so far; `carried`: covered for a moment, and carried on. */
export type AnchorState = 'waiting' | 'found' | 'tracked' | 'carried' | 'lost';

export interface Anchor {
  readonly id: number;
  readonly kind: 'place' | 'marker' | 'picture' | 'code' | 'surface';
  readonly state: AnchorState;
  readonly isVisible: boolean;
  /**
   * 4 × 4 by columns, metres. Prints: x right, y up, z out of it; places: east, north, up; surfaces: see `Facing`. Camera: x right, y down,
   * z forward.
   */
  readonly cameraFromAnchor: Float32Array | null;
  /** CSS pixels of the view. */ readonly screen: { x: number; y: number } | null;
  /** From its own top left clockwise, CSS pixels. */ readonly corners: [number, number][] | null;
  /** Metres to a place, or to what was set down. */ readonly distance: number | null;
  readonly opacity: number;
  /** Width of a print, or of what was set down, metres. */ readonly size: number | null;
  /** Metres from a place within which something stands on it: as far away as that is seen there is a pose. */ readonly reach: number;
  /** Of a code. */ readonly text: string | null;
  remove(): void;
}

/**
 * How something is set down. `up`: it lies on the surface: x right, y away (on a wall up), z out of the surface. `viewer`: it stands: x
 * right, y up, z to who set it down (on a wall: out of the wall).
 */
export type Facing = 'up' | 'viewer';
/** `guessedFloor`: a floor is taken to be there, 1.4 m below where the camera was first; what was set down goes to the real one once that is seen. */
export type Surface = 'floor' | 'level' | 'upright' | 'ceiling' | 'points' | 'guessedFloor';

/** Where a ray through the view meets a surface. The newest four are kept; give one to `add` or `move`, or release it. */
export interface SurfaceHit {
  readonly number: number;
  readonly surface: Surface;
  /** Whether the surface was seen, and not guessed. */ readonly isMeasured: boolean;
  /** Metres from the camera. */ readonly distance: number;
  /** Of the surface, metres. */ readonly deviation: number;
  readonly facing: Facing;
  /** As `cameraFromAnchor`; kept up with the frames until the hit is released or given away. */ readonly cameraFromHit: Float32Array;
  readonly isReleased: boolean;
  release(): void;
}
/** `nothing` is known there; `outside` of the view; `too-many` (64) things are set down. */
export type NoHit = 'not-running' | 'outside' | 'starting' | 'relocalising' | 'nothing' | 'too-many';
export type HitTest = { hit: SurfaceHit; reason: null } | { hit: null; reason: NoHit };

/** What lies under the middle of the view. */
export interface Reticle {
  /** As `cameraFromAnchor` of a surface that faces `up`. */ cameraFromReticle: Float32Array;
  /** CSS pixels of the view. */ screen: { x: number; y: number } | null;
  surface: Surface; isMeasured: boolean;
  /** Metres. */ distance: number;
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
  /** With `surfaces`; `null` where nothing is known. */ reticle: Reticle | null;
  anchors: Anchor[];
}

export type Part = 'geo' | 'markers' | 'pictures' | 'codes' | 'surfaces';
export interface TrackerOptions {
  /** What is looked for; each part is loaded only when it is wanted. */
  geo?: boolean; markers?: boolean; pictures?: boolean; codes?: boolean; surfaces?: boolean;
  /** The folder of `engine.wasm`, `vision.wasm` and `odometry.wasm`, where they do not lie as in the package. One for the whole page. */ base?: string | URL;
  /** Pictures come from this video, and not from the camera. */ video?: HTMLVideoElement;
  /** Of the view, CSS pixels; without it the window's. Call `resized` when it changes. */ size?: () => { width: number; height: number };
  /** Metres within which places are shown. */ radius?: number;
  /** Where the browser has WebXR, surfaces come from the phone's own tracking, as long as nothing else is looked for; else from the page's. The browser
   * then lays an element over the camera's picture, as large as the display: this one, or with `true` the page's body. */ platform?: boolean | Element;
}

export interface TrackerStatus {
  state: 'idle' | 'starting' | 'running' | 'paused';
  /** idle, waiting, running, paused, denied or missing; sensors also `unused`. */ camera: string; location: string; orientation: string;
  /** World tracking; `limited`: lengths are still a guess; `relocalising`: it is lost, and looks for what it knows. */
  surfaces: 'unused' | 'idle' | 'starting' | 'limited' | 'tracking' | 'relocalising';
  /** What would help world tracking most. */
  advice: 'none' | 'noMotion' | 'moreLight' | 'tooFast' | 'morePattern' | 'moveSideways' | 'lookAtFloor';
  /** Whether that is the phone's own tracking: `camera` is idle then, and frames have no `image`. */ platform: boolean;
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
  has(part: Part): boolean;
  /** Looks for more kinds of things, also while it runs: what was found and set down stays. Call it in a tap where it asks for sensors. */
  extend(parts: Partial<Record<Part, boolean>>): Promise<void>;
  /** What lies under a point of the view, CSS pixels; settles with the next picture. Without a look it faces the `viewer`. */
  hitTest(x: number, y: number, look?: { facing?: Facing }): Promise<HitTest>;
  /** What was set down goes to another hit, and stays the same anchor. */ move(anchor: Anchor, hit: SurfaceHit): void;
  /** What stands at a place reaches at least so many metres: the larger, the farther away it has a pose. */ reach(anchor: Anchor, metres: number): void;
  /** Call it inside a tap: iOS asks for the motion sensors only then. */
  start(): Promise<void>;
  pause(): void;
  stop(): void;
  resized(): void;
}

/** `code`: `camera-denied`, `camera-missing`, `location-denied` …, `insecure`, `engine`, `vision`, `surfaces` or `picture`. */
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

/** `<sightline-surface>`. */
export interface SurfaceElement extends HTMLElement {
  readonly anchor: Anchor | null;
  /** Sets it down, or moves it, where the middle of the view meets a surface, or a point of the view, CSS pixels. */
  setDown(point?: { x: number; y: number }): Promise<HitTest>;
  /** It is no longer set down. */ pickUp(): void;
}
/**
 * `<sightline-model>`: a GLB file on the anchor element around it, in metres, glTF's axes: y up (out of a print), z to the lower edge of
 * a print, south at a place. Attributes: `src`; `scale`; `rotation`, degrees about x, then y, then z; `position`, metres; at a place
 * `heading`, degrees clockwise from north that its front (+z) looks to; `alt`.
 * Events: `load` with `ModelLoad`, `error` with `ModelFault`, `select` with `ModelSelect` in `detail`.
 */
export interface ModelElement extends HTMLElement { readonly state: 'waiting' | 'loading' | 'ready' | 'failed' }
/** Corners of the model's box, metres in its own frame. */
export interface ModelLoad { bounds: { low: number[]; high: number[] } }
export interface ModelFault {
  code: 'attribute' | 'model-missing' | 'model-unreachable' | 'model-cross-origin' | 'model-too-large' | 'model-not-glb' | 'model-invalid'
    | 'model-no-webgl' | 'engine';
  message: string;
}
export interface ModelSelect { anchor: Anchor | null; model: ModelElement }

/** A three.js `Group` on an anchor; `userData.leave()` ends it. */
export function anchorObject(THREE: { Group: new () => any }, tracker: Tracker, anchor: Anchor): any;
/** @returns leaves the camera alone */
export function followCamera(tracker: Tracker, camera: any): () => void;
/** A `Mesh` that is not seen, but hides what is behind it. You put it where the real thing is, and free its geometry and material. */
export function occluder(THREE: { Mesh: new (geometry: any, material: any) => any; MeshBasicMaterial: new (options: any) => any }, geometry: any): any;
/** @returns takes the picture away */
export function videoBackground(tracker: Tracker, host: HTMLElement): () => void;

/** Make it before your own `frame` listener, which then draws what is in it. */
export interface WebGLBridge {
  /** From the camera (x right, y up, looking against z) to clip space, by columns. */ readonly projection: Float32Array | null;
  /** The camera's picture, its top row first; `crop` is the part that the view shows: left, top, width, height, 0 … 1, y down. */
  readonly texture: WebGLTexture;
  readonly crop: [number, number, number, number];
  readonly hasPicture: boolean;
  /** From an anchor to the camera, by columns, metres; `null` while it is not seen. */ modelView(anchor: Anchor): Float32Array | null;
  /** Fills the viewport, behind everything; leaves the context's state as it was. */ drawBackground(): void;
  stop(): void;
}
/** After a lost context make it again. */
export function webglBridge(tracker: Tracker, gl: WebGLRenderingContext | WebGL2RenderingContext): WebGLBridge;

/**
 * The element follows the anchor: in the plane of a print, upright at a place. It stands in a positioned box as large as the view.
 * `width` of the element on the anchor in metres, without it as wide as the print.
 * @returns leaves the element as it was
 */
export function cssFollow(tracker: Tracker, anchor: Anchor, element: HTMLElement, options?: { width?: number }): () => void;

declare global {
  interface HTMLElementTagNameMap { 'sightline-view': ViewElement; 'sightline-surface': SurfaceElement; 'sightline-model': ModelElement }
}
