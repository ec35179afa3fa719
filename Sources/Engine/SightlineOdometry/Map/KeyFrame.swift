import SightlineMath

/// A view that the map keeps.
final class KeyFrame {
  /// Number that no other ever has.
  let number: Int
  /// What it shows.
  let view: MapView
  /// The map from the view's axes at its lens.
  var pose: UprightTransform
  /// The same as it is told: it goes over to ``pose`` without a jump.
  var shownPose: UprightTransform
  /// How uncertain its pose is in the map.
  var variance: MapVariance
  /// The filter's world from the view's axes, and how uncertain that was when it was taken.
  var filterFromView: UprightTransform
  var filterVariance: MapVariance
  /// Whether it only says where the way led: it is not searched.
  let isWaypoint: Bool
  /// The part of the map that it belongs to.
  var part: MapPart

  /// A view with its place in the map.
  init(
    number: Int,
    view: MapView,
    pose: UprightTransform,
    shown: UprightTransform,
    variance: MapVariance,
    isWaypoint: Bool,
    part: MapPart = .first
  ) {
    (self.number, self.view, self.pose, self.variance, self.isWaypoint) = (number, view, pose, variance, isWaypoint)
    self.part = part
    shownPose = shown
    filterFromView = UprightTransform(yaw: 0, translation: view.lens)
    filterVariance = view.variance
  }

  /// Which way it looks in the map.
  var axis: Vector3 { pose.turned(view.axis) }

  /// How different its view is from one taken elsewhere: 1 is a new view.
  ///
  /// - Parameters:
  ///   - place: of the other lens in the map, metres.
  ///   - other: which way that looks.
  /// - Returns: 0 for the same view.
  func difference(place: Vector3, axis other: Vector3) -> Double {
    let turn = acos(clamp(axis.dot(other), -1, 1))
    return turn / 0.4 + (pose.translation - place).length / 0.7
  }
}
