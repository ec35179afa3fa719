import SightlineCamera
import SightlineImaging
import SightlineMath

/// A frame and its halves with the noise of each: level *l* has pixels 2ˡ as large.
final class FramePyramid {
  /// Most levels.
  static let levelLimit = 5

  private var pyramid = Pyramid()
  /// The noise of each level, once it was asked for; negative before.
  private var noises: [Double] = []

  init() {}

  /// The levels of the frame that was set last.
  var levels: ArraySlice<GrayImage> { pyramid.levels.prefix(noises.count) }

  /// Takes a frame; it is copied.
  func set(_ frame: GrayView) {
    let count = Pyramid.levelCount(width: frame.width, height: frame.height, least: 16, most: Self.levelLimit)
    pyramid.set(frame, levels: count)
    noises.removeAll(keepingCapacity: true)
    for _ in 0..<count { noises.append(-1) }
  }

  /// Standard deviation of a level's noise, grey levels; measured when it is first asked for.
  func noise(_ level: Int) -> Double {
    if noises[level] < 0 { noises[level] = pyramid.levels[level].withView { $0.noiseLevel() } }
    return noises[level]
  }

  /// The map from the frame's pixels to those of a level.
  static func levelFromFrame(_ level: Int) -> Homography {
    let k = 1 / Double(1 << level)
    return Homography(Matrix3(rows: Vector3(k, 0, 0.5 * k - 0.5), Vector3(0, k, 0.5 * k - 0.5), Vector3(0, 0, 1)))
  }
}

extension Homography {
  /// The same map with a last number of 1 or −1; itself when that number is 0.
  ///
  /// What lies before the camera stays there: seen back from a frame, a steep print's horizon may pass between the
  /// print and the frame's
  /// first pixel, and the last number is negative.
  var scaled: Homography {
    let s = abs(matrix.row2.z)
    guard s != 0, s.isFinite else { return self }
    return Homography(Matrix3(rows: matrix.row0 * (1 / s), matrix.row1 * (1 / s), matrix.row2 * (1 / s)))
  }

  /// Whether all its numbers are finite.
  var isFinite: Bool {
    let sum = matrix.row0.x + matrix.row0.y + matrix.row0.z + matrix.row1.x + matrix.row1.y + matrix.row1.z
    return (sum + matrix.row2.x + matrix.row2.y + matrix.row2.z).isFinite
  }

  /// Where the corners of a picture fall, from its top left clockwise; `nil` when one lies behind the camera.
  func corners(width: Double, height: Double) -> InlineArray<4, Vector2>? {
    guard let a = self(Vector2(-0.5, -0.5)), let b = self(Vector2(width - 0.5, -0.5)),
      let c = self(Vector2(width - 0.5, height - 0.5)), let d = self(Vector2(-0.5, height - 0.5))
    else { return nil }
    return [a, b, c, d]
  }
}

/// Twice the area of a quadrilateral, positive when it goes clockwise on the screen.
func doubleArea(_ q: InlineArray<4, Vector2>) -> Double {
  let (p, r) = (q[2] - q[0], q[3] - q[1])
  return p.x * r.y - p.y * r.x
}

/// Whether a quadrilateral can be a picture seen from its front: convex, clockwise, neither tiny nor huge.
func isPlausible(_ q: InlineArray<4, Vector2>, minimumSide: Double = 12) -> Bool {
  var shortest = Double.infinity
  var longest = 0.0
  for i in 0..<4 {
    let (a, b, c) = (q[i], q[(i + 1) & 3], q[(i + 2) & 3])
    let (u, v) = (b - a, c - b)
    guard u.x * v.y - u.y * v.x > 0 else { return false }
    shortest = min(shortest, u.length)
    longest = max(longest, u.length)
  }
  return shortest >= minimumSide && longest < 20000 && longest < 30 * shortest
}
