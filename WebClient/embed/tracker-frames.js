// From pictures to frames: what was seen goes to the session, and what that makes of it is read and told.

/**
 * @typedef {import('./anchor.js').Anchor} Anchor
 * @typedef {import('./frame-reader.js').FrameReader} FrameReader
 * @typedef {import('./frame-reader.js').Reading} Reading
 * @typedef {import('./places-session.js').PlacesSession} PlacesSession
 * @typedef {Omit<import('../app/vision/camera-vision.js').Sight, 'image'> & { image: CanvasImageSource | null, center?: [number, number] }} Sight
 * @typedef {{ running: () => import('./tracker-run.js').TrackerRun | null, features: () => Anchor[], worlds: () => import('./tracker-worlds.js').TrackerWorlds | null,
 *   emit: (type: any, value: any) => void, fail: (error: unknown) => void }} Host the tracker: `running`: what there is while it runs; `features`: places
 *   and prints in the order of the session; `fail`: the engine is of no more use
 */

export class TrackerFrames {
  #host;

  /** @param {Host} host */
  constructor(host) {
    this.#host = host;
  }

  /**
   * The display's next picture, for places and worlds.
   * @param {number} now seconds
   */
  tick(now) {
    const run = this.#host.running();
    const reader = run?.reader;
    if (reader) {
      this.#tell(() => {
        run.tellAge(now);
        this.#host.worlds()?.tick(now);
        return reader.readPlaces(now, this.#host.features());
      });
    }
  }

  /**
   * Something was looked for in a picture of the camera.
   * @param {Sight} sight
   * @param {(reader: FrameReader, session: PlacesSession, features: Anchor[]) => Reading} read
   */
  see(sight, read) {
    const { session, reader } = this.#host.running() ?? {};
    if (!session || !reader || !('engine' in session)) return;
    this.#tell(() => {
      const { rows, time, width, height, focal, lens, center } = sight;
      session.tell({ type: 'observations', rows, time, width, height, focal, lens, center });
      return read(reader, session, this.#host.features());
    });
  }

  /** @param {() => Reading} read */
  #tell(read) {
    const { emit, fail } = this.#host;
    try {
      const { frame, found, lost } = read();
      for (const anchor of found) emit('found', anchor);
      for (const anchor of lost) emit('lost', anchor);
      emit('frame', frame);
    } catch (error) {
      fail(error);
    }
  }
}
