import SightlineMath

// From candidates to entries, and the order in which they are laid out.
extension LabelLayout {
  /// Members of clusters count as in view up to this far outside the screen, so that a trembling hand does not dissolve
  /// a cluster at its edge.
  var memberSlack: Double { 32 }

  /// Makes an entry of every candidate in view.
  mutating func collect(_ candidates: [LabelCandidate]) {
    for index in candidates.indices {
      let candidate = candidates[index]
      guard candidate.anchor.x.isFinite, candidate.anchor.y.isFinite, candidate.width.isFinite,
        candidate.height.isFinite, candidate.pivot.x.isFinite, candidate.pivot.y.isFinite
      else { continue }
      let width = max(0, candidate.width)
      let height = max(0, candidate.height)
      let natural =
        candidate.anchor + Vector2((0.5 - candidate.pivot.x) * width, (0.5 - candidate.pivot.y) * height)
      let isNear =
        bounds.contains(candidate.anchor)
        || ((!bounds.isStrict || !candidate.canMove)
          && bounds.touches(center: natural, width: width, height: height))
      var entry = LabelEntry(
        candidate: Int32(index),
        feature: candidate.feature,
        key: candidate.key,
        anchor: candidate.anchor,
        natural: natural,
        width: width,
        height: height,
        distance: candidate.distance.isNaN ? .infinity : candidate.distance
      )
      entry.full = Vector2(width, height)
      entry.compact = Vector2(candidate.compactWidth, candidate.compactHeight)
      entry.pivot = candidate.pivot
      guard candidate.canMove else {
        guard isNear else { continue }
        entry.outcome = .exempt
        entry.target = natural
        entries.append(entry)
        continue
      }
      guard isNear || (bounds.contains(candidate.anchor, slack: memberSlack) && isInCluster(candidate)) else {
        continue
      }
      entries.append(entry)
      remember(Int32(entries.count - 1))
      if candidate.isSelected { select(Int32(entries.count - 1)) }
    }
    if selectedEntry >= 0 { entries[Int(selectedEntry)].isSelected = true }
  }

  private mutating func select(_ index: Int32) {
    if selectedEntry < 0 || entries[Int(index)].isNearer(than: entries[Int(selectedEntry)]) { selectedEntry = index }
  }

  /// Without a key the feature's index is the identity; the top bit keeps the two apart.
  private func identity(key: UInt64, feature: Int32) -> UInt64 {
    key != 0 ? key & ~Self.indexBit : indexIdentity(feature)
  }

  private func indexIdentity(_ feature: Int32) -> UInt64 {
    UInt64(UInt32(bitPattern: feature)) | Self.indexBit
  }

  private static var indexBit: UInt64 { 1 << 63 }

  /// Whether a candidate just outside of what is free is in view all the same, because it is a cluster's member.
  func keeps(key: UInt64, feature: Int32) -> Bool {
    guard let index = memories.find(identity(key: key, feature: feature)) else { return false }
    return memories[index].role == .member || memories[index].role == .fanned
  }

  /// A cluster whose place leaves the free area fades until it is gone.
  func rimOpacity(_ anchor: Vector2) -> Double {
    guard bounds.isStrict else { return 1 }
    return clamp((bounds.depth(of: anchor) + memberSlack) / memberSlack, 0, 1)
  }

  private func isInCluster(_ candidate: LabelCandidate) -> Bool {
    keeps(key: candidate.key, feature: candidate.feature)
  }

  /// Joins an entry with its memory.
  ///
  /// When two candidates have one key, the one with the smaller feature index keeps it
  /// and the other is known by its index; which one comes first plays no part.
  private mutating func remember(_ index: Int32) {
    let entry = entries[Int(index)]
    let memory = claim(identity(key: entry.key, feature: entry.feature))
    guard memories[memory].frame == frame else {
      take(memory, by: index)
      return
    }
    let rival = memories[memory].entry
    var loser = index
    if entry.feature < entries[Int(rival)].feature {
      take(memory, by: index)
      loser = rival
    }
    let own = claim(indexIdentity(entries[Int(loser)].feature))
    if memories[own].frame == frame {
      // The very same candidate twice: the second is not laid out, nothing could tell the two apart.
      entries[Int(loser)].outcome = .hidden
      entries[Int(loser)].memory = own
    } else {
      take(own, by: loser)
    }
  }

  private mutating func claim(_ identity: UInt64) -> Int32 {
    memories.find(identity) ?? memories.add(identity, time: now)
  }

  private mutating func take(_ memory: Int32, by index: Int32) {
    entries[Int(index)].memory = memory
    // What was not there in the frame before has to wait from the beginning.
    if memories[memory].frame != frame &- 1 { memories[memory].betterSince = .infinity }
    memories[memory].frame = frame
    memories[memory].entry = index
    memories[memory].lastSeen = now
  }

  /// Ranks the entries: those that stand count as nearer, at their own place more than lifted.
  mutating func sortEntries() {
    streams.removeAll()
    for index in 0..<Int32(entries.count) {
      let entry = entries[Int(index)]
      guard entry.outcome == .undecided, index != selectedEntry else { continue }
      let memory = memories[entry.memory]
      let stream = memory.role == .standing ? (memory.lift == 0 ? 0 : 1) : 2
      entries[Int(index)].rank = entry.distance * (stream == 0 ? 0.8 : (stream == 1 ? 0.9 : 1))
      streams.append(index, to: stream, of: entries)
    }
    streams.merge(into: &order, of: entries)
  }
}
