import Foundation
import HTTPTypes
import Hummingbird
import NIOCore
import NIOFoundationCompat
import SightlineGeodesy
import SightlineInput

/// `GET` and `POST /api/v1/nearby`: the nearest places.
///
/// POST is there for privacy: a position in the body does not come into the logs of servers on the way.
struct NearbyRoutes: Sendable {
  let catalog: Catalog
  let readiness: Readiness

  static let path = "/api/v1/nearby"
  private static let largestLimit = 100

  func add(to routes: inout RouteTable) {
    routes.add(
      .get,
      NearbyRoutes.path,
      .init(
        "The nearest places of all worlds",
        query: [
          "latitude": .latitude, "longitude": .longitude, "limit": .integer(in: 1...NearbyRoutes.largestLimit),
          "radius": .number(in: 0...), "world": .string,
        ],
        answer: .json("NearbyPlaces"),
        refusals: [404]
      ),
      isLight: true,
      prompt: { exchange, _ in try answer(try NearbyRoutes.search(fields: exchange.queryFields)) }
    ) { exchange in
      try answer(try NearbyRoutes.search(fields: exchange.queryFields)).response
    }
    routes.add(
      .post,
      NearbyRoutes.path,
      .init(
        "The same",
        body: .jsonOrForm("NearbyQuestion"),
        answer: .json("NearbyPlaces"),
        refusals: [404]
      ),
      isLight: true,
      prompt: { exchange, body in try answer(try NearbyRoutes.search(exchange, body: body)) }
    ) { exchange in
      try answer(try NearbyRoutes.search(exchange, body: try await exchange.body())).response
    }
  }

  private func answer(_ search: NearbySearch) throws -> PromptAnswer {
    try readiness.require()
    let snapshot = catalog.snapshot
    guard let world = search.world else {
      return .json(search.answer(in: snapshot.all), shared: true)
    }
    guard let index = snapshot.indexes[world] else { throw RequestProblem.unknownWorld(world) }
    return .json(search.answer(in: [index]), shared: true)
  }

  // MARK: Reading the question

  static func search(fields: FormFields) throws(RequestProblem) -> NearbySearch {
    func number(_ name: String) throws(RequestProblem) -> Double? {
      guard let text = fields[name] else { return nil }
      guard let number = Double(text), number.isFinite else { throw malformed(name, text) }
      return number
    }
    return try search(
      latitude: try number("latitude"),
      longitude: try number("longitude"),
      limit: try number("limit"),
      radius: try number("radius"),
      world: fields["world"]
    )
  }

  private struct Body: Decodable {
    var latitude: Double?
    var longitude: Double?
    var limit: Double?
    var radius: Double?
    var world: String?
  }

  private static func search(_ exchange: Exchange, body bytes: ByteBuffer) throws -> NearbySearch {
    if exchange.mediaType == "application/x-www-form-urlencoded" {
      return try search(fields: FormFields(String(buffer: bytes)))
    }
    guard exchange.mediaType == "application/json" else {
      throw RequestProblem(
        .unsupportedMediaType,
        "body.media-type",
        "Send the question as application/json or as application/x-www-form-urlencoded.",
        headers: [.acceptPost: "application/json, application/x-www-form-urlencoded"]
      )
    }
    if let search = try search(flat: bytes) { return search }
    let body: Body
    do {
      body = try JSONDecoder().decode(Body.self, from: Data(bytes.readableBytesView))
    } catch DecodingError.typeMismatch(_, let context), DecodingError.valueNotFound(_, let context) {
      let name = context.codingPath.map(\.stringValue).joined(separator: "/")
      throw RequestProblem.badRequest(
        "nearby.malformed",
        name.isEmpty
          ? "The body is JSON, but not an object. Send {\"latitude\": …, \"longitude\": …}."
          : "The member \(name) has the wrong type: world is a text, all the others are numbers."
      )
    } catch {
      throw RequestProblem.badRequest("body.json", "The body is not well-formed JSON.")
    }
    return try search(
      latitude: body.latitude,
      longitude: body.longitude,
      limit: body.limit,
      radius: body.radius,
      world: body.world
    )
  }

  /// The question if it is one of numbers and plain texts, each of the right kind; `nil` for all others, right or wrong.
  private static func search(flat bytes: ByteBuffer) throws(RequestProblem) -> NearbySearch? {
    guard let flat = FlatQuestion(bytes) else { return nil }
    var numbers: [Double?] = []
    for name in ["latitude", "longitude", "limit", "radius"] {
      switch flat[name] {
      case .number(let value): numbers.append(value)
      case .text: return nil
      case nil: numbers.append(nil)
      }
    }
    var world: String?
    switch flat["world"] {
    case .text(let text): world = text
    case .number: return nil
    case nil: break
    }
    return try search(
      latitude: numbers[0],
      longitude: numbers[1],
      limit: numbers[2],
      radius: numbers[3],
      world: world
    )
  }

  private static func search(
    latitude: Double?,
    longitude: Double?,
    limit: Double?,
    radius: Double?,
    world: String?
  ) throws(RequestProblem) -> NearbySearch {
    guard let latitude else { throw missing("latitude") }
    guard let longitude else { throw missing("longitude") }
    guard (-90...90).contains(latitude) else { throw outOfRange("latitude", "-90 to 90 degrees") }
    guard (-180...180).contains(longitude) else { throw outOfRange("longitude", "-180 to 180 degrees") }
    let limit = limit ?? 10
    guard (1...Double(largestLimit)).contains(limit), limit == limit.rounded() else {
      throw outOfRange("limit", "a whole number from 1 to \(largestLimit)")
    }
    if let radius, radius < 0 { throw outOfRange("radius", "0 metres or more") }
    return NearbySearch(
      center: Geodetic(latitudeDegrees: latitude, longitudeDegrees: longitude),
      limit: Int(clamped: limit),
      radius: radius ?? .infinity,
      world: world
    )
  }

  private static func malformed(_ name: String, _ text: String) -> RequestProblem {
    .badRequest(
      "nearby.malformed",
      "\(name) is \"\(text.prefix(40))\", which is not a number. Write it with a full stop, such as 48.3984."
    )
  }

  private static func missing(_ name: String) -> RequestProblem {
    .badRequest("nearby.missing", "\(name) is missing. latitude and longitude, in degrees, are needed.")
  }

  private static func outOfRange(_ name: String, _ range: String) -> RequestProblem {
    .badRequest("nearby.range", "\(name) is out of range; it has to be \(range).")
  }
}
