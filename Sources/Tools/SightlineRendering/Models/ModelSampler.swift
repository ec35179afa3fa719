import SightlineInput
import SightlineModels
import SightlinePictures

/// A texture with its smaller copies, sampled as WebGL does: bilinear within a copy, linear between two copies.
struct ModelSampler: Sendable {
  private struct Level: Sendable {
    var width: Int
    var height: Int
    /// Red, green, blue, alpha of each pixel, 0 … 255.
    var pixels: [UInt8]
  }
  private var levels: [Level]
  private let wrap: (u: ModelTexture.Wrap, v: ModelTexture.Wrap)
  private let isNearest: Bool

  /// Sides of the picture, pixels.
  var size: (width: Int, height: Int) { (levels[0].width, levels[0].height) }

  /// A sampler of an RGBA picture.
  init(_ picture: Picture, _ texture: ModelTexture) {
    wrap = (texture.wrapU, texture.wrapV)
    isNearest = texture.isNearest
    levels = [Level(width: picture.width, height: picture.height, pixels: picture.pixels)]
    while let last = levels.last, last.width > 1 || last.height > 1 { levels.append(Self.half(last)) }
  }

  /// Each pixel the mean of four; an odd last row or column counts twice.
  private static func half(_ from: Level) -> Level {
    let (width, height) = (max(1, from.width / 2), max(1, from.height / 2))
    var pixels = [UInt8](repeating: 0, count: 4 * width * height)
    for y in 0..<height {
      for x in 0..<width {
        let (x0, y0) = (2 * x, 2 * y)
        let (x1, y1) = (min(x0 + 1, from.width - 1), min(y0 + 1, from.height - 1))
        for channel in 0..<4 {
          var sum = 2
          for (a, b) in [(x0, y0), (x1, y0), (x0, y1), (x1, y1)] {
            sum += Int(from.pixels[4 * (b * from.width + a) + channel])
          }
          pixels[4 * (y * width + x) + channel] = UInt8(sum / 4)
        }
      }
    }
    return Level(width: width, height: height, pixels: pixels)
  }

  /// The values at a place, each 0 … 1.
  ///
  /// - Parameters:
  ///   - u: across; (0, 0) is the picture's top left corner.
  ///   - v: down.
  ///   - detail: which copy: 0 is the picture, each whole number half the size of the one before.
  /// - Returns: red, green, blue, alpha, as stored.
  func value(_ u: Float, _ v: Float, detail: Float) -> SIMD4<Float> {
    guard u.isFinite, v.isFinite else { return .zero }
    guard detail > 0 else { return value(u, v, levels[0], isNearest: isNearest) }
    let place = min(detail, Float(levels.count - 1))
    let below = min(Int(clamped: place), levels.count - 1)
    let share = place - Float(below)
    let fine = value(u, v, levels[below], isNearest: false)
    guard share > 0, below + 1 < levels.count else { return fine }
    return fine + (value(u, v, levels[below + 1], isNearest: false) - fine) * share
  }

  private func value(_ u: Float, _ v: Float, _ level: Level, isNearest: Bool) -> SIMD4<Float> {
    let (x, y) = (u * Float(level.width), v * Float(level.height))
    if isNearest { return pixel(Self.floor(x), Self.floor(y), level) }
    let (left, top) = (Self.floor(x - 0.5), Self.floor(y - 0.5))
    let (across, down) = (x - 0.5 - Float(left), y - 0.5 - Float(top))
    let a = pixel(left, top, level)
    let b = pixel(left + 1, top, level)
    let c = pixel(left, top + 1, level)
    let d = pixel(left + 1, top + 1, level)
    let upper = a + (b - a) * across
    let lower = c + (d - c) * across
    return upper + (lower - upper) * down
  }

  /// Beyond some billions of repetitions nothing of the place is left in a `Float`.
  private static func floor(_ value: Float) -> Int { Int(clamped: max(-1e9, min(1e9, value)).rounded(.down)) }

  private func pixel(_ x: Int, _ y: Int, _ level: Level) -> SIMD4<Float> {
    let k = 4 * (Self.inside(y, level.height, wrap.v) * level.width + Self.inside(x, level.width, wrap.u))
    let p = level.pixels
    return SIMD4(Float(p[k]), Float(p[k + 1]), Float(p[k + 2]), Float(p[k + 3])) / 255
  }

  /// The pixel that stands for one outside.
  private static func inside(_ place: Int, _ count: Int, _ wrap: ModelTexture.Wrap) -> Int {
    switch wrap {
    case .clamp: return max(0, min(count - 1, place))
    case .repeat:
      let rest = place % count
      return rest < 0 ? rest + count : rest
    case .mirror:
      var rest = place % (2 * count)
      if rest < 0 { rest += 2 * count }
      return rest < count ? rest : 2 * count - 1 - rest
    }
  }
}
