import Foundation
import SightlineInput
import Synchronization

/// A SIRI StopMonitoring service (SIRI Lite JSON or XML), asked stop by stop; notices from SituationExchange.
public final class SIRIProvider: TransitProvider {
  /// Where it is and how it is asked.
  public struct Settings: Sendable {
    /// Address with `{stop}` and, if wanted, `{limit}` and `{minutes}`.
    public var departures: String
    /// Address of the notices; `nil` without.
    public var situations: String?
    /// Whether answers are XML.
    public var isXML: Bool
    /// Header fields, keys among them.
    public var headers: [String: String]

    /// Settings.
    public init(departures: String, situations: String? = nil, isXML: Bool = false, headers: [String: String] = [:]) {
      self.departures = departures
      self.situations = situations
      self.isXML = isXML
      self.headers = headers
    }
  }

  /// Who it is.
  public let info: ProviderInfo
  /// Its stops, from a list or a timetable.
  public let schedule: any StopDirectory
  private let settings: Settings
  private let transport: any ProviderTransport
  private let clock: TransitClock
  private let timer: any TransitTimer
  private let reading: any ProviderReading
  private let held = Mutex(Held())

  private struct Held {
    var lines: [String: TransitLine] = [:]
    var alerts: [TransitAlert] = []
    var alertsFetched = 0
  }

  private static let alertInterval = 60.0
  private static let longestAlertAge = 3600
  private static let mostLines = 5000

  /// A service and its stops.
  public convenience init(
    info: ProviderInfo,
    stops: any StopDirectory,
    settings: Settings,
    transport: any ProviderTransport,
    clock: TransitClock = TransitClock(),
    reading: any ProviderReading = DirectReading()
  ) {
    self.init(
      info: info,
      stops: stops,
      settings: settings,
      transport: transport,
      clock: clock,
      reading: reading,
      timer: SystemTimer()
    )
  }

  package init(
    info: ProviderInfo,
    stops: any StopDirectory,
    settings: Settings,
    transport: any ProviderTransport,
    clock: TransitClock,
    reading: any ProviderReading = DirectReading(),
    timer: any TransitTimer
  ) {
    self.info = info
    schedule = stops
    self.settings = settings
    self.transport = transport
    self.clock = clock
    self.reading = reading
    self.timer = timer
  }

  /// Departures from a stop.
  public func departures(at stop: String, _ question: BoardQuestion) async throws(ProviderFailure) -> ProviderBoard {
    guard let number = schedule.number(of: stop) else { throw .unknownStop }
    let address = ProviderAddress.filled(settings.departures, stop: stop, question)
    let answer = try await transport.fetch(request(address))
    let delivery = try await read(answer)
    let notices = alerts(held.withLock { $0.alerts } + delivery.alerts, at: question.from)
    let ownLines = LineFinder(schedule.lines(at: number))
    var departures: [(departure: TransitDeparture, line: String)] = []
    for visit in delivery.visits {
      let departure = departure(visit, ownLines)
      if question.period.contains(departure.time) { departures.append((departure, visit.line)) }
    }
    return ProviderBoard(
      departures: Self.noted(departures, notices).inOrder(question.limit),
      alerts: Array(
        notices.lazy.filter { $0.stops.contains(stop) || $0.lines.isEmpty && $0.stops.isEmpty }
          .map(\.id).prefix(BoardNotices.mostOfStop)
      ),
      source: "siri",
      updated: min(delivery.updated ?? question.from, question.from)
    )
  }

  /// The departures with the ids of the notices about their lines.
  private static func noted(
    _ departures: [(departure: TransitDeparture, line: String)],
    _ notices: [TransitAlert]
  ) -> [TransitDeparture] {
    var ofLines: [String: [String]] = [:]
    for notice in notices {
      for line in Set(notice.lines) where ofLines[line, default: []].count < BoardNotices.mostNamed {
        ofLines[line, default: []].append(notice.id)
      }
    }
    return departures.map { departure, line in
      var departure = departure
      if !line.isEmpty { departure.alerts = ofLines[line] ?? [] }
      return departure
    }
  }

  private func departure(_ visit: SIRIDelivery.Visit, _ ownLines: LineFinder) -> TransitDeparture {
    var departure = TransitDeparture(scheduled: visit.aimed ?? visit.expected ?? 0)
    departure.isScheduleKnown = visit.aimed != nil
    departure.line = line(visit, ownLines)
    departure.headsign = visit.headsign
    departure.direction = visit.direction
    departure.expected = visit.isCancelled ? nil : visit.expected
    departure.state =
      visit.isCancelled ? .cancelled : visit.expected == nil ? .scheduled : visit.isAdded ? .added : .live
    departure.platform = visit.platform
    departure.stop = visit.stop
    departure.trip = visit.trip
    departure.tripName = visit.tripName
    departure.wheelchair = visit.wheelchair
    departure.lowFloor = visit.lowFloor
    return departure
  }

  /// The timetable's line of that name, for its colours; else one of its own.
  private func line(_ visit: SIRIDelivery.Visit, _ ownLines: LineFinder) -> TransitLine? {
    guard !visit.lineName.isEmpty else { return nil }
    if let own = ownLines.line(id: visit.line, name: visit.lineName) { return own }
    let key = visit.line.isEmpty ? visit.lineName : visit.line
    return held.withLock { held in
      if let line = held.lines[key], line.name == visit.lineName { return line }
      if held.lines.count >= Self.mostLines { held.lines = [:] }
      let line = TransitLine(
        id: key,
        name: visit.lineName,
        mode: SIRIProvider.mode(visit.mode),
        color: nil,
        textColor: nil
      )
      held.lines[key] = line
      return line
    }
  }

  private static func mode(_ word: String) -> TransitMode {
    switch word {
    case "bus": .bus
    case "coach": .coach
    case "tram": .tram
    case "metro", "underground": .metro
    case "rail", "train": .rail
    case "ferry", "water": .ferry
    case "trolleybus": .trolleybus
    case "funicular": .funicular
    case "cableway": .aerialLift
    case "taxi": .taxi
    default: .other
    }
  }

  private func read(_ answer: ProviderAnswer) async throws(ProviderFailure) -> SIRIDelivery {
    try await reading.siri(answer.body, isXML: settings.isXML, timeZone: schedule.timeZone, of: info.id)
  }

  private func request(_ address: String) -> ProviderRequest {
    ProviderRequest(
      url: address,
      headers: settings.headers,
      accept: settings.isXML ? "application/xml, text/xml;q=0.9" : "application/json"
    )
  }

  private func alerts(_ list: [TransitAlert], at time: Int) -> [TransitAlert] {
    list.filter { alert in alert.periods.isEmpty || alert.periods.contains { $0.contains(time) } }
  }

  /// Notices that apply at a time.
  public func alerts(at time: Int) -> [TransitAlert] {
    let (list, fetched) = held.withLock { ($0.alerts, $0.alertsFetched) }
    return time.saturatingSubtract(fetched) < Self.longestAlertAge ? alerts(list, at: time) : []
  }

  /// Fetches the notices until the task is cancelled.
  public func run() async {
    guard settings.situations != nil else { return }
    while !Task.isCancelled {
      await fetchAlerts()
      do { try await timer.sleep(seconds: Self.alertInterval) } catch { return }
    }
  }

  /// Fetches the notices once; when that fails the old ones stay.
  package func fetchAlerts() async {
    guard let address = settings.situations else { return }
    do throws(ProviderFailure) {
      let answer = try await transport.fetch(request(address))
      let delivery = try await read(answer)
      held.withLock {
        $0.alerts = delivery.alerts
        $0.alertsFetched = clock.now
      }
    } catch {}
  }
}

/// Addresses with places to fill in.
enum ProviderAddress {
  /// Puts in `{stop}`, `{limit}`, `{minutes}` and `{from}`; the stop percent-encoded.
  static func filled(_ template: String, stop: String, _ question: BoardQuestion) -> String {
    template.replacingOccurrences(of: "{limit}", with: String(question.limit))
      .replacingOccurrences(of: "{minutes}", with: String(question.window.saturatingAdd(59) / 60))
      .replacingOccurrences(of: "{from}", with: String(question.from))
      // Last, so that a stop's id is not taken for a template.
      .replacingOccurrences(of: "{stop}", with: encoded(stop))
  }

  /// Everything but letters, digits and `-._~:` as `%XX`.
  static func encoded(_ text: String) -> String {
    var result = ""
    for byte in text.utf8 {
      switch byte {
      case 0x61...0x7A, 0x41...0x5A, 0x30...0x39, 0x2D, 0x2E, 0x5F, 0x7E, 0x3A:
        result.unicodeScalars.append(Unicode.Scalar(byte))
      default:
        result += byte < 16 ? "%0" : "%"
        result += String(byte, radix: 16, uppercase: true)
      }
    }
    return result
  }
}
