// Pins that would lie on each other become one with their number. Plain arithmetic on points of the screen.

/**
 * @typedef {{ index: number, x: number, y: number }} Spot points of the whole map at one scale
 * @typedef {{ x: number, y: number, members: number[] }} Group stands where its first member is
 */

/**
 * Groups spots so that no two groups are nearer to each other than a radius. Time grows with the number of spots.
 * @param {Spot[]} spots in the order in which they may lead a group
 * @param {number} radius points
 * @param {(index: number) => boolean} [isAlone] whether a spot stands for itself whatever is near
 * @returns {Group[]}
 */
export function cluster(spots, radius, isAlone = () => false) {
  /** @type {Group[]} */
  const groups = [];
  /** @type {Map<string, Group[]>} */
  const cells = new Map();
  for (const { index, x, y } of spots) {
    if (isAlone(index)) {
      groups.push({ x, y, members: [index] });
      continue;
    }
    const [column, row] = [Math.floor(x / radius), Math.floor(y / radius)];
    /** @type {Group | null} */
    let nearest = null;
    let least = radius;
    for (let c = column - 1; c <= column + 1; c++) {
      for (let r = row - 1; r <= row + 1; r++) {
        for (const group of cells.get(`${c} ${r}`) ?? []) {
          const far = Math.hypot(group.x - x, group.y - y);
          if (far < least) [nearest, least] = [group, far];
        }
      }
    }
    if (nearest) {
      nearest.members.push(index);
      continue;
    }
    const group = { x, y, members: [index] };
    groups.push(group);
    const key = `${column} ${row}`;
    const cell = cells.get(key);
    if (cell) cell.push(group);
    else cells.set(key, [group]);
  }
  return groups;
}

/**
 * Places round a middle for pins that stand on one spot: a ring, and a spiral when there are many.
 * @param {number} count
 * @param {number} room points between two neighbours
 * @returns {{ x: number, y: number }[]} from the middle
 */
export function fan(count, room) {
  const ring = Math.max(room * 1.2, (count * room) / (2 * Math.PI));
  if (ring < room * 2.5) {
    return Array.from({ length: count }, (_, k) => {
      const angle = (2 * Math.PI * k) / count - Math.PI / 2;
      return { x: ring * Math.cos(angle), y: ring * Math.sin(angle) };
    });
  }
  let [angle, radius] = [-Math.PI / 2, room * 1.2];
  return Array.from({ length: count }, () => {
    const at = { x: radius * Math.cos(angle), y: radius * Math.sin(angle) };
    angle += room / radius;
    radius += (room * 1.1 * room) / (2 * Math.PI * radius);
    return at;
  });
}
