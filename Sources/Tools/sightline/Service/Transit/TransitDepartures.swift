import ArgumentParser
import Foundation
import SightlineInput
import SightlineTransit

/// `sightline transit departures`.
struct TransitDepartures: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "departures",
    abstract: "Departures from stops, by the schedule and by realtime messages.",
    discussion: """
      A station stands for all its platforms. Times are POSIX seconds, in text those of the clock at the stop. With --realtime the list is in the order of the \
      expected times, and a late vehicle is listed until it is expected to have left; the messages count however old \
      they are. Lines that run at intervals without stated times come after the departures: "every 5 min", from when until \
      when; in JSON they have "headway", "from" and "until" in seconds and the state "interval".
      """
  )

  @Option(help: ArgumentHelp("Schedule file.", valueName: "file")) var schedule: String
  @Option(parsing: .unconditional, help: ArgumentHelp("Stop ids of the feed.", valueName: "id[,id…]")) var stop: String
  @Option(help: ArgumentHelp("From when (default: now).", valueName: "POSIX seconds")) var at: Int?
  @Option(help: ArgumentHelp("How far ahead, 1 to 86400.", valueName: "seconds")) var horizon = 3600
  @Option(parsing: .upToNextOption, help: ArgumentHelp("GTFS-Realtime messages.", valueName: "file.pb"))
  var realtime: [String] = []
  @Option(help: "text or json.") var format = ListFormat.text

  private struct Line: Encodable {
    let time: Int
    let predicted: Int?
    let source: String
    let line: String
    let headsign: String
    let trip: String
    let stop: String
    let sequence: Int
    let serviceDate: String?
    let start: Int?
    let state: String

    private enum CodingKeys: CodingKey {
      case time, predicted, source, line, headsign, trip, stop, sequence, serviceDate, start, state
    }

    // Written by hand so that an unknown prediction is null, not absent.
    func encode(to encoder: any Encoder) throws {
      var container = encoder.container(keyedBy: CodingKeys.self)
      try container.encode(time, forKey: .time)
      try container.encode(predicted, forKey: .predicted)
      try container.encode(source, forKey: .source)
      try container.encode(line, forKey: .line)
      try container.encode(headsign, forKey: .headsign)
      try container.encode(trip, forKey: .trip)
      try container.encode(stop, forKey: .stop)
      try container.encode(sequence, forKey: .sequence)
      try container.encodeIfPresent(serviceDate, forKey: .serviceDate)
      try container.encodeIfPresent(start, forKey: .start)
      try container.encode(state, forKey: .state)
    }
  }

  /// A line that runs at intervals.
  private struct IntervalLine: Encodable {
    let state = "interval"
    let line: String
    let headsign: String
    let headway: Int
    let from: Int
    let until: Int
  }

  /// What the list is made of.
  private enum Entry: Encodable {
    case departure(Line)
    case interval(IntervalLine)

    func encode(to encoder: any Encoder) throws {
      switch self {
      case .departure(let line): try line.encode(to: encoder)
      case .interval(let line): try line.encode(to: encoder)
      }
    }
  }

  func validate() throws {
    guard 1...86_400 ~= horizon else { throw ValidationError("--horizon is \(horizon); it has to be 1 to 86400.") }
    if let at, !(0..<1 << 40).contains(at) { throw ValidationError("--at has to be a time in POSIX seconds.") }
  }

  func run() throws {
    let schedule = try Schedule.opened(schedule)
    var stops: [Int] = []
    for id in stop.split(separator: ",") {
      guard let number = schedule.stop(id: String(id)) else {
        if let gone = schedule.retired[String(id)] {
          throw Failure("The stop \"\(id)\" (\(gone.name)) is no longer served: the feed does not have it any more.")
        }
        throw Failure("There is no stop \"\(id)\" in the schedule. sightline transit near lists stops.")
      }
      for calling in schedule.callingStops(of: number) where !stops.contains(calling) { stops.append(calling) }
    }
    let from = at ?? Int(clamped: Date().timeIntervalSince1970)
    do {
      let state = try RealtimeState(try realtime.map(message), schedule: schedule)
      let board = try schedule.board(at: stops, in: from..<(from + horizon), realtime: state)
      let intervals = try intervals(schedule.intervals(at: stops, in: from..<(from + horizon)), schedule)
      try write(board, intervals, schedule, firstStop: stops.first)
    } catch let failure as Failure { throw failure } catch { throw Failure("\(error)") }
    if board(isOutside: from, schedule) {
      Console.note(
        "The schedule is for \(schedule.days.lowerBound.description) to \(schedule.days.upperBound.description)."
      )
    }
  }

  private func message(_ path: String) throws -> RealtimeMessage {
    guard let data = FileManager.default.contents(atPath: path) else {
      throw Failure("\(path) cannot be read. Check the path.")
    }
    do { return try RealtimeMessage(protobuf: [UInt8](data)) } catch { throw Failure("\(path): \(error)") }
  }

  private func board(isOutside time: Int, _ schedule: Schedule) -> Bool {
    let day = schedule.clock.day(at: time)
    return !(schedule.days.contains(day) || schedule.days.contains(day.advanced(by: -1)))
  }

  /// Several trips of a line and direction at one headway are one entry.
  private func intervals(_ services: [IntervalService], _ schedule: Schedule) throws -> [IntervalLine] {
    var seen: Set<[String]> = []
    var lines: [IntervalLine] = []
    for service in services {
      let route = schedule.routes[try schedule.trip(service.trip).route]
      let headsign = try schedule.headsign(trip: service.trip, place: 0)
      let key = [route.id, headsign, "\(service.headway)", "\(service.period.lowerBound)"]
      guard seen.insert(key).inserted else { continue }
      lines.append(
        IntervalLine(
          line: route.name,
          headsign: headsign,
          headway: service.headway,
          from: service.period.lowerBound,
          until: service.period.upperBound
        )
      )
    }
    return lines
  }

  private func write(
    _ board: [BoardDeparture],
    _ intervals: [IntervalLine],
    _ schedule: Schedule,
    firstStop: Int?
  ) throws {
    let lines = board.map { departure in
      Line(
        time: departure.scheduled,
        predicted: departure.expected,
        source: departure.source.rawValue,
        line: departure.route.map { schedule.routes[$0].name } ?? "",
        headsign: departure.headsign,
        trip: departure.trip,
        stop: schedule.stops[departure.stop].id,
        sequence: departure.sequence,
        serviceDate: departure.run?.day.description,
        start: departure.run?.start,
        state: departure.state.rawValue
      )
    }
    if format == .json {
      return Console.say(try (lines.map(Entry.departure) + intervals.map(Entry.interval)).json())
    }
    let formatter = DateFormatter()
    formatter.locale = Locale(identifier: "en_US_POSIX")
    formatter.dateFormat = "HH:mm"
    func clock(_ time: Int) -> String { formatter.string(from: Date(timeIntervalSince1970: Double(time))) }
    for (line, departure) in zip(lines, board) {
      formatter.timeZone = schedule.timeZone(of: departure.stop)
      let expected = line.predicted.map { clock($0) } ?? "     "
      let note = ["cancelled", "skipped", "added"].contains(line.state) ? " (\(line.state))" : ""
      Console.say("\(clock(line.time)) \(expected)  \(line.line)  \(line.headsign)\(note)")
    }
    if let firstStop { formatter.timeZone = schedule.timeZone(of: firstStop) }
    for line in intervals {
      let minutes = max(1, (line.headway + 30) / 60)
      Console.say(
        "every \(minutes) min  \(line.line)  \(line.headsign) (\(clock(line.from)) to \(clock(line.until)))"
      )
    }
  }
}
