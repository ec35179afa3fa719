// Whether the browser has the phone's own tracking for pages (WebXR), and how it is asked for.

/** Whether it may be offered here: on Android where the browser has it, in secure pages only. */
export async function hasPlatformTracking() {
  if (!navigator.xr || !('XRWebGLLayer' in globalThis) || !('XRRay' in globalThis)) return false;
  // Refused by a permissions policy it throws.
  return navigator.xr.isSessionSupported('immersive-ar').catch(() => false);
}

/**
 * Asks for a session; inside a tap.
 * @param {Element} root of the page, which the browser lays over the camera's picture
 */
export async function openSession(root) {
  if (!navigator.xr) throw new DOMException('no WebXR', 'NotSupportedError');
  return navigator.xr.requestSession('immersive-ar', {
    // Without surfaces nothing can be set down, without the page over it there would be nothing to do it with.
    requiredFeatures: ['local-floor', 'hit-test', 'dom-overlay'], optionalFeatures: ['anchors'], domOverlay: { root },
  });
}

/**
 * Why no session came about.
 * @param {unknown} error
 * @returns {'place.platformDenied' | 'place.platformFailed'}
 */
export function refusalKey(error) {
  const { name } = /** @type {{ name?: unknown }} */ (error ?? {});
  return name === 'NotAllowedError' || name === 'SecurityError' ? 'place.platformDenied' : 'place.platformFailed';
}
