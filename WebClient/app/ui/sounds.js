// Short tones, made and not fetched: of an arrival, an answer, a picture.

/** @type {AudioContext | null} */
let context = null;
/** How loud at most: a phone in a museum is not an instrument. */
const LOUDEST = 0.1;

/**
 * Frequencies in hertz, each with when it begins and how long it rings, seconds.
 * @type {Record<import('./feel.js').Moment, [hertz: number, begin: number, length: number][]>}
 */
const TONES = {
  arrived: [[784, 0, 0.18], [1047, 0.14, 0.3]],
  right: [[659, 0, 0.14], [831, 0.11, 0.14], [988, 0.22, 0.4]],
  wrong: [[233, 0, 0.22], [196, 0.16, 0.3]],
  taken: [[1760, 0, 0.04], [1175, 0.05, 0.06]],
};

/**
 * Sounds, where the browser lets it.
 * @param {import('./feel.js').Moment} moment
 */
export function sound(moment) {
  // Before the first tap no browser does, and each says so on its console.
  const { userActivation } = /** @type {{ userActivation?: { hasBeenActive: boolean } }} */ (navigator);
  if (userActivation?.hasBeenActive === false) return;
  context ??= new AudioContext();
  void context.resume();
  const now = context.currentTime;
  for (const [hertz, begin, length] of TONES[moment]) {
    const tone = context.createOscillator(), volume = context.createGain();
    tone.type = 'triangle';
    tone.frequency.value = hertz;
    volume.gain.setValueAtTime(0.0001, now + begin);
    volume.gain.exponentialRampToValueAtTime(LOUDEST, now + begin + 0.012);
    volume.gain.exponentialRampToValueAtTime(0.0001, now + begin + length);
    tone.connect(volume).connect(context.destination);
    tone.start(now + begin);
    tone.stop(now + begin + length + 0.02);
  }
}
