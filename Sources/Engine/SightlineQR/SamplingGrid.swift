import SightlineCamera
import SightlineMath

/// Where the modules of a code lie in a picture: a homography, and what bends it.
///
/// Module (column, row) covers u in column ..< column + 1, v in row ..< row + 1; (0, 0) is the code's top left corner.
struct SamplingGrid {
  /// Modules a side.
  var size: Int
  /// Pixels from module coordinates.
  var homography: Homography
  /// What bends it, in pixels; `nil` for a flat code.
  var bend: GridPolynomial?

  init(size: Int, homography: Homography) {
    self.size = size
    self.homography = homography
  }

  /// The point in the picture.
  @inline(__always)
  func point(_ u: Double, _ v: Double) -> Vector2 {
    let m = homography.matrix
    let w = 1 / (m.row2.x * u + m.row2.y * v + m.row2.z)
    let flat = Vector2((m.row0.x * u + m.row0.y * v + m.row0.z) * w, (m.row1.x * u + m.row1.y * v + m.row1.z) * w)
    guard let bend else { return flat }
    let scale = 2 / Double(size)
    return flat + bend(u * scale - 1, v * scale - 1)
  }

  /// The point in the picture, and how it moves with either coordinate.
  @inline(__always)
  func tangents(_ u: Double, _ v: Double) -> (point: Vector2, alongU: Vector2, alongV: Vector2) {
    let m = homography.matrix
    let w = 1 / (m.row2.x * u + m.row2.y * v + m.row2.z)
    var p = Vector2((m.row0.x * u + m.row0.y * v + m.row0.z) * w, (m.row1.x * u + m.row1.y * v + m.row1.z) * w)
    var alongU = (Vector2(m.row0.x, m.row1.x) - p * m.row2.x) * w
    var alongV = (Vector2(m.row0.y, m.row1.y) - p * m.row2.y) * w
    guard let bend else { return (p, alongU, alongV) }
    let scale = 2 / Double(size)
    let bent = bend.tangents(u * scale - 1, v * scale - 1)
    p = p + bent.value
    alongU = alongU + bent.alongS * scale
    alongV = alongV + bent.alongT * scale
    return (p, alongU, alongV)
  }

  /// Whether the whole code, and a little around it, can be seen: nothing behind the camera, no side absurdly long.
  func isPlausible(width: Int, height: Int) -> Bool {
    let m = homography.matrix
    let end = Double(size)
    var (least, most) = (Double.infinity, 0.0)
    for (u, v) in [(-3.0, -3.0), (end + 3, -3), (end + 3, end + 3), (-3, end + 3)] {
      let w = m.row2.x * u + m.row2.y * v + m.row2.z
      guard w > 0, w.isFinite else { return false }
      (least, most) = (min(least, w), max(most, w))
    }
    guard most < 8 * least else { return false }
    for (u, v) in [(0.0, 0.0), (end, 0), (end, end), (0, end)] {
      let p = point(u, v)
      let margin = 0.25 * Double(max(width, height))
      guard p.x > -margin, p.y > -margin, p.x < Double(width) + margin, p.y < Double(height) + margin else {
        return false
      }
    }
    return true
  }

  /// Whether a point of the picture lies in the code.
  func contains(_ p: Vector2) -> Bool {
    let end = Double(size)
    let corners = [point(0, 0), point(end, 0), point(end, end), point(0, end)]
    for index in 0..<4 {
      let (a, b) = (corners[index], corners[(index + 1) % 4])
      if (b.x - a.x) * (p.y - a.y) - (b.y - a.y) * (p.x - a.x) < 0 { return false }
    }
    return true
  }

  /// The grid by three finder patterns' centres and sizes.
  ///
  /// A homography's area scale is proportional to the third power of 1 / w, the divisor of perspective, and w is linear in
  /// module coordinates: three areas give it everywhere.
  /// `trust` is how much of the perspective that the areas show is believed, 0 … 1.
  init?(size: Int, topLeft: FinderPattern, topRight: FinderPattern, bottomLeft: FinderPattern, trust: Double) {
    func divisor(_ pattern: FinderPattern) -> Double {
      // Areas are noisy in small pictures; beyond a factor of two there is no perspective to be read.
      let ratio = max(0.6, min(1.7, exp(-2.0 / 3 * trust * log(pattern.module / topLeft.module))))
      return ratio
    }
    let (wr, wb) = (divisor(topRight), divisor(bottomLeft))
    let (a, b, c) = (topLeft.center, topRight.center * wr, bottomLeft.center * wb)
    let k = 1 / Double(size - 7)
    let (du, dv) = ((b - a) * k, (c - a) * k)
    let (gu, gv) = ((wr - 1) * k, (wb - 1) * k)
    let origin = a - (du + dv) * 3.5
    let w = 1 - 3.5 * (gu + gv)
    guard w > 0 else { return nil }
    self.init(
      size: size,
      homography: Homography(
        Matrix3(rows: Vector3(du.x, dv.x, origin.x), Vector3(du.y, dv.y, origin.y), Vector3(gu, gv, w))
      )
    )
  }
}
