// three.js on what the tracker says. The page brings its own three.js and hands it over: nothing of it is loaded from here.
//
// The engine's camera looks along z with y down, that of three.js against z with y up: two axes change their sign. The camera of
// three.js stays where it is, and everything else stands before it, so that places and prints need no common world.

import { product } from '../app/models/matrices.js';

/**
 * @typedef {import('./tracker.js').Tracker} Tracker
 * @typedef {import('./anchor.js').Anchor} Anchor
 * @typedef {{ Group: new () => any }} Three what is used of three.js
 * @typedef {{ Mesh: new (geometry: any, material: any) => any, MeshBasicMaterial: new (options: any) => any }} ThreeMeshes
 */

/** Turns the engine's camera axes into those of three.js, and back. */
const FLIP = [1, 0, 0, 0, 0, -1, 0, 0, 0, 0, -1, 0, 0, 0, 0, 1];

/**
 * A camera that sees what the phone's camera sees.
 * @param {Tracker} tracker
 * @param {any} camera a `PerspectiveCamera` at its origin; its own lens is overwritten
 * @returns {() => void} leaves the camera alone
 */
export function followCamera(tracker, camera) {
  return tracker.on('frame', ({ projection }) => {
    if (!projection) return;
    camera.projectionMatrix.fromArray(product(projection, FLIP));
    const inverse = camera.projectionMatrixInverse;
    // `invert` came with r123.
    if (inverse.invert) inverse.copy(camera.projectionMatrix).invert();
    else inverse.getInverse(camera.projectionMatrix);
  });
}

/**
 * A group that stands on an anchor, in metres: on a print x to its right, y to its top, z out of it; at a place x east, y north, z up.
 * @param {Three} THREE
 * @param {Tracker} tracker
 * @param {Anchor} anchor
 * @returns {any} a `Group`, to be put into the scene; `userData.leave()` ends it
 */
export function anchorObject(THREE, tracker, anchor) {
  const group = new THREE.Group();
  group.matrixAutoUpdate = false;
  group.visible = false;
  const off = tracker.on('frame', () => {
    const { cameraFromAnchor, isVisible } = anchor;
    group.visible = isVisible && cameraFromAnchor !== null;
    if (!cameraFromAnchor) return;
    group.matrix.fromArray(product(FLIP, cameraFromAnchor));
    group.matrixWorldNeedsUpdate = true;
  });
  group.userData.leave = () => {
    off();
    group.parent?.remove(group);
  };
  return group;
}

/**
 * Something real, as a shape that is not seen but hides what is behind it: the wall, the table, the box that the print is on.
 * @param {ThreeMeshes} THREE
 * @param {any} geometry a `BufferGeometry`; you free it
 * @returns {any} a `Mesh`, to be put where the real thing is
 */
export function occluder(THREE, geometry) {
  const mesh = new THREE.Mesh(geometry, new THREE.MeshBasicMaterial({ colorWrite: false }));
  // Depth has to be there before anything is drawn that it hides.
  mesh.renderOrder = -1;
  return mesh;
}

/**
 * The camera's picture behind a scene, cut as the view cuts it. While a print is near it is the picture that the print was found in.
 * @param {Tracker} tracker
 * @param {HTMLElement} host with the canvas of three.js, which has to be transparent (`alpha: true`)
 * @returns {() => void} takes it away
 */
export function videoBackground(tracker, host) {
  const canvas = document.createElement('canvas');
  const video = document.createElement('video');
  video.muted = video.playsInline = true;
  for (const element of [video, canvas]) {
    Object.assign(element.style, { position: 'absolute', inset: '0', width: '100%', height: '100%', objectFit: 'cover' });
  }
  canvas.hidden = true;
  host.prepend(video, canvas);
  const painter = canvas.getContext('2d', { alpha: false });
  const offs = [
    tracker.on('statechange', () => {
      const stream = tracker.video?.srcObject ?? null;
      if (video.srcObject === stream) return;
      video.srcObject = stream;
      if (stream) video.play().catch(() => undefined);
    }),
    tracker.on('frame', ({ image, picture, anchors }) => {
      if (!image || !picture) return;
      const isNear = anchors.some(({ kind, isVisible }) => kind !== 'place' && isVisible);
      canvas.hidden = !isNear;
      if (!isNear) return;
      if (canvas.width !== picture.width) canvas.width = picture.width;
      if (canvas.height !== picture.height) canvas.height = picture.height;
      painter?.drawImage(image, 0, 0, picture.width, picture.height);
    }),
  ];
  return () => {
    for (const off of offs) off();
    video.srcObject = null;
    video.remove();
    canvas.remove();
  };
}
