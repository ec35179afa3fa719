import SightlineCamera
import SightlineImaging
import SightlineMarkers
import SightlineMath
import SightlineTestSupport

/// Draws a marker as a camera without faults would see it: each pixel the mean of 6 × 6 points, then noise.
struct Print {
  var family: MarkerFamily
  var id: Int
  /// The marker's own corners, from its top left clockwise as seen.
  var corners: Quadrilateral
  var dark = 40.0
  var light = 200.0
  var isMirrored = false
  var isInverted = false

  func draw(width: Int, height: Int, noise: Double = 0, seed: UInt64 = 1) -> GrayImage {
    var random = SplitMix64(seed: seed)
    var image = GrayImage(width: width, height: height)
    let map = Homography(unitSquareTo: corners)?.inverse
    let n = family.cells
    let code = family.code(id: id)
    for y in 0..<height {
      for x in 0..<width {
        var sum = 0.0
        for sample in 0..<36 {
          let p = Vector2(
            Double(x) + (Double(sample % 6) - 2.5) / 6,
            Double(y) + (Double(sample / 6) - 2.5) / 6
          )
          sum += map.map { isWhite($0, p, n, code) ? light : dark } ?? light
        }
        // Three uniform numbers make a good enough normal one; its deviation is half a unit.
        let error = (0..<3).reduce(0.0) { sum, _ in sum + Double.random(in: -1...1, using: &random) } * noise
        image[x, y] = UInt8(max(0, min(255, (sum / 36 + error).rounded())))
      }
    }
    return image
  }

  /// Whether the print is light at a point of the picture, which a map takes to the unit square.
  func isLight(_ map: Homography, _ p: Vector2) -> Bool { isWhite(map, p, family.cells, family.code(id: id)) }

  private func isWhite(_ map: Homography, _ p: Vector2, _ n: Int, _ code: UInt64) -> Bool {
    guard var u = map(p) else { return true }
    if isMirrored { u.x = 1 - u.x }
    let cell = u * Double(n + 2)
    guard cell.x > 0, cell.y > 0, cell.x < Double(n + 2), cell.y < Double(n + 2) else { return !isInverted }
    let (column, row) = (Int(cell.x) - 1, Int(cell.y) - 1)
    guard column >= 0, row >= 0, column < n, row < n else { return isInverted }
    return ((code >> UInt64(n * n - 1 - row * n - column)) & 1 == 1) != isInverted
  }
}

/// All markers that a detector finds in a picture.
func markers(in image: GrayImage, _ dictionaries: [MarkerDictionary]) -> [DetectedMarker] {
  var detector = MarkerDetector(dictionaries: dictionaries)
  var found: [DetectedMarker] = []
  image.withView { detector.detect(in: $0, into: &found) }
  return found
}

/// A square of a side, turned clockwise by an angle, with one edge longer than the other.
func square(_ center: Vector2, side: Double, degrees: Double, lean: Double = 0.1) -> Quadrilateral {
  let (c, s) = (cos(Angle(degrees: degrees).radians), sin(Angle(degrees: degrees).radians))
  var result = Quadrilateral(repeating: .zero)
  for (i, corner) in [Vector2(-1, -1), Vector2(1, -1), Vector2(1, 1), Vector2(-1, 1)].enumerated() {
    let scale = side / 2 * (i < 2 ? 1 - lean : 1 + lean)
    result[i] = center + (corner * scale).rotated(cosine: c, sine: s)
  }
  return result
}
