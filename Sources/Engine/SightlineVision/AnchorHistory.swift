import SightlineCamera

/// The one rule for when something is lost: it was seen last so long ago, and is not carried on any more.
///
/// How long things are carried on is told to the stages that do it, see ``VisionPipeline/Parameters/lostAfter``.
struct AnchorHistory {
  private struct Entry {
    /// As it was observed last.
    var observed: Observation
    /// When that was, and when it was seen last; seconds.
    var time: Double
    var seen: Double
  }

  /// Seconds.
  let lostAfter: Double
  private var last: [Entry] = []

  init(lostAfter: Double) { self.lostAfter = lostAfter }

  /// Notes the observations of a frame and appends those of what is lost with it.
  ///
  /// What is observed for the first time, or again after it was lost, is said to be found.
  mutating func note(_ observations: inout [Observation], _ time: Double) {
    for index in observations.indices {
      let new = observations[index]
      let known = last.firstIndex { $0.observed.anchor == new.anchor && $0.observed.track == new.track }
      if let known {
        (last[known].observed, last[known].time) = (new, time)
        if new.state != .carried { last[known].seen = time }
      } else {
        if new.state == .tracked { observations[index].state = .found }
        last.append(Entry(observed: new, time: time, seen: time - new.unseen))
      }
    }
    var kept = 0
    for index in last.indices {
      let entry = last[index]
      if entry.time < time, time - entry.seen >= lostAfter {
        observations.append(
          Observation(
            entry.observed.anchor,
            state: .lost,
            corners: entry.observed.corners,
            confidence: 0,
            width: entry.observed.width,
            track: entry.observed.track,
            unseen: time - entry.seen
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
