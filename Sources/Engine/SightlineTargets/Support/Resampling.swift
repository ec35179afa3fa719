import SightlineImaging

/// A picture of numbers, row by row: grey levels between which is interpolated.
final class FloatPicture {
  let width: Int
  let height: Int
  let pixels: Buffer<Float>

  init(width: Int, height: Int) {
    self.width = width
    self.height = height
    // One row and some more, so that reading a pixel's right and lower neighbours needs no test.
    pixels = Buffer(count: width * (height + 1) + 16, filledWith: 0)
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
    let rows = Taps(from: height, to: newHeight)
    return FloatPicture(width: newWidth, height: newHeight, from: width, height, rows) { row in
      UnsafePointer(pixels.base + row &* width)
    }
  }

  /// A picture of grey levels at another size, as ``resized(width:height:)`` makes it.
  convenience init(_ view: GrayView, width: Int, height: Int) {
    let rows = Taps(from: view.height, to: height)
    // As many rows as numbers as a new one is made of; each is made once.
    let (atOnce, numbers) = (rows.length, Buffer<Float>(count: rows.length * view.width, filledWith: 0))
    var made = 0
    self.init(width: width, height: height, from: view.width, view.height, rows) { row in
      while made <= row {
        let (from, to) = (view.row(made), numbers.base + made % atOnce &* view.width)
        for x in 0..<view.width { to[x] = Float(from[x]) }
        made += 1
      }
      return UnsafePointer(numbers.base + row % atOnce &* view.width)
    }
  }

  /// A smaller picture; `row` lends rows of the larger one, from the first to the last, until one has been made of
  /// them.
  @inline(__always)
  private convenience init(
    width: Int,
    height: Int,
    from oldWidth: Int,
    _ oldHeight: Int,
    _ rows: Taps,
    row: (Int) -> UnsafePointer<Float>
  ) {
    self.init(width: width, height: height)
    let columns = Taps(from: oldWidth, to: width)
    // Down first, a row at a time, then across that row, with its ends repeated on either side.
    let margin = columns.length + 4
    let line = Buffer<Float>(count: oldWidth + 2 * margin, filledWith: 0)
    let inner = line.base + margin
    for y in 0..<height {
      let (first, weights) = (Int(rows.first.base[y]), rows.weights.base + y &* rows.length)
      // Three at once: each sum is read and written once for them.
      for i in stride(from: 0, to: rows.length, by: 3) {
        func from(_ k: Int) -> UnsafePointer<Float> {
          row(min(oldHeight - 1, max(0, first + min(i + k, rows.length - 1))))
        }
        func weight(_ k: Int) -> Float { i + k < rows.length ? weights[i + k] : 0 }
        let (a, b, c) = (from(0), from(1), from(2))
        Self.addUp(a, weight(0), b, weight(1), c, weight(2), to: inner, oldWidth, isFirst: i == 0)
      }
      for i in 0..<margin { (line.base[i], inner[oldWidth &+ i]) = (inner[0], inner[oldWidth &- 1]) }
      columns.gather(inner, pixels.base + y &* width, width)
    }
  }

  /// Adds three rows times weights to a row, or to nothing.
  @_optimize(speed)
  @inline(never)
  private static func addUp(
    _ a: UnsafePointer<Float>,
    _ u: Float,
    _ b: UnsafePointer<Float>,
    _ v: Float,
    _ c: UnsafePointer<Float>,
    _ w: Float,
    to sum: UnsafeMutablePointer<Float>,
    _ count: Int,
    isFirst: Bool
  ) {
    if isFirst {
      for x in 0..<count { sum[x] = u * a[x] + v * b[x] + w * c[x] }
    } else {
      for x in 0..<count { sum[x] = sum[x] + u * a[x] + v * b[x] + w * c[x] }
    }
  }

  /// The picture in whole grey levels.
  @_optimize(speed)
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
  /// How many pixels each is made of at most.
  let length: Int
  let first: Buffer<Int32>
  let weights: Buffer<Float>

  init(from: Int, to: Int) {
    let ratio = Double(from) / Double(to)
    let radius = max(1, ratio)
    let most = Int((2 * radius).rounded(.up)) + 1
    first = Buffer(count: to, filledWith: 0)
    let all = Buffer<Float>(count: to * most, filledWith: 0)
    let parts = Buffer<Double>(count: most, filledWith: 0)
    var length = 1
    for i in 0..<to {
      let center = (Double(i) + 0.5) * ratio - 0.5
      let start = Int((center - radius).rounded(.up))
      first.base[i] = Int32(truncatingIfNeeded: start)
      var total = 0.0
      for k in 0..<most {
        parts.base[k] = max(0, 1 - abs(Double(start + k) - center) / radius)
        total += parts.base[k]
      }
      for k in 0..<most where parts.base[k] > 0 {
        all.base[i * most + k] = Float(parts.base[k] / total)
        length = max(length, k + 1)
      }
    }
    // The last ones mostly are nothing everywhere.
    self.length = length
    weights = Buffer(count: to * length, filledWith: 0)
    for i in 0..<to {
      for k in 0..<length { weights.base[i * length + k] = all.base[i * most + k] }
    }
  }

  /// The pixels of a smaller row.
  @_optimize(speed)
  func gather(_ from: UnsafePointer<Float>, _ to: UnsafeMutablePointer<Float>, _ count: Int) {
    // Those of usual ratios without a loop in the loop.
    switch length {
    case 2: gather(from, to, count, length: 2)
    case 3: gather(from, to, count, length: 3)
    case 4: gather(from, to, count, length: 4)
    case 5: gather(from, to, count, length: 5)
    case 6: gather(from, to, count, length: 6)
    default: gather(from, to, count, length: length)
    }
  }

  @inline(__always)
  private func gather(_ from: UnsafePointer<Float>, _ to: UnsafeMutablePointer<Float>, _ count: Int, length: Int) {
    let (first, weights) = (first.base, weights.base)
    for x in 0..<count {
      let (own, start) = (weights + x &* length, from + Int(first[x]))
      var sum: Float = 0
      for i in 0..<length { sum += own[i] * start[i] }
      to[x] = sum
    }
  }
}
