import HTTPTypes
import Hummingbird
import NIOCore
import SightlineGeodesy
import SightlineTransit

/// `/transit/forecast.json`: the answer in the form of the server of 2010.
///
/// An array of the ten nearest stops with texts for numbers, each with one entry for a line and destination, which holds its next two
/// departures in minutes.
struct TransitForecastRoutes: Sendable {
  let transit: TransitService?
  let readiness: Readiness

  static let path = "/transit/forecast.json"

  func add(to routes: inout RouteTable) {
    routes.add(
      .get,
      TransitForecastRoutes.path,
      .init(
        "Departures in the form of 2010",
        query: ["lat": .latitude, "lng": .longitude],
        answer: .jsonList(.written("ForecastStop")),
        refusals: [404]
      )
    ) { exchange in
      try await answer(exchange, exchange.queryFields)
    }
    routes.add(
      .post,
      TransitForecastRoutes.path,
      .init(
        "The same",
        body: .form("ForecastQuestion"),
        answer: .jsonList(.written("ForecastStop")),
        refusals: [404]
      )
    ) { exchange in
      try await answer(exchange, try await exchange.formFields())
    }
  }

  private func answer(_ exchange: Exchange, _ fields: FormFields) async throws -> Response {
    let transit = try TransitRoutes.required(transit, readiness, exchange)
    func number(_ name: String, _ range: ClosedRange<Double>) throws(RequestProblem) -> Double {
      // Whole numbers too: the old server ended on "57".
      guard let value = fields[name].flatMap(Double.init), range.contains(value) else {
        throw .badRequest("transit.missing", "\(name) is missing or no number of degrees.")
      }
      return value
    }
    let place = Geodetic(
      latitudeDegrees: try number("lat", -90...90),
      longitudeDegrees: try number("lng", -180...180)
    )
    let now = transit.hub.clock.now
    let found = transit.hub.nearest(10, to: place, radius: nil)
    let outcomes = await transit.hub.boards(
      found.map { ($0.desk, $0.directory.stop($0.number, language: nil).id) },
      BoardQuestion(from: now, window: 3600, limit: 100)
    )
    return try Answers.json(
      zip(found, outcomes).map { found, outcome in
        let stop = found.directory.stop(found.number, language: nil)
        return ForecastStop(
          name: stop.name,
          lat: "\(stop.latitude)",
          lng: "\(stop.longitude)",
          forecast: Self.pairs(outcome.board?.departures ?? [], now: now).map { ForecastStop.Entry($0, now: now) }
        )
      }
    )
  }

  /// The next two departures of each line and destination, in the order of the old server.
  static func pairs(_ departures: [TransitDeparture], now: Int) -> [[TransitDeparture]] {
    var pairs: [[TransitDeparture]] = []
    var places: [String: Int] = [:]
    for departure in departures
    where departure.time >= now && departure.time < now + 3600 && departure.state != .cancelled
      && departure.state != .skipped
    {
      let key = "\(departure.line?.name ?? "")\u{0}\(departure.headsign)"
      if let place = places[key] {
        if pairs[place].count < 2 { pairs[place].append(departure) }
      } else {
        places[key] = pairs.count
        pairs.append([departure])
      }
    }
    return pairs.sorted { a, b in
      let (first, second) = (a[0].line?.name ?? "", b[0].line?.name ?? "")
      return first == second ? a[0].headsign < b[0].headsign : isBefore(first, second)
    }
  }

  /// Numbers by their value before names by their raw text, as the old server's clients are used to.
  static func isBefore(_ a: String, _ b: String) -> Bool {
    func isName(_ text: String) -> Bool { text.isEmpty || !text.utf8.allSatisfy { (0x30...0x39).contains($0) } }
    return isName(a) && isName(b) ? a < b : LineOrder(a) < LineOrder(b)
  }
}

/// A stop in the answer of 2010: numbers are texts.
private struct ForecastStop: Encodable {
  /// A line and destination, as a list of its name and the rest.
  struct Entry: Encodable {
    private struct Rest: Encodable {
      var line_number: String
      var color: String
      var background_color: String
      var destination: String
      var next_trip: String
      var next_next_trip: String
      var next_handicap: Bool
      var next_low_floor: Bool
      var next_next_handicap: Bool
      var next_next_low_floor: Bool
    }

    private let rest: Rest

    init(_ pair: [TransitDeparture], now: Int) {
      let line = pair[0].line
      func minutes(_ place: Int) -> String {
        place < pair.count ? "\(max(0, pair[place].time - now) / 60)" : ""
      }
      func yes(_ flag: KeyPath<TransitDeparture, Bool?>, _ place: Int) -> Bool {
        place < pair.count && pair[place][keyPath: flag] == true
      }
      rest = Rest(
        line_number: line?.name ?? "",
        color: TransitJSON.colorText(line?.textColor ?? 0),
        background_color: TransitJSON.colorText(line?.color ?? 0xFFFFFF),
        destination: pair[0].headsign,
        next_trip: minutes(0),
        next_next_trip: minutes(1),
        next_handicap: yes(\.wheelchair, 0),
        next_low_floor: yes(\.lowFloor, 0),
        next_next_handicap: yes(\.wheelchair, 1),
        next_next_low_floor: yes(\.lowFloor, 1)
      )
    }

    func encode(to encoder: any Encoder) throws {
      var list = encoder.unkeyedContainer()
      try list.encode(rest.line_number)
      try list.encode(rest)
    }
  }

  var name: String
  var lat: String
  var lng: String
  var forecast: [Entry]
}
