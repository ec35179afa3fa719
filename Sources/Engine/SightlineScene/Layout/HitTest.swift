import SightlineMath

/// What lies under a touch.
public enum SceneHit: Equatable, Sendable {
  /// Nothing.
  case none
  /// A feature, by its index in ``WorldDescription/features``.
  case feature(Int32)
  /// A cluster, by its identifier.
  case cluster(Int32)
  /// An edge arrow, by its index in ``SceneFrame/arrows``.
  case arrow(Int32)
}

/// Finds what a touch means.
///
/// Every box is grown to at least 44 × 44 points about its centre; among all boxes hit the one whose centre is nearest
/// to the touch wins, so that a small thing next to a large one can still be hit. On a tie features come before
/// clusters before arrows, and the nearer in the frame's order first. What is invisible (opacity 0) is not hit.
public enum HitTest {
  /// Smallest side of a touch area, points.
  public static let minimumSide = 44.0

  /// A side as it counts for touches: grown to at least ``minimumSide`` by a whole number of points on either side.
  public static func grownSide(_ side: Double) -> Double {
    guard side < minimumSide else { return side }
    return side - 2 * ((side - minimumSide) / 2).rounded(.toNearestOrAwayFromZero)
  }

  /// What lies under a touch on the screen.
  ///
  /// - Parameters:
  ///   - point: screen points, x right, y down.
  ///   - frame: what is drawn.
  ///   - isActionable: whether a tap on the feature does something; those that do are preferred over those that do not.
  /// - Returns: the one thing hit, or ``SceneHit/none``.
  public static func hit(
    _ point: Vector2,
    in frame: borrowing SceneFrame,
    isActionable: (Int32) -> Bool = { _ in true }
  ) -> SceneHit {
    let cosine = cos(frame.roll.radians)
    let sine = sin(frame.roll.radians)
    var best = SceneHit.none
    var bestDistance = Double.infinity
    var bestIsActionable = false

    /// Squared distance from the centre when the grown box is hit.
    func reach(_ center: Vector2, _ width: Double, _ height: Double) -> Double? {
      let offset = (point - center).rotated(cosine: cosine, sine: -sine)
      guard abs(offset.x) <= grownSide(width) / 2, abs(offset.y) <= grownSide(height) / 2 else { return nil }
      return offset.dot(offset)
    }
    for index in 0..<frame.items.count {
      let item = frame.items[index]
      guard item.opacity > 0, let distance = reach(item.center, item.width, item.height) else { continue }
      let actionable = isActionable(item.feature)
      if actionable != bestIsActionable ? actionable : distance < bestDistance {
        best = .feature(item.feature)
        bestDistance = distance
        bestIsActionable = actionable
      }
    }
    for index in 0..<frame.clusters.count {
      let cluster = frame.clusters[index]
      guard let distance = reach(cluster.center, cluster.width, cluster.height) else { continue }
      if !bestIsActionable || distance < bestDistance {
        best = .cluster(cluster.id)
        bestDistance = distance
        bestIsActionable = true
      }
    }
    for index in 0..<frame.arrows.count {
      guard let distance = reach(frame.arrows[index].position, 0, 0) else { continue }
      if !bestIsActionable || distance < bestDistance {
        best = .arrow(Int32(index))
        bestDistance = distance
        bestIsActionable = true
      }
    }
    return best
  }
}
