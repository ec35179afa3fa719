import SightlineMath

/// A pinhole camera's inner geometry: the perspective P from the camera frame to the pixels of its picture.
///
/// Camera frame: x right, y down, z forward. Pixel centres at integer coordinates, origin in the centre of the top-left
/// pixel, so a picture reaches from −0.5 to its width or height less 0.5. No distortion of the lens.
///
/// ```swift
/// // A lens of 3.85 mm above a sensor of 2.69 × 3.58 mm
/// let camera = Intrinsics(width: 1536, height: 2048, focalLength: 3.85, sensorWidth: 2.69, sensorHeight: 3.58)
/// // camera.longSideFieldOfView.degrees is 49.87
/// ```
public struct Intrinsics: Equatable, Sendable {
  /// Pixels.
  public var width: Double
  /// Pixels.
  public var height: Double
  /// Focal length along x, pixels.
  public var focalX: Double
  /// Focal length along y, pixels.
  public var focalY: Double
  /// Principal point, pixels.
  public var centerX: Double
  /// Principal point, pixels.
  public var centerY: Double

  /// Intrinsics from numbers.
  public init(width: Double, height: Double, focalX: Double, focalY: Double, centerX: Double, centerY: Double) {
    self.width = width
    self.height = height
    self.focalX = focalX
    self.focalY = focalY
    self.centerX = centerX
    self.centerY = centerY
  }

  /// A picture of which only the field of view along its longer side is known; square pixels, centred.
  ///
  /// - Parameters:
  ///   - width: pixels.
  ///   - height: pixels.
  ///   - longSideFieldOfView: opening of the view along the longer side, more than 0 and less than π.
  public init(width: Double, height: Double, longSideFieldOfView: Angle) {
    self.init(width: width, height: height, side: max(width, height), fieldOfView: longSideFieldOfView)
  }

  /// A picture of which only the field of view from its left to its right edge is known; square pixels, centred.
  ///
  /// - Parameters:
  ///   - width: pixels.
  ///   - height: pixels.
  ///   - horizontalFieldOfView: opening of the view along the width, more than 0 and less than π.
  public init(width: Double, height: Double, horizontalFieldOfView: Angle) {
    self.init(width: width, height: height, side: width, fieldOfView: horizontalFieldOfView)
  }

  /// A picture of a known lens and sensor, of which all pixels are used; centred.
  ///
  /// - Parameters:
  ///   - width: pixels.
  ///   - height: pixels.
  ///   - focalLength: millimetres, or any unit that the sensor is measured in too.
  ///   - sensorWidth: extent of the sensor that `width` pixels cover.
  ///   - sensorHeight: extent of the sensor that `height` pixels cover.
  public init(width: Double, height: Double, focalLength: Double, sensorWidth: Double, sensorHeight: Double) {
    self.init(
      width: width,
      height: height,
      focalX: focalLength / sensorWidth * width,
      focalY: focalLength / sensorHeight * height,
      centerX: (width - 1) / 2,
      centerY: (height - 1) / 2
    )
  }

  private init(width: Double, height: Double, side: Double, fieldOfView: Angle) {
    let focal = side / 2 / tan(fieldOfView.radians / 2)
    self.init(
      width: width,
      height: height,
      focalX: focal,
      focalY: focal,
      centerX: (width - 1) / 2,
      centerY: (height - 1) / 2
    )
  }

  /// Opening of the view from the picture's left to its right edge.
  public var horizontalFieldOfView: Angle {
    Angle(radians: atan((centerX + 0.5) / focalX) + atan((width - 0.5 - centerX) / focalX))
  }

  /// Opening of the view from the picture's top to its bottom edge.
  public var verticalFieldOfView: Angle {
    Angle(radians: atan((centerY + 0.5) / focalY) + atan((height - 0.5 - centerY) / focalY))
  }

  /// Opening of the view along the longer side.
  public var longSideFieldOfView: Angle { width > height ? horizontalFieldOfView : verticalFieldOfView }

  /// P: the pixel of a point in the camera frame, inside the picture or not; `nil` when it is beside or behind the lens.
  @inlinable public func pixel(ofPointInCamera p: Vector3) -> Vector2? {
    guard p.z > 0 else { return nil }
    return Vector2(centerX + focalX * p.x / p.z, centerY + focalY * p.y / p.z)
  }

  /// The direction of a pixel, a unit vector in the camera frame: the inverse of ``pixel(ofPointInCamera:)``.
  public func rayInCamera(through pixel: Vector2) -> Vector3 {
    let v = Vector3((pixel.x - centerX) / focalX, (pixel.y - centerY) / focalY, 1)
    return v * (1 / v.length)
  }

  /// The intrinsics of the same picture turned clockwise by a multiple of 90°; other angles turn nothing.
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
