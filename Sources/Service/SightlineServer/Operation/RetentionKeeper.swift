import Foundation
import Logging
import ServiceLifecycle
public import SightlineStore

/// Removes what nobody needs any more, once a day, beside the requests; one server of all does it.
struct RetentionKeeper: Service {
  let retention: any RetentionStore
  let leases: any LeaseStore
  let tours: TourService
  let settings: RetentionSettings
  let log: Logger

  func run() async throws {
    await cancelWhenGracefulShutdown {
      // Not in the first minutes, when everybody comes back to a server that was started anew.
      let work = LeasedWork(
        leases: leases,
        name: "retention",
        interval: settings.interval / .seconds(1),
        retryPause: settings.firstPause / .seconds(1)
      )
      while (try? await Task.sleep(for: settings.firstPause)) != nil {
        do {
          _ = try await work.runIfDue { await once() }
          try await removeTimetables()
        } catch is CancellationError {
          return
        } catch {
          log.error("what nobody needs could not be removed", metadata: ["reason": .string("\(error)")])
        }
      }
    }
  }

  /// Timetables lie in this server's own folder: each server looks after its own.
  private func removeTimetables() async throws {
    let now = try await RemovalClock(clock: tours.clock, leases: leases).now()
    var report = RetentionReport(isDryRun: false)
    settings.timetables?.remove(olderThan: settings.rules, at: now, isDryRun: false, &report)
  }

  /// One run; what went stands in the log.
  ///
  /// - Returns: Whether it came to its end.
  @discardableResult
  func once() async -> Bool {
    do {
      let now = try await RemovalClock(clock: tours.clock, leases: leases).now()
      var report = try await retention.retain(settings.rules, at: now, isDryRun: false)
      for run in report.runs { tours.removed(run) }
      settings.timetables?.remove(olderThan: settings.rules, at: now, isDryRun: false, &report)
      let size = try await retention.shrink()
      var metadata: Logger.Metadata = ["databaseBytes": .stringConvertible(size.after)]
      for entry in report.entries where entry.count > 0 {
        metadata[entry.kind.rawValue] = .stringConvertible(entry.count)
      }
      log.notice("what nobody needs any more was removed", metadata: metadata)
      return true
    } catch is CancellationError {
      return false
    } catch {
      log.error("what nobody needs could not be removed", metadata: ["reason": .string("\(error)")])
      return false
    }
  }
}

/// When and what a server removes by itself.
public struct RetentionSettings: Sendable {
  /// What stays how long.
  public var rules = RetentionRules.server
  /// Timetable files that the server made; `nil` without.
  public var timetables: TimetableFolder?
  var interval = Duration.seconds(86_400)
  var firstPause = Duration.seconds(300)

  /// The usual ones.
  public init() {}
}

extension RetentionRules {
  /// The usual rules with the server's own times of sessions.
  public static var server: RetentionRules {
    var rules = RetentionRules()
    rules.sessionIdleTime = Accounts.idleTime
    rules.sessionLongestTime = Accounts.longestTime
    return rules
  }
}

/// The folder of schedule files that a server made of feeds.
public struct TimetableFolder: Sendable {
  /// The folder.
  public var path: String
  /// Names of files in it that the present configuration uses, or may use.
  public var used: Set<String>

  /// A folder with files in use.
  public init(path: String, used: Set<String>) {
    self.path = path
    self.used = used
  }

  /// Removes files that no configuration has named for so many days; they can be made again from their feeds.
  ///
  /// A file that was read or written meanwhile is left alone, whoever did.
  public func remove(
    olderThan rules: RetentionRules,
    at time: Date,
    isDryRun: Bool,
    _ report: inout RetentionReport
  ) {
    let manager = FileManager.default
    let limit = time.addingTimeInterval(-Double(rules.timetableDays) * 86_400)
    for name in (try? manager.contentsOfDirectory(atPath: path)) ?? [] where name.hasSuffix(".schedule") {
      guard !used.contains(name) else { continue }
      let file = "\(path)/\(name)"
      var status = stat()
      guard lstat(file, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { continue }
      let last = max(status.modified, status.accessed)
      guard last < limit.timeIntervalSince1970 else { continue }
      if !isDryRun, (try? manager.removeItem(atPath: file)) == nil { continue }
      report.add(.timetables, bytes: Int(status.st_size))
    }
  }
}

extension stat {
  #if canImport(Darwin)
  fileprivate var modified: Double { Double(st_mtimespec.tv_sec) }
  fileprivate var accessed: Double { Double(st_atimespec.tv_sec) }
  #else
  fileprivate var modified: Double { Double(st_mtim.tv_sec) }
  fileprivate var accessed: Double { Double(st_atim.tv_sec) }
  #endif
}
