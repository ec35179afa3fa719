import SightlineMath

/// How a direction from the device lands on the screen.
///
/// It is the lens (P, to picture pixels) followed by the placement of the picture on the display (S, to display
/// points). The picture covers the display: it is scaled until nothing of the
/// display is bare, centred, and cropped where it is too long.
public struct DisplayProjection: Equatable, Sendable {
  /// The display.
  public let display: Display
  /// Turns display vectors (x right, y up, z out of the screen, as held) into device vectors.
  public let deviceFromDisplay: Quaternion
  /// Focal lengths along the display's x and y, points.
  public let focalPoints: Vector2
  /// The display point of the optical axis.
  public let center: Vector2
  /// Top left corner of the whole, partly cropped picture, display points.
  public let pictureOrigin: Vector2
  /// Size of the whole, partly cropped picture, display points.
  public let pictureSize: Vector2

  /// The projection of a camera picture that covers a display.
  public init(display: Display, picture: CameraPicture) {
    self.display = display
    deviceFromDisplay = Quaternion(
      axis: Vector3(0, 0, 1),
      angle: Angle(degrees: -Double(display.screenAngleDegrees))
    )
    let i = picture.intrinsics.rotated(clockwiseDegrees: picture.rotationDegrees)
    let scale = max(display.width / i.width, display.height / i.height)
    pictureSize = Vector2(i.width * scale, i.height * scale)
    pictureOrigin = Vector2((display.width - pictureSize.x) / 2, (display.height - pictureSize.y) / 2)
    focalPoints = Vector2(i.focalX * scale, i.focalY * scale)
    // Pixel centres are at integers, so the picture's edge is at −0.5.
    center = pictureOrigin + Vector2((i.centerX + 0.5) * scale, (i.centerY + 0.5) * scale)
  }

  /// The screen point of a point in the display frame; `nil` when it is beside or behind the lens.
  @inlinable public func project(pointInDisplay p: Vector3) -> Vector2? {
    guard p.z < 0 else { return nil }
    return Vector2(center.x - focalPoints.x * p.x / p.z, center.y + focalPoints.y * p.y / p.z)
  }

  /// The direction of a screen point, a unit vector in the display frame.
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

  /// Clip-space matrix for WebGL: 16 numbers, column-major, from the display frame, depth −1 at `near` … 1 at `far`.
  public func clipFromDisplay(near: Double, far: Double, into matrix: inout [Float]) {
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

extension Intrinsics {
  /// The intrinsics of the same picture turned clockwise by a multiple of 90°.
  public func rotated(clockwiseDegrees degrees: Int32) -> Intrinsics {
    switch ((degrees % 360) + 360) % 360 {
    case 90:
      Intrinsics(
        width: height,
        height: width,
        focalX: focalY,
        focalY: focalX,
        centerX: height - 1 - centerY,
        centerY: centerX
      )
    case 180:
      Intrinsics(
        width: width,
        height: height,
        focalX: focalX,
        focalY: focalY,
        centerX: width - 1 - centerX,
        centerY: height - 1 - centerY
      )
    case 270:
      Intrinsics(
        width: height,
        height: width,
        focalX: focalY,
        focalY: focalX,
        centerX: centerY,
        centerY: width - 1 - centerX
      )
    default: self
    }
  }
}
