import SightlineStore

/// What one author may keep on a server.
public struct Quotas: Equatable, Sendable {
  /// Bytes of pictures and models, after they were made smaller.
  public var assetBytes = 200 * 1024 * 1024
  /// Bytes of one file as it is sent.
  public var uploadBytes = 20 * 1024 * 1024
  /// Worlds; as many removed ones can be kept beside them until the retention removes them for good.
  public var worlds = 100
  /// Bytes of all drafts, copies and published versions of an author's worlds, removed worlds among them.
  public var studioBytes = 1024 * 1024 * 1024
  /// Places of a world.
  public var places = 5000
  /// Bytes of a world's content.
  public var worldBytes = 4 * 1024 * 1024
  /// Posters in the catalogue.
  public var posters = 1000

  /// What the studio's store is told of it.
  var room: StudioRoom { StudioRoom(worlds: worlds, bytes: studioBytes) }

  /// The usual ones.
  public init() {}
}
