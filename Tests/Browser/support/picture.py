"""Looks at pixels, with the browser's own decoder."""


def decode(page, data, spots):
    """Size of an encoded picture and its colours (r, g, b, a) at some places (x, y)."""
    import base64
    return page.evaluate("""async ([text, spots]) => {
      const bytes = Uint8Array.from(atob(text), (c) => c.charCodeAt(0));
      const bitmap = await createImageBitmap(new Blob([bytes]));
      const canvas = new OffscreenCanvas(bitmap.width, bitmap.height);
      const context = canvas.getContext('2d', { willReadFrequently: true });
      context.drawImage(bitmap, 0, 0);
      // Beyond its edge nothing is seen, in any picture.
      for (const [x, y] of spots) if (x < 0 || y < 0 || x > bitmap.width || y > bitmap.height) throw new Error(`${[x, y]} in ${[bitmap.width, bitmap.height]}`);
      return { size: [bitmap.width, bitmap.height],
        colours: spots.map(([x, y]) => [...context.getImageData(Math.round(x), Math.round(y), 1, 1).data]) };
    }""", [base64.b64encode(data).decode(), [list(spot) for spot in spots]])


def radar_spots(page):
    """Where the radar is brightest in the blips' own green: centres of blips, as fractions of the disc's radius from its
    centre (x right, y down)."""
    return page.evaluate("""() => {
      const drawn = document.querySelector('#radar'), { width, height } = drawn;
      const context = new OffscreenCanvas(width, height).getContext('2d', { willReadFrequently: true });
      context.drawImage(drawn, 0, 0);
      const { data } = context.getImageData(0, 0, width, height);
      const seen = new Uint8Array(width * height), spots = [];
      const green = (i) => data[4 * i + 1] > 200 && data[4 * i + 1] > data[4 * i] + 60 && data[4 * i + 2] > 150
        && data[4 * i + 3] > 200;
      for (let start = 0; start < width * height; start++) {
        if (seen[start] || !green(start)) continue;
        let stack = [start], n = 0, sx = 0, sy = 0;
        seen[start] = 1;
        while (stack.length) {
          const i = stack.pop(), x = i % width, y = (i - x) / width;
          n++; sx += x; sy += y;
          for (const j of [i - 1, i + 1, i - width, i + width]) {
            if (j >= 0 && j < width * height && !seen[j] && green(j)) { seen[j] = 1; stack.push(j); }
          }
        }
        // The drawing's radius is that of the canvas less a margin of 7 CSS pixels.
        const radius = width / 2 - 7 * width / drawn.clientWidth;
        if (n >= 4) spots.push([((sx / n + 0.5) - width / 2) / radius, ((sy / n + 0.5) - height / 2) / radius]);
      }
      return spots;
    }""")


def patches(page, data, colors, tolerance=70, boxes=None):
    """Of an encoded picture, for each colour (r, g, b): the middle of its pixels, how many there are, and the box round
    them (left, top, right, bottom), in pixels; `None` where there are none. `boxes` limits where to look for each."""
    import base64
    return page.evaluate("""async ([text, colors, tolerance, boxes]) => {
      const bytes = Uint8Array.from(atob(text), (c) => c.charCodeAt(0));
      const bitmap = await createImageBitmap(new Blob([bytes]));
      const canvas = new OffscreenCanvas(bitmap.width, bitmap.height);
      const context = canvas.getContext('2d', { willReadFrequently: true });
      context.drawImage(bitmap, 0, 0);
      return colors.map(([r, g, b], k) => {
        const [left, top, right, bottom] = (boxes?.[k] ?? [0, 0, bitmap.width, bitmap.height]).map(Math.round);
        const width = right - left, { data } = context.getImageData(left, top, width, bottom - top);
        let n = 0, sx = 0, sy = 0, x0 = 1e9, y0 = 1e9, x1 = -1, y1 = -1;
        for (let i = 0; i < data.length; i += 4) {
          if (Math.max(Math.abs(data[i] - r), Math.abs(data[i + 1] - g), Math.abs(data[i + 2] - b)) > tolerance) continue;
          const x = left + (i / 4) % width, y = top + Math.floor(i / 4 / width);
          n++; sx += x; sy += y;
          x0 = Math.min(x0, x); y0 = Math.min(y0, y); x1 = Math.max(x1, x); y1 = Math.max(y1, y);
        }
        return n ? { middle: [sx / n + 0.5, sy / n + 0.5], count: n, box: [x0, y0, x1 + 1, y1 + 1] } : null;
      });
    }""", [base64.b64encode(data).decode(), [list(color) for color in colors], tolerance, boxes])


def difference(page, one, other, boxes):
    """How two encoded pictures of the same size differ inside each box (left, top, right, bottom; pixels): the mean difference of
    their colours, 0 to 255, and the share of pixels that differ by more than 64 in one of them, after both were made half as large."""
    import base64
    return page.evaluate("""async ([texts, boxes]) => {
      const [one, other] = await Promise.all(texts.map(async (text) => {
        const bytes = Uint8Array.from(atob(text), (c) => c.charCodeAt(0));
        const bitmap = await createImageBitmap(new Blob([bytes]));
        const canvas = new OffscreenCanvas(bitmap.width / 2, bitmap.height / 2);
        const context = canvas.getContext('2d', { willReadFrequently: true });
        context.drawImage(bitmap, 0, 0, canvas.width, canvas.height);
        return { context, size: [bitmap.width, bitmap.height] };
      }));
      if (one.size.join() !== other.size.join()) throw new Error(`${one.size} and ${other.size}`);
      return boxes.map(([left, top, right, bottom]) => {
        if (left < 0 || top < 0 || right > one.size[0] || bottom > one.size[1]) throw new Error(`${[left, top, right, bottom]} in ${one.size}`);
        const area = [left / 2, top / 2, Math.max(1, (right - left) / 2), Math.max(1, (bottom - top) / 2)].map(Math.round);
        const [a, b] = [one, other].map(({ context }) => context.getImageData(...area).data);
        let [sum, far, n] = [0, 0, 0];
        for (let i = 0; i < a.length; i += 4) {
          const most = Math.max(...[0, 1, 2].map((k) => Math.abs(a[i + k] - b[i + k])));
          sum += most;
          far += most > 64 ? 1 : 0;
          n += 1;
        }
        return { mean: sum / n, far: far / n };
      });
    }""", [[base64.b64encode(data).decode() for data in (one, other)], [list(box) for box in boxes]])
