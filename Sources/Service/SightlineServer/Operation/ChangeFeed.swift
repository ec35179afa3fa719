import Logging
import ServiceLifecycle
import SightlineStore
import Synchronization

/// Keeps this process' memory and its boards right while others change the same database.
///
/// It reads the outbox by number, once a second in any case and at once when the database tells of a change
/// (``ChangeStore/listen(_:)``). So a line on which nothing is heard any more costs a second, not the truth. Own
/// changes are passed over: whoever made them has shown them.
final class ChangeFeed: Service {
  private struct State {
    var began: ContinuousClock.Instant?
    var succeeded: ContinuousClock.Instant?
    var isListening = false
    /// Whether generations that the catalog knows may be given again.
    var doubtsCatalog = false
  }

  /// Time between two questions when nothing is told.
  static let pause = Duration.seconds(1)
  /// Time between two batches of positions for others.
  static let batchPause = Duration.milliseconds(200)
  /// How long ago the outbox may have been read for the last time.
  static let patience = Duration.seconds(5)
  /// How long own changes are shown like others' after one whose outcome was not known: a commit may come to its end
  /// after its line has broken off.
  static let doubtTime = Duration.seconds(60)

  private let store: any ChangeStore
  private let tours: TourService
  private let catalog: Catalog
  private let timetables: [SharedTimetable]
  private let log: Logger
  private let state = Mutex(State())
  /// More than one wish to read the catalog is one wish.
  private let (catalogWishes, catalogWish) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))

  init(
    store: any ChangeStore,
    tours: TourService,
    catalog: Catalog,
    timetables: [SharedTimetable] = [],
    log: Logger
  ) {
    self.timetables = timetables
    self.store = store
    self.tours = tours
    self.catalog = catalog
    self.log = log
  }

  /// Whether it has tried in vain for some seconds to learn what others have done.
  var isBehind: Bool {
    state.withLock { state in
      (state.succeeded ?? state.began).map { ContinuousClock.now - $0 >= ChangeFeed.patience } ?? false
    }
  }

  /// Whether the database tells of changes; it is asked every second all the same.
  var isListening: Bool { state.withLock { $0.isListening } }

  func run() async throws {
    await cancelWhenGracefulShutdown { [self] in await follow() }
    // Those that moved last are on others' boards too.
    if store.isShared { await tellPositions() }
  }

  /// Reads and tells until the task is cancelled.
  func follow() async {
    state.withLock { $0.began = .now }
    // More than one wish to read is one wish.
    let (wishes, wish) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
    let listener = store.listen { wish.yield() }
    defer { listener?.stop() }
    wish.yield()
    await withTaskGroup(of: Void.self) { group in
      group.addTask {
        while (try? await Task.sleep(for: ChangeFeed.pause)) != nil { wish.yield() }
        wish.finish()
      }
      if store.isShared {
        group.addTask { [self] in
          while (try? await Task.sleep(for: ChangeFeed.batchPause)) != nil { await tellPositions() }
        }
      }
      group.addTask { [self] in await refreshCatalog() }
      group.addTask { [self] in await read(wishes, listener) }
      await group.waitForAll()
    }
  }

  // MARK: What others did

  /// Where the reader is.
  struct Reader {
    var position: ChangePosition?
    var positions: Int64 = 0
    var unknownOutcomes = 0
    var doubtsUntil: ContinuousClock.Instant?
  }

  private func read(_ wishes: AsyncStream<Void>, _ listener: (any ChangeListener)?) async {
    var reader = Reader()
    var isFailing = false
    for await _ in wishes {
      do {
        try await read(&reader)
        state.withLock { $0.succeeded = .now }
        if isFailing { log.notice("changes of the store are read again") }
        isFailing = false
      } catch is CancellationError {
        return
      } catch {
        // Once, not every second.
        if !isFailing { log.error("changes of the store could not be read", metadata: ["reason": .string("\(error)")]) }
        isFailing = true
      }
      tell(of: listener)
    }
  }

  private func tell(of listener: (any ChangeListener)?) {
    guard let listener else { return }
    let isLive = listener.isLive
    let wasLive = state.withLock { state in
      defer { state.isListening = isLive }
      return state.isListening
    }
    guard isLive != wasLive else { return }
    if isLive {
      log.info("the database tells of changes")
    } else {
      log.warning("the database tells of no changes: it is asked every second. Is there a pooler in between?")
    }
  }

  /// Reads all that has come, and does it.
  ///
  /// What throws is the database's; where it stood it is read again then.
  func read(_ reader: inout Reader) async throws {
    guard let position = reader.position else {
      let latest = try await store.latestChange()
      reader.unknownOutcomes = store.unknownOutcomes
      // What requests have read before is not known to be newer.
      try await startOver(&reader)
      reader.position = latest
      return
    }
    try await doubt(&reader)
    let found = try await store.changes(after: position)
    if found.hasGap {
      log.notice("changes of the store are missing: everything is read anew")
      let latest = try await store.latestChange()
      try await startOver(&reader)
      reader.position = latest
      return
    }
    let isDoubting = reader.doubtsUntil.map { ContinuousClock.now < $0 } ?? false
    let others = found.changes.filter { isDoubting || $0.origin != store.origin }
    if others.contains(where: { $0.kind == .worlds }) { catalogWish.yield() }
    try await tours.apply(others)
    for change in others where change.kind == .timetable {
      for timetable in timetables where timetable.provider == change.key { timetable.wake() }
    }
    if others.contains(where: { $0.kind == .positions }) { try await takePositions(&reader) }
    reader.position = ChangePosition(number: found.through, history: position.history)
    if !found.isWhole { try await read(&reader) }
  }

  /// After a change of our own of which nobody knows whether it was made: boards begin anew, and for a while own changes
  /// count like others'.
  private func doubt(_ reader: inout Reader) async throws {
    let unknown = store.unknownOutcomes
    guard unknown != reader.unknownOutcomes else { return }
    try await startOver(&reader)
    reader.unknownOutcomes = unknown
    reader.doubtsUntil = .now + ChangeFeed.doubtTime
  }

  private func startOver(_ reader: inout Reader) async throws {
    state.withLock { $0.doubtsCatalog = true }
    catalogWish.yield()
    tours.startOver()
    for timetable in timetables { timetable.wake() }
    reader.positions = 0
    try await takePositions(&reader)
  }

  /// Reads the catalog when there is a wish: beside the changes of tours, which must not wait until large worlds are read.
  private func refreshCatalog() async {
    for await _ in catalogWishes {
      let isDoubtful = state.withLock { state in
        defer { state.doubtsCatalog = false }
        return state.doubtsCatalog
      }
      do {
        try await catalog.refresh(isForced: isDoubtful)
      } catch {
        // Who looks after the catalog says why, and tries again; but only by generations.
        guard isDoubtful else { continue }
        state.withLock { $0.doubtsCatalog = true }
        try? await Task.sleep(for: ChangeFeed.pause)
        catalogWish.yield()
      }
    }
  }

  private func takePositions(_ reader: inout Reader) async throws {
    guard store.isShared else { return }
    let (positions, latest) = try await store.positions(after: reader.positions)
    tours.apply(positions)
    reader.positions = latest
  }

  // MARK: What others have to know

  private func tellPositions() async {
    let positions = tours.live.takeUntold()
    guard !positions.isEmpty else { return }
    do {
      try await store.save(positions)
      tours.live.noteTold()
    } catch {
      // The feed says why: it has the same trouble.
      tours.live.putBack(untold: positions)
    }
  }
}
