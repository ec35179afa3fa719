// Everything for other people's pages as one script without modules: `<script src="sightline.js">`, then `Sightline.createTracker`. It is
// bundled by Scripts/build-npm; no page imports it.

import '../sightline-view.js';

export { cssFollow } from '../css-bridge.js';
export { anchorObject, followCamera, occluder, videoBackground } from '../three-bridge.js';
export { DescriptionError, TrackerError, createTracker } from '../tracker.js';
export { webglBridge } from '../webgl-bridge.js';
