// What a world lets hear, on the stage: what cannot be played is said at the top of it.

import { toast } from '../ui/toast.js';
import { WorldSounds } from './world-sounds.js';

export class Sounds extends WorldSounds {
  /**
   * @param {import('../session/session.js').Session} session
   * @param {HTMLElement} stage
   */
  constructor(session, stage) {
    super(session, stage, (text) => void toast(text, { kind: 'warning', key: 'sound' }));
  }
}
