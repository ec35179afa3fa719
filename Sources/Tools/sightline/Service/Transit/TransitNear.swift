import ArgumentParser
import Foundation
import SightlineTransit

/// `sightline transit near`.
struct TransitNear: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "near",
    abstract: "The stops nearest to a place.",
    discussion: "A station counts once, whatever the number of its platforms."
  )

  @Option(help: ArgumentHelp("Schedule file.", valueName: "file")) var schedule: String
  @Option(parsing: .unconditional, help: ArgumentHelp("Where from.", valueName: "lat,lon")) var at: PositionArgument
  @Option(help: "How many at most, 1 to 50.") var limit = 10
  @Option(help: "No farther than so many metres.") var radius: Double?
  @Option(help: "text or json.") var format = ListFormat.text

  private struct Line: Encodable {
    let id: String
    let name: String
    let platform: String?
    let lat: Double
    let lon: Double
    let distance: Double
  }

  func validate() throws {
    guard 1...50 ~= limit else { throw ValidationError("--limit is \(limit); it has to be 1 to 50.") }
    if let radius, !(radius >= 0) { throw ValidationError("--radius has to be a number of metres.") }
  }

  func run() throws {
    let schedule = try Schedule.opened(schedule)
    let lines = StopSearch(schedule).nearest(limit, to: at.geodetic, radius: radius).map { found in
      let stop = schedule.stops[found.stop]
      return Line(
        id: stop.id,
        name: stop.name,
        platform: stop.platform.isEmpty ? nil : stop.platform,
        lat: stop.latitude ?? .nan,
        lon: stop.longitude ?? .nan,
        distance: (found.distance * 100).rounded() / 100
      )
    }
    switch format {
    case .json: Console.say(try lines.json())
    case .text: for line in lines { Console.say("\(line.distance) m\t\(line.id)\t\(line.name)") }
    }
  }
}

/// How a list is written.
enum ListFormat: String, ExpressibleByArgument, CaseIterable {
  case text
  case json
}

extension Schedule {
  /// Opens a schedule for a command.
  static func opened(_ path: String) throws -> Schedule {
    do { return try Schedule(path: path) } catch { throw Failure("\(error)") }
  }
}

extension Array where Element: Encodable {
  /// As JSON, keys in order, slashes as they are.
  func json() throws -> String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    return String(decoding: try encoder.encode(self), as: UTF8.self)
  }
}
