// Map pictures for the ground, of a map server or drawn of the operator's own map. Web Mercator tiles; the corners of each are put
// into the ground frame by the engine.

const KEEP = 90;
const AT_ONCE = 6;

/**
 * @typedef {import('../../engine/ground.js').Ground} Ground
 * @typedef {import('../../engine/places.js').Places} Places
 * @typedef {{ maxZoom: number, picture: (zoom: number, column: number, row: number) => Promise<TexImageSource | null>,
 *   covers?: (position: { latitude: number, longitude: number }) => boolean }} Source `picture` is nothing where there is no map, and rejects
 *   when it cannot be had; `covers` says whether there is one around a position, which a map server does not know
 * @typedef {{ key: string, corners: Float64Array, texture: WebGLTexture | null, used: number, failed: boolean }} Entry
 */

/**
 * The pictures of a map server.
 * @param {{ url: string, maxZoom: number }} server
 * @returns {Source}
 */
export const pictures = ({ url, maxZoom }) => ({
  maxZoom,
  async picture(zoom, column, row) {
    const image = new Image();
    image.crossOrigin = 'anonymous';
    image.src = url.replace('{z}', String(zoom)).replace('{x}', String(column)).replace('{y}', String(row))
      .replace('{s}', 'abc'[(column + row) % 3]).replace('{r}', '');
    await image.decode();
    return image;
  },
});

export class Tiles {
  /** @type {Map<string, Entry>} */
  #entries = new Map();
  #loading = 0;
  #turn = 0;

  /**
   * @param {WebGL2RenderingContext} gl
   * @param {Source} source
   * @param {() => void} came told when a picture has come
   */
  constructor(gl, source, came) {
    this.gl = gl;
    this.source = source;
    this.came = came;
  }

  /** After the ground frame's origin has moved, the corners of all tiles are elsewhere. */
  forgetPlaces() {
    for (const { texture } of this.#entries.values()) if (texture) this.gl.deleteTexture(texture);
    this.#entries.clear();
  }

  /**
   * The pictures there are for a stretch of ground; those that are missing are fetched.
   * @param {{ latitude: number, longitude: number }} center
   * @param {number} radius metres
   * @param {Ground} ground
   * @param {Places} places
   * @returns {import('./renderer.js').Tile[]}
   */
  around(center, radius, ground, places) {
    this.#turn += 1;
    const map = places.onMap(center);
    // Four or five tiles across: their size halves with each step of the zoom.
    const zoom = Math.max(2, Math.min(this.source.maxZoom, 19, Math.floor(Math.log2((map.side * 4.5) / radius)) - 1));
    const scale = 2 ** zoom;
    const [x, y, across] = [map.x * scale, map.y * scale, (radius / map.side) * scale];
    /** @type {import('./renderer.js').Tile[]} */
    const found = [];
    const missing = [];
    for (let row = Math.floor(y - across); row <= y + across; row++) {
      if (row < 0 || row >= scale) continue;
      for (let column = Math.floor(x - across); column <= x + across; column++) {
        const entry = this.#entry(zoom, column, row, ground, places);
        entry.used = this.#turn;
        if (entry.texture) found.push({ corners: entry.corners, texture: entry.texture });
        else if (!entry.failed) missing.push({ entry, column, row, far: Math.hypot(column + 0.5 - x, row + 0.5 - y) });
      }
    }
    missing.sort((a, b) => a.far - b.far);
    for (const { entry, column, row } of missing) {
      if (this.#loading >= AT_ONCE) break;
      if (!this.#waiting.has(entry.key)) void this.#load(entry, zoom, ((column % scale) + scale) % scale, row);
    }
    this.#trim();
    return found;
  }

  /** @type {Set<string>} */
  #waiting = new Set();

  /**
   * @param {number} zoom
   * @param {number} column
   * @param {number} row
   * @param {Ground} ground
   * @param {Places} places
   */
  #entry(zoom, column, row, ground, places) {
    const key = `${zoom}/${column}/${row}`;
    let entry = this.#entries.get(key);
    if (entry) return entry;
    const scale = 2 ** zoom;
    const { latitude: north, longitude: west } = places.position(column / scale, row / scale);
    const { latitude: south, longitude: east } = places.position((column + 1) / scale, (row + 1) / scale);
    entry = { key, corners: ground.convert([north, west, north, east, south, west, south, east]), texture: null, used: 0, failed: false };
    this.#entries.set(key, entry);
    return entry;
  }

  /**
   * @param {Entry} entry
   * @param {number} zoom
   * @param {number} column
   * @param {number} row
   */
  async #load(entry, zoom, column, row) {
    this.#loading += 1;
    this.#waiting.add(entry.key);
    try {
      const image = await this.source.picture(zoom, column, row);
      if (this.#entries.get(entry.key) !== entry) return;
      if (!image) {
        entry.failed = true;
        return;
      }
      const { gl } = this;
      const texture = gl.createTexture();
      gl.activeTexture(gl.TEXTURE0);
      gl.bindTexture(gl.TEXTURE_2D, texture);
      gl.texImage2D(gl.TEXTURE_2D, 0, gl.RGBA, gl.RGBA, gl.UNSIGNED_BYTE, image);
      gl.generateMipmap(gl.TEXTURE_2D);
      gl.texParameteri(gl.TEXTURE_2D, gl.TEXTURE_MIN_FILTER, gl.LINEAR_MIPMAP_LINEAR);
      gl.texParameteri(gl.TEXTURE_2D, gl.TEXTURE_WRAP_S, gl.CLAMP_TO_EDGE);
      gl.texParameteri(gl.TEXTURE_2D, gl.TEXTURE_WRAP_T, gl.CLAMP_TO_EDGE);
      entry.texture = texture;
    } catch {
      // A picture that is missing, or that its server does not let others draw with: the drawn ground is there instead.
      entry.failed = true;
    } finally {
      this.#loading -= 1;
      this.#waiting.delete(entry.key);
      this.came();
    }
  }

  #trim() {
    if (this.#entries.size <= KEEP) return;
    for (const [key, entry] of this.#entries) {
      if (entry.used === this.#turn || this.#waiting.has(key)) continue;
      if (entry.texture) this.gl.deleteTexture(entry.texture);
      this.#entries.delete(key);
      if (this.#entries.size <= KEEP) return;
    }
  }
}
