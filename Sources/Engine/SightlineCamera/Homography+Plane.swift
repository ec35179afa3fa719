import SightlineMath

// The one place where the plane's frame of `PlanarPose` (y to the top) and pictures (y down) meet.

extension Homography {
  /// From the frame of something flat, see ``PlanarPose``, to the unit square: (0, 0) is the top left corner of a rectangle
  /// around the plane's origin, (1, 1) its bottom right one.
  ///
  /// - Parameters:
  ///   - width: of the rectangle, more than 0, in the plane's unit.
  ///   - height: of the rectangle, in the same unit.
  public init(unitSquareFromPlane width: Double, height: Double) {
    self.init(scaleX: 1 / width, scaleY: 1 / height, center: Vector2(0.5, 0.5))
  }

  /// From the frame of a print to the pixels of the picture that fills it.
  ///
  /// - Parameters:
  ///   - physicalWidth: of the whole print, more than 0, in the plane's unit.
  ///   - width: of the picture, pixels, whose centres lie at integers.
  ///   - height: of the picture, pixels.
  public init(pictureFromPlane physicalWidth: Double, width: Int, height: Int) {
    let scale = Double(width) / physicalWidth
    self.init(scaleX: scale, scaleY: scale, center: Vector2(Double(width - 1) / 2, Double(height - 1) / 2))
  }

  private init(scaleX: Double, scaleY: Double, center: Vector2) {
    self.init(Matrix3(rows: Vector3(scaleX, 0, center.x), Vector3(0, -scaleY, center.y), Vector3(0, 0, 1)))
  }
}
