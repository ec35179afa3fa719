import SightlineImaging
import SightlineMath

/// What was seen before a pause of a device that was held still.
struct StillPause {
  /// Stamp of the first frame after it, seconds.
  var since: Double
  /// Tracks that were followed, with the numbers of their points and where those were, pixels.
  let points: [(track: Int, identifier: UInt32, place: SIMD2<Float>)]
}

/// Pauses without frames or readings, after which the device may still be where it was.
extension WorldTracker {
  /// Readings that are needed to say that a device is at rest, and frames after which one does not wait for them any longer, seconds.
  private static let (fewestReadings, patience) = (0.3, 1.5)
  /// Turn rate, rad/s, and deviation of the force, m/s², of a hand that holds still.
  private static let (mostRate, mostForce) = (0.1, 0.8)
  /// By how much the vertical may be elsewhere in the device, radians.
  private static let mostTilt = 0.035

  /// Notes that nothing was known for a while: tracking begins again unless the device was at rest, which remains to be seen.
  func beginPause(_ stamp: Double) {
    guard filter != nil, isResting else { return startOver() }
    if pause == nil {
      var points: [(track: Int, identifier: UInt32, place: SIMD2<Float>)] = []
      for (index, track) in tracker.tracks.enumerated() where track.isFollowed {
        points.append((index, track.identifier, SIMD2(track.x, track.y)))
      }
      pause = StillPause(since: stamp, points: points)
    }
    pause?.since = stamp
  }

  /// Whether the device is where it was before the pause: sensors are calm before and after, the vertical is where it was, and the
  /// picture shows the same at the same pixels. Then the filter goes on as if there had been no pause.
  ///
  /// - Returns: `nil` as long as too few readings have come.
  func stands(_ picture: GrayView, _ stamp: Double) -> Bool? {
    guard let pause, let filter, let before = filter.clones.last else { return false }
    follow(picture, filter, from: before)
    var (sum, common) = (Float(0), 0)
    for point in pause.points {
      let track = tracker.tracks[point.track]
      guard track.isFollowed, track.identifier == point.identifier else { continue }
      let shift = SIMD2(track.x, track.y) - point.place
      sum += (shift * shift).sum().squareRoot()
      common += 1
    }
    guard common >= 15, common * 2 > pause.points.count, Double(sum) < Self.restFlow * Double(common) else {
      return false
    }
    let now = stamp - filter.camera.timeOffset
    let from = max(history.start ?? now, filter.inertial.time)
    let end = min(now, history.end ?? now)
    guard end - from >= Self.fewestReadings else { return stamp - pause.since > Self.patience ? false : nil }
    let activity = history.activity(from: from, to: end)
    let up = attitudeByGravity(from: from, to: end).row2
    guard activity.rate < Self.mostRate, activity.force < Self.mostForce,
      up.cross(filter.inertial.attitude.row2).length < Self.mostTilt, up.dot(filter.inertial.attitude.row2) > 0
    else { return false }
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
    let n = InertialState.size
    var transition = [Double](repeating: 0, count: n * n)
    var noise = transition
    let skew = Matrix3.skew(inertial.position)
    // A turn of the device about itself turns the world's axes, and with them its place.
    let (turn, moved) = (Self.turn * Self.turn, skew * skew.transposed)
    let walks = (configuration.gyroBiasWalk, configuration.forceBiasWalk)
    for i in 0..<n { transition[i * (n + 1)] = i / 3 == 1 ? 0 : 1 }
    for i in 0..<3 {
      noise[i * (n + 1)] = turn
      noise[(3 + i) * (n + 1)] = Self.speed * Self.speed
      for j in 0..<3 {
        let p = Component.position
        noise[(p + i) * n + j] = turn * skew[row: i][j]
        noise[j * n + p + i] = turn * skew[row: i][j]
        noise[(p + i) * n + p + j] = turn * moved[row: i][j]
      }
      noise[(Component.position + i) * (n + 1)] += Self.sway * Self.sway
      noise[(Component.gyroBias + i) * (n + 1)] = walks.0 * walks.0 * gap
      noise[(Component.forceBias + i) * (n + 1)] = walks.1 * walks.1 * gap
    }
    unsafe transition.withUnsafeBufferPointer { phi in
      unsafe noise.withUnsafeBufferPointer { added in
        if let phi = phi.baseAddress, let added = added.baseAddress {
          unsafe covariance.propagate(phi, size: n, noise: added)
        }
      }
    }
  }
}
