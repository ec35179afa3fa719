import SightlineCamera
import SightlineMath

/// A marker found in a picture.
public struct DetectedMarker: Equatable, Sendable {
  /// The dictionary it is from.
  public var dictionary: MarkerDictionary
  /// Its number there.
  public var id: Int
  /// Outer corners of the black border, pixels: the marker's own top left, then clockwise as seen.
  public var corners: Quadrilateral
  /// How surely the corners are known, all together, for ``SquarePoses``; `nil` when they come from the four sides alone.
  public var covariance: CornerCovariance?
  /// Cells that were corrected.
  public var wrongCells: Int
  /// How clearly it is this marker, 0 … 1.
  ///
  /// The mean distance of its cells from the middle between dark and light, in half the contrast, less a share for each
  /// corrected cell and for blur that was taken out; times the share of its edges that lie where the marker has them.
  public var confidence: Double
  /// Whether it is printed mirrored: found only when asked for.
  public var isMirrored = false
  /// Whether dark and light are exchanged: found only when asked for.
  public var isInverted = false
}
