import SightlineMath

/// One picture of a flat board: where its points are seen.
public struct CalibrationView: Equatable, Sendable {
  /// Points of the board, metres, on its plane: x right, y up.
  public var points: [Vector2]
  /// Where they are seen, pixels, in the same order.
  public var pixels: [Vector2]

  /// A view from its points.
  /// - Precondition: as many pixels as points.
  public init(points: [Vector2], pixels: [Vector2]) {
    precondition(points.count == pixels.count)
    self.points = points
    self.pixels = pixels
  }
}

/// Terms of ``LensDistortion`` that are to be estimated; the others stay 0.
public struct DistortionTerms: OptionSet, Sendable {
  /// Bits in the order k1, k2, p1, p2, k3.
  public let rawValue: UInt8

  /// Terms from bits.
  public init(rawValue: UInt8) { self.rawValue = rawValue }

  /// Radial, of r².
  public static let k1 = DistortionTerms(rawValue: 1)
  /// Radial, of r⁴.
  public static let k2 = DistortionTerms(rawValue: 2)
  /// Tangential, vertical.
  public static let p1 = DistortionTerms(rawValue: 4)
  /// Tangential, horizontal.
  public static let p2 = DistortionTerms(rawValue: 8)
  /// Radial, of r⁶.
  public static let k3 = DistortionTerms(rawValue: 16)
  /// All five.
  public static let all: DistortionTerms = [.k1, .k2, .p1, .p2, .k3]
}

/// Why a calibration is not possible.
public enum CalibrationError: Error, Equatable, Sendable {
  /// At least three views with six points or more are needed.
  case tooFewViews(usable: Int)
  /// The views do not fix the camera: all look at the board from the same direction, or the points lie on lines.
  case undetermined
}
