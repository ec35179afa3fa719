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
