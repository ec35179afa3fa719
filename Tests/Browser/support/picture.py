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
        // The drawing's radius is that of the canvas less a margin of 7 CSS pixels of 112.
        const radius = width / 2 * (1 - 7 / 56);
        if (n >= 4) spots.push([((sx / n + 0.5) - width / 2) / radius, ((sy / n + 0.5) - height / 2) / radius]);
      }
      return spots;
    }""")
