import SightlineInput
import SightlineMath

/// Chooses how much of each label is shown: cards for the nearest, then pills, then dots.
///
/// In: the candidates, nearest first, and the clusters of the last frame. Out: the entries' levels and boxes.
///
/// The level goes by the order of the candidates, by the room there is, and by what is near the middle of the view. Less
/// is shown at once, more only when it has been wanted for ``LabelLayout/Parameters/growSeconds``: who comes and goes at
/// the rim of the view changes nothing back and forth.
struct LevelChoice: Sendable {
  /// Whether no label waits for more of it to be shown.
  private(set) var isSettled = true

  /// Gives each entry its level.
  mutating func run(
    _ candidates: [LabelCandidate],
    _ frame: LabelFrame,
    _ clusters: borrowing LabelClusters,
    _ labels: inout LabelTable
  ) {
    isSettled = true
    let parameters = frame.parameters
    let free = frame.bounds.free
    let area = max(0, free.width) * max(0, free.height)
    let cards = Int32(clamped: (area / parameters.cardArea).rounded(.up)).clamped(to: 1...max(1, parameters.mostCards))
    let middle = parameters.middle * min(free.width, free.height)
    var position: Int32 = 0
    for index in 0..<Int32(labels.entries.count) {
      let entry = labels.entries[Int(index)]
      let candidate = candidates[Int(entry.candidate)]
      guard candidate.canMove, candidate.compactWidth > 0, candidate.compactHeight > 0, entry.memory >= 0 else {
        continue
      }
      labels.entries[Int(index)].hasLevels = true
      guard !entry.isSelected else { continue }
      let rank = position < cards ? 0 : (position < cards * (1 + parameters.pillsForCard) ? 1 : 2)
      position += 1
      var wanted = rank == 0 ? LabelLevel.card : (rank == 1 ? .pill : .dot)
      let memory = labels.memories[entry.memory]
      let wasThere = memory.shownFrame == frame.number &- 1
      if wanted == .dot {
        let fromMiddle = (frame.bounds.screen(fromLevelled: entry.anchor) - free.center).length
        if fromMiddle < middle * (wasThere && memory.level < .dot ? 1.25 : 1) { wanted = .pill }
      }
      var level = wanted
      var wantedSince = Double.infinity
      if clusters.index(of: memory) != nil {
        // A fan's members are pills; a closed cluster's let go of as dots, which need the least room.
        level = memory.cluster == clusters.fan.cluster ? .pill : .dot
      } else if memory.role == .standing, wasThere, wanted < memory.level {
        level = memory.level
        wantedSince = memory.wantedSince > frame.now ? frame.now : memory.wantedSince
        isSettled = false
      }
      labels.memories[entry.memory].wantedSince = wantedSince
      labels.entries[Int(index)].wanted = wanted
      labels.entries[Int(index)].show(at: level, dotSide: parameters.dotSide)
    }
  }
}
