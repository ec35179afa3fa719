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
  private var indices: [AnchorID: [Int]] = [:]

  /// Takes over the anchors of a world; what is known of those that the old one had stays known.
  mutating func setAnchors(_ anchors: [WorldAnchor], before: [WorldAnchor]) {
    let old = entries
    entries = anchors.map { anchor in
      before.firstIndex { $0.id == anchor.id }.flatMap { old.indices.contains($0) ? old[$0] : nil } ?? Entry()
    }
    indices.removeAll()
    for (index, anchor) in anchors.enumerated() { indices[anchor.id, default: []].append(index) }
  }

  /// Takes what was seen in a picture.
  ///
  /// An anchor that nothing is said of is not in the picture, but not lost either.
  mutating func take(_ observations: Observations, _ anchors: [WorldAnchor], cameraFromEastNorthUp: Quaternion?) {
    (time, camera) = (observations.time, observations.camera)
    for index in entries.indices {
      entries[index].seen = nil
      entries[index].cameraFromAnchor = nil
    }
    // Of several that show the same, the one that is seen, and best.
    for seen in observations.all where seen.state != .lost {
      for index in indices[seen.anchor] ?? [] where isBetter(seen, entries[index].seen) { entries[index].seen = seen }
    }
    for lost in observations.all where lost.state == .lost {
      for index in indices[lost.anchor] ?? [] where entries[index].seen == nil { entries[index].state = .lost }
    }
    for index in entries.indices {
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
  /// A chain may be as long as the world has anchors; a circle gives none.
  private mutating func relate(_ anchors: [WorldAnchor], _ cameraFromEastNorthUp: Quaternion?) {
    var isAnyNew = anchors.contains { $0.reference != .none }
    var rounds = 0
    while isAnyNew, rounds < 8 {
      isAnyNew = false
      rounds += 1
      for (index, anchor) in anchors.enumerated() where entries[index].cameraFromAnchor == nil {
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
        if entries[index].state == .lost { entries[index].since = time }
        entries[index].state = reference.state
        entries[index].cameraFromAnchor = reference.pose * anchor.referenceFromAnchor
        isAnyNew = true
      }
    }
  }
}
