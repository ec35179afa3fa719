import Foundation
import SightlineFormats

/// A service with a JSON form of its own, as small as can be: the example for writing a provider.
///
/// It answers an address with `{stop}` in it by
/// `{"updated": "2026-01-31T12:00:00Z", "departures": [{"line": "4", "headsign": "Harbour", "scheduled": "…"}]}`; all members of a
/// departure are in ``departure(_:_:)``.
public final class PlainProvider: TransitProvider {
  /// Who it is.
  public let info: ProviderInfo
  /// Its stops, from a list.
  public let schedule: any StopDirectory
  private let address: String
  private let headers: [String: String]
  private let transport: any ProviderTransport

  /// A service and its stops.
  ///
  /// - Parameters:
  ///   - info: who it is.
  ///   - stops: its stops.
  ///   - address: with `{stop}` and, if wanted, `{limit}`, `{minutes}` and `{from}` (POSIX seconds).
  ///   - headers: header fields of requests, keys among them.
  ///   - transport: how it is asked.
  public init(
    info: ProviderInfo,
    stops: any StopDirectory,
    address: String,
    headers: [String: String] = [:],
    transport: any ProviderTransport
  ) {
    self.info = info
    schedule = stops
    self.address = address
    self.headers = headers
    self.transport = transport
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
    let tree: DataTree
    do throws(DataTree.Failure) { tree = try DataTree.json(answer.body) } catch {
      throw .malformed(String(error.message.prefix(200)))
    }
    // What is not recognised is an error, however friendly the status: an error page is no empty board.
    guard let updated = tree["updated"]?.string.flatMap({ InstantText.seconds($0) }) else {
      throw .malformed("The member \"updated\" is missing or no time.")
    }
    let lines = LineFinder(schedule.lines(at: number))
    var departures: [TransitDeparture] = []
    for entry in tree.all("departures").prefix(ProviderText.mostDepartures) {
      var departure = try departure(entry, lines)
      departure.stop = stop
      if question.period.contains(departure.time) { departures.append(departure) }
    }
    return ProviderBoard(
      departures: departures.inOrder(question.limit),
      source: "json",
      updated: min(updated, question.from)
    )
  }

  private func departure(_ entry: DataTree, _ lines: LineFinder) throws(ProviderFailure) -> TransitDeparture {
    guard let scheduled = entry["scheduled"]?.string.flatMap({ InstantText.seconds($0) }) else {
      throw .malformed("A departure has no \"scheduled\" that is a time.")
    }
    guard let name = ProviderText.cut(entry["line"]) else { throw .malformed("A departure has no \"line\".") }
    var departure = TransitDeparture(scheduled: scheduled)
    departure.line =
      lines.line(name: name)
      ?? TransitLine(
        id: name,
        name: name,
        mode: entry["mode"]?.string.flatMap(TransitMode.init(rawValue:)) ?? .other,
        color: entry["color"]?.string.flatMap(LineColors.color),
        textColor: entry["textColor"]?.string.flatMap(LineColors.color)
      )
    departure.headsign = ProviderText.cut(entry["headsign"]) ?? ""
    departure.expected = entry["expected"]?.string.flatMap { InstantText.seconds($0) }
    departure.state =
      entry["cancelled"]?.string == "true" ? .cancelled : departure.expected == nil ? .scheduled : .live
    if departure.state == .cancelled { departure.expected = nil }
    departure.platform = ProviderText.cut(entry["platform"]) ?? ""
    departure.trip = ProviderText.cut(entry["trip"]) ?? ""
    departure.wheelchair = entry["wheelchair"]?.string.flatMap(Bool.init)
    departure.lowFloor = entry["lowFloor"]?.string.flatMap(Bool.init)
    return departure
  }
}
