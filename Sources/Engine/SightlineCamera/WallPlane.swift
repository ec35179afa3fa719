import SightlineInput
import SightlineMath

/// A flat wall seen through one rectangle on it: where the wall's points fall in the picture.
///
/// The wall's frame is that of everything flat, see ``PlanarPose``: origin in the middle of the rectangle, x to its right, y to
/// its top, in the unit of the rectangle's width.
public struct WallPlane: Equatable, Sendable {
  /// From the wall to the picture.
  public let pictureFromWall: Homography
  /// Width of the rectangle.
  public let width: Double
  /// Its height.
  public let height: Double

  /// The wall from the corners of a rectangle on it.
  ///
  /// `nil` for corners that no camera sees of a rectangle. With an unknown height, a rectangle seen nearly edge-on is refused
  /// too: its shape cannot be told.
  ///
  /// - Parameters:
  ///   - corners: in the picture, from the rectangle's own top left clockwise, pixels.
  ///   - width: of the rectangle, more than 0, in any unit.
  ///   - height: of the rectangle in the same unit; `nil` when it is not known: then it follows from the camera, as the
  ///     columns of a rotation are equally long.
  ///   - intrinsics: the camera.
  public init?(corners: Quadrilateral, width: Double, height: Double?, intrinsics: Intrinsics) {
    guard width > 0, width.isFinite, let square = Homography(unitSquareTo: corners) else { return nil }
    var tall = height ?? 0
    if height == nil {
      let m = square.matrix
      let across = WallPlane.direction(m.row0.x, m.row1.x, m.row2.x, intrinsics)
      let down = WallPlane.direction(m.row0.y, m.row1.y, m.row2.y, intrinsics)
      tall = width * (down.dot(down) / across.dot(across)).squareRoot()
    }
    guard tall > 0, tall.isFinite, tall < 50 * width, width < 50 * tall else { return nil }
    self.width = width
    self.height = tall
    pictureFromWall = square * Homography(unitSquareFromPlane: width, height: tall)
  }

  private static func direction(_ x: Double, _ y: Double, _ z: Double, _ camera: Intrinsics) -> Vector3 {
    Vector3((x - camera.centerX * z) / camera.focalX, (y - camera.centerY * z) / camera.focalY, z)
  }

  /// A part of the wall, in its frame.
  public struct Region: Equatable, Sendable {
    /// Left edge.
    public var minX: Double
    /// Lower edge.
    public var minY: Double
    /// Right edge.
    public var maxX: Double
    /// Upper edge.
    public var maxY: Double

    /// A region from its edges.
    public init(minX: Double, minY: Double, maxX: Double, maxY: Double) {
      self.minX = minX
      self.minY = minY
      self.maxX = maxX
      self.maxY = maxY
    }
  }

  /// The rectangle and as much of the wall round it as the picture shows.
  ///
  /// Each side moves outwards by twentieths until it would leave the picture.
  ///
  /// - Parameters:
  ///   - pictureWidth: pixels.
  ///   - pictureHeight: pixels.
  ///   - margin: how far each side may move at most, in lengths of the rectangle's longer edge.
  /// - Returns: the rectangle itself when not even that is seen whole.
  public func surroundings(pictureWidth: Int, pictureHeight: Int, margin: Double) -> Region {
    var region = Region(minX: -width / 2, minY: -height / 2, maxX: width / 2, maxY: height / 2)
    func isSeen(_ r: Region) -> Bool {
      for corner in [(r.minX, r.minY), (r.maxX, r.minY), (r.maxX, r.maxY), (r.minX, r.maxY)] {
        guard let p = pictureFromWall(Vector2(corner.0, corner.1)), p.x >= 0, p.y >= 0, p.x <= Double(pictureWidth - 1),
          p.y <= Double(pictureHeight - 1)
        else { return false }
      }
      return true
    }
    guard isSeen(region) else { return region }
    let step = max(width, height) / 20
    for _ in 0..<Int(clamped: margin * 20).clamped(to: 0...1000) {
      var next = region
      next.minX -= step
      if isSeen(next) { region = next }
      next = region
      next.maxX += step
      if isSeen(next) { region = next }
      next = region
      next.maxY += step
      if isSeen(next) { region = next }
      next = region
      next.minY -= step
      if isSeen(next) { region = next }
    }
    return region
  }

  /// Pixels of the picture for one unit of the wall, along the rectangle's best resolved edge.
  public var resolution: Double {
    let corners: [(Double, Double)] = [(-1, -1), (1, -1), (1, 1), (-1, 1)]
    var best = 0.0
    for k in 0..<4 {
      let (a, b) = (corners[k], corners[(k + 1) % 4])
      guard let p = pictureFromWall(Vector2(a.0 * width / 2, a.1 * height / 2)),
        let q = pictureFromWall(Vector2(b.0 * width / 2, b.1 * height / 2))
      else { continue }
      let d = p - q
      best = max(best, (d.x * d.x + d.y * d.y).squareRoot() / (k % 2 == 0 ? width : height))
    }
    return best
  }
}
