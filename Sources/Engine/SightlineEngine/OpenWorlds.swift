import SightlineScene

/// The worlds that are shown together: each with its own rules about when it is fetched again, all joined into one for the
/// scene.
///
/// Joined, the features (and overlays) of one world follow those of another in the order of the worlds' numbers; hidden
/// worlds are left out. A host that keeps texts by index joins them the same way.
struct OpenWorlds: Sendable {
  /// One world.
  struct Entry: Sendable {
    var number: Int32
    var lifecycle = DimensionLifecycle()
    var description = WorldDescription()
    var isHidden = false
    /// Where it stands in the joined world.
    var features = 0..<0
    var overlays = 0..<0

    init(number: Int32) { self.number = number }
  }

  /// By number, ascending; the first is always there, if only empty.
  var entries = [Entry(number: 0)]
  private(set) var isSuspended = false
  private var lastID: Int32 = 0

  /// Numbers that worlds may have.
  static let numbers: Range<Int32> = 0..<16

  func index(of number: Int32) -> Int? { entries.firstIndex { $0.number == number } }

  /// The world whose request runs under a number.
  func index(ofRequest id: RequestID) -> Int? { entries.firstIndex { $0.lifecycle.running?.id == id } }

  /// The world that a feature of the joined one belongs to.
  func index(ofFeature feature: Int32) -> Int? { entries.firstIndex { $0.features.contains(Int(feature)) } }

  /// The world that an overlay of the joined one belongs to.
  func index(ofOverlay overlay: Int32) -> Int? { entries.firstIndex { $0.overlays.contains(Int(overlay)) } }

  /// A number for the next request: no two worlds' requests have the same.
  mutating func nextRequest() -> RequestID {
    lastID &+= 1
    return RequestID(lastID)
  }

  // MARK: Opening and closing

  /// The world with a number, made if need be; `nil` for a number that no world may have.
  mutating func add(_ number: Int32) -> Int? {
    if let index = index(of: number) { return index }
    guard Self.numbers.contains(number) else { return nil }
    let place = entries.firstIndex { $0.number > number } ?? entries.count
    var entry = Entry(number: number)
    entry.lifecycle.isPatienceOver = entries.contains { $0.lifecycle.isPatienceOver }
    if isSuspended { entry.lifecycle.suspend() }
    entries.insert(entry, at: place)
    return place
  }

  /// Forgets a world; answers its request that still runs.
  mutating func remove(_ index: Int) -> RequestID? {
    let running = entries[index].lifecycle.running?.id
    let number = entries[index].number
    if number == 0 {
      entries[index] = Entry(number: 0)
      if isSuspended { entries[index].lifecycle.suspend() }
    } else {
      entries.remove(at: index)
    }
    return running
  }

  mutating func install(_ description: WorldDescription, in index: Int) { entries[index].description = description }

  mutating func hide(_ index: Int, _ isHidden: Bool) {
    entries[index].isHidden = isHidden
    // A world that nobody sees does not refresh itself.
    if isHidden || isSuspended { entries[index].lifecycle.suspend() } else { entries[index].lifecycle.resume() }
  }

  mutating func suspend() {
    isSuspended = true
    for k in entries.indices { entries[k].lifecycle.suspend() }
  }

  mutating func resume() {
    isSuspended = false
    for k in entries.indices where !entries[k].isHidden { entries[k].lifecycle.resume() }
  }

  // MARK: Status

  /// State of all together: nothing to show counts only when no world has anything.
  func status(isNothingInRange: Bool) -> ContentStatus {
    let states = entries.filter { $0.number != 0 || entries.count == 1 || !$0.isEmpty }
      .map { $0.lifecycle.status(isNothingInRange: isNothingInRange) }
    guard states.count > 1 else { return states.first ?? .nothingOpened }
    let isAnyThere = entries.contains { $0.lifecycle.hasWorld }
    if states.contains(.loading) { return isAnyThere ? .refreshing : .loading }
    if states.contains(.waitingForSensors) { return isAnyThere ? .refreshing : .waitingForSensors }
    if states.contains(.refreshing) { return .refreshing }
    if states.contains(.failed) || states.contains(.outdated) { return isAnyThere ? .outdated : .failed }
    return isNothingInRange ? .nothingInRange : .ready
  }

  // MARK: Joining

  /// All shown worlds as one; notes where each stands in it.
  mutating func join() -> WorldDescription {
    let shown = entries.indices.filter { !entries[$0].isHidden && entries[$0].lifecycle.hasWorld }
    for k in entries.indices { (entries[k].features, entries[k].overlays) = (0..<0, 0..<0) }
    // The usual case costs no copy, and its world reaches the scene exactly as it came.
    if shown.count == 1, entries[shown[0]].number == 0 {
      let description = entries[shown[0]].description
      entries[shown[0]].features = 0..<description.features.count
      entries[shown[0]].overlays = 0..<description.overlays.count
      return description
    }
    var joined = WorldDescription()
    joined.radarRange = 0
    joined.radarAvailable = shown.isEmpty
    for k in shown {
      let features = joined.features.count
      let overlays = joined.overlays.count
      joined.append(entries[k].description, number: entries[k].number)
      entries[k].features = features..<joined.features.count
      entries[k].overlays = overlays..<joined.overlays.count
    }
    if joined.radarRange <= 0 { joined.radarRange = WorldDescription().radarRange }
    return joined
  }
}

extension OpenWorlds.Entry {
  /// Whether nothing was ever opened in it.
  fileprivate var isEmpty: Bool {
    !lifecycle.hasWorld && !lifecycle.hasFailed && lifecycle.running == nil && lifecycle.wanted == nil
  }
}

extension WorldDescription {
  /// Adds another world behind what is there.
  ///
  /// Indices that point outside their own world would point into another one's: they are made to point at nothing.
  fileprivate mutating func append(_ other: WorldDescription, number: Int32) {
    let features = Int32(self.features.count)
    let overlays = Int32(self.overlays.count)
    let focus = focusOverlays.count
    let vertices = pathVertices.count
    let anchors = Int32(self.anchors.count)
    // Numbers of shapes only have to differ from world to world.
    let shape = (paths.map { $0.shape }.max() ?? -1) &+ 1
    self.features.reserveCapacity(self.features.count + other.features.count)
    for var feature in other.features {
      feature.key = mixed(feature.key, number)
      let range = feature.focusOverlays
      feature.focusOverlays =
        range.upperBound <= other.focusOverlays.count
        ? (range.lowerBound + focus)..<(range.upperBound + focus) : 0..<0
      feature.anchor = other.anchors.indices.contains(Int(feature.anchor)) ? feature.anchor &+ anchors : -1
      self.features.append(feature)
    }
    for var overlay in other.overlays {
      overlay.key = mixed(overlay.key, number)
      self.overlays.append(overlay)
    }
    for overlay in other.focusOverlays {
      focusOverlays.append(other.overlays.indices.contains(Int(overlay)) ? overlay &+ overlays : -1)
    }
    for var path in other.paths
    where other.features.indices.contains(Int(path.feature)) && path.vertices.upperBound <= other.pathVertices.count {
      path.feature &+= features
      path.shape = path.shape &+ shape
      path.vertices = (path.vertices.lowerBound + vertices)..<(path.vertices.upperBound + vertices)
      paths.append(path)
    }
    pathVertices.append(contentsOf: other.pathVertices)
    for var anchor in other.anchors {
      if case .anchor(let index) = anchor.reference {
        anchor.reference = other.anchors.indices.contains(Int(index)) ? .anchor(index &+ anchors) : .none
      }
      self.anchors.append(anchor)
    }
    if other.radarAvailable {
      radarAvailable = true
      if other.radarRange.isFinite, other.radarRange > radarRange { radarRange = other.radarRange }
    }
  }

  /// A key that no other world's features have, but by chance; 0 stays none.
  private func mixed(_ key: UInt64, _ number: Int32) -> UInt64 {
    key == 0 ? 0 : max(key &+ UInt64(truncatingIfNeeded: number) &* 0x9E37_79B9_7F4A_7C15, 1)
  }
}
