// The vision worker for a page of any origin.

import { ownWorker } from './own-worker.js';

export const visionWorker = () => ownWorker(new URL('../app/vision/vision-worker.js', import.meta.url));
