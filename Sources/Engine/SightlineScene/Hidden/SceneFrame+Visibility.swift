import SightlineOcclusion

extension SceneFrame {
  /// Whether a feature is seen from here, in view or not.
  ///
  /// - Complexity: O(*n*) for *n* features that are not seen whole.
  public func visibility(of feature: Int32) -> Visibility {
    hidden.contains(feature) ? .hidden : partlySeen.contains(feature) ? .partlySeen : .seen
  }

  /// What a cluster is: as the member that is seen best.
  public func visibility(of cluster: SceneCluster) -> Visibility {
    guard !hidden.isEmpty || !partlySeen.isEmpty else { return .seen }
    let members = clusterMembers[cluster.members].map { visibility(of: $0).rawValue }
    return members.min().flatMap { Visibility(rawValue: $0) } ?? .seen
  }

  /// What an arrow is: as the place that it names, for who turns to it.
  public func visibility(of arrow: EdgeArrow) -> Visibility { visibility(of: arrow.nearest) }
}
