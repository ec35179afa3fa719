import SightlineScene
import SightlineWorlds

/// The worlds that are shown together: each with its own rules about when it is fetched again, all joined into one for the
/// scene (``joined``); hidden worlds are left out.
struct OpenWorlds: Sendable {
  /// One world.
  struct Entry: Sendable {
    var number: Int32
    var lifecycle = DimensionLifecycle()
    var description = WorldDescription()
    var isHidden = false

    init(number: Int32) { self.number = number }
  }

  /// By number, ascending; the first is always there, if only empty.
  var entries = [Entry(number: 0)]
  /// Those that are shown, as one.
  private(set) var joined = JoinedWorlds()
  private(set) var isSuspended = false
  private var lastID: Int32 = 0

  /// Numbers that worlds may have.
  static let numbers: Range<Int32> = 0..<16

  func index(of number: Int32) -> Int? { entries.firstIndex { $0.number == number } }

  /// The world whose request runs under a number.
  func index(ofRequest id: RequestID) -> Int? { entries.firstIndex { $0.lifecycle.running?.id == id } }

  /// The world that a feature of the joined one belongs to.
  func index(ofFeature feature: Int32) -> Int? { joined.part(ofFeature: feature).flatMap { index(of: $0.number) } }

  /// The world that an overlay of the joined one belongs to.
  func index(ofOverlay overlay: Int32) -> Int? { joined.part(ofOverlay: overlay).flatMap { index(of: $0.number) } }

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

  /// Joins all that are shown anew.
  mutating func join() {
    var shown: [(number: Int32, description: WorldDescription)] = []
    for index in entries.indices where !entries[index].isHidden && entries[index].lifecycle.hasWorld {
      shown.append((entries[index].number, entries[index].description))
    }
    joined = JoinedWorlds(shown)
  }
}

extension OpenWorlds.Entry {
  /// Whether nothing was ever opened in it.
  fileprivate var isEmpty: Bool {
    !lifecycle.hasWorld && !lifecycle.hasFailed && lifecycle.running == nil && lifecycle.wanted == nil
  }
}
