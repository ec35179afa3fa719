import SightlineCamera
import SightlineMath

/// What moves while the shutter is open, and so is smeared in the frame.
struct Smear {
  /// From the frame's pixels to where the same things were one frame earlier.
  var before: Homography
  /// Share of the time between two frames that the shutter is open.
  var shutter: Double

  /// The way a point goes while the shutter is open, frame pixels.
  func at(_ point: Vector2) -> Vector2 {
    guard let earlier = before(point) else { return .zero }
    let way = (point - earlier) * shutter
    // More than that no patch could be compared anyway.
    return way.length < 60 ? way : way * (60 / way.length)
  }
}

/// A smear in the pixels of a level of the frame's pyramid.
struct LevelSmear {
  var smear: Smear
  var level: Int

  func at(_ point: Vector2) -> Vector2 {
    let k = Double(1 << level)
    return smear.at(Vector2((point.x + 0.5) * k - 0.5, (point.y + 0.5) * k - 0.5)) * (1 / k)
  }
}
