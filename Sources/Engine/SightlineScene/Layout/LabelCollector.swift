import SightlineMath

/// Collects the candidates in view: an entry of each, joined with what is remembered of it.
///
/// In: the candidates. Out: the entries, in their order, and which of them is the selected one.
struct LabelCollector {
  let frame: LabelFrame

  /// Fills an empty table.
  func run(_ candidates: [LabelCandidate], into labels: inout LabelTable) {
    let bounds = frame.bounds
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
        labels.entries.append(entry)
        continue
      }
      if !isNear {
        guard bounds.contains(candidate.anchor, slack: LabelClusters.memberSlack),
          labels.memories.isInCluster(key: candidate.key, feature: candidate.feature)
        else { continue }
      }
      labels.entries.append(entry)
      remember(Int32(labels.entries.count - 1), in: &labels)
      if candidate.isSelected { select(Int32(labels.entries.count - 1), in: &labels) }
    }
    if labels.selected >= 0 { labels.entries[Int(labels.selected)].isSelected = true }
  }

  private func select(_ index: Int32, in labels: inout LabelTable) {
    let known = labels.selected
    if known < 0 || labels.entries[Int(index)].isNearer(than: labels.entries[Int(known)]) { labels.selected = index }
  }

  /// Joins an entry with its memory.
  ///
  /// When two candidates have one key, the one with the smaller feature index keeps it
  /// and the other is known by its index; which one comes first plays no part.
  private func remember(_ index: Int32, in labels: inout LabelTable) {
    let entry = labels.entries[Int(index)]
    let memory = claim(LabelMemoryTable.identity(key: entry.key, feature: entry.feature), in: &labels)
    guard labels.memories[memory].frame == frame.number else {
      take(memory, by: index, in: &labels)
      return
    }
    let rival = labels.memories[memory].entry
    var loser = index
    if entry.feature < labels.entries[Int(rival)].feature {
      take(memory, by: index, in: &labels)
      loser = rival
    }
    let own = claim(LabelMemoryTable.identity(feature: labels.entries[Int(loser)].feature), in: &labels)
    if labels.memories[own].frame == frame.number {
      // The very same candidate twice: the second is not laid out, nothing could tell the two apart.
      labels.entries[Int(loser)].outcome = .hidden
      labels.entries[Int(loser)].memory = own
    } else {
      take(own, by: loser, in: &labels)
    }
  }

  private func claim(_ identity: UInt64, in labels: inout LabelTable) -> Int32 {
    labels.memories.find(identity) ?? labels.memories.add(identity, time: frame.now)
  }

  private func take(_ memory: Int32, by index: Int32, in labels: inout LabelTable) {
    labels.entries[Int(index)].memory = memory
    // What was not there in the frame before has to wait from the beginning.
    if labels.memories[memory].frame != frame.number &- 1 { labels.memories[memory].better.since = .infinity }
    labels.memories[memory].frame = frame.number
    labels.memories[memory].entry = index
    labels.memories[memory].lastSeen = frame.now
  }
}
