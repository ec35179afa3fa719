import SightlineImaging
import SightlineMath

/// A picture as a camera would have it from elsewhere: smaller, or seen aslant along one of its directions.
struct SimulatedView {
  /// How a picture is looked at.
  struct Stance {
    /// Pixels of the view along the direction that is not shortened, in one of the picture.
    var zoom: Double
    /// How much the other direction is shortened: the cosine of the angle between the line of sight and the picture's
    /// normal.
    var squeeze: Double
    /// By how many eighths of a half turn the picture is turned before it is squeezed across.
    var eighths: Int
  }

  /// Size of the view, pixels.
  let width: Int
  /// Size of the view, pixels.
  let height: Int
  /// The view.
  let picture: GrayImage
  /// From the view's pixels to the picture's: two rows of an affine map.
  private let rows: (SIMD3<Float>, SIMD3<Float>)
  private let size: Float

  /// The view of a picture.
  ///
  /// `turned` is the picture turned as the stance wants it.
  init(_ turned: TurnedPicture, _ stance: Stance) {
    width = max(1, Int((Double(turned.picture.width) * stance.zoom * stance.squeeze).rounded()))
    height = max(1, Int((Double(turned.picture.height) * stance.zoom).rounded()))
    picture = turned.picture.resized(width: width, height: height).rounded()
    let kx = Float(turned.picture.width) / Float(width)
    let ky = Float(turned.picture.height) / Float(height)
    let (a, b) = (turned.rows.0, turned.rows.1)
    // Pixel centres lie at halves of what is scaled.
    let (dx, dy) = (0.5 * kx - 0.5, 0.5 * ky - 0.5)
    rows = (
      SIMD3(a.x * kx, a.y * ky, a.x * dx + a.y * dy + a.z), SIMD3(b.x * kx, b.y * ky, b.x * dx + b.y * dy + b.z)
    )
    size = (kx * ky).squareRoot()
  }

  /// Where a feature of the view is in the picture, how large and how turned there.
  func place(_ feature: Feature) -> Feature {
    var result = feature
    result.x = rows.0.x * feature.x + rows.0.y * feature.y + rows.0.z
    result.y = rows.1.x * feature.x + rows.1.y * feature.y + rows.1.z
    result.scale = feature.scale * size
    let (c, s) = (Float(cos(Double(feature.angle))), Float(sin(Double(feature.angle))))
    result.angle = Float(atan2(Double(rows.1.x * c + rows.1.y * s), Double(rows.0.x * c + rows.0.y * s)))
    return result
  }
}

/// A picture turned about its middle, with all of it in view; what is outside goes on as at its edge.
struct TurnedPicture {
  let picture: FloatImage
  /// From the turned picture's pixels to the picture's: two rows of an affine map.
  let rows: (SIMD3<Float>, SIMD3<Float>)

  @_optimize(speed)
  init(_ source: FloatImage, eighths: Int) {
    guard eighths != 0 else {
      picture = source
      rows = (SIMD3(1, 0, 0), SIMD3(0, 1, 0))
      return
    }
    let angle = Double(eighths) * pi / 8
    let (c, s) = (Float(cos(angle)), Float(sin(angle)))
    let (w, h) = (Float(source.width), Float(source.height))
    let turned = FloatImage(
      width: max(1, Int(w * abs(c) + h * abs(s) + 0.5)),
      height: max(1, Int(w * abs(s) + h * abs(c) + 0.5))
    )
    let (mx, my) = (Float(turned.width - 1) / 2, Float(turned.height - 1) / 2)
    let (x0, y0) = ((w - 1) / 2 - c * mx + s * my, (h - 1) / 2 - s * mx - c * my)
    rows = (SIMD3(c, -s, x0), SIMD3(s, c, y0))
    let (right, bottom) = (max(0, w - 1.001), max(0, h - 1.001))
    for y in 0..<turned.height {
      let to = turned.pixels.base + y * turned.width
      for x in 0..<turned.width {
        let u = max(0, min(right, c * Float(x) - s * Float(y) + x0))
        let v = max(0, min(bottom, s * Float(x) + c * Float(y) + y0))
        let (ix, iy) = (Int32(u), Int32(v))
        let (fx, fy) = (u - Float(ix), v - Float(iy))
        let p = source.pixels.base + (Int(iy) &* source.width &+ Int(ix))
        let a = p[0] + fx * (p[1] - p[0])
        let b = p[source.width] + fx * (p[source.width + 1] - p[source.width])
        to[x] = a + fy * (b - a)
      }
    }
    picture = turned
  }
}
