// The shape of a pin that stands on the ground.

/** Radius of a pin's head, in lengths from its foot to the middle of its head. */
export const HEAD_RADIUS = 0.36;
const AROUND = 28;

/**
 * A pin: foot at the origin, middle of its head at (0, 0, 1). A cone that runs into a ball without an edge.
 */
export function pinMesh() {
  const r = HEAD_RADIUS;
  /** @type {[radius: number, z: number, outward: number, up: number][]} */
  const outline = [];
  // Where a line from the foot touches the ball, and which way the surface faces there.
  const touch = Math.asin(r);
  for (const part of [0, 0.35, 0.7, 1]) {
    const reach = part * Math.cos(touch);
    outline.push([Math.max(0.006, reach * Math.sin(touch)), reach * Math.cos(touch), Math.cos(touch), -Math.sin(touch)]);
  }
  const steps = 12;
  for (let k = 1; k <= steps; k++) {
    const angle = -touch + ((Math.PI / 2 + touch) * k) / steps;
    outline.push([r * Math.cos(angle), 1 + r * Math.sin(angle), Math.cos(angle), Math.sin(angle)]);
  }
  const data = new Float32Array(outline.length * (AROUND + 1) * 6);
  /** @type {number[]} */
  const indices = [];
  let at = 0;
  outline.forEach(([radius, z, outward, up], row) => {
    for (let k = 0; k <= AROUND; k++) {
      const a = (2 * Math.PI * k) / AROUND;
      data.set([radius * Math.cos(a), radius * Math.sin(a), z, outward * Math.cos(a), outward * Math.sin(a), up], at);
      at += 6;
      if (row === 0 || k === AROUND) continue;
      const [here, below] = [row * (AROUND + 1) + k, (row - 1) * (AROUND + 1) + k];
      indices.push(below, below + 1, here, here, below + 1, here + 1);
    }
  });
  return { data, indices: new Uint16Array(indices) };
}
