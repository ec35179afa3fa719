import SightlineGeodesy

/// Where a world is drawn from.
public struct EyePlacement: Equatable, Sendable {
  /// Of the eye; its altitude counts only with a datum.
  public var position: Geodetic
  /// What the altitude is measured from; `nil` when it is unknown.
  public var datum: HeightDatum?
  /// Metres from the ellipsoid up to sea level there; `nil` when unknown.
  public var geoidHeight: Double?
  /// Height of the ground there over the sea, metres; `nil` when unknown.
  public var ground: Double?
  /// Standard deviation of the position along an axis, metres; `nil` when unknown.
  public var sigma: Double?

  /// An eye.
  public init(
    position: Geodetic,
    datum: HeightDatum?,
    geoidHeight: Double? = nil,
    ground: Double? = nil,
    sigma: Double? = nil
  ) {
    self.position = position
    self.datum = datum
    self.geoidHeight = geoidHeight
    self.ground = ground
    self.sigma = sigma
  }
}

extension Scene {
  /// Moves the eye, see ``setEye(_:datum:geoidHeight:ground:sigma:)``.
  public mutating func setEye(_ eye: EyePlacement) {
    setEye(eye.position, datum: eye.datum, geoidHeight: eye.geoidHeight, ground: eye.ground, sigma: eye.sigma)
  }
}
