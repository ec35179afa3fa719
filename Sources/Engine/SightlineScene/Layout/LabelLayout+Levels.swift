import SightlineInput
import SightlineMath

// How much of each label is shown: cards for the nearest, then pills, then dots.
extension LabelLayout {
  /// Chooses the levels: by the order of the candidates, which come nearest first, by the room there is, and by what is
  /// near the middle of the view.
  ///
  /// Less is shown at once, more only when it has been wanted for ``Parameters/growSeconds``: who comes and goes at the
  /// rim of the view changes nothing back and forth.
  mutating func chooseLevels(_ candidates: [LabelCandidate]) {
    let area = max(0, bounds.free.width) * max(0, bounds.free.height)
    let cards = Int32(clamped: (area / parameters.cardArea).rounded(.up)).clamped(to: 1...max(1, parameters.mostCards))
    let middle = parameters.middle * min(bounds.free.width, bounds.free.height)
    var position: Int32 = 0
    for index in 0..<Int32(entries.count) {
      let entry = entries[Int(index)]
      let candidate = candidates[Int(entry.candidate)]
      guard candidate.canMove, candidate.compactWidth > 0, candidate.compactHeight > 0, entry.memory >= 0 else {
        continue
      }
      entries[Int(index)].hasLevels = true
      guard !entry.isSelected else { continue }
      let rank = position < cards ? 0 : (position < cards * (1 + parameters.pillsForCard) ? 1 : 2)
      position += 1
      var wanted = rank == 0 ? LabelLevel.card : (rank == 1 ? .pill : .dot)
      let memory = memories[entry.memory]
      let wasThere = memory.shownFrame == frame &- 1
      if wanted == .dot {
        let fromMiddle = (bounds.screen(fromLevelled: entry.anchor) - bounds.free.center).length
        if fromMiddle < middle * (wasThere && memory.level < .dot ? 1.25 : 1) { wanted = .pill }
      }
      entries[Int(index)].wanted = wanted
      levelEntry(index, wanted, memory, wasThere)
    }
  }

  private mutating func levelEntry(_ index: Int32, _ wanted: LabelLevel, _ memory: LabelMemory, _ wasThere: Bool) {
    let entry = entries[Int(index)]
    if groups.index(of: memory) != nil {
      // A fan's members are pills; a closed cluster's let go of as dots, which need the least room.
      setLevel(index, memory.cluster == fan.cluster ? .pill : .dot)
      memories[entry.memory].wantedSince = .infinity
    } else if memory.role == .standing, wasThere, wanted < memory.level {
      if memory.wantedSince > now { memories[entry.memory].wantedSince = now }
      isSettled = false
      setLevel(index, memory.level)
    } else {
      memories[entry.memory].wantedSince = .infinity
      setLevel(index, wanted)
    }
  }

  /// Gives an entry the box of a level.
  mutating func setLevel(_ index: Int32, _ level: LabelLevel) {
    var entry = entries[Int(index)]
    entry.level = level
    let pivot: Vector2
    (entry.width, entry.height, pivot) = entry.box(at: level, dotSide: parameters.dotSide)
    entry.natural = entry.anchor + Vector2((0.5 - pivot.x) * entry.width, (0.5 - pivot.y) * entry.height)
    entries[Int(index)] = entry
  }

  /// Shows more of a label that stands, once there has been room for it for long enough; false when there is not.
  mutating func grow(_ index: Int32) -> Bool {
    let entry = entries[Int(index)]
    guard let more = LabelLevel(rawValue: entry.level.rawValue &- 1),
      now - memories[entry.memory].wantedSince >= parameters.growSeconds
    else { return false }
    setLevel(index, more)
    if let lift = steadyLift(index, below: liftLimit(index)),
      now - memories[entry.memory].betterSince >= parameters.growSeconds
    {
      stand(index, lift: lift)
      return true
    }
    setLevel(index, entry.level)
    return false
  }
}
