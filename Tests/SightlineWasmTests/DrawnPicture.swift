import SightlineMarkers
import SightlineTestSupport

/// Grey levels with something flat drawn on them.
///
/// Turns are by rational numbers in place of sine and cosine, so that the pixels are the same everywhere.
struct DrawnPicture {
  let width: Int
  let height: Int
  var pixels: [UInt8]

  init(_ width: Int, _ height: Int, level: UInt8 = 0) {
    (self.width, self.height) = (width, height)
    pixels = [UInt8](repeating: level, count: width * height)
  }

  subscript(x: Int, y: Int) -> UInt8 {
    get { pixels[y * width + x] }
    set { pixels[y * width + x] = newValue }
  }

  /// Draws another picture with its middle at a point, turned clockwise and scaled; each pixel is the mean of four points.
  mutating func draw(_ other: DrawnPicture, at center: (x: Double, y: Double), scale: Double, turn: Double) {
    let (c, s) = ((1 - turn * turn) / (1 + turn * turn), 2 * turn / (1 + turn * turn))
    let reach = Double(max(other.width, other.height)) * scale
    let (middleX, middleY) = (Double(other.width - 1) / 2, Double(other.height - 1) / 2)
    for y in max(0, Int(center.y - reach))..<min(height, Int(center.y + reach)) {
      for x in max(0, Int(center.x - reach))..<min(width, Int(center.x + reach)) {
        var sum = 0.0
        for k in 0..<4 {
          let dx = Double(x) + (k % 2 == 0 ? -0.25 : 0.25) - center.x
          let dy = Double(y) + (k < 2 ? -0.25 : 0.25) - center.y
          let (u, v) = ((c * dx + s * dy) / scale + middleX, (c * dy - s * dx) / scale + middleY)
          sum += other.level(u, v) ?? Double(self[x, y])
        }
        self[x, y] = UInt8(sum / 4)
      }
    }
  }

  /// Adds noise of up to so many levels.
  mutating func addNoise(_ size: Int, seed: UInt64) {
    var g = SplitMix64(seed: seed)
    for k in pixels.indices {
      pixels[k] = UInt8(clamping: Int(pixels[k]) + Int.random(in: -size...size, using: &g))
    }
  }

  /// Between pixels; `nil` more than half a pixel outside.
  private func level(_ u: Double, _ v: Double) -> Double? {
    guard u >= -0.5, v >= -0.5, u < Double(width) - 0.5, v < Double(height) - 0.5 else { return nil }
    let (x, y) = (max(0, min(Double(width) - 1.001, u)), max(0, min(Double(height) - 1.001, v)))
    let (i, j) = (Int(x), Int(y))
    let (fx, fy) = (x - Double(i), y - Double(j))
    func at(_ i: Int, _ j: Int) -> Double { Double(self[i, j]) }
    return (at(i, j) * (1 - fx) + at(i + 1, j) * fx) * (1 - fy)
      + (at(i, j + 1) * (1 - fx) + at(i + 1, j + 1) * fx) * fy
  }

  /// A marker with a margin of one cell, eight pixels a cell.
  static func marker(_ family: MarkerFamily, id: Int) -> DrawnPicture {
    let (n, cell) = (family.cells, 8)
    let code = family.code(id: id)
    var picture = DrawnPicture((n + 4) * cell, (n + 4) * cell, level: 200)
    for y in cell..<((n + 3) * cell) {
      for x in cell..<((n + 3) * cell) {
        let (column, row) = (x / cell - 2, y / cell - 2)
        let isInside = column >= 0 && row >= 0 && column < n && row < n
        let isWhite = isInside && (code >> UInt64(n * n - 1 - row * n - column)) & 1 == 1
        picture[x, y] = isWhite ? 200 : 40
      }
    }
    return picture
  }

  /// Discs and bars of many sizes.
  static func poster(_ width: Int = 200, _ height: Int = 150) -> DrawnPicture {
    var g = SplitMix64(seed: 41)
    var picture = DrawnPicture(width, height)
    for k in picture.pixels.indices { picture.pixels[k] = UInt8(80 + (k % width) / 3) }
    for k in 0..<90 {
      let (cx, cy) = (Int.random(in: 0..<width, using: &g), Int.random(in: 0..<height, using: &g))
      let (rx, ry) = (Int.random(in: 2...14, using: &g), Int.random(in: 2...14, using: &g))
      let level = UInt8.random(in: 10...245, using: &g)
      for y in max(0, cy - ry)..<min(height, cy + ry) {
        for x in max(0, cx - rx)..<min(width, cx + rx) {
          let (dx, dy) = (x - cx, y - cy)
          if k % 2 == 0 || dx * dx * ry * ry + dy * dy * rx * rx < rx * rx * ry * ry { picture[x, y] = level }
        }
      }
    }
    return picture
  }
}
