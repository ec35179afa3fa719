/// A service with a JSON form of its own, as small as can be: the example for writing a provider.
///
/// It answers an address with `{stop}` in it by
/// `{"updated": "2026-01-31T12:00:00Z", "departures": [{"line": "4", "headsign": "Harbour", "scheduled": "…"}]}`; all members of a
/// departure are in ``PlainDelivery``.
public final class PlainProvider: TransitProvider {
  /// Who it is.
  public let info: ProviderInfo
  /// Its stops, from a list.
  public let schedule: any StopDirectory
  private let address: String
  private let headers: [String: String]
  private let transport: any ProviderTransport
  private let reading: any ProviderReading

  /// A service and its stops.
  ///
  /// - Parameters:
  ///   - info: who it is.
  ///   - stops: its stops.
  ///   - address: with `{stop}` and, if wanted, `{limit}`, `{minutes}` and `{from}` (POSIX seconds).
  ///   - headers: header fields of requests, keys among them.
  ///   - transport: how it is asked.
  ///   - reading: who reads its answers.
  public init(
    info: ProviderInfo,
    stops: any StopDirectory,
    address: String,
    headers: [String: String] = [:],
    transport: any ProviderTransport,
    reading: any ProviderReading = DirectReading()
  ) {
    self.info = info
    schedule = stops
    self.address = address
    self.headers = headers
    self.transport = transport
    self.reading = reading
  }

  /// Departures from a stop.
  public func departures(at stop: String, _ question: BoardQuestion) async throws(ProviderFailure) -> ProviderBoard {
    guard let number = schedule.number(of: stop) else { throw .unknownStop }
    let answer = try await transport.fetch(
      ProviderRequest(
        url: ProviderAddress.filled(address, stop: stop, question),
        headers: headers,
        accept: "application/json"
      )
    )
    let delivery = try await reading.plain(answer.body, of: info.id)
    let lines = LineFinder(schedule.lines(at: number))
    var departures: [TransitDeparture] = []
    for entry in delivery.departures {
      var departure = Self.departure(entry, lines)
      departure.stop = stop
      if question.period.contains(departure.time) { departures.append(departure) }
    }
    return ProviderBoard(
      departures: departures.inOrder(question.limit),
      source: "json",
      updated: min(delivery.updated, question.from)
    )
  }

  private static func departure(_ entry: PlainDelivery.Departure, _ lines: LineFinder) -> TransitDeparture {
    var departure = TransitDeparture(scheduled: entry.scheduled)
    departure.line =
      lines.line(name: entry.line)
      ?? TransitLine(
        id: entry.line,
        name: entry.line,
        mode: entry.mode,
        color: entry.color,
        textColor: entry.textColor
      )
    departure.headsign = entry.headsign
    departure.expected = entry.isCancelled ? nil : entry.expected
    departure.state = entry.isCancelled ? .cancelled : entry.expected == nil ? .scheduled : .live
    departure.platform = entry.platform
    departure.trip = entry.trip
    departure.wheelchair = entry.wheelchair
    departure.lowFloor = entry.lowFloor
    return departure
  }
}
