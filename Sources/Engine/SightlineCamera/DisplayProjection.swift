import SightlineMath

/// How a direction from the device lands on the screen.
///
/// It is the lens (P, ``Intrinsics/pixel(ofPointInCamera:)``) followed by the placement of the picture on the display
/// (S, ``PicturePlacement``), put together once: `project(p)` is `S(P(cameraFromDisplay * p))` in one step.
///
/// Display frame: x right, y up, z out of the screen, as it is held; the camera looks along −z.
///
/// ```swift
/// let lens = Intrinsics(width: 269, height: 358, focalLength: 3.85, sensorWidth: 2.69, sensorHeight: 3.58)
/// let projection = DisplayProjection(display: Display(width: 320, height: 480), picture: CameraPicture(intrinsics: lens))
/// // 100 m ahead, 10 m to the right, 20 m up:
/// let point = projection.project(pointInDisplay: Vector3(10, 20, -100))  // (211.62, 136.76)
/// ```
public struct DisplayProjection: Equatable, Sendable {
  /// The display.
  public let display: Display
  /// Turns display vectors into device vectors (x right, y to the top edge, z out of the screen, in portrait).
  public let deviceFromDisplay: Quaternion
  /// Turns display vectors into vectors of the camera frame of the picture as delivered.
  public let cameraFromDisplay: Quaternion
  /// Focal lengths along the display's x and y, points.
  public let focalPoints: Vector2
  /// The display point of the optical axis.
  public let center: Vector2
  /// Where the picture lies on the display.
  public let placement: PicturePlacement

  /// The projection of a camera picture that covers a display.
  public init(display: Display, picture: CameraPicture) {
    self.display = display
    deviceFromDisplay = Quaternion(
      axis: Vector3(0, 0, 1),
      angle: Angle(degrees: -Double(display.screenAngleDegrees))
    )
    placement = PicturePlacement(display: display, picture: picture)
    let upright = picture.intrinsics.rotated(clockwiseDegrees: picture.rotationDegrees)
    focalPoints = Vector2(upright.focalX * placement.scale, upright.focalY * placement.scale)
    center =
      placement.origin + Vector2((upright.centerX + 0.5) * placement.scale, (upright.centerY + 0.5) * placement.scale)
    // Half a turn about x leads to the upright camera's frame (y down, z forward); a picture that has to be turned
    // clockwise comes from a camera that is turned clockwise too, about its z, which points away from the user.
    let turn = picture.rotationDegrees % 90 == 0 ? Double(picture.rotationDegrees) : 0
    cameraFromDisplay =
      Quaternion(axis: Vector3(0, 0, 1), angle: Angle(degrees: -turn)) * Quaternion(w: 0, x: 1, y: 0, z: 0)
  }

  /// The screen point of a point in the display frame; `nil` when it is beside or behind the lens.
  @inlinable public func project(pointInDisplay p: Vector3) -> Vector2? {
    guard p.z < 0 else { return nil }
    return Vector2(center.x - focalPoints.x * p.x / p.z, center.y + focalPoints.y * p.y / p.z)
  }

  /// The direction of a screen point, a unit vector in the display frame: the inverse of ``project(pointInDisplay:)``.
  public func ray(through point: Vector2) -> Vector3 {
    let v = Vector3((point.x - center.x) / focalPoints.x, (center.y - point.y) / focalPoints.y, -1)
    return v * (1 / v.length)
  }

  /// Opening of the view from the left to the right edge of the display.
  public var horizontalFieldOfView: Angle {
    Angle(radians: atan(center.x / focalPoints.x) + atan((display.width - center.x) / focalPoints.x))
  }

  /// Opening of the view from the top to the bottom edge of the display.
  public var verticalFieldOfView: Angle {
    Angle(radians: atan(center.y / focalPoints.y) + atan((display.height - center.y) / focalPoints.y))
  }

  /// Writes the clip-space matrix for WebGL from the display frame: depth −1 at `near` … 1 at `far`, metres.
  ///
  /// - Parameters:
  ///   - near: distance of the near plane, > 0.
  ///   - far: distance of the far plane, > `near`.
  ///   - matrix: its first 16 elements become the matrix, column by column.
  /// - Precondition: `matrix.count >= 16`.
  public func clipFromDisplay(near: Double, far: Double, into matrix: inout [Float]) {
    precondition(matrix.count >= 16)
    for k in 0..<16 { matrix[k] = 0 }
    matrix[0] = Float(2 * focalPoints.x / display.width)
    matrix[5] = Float(2 * focalPoints.y / display.height)
    matrix[8] = Float(1 - 2 * center.x / display.width)
    matrix[9] = Float(2 * center.y / display.height - 1)
    matrix[10] = Float(-(far + near) / (far - near))
    matrix[11] = -1
    matrix[14] = Float(-2 * far * near / (far - near))
  }
}
