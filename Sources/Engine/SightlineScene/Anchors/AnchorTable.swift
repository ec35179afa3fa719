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
    /// Whether it was last known by what it is related to.
    var isRelated = false
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
  /// In which walk along references each anchor was passed last, and the walk at hand; reused from picture to picture.
  private var passed: [Int] = []
  private var walk = 0
  private var chain: [Int] = []

  /// Takes over the anchors of a world; what is known of those that the old one had stays known.
  mutating func setAnchors(_ anchors: [WorldAnchor], before: [WorldAnchor]) {
    var old: [(id: AnchorID, entry: Entry)] = active.map { (before[$0].id, entries[$0]) }
    old.removeAll { $0.entry.state == .lost }
    entries = [Entry](repeating: Entry(), count: anchors.count)
    byID = anchors.indices.map { (anchors[$0].id, $0) }
    byID.sortStably { $0.id.sortKey < $1.id.sortKey }
    related = anchors.indices.filter { anchors[$0].reference != .none }
    passed = related.isEmpty ? [] : [Int](repeating: walk, count: anchors.count)
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
    for seen in observations.all where seen.state != .lost && seen.isFinite {
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
      entries[index].isRelated = false
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
  /// A chain may be as long as the world has anchors; a circle in which none is seen gives none.
  ///
  /// - Complexity: O(*n*) for *n* related anchors, and O(*n*²) for the picture in which they are found all at once.
  private mutating func relate(_ anchors: [WorldAnchor], _ cameraFromEastNorthUp: Quaternion?) {
    walk += 1
    for start in related where entries[start].cameraFromAnchor == nil {
      chain.removeAll(keepingCapacity: true)
      var pose: SimilarityTransform?
      var next: Int? = start
      // Along references to one whose pose is known. What was passed before and has none leads to none, or is a circle.
      while let index = next {
        pose = entries[index].cameraFromAnchor
        if pose != nil || passed[index] == walk { break }
        passed[index] = walk
        chain.append(index)
        next = nil
        switch anchors[index].reference {
        case .none: break
        case .user: pose = cameraFromEastNorthUp.map { SimilarityTransform(rotation: $0) }
        case .anchor(let other):
          if let other = Int(exactly: other), entries.indices.contains(other) { next = other }
        }
      }
      for index in chain.reversed() {
        // A document may relate it by numbers that are none.
        pose = pose.map { $0 * anchors[index].referenceFromAnchor }.flatMap { $0.isSound ? $0 : nil }
        if pose != nil {
          carry(index, pose)
        } else if entries[index].isRelated, isReferenceLost(anchors[index].reference) {
          entries[index].state = .lost
        }
      }
    }
  }

  /// Notes where one is that is known by another.
  private mutating func carry(_ index: Int, _ pose: SimilarityTransform?) {
    // One that is seen, but without a pose, stays seen.
    if entries[index].seen == nil {
      if entries[index].state == .lost {
        entries[index].since = time
        if !active.contains(index) { active.append(index) }
      }
      (entries[index].state, entries[index].isRelated) = (.carried, true)
    }
    entries[index].cameraFromAnchor = pose
  }

  private func isReferenceLost(_ reference: WorldAnchor.Reference) -> Bool {
    guard case .anchor(let other) = reference, let other = Int(exactly: other), entries.indices.contains(other) else {
      return false
    }
    return entries[other].state == .lost
  }
}

extension SimilarityTransform {
  /// Whether its numbers are numbers.
  fileprivate var isSound: Bool {
    let (q, t) = (rotation, translation)
    return abs(q.w) + abs(q.x) + abs(q.y) + abs(q.z) + abs(t.x) + abs(t.y) + abs(t.z) + abs(scale) <= 1e9
  }
}
