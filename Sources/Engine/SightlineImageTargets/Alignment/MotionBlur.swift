import SightlineCamera
import SightlineMath

/// What moves while the exposure is open, and so is blurred in the frame.
struct MotionBlur {
  /// From the frame's pixels to where the same things were one frame earlier.
  var before: Homography
  /// From the pixels of that frame to where the same things were another frame earlier, when that is known.
  var earlier: Homography?
  /// Share of the time between two frames that the exposure is open.
  var exposure: Double

  init(before: Homography, earlier: Homography? = nil, exposure: Double) {
    (self.before, self.earlier, self.exposure) = (before, earlier, exposure)
  }

  /// The same along one vector everywhere, frame pixels.
  init(_ blurVector: Vector2) {
    let before = Matrix3(rows: Vector3(1, 0, -blurVector.x), Vector3(0, 1, -blurVector.y), Vector3(0, 0, 1))
    self.init(before: Homography(before), exposure: 1)
  }

  /// The way a point goes while the exposure is open, frame pixels.
  func at(_ point: Vector2) -> Vector2 {
    guard let start = before(point) else { return .zero }
    var step = point - start
    // The velocity now, not that of half a frame ago.
    if let first = earlier?(start) { step = step + (step - (start - first)) * 0.5 }
    let way = step * exposure
    // More than that no patch could be compared anyway.
    return way.length < 60 ? way : way * (60 / way.length)
  }
}

/// A motion blur in the pixels of a level of the frame's pyramid.
struct LevelMotionBlur {
  var motionBlur: MotionBlur
  var level: Int

  func at(_ point: Vector2) -> Vector2 {
    let k = Double(1 << level)
    return motionBlur.at(Vector2((point.x + 0.5) * k - 0.5, (point.y + 0.5) * k - 0.5)) * (1 / k)
  }
}
