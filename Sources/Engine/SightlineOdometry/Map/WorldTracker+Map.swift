import SightlineImaging
import SightlineMath

extension WorldTracker {
  /// Lets the map see a frame that was tracked, and takes the place it finds after a loss.
  func consultMap(_ picture: GrayView) {
    guard let filter, let clone = filter.clones.last else { return }
    loss.note(tracks: tracker.followedCount, time: clone.time)
    let fix = map.take(
      picture,
      WorldMap.Frame(
        clone: clone,
        camera: filter.camera,
        variance: filter.poseVariance,
        isMetric: isMetric && loss.isSeeing,
        isLost: loss.isLost
      )
    )
    guard let fix else { return }
    loss.found()
    guard let index = filter.clones.firstIndex(where: { $0.time == fix.time }) else { return }
    let turned = UprightTransform(yaw: fix.filterFromView.yaw, translation: .zero).turned(fix.lever)
    filter.take(
      place: fix.filterFromView.translation - turned,
      yaw: fix.filterFromView.yaw,
      clone: index,
      deviation: (fix.variance.position.squareRoot(), fix.variance.yaw.squareRoot())
    )
  }

  /// A clone to leave out, other than the one the map looks for.
  func spared(_ index: Int, _ filter: VisualInertialFilter) -> Int {
    guard let time = map.soughtTime, filter.clones[index].time == time else { return index }
    return index > 0 ? index - 1 : 1
  }
}

extension VisualInertialFilter {
  /// How uncertain place and yaw are: the place's error is its own and what the turn of the world's axes makes of it.
  var poseVariance: MapVariance {
    var variance = 0.0
    let p = inertial.position
    for axis in 0..<3 {
      let unit = Vector3(axis == 0 ? 1 : 0, axis == 1 ? 1 : 0, axis == 2 ? 1 : 0)
      let turn = p.cross(unit)
      var row = InlineArray<6, Double>(repeating: 0)
      for i in 0..<3 {
        row[i] = turn[i]
        row[3 + i] = unit[i]
      }
      for i in 0..<6 {
        for j in 0..<6 {
          let (a, b) = (i < 3 ? i : Component.position + i - 3, j < 3 ? j : Component.position + j - 3)
          variance += row[i] * row[j] * covariance[a, b]
        }
      }
    }
    return MapVariance(position: max(0, variance / 3), yaw: max(0, covariance[2, 2]))
  }
}
