import SightlineImaging
import SightlineMath

/// Pauses without frames or readings, after which the device may still be where it was.
extension WorldTracker {
  /// Readings that are needed to say that a device is at rest, and frames after which one does not wait for them any longer, seconds.
  private static let (fewestReadings, patience) = (0.3, 1.5)
  /// By how much the vertical may be elsewhere in the device, radians.
  private static let mostTilt = 0.035

  /// Whether the device is where it was before the pause.
  ///
  /// Sensors are calm before and after, the vertical is where it was, and the
  /// picture shows the same at the same pixels. Then the filter goes on as if there had been no pause.
  ///
  /// - Parameters:
  ///   - picture: a frame after the pause.
  ///   - stamp: its own, seconds.
  ///   - since: that of the first frame after the pause.
  /// - Returns: `nil` as long as too few readings have come.
  func stands(_ picture: GrayView, _ stamp: Double, since: Double) -> Bool? {
    guard let filter, let before = filter.clones.last else { return false }
    follow(picture, filter, from: before)
    var (sum, common, seen) = (Float(0), 0, 0)
    for index in tracker.tracks.indices {
      let track = tracker.tracks[index]
      guard track.seen & (1 << UInt32(before.slot)) != 0 else { continue }
      seen += 1
      guard track.isFollowed else { continue }
      let place = tracker.observation(index, slot: before.slot)
      let shift = SIMD2(track.x - place.x, track.y - place.y)
      sum += (shift * shift).sum().squareRoot()
      common += 1
    }
    guard common >= 15, common * 2 > seen, Double(sum) < Self.restFlow * Double(common) else { return false }
    let now = stamp - filter.camera.timeOffset
    guard let start = history.start, let end = history.end, end > now - 0.1,
      min(end, now) - start >= Self.fewestReadings
    else { return stamp - since > Self.patience ? false : nil }
    let up = attitudeByGravity(from: now - Self.fewestReadings, to: now).row2
    let old = filter.inertial.attitude.row2
    guard rests(until: now), up.cross(old).length < Self.mostTilt, up.dot(old) > 0 else { return false }
    filter.stand(until: now)
    // Frames of before are no start of a motion.
    dropStartFrames()
    movingFrames = 0
    return true
  }
}

extension VisualInertialFilter {
  /// How far a hand sways that holds still, metres, and turns, radians, and how fast it moves, m/s.
  private static let (sway, turn, speed) = (0.02, 0.015, 0.03)

  /// Goes on at a later moment, the device having been held still until then: clones are as old as if that time had not passed.
  func stand(until time: Double) {
    let gap = max(0, time - inertial.time)
    inertial.time += gap
    inertial.velocity = .zero
    for i in clones.indices { clones[i].time += gap }
    for i in 0..<3 {
      let v = Component.velocity + i
      for j in 0..<covariance.count { (covariance[v, j], covariance[j, v]) = (0, 0) }
      add(Self.turn * Self.turn, to: Component.attitude + i)
      add(Self.speed * Self.speed, to: v)
      add(Self.sway * Self.sway, to: Component.position + i)
      add(configuration.gyroBiasWalk * configuration.gyroBiasWalk * gap, to: Component.gyroBias + i)
      add(configuration.forceBiasWalk * configuration.forceBiasWalk * gap, to: Component.forceBias + i)
    }
  }

  private func add(_ variance: Double, to component: Int) { covariance[component, component] += variance }
}
