// The short sound of a code that was read.

/** @type {AudioContext | null} */
let context = null;

/** Sounds, where the browser lets it. */
export function beep() {
  try {
    context ??= new AudioContext();
    void context.resume();
    const tone = context.createOscillator();
    const volume = context.createGain();
    const now = context.currentTime;
    tone.frequency.value = 1320;
    volume.gain.setValueAtTime(0.12, now);
    volume.gain.exponentialRampToValueAtTime(0.001, now + 0.12);
    tone.connect(volume).connect(context.destination);
    tone.start(now);
    tone.stop(now + 0.13);
  } catch {
    // No sound here: the vibration and the picture tell it too.
  }
}
