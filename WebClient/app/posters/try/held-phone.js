// How the phone is held, as the platform last said.

export class HeldPhone {
  /** @type {{ beta: number, gamma: number } | null} degrees */
  angles = null;
  #life = new AbortController();

  constructor() {
    // Angles instead of the accelerometer: its sign differs between platforms, the angles do not.
    addEventListener('deviceorientation', ({ beta, gamma }) => {
      if (beta !== null && gamma !== null) this.angles = { beta, gamma };
    }, { signal: this.#life.signal });
  }

  close() {
    this.#life.abort();
  }
}
