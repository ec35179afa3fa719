/// How much a model may hold; whatever is larger is refused with ``ModelError/Code/limit``.
///
/// The defaults are far beyond what a phone draws smoothly, and keep the memory that a hostile file can take below
/// 200 megabytes.
public struct ModelLimits: Sendable {
  /// Bytes of the file; default 64 MiB.
  public var bytes = 64 << 20
  /// Values in the JSON text; default 500,000.
  public var values = 500_000
  /// Nodes; default 20,000.
  public var nodes = 20_000
  /// Vertices of all primitives together; default 600,000.
  public var vertices = 600_000
  /// Corners of all triangles together; default 3,000,000.
  public var indices = 3_000_000
  /// Primitives of all nodes that are shown together, each as often as a node shows it; default 100,000.
  public var draws = 100_000
  /// Bytes of pictures that are not stretches of the file's binary part; default 32 MiB.
  public var pictureBytes = 32 << 20
  /// Numbers in the keys of all animations together; default 4,000,000.
  public var keys = 4_000_000

  /// The defaults.
  public init() {}
}
