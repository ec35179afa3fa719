/// A flat picture that a place stands on: a printed page, a sign, a poster, a façade.
///
/// The frame of what stands there: origin in the picture's centre, x to its right, y to its top, z out of the paper; metres.
public struct TargetAnchor: Codable, Hashable, Sendable {
  /// The world's asset that is the picture.
  public var assetID: String
  /// Width of the whole picture as it is printed or built, metres.
  public var width: Double

  /// An anchor from its parts.
  public init(assetID: String, width: Double) {
    self.assetID = assetID
    self.width = width
  }

  /// Widths of things that can be seen whole and printed: a stamp to a block of houses.
  public static let widths = 0.01...200.0
}
