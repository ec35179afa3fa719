import Foundation

/// What a ground file says about itself.
public struct GroundInfo: Codable, Equatable, Sendable {
  /// Degrees.
  public struct Bounds: Codable, Equatable, Sendable {
    /// The southern edge.
    public var south: Double
    /// The western edge.
    public var west: Double
    /// The northern edge.
    public var north: Double
    /// The eastern edge.
    public var east: Double

    func contains(_ latitude: Double, _ longitude: Double) -> Bool {
      (south...north).contains(latitude) && (west...east).contains(longitude)
    }
  }

  /// What the extract had.
  public struct Counts: Codable, Equatable, Sendable {
    /// Nodes of the extract.
    public var nodes: Int
    /// Ways of the extract.
    public var ways: Int
    /// Relations of the extract.
    public var relations: Int
    /// Buildings on the map.
    public var buildings: Int
    /// Lines of streets and ways on the map.
    public var streets: Int
    /// Tiles of all zooms.
    public var tiles: Int
    /// Crossings and bends of the net of ways to walk, and the ways between them.
    public var walkingNodes: Int
    /// Ways between crossings.
    public var walkingEdges: Int
  }

  /// What could not be used.
  public struct Omissions: Codable, Equatable, Sendable {
    /// Areas that do not close.
    public var openAreas: Int
    /// Nodes of ways that the extract does not have.
    public var missingNodes: Int
    /// Ways of areas that the extract does not have.
    public var missingWays: Int
    /// Pieces of coast that end within the extract.
    public var openCoasts: Int
  }

  /// The area.
  public var bounds: Bounds
  /// How much there is of what.
  public var counts: Counts
  /// What could not be used.
  public var omissions: Omissions
  /// Name of the extract's file, its bytes, and when the ground was built.
  public var source: String
  /// Bytes of the extract.
  public var sourceBytes: Int
  /// When the ground was made.
  public var built: Date
  /// Credit that has to stand where the map is shown.
  public var attribution = "© OpenStreetMap contributors"
}
