import SightlineMath

/// A place that is tied to what surrounds it.
struct AttachedPlace {
  /// By which it is asked for.
  var handle: Int
  /// Number of the key frame it is tied to; −1 while there is none.
  var number: Int
  /// In the key frame's axes; in the map's world while there is none.
  var place: UprightTransform
  /// The part of the map that it lies in.
  var part: MapPart
}

extension WorldMap {
  /// Ties a place of the map to what surrounds it: it moves with that when loops close.
  ///
  /// - Parameter pose: where it is, and which way it is turned about the vertical, in the world of the estimates.
  /// - Returns: by which it can be asked for.
  public func attach(_ pose: UprightTransform) -> Int {
    nextHandle += 1
    attached.append(AttachedPlace(handle: nextHandle, number: -1, place: pose, part: part))
    tie(attached.count - 1, to: pose, isShown: true)
    return nextHandle
  }

  /// Forgets a place.
  public func detach(_ handle: Int) { attached.removeAll { $0.handle == handle } }

  /// Where a place is now, in the world of the estimates; `nil` for one that is not attached, and as long as nobody knows: since tracking
  /// began anew nothing of its surroundings was recognised.
  public func pose(of handle: Int) -> UprightTransform? {
    guard let place = attached.first(where: { $0.handle == handle }), place.part == part else { return nil }
    guard let keyFrame = keyFrames.first(where: { $0.number == place.number }) else { return place.place }
    return keyFrame.shownPose * place.place
  }

  /// Ties a place of the map's world to the key frame of its part that is nearest to it.
  func tie(_ index: Int, to pose: UprightTransform, isShown: Bool = false) {
    let own = keyFrames.filter { $0.part == attached[index].part }
    let steady = own.filter { !$0.isWaypoint }
    let nearest = (steady.isEmpty ? own : steady).min {
      ($0.pose.translation - pose.translation).length < ($1.pose.translation - pose.translation).length
    }
    attached[index].number = nearest?.number ?? -1
    attached[index].place = nearest.map { (isShown ? $0.shownPose : $0.pose).inverse * pose } ?? pose
  }
}
