// What the DOM types of TypeScript 4.8 do not know yet.

interface DeviceOrientationEvent {
  /** iOS: degrees clockwise from magnetic north of the top edge of the portrait phone. */
  readonly webkitCompassHeading?: number;
  /** iOS: degrees; negative is invalid. */
  readonly webkitCompassAccuracy?: number;
}

interface Element {
  checkVisibility?(options?: { visibilityProperty?: boolean }): boolean;
}

interface WakeLockSentinel extends EventTarget {
  readonly released: boolean;
  release(): Promise<void>;
}

interface Navigator {
  readonly wakeLock?: { request(type: 'screen'): Promise<WakeLockSentinel> };
}

interface MediaTrackConstraintSet {
  resizeMode?: ConstrainDOMString;
}

/** Both event classes have it on iOS and, since 152, in Chrome. */
interface SensorEventClass {
  requestPermission?: () => Promise<'granted' | 'denied' | 'default'>;
}

interface Window {
  /** What tests and scripts may rely on. */
  sightline: import('./app/types').SightlineGlobal;
}

/** In a worker; TypeScript 4.8 knows neither. */
declare class OffscreenCanvas extends EventTarget {
  constructor(width: number, height: number);
  width: number;
  height: number;
  getContext(kind: '2d', options?: CanvasRenderingContext2DSettings): OffscreenCanvasRenderingContext2D | null;
}
interface OffscreenCanvasRenderingContext2D extends CanvasDrawImage, CanvasImageData {
  readonly canvas: OffscreenCanvas;
}

/** TypeScript 4.8 does not know it. */
declare class CompressionStream {
  constructor(format: 'deflate' | 'gzip');
  readonly readable: ReadableStream<Uint8Array>;
  readonly writable: WritableStream<Uint8Array>;
}
/** Texts of the workers, by their paths: made by the bundler of the one script (Scripts/npm/classic_script.py). */
declare module 'sightline:workers' {
  const texts: Record<string, string>;
  export default texts;
}
