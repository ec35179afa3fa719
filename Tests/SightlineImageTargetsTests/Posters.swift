import SightlineCamera
import SightlineImaging
import SightlineMath
import SightlineTestSupport

/// Pictures made for the tests, and frames that show them.
enum Posters {
  /// Discs and rectangles of many sizes and grey levels on a gradient of grey: much to hold on to.
  static func rich(width: Int = 360, height: Int = 270, seed: UInt64 = 1, shapes: Int = 120) -> GrayImage {
    var random = SplitMix64(seed: seed)
    var image = GrayImage(width: width, height: height)
    for y in 0..<height {
      for x in 0..<width { image[x, y] = UInt8(90 + 60 * x / max(1, width) + 20 * y / max(1, height)) }
    }
    for _ in 0..<shapes {
      let (cx, cy) = (
        Double.random(in: 0..<Double(width), using: &random), Double.random(in: 0..<Double(height), using: &random)
      )
      let size = Double.random(in: 3..<24, using: &random)
      let flat = Double.random(in: 0.4..<1, using: &random)
      let angle = Double.random(in: 0..<pi, using: &random)
      let level = UInt8.random(in: 10...245, using: &random)
      let isDisc = Bool.random(using: &random)
      let (c, s) = (cos(angle), sin(angle))
      for y in max(0, Int(cy - size))...max(0, min(height - 1, Int(cy + size))) {
        for x in max(0, Int(cx - size))...max(0, min(width - 1, Int(cx + size))) where x < width && y < height {
          let d = Vector2(Double(x) - cx, Double(y) - cy).rotated(cosine: c, sine: s)
          let isInside =
            isDisc
            ? d.x * d.x + d.y * d.y / (flat * flat) < size * size / 2
            : abs(d.x) < size * 0.6 && abs(d.y) < size * 0.6 * flat
          if isInside { image[x, y] = level }
        }
      }
    }
    return image
  }

  /// The frame in which a picture appears with its outer corners in four places, on a grey wall, with noise.
  static func frame(
    _ pictures: [(GrayImage, InlineArray<4, Vector2>)],
    width: Int = 480,
    height: Int = 360,
    noise: Double = 2,
    seed: UInt64 = 7,
    gain: Double = 1,
    isMirrored: Bool = false,
    wall: Double = 70
  ) -> GrayImage {
    var random = SplitMix64(seed: seed)
    var levels = [Double](repeating: wall, count: width * height)
    for (picture, corners) in pictures {
      guard let back = map(of: picture, to: corners).inverse else { continue }
      // Outside the quadrilateral's box nothing changes; in a debug build looking there takes most of the time.
      let (xs, ys) = ((0..<4).map { corners[$0].x }, (0..<4).map { corners[$0].y })
      let rows = max(0, Int(ys.min() ?? 0) - 1)...min(height - 1, max(0, Int(ys.max() ?? 0) + 1))
      let columns = max(0, Int(xs.min() ?? 0) - 1)...min(width - 1, max(0, Int(xs.max() ?? 0) + 1))
      for y in rows {
        for x in columns {
          var (sum, postings) = (0.0, 0.0)
          for sample in 0..<4 {
            let p = Vector2(Double(x) + Double(sample % 2) / 2 - 0.25, Double(y) + Double(sample / 2) / 2 - 0.25)
            guard var q = back(p) else { continue }
            if isMirrored { q.x = Double(picture.width - 1) - q.x }
            guard q.x >= -0.5, q.y >= -0.5, q.x < Double(picture.width) - 0.5, q.y < Double(picture.height) - 0.5 else {
              continue
            }
            let inside = Vector2(clamp(q.x, 0, Double(picture.width - 1)), clamp(q.y, 0, Double(picture.height - 1)))
            sum += picture.withView { $0.level(x: inside.x, y: inside.y) ?? 0 }
            postings += 1
          }
          if postings > 0 { levels[y * width + x] += postings / 4 * (sum / postings - levels[y * width + x]) }
        }
      }
    }
    var image = GrayImage(width: width, height: height)
    for y in 0..<height {
      for x in 0..<width {
        let error = (Double.random(in: -1...1, using: &random) + Double.random(in: -1...1, using: &random)) * noise
        image[x, y] = UInt8(clamp((levels[y * width + x] * gain + error).rounded(), 0, 255))
      }
    }
    return image
  }

  /// The homography that takes a picture's pixels to a frame in which its outer corners have these places.
  static func map(of picture: GrayImage, to corners: InlineArray<4, Vector2>) -> Homography {
    let (w, h) = (Double(picture.width), Double(picture.height))
    let unit = Homography(
      Matrix3(rows: Vector3(1 / w, 0, 0.5 / w), Vector3(0, 1 / h, 0.5 / h), Vector3(0, 0, 1))
    )
    guard let square = Homography(unitSquareTo: corners) else { return unit }
    return square * unit
  }

  /// A quadrilateral of a width and height around a point, turned clockwise, its right side shorter by a share.
  static func quad(
    _ center: Vector2,
    _ width: Double,
    _ height: Double,
    degrees: Double = 0,
    lean: Double = 0
  ) -> InlineArray<4, Vector2> {
    let (c, s) = (cos(Angle(degrees: degrees).radians), sin(Angle(degrees: degrees).radians))
    func corner(_ x: Double, _ y: Double) -> Vector2 { center + Vector2(x, y).rotated(cosine: c, sine: s) }
    let short = height * (1 - lean)
    return [
      corner(-width / 2, -height / 2), corner(width / 2, -short / 2), corner(width / 2, short / 2),
      corner(-width / 2, height / 2),
    ]
  }

  /// The mean distance of corners from where they should be.
  static func error(_ a: InlineArray<4, Vector2>?, _ b: InlineArray<4, Vector2>) -> Double {
    guard let a else { return .infinity }
    return (0..<4).reduce(0.0) { $0 + (a[$1] - b[$1]).length } / 4
  }
}
