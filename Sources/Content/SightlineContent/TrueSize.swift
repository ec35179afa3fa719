/// How large a place's picture or model is in the world.
public struct TrueSize: Codable, Equatable, Sendable {
  /// Width of a picture, metres, > 0; `nil`: as its height and shape make it.
  public var width: Double?
  /// Height of a picture, or of a model, metres, > 0; `nil`: as a picture's width and shape, or a model's scale, make it.
  public var height: Double?

  /// A size.
  public init(width: Double? = nil, height: Double? = nil) {
    self.width = width
    self.height = height
  }

  /// Sides that things can have, metres.
  public static let sides = 0.001...10_000.0

  /// Whether it says something, and nothing impossible.
  public var isUsable: Bool {
    (width != nil || height != nil) && Self.sides.contains(width ?? 1) && Self.sides.contains(height ?? 1)
  }
}

/// How a place's picture or model stands in the world.
///
/// All zeros is upright, its front to the north. First it is rolled, then pitched, then turned.
public struct Attitude: Codable, Equatable, Sendable {
  /// Direction that its front faces, degrees clockwise from true north, −360 … 360; of what lies flat, the direction that its lower edge
  /// points to.
  public var heading: Double
  /// How far its front looks up, degrees: 0 upright, 90 lying on its back, −360 … 360; `nil` is 0.
  public var pitch: Double?
  /// How far it is turned clockwise for who looks at its front, degrees, −360 … 360; `nil` is 0.
  public var roll: Double?

  /// An attitude.
  public init(heading: Double, pitch: Double? = nil, roll: Double? = nil) {
    self.heading = heading
    self.pitch = pitch
    self.roll = roll
  }

  /// Whether something can stand so.
  public var isUsable: Bool {
    abs(heading) <= 360 && abs(pitch ?? 0) <= 360 && abs(roll ?? 0) <= 360
  }
}
