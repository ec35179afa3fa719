import SightlineOcclusion

extension Scenery {
  /// The houses around a place that is, out of a ground file.
  public struct Town: Equatable, Sendable {
    /// Where to read it from.
    public var path: String
    /// How far around the script's place houses stand, metres.
    public var reach: Double
    /// Line of the script that names it.
    public var line: Int
    /// The houses, metres east and north of the script's place: who reads the file puts them in.
    public var houses: [Footprint] = []

    /// Most walls that are drawn.
    public static let mostWalls = 20_000

    /// A town that has no houses yet.
    public init(path: String, reach: Double, line: Int = 1) {
      self.path = path
      self.reach = reach
      self.line = line
    }
  }
}
