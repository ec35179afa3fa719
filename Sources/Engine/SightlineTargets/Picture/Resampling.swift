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
    FloatPicture(width: newWidth, height: newHeight, from: width, height) { row, weights, count, sum in
      addUp(pixels.base, width, width, height, row, weights, count, sum)
    }
  }

  /// A picture of grey levels at another size, as ``resized(width:height:)`` makes it.
  convenience init(_ view: GrayView, width: Int, height: Int) {
    self.init(width: width, height: height, from: view.width, view.height) { row, weights, count, sum in
      addUp(view.pixels, view.stride, view.width, view.height, row, weights, count, sum)
    }
  }

  /// A smaller picture; `addUp` sums up rows of the larger one times weights, of those from one on.
  @inline(__always)
  private convenience init(
    width: Int,
    height: Int,
    from oldWidth: Int,
    _ oldHeight: Int,
    addUp: (_ row: Int, _ weights: UnsafePointer<Float>, _ count: Int, _ sum: UnsafeMutablePointer<Float>) -> Void
  ) {
    self.init(width: width, height: height)
    let (columns, rows) = (Taps(from: oldWidth, to: width), Taps(from: oldHeight, to: height))
    // Down first, a row at a time, then across that row, with its ends repeated on either side.
    let margin = columns.length + 4
    let line = Memory<Float>(count: oldWidth + 2 * margin, filledWith: 0)
    let inner = line.base + margin
    for y in 0..<height {
      addUp(Int(rows.first.base[y]), rows.weights.base + y &* rows.length, rows.length, inner)
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

/// Sums up rows of numbers times weights, from one on, those beyond a picture's end as the last of it.
@inline(__always)
private func addUp<Number: BitwiseCopyable & LevelNumber>(
  _ pixels: UnsafePointer<Number>,
  _ stride: Int,
  _ width: Int,
  _ height: Int,
  _ row: Int,
  _ weights: UnsafePointer<Float>,
  _ count: Int,
  _ sum: UnsafeMutablePointer<Float>
) {
  func at(_ i: Int) -> UnsafePointer<Number> { pixels + min(height &- 1, max(0, row &+ i)) &* stride }
  // Three at once: each sum is read and written once for them.
  var i = 0
  while i < count {
    let (a, b, c) = (at(i), at(i &+ 1), at(i &+ 2))
    let u = weights[i]
    let v = i &+ 1 < count ? weights[i &+ 1] : 0
    let w = i &+ 2 < count ? weights[i &+ 2] : 0
    if i == 0 {
      for x in 0..<width { sum[x] = u * a[x].level + v * b[x].level + w * c[x].level }
    } else {
      for x in 0..<width { sum[x] = sum[x] + u * a[x].level + v * b[x].level + w * c[x].level }
    }
    i &+= 3
  }
}

/// What can be a grey level.
private protocol LevelNumber {
  /// The grey level.
  var level: Float { get }
}

extension UInt8: LevelNumber {
  fileprivate var level: Float { Float(self) }
}

extension Float: LevelNumber {
  fileprivate var level: Float { self }
}

/// Which pixels a pixel of a smaller picture is made of, along one axis.
private struct Taps {
  /// How many pixels each is made of at most.
  let length: Int
  let first: Memory<Int32>
  let weights: Memory<Float>

  init(from: Int, to: Int) {
    let ratio = Double(from) / Double(to)
    let radius = max(1, ratio)
    let most = Int((2 * radius).rounded(.up)) + 1
    first = Memory(count: to, filledWith: 0)
    let all = Memory<Float>(count: to * most, filledWith: 0)
    let parts = Memory<Double>(count: most, filledWith: 0)
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
    weights = Memory(count: to * length, filledWith: 0)
    for i in 0..<to {
      for k in 0..<length { weights.base[i * length + k] = all.base[i * most + k] }
    }
  }

  /// The pixels of a smaller row.
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
