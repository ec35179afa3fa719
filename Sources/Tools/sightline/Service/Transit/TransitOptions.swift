import ArgumentParser
import Foundation
import Logging
import SightlineReadWorkers
import SightlineServer
import SightlineStore
import SightlineTransit

/// Options of `sightline serve` about public transport.
struct TransitOptions: ParsableArguments {
  @Option(
    name: .customLong("transit"),
    parsing: .upToNextOption,
    help: ArgumentHelp(
      """
      Public transport: schedule files (sightline transit import), GTFS feeds, or one configuration (.json) with \
      providers; see Documentation/providers.md.
      """,
      valueName: "file"
    )
  )
  var files: [String] = []

  @Option(
    help: ArgumentHelp(
      "Requests about transit that a client address may make in a second; 0: any number (default: 20).",
      valueName: "number"
    )
  )
  var transitRate: Int?

  @Option(
    help: ArgumentHelp(
      "Set the clock of transit, such as 2022-02-22T08:00:00+02:00; it runs on from there.",
      valueName: "time"
    )
  )
  var transitClock: String?

  @Option(help: "Port for /metrics in Prometheus' form; 0 for any free one (default: none).")
  var metricsPort: Int?

  @Option(help: "Address for /metrics (default: 127.0.0.1).")
  var metricsHost: String?

  /// Opens the timetables, importing feeds that have no schedule file yet.
  func apply(
    to options: inout ServerOptions,
    database: String,
    stores: Stores,
    workers: ReadWorkers,
    log: Logger
  ) async throws {
    try apply(to: &options)
    let rate = try perSecond()
    let named = named
    guard !named.isEmpty, named != ["none"] else { return }
    let schedules = (database as NSString).deletingPathExtension + ".timetables"
    do {
      var configuration: TransitConfiguration
      if named.count == 1, named[0].hasSuffix(".json") {
        configuration = try await TransitConfiguration.read(
          named[0],
          schedules: schedules,
          workers: workers,
          stores: stores,
          log: log
        )
      } else {
        configuration = TransitConfiguration(
          folder: "",
          schedules: schedules,
          environment: ProcessInfo.processInfo.environment,
          workers: workers,
          stores: stores,
          log: log
        )
        for path in named { try await configuration.add(timetable: path) }
      }
      // Files that a configuration names by their path may lie in that folder, too.
      let words = named.joined(separator: " ") + (named[0].hasSuffix(".json") ? Self.text(named[0]) : "")
      let files = (try? FileManager.default.contentsOfDirectory(atPath: schedules)) ?? []
      let made = Set(configuration.providers.map { "\($0.provider.info.id).schedule" })
      options.retention?.timetables = TimetableFolder(
        path: schedules,
        used: made.union(files.filter { words.contains($0) })
      )
      options.transit = TransitService(
        providers: configuration.providers,
        clock: try clock() ?? configuration.clock,
        center: configuration.center,
        streets: configuration.streets,
        perSecond: rate,
        timetables: configuration.shared,
        stores: stores
      )
    } catch let error as ValidationError { throw error } catch { throw Failure("\(error)") }
  }

  /// What needs no timetable to be opened; everything that is wrong with the options is found by it.
  func apply(to options: inout ServerOptions) throws {
    options.metricsPort = try Setting.integer(metricsPort, "metrics-port", in: 0...65_535)
    options.metricsHost = Setting.text(metricsHost, "metrics-host") ?? options.metricsHost
    _ = try perSecond()
    _ = try clock()
  }

  /// The files that were named.
  var named: [String] { Setting.texts(files, "transit") }

  private func perSecond() throws -> Double {
    Double(try Setting.integer(transitRate, "transit-rate", in: 0...1_000_000) ?? 20)
  }

  private static func text(_ path: String) -> String { (try? String(contentsOfFile: path, encoding: .utf8)) ?? "" }

  private func clock() throws -> TransitClock? {
    guard let text = Setting.text(transitClock, "transit-clock") else { return nil }
    guard let clock = TransitClock(settingTo: text) else {
      throw ValidationError("\(Setting.name("transit-clock")) is \"\(text)\"; write it like 2022-02-22T08:00:00+02:00.")
    }
    return clock
  }
}
