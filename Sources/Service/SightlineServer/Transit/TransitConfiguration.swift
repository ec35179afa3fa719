import Foundation
public import Logging
import SightlineFormats
import SightlineGeodesy
import SightlineInput
public import SightlineReadWorkers
public import SightlineStore
public import SightlineTransit

/// Which providers there are, from a file; its form is in `Documentation/providers.md`.
public struct TransitConfiguration {
  /// The providers with their limits.
  public private(set) var providers: [(provider: any TransitProvider, limits: DeskLimits)] = []
  /// The clock that riders are told.
  public private(set) var clock = TransitClock()
  /// Where a demonstration plays, degrees.
  public private(set) var center: (latitude: Double, longitude: Double)?
  /// Streets for the ground; `nil` without.
  public private(set) var streets: StreetMap?
  /// Timetables that all servers of a database have in common.
  public private(set) var shared: [SharedTimetable] = []
  private let folder: String
  private let schedules: String
  private let environment: [String: String]
  private let workers: ReadWorkers?
  /// Where timetables lie for all servers; `nil` for a server that is alone.
  private let stores: Stores?
  private let log: Logger?

  /// Why a configuration cannot be used: a sentence for the operator.
  public struct Failure: Error, CustomStringConvertible {
    /// The sentence.
    public let description: String
  }

  /// Nothing configured yet.
  ///
  /// - Parameters:
  ///   - folder: where relative paths begin.
  ///   - schedules: folder for schedule files made of feeds.
  ///   - environment: where `$NAME` in header fields is looked up.
  ///   - workers: who reads what providers sent, feeds too; `nil` for this process, which then ends when a reader traps.
  ///   - stores: where timetables are kept for all servers, when their database is one that several use; `nil` for this one alone.
  ///   - log: where it is said that a feed could not be read and the schedule made before is used.
  public init(
    folder: String,
    schedules: String,
    environment: [String: String],
    workers: ReadWorkers? = nil,
    stores: Stores? = nil,
    log: Logger? = nil
  ) {
    self.folder = folder
    self.schedules = schedules
    self.environment = environment
    self.workers = workers
    self.stores = stores?.changes.isShared == true ? stores : nil
    self.log = log
  }

  /// Reads a configuration file.
  ///
  /// Feeds that have no schedule file yet, or one that is older than the feed, are imported. When that fails, the schedule
  /// file that was made before is used, and the log says why.
  ///
  /// - Parameters:
  ///   - path: the configuration.
  ///   - schedules: folder for schedule files made of feeds.
  ///   - environment: where `$NAME` in header fields is looked up.
  ///   - workers: who reads what providers sent, feeds too; `nil` for this process, which then ends when a reader traps.
  ///   - stores: where timetables are kept for all servers, when their database is one that several use; `nil` for this one alone.
  ///   - log: where it is said that a feed could not be read and the schedule made before is used.
  /// - Returns: the configuration with its providers, whose timetables are open.
  /// - Throws: ``Failure``.
  public static func read(
    _ path: String,
    schedules: String,
    environment: [String: String] = ProcessInfo.processInfo.environment,
    workers: ReadWorkers? = nil,
    stores: Stores? = nil,
    log: Logger? = nil
  ) async throws -> TransitConfiguration {
    guard let data = FileManager.default.contents(atPath: path) else {
      throw Failure(description: "\(path) cannot be read. Correct --transit.")
    }
    var configuration = TransitConfiguration(
      folder: (path as NSString).deletingLastPathComponent,
      schedules: schedules,
      environment: environment,
      workers: workers,
      stores: stores,
      log: log
    )
    do { try await configuration.read([UInt8](data)) } catch {
      throw Failure(description: "\(path): \(error)")
    }
    return configuration
  }

  private mutating func read(_ bytes: [UInt8]) async throws {
    let tree: DataTree
    do { tree = try DataTree.json(bytes) } catch {
      throw Failure(description: "\(error.line.map { "line \($0): " } ?? "")\(error.message)")
    }
    try Self.check(tree, ["clock", "center", "streets", "providers"], in: "the configuration")
    if let clock = tree["clock"] {
      try Self.check(clock, ["at", "repeatAfter"], in: "clock")
      guard let start = clock["at"]?.string.flatMap({ InstantText.seconds($0) }) else {
        throw Failure(description: "clock needs \"at\", a time such as 2022-02-22T08:00:00+02:00.")
      }
      self.clock = TransitClock(
        startingAt: start,
        repeatingAfter: try Self.number(clock, "repeatAfter", 60...Double(Int32.max)).map { Int(clamped: $0) }
      )
    }
    if let center = tree["center"] {
      guard let latitude = try Self.number(center, "lat", -90...90),
        let longitude = try Self.number(center, "lon", -180...180)
      else { throw Failure(description: "center needs lat and lon.") }
      self.center = (latitude, longitude)
    }
    if let entry = tree["streets"] { streets = try streets(entry) }
    for entry in tree.all("providers") { try await add(entry) }
    guard !providers.isEmpty else { throw Failure(description: "There are no providers in it.") }
  }

  /// Adds a timetable alone: a schedule file, or a feed to be imported.
  ///
  /// - Throws: ``Failure``.
  public mutating func add(timetable path: String) async throws {
    let name = ((path as NSString).lastPathComponent as NSString).deletingPathExtension
    var id = String(
      name.lowercased().unicodeScalars.map { ProviderInfo.isID(String($0)) ? Character($0) : "-" }.prefix(40)
    )
    while ids.contains(id) { id = String((id + "-2").suffix(40)) }
    let info = ProviderInfo(id: id, name: name, kinds: ["gtfs"], attribution: "", isRemote: false)
    try append(try await gtfs(info, .file(path), [], DeskLimits()), DeskLimits())
  }

  private var ids: Set<String> { Set(providers.map(\.provider.info.id)) }

  private mutating func append(_ provider: any TransitProvider, _ limits: DeskLimits) throws {
    guard !ids.contains(provider.info.id) else {
      throw Failure(description: "Two providers have the id \"\(provider.info.id)\". Give each one of its own.")
    }
    providers.append((provider, limits))
  }

  // MARK: Providers

  private static let members: Set<String> = [
    "id", "name", "type", "feed", "realtime", "attribution", "departures", "situations", "format", "stops", "grid",
    "timeZone", "headers", "limits", "allowPlain",
  ]

  private mutating func add(_ entry: DataTree) async throws {
    guard let id = entry["id"]?.string, ProviderInfo.isID(id) else {
      throw Failure(description: "A provider needs an \"id\" of letters, digits, hyphens.")
    }
    try Self.check(entry, Self.members, in: "provider \(id)")
    let type = entry["type"]?.string ?? "gtfs"
    var kinds = [type]
    if !entry.all("realtime").isEmpty { kinds.append("gtfs-rt") }
    let info = ProviderInfo(
      id: id,
      name: entry["name"]?.string ?? id,
      kinds: kinds,
      attribution: entry["attribution"]?["text"]?.string ?? "",
      attributionURL: entry["attribution"]?["url"]?.string ?? "",
      isRemote: type != "gtfs"
    )
    let limits = try self.limits(entry["limits"], id)
    let allowsPlain = entry["allowPlain"]?.string == "true"
    switch type {
    case "gtfs":
      guard let feed = entry["feed"], feed.string != nil || !feed.members.isEmpty else {
        throw Failure(description: "Provider \(id) needs \"feed\", a GTFS feed, its address, or a schedule file.")
      }
      let sources = try entry.all("realtime").map { try source($0, id, allowsPlain: allowsPlain) }
      let timetable: Timetable
      if let address = try scheduleSource(feed, id, allowsPlain: allowsPlain) {
        timetable = .address(address)
      } else {
        timetable = .file(path(feed.string ?? ""))
      }
      try append(try await gtfs(info, timetable, sources, limits, allowsPlain: allowsPlain), limits)
    case "siri", "json":
      let address = try self.address(entry, "departures", id, allowsPlain: allowsPlain)
      guard let address, address.contains("{stop}") else {
        throw Failure(description: "Provider \(id) needs \"departures\", an address with {stop} in it.")
      }
      let stops = try await directory(entry, id)
      let transport = HTTPTransport(allowsPlain: allowsPlain)
      let headers = try self.headers(entry["headers"], id)
      if type == "json" {
        let provider = PlainProvider(
          info: info,
          stops: stops,
          address: address,
          headers: headers,
          transport: transport,
          reading: reading
        )
        return try append(provider, limits)
      }
      let format = entry["format"]?.string ?? "json"
      guard format == "json" || format == "xml" else {
        throw Failure(description: "Provider \(id) has the format \"\(format)\"; it can be json or xml.")
      }
      let settings = SIRIProvider.Settings(
        departures: address,
        situations: try self.address(entry, "situations", id, allowsPlain: allowsPlain),
        isXML: format == "xml",
        headers: headers
      )
      try append(
        SIRIProvider(
          info: info,
          stops: stops,
          settings: settings,
          transport: transport,
          clock: clock,
          reading: reading
        ),
        limits
      )
    default: throw Failure(description: "Provider \(id) has the type \"\(type)\"; there are gtfs, siri and json.")
    }
  }

  /// Who reads what providers answer.
  private var reading: any ProviderReading { workers.map { ForeignProviders($0) } ?? DirectReading() }

  /// Where a timetable comes from.
  private enum Timetable {
    case file(String)
    case address(ScheduleSource)
  }

  private mutating func gtfs(
    _ info: ProviderInfo,
    _ timetable: Timetable,
    _ sources: [RealtimeSource],
    _ limits: DeskLimits,
    allowsPlain: Bool = false
  ) async throws -> GTFSProvider {
    do {
      let transport = HTTPTransport(allowsPlain: allowsPlain)
      let (sources, messages) = shared(sources, info.id, transport)
      let file: String
      var feed: ScheduleFeed?
      switch timetable {
      case .file(let path): file = try await scheduleFile(of: path, id: info.id)
      case .address(let source):
        let keeper = try await keeper(of: source, info.id, transport)
        file = keeper.file
        feed = keeper
      }
      let provider = try GTFSProvider(
        info: info,
        path: file,
        timetable: feed,
        realtime: sources,
        transport: messages,
        clock: clock,
        center: center.map { Geodetic(latitudeDegrees: $0.latitude, longitudeDegrees: $0.longitude) },
        reading: reading
      )
      shared.last { $0.file == file }?.onNew { [weak provider] in provider?.reload() }
      return provider
    } catch { throw Failure(description: "Provider \(info.id): \(error)") }
  }

  /// Realtime sources that all servers read together: looked at more often, and asked for once.
  private func shared(
    _ sources: [RealtimeSource],
    _ id: String,
    _ transport: any ProviderTransport
  ) -> (sources: [RealtimeSource], transport: any ProviderTransport) {
    guard let stores else { return (sources, transport) }
    var intervals: [String: Double] = [:]
    let sources = sources.map { source in
      guard source.url.contains("://"), !source.url.hasPrefix("file:") else { return source }
      intervals[source.url] = source.interval
      var source = source
      source.interval = SharedTransport.pause(source.interval)
      return source
    }
    return (sources, SharedTransport(transport, of: id, intervals: intervals, stores: stores))
  }

  /// The timetable of a provider as all servers have it; `nil` for a server that is alone.
  private mutating func shared(_ id: String, _ file: String) -> SharedTimetable? {
    guard let stores else { return nil }
    let timetable = SharedTimetable(of: id, file: file, stores: stores, log: log)
    shared.append(timetable)
    return timetable
  }

  /// What keeps the schedule file of a feed at an address; the file is made when there is none yet.
  private mutating func keeper(
    of source: ScheduleSource,
    _ id: String,
    _ transport: HTTPTransport
  ) async throws -> ScheduleFeed {
    try FileManager.default.createDirectory(atPath: schedules, withIntermediateDirectories: true)
    let (workers, log, file) = (workers, log, "\(schedules)/\(id).schedule")
    let shared = shared(id, file)
    let keeper = ScheduleFeed(
      of: id,
      source: source,
      file: file,
      transport: transport,
      importing: { feed, file throws(ScheduleFeed.Refusal) in
        do { try await Self.importFeed(feed, into: file, workers: workers) } catch let failure as FeedProcess.Failure {
          throw failure.isOfFeed
            ? ScheduleFeed.Refusal.feed(failure.description) : ScheduleFeed.Refusal.later(failure.description)
        } catch { throw ScheduleFeed.Refusal.feed("\(error)") }
      },
      report: { report in
        let metadata: Logger.Metadata = [
          "provider": .string(report.provider), "outcome": .string(report.outcome.rawValue),
          "reason": .string(report.reason), "nextCheck": .stringConvertible(Int(clamped: report.pause)),
        ]
        switch report.outcome {
        case .taken: log?.notice("a timetable was fetched and is in use", metadata: metadata)
        case .unchanged: log?.debug("a timetable is still the newest", metadata: metadata)
        case .unreachable, .refused:
          let isKept = FileManager.default.fileExists(atPath: file)
          let then = isKept ? "the one before stays in use" : "there is none from before"
          log?.error("a timetable was not taken; \(then)", metadata: metadata)
        }
      },
      sharing: shared
    )
    if let shared {
      try await shared.begin(with: keeper)
    } else if !keeper.hasSchedule {
      let report = await keeper.check()
      guard report.outcome == .taken else {
        throw Failure(description: "its timetable could not be had, and there is none from before: \(report.reason)")
      }
    }
    return keeper
  }

  private static func importFeed(_ feed: String, into file: String, workers: ReadWorkers?) async throws {
    if let workers, !workers.readsHere {
      try await FeedProcess.importFeed(feed, into: file, workers: workers)
    } else {
      _ = try ScheduleImporter().importFeed(feed, into: file)
    }
  }

  /// The schedule file for a feed, made when it is not there or older than the feed; a schedule file is its own.
  ///
  /// Where all servers have it in common the store decides, and the feed has to lie on one of their machines only.
  private mutating func scheduleFile(of path: String, id: String) async throws -> String {
    let manager = FileManager.default
    let feed = try? manager.attributesOfItem(atPath: path)
    guard feed != nil || stores != nil else { throw Failure(description: "\(path) is not there.") }
    if let file = FileHandle(forReadingAtPath: path), let start = try? file.read(upToCount: 15),
      start == Data("SQLite format 3".utf8)
    {
      return path
    }
    try manager.createDirectory(atPath: schedules, withIntermediateDirectories: true)
    let file = "\(schedules)/\(id).schedule"
    if let shared = shared(id, file) {
      let workers = workers
      try await shared.begin(withFeed: path) {
        do { try await Self.importFeed(path, into: file, workers: workers) } catch {
          throw Failure(description: "the feed \(path) could not be read: \(error)")
        }
      }
      return file
    }
    let made = (try? manager.attributesOfItem(atPath: file))?[.modificationDate] as? Date
    let isHeld = made != nil && (try? Schedule(path: file)) != nil
    if isHeld, let made, let changed = feed?[.modificationDate] as? Date, made >= changed { return file }
    do {
      try await Self.importFeed(path, into: file, workers: workers)
    } catch {
      guard isHeld else { throw Failure(description: "the feed \(path) could not be read: \(error)") }
      log?.error(
        "a feed could not be read; the schedule that was made before is used",
        metadata: ["provider": .string(id), "feed": .string(path), "reason": .string("\(error)")]
      )
    }
    return file
  }

  private mutating func directory(_ entry: DataTree, _ id: String) async throws -> any StopDirectory {
    guard let name = entry["stops"]?.string else {
      throw Failure(description: "Provider \(id) needs \"stops\", a list (CSV or JSON) or a GTFS feed.")
    }
    let file = path(name)
    if !(name.hasSuffix(".csv") || name.hasSuffix(".json")) {
      return try ScheduleDirectory(try Schedule(path: try await scheduleFile(of: file, id: id)))
    }
    guard let data = FileManager.default.contents(atPath: file) else {
      throw Failure(description: "\(file), the stops of \(id), cannot be read.")
    }
    let zone = entry["timeZone"]?.string ?? "UTC"
    guard let timeZone = TimeZone(identifier: zone) else {
      throw Failure(description: "Provider \(id) has the time zone \"\(zone)\"; write it like Europe/Paris.")
    }
    let grid = entry["grid"]?.string ?? "wgs84"
    guard let grid = StopList.Grid(rawValue: grid) else {
      let known = StopList.Grid.allCases.map(\.rawValue).joined(separator: ", ")
      throw Failure(description: "Provider \(id) has the grid \"\(grid)\"; there are \(known).")
    }
    do {
      let stops: [ListDirectory.Entry]
      if let workers {
        stops = try await ForeignProviders(workers).stops([UInt8](data), grid: grid, of: id)
      } else {
        stops = try StopList.read([UInt8](data), grid: grid)
      }
      return ListDirectory(stops, timeZone: timeZone)
    } catch ProviderFailure.malformed(let reason) {
      throw Failure(description: "\(file) could not be read: \(reason)\(reason.hasSuffix(".") ? "" : ".")")
    } catch let failure as ProviderFailure {
      throw Failure(description: "\(file) could not be read: \(failure.detail)")
    } catch {
      throw Failure(description: "\(file): \(error)")
    }
  }

  private func streets(_ entry: DataTree) throws -> StreetMap {
    try Self.check(entry, ["file", "attribution"], in: "streets")
    guard let name = entry["file"]?.string, let data = FileManager.default.contents(atPath: path(name)) else {
      throw Failure(description: "streets needs \"file\", a file with lines that can be read.")
    }
    return try StreetMap(
      [UInt8](data),
      name: (name as NSString).lastPathComponent,
      attribution: entry["attribution"]?["text"]?.string ?? "",
      attributionURL: entry["attribution"]?["url"]?.string ?? ""
    )
  }

  // MARK: Values

  private func path(_ name: String) -> String { name.hasPrefix("/") || folder.isEmpty ? name : "\(folder)/\(name)" }

  private func source(_ entry: DataTree, _ id: String, allowsPlain: Bool) throws -> RealtimeSource {
    try Self.check(entry, ["url", "headers", "interval", "simulated"], in: "realtime of \(id)")
    let interval = try Self.number(entry, "interval", 1...3600)
    if entry["simulated"]?.string == "true" {
      guard entry["url"] == nil, entry["headers"] == nil else {
        throw Failure(description: "realtime of \(id) is simulated and so has no \"url\" and no \"headers\".")
      }
      // Riders of a real line are told nothing that was made up.
      guard clock.isSet else {
        throw Failure(
          description:
            "realtime of \(id) is simulated: that is for demonstrations, which set \"clock\" to another time."
        )
      }
      var source = RealtimeSource.simulation
      source.interval = interval ?? source.interval
      return source
    }
    guard let url = entry["url"]?.string else { throw Failure(description: "realtime of \(id) needs a \"url\".") }
    let isFile = !url.contains("://")
    if !isFile, let fault = HTTPTransport.fault(in: url, allowsPlain: allowsPlain) {
      throw Failure(description: "The address of realtime of \(id) \(fault).")
    }
    return RealtimeSource(
      url: isFile ? path(url) : url,
      headers: try headers(entry["headers"], id),
      interval: interval ?? 15
    )
  }

  /// The address of a feed, alone or with what belongs to it; `nil` for the path of a file.
  private func scheduleSource(_ entry: DataTree, _ id: String, allowsPlain: Bool) throws -> ScheduleSource? {
    if let text = entry.string, !text.contains("://") { return nil }
    if entry.string == nil { try Self.check(entry, ["url", "headers", "interval"], in: "feed of \(id)") }
    guard let url = entry.string ?? entry["url"]?.string, url.contains("://") else {
      throw Failure(
        description: "feed of \(id) needs a \"url\", an address. A feed in a file is named by its path alone."
      )
    }
    if let fault = HTTPTransport.fault(in: url, allowsPlain: allowsPlain) {
      throw Failure(description: "The address of feed of \(id) \(fault).")
    }
    return ScheduleSource(
      url: url,
      headers: try headers(entry["headers"], id),
      interval: try Self.number(entry, "interval", 60...2_592_000) ?? ScheduleSource.usualInterval
    )
  }

  private func address(_ entry: DataTree, _ name: String, _ id: String, allowsPlain: Bool) throws -> String? {
    guard let address = entry[name]?.string else { return nil }
    if let fault = HTTPTransport.fault(in: address, allowsPlain: allowsPlain) {
      throw Failure(description: "The address \"\(name)\" of \(id) \(fault).")
    }
    return address
  }

  /// Header fields; `$NAME` is taken from the environment, `@FILE` from a file, so that no key stands in the configuration.
  private func headers(_ tree: DataTree?, _ id: String) throws -> [String: String] {
    var headers: [String: String] = [:]
    for member in tree?.members ?? [] {
      var value = member.value.text
      if value.hasPrefix("$") {
        guard let found = environment[String(value.dropFirst())] else {
          throw Failure(description: "Provider \(id) needs the environment variable \(value.dropFirst()).")
        }
        value = found
      } else if value.hasPrefix("@") {
        guard let data = FileManager.default.contents(atPath: path(String(value.dropFirst()))) else {
          throw Failure(description: "Provider \(id) needs the file \(path(String(value.dropFirst()))).")
        }
        value = String(decoding: data, as: UTF8.self).trimmingCharacters(in: .whitespacesAndNewlines)
      }
      headers[member.name] = value
    }
    return headers
  }

  private func limits(_ tree: DataTree?, _ id: String) throws -> DeskLimits {
    var limits = DeskLimits()
    guard let tree else { return limits }
    try Self.check(
      tree,
      ["fresh", "stale", "negative", "tryLimit", "tries", "concurrent", "cached"],
      in: "limits of \(id)"
    )
    limits.fresh = try Self.number(tree, "fresh", 1...3600) ?? limits.fresh
    limits.stale = try Self.number(tree, "stale", 0...86_400) ?? limits.stale
    limits.negative = try Self.number(tree, "negative", 0...600) ?? limits.negative
    limits.tryLimit = try Self.number(tree, "tryLimit", 0.1...5) ?? limits.tryLimit
    limits.tries = try Self.number(tree, "tries", 1...10).map { Int(clamped: $0) } ?? limits.tries
    limits.concurrent = try Self.number(tree, "concurrent", 1...256).map { Int(clamped: $0) } ?? limits.concurrent
    limits.cached = try Self.number(tree, "cached", 1000...1e8).map { Int(clamped: $0) } ?? limits.cached
    return limits
  }

  private static func number(_ tree: DataTree, _ name: String, _ range: ClosedRange<Double>) throws -> Double? {
    guard let member = tree[name] else { return nil }
    guard let value = Double(member.text), range.contains(value) else {
      throw Failure(description: "\(name) has to be a number from \(range.lowerBound) to \(range.upperBound).")
    }
    return value
  }

  /// A misspelt member is an error: it would otherwise be a setting that does nothing.
  private static func check(_ tree: DataTree, _ known: Set<String>, in what: String) throws {
    for member in tree.members where !known.contains(member.name) {
      throw Failure(
        description:
          "\(what) has a member \"\(member.name)\" that is not known; there are \(known.sorted().joined(separator: ", "))."
      )
    }
  }
}
