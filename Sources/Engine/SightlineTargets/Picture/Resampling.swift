import SightlineImaging

/// A picture of numbers, row by row: grey levels between which is interpolated.
final class FloatPicture {
  let width: Int
  let height: Int
  let pixels: Memory<Float>

  init(width: Int, height: Int) {
    self.width = width
    self.height = height
    // One row and some more, so that reading a pixel's right and lower neighbours needs no test.
    pixels = Memory(count: width * (height + 1) + 16, filledWith: 0)
  }

  /// The grey levels of a picture.
  convenience init(_ view: GrayView) {
    self.init(width: view.width, height: view.height)
    for y in 0..<height {
      let row = view.row(y)
      for x in 0..<width { pixels.base[y &* width &+ x] = Float(row[x]) }
    }
  }

  /// The picture at another size, not larger: each pixel the mean under a triangle two new pixels wide.
  func resized(width newWidth: Int, height newHeight: Int) -> FloatPicture {
    let result = FloatPicture(width: newWidth, height: newHeight)
    let (columns, rows) = (Taps(from: width, to: newWidth), Taps(from: height, to: newHeight))
    // Down first, a row at a time, then across that row, with its ends repeated on either side.
    let margin = columns.length
    let line = Memory<Float>(count: width + 2 * margin, filledWith: 0)
    let inner = line.base + margin
    for y in 0..<newHeight {
      for x in 0..<width { inner[x] = 0 }
      for i in 0..<rows.length {
        let weight = rows.weights.base[y &* rows.length &+ i]
        if weight == 0 { continue }
        let from = pixels.base + min(height - 1, max(0, Int(rows.first.base[y]) + i)) &* width
        for x in 0..<width { inner[x] += weight * from[x] }
      }
      for i in 0..<margin { (line.base[i], inner[width &+ i]) = (inner[0], inner[width &- 1]) }
      columns.gather(inner, result.pixels.base + y &* newWidth, newWidth)
    }
    return result
  }

  /// The picture in whole grey levels.
  func rounded() -> GrayImage {
    var image = GrayImage(width: width, height: height)
    image.withMutablePixels { to in
      for i in 0..<(width * height) { to[i] = UInt8(max(0, min(255, (pixels.base[i] + 0.5).rounded(.down)))) }
    }
    return image
  }
}

/// Which pixels a pixel of a smaller picture is made of, along one axis.
private struct Taps {
  let length: Int
  let first: Memory<Int32>
  let weights: Memory<Float>

  init(from: Int, to: Int) {
    let ratio = Double(from) / Double(to)
    let radius = max(1, ratio)
    length = Int((2 * radius).rounded(.up)) + 1
    first = Memory(count: to, filledWith: 0)
    weights = Memory(count: to * length, filledWith: 0)
    for i in 0..<to {
      let center = (Double(i) + 0.5) * ratio - 0.5
      let start = Int((center - radius).rounded(.up))
      first.base[i] = Int32(truncatingIfNeeded: start)
      var total = 0.0
      for k in 0..<length { total += max(0, 1 - abs(Double(start + k) - center) / radius) }
      for k in 0..<length {
        weights.base[i * length + k] = Float(max(0, 1 - abs(Double(start + k) - center) / radius) / total)
      }
    }
  }

  /// The pixels of a smaller row.
  @inline(never)
  func gather(_ from: UnsafePointer<Float>, _ to: UnsafeMutablePointer<Float>, _ count: Int) {
    let (first, weights, length) = (first.base, weights.base, length)
    for x in 0..<count {
      var sum: Float = 0
      let (own, start) = (weights + x &* length, from + Int(first[x]))
      for i in 0..<length { sum += own[i] * start[i] }
      to[x] = sum
    }
  }
}
