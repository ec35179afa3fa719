/// Who walks.
public enum WalkingProfile: UInt8, CaseIterable, Sendable {
  /// The quickest way.
  case quickest
  /// The quickest way with the fewest flights of steps, which is none wherever there is such a way. Escalators count as steps.
  /// Whether it has steps nevertheless says ``WalkingRoute/hasSteps``.
  case avoidingSteps
}

/// How a way is searched for.
///
/// Both give ways of the same cost.
public enum WalkingSearch: Sendable {
  /// With the hierarchy where the graph has been prepared, otherwise plainly.
  case fast
  /// By Dijkstra's algorithm over all of the graph: what the fast search is measured against.
  case plain
}

/// What one walks on.
public enum WalkingWayKind: UInt8, CaseIterable, Sendable {
  /// A road that cars use too.
  case street
  /// A way for walkers, a path, a pedestrian street.
  case path
  /// Over a road.
  case crossing
  /// Steps.
  case steps
  /// Moving steps or a moving walkway.
  case escalator
  /// A lift.
  case elevator
  /// A platform of railways or buses.
  case platform
  /// Inside a building.
  case corridor
  /// Straight across a square.
  case square
  /// From a position to the nearest way, and from the way to the destination: a straight line that no map has.
  case offRoad
}
