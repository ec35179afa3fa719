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
    FloatPicture(width: newWidth, height: newHeight, from: width, height) { row, weight, sum in
      let from = pixels.base + row &* width
      for x in 0..<width { sum[x] += weight * from[x] }
    }
  }

  /// A picture of grey levels at another size, as ``resized(width:height:)`` makes it.
  convenience init(_ view: GrayView, width: Int, height: Int) {
    self.init(width: width, height: height, from: view.width, view.height) { row, weight, sum in
      let from = view.row(row)
      for x in 0..<view.width { sum[x] += weight * Float(from[x]) }
    }
  }

  /// A smaller picture; `add` adds a row of the larger one, times a weight, to a row.
  @inline(__always)
  private convenience init(
    width: Int,
    height: Int,
    from oldWidth: Int,
    _ oldHeight: Int,
    add: (_ row: Int, _ weight: Float, _ sum: UnsafeMutablePointer<Float>) -> Void
  ) {
    self.init(width: width, height: height)
    let (columns, rows) = (Taps(from: oldWidth, to: width), Taps(from: oldHeight, to: height))
    // Down first, a row at a time, then across that row, with its ends repeated on either side.
    let margin = columns.length
    let line = Memory<Float>(count: oldWidth + 2 * margin, filledWith: 0)
    let inner = line.base + margin
    for y in 0..<height {
      for x in 0..<oldWidth { inner[x] = 0 }
      for i in 0..<rows.length {
        let weight = rows.weights.base[y &* rows.length &+ i]
        if weight == 0 { continue }
        add(min(oldHeight - 1, max(0, Int(rows.first.base[y]) + i)), weight, inner)
      }
      for i in 0..<margin { (line.base[i], inner[oldWidth &+ i]) = (inner[0], inner[oldWidth &- 1]) }
      columns.gather(inner, pixels.base + y &* width, width)
    }
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
