import SightlineCamera
import SightlineMath

/// How a target's pose in a frame came about.
public enum TargetState: UInt8, Sendable {
  /// Found in this frame without use of earlier ones.
  case detected
  /// Followed from earlier frames and seen in this one.
  case tracked
  /// Not seen well enough in this frame: carried on by motion and gyroscope.
  case extrapolated
}

/// Where a target is in a frame.
public struct TargetSighting: Sendable {
  /// Which target: its place in the list the tracker was given.
  public var target: Int
  /// How the pose came about.
  public var state: TargetState
  /// The map from the pixels of the picture the target was made from to those of the frame.
  public var frameFromPicture: Homography
  /// The same map to draw with: where a target that was carried on is seen again in another place, it goes there within
  /// ``TargetTracker/Parameters/settling`` instead of at once; otherwise ``frameFromPicture``.
  public var shownFromPicture: Homography
  /// Patches that agree with the pose; 0 when extrapolated.
  public var inlierCount: Int
  /// Share of what was compared that agrees, 0 … 1; 0 when extrapolated.
  public var inlierRatio: Double
  /// Share of the target, by sixteenths, in which something agrees.
  public var coverage: Double
  /// Matches of features that led to it; 0 when it was followed.
  public var matchInliers: Int
  /// Standard deviation of the corners, frame pixels: from the fit, growing while extrapolated.
  public var cornerSigma: Double

  /// Where the outer corners of the picture fall, from its own top left clockwise; may lie outside the frame.
  public func corners(width: Int, height: Int) -> InlineArray<4, Vector2>? {
    frameFromPicture.corners(width: Double(width), height: Double(height))
  }
}
