import Foundation
import GRDB
import Logging
import NIOCore
import SightlineTransit
import Testing

@testable import SightlineReadWorkers
@testable import SightlineServer

/// Feeds are imported in a process of their own, which has nothing but the feed and a folder.
@Suite(.serialized, .timeLimit(.minutes(20))) final class FeedProcessTests {
  private let folder = NSTemporaryDirectory() + "sightline-feeds-\(UUID().uuidString)"
  private var file: String { folder + "/made/hsl.schedule" }

  private static let feed = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent().appendingPathComponent("Fixtures/transit/helsinki.zip").path

  init() throws {
    try FileManager.default.createDirectory(atPath: folder + "/made", withIntermediateDirectories: true)
  }

  deinit { try? FileManager.default.removeItem(atPath: folder) }

  private func workers(
    log: Logger = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() },
    _ change: (inout ReadWorkersOptions) -> Void = { _ in }
  ) throws -> ReadWorkers {
    var options = TestReaders.options()
    options.variables = [ReadTrials.variable: "1"]
    change(&options)
    return try ReadWorkers(options, log: log)
  }

  private func trial(_ text: String) throws -> String {
    let path = folder + "/trial"
    try Data("sightline trial \(text)".utf8).write(to: URL(fileURLWithPath: path))
    return path
  }

  /// Why an import failed.
  private func failure(_ feed: String, _ workers: ReadWorkers) async -> String? {
    do {
      try await FeedProcess.importFeed(feed, into: file, workers: workers)
      return nil
    } catch {
      return "\(error)"
    }
  }

  /// What lies in the folder of the schedules.
  private var files: [String] {
    ((try? FileManager.default.contentsOfDirectory(atPath: folder + "/made")) ?? []).sorted()
  }

  @Test func `a feed gives the same schedule as in this process`() async throws {
    let workers = try workers()
    try await FeedProcess.importFeed(Self.feed, into: file, workers: workers)
    _ = try ScheduleImporter().importFeed(Self.feed, into: folder + "/here")
    #expect(try rows(file) == rows(folder + "/here"))
    #expect(try Schedule(path: file).stops.count > 10)
    #expect(files == ["hsl.schedule"])
    // The one before stays as such.
    try await FeedProcess.importFeed(Self.feed, into: file, workers: workers)
    #expect(files == ["hsl.schedule", "hsl.schedule.previous"])
    #expect(workers.metrics.snapshot.kinds["feed"]?.answered == 2)
  }

  @Test func `a feed that cannot be imported leaves the schedule in use, and nothing else`() async throws {
    let workers = try workers { $0.patience = 1 }
    try await FeedProcess.importFeed(Self.feed, into: file, workers: workers)
    let before = FileManager.default.contents(atPath: file)
    for (name, words) in [
      ("trap", "report it"), ("stack", "report it"), ("quit", "makes sense"), ("large", "makes sense"),
    ] {
      #expect(await failure(try trial(name), workers)?.contains(words) == true, "\(name)")
    }
    #expect(await failure(folder + "/none.zip", workers)?.hasPrefix(folder + "/none.zip is not there") == true)
    #expect(await failure(try bomb(), workers)?.contains("unpacks to far more") == true)
    #expect(await failure(try text("no archive"), workers)?.contains("no zip archive") == true)
    let frugal = try self.workers { $0.feedMebibytes = 64 }
    #expect(await failure(try trial("swell"), frugal)?.contains("more memory") == true)
    #expect(await failure(try trial("once"), frugal)?.contains("more memory") == true)
    // Two seconds of the processor, eight on the clock.
    let hasty = try self.workers { $0.patience = 0.002 }
    for name in ["hang", "sleep"] {
      #expect(await failure(try trial(name), hasty)?.contains("more time") == true, "\(name)")
    }
    let lost = try self.workers { $0.place = .processes(program: "/nowhere/sightline") }
    #expect(await failure(Self.feed, lost)?.contains("can be started") == true)
    #expect(files == ["hsl.schedule"])
    #expect(FileManager.default.contents(atPath: file) == before)
    #expect(workers.metrics.snapshot.kinds["feed"]?.failures == ["trap": 2, "garbage": 1])
    #expect(hasty.metrics.snapshot.kinds["feed"]?.failures == ["time": 2])
    #expect(frugal.metrics.snapshot.kinds["feed"]?.failures == ["memory": 2])
  }

  @Test func `stops that are each other's parent are the same apart`() async throws {
    let feed = folder + "/cyclic"
    try FileManager.default.createDirectory(atPath: feed, withIntermediateDirectories: true)
    for (name, text) in [
      ("agency", "agency_id,agency_name,agency_url,agency_timezone\nA,A,http://example.org,Europe/Helsinki\n"),
      ("routes", "route_id,agency_id,route_short_name,route_type\nR,A,7,3\n"),
      ("calendar_dates", "service_id,date,exception_type\nS,20220222,1\n"),
      ("trips", "route_id,service_id,trip_id\nR,S,T\n"),
      (
        "stop_times",
        "trip_id,arrival_time,departure_time,stop_id,stop_sequence\nT,8:00:00,8:00:00,A,1\nT,8:05:00,8:05:00,B,2\n"
      ),
      (
        "stops",
        "stop_id,stop_name,stop_lat,stop_lon,location_type,parent_station\nA,A,60.17,24.94,0,\nB,B,60.171,24.94,0,\n"
          + "E,E,60.17,24.94,2,F\nF,F,60.17,24.94,2,E\nS,S,60.17,24.94,1,S\n"
      ),
    ] { try Data(text.utf8).write(to: URL(fileURLWithPath: "\(feed)/\(name).txt")) }
    try await FeedProcess.importFeed(feed, into: file, workers: try workers())
    _ = try ScheduleImporter().importFeed(feed, into: folder + "/here")
    #expect(try rows(file) == rows(folder + "/here"))
  }

  @Test func `the process reaches no other file, no socket, no program and no process`() async throws {
    let secret = folder + "/secret"
    try Data("secret".utf8).write(to: URL(fileURLWithPath: secret))
    let own = folder + "/own"
    try FileManager.default.createDirectory(atPath: own, withIntermediateDirectories: true)
    let workers = try workers()
    let trial = try trial("reach \(secret)")
    let answer = try await workers.readFile(
      FileReadJob(
        FeedProcess.kind,
        document: trial,
        arguments: [
          "read-feed", "--feed", trial, "--folder", own, "--into", folder + "/none", "--mebibytes", "256",
          "--seconds", "60",
        ],
        folder: own
      )
    )
    let lines = String(decoding: answer, as: UTF8.self).split(separator: "\n")
    #expect(lines.count == 7)
    for line in lines {
      // Without Landlock a process may open what its user may.
      let isFile = ["open", "create", "list", "unlink"].contains { line.hasPrefix($0) }
      if isFile, !FileReadWorker.restrictsFiles { continue }
      #expect(!line.hasSuffix("done"), "\(line)")
    }
    guard FileReadWorker.restrictsFiles else { return }
    #expect(FileManager.default.fileExists(atPath: secret))
    #expect(!FileManager.default.fileExists(atPath: secret + ".made"))
  }

  @Test func `a server goes on with the schedule it has, and says why`() async throws {
    let lines = LogLines()
    let log = Logger(label: "test") { label in
      JSONLogHandler(label: label, level: .info) { lines.append(String(buffer: $0)) }
    }
    let workers = try workers(log: log)
    let feed = folder + "/hsl.zip"
    try FileManager.default.copyItem(atPath: Self.feed, toPath: feed)
    func configuration() async throws -> TransitConfiguration {
      var configuration = TransitConfiguration(
        folder: "",
        schedules: folder + "/made",
        environment: [:],
        workers: workers,
        log: log
      )
      try await configuration.add(timetable: feed)
      return configuration
    }
    let stops = try await configuration().providers.first?.provider.schedule.count
    #expect(stops ?? 0 > 10)
    #expect(lines.all.isEmpty)
    // The next one is newer, and no feed.
    try Data("sightline trial trap".utf8).write(to: URL(fileURLWithPath: feed))
    let later = Date(timeIntervalSinceNow: 60)
    try FileManager.default.setAttributes([.modificationDate: later], ofItemAtPath: feed)
    #expect(try await configuration().providers.first?.provider.schedule.count == stops)
    #expect(lines.all.contains { $0.contains("a feed could not be read") && $0.contains(feed) && $0.contains("hsl") })
    #expect(workers.metrics.text.contains("sightline_read_documents_total{kind=\"feed\",result=\"trap\"} 1\n"))
    #expect(files == ["hsl.schedule"])
    // Without a schedule there is nothing to go on with.
    try FileManager.default.removeItem(atPath: file)
    await #expect {
      _ = try await configuration()
    } throws: { error in
      "\(error)".contains("the feed \(feed) could not be read: its reader failed on it")
    }
    #expect(files.isEmpty)
  }

  /// Everything that a schedule file holds, whatever the order in its pages.
  private func rows(_ path: String) throws -> [String: [String]] {
    try DatabaseQueue(path: path).read { db in
      var tables: [String: [String]] = [:]
      for table in try String.fetchAll(db, sql: "SELECT name FROM sqlite_master WHERE type = 'table'") {
        tables[table] = try Row.fetchAll(db, sql: "SELECT * FROM \"\(table)\"").map { row in
          row.databaseValues.map { value in
            Data.fromDatabaseValue(value).map { $0.base64EncodedString() } ?? "\(value)"
          }.joined(separator: "|")
        }.sorted()
      }
      #expect(tables.count > 5)
      return tables
    }
  }

  // MARK: Feeds

  private func text(_ text: String) throws -> String {
    let path = folder + "/text.zip"
    try Data(text.utf8).write(to: URL(fileURLWithPath: path))
    return path
  }

  /// An archive of some hundred kilobytes with an agency.txt of two hundred million bytes.
  private func bomb() throws -> String {
    let size = 200 << 20
    let packed = Gzip.compress(ByteBuffer(repeating: 0x41, count: size), level: 9)
    let all = Array(try #require(packed).readableBytesView)
    let content = Array(all[10..<all.count - 8])
    let sum = Array(all[all.count - 8..<all.count - 4])
    func number(_ value: Int, _ bytes: Int) -> [UInt8] {
      (0..<bytes).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
    }
    let name = Array("agency.txt".utf8)
    // Version, flags, method (deflate), time and date; check sum, sizes, length of the name.
    let common =
      number(20, 2) + number(0, 2) + number(8, 2) + number(0, 4) + sum + number(content.count, 4) + number(size, 4)
      + number(name.count, 2) + number(0, 2)
    let entry = Array("PK".utf8) + [3, 4] + common + name + content
    let directory =
      Array("PK".utf8) + [1, 2] + number(20, 2) + common + number(0, 2) + number(0, 2) + number(0, 2) + number(0, 4)
      + number(0, 4) + name
    let end =
      Array("PK".utf8) + [5, 6] + number(0, 4) + number(1, 2) + number(1, 2) + number(directory.count, 4)
      + number(entry.count, 4) + number(0, 2)
    let path = folder + "/bomb.zip"
    try Data(entry + directory + end).write(to: URL(fileURLWithPath: path))
    return path
  }
}
