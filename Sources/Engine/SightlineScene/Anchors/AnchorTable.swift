import SightlineCamera
import SightlineMath

/// What is known of each anchor of a world, from observation to observation.
struct AnchorTable: Sendable {
  struct Entry: Sendable {
    var state = ObservationState.lost
    /// When it was found, the session's clock.
    var since = 0.0
    /// Of the newest picture it was seen or carried on in; `nil` while it is in none.
    var seen: Observation?
    /// How it lies before the camera of the newest picture, its own or by what it is related to.
    var cameraFromAnchor: SimilarityTransform?
  }

  /// In the order of the world's anchors.
  private(set) var entries: [Entry] = []
  /// The newest picture.
  private(set) var time = -Double.infinity
  private(set) var camera: FrameCamera?
  /// The anchors by what they are.
  private var byID: [(id: AnchorID, index: Int)] = []
  /// Those that something is known of, and those that were lost with the newest picture.
  private(set) var active: [Int] = []
  /// Those that are related to others, or to the user.
  private var related: [Int] = []

  /// Takes over the anchors of a world; what is known of those that the old one had stays known.
  mutating func setAnchors(_ anchors: [WorldAnchor], before: [WorldAnchor]) {
    var old: [(id: AnchorID, entry: Entry)] = active.map { (before[$0].id, entries[$0]) }
    old.removeAll { $0.entry.state == .lost }
    entries = [Entry](repeating: Entry(), count: anchors.count)
    byID = anchors.indices.map { (anchors[$0].id, $0) }
    byID.sort { $0.id == $1.id ? $0.index < $1.index : $0.id.sortKey < $1.id.sortKey }
    related = anchors.indices.filter { anchors[$0].reference != .none }
    active.removeAll()
    for (id, entry) in old { for index in indices(of: id) { entries[index] = entry } }
    active = entries.indices.filter { entries[$0].state != .lost }
  }

  /// Calls for each anchor that is the one of an identity.
  private func forEach(_ id: AnchorID, _ body: (Int) -> Void) {
    var (low, high) = (0, byID.count)
    while low < high {
      let middle = (low + high) / 2
      if byID[middle].id.sortKey < id.sortKey { low = middle + 1 } else { high = middle }
    }
    while low < byID.count, byID[low].id == id {
      body(byID[low].index)
      low += 1
    }
  }

  private func indices(of id: AnchorID) -> [Int] {
    var all: [Int] = []
    forEach(id) { all.append($0) }
    return all
  }

  /// Takes what was seen in a picture.
  ///
  /// An anchor that nothing is said of is not in the picture, but not lost either.
  mutating func take(_ observations: Observations, _ anchors: [WorldAnchor], cameraFromEastNorthUp: Quaternion?) {
    (time, camera) = (observations.time, observations.camera)
    active.removeAll { entries[$0].state == .lost }
    for index in active {
      entries[index].seen = nil
      entries[index].cameraFromAnchor = nil
    }
    // Of several that show the same, the one that is seen, and best.
    for seen in observations.all where seen.state != .lost {
      for index in indices(of: seen.anchor) where isBetter(seen, entries[index].seen) {
        if entries[index].state == .lost, entries[index].seen == nil { active.append(index) }
        entries[index].seen = seen
      }
    }
    for lost in observations.all where lost.state == .lost {
      for index in indices(of: lost.anchor) where entries[index].seen == nil { entries[index].state = .lost }
    }
    for index in active {
      guard let seen = entries[index].seen else { continue }
      if entries[index].state == .lost { entries[index].since = observations.time }
      entries[index].state = seen.state
      entries[index].cameraFromAnchor = seen.pose.map {
        SimilarityTransform(rotation: $0.cameraFromPlane, translation: $0.translation)
      }
    }
    relate(anchors, cameraFromEastNorthUp)
  }

  private func isBetter(_ a: Observation, _ b: Observation?) -> Bool {
    guard let b else { return true }
    let (isSeen, wasSeen) = (a.state != .carried, b.state != .carried)
    return isSeen == wasSeen ? a.confidence > b.confidence : isSeen
  }

  /// Gives poses to anchors that are related to others, or to the user.
  ///
  /// A chain may be eight anchors long; a circle gives none.
  private mutating func relate(_ anchors: [WorldAnchor], _ cameraFromEastNorthUp: Quaternion?) {
    var isAnyNew = !related.isEmpty
    var rounds = 0
    while isAnyNew, rounds < 8 {
      isAnyNew = false
      rounds += 1
      for index in related where entries[index].cameraFromAnchor == nil {
        let anchor = anchors[index]
        var reference: (pose: SimilarityTransform, state: ObservationState)?
        switch anchor.reference {
        case .none: continue
        case .user:
          if let turn = cameraFromEastNorthUp { reference = (SimilarityTransform(rotation: turn), .carried) }
        case .anchor(let other):
          guard let other = Int(exactly: other), entries.indices.contains(other),
            let pose = entries[other].cameraFromAnchor
          else { continue }
          reference = (pose, .carried)
        }
        guard let reference else { continue }
        if entries[index].state == .lost {
          entries[index].since = time
          if !active.contains(index) { active.append(index) }
        }
        entries[index].state = reference.state
        entries[index].cameraFromAnchor = reference.pose * anchor.referenceFromAnchor
        isAnyNew = true
      }
    }
  }
}
