import Foundation

/// What a ground file says about itself.
public struct GroundInfo: Codable, Equatable, Sendable {
  /// Degrees.
  public struct Bounds: Codable, Equatable, Sendable {
    public var south: Double
    public var west: Double
    public var north: Double
    public var east: Double

    func contains(_ latitude: Double, _ longitude: Double) -> Bool {
      (south...north).contains(latitude) && (west...east).contains(longitude)
    }
  }

  /// What the extract had.
  public struct Counts: Codable, Equatable, Sendable {
    public var nodes: Int
    public var ways: Int
    public var relations: Int
    public var buildings: Int
    public var streets: Int
    public var tiles: Int
    /// Crossings and bends of the net of ways to walk, and the ways between them.
    public var walkingNodes: Int
    public var walkingEdges: Int
  }

  /// What could not be used.
  public struct Omissions: Codable, Equatable, Sendable {
    public var openAreas: Int
    public var missingNodes: Int
    public var missingWays: Int
    public var openCoasts: Int
  }

  public var bounds: Bounds
  public var counts: Counts
  public var omissions: Omissions
  /// Name of the extract's file, its bytes, and when the ground was built.
  public var source: String
  public var sourceBytes: Int
  public var built: Date
  /// Credit that has to stand where the map is shown.
  public var attribution = "© OpenStreetMap contributors"
}
