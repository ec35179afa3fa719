// Pictures that are drawn for benchmarks, the same each time.

/** Numbers that repeat. */
export function random(seed) {
  let state = seed >>> 0;
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 2 ** 32;
  };
}

/** Boxes and discs of many sizes. */
export function drawn(width, height, seed, count, largest) {
  const next = random(seed);
  const pixels = Uint8Array.from({ length: width * height }, (_, k) => 70 + ((k % width) * 60) / width);
  for (let k = 0; k < count; k++) {
    const [cx, cy, rx, ry] = [next() * width, next() * height, 2 + next() * largest, 2 + next() * largest].map(Math.floor);
    const level = 10 + Math.floor(next() * 230);
    for (let y = Math.max(0, cy - ry); y < Math.min(height, cy + ry); y++) {
      for (let x = Math.max(0, cx - rx); x < Math.min(width, cx + rx); x++) {
        if (k % 2 || ((x - cx) / rx) ** 2 + ((y - cy) / ry) ** 2 < 1) pixels[y * width + x] = level;
      }
    }
  }
  return { width, height, pixels };
}
