import SightlineMath

/// What is on a surface as light, 0 … 1, with smaller versions of itself for what is far: each level has half the width and height.
struct LightMap {
  struct Level {
    var width: Int
    var height: Int
    /// Where its first pixel is.
    var start: Int
  }

  private(set) var levels: [Level] = []
  private(set) var light: [Float] = []
  /// Pixels of the largest level.
  var width: Int { levels[0].width }
  var height: Int { levels[0].height }

  /// A map of so many pixels; each the mean of four samples.
  init(_ material: Material, width: Int, height: Int) {
    var pixels = [Float](repeating: 0, count: width * height)
    for y in 0..<height {
      for x in 0..<width {
        var sum: Float = 0
        for (dx, dy) in [(0.25, 0.125), (0.875, 0.375), (0.125, 0.625), (0.75, 0.875)] {
          sum += Self.light(material.tone((Double(x) + dx) / Double(width), (Double(y) + dy) / Double(height)))
        }
        pixels[y * width + x] = sum / 4
      }
    }
    add(pixels, width, height)
  }

  /// A single tone.
  init(_ tone: SIMD3<Float>) { add([Self.light(tone)], 1, 1) }

  private mutating func add(_ pixels: [Float], _ width: Int, _ height: Int) {
    levels.append(Level(width: width, height: height, start: light.count))
    light += pixels
    // An odd side cannot be halved without a shift.
    guard width > 1 || height > 1, levels.count < 12, width == 1 || width % 2 == 0, height == 1 || height % 2 == 0
    else { return }
    let (w, h) = (max(1, width / 2), max(1, height / 2))
    var half = [Float](repeating: 0, count: w * h)
    for y in 0..<h {
      let (top, bottom) = (min(height - 1, 2 * y) * width, min(height - 1, 2 * y + 1) * width)
      for x in 0..<w {
        let (a, b) = (min(width - 1, 2 * x), min(width - 1, 2 * x + 1))
        half[y * w + x] = (pixels[top + a] + pixels[top + b] + pixels[bottom + a] + pixels[bottom + b]) / 4
      }
    }
    add(half, w, h)
  }

  /// Light of a tone: that of its brightness.
  static func light(_ tone: SIMD3<Float>) -> Float {
    let light = ToneCurve.light(of: tone)
    return 0.2126 * light.x + 0.7152 * light.y + 0.0722 * light.z
  }
}
