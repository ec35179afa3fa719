"""Pictures of the page compared with accepted ones.

Accepted pictures are PNG files of 256 colours in `Fixtures/visual`. The 128 commonest colours of a picture, which are its areas,
are kept as they are; what blends between them (edges of letters, gradients) is drawn with the nearest of the others. Comparing and
making palettes is the browser's work: an empty page of its own, with the pictures on canvases; this file reads and writes the files.
"""
import base64
import pathlib
import struct
import zlib

FOLDER = pathlib.Path(__file__).parents[3] / "Fixtures" / "visual"

# A pixel of an area counts as another one when a channel is farther off than `NEAR`, one that blends when it is farther off than `FAR`:
# the nearest colour of the palette is within `FAR` of what was there for all but `LEFT` pixels in a million (`accept` sees to it).
NEAR = 3
FAR = 28
LEFT = 50
# Pixels in a million that may differ: those that the palette leaves, and what smoothing makes of gradients now and then. The smallest
# changes that have to be seen make far more: `test_visual.py` makes some, and says how many.
MOST = 100

PAGE = """
const load = async (data) => {
  const image = await createImageBitmap(await (await fetch('data:image/png;base64,' + data)).blob(), { colorSpaceConversion: 'none' });
  const canvas = new OffscreenCanvas(image.width, image.height);
  const context = canvas.getContext('2d', { willReadFrequently: true });
  context.drawImage(image, 0, 0);
  return context.getImageData(0, 0, image.width, image.height);
};
const base64 = async (blob) => {
  const bytes = new Uint8Array(await blob.arrayBuffer());
  let text = '';
  for (let i = 0; i < bytes.length; i += 32768) text += String.fromCharCode(...bytes.subarray(i, i + 32768));
  return btoa(text);
};
window.compare = async ([before, after, areas, near, far]) => {
  const [a, b] = [await load(before), await load(after)];
  const exact = new Set(areas);
  if (a.width !== b.width || a.height !== b.height) return { size: [[a.width, a.height], [b.width, b.height]], differing: a.width * a.height, total: a.width * a.height };
  let differing = 0, left = a.width, right = -1, top = a.height, bottom = -1;
  const shown = new ImageData(a.width, a.height);
  for (let i = 0; i < a.data.length; i += 4) {
    const off = Math.max(Math.abs(a.data[i] - b.data[i]), Math.abs(a.data[i + 1] - b.data[i + 1]), Math.abs(a.data[i + 2] - b.data[i + 2]));
    const grey = (b.data[i] * 0.3 + b.data[i + 1] * 0.59 + b.data[i + 2] * 0.11) * 0.35 + 150;
    const isOther = off > (exact.has(a.data[i] << 16 | a.data[i + 1] << 8 | a.data[i + 2]) ? near : far);
    shown.data.set(isOther ? [230, 0, 90, 255] : [grey, grey, grey, 255], i);
    if (!isOther) continue;
    differing += 1;
    const x = (i / 4) % a.width, y = Math.floor(i / 4 / a.width);
    left = Math.min(left, x); right = Math.max(right, x); top = Math.min(top, y); bottom = Math.max(bottom, y);
  }
  const result = { differing, total: a.width * a.height, area: differing ? [left, top, right, bottom] : null };
  if (differing) {
    const canvas = new OffscreenCanvas(a.width, a.height);
    canvas.getContext('2d').putImageData(shown, 0, 0);
    result.picture = await base64(await canvas.convertToBlob({ type: 'image/png' }));
  }
  return result;
};
window.palette = async ([picture, far, isSmooth]) => {
  const { data, width, height } = await load(picture);
  const counts = new Map();
  for (let i = 0; i < data.length; i += 4) {
    const key = data[i] << 16 | data[i + 1] << 8 | data[i + 2];
    counts.set(key, (counts.get(key) ?? 0) + 1);
  }
  const all = [...counts].sort((a, b) => b[1] - a[1] || a[0] - b[0]);
  const parts = (key) => [key >> 16, (key >> 8) & 255, key & 255];
  // The commonest as they are; the others in boxes that are halved where they are widest.
  const exact = all.slice(0, 128).map(([key]) => key);
  let boxes = all.length > 128 ? [all.slice(128)] : [];
  const widest = (box) => {
    let best = [0, 0];
    for (const channel of [0, 1, 2]) {
      let low = 255, high = 0;
      for (const [key] of box) { const v = parts(key)[channel]; low = Math.min(low, v); high = Math.max(high, v); }
      if (high - low > best[0]) best = [high - low, channel, (low + high) / 2];
    }
    return best;
  };
  let measured = boxes.map((box) => ({ box, wide: widest(box) }));
  while (measured.length && measured.length < 128) {
    measured.sort((a, b) => b.wide[0] - a.wide[0]);
    const [{ box, wide: [range, channel, middle] }] = measured;
    if (!range) break;
    const halves = [box.filter(([key]) => parts(key)[channel] <= middle), box.filter(([key]) => parts(key)[channel] > middle)];
    measured.splice(0, 1, ...halves.map((half) => ({ box: half, wide: widest(half) })));
  }
  const means = measured.map(({ box }) => {
    // The middle of the box, so that its farthest colour is as near as can be.
    return [0, 1, 2].map((channel) => {
      let low = 255, high = 0;
      for (const [key] of box) { const v = parts(key)[channel]; low = Math.min(low, v); high = Math.max(high, v); }
      return Math.round((low + high) / 2);
    }).reduce((sum, v) => sum << 8 | v, 0);
  });
  // What blends never takes the colour of an area: there a pixel that is a little off is another one.
  const areas = new Set(exact);
  const colours = [...exact, ...new Set(means.filter((key) => !areas.has(key)))];
  const rgb = colours.map(parts);
  const nearest = new Map(exact.map((key, index) => [key, index]));
  const find = (key) => {
    let index = nearest.get(key);
    if (index !== undefined) return index;
    const [r, g, b] = parts(key);
    let best = Infinity;
    rgb.forEach(([x, y, z], k) => {
      if (k < exact.length) return;
      const off = Math.max(Math.abs(x - r), Math.abs(y - g), Math.abs(z - b)) * 1000 + Math.abs(x - r) + Math.abs(y - g) + Math.abs(z - b);
      if (off < best) { best = off; index = k; }
    });
    nearest.set(key, index);
    return index;
  };
  const indices = new Uint8Array(width * height);
  let bad = 0;
  if (isSmooth) {
    // What a pixel is off by goes to its neighbours (Floyd and Steinberg), but for areas, which stay clean.
    const rest = new Float32Array((width + 2) * (height + 1) * 3);
    for (let y = 0; y < height; y++) for (let x = 0; x < width; x++) {
      const i = y * width + x, at = (y * (width + 2) + x + 1) * 3;
      const own = data[4 * i] << 16 | data[4 * i + 1] << 8 | data[4 * i + 2];
      const wanted = [0, 1, 2].map((c) => Math.max(0, Math.min(255, data[4 * i + c] + rest[at + c])));
      indices[i] = nearest.get(own) < exact.length ? nearest.get(own) : find(wanted.reduce((sum, v) => sum << 8 | Math.round(v), 0));
      for (const c of [0, 1, 2]) {
        const off = wanted[c] - rgb[indices[i]][c];
        for (const [dx, dy, part] of [[1, 0, 7], [-1, 1, 3], [0, 1, 5], [1, 1, 1]]) rest[at + (dy * (width + 2) + dx) * 3 + c] += off * part / 16;
      }
    }
    return { width, height, bad, exact: exact.length, colours: rgb.flat(), indices: await base64(new Blob([indices])) };
  }
  for (let i = 0; i < indices.length; i++) {
    const key = data[4 * i] << 16 | data[4 * i + 1] << 8 | data[4 * i + 2];
    indices[i] = find(key);
    const [r, g, b] = parts(key), [x, y, z] = rgb[indices[i]];
    if (Math.max(Math.abs(x - r), Math.abs(y - g), Math.abs(z - b)) > far) bad += 1;
  }
  return { width, height, bad, exact: exact.length, colours: rgb.flat(), indices: await base64(new Blob([indices])) };
};
"""


class Look:
    """Compares and keeps pictures, with an empty page of a browser."""

    def __init__(self, browser, output):
        self.context = browser.new_context()
        self.page = self.context.new_page()
        self.page.evaluate(f"() => {{ {PAGE} }}")
        self.output = output / "look"

    def close(self):
        self.context.close()

    def difference(self, name, picture):
        """How many of a million pixels differ from the accepted picture, and where; the pictures of what differs go to `output`."""
        path = FOLDER / f"{name}.png"
        if not path.exists():
            return {"parts": 1_000_000, "why": "there is no accepted picture"}
        found = self.page.evaluate("(all) => window.compare(all)", [encoded(path.read_bytes()), encoded(picture), areas(path.read_bytes()), NEAR, FAR])
        found["parts"] = round(found["differing"] / found["total"] * 1e6)
        if found["parts"] > MOST:
            self.output.mkdir(parents=True, exist_ok=True)
            (self.output / f"{name}.now.png").write_bytes(picture)
            (self.output / f"{name}.accepted.png").write_bytes(path.read_bytes())
            if "picture" in found:
                (self.output / f"{name}.differs.png").write_bytes(base64.b64decode(found.pop("picture")))
        found.pop("picture", None)
        return found

    def between(self, before, after):
        """The same for two pictures as they were taken, the first as if it had been accepted: pixels in a million."""
        kept = self.reduced(before)
        found = self.page.evaluate("(all) => window.compare(all)", [encoded(kept), encoded(after), areas(kept), NEAR, FAR])
        return round(found["differing"] / found["total"] * 1e6)

    def reduced(self, picture, smooth=False):
        """A picture with a palette of 256 colours; `smooth`: to be looked at and not compared, without steps in its gradients."""
        found = self.page.evaluate("(all) => window.palette(all)", [encoded(picture), FAR, smooth])
        return png(found["width"], found["height"], found["colours"], base64.b64decode(found["indices"]), found["exact"])

    def accept(self, name, picture):
        """Keeps a picture from now on; bytes of the file."""
        found = self.page.evaluate("(all) => window.palette(all)", [encoded(picture), FAR, False])
        assert found["bad"] / (found["width"] * found["height"]) < LEFT / 1e6, f"{name}: 256 colours are too few, {found['bad']} pixels are far off"
        FOLDER.mkdir(parents=True, exist_ok=True)
        data = png(found["width"], found["height"], found["colours"], base64.b64decode(found["indices"]), found["exact"])
        (FOLDER / f"{name}.png").write_bytes(data)
        return len(data)


def encoded(data):
    return base64.b64encode(data).decode()


def chunk(kind, data):
    return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))


def png(width, height, colours, indices, exact):
    """A PNG file with a palette: `colours` as one list of red, green, blue, of which the first `exact` are areas; one index a pixel."""
    rows = b"".join(b"\0" + indices[y * width:(y + 1) * width] for y in range(height))
    return (b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", struct.pack(">IIBBBBB", width, height, 8, 3, 0, 0, 0)) + chunk(b"PLTE", bytes(colours))
            + chunk(b"tEXt", b"areas\0%d" % exact) + chunk(b"IDAT", zlib.compress(rows, 9)) + chunk(b"IEND", b""))


def areas(data):
    """The colours of areas of such a file, each as one number."""
    place, colours = 8, b""
    while place < len(data):
        size, kind = struct.unpack(">I4s", data[place:place + 8])
        body = data[place + 8:place + 8 + size]
        if kind == b"PLTE":
            colours = body
        if kind == b"tEXt" and body.startswith(b"areas\0"):
            return [int.from_bytes(colours[3 * k:3 * k + 3], "big") for k in range(int(body[6:]))]
        place += 12 + size
    return []
