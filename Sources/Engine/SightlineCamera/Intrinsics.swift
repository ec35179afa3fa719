import SightlineMath

/// A pinhole camera's inner geometry.
///
/// Camera frame: x right, y down, z forward. Pixel centres at integer coordinates,
/// origin in the centre of the top-left pixel.
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
  public init(width: Double, height: Double, longSideFieldOfView: Angle) {
    let focal = max(width, height) / 2 / tan(longSideFieldOfView.radians / 2)
    self.init(
      width: width,
      height: height,
      focalX: focal,
      focalY: focal,
      centerX: (width - 1) / 2,
      centerY: (height - 1) / 2
    )
  }
}
