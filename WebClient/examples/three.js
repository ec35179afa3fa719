// A square on a marker with three.js, which the page brings: as a script before this one, or as three.module.js beside it.
import { createTracker } from '../embed/tracker.js';
import { anchorObject, followCamera, occluder, videoBackground } from '../embed/three-bridge.js';

const address = new URL('three.module.js', document.baseURI).href;
const THREE = /** @type {any} */ (globalThis).THREE ?? await import(address);
const host = /** @type {HTMLElement} */ (document.querySelector('#view'));
const button = /** @type {HTMLButtonElement} */ (document.querySelector('#start'));
const renderer = new THREE.WebGLRenderer({ alpha: true, preserveDrawingBuffer: true });
const [scene, camera] = [new THREE.Scene(), new THREE.PerspectiveCamera()];
const tracker = await createTracker({ markers: true });
const group = anchorObject(THREE, tracker, tracker.add({ marker: { dictionary: '6x6-250', id: 0, size: 0.06 } }));
group.add(new THREE.Mesh(new THREE.PlaneGeometry(0.06, 0.06), new THREE.MeshBasicMaterial({ color: 0xff00ff })));
// The right half of the marker is behind a real card, 1 cm before it.
const card = occluder(THREE, new THREE.PlaneGeometry(0.03, 0.08));
card.position.set(0.015, 0, 0.01);
group.add(card);
scene.add(group);
renderer.setSize(innerWidth, innerHeight);
host.prepend(renderer.domElement);
videoBackground(tracker, host);
followCamera(tracker, camera);
tracker.on('frame', () => renderer.render(scene, camera));
button.addEventListener('click', () => {
  button.hidden = true;
  void tracker.start();
});
button.disabled = false;
