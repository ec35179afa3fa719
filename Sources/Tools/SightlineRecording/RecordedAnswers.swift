import SightlineEngine

/// Brings the worlds of a recording together with the requests of the replayed session.
struct RecordedAnswers {
  /// What the session was answered with, by the numbers of its worlds.
  private(set) var loaded: [Int32: RecordedWorld] = [:]
  private var waiting: [(request: RequestID, world: RecordedWorld)] = []
  private var running: [(request: RequestID, world: Int32)] = []

  mutating func asked(_ request: DimensionRequest) { running.append((request.id, request.world)) }

  mutating func cancelled(_ request: RequestID) { running.removeAll { $0.request == request } }

  mutating func arrived(_ world: RecordedWorld, for request: RequestID) { waiting.append((request, world)) }

  /// A request that is waited for, and the oldest world there is for it.
  mutating func match() -> (RequestID, RecordedWorld)? {
    guard let latest = running.last, let first = waiting.first else { return nil }
    let answered = running.first { $0.request == first.request } ?? latest
    running.removeAll { $0.request == answered.request }
    waiting.removeFirst()
    loaded[answered.world] = first.world
    return (answered.request, first.world)
  }
}

extension RecordedWorld {
  /// What a session shows, with its texts: where each world stands in it is the session's to say.
  ///
  /// - Parameters:
  ///   - session: that shows it.
  ///   - loaded: what each of its worlds was loaded with, by their numbers.
  init?(shownBy session: Session, of loaded: [Int32: RecordedWorld]) {
    let shown = session.shownWorlds.compactMap { part in loaded[part.number].map { (part: part, world: $0) } }
    guard let first = shown.first else { return nil }
    self = first.world
    if shown.count == 1 { return }
    description = session.world
    title = shown.map(\.world.title).joined(separator: " + ")
    texts = Array(repeating: "", count: description.features.count)
    pathStyles = [:]
    for (part, world) in shown {
      for (own, index) in part.features.enumerated() {
        texts[index] = world.text(of: Int32(clamping: own))
        if let style = world.pathStyles[Int32(clamping: own)] { pathStyles[Int32(clamping: index)] = style }
      }
      addresses.merge(world.addresses) { first, _ in first }
    }
  }
}
