import SightlineCamera
import SightlineMath

/// Where a print is seen in a level of the frame: what corrections of it are told in.
///
/// Its middle is the origin and half its side one, so that the eight numbers of a correction (``Aligner``) are of like
/// size.
struct NormalizedFrame {
  /// The print's corners, pixels of the level.
  let corners: InlineArray<4, Vector2>
  /// Their mean, pixels of the level.
  let center: Vector2
  /// Half the side of a square of the print's area, pixels of the level.
  let size: Double

  /// That of a print of a width and height which a map takes to the level; `nil` where a corner goes to no place.
  init?(_ map: Homography, width: Double, height: Double) {
    guard let corners = map.corners(width: width, height: height) else { return nil }
    self.corners = corners
    center = (corners[0] + corners[1] + corners[2] + corners[3]) * 0.25
    size = max(8, (doubleArea(corners) / 2).squareRoot() / 2)
  }

  /// From the level's pixels.
  var fromLevel: Homography {
    Homography(
      Matrix3(rows: Vector3(1 / size, 0, -center.x / size), Vector3(0, 1 / size, -center.y / size), Vector3(0, 0, 1))
    )
  }

  /// To the level's pixels.
  var toLevel: Homography {
    Homography(Matrix3(rows: Vector3(size, 0, center.x), Vector3(0, size, center.y), Vector3(0, 0, 1)))
  }

  /// Where a place of the level is.
  @inline(__always)
  func callAsFunction(_ p: Vector2) -> Vector2 { Vector2((p.x - center.x) / size, (p.y - center.y) / size) }

  /// Where a patch's middle is.
  @inline(__always)
  func callAsFunction(_ p: PatchSet.Patch) -> Vector2 { self(Vector2(Double(p.x) + 3.5, Double(p.y) + 3.5)) }
}
