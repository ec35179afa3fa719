import SightlineImaging
import SightlineMath

/// Steps on the way from a picture to its markers, in their order.
public enum MarkerStage: UInt8, CaseIterable, Sendable {
  /// The grey picture that is searched: the frame, or a smaller copy for large markers.
  case picture
  /// What is darker than its surroundings, as ``maskLevel``; all else is 0.
  case threshold
  /// Borders of dark areas.
  case outlines
  /// Outlines that have four sides, to within a pixel or two.
  case quadrilaterals
  /// Quadrilaterals whose sides were measured in the grey levels.
  case edges
  /// The marker that the cells stand for.
  case markers
}

/// Receives what each step of ``MarkerDetector`` made: for pictures of the steps, for learning and for finding out why a
/// marker is missed.
///
/// What is lent to a function is valid until it returns. A step may come several times, once for each size that the frame
/// is searched in, from large to small markers or the other way. Every function does nothing by default.
public protocol MarkerStageSink {
  /// Whether outlines are wanted; they are copied only then.
  var takesOutlines: Bool { get }
  /// A picture of ``MarkerStage/picture`` or ``MarkerStage/threshold``.
  ///
  /// Pixel (x, y) stands for the square of `scale` × `scale` pixels of the frame that begins at (scale x, scale y).
  mutating func add(_ stage: MarkerStage, picture: GrayView, scale: Int)
  /// An outline of ``MarkerStage/outlines``: corners of the boundary between pixels, in pixels of the frame.
  mutating func add(_ stage: MarkerStage, outline: UnsafeBufferPointer<Vector2>)
  /// Four corners of ``MarkerStage/quadrilaterals`` or ``MarkerStage/edges``, clockwise as seen, in pixels of the frame.
  mutating func add(_ stage: MarkerStage, corners: Quadrilateral)
  /// A marker, at the end.
  mutating func add(_ stage: MarkerStage, marker: DetectedMarker)
}

extension MarkerStageSink {
  /// They are.
  public var takesOutlines: Bool { true }
  /// Does nothing.
  public mutating func add(_ stage: MarkerStage, picture: GrayView, scale: Int) {}
  /// Does nothing.
  public mutating func add(_ stage: MarkerStage, outline: UnsafeBufferPointer<Vector2>) {}
  /// Does nothing.
  public mutating func add(_ stage: MarkerStage, corners: Quadrilateral) {}
  /// Does nothing.
  public mutating func add(_ stage: MarkerStage, marker: DetectedMarker) {}
}

/// Takes no notice.
struct NoStageSink: MarkerStageSink {
  var takesOutlines: Bool { false }
}
