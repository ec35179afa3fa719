// The phone's own tracking (WebXR) in place of the page's: for trackers that look for surfaces alone, where the browser has it. All that it
// takes comes with this module, which is loaded when a page wants it.

import { PlatformSource } from '../app/xr/platform-source.js';
import { hasPlatformTracking, openSession } from '../app/xr/support.js';
import { PARTS } from './options.js';
import { SharedOdometry } from './shared-odometry.js';

/**
 * @typedef {(run: import('./tracker-run.js').TrackerRun, surfaces: import('./surfaces.js').Surfaces | null, options: import('./options.js').CheckedOptions,
 *   own: () => Promise<unknown>) => Promise<unknown> | null} AskPlatform `null`: it is not wanted now; `own`: asks for camera and sensors
 */

/**
 * @param {Element} overlay
 * @returns {Promise<PlatformSource>}
 */
async function open(overlay) {
  // Nothing is waited for before: browsers ask inside a tap only.
  const session = await openSession(overlay);
  const gl = /** @type {WebGL2RenderingContext | null} */ (document.createElement('canvas').getContext('webgl2', { xrCompatible: true }));
  if (!gl) {
    await session.end();
    throw new Error('no WebGL');
  }
  const source = await PlatformSource.open(session, gl);
  // All that is shown lies in the page, over the camera's picture. A layer that nothing is drawn into counts as a frame that was missed.
  source.on('sight', ({ target: { framebuffer } }) => {
    gl.bindFramebuffer(gl.FRAMEBUFFER, framebuffer);
    gl.clear(gl.COLOR_BUFFER_BIT);
  });
  return source;
}

/** @type {AskPlatform} */
function askPlatform({ shared, signal }, surfaces, options, own) {
  if (!surfaces) return null;
  // After a pause it goes on.
  if (surfaces.isPlatform) return Promise.resolve();
  const { camera } = shared;
  const needsPictures = () => PARTS.some((part) => part !== 'surfaces' && options[part]);
  // The platform wants the camera for itself.
  if (camera.state === 'running' || camera.state === 'waiting' || needsPictures()) return null;
  const instead = (/** @type {unknown} */ reason) => {
    console.info(`Sightline: the phone's own tracking did not begin, and the page's does: ${reason}`);
    return own();
  };
  return open(options.platform instanceof Element ? options.platform : document.body).then((source) => {
    if (!signal.aborted && !needsPictures()) return surfaces.use(new SharedOdometry(shared, source));
    source.close();
    return signal.aborted ? null : instead('something else is looked for meanwhile');
  }, (error) => (signal.aborted ? null : instead(error)));
}

/** @returns {Promise<AskPlatform | undefined>} nothing where the browser does not have it */
export async function platformHere() {
  return await hasPlatformTracking() ? askPlatform : undefined;
}
