/// Why there is no way, or no graph.
public enum WalkingProblem: Error, Equatable, Sendable {
  /// An end of a way.
  public enum End: String, Sendable {
    case start, destination
  }

  /// The extract has nothing that can be walked.
  case empty
  /// More nodes or edges than a graph can number: 2³⁰ nodes, 2³⁰ edges, 2³¹ points of shape.
  case tooLarge
  /// A position that is not on the Earth: not finite, or beyond ±90 or ±180 degrees.
  case position(End)
  /// No way that can be walked within so many metres of this end.
  case farFromWays(End, limitMetres: Double)
  /// Both ends are near ways, but none leads from one to the other.
  case unconnected
  /// A file that cannot be opened.
  case unreadable(String)
  /// The bytes are no walking graph of this version, or damaged; says where.
  case damaged(String)
}
