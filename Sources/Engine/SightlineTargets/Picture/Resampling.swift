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
    let across = FloatPicture(width: newWidth, height: height)
    let columns = Taps(from: width, to: newWidth)
    for y in 0..<height {
      let from = pixels.base + y &* width
      let to = across.pixels.base + y &* newWidth
      for x in 0..<newWidth {
        var sum: Float = 0
        let weights = columns.weights.base + x &* columns.length
        let first = columns.first[x]
        if first >= 0 && first &+ columns.length <= width {
          for i in 0..<columns.length { sum += weights[i] * from[first &+ i] }
        } else {
          for i in 0..<columns.length { sum += weights[i] * from[min(width &- 1, max(0, first &+ i))] }
        }
        to[x] = sum
      }
    }
    let result = FloatPicture(width: newWidth, height: newHeight)
    let rows = Taps(from: height, to: newHeight)
    for y in 0..<newHeight {
      let to = result.pixels.base + y &* newWidth
      for i in 0..<rows.length {
        let weight = rows.weights.base[y &* rows.length &+ i]
        if weight == 0 { continue }
        let from = across.pixels.base + min(height - 1, max(0, rows.first[y] + i)) &* newWidth
        for x in 0..<newWidth { to[x] += weight * from[x] }
      }
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
  var length: Int
  var first: [Int]
  var weights: Memory<Float>

  init(from: Int, to: Int) {
    let ratio = Double(from) / Double(to)
    let radius = max(1, ratio)
    length = Int((2 * radius).rounded(.up)) + 1
    first = []
    weights = Memory(count: to * length, filledWith: 0)
    for i in 0..<to {
      let center = (Double(i) + 0.5) * ratio - 0.5
      let start = Int((center - radius).rounded(.up))
      first.append(start)
      var total = 0.0
      for k in 0..<length { total += max(0, 1 - abs(Double(start + k) - center) / radius) }
      for k in 0..<length {
        weights.base[i * length + k] = Float(max(0, 1 - abs(Double(start + k) - center) / radius) / total)
      }
    }
  }
}
