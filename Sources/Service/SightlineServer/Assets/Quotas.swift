/// What one author may keep on a server.
public struct Quotas: Equatable, Sendable {
  /// Bytes of pictures and models, after they were made smaller.
  public var assetBytes = 200 * 1024 * 1024
  /// Bytes of one file as it is sent.
  public var uploadBytes = 20 * 1024 * 1024
  /// Worlds.
  public var worlds = 100
  /// Places of a world.
  public var places = 5000
  /// Bytes of a world's content.
  public var worldBytes = 4 * 1024 * 1024
  /// Posters in the catalogue.
  public var posters = 1000

  /// The usual ones.
  public init() {}
}
