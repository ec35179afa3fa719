import SightlineMath

/// The screen a picture is drawn on.
public struct Display: Equatable, Sendable {
  /// Points from left to right, as it is held.
  public var width: Double
  /// Points from top to bottom, as it is held.
  public var height: Double
  /// How far the device is turned counter-clockwise, as the user sees it, from its natural (portrait) position.
  ///
  /// Degrees: 0, 90, 180 or 270, the browser's `screen.orientation.angle`. A vector `v` in display axes is
  /// `deviceFromDisplay * v` in device axes, `deviceFromDisplay` being the rotation about z by minus this angle.
  public var screenAngleDegrees: Int32

  /// A display.
  public init(width: Double, height: Double, screenAngleDegrees: Int32 = 0) {
    self.width = width
    self.height = height
    self.screenAngleDegrees = screenAngleDegrees
  }
}

/// The camera picture behind the drawing, in the orientation in which the platform delivers it.
public struct CameraPicture: Equatable, Sendable {
  /// Lens and picture size, pixels of the picture as delivered.
  public var intrinsics: Intrinsics
  /// Clockwise turn that brings the delivered picture upright on the display.
  ///
  /// Degrees: 0, 90, 180 or 270. Browsers deliver pictures that are upright already (0).
  public var rotationDegrees: Int32

  /// A picture.
  public init(intrinsics: Intrinsics, rotationDegrees: Int32 = 0) {
    self.intrinsics = intrinsics
    self.rotationDegrees = rotationDegrees
  }
}
