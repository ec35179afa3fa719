/// A printed square marker that a place stands on.
///
/// The frame of what stands there: origin in the marker's centre, x to its right, y to its top, z out of the paper; metres.
public struct MarkerAnchor: Codable, Equatable, Sendable {
  /// Name of the dictionary, as `6x6-250` or `apriltag-36h11`; one of ``dictionaries``.
  public var dictionary: String
  /// Number of the marker in its dictionary.
  public var id: Int
  /// Outer edge of the black border, metres.
  public var length: Double
  /// Direction that its front faces, degrees clockwise from true north; `nil` when it may be anywhere.
  ///
  /// With it the marker hangs where its place says, and who sees it knows where he stands. For one that lies flat, the direction that its lower edge points to.
  public var facing: Double?
  /// How far its front looks up, degrees: 0 on a wall, 90 on the ground; `nil` is 0.
  public var tilt: Double?
  /// How far it is turned clockwise from upright, degrees, for who looks at it; `nil` is 0.
  public var roll: Double?

  /// An anchor from its parts.
  public init(
    dictionary: String,
    id: Int,
    length: Double,
    facing: Double? = nil,
    tilt: Double? = nil,
    roll: Double? = nil
  ) {
    self.dictionary = dictionary
    self.id = id
    self.length = length
    self.facing = facing
    self.tilt = tilt
    self.roll = roll
  }

  /// Whether there is such a marker, of a size that can be printed and seen, that hangs as something can hang.
  public var isUsable: Bool {
    guard let count = Self.dictionaries[dictionary] else { return false }
    return id >= 0 && id < count && length >= 0.005 && length <= 10 && facing ?? 0 >= -360 && facing ?? 0 <= 360
      && tilt ?? 0 >= -90 && tilt ?? 0 <= 90 && roll ?? 0 >= -360 && roll ?? 0 <= 360
      && (facing != nil || tilt == nil && roll == nil)
  }

  /// Names of the dictionaries, each at the index that is its number in the engine.
  public static let dictionaryOrder = [
    "aruco-original", "4x4-50", "4x4-100", "4x4-250", "4x4-1000", "5x5-50", "5x5-100", "5x5-250", "5x5-1000", "6x6-50",
    "6x6-100", "6x6-250", "6x6-1000", "7x7-50", "7x7-100", "7x7-250", "7x7-1000", "aruco-mip-36h12", "apriltag-16h5",
    "apriltag-25h9", "apriltag-36h10", "apriltag-36h11",
  ]

  /// Names of the dictionaries and how many markers each has.
  public static let dictionaries: [String: Int] = [
    "aruco-original": 1024, "4x4-50": 50, "4x4-100": 100, "4x4-250": 250, "4x4-1000": 1000, "5x5-50": 50,
    "5x5-100": 100, "5x5-250": 250, "5x5-1000": 1000, "6x6-50": 50, "6x6-100": 100, "6x6-250": 250, "6x6-1000": 1000,
    "7x7-50": 50, "7x7-100": 100, "7x7-250": 250, "7x7-1000": 1000, "aruco-mip-36h12": 250, "apriltag-16h5": 30,
    "apriltag-25h9": 35, "apriltag-36h10": 2320, "apriltag-36h11": 587,
  ]
}
