import SightlineMath

extension Scenery {
  /// The houses around a place that is, out of a ground file.
  public struct Town: Equatable, Sendable {
    /// Where to read it from.
    public var path: String
    /// How far around the script's place houses stand, metres.
    public var reach: Double
    /// Line of the script that names it.
    public var line: Int
    /// The houses: who reads the file puts them in.
    public var houses: [House] = []

    /// Most walls that are drawn.
    public static let mostWalls = 20_000

    /// A town that has no houses yet.
    public init(path: String, reach: Double, line: Int = 1) {
      self.path = path
      self.reach = reach
      self.line = line
    }
  }

  /// A prism on the ground or above it.
  public struct House: Equatable, Sendable {
    /// Its border, east and north, metres; either way around.
    public var outer: [Vector2]
    /// Courtyards.
    public var holes: [[Vector2]]
    /// Where it begins over the ground, metres.
    public var base: Double
    /// Where it ends over the ground, metres, above ``base``.
    public var roof: Double

    /// A house.
    public init(outer: [Vector2], holes: [[Vector2]] = [], base: Double = 0, roof: Double) {
      self.outer = outer
      self.holes = holes
      self.base = base
      self.roof = roof
    }
  }
}
