import SightlineMath

/// How the device was turned in the last second or so: pictures are looked at later than they were taken.
struct AttitudeMemory: Sendable {
  private var entries: [(time: Double, eastNorthUpFromDevice: Quaternion)] = []
  private var next = 0
  private static let most = 64
  /// Seconds between two entries, at least.
  private static let step = 0.025

  mutating func note(_ attitude: Quaternion, at time: Double) {
    if !entries.isEmpty {
      let last = entries[(next + entries.count - 1) % entries.count].time
      guard time - last >= Self.step else { return }
    }
    if entries.count < Self.most {
      entries.append((time, attitude))
      next = 0
    } else {
      entries[next] = (time, attitude)
      next = (next + 1) % Self.most
    }
  }

  /// The attitude noted nearest to a moment; `nil` when none was noted within a tenth of a second of it.
  func attitude(at time: Double) -> Quaternion? {
    var best: (distance: Double, attitude: Quaternion)?
    for entry in entries {
      let distance = abs(entry.time - time)
      if distance < best?.distance ?? 0.1 { best = (distance, entry.eastNorthUpFromDevice) }
    }
    return best?.attitude
  }
}
