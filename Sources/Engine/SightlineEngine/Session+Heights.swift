import SightlineGeodesy
import SightlineScene

/// Heights that agree: of positions, of documents, and of the ground.
extension Session {
  /// Metres from the ellipsoid up to sea level where the user is; `nil` while position or geoid are not known.
  public var geoidHeight: Double? {
    mutating get { standpoint.flatMap { device.geoidHeight(at: $0) } }
  }

  /// Height of the ground where the user is, metres over the sea; `nil` when nobody has told it, or of a place too far off.
  public var groundHeight: Double? { device.groundHeight }

  /// How high the world is drawn from: the position's altitude, or that of somebody who stands on the ground there; `nil` when neither
  /// is known.
  public var height: Height? { device.height }

  mutating func placeEye() {
    // A held picture keeps its eye, but one that has none yet gets its first.
    guard !isFrozen || scene.origin == nil, let eye = device.eyePlacement() else { return }
    scene.setEye(eye)
  }
}
