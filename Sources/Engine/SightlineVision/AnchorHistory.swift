import SightlineCamera

/// The one rule for when something is lost: it was neither seen nor carried on for so long.
struct AnchorHistory {
  /// Seconds.
  let lostAfter: Double
  private var last: [(seen: Observation, time: Double)] = []

  init(lostAfter: Double) { self.lostAfter = lostAfter }

  /// Notes the observations of a frame and appends those of what is lost with it.
  ///
  /// What is observed for the first time, or again after it was lost, is said to be found.
  mutating func note(_ observations: inout [Observation], _ time: Double) {
    for index in observations.indices {
      let seen = observations[index]
      if let known = last.firstIndex(where: { $0.seen.anchor == seen.anchor && $0.seen.track == seen.track }) {
        last[known] = (seen, time)
      } else {
        if seen.state == .tracked { observations[index].state = .found }
        last.append((seen, time))
      }
    }
    var kept = 0
    for index in last.indices {
      let (seen, when) = last[index]
      if time - when >= lostAfter {
        observations.append(
          Observation(
            seen.anchor,
            state: .lost,
            corners: seen.corners,
            confidence: 0,
            width: seen.width,
            track: seen.track,
            unseen: time - when + seen.unseen
          )
        )
        continue
      }
      last[kept] = last[index]
      kept += 1
    }
    last.removeLast(last.count - kept)
  }
}
