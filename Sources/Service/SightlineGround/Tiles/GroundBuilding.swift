/// A building, or a part of one, as a ground has it: a prism over an area.
public struct GroundBuilding: Hashable, Sendable {
  /// A corner on the web's map (EPSG:3857): 0 … 1 to the east from 180° W, and to the south from 85.05° N.
  public struct Corner: Hashable, Sendable {
    /// To the east.
    public var x: Double
    /// To the south.
    public var y: Double
  }

  /// The border; the first corner is not repeated.
  public var outer: [Corner]
  /// Courtyards: rings inside the border.
  public var holes: [[Corner]]
  /// Where it begins over the ground, metres.
  public var base: Double
  /// Where it ends over the ground, metres, above ``base``.
  public var roof: Double
  /// Whether the map says how high it is, or it is a guess.
  public var isHeightKnown: Bool
}
