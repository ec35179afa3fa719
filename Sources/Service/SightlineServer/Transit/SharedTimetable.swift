import Crypto
import Foundation
import Logging
public import SightlineStore
public import SightlineTransit
import Synchronization

/// The timetable of a provider that all servers of a database have in common.
///
/// Whoever has the lease imports a feed and puts the schedule file into the store, once; the others are told by the outbox, copy it
/// beside their database, look whether it is the one that was stored, and put it in the place of the one in use. Whatever goes
/// wrong, the one in use stays. A server that was told nothing looks every half minute.
public final class SharedTimetable: ScheduleSharing {
  /// Why a timetable in the store was not taken.
  struct Damage: Error, CustomStringConvertible {
    let description: String
  }

  /// Which file this server has.
  private struct Held {
    var hash: Data?
    var mark = FileMark()
    var refused: Data?
    var onNew: (@Sendable () -> Void)?
  }

  /// Tells whether a file was put in place of another.
  private struct FileMark: Equatable {
    var inode: UInt64 = 0
    var bytes: UInt64 = 0
    var changed = 0.0
  }

  /// Id of the provider.
  public let provider: String
  /// This server's copy.
  public let file: String
  private let store: any TimetableStore
  private let leases: any LeaseStore
  private let log: Logger?
  private let held = Mutex(Held())
  private let line = WaitingLine()
  private let (wishes, wish) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))

  /// Seconds between looks of a server that is told nothing.
  static let lookPause = 30.0
  /// Seconds until a check is due again that met an import.
  private static let meetingPause = 10.0
  /// Time between looks of a server that waits for another's import.
  private static let waitPause = Duration.milliseconds(500)

  /// The timetable of a provider.
  ///
  /// - Parameters:
  ///   - provider: its id.
  ///   - file: where this server's copy lies; it may be missing.
  ///   - stores: where it is kept for all.
  ///   - log: where it is said what was taken and what was not.
  public init(of provider: String, file: String, stores: Stores, log: Logger? = nil) {
    self.provider = provider
    self.file = file
    store = stores.timetables
    leases = stores.leases
    self.log = log
  }

  private var checks: LeasedWork {
    LeasedWork(leases: leases, name: "timetable-check:\(provider)", interval: Self.meetingPause)
  }

  private var imports: LeasedWork {
    LeasedWork(leases: leases, name: "timetable-import:\(provider)", interval: 0, retryPause: 0)
  }

  /// Called when another file is in use.
  func onNew(_ action: @escaping @Sendable () -> Void) { held.withLock { $0.onNew = action } }

  /// Looks soon whether there is another one.
  func wake() {
    // What was damaged may have been stored anew.
    held.withLock { $0.refused = nil }
    wish.yield()
  }

  /// Takes what others import until the task is cancelled.
  func follow() async {
    await withTaskGroup(of: Void.self) { group in
      group.addTask { [wish] in
        while (try? await Task.sleep(for: .seconds(Self.lookPause * Double.random(in: 0.9...1.1)))) != nil {
          wish.yield()
        }
        wish.finish()
      }
      group.addTask { [self] in
        var isFailing = false
        for await _ in wishes {
          do {
            _ = try await line.run { [self] in try await take() }
            isFailing = false
          } catch is CancellationError {
            return
          } catch {
            // Once, not every half minute.
            if !isFailing { say(error) }
            isFailing = true
          }
        }
      }
      await group.waitForAll()
    }
  }

  private func say(_ error: any Error) {
    log?.error(
      "a timetable of the store was not taken; the one before stays in use",
      metadata: ["provider": .string(provider), "reason": .string("\(error)")]
    )
  }

  // MARK: Taking

  /// Brings this server's file to what the store has.
  ///
  /// - Returns: What the store has; `nil` for nothing.
  /// - Throws: ``Damage``, what the store throws, or why the file cannot be written; the file is then as it was.
  private func take() async throws -> StoredTimetable? {
    guard let stored = try await store.timetable(of: provider) else { return nil }
    guard hashOfFile() != stored.hash else { return stored }
    // It does not get better by being copied again.
    guard held.withLock({ $0.refused }) != stored.hash else {
      throw Damage(description: "it is damaged, or another version's: import it again.")
    }
    try FileManager.default.createDirectory(
      atPath: (file as NSString).deletingLastPathComponent,
      withIntermediateDirectories: true
    )
    // Several servers may have one folder.
    let fresh = "\(file).\(UUID().uuidString).part"
    defer { try? FileManager.default.removeItem(atPath: fresh) }
    try await copy(stored, to: fresh)
    do { try ScheduleImporter.put(fresh, inPlaceOf: file) } catch let error as ScheduleError {
      held.withLock { $0.refused = stored.hash }
      throw error
    }
    held.withLock { held in
      held.hash = stored.hash
      held.mark = mark()
    }
    log?.notice("a timetable of the store is in use", metadata: ["provider": .string(provider)])
    held.withLock { $0.onNew }?()
    return stored
  }

  private func copy(_ stored: StoredTimetable, to path: String) async throws {
    guard FileManager.default.createFile(atPath: path, contents: nil, attributes: [.posixPermissions: 0o600]),
      let handle = FileHandle(forWritingAtPath: path)
    else { throw Damage(description: "\(path) cannot be written.") }
    defer { try? handle.close() }
    var hash = SHA256()
    var count = 0
    for number in 0..<stored.parts {
      guard let part = try await store.part(number, of: stored.hash) else {
        // Another one may be in use by now; the next look tells.
        throw Damage(description: "a part of it is not in the database any more.")
      }
      hash.update(data: part)
      count += part.count
      try handle.write(contentsOf: part)
    }
    guard count == stored.bytes, Data(hash.finalize()) == stored.hash else {
      held.withLock { $0.refused = stored.hash }
      throw Damage(description: "it is not the one that was stored. Import it again.")
    }
    try handle.synchronize()
  }

  /// SHA-256 of this server's file; `nil` without one.
  ///
  /// Each file is read once.
  private func hashOfFile() -> Data? {
    let mark = mark()
    guard mark != FileMark() else { return nil }
    if let known = held.withLock({ $0.mark == mark ? $0.hash : nil }) { return known }
    let hash = FeedDigest.hash(ofFile: file)
    held.withLock { held in
      held.hash = hash
      held.mark = mark
    }
    return hash
  }

  private func mark() -> FileMark {
    guard let found = try? FileManager.default.attributesOfItem(atPath: file) else { return FileMark() }
    return FileMark(
      inode: (found[.systemFileNumber] as? NSNumber)?.uint64Value ?? 0,
      bytes: (found[.size] as? NSNumber)?.uint64Value ?? 0,
      changed: (found[.modificationDate] as? Date)?.timeIntervalSince1970 ?? 0
    )
  }

  /// Whether there is a schedule file that can be opened.
  private var hasSchedule: Bool { (try? Schedule(path: file)) != nil }

  // MARK: Giving

  /// Puts this server's file into the store, and into use for all.
  private func publish(note: Data? = nil, feed: FeedDigest? = nil) async throws {
    guard let hash = hashOfFile(), let handle = FileHandle(forReadingAtPath: file) else {
      throw Damage(description: "\(file) cannot be read.")
    }
    defer { try? handle.close() }
    var bytes = 0
    var number = 0
    while let part = try handle.read(upToCount: StoredTimetable.partBytes), !part.isEmpty {
      try Task.checkCancellation()
      try await store.keep(part, part: number, of: hash)
      bytes += part.count
      number += 1
    }
    let timetable = StoredTimetable(
      hash: hash,
      bytes: bytes,
      saved: Date(),
      feedHash: feed?.hash,
      feedChanged: feed?.changed,
      note: note
    )
    try await store.publish(timetable, for: provider)
    held.withLock { $0.refused = nil }
  }

  /// Makes a check of a feed at an address when it is due and no other server makes it.
  public func takeTurn(_ feed: ScheduleFeed) async -> ScheduleFeed.Report? {
    do {
      let turn: ScheduleFeed.Report?? = try await checks.runIfDue { [self] in
        let done: ScheduleFeed.Report?? = try? await imports.runIfDue { [self] in
          (value: await check(feed), pause: 0)
        }
        let report = done ?? nil
        return (value: report, pause: report?.pause ?? Self.meetingPause)
      }
      return turn ?? nil
    } catch {
      // A database that is away is spoken of elsewhere.
      return nil
    }
  }

  /// Checks a feed from where the last server stopped; `nil` when the store could not be read or written.
  private func check(_ feed: ScheduleFeed) async -> ScheduleFeed.Report? {
    try? await line.run { [self] in
      do {
        if let stored = try await take() { feed.adopt(stored.note) }
      } catch is Damage {
        // What is damaged is made anew.
        feed.adopt(nil)
      }
      let report = await feed.check()
      do {
        if report.outcome == .taken {
          try await publish(note: feed.knowledge)
        } else {
          try await store.note(feed.knowledge, for: provider)
        }
      } catch {
        say(error)
        throw error
      }
      return report
    }
  }

  // MARK: Beginning

  /// Takes the timetable of the store, or makes it of the feed at an address when nobody has yet; waits while another server does.
  ///
  /// - Throws: Why there is none: a sentence, or what the store throws.
  func begin(with feed: ScheduleFeed) async throws {
    try await begin { [self] in
      if hasSchedule {
        try await publish(note: feed.knowledge)
      } else {
        let report = await feed.check()
        guard report.outcome == .taken else {
          throw TransitConfiguration.Failure(
            description: "its timetable could not be had, and there is none from before: \(report.reason)"
          )
        }
        try await publish(note: feed.knowledge)
      }
    } whenKnown: {
      feed.adopt($0.note)
    }
  }

  /// Takes the timetable of the store, or makes it of a feed in a file or folder when the store has none of that feed or a younger one.
  ///
  /// - Parameters:
  ///   - path: the feed; it may be missing where the store has a timetable.
  ///   - importing: makes this server's file of it.
  /// - Throws: Why there is none: a sentence, or what the store throws.
  func begin(withFeed path: String, importing: @escaping @Sendable () async throws -> Void) async throws {
    let feed = FeedDigest(path)
    if let feed, let stored = try? await store.timetable(of: provider), stored.feedHash != feed.hash,
      feed.changed > stored.feedChanged ?? stored.saved
    {
      do {
        let done = try await exclusively { [self] in
          // As the one it follows: stops that are gone are known by it.
          _ = try? await take()
          try await importing()
          try await publish(feed: feed)
        }
        if done != nil { return }
      } catch let failure as TransitConfiguration.Failure {
        say(failure)
      }
    }
    try await begin { [self] in
      guard let feed else { throw TransitConfiguration.Failure(description: "\(path) is not there.") }
      var read = true
      do { try await importing() } catch {
        guard hasSchedule else { throw error }
        say(error)
        read = false
      }
      try await publish(feed: read ? feed : nil)
    } whenKnown: { _ in
    }
  }

  /// Imports a feed for all servers: for a command.
  ///
  /// - Parameters:
  ///   - path: Zip archive or folder.
  ///   - importing: makes this server's file of it, in the place of the one in the store.
  /// - Throws: Why it was not taken, or what the store throws.
  public func importFeed(_ path: String, importing: @escaping @Sendable () async throws -> Void) async throws {
    let feed = FeedDigest(path)
    while try await exclusively({ [self] in
      _ = try await take()
      try await importing()
      try await publish(note: try await store.timetable(of: provider)?.note, feed: feed)
    }) == nil { try await Task.sleep(for: Self.waitPause) }
  }

  /// Takes the timetable before the one in use back, for all servers.
  ///
  /// - Returns: Whether there was one.
  public func takeBack() async throws -> Bool { try await store.takeBack(provider) }

  private func begin(
    _ make: @escaping @Sendable () async throws -> Void,
    whenKnown: @escaping @Sendable (StoredTimetable) -> Void
  ) async throws {
    while true {
      do {
        if let stored = try await line.run({ [self] in try await take() }) { return whenKnown(stored) }
      } catch let error where error is Damage || error is ScheduleError {
        say(error)
        // The last good one.
        if hasSchedule { return }
      }
      let done = try await exclusively { [self] in
        // Another server may have done it meanwhile.
        if let stored = try? await take() { return whenKnown(stored) }
        try await make()
      }
      if done != nil { return }
      // Another server is at it.
      try await Task.sleep(for: Self.waitPause)
    }
  }

  /// Does something while no other server imports.
  ///
  /// - Returns: `nil` when another one does.
  private func exclusively(_ work: @escaping @Sendable () async throws -> Void) async throws -> Bool? {
    let result = try await imports.runIfDue { [line] in
      do {
        try await line.run(work)
        return (value: Result<Bool, any Error>.success(true), pause: 0)
      } catch {
        return (value: Result<Bool, any Error>.failure(error), pause: 0)
      }
    }
    return try result?.get()
  }
}
