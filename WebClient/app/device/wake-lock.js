// Keeps the screen on while the view is used. Where the browser cannot, nothing happens.

/** @type {WakeLockSentinel | null} */
let lock = null;
let wanted = false;

/** Best called inside a tap: some browsers want one. */
export async function keepAwake() {
  wanted = true;
  if (lock && !lock.released) return;
  try {
    lock = (await navigator.wakeLock?.request('screen')) ?? null;
  } catch {
    lock = null;
  }
}

export function letSleep() {
  wanted = false;
  void lock?.release().catch(() => undefined);
  lock = null;
}

// The lock is lost whenever the page is hidden.
document.addEventListener('visibilitychange', () => {
  if (wanted && document.visibilityState === 'visible') void keepAwake();
});
