import HTTPTypes
import Hummingbird
import SightlineGeodesy
import SightlineInput

/// `GET /api/v1/search`: worlds and places by name, over all published worlds.
struct SearchRoutes: Sendable {
  let catalog: Catalog
  let readiness: Readiness

  private static let largestLimit = 50
  /// Longest text that is searched for, characters.
  private static let longest = 200

  func add(to routes: inout RouteTable) {
    routes.add(.get, "/api/v1/search", cost: .render) { exchange in
      try readiness.require()
      let search = try SearchRoutes.search(exchange.queryFields)
      return Answers.json(search.answer(in: catalog.snapshot), shared: true)
    }
  }

  static func search(_ fields: FormFields) throws(RequestProblem) -> WorldSearch {
    guard let text = fields["q"], !text.isEmpty, text.count <= longest else {
      throw .badRequest(
        "search.query",
        "The field q is missing, empty, or longer than \(longest) characters; write what is to be found."
      )
    }
    var limit = 10
    if let given = fields["limit"] {
      guard let number = Int(given), (1...largestLimit).contains(number) else {
        throw .badRequest("search.range", "limit has to be a whole number from 1 to \(largestLimit).")
      }
      limit = number
    }
    let language = fields["language"].map { String($0.prefix(8).prefix { $0 != "-" && $0 != "_" }).lowercased() }
    return WorldSearch(
      words: SearchText.words(text),
      center: try position(of: fields),
      limit: limit,
      language: language
    )
  }

  /// A position in the fields `latitude` and `longitude`, which may be missing both.
  static func position(of fields: FormFields) throws(RequestProblem) -> Geodetic? {
    guard fields["latitude"] != nil || fields["longitude"] != nil else { return nil }
    guard let latitude = fields["latitude"].flatMap(Double.init), (-90...90).contains(latitude),
      let longitude = fields["longitude"].flatMap(Double.init), (-180...180).contains(longitude)
    else {
      throw .badRequest(
        "search.position",
        "latitude and longitude belong together, in degrees: -90 to 90 and -180 to 180. Leave out both, or correct them."
      )
    }
    return Geodetic(latitudeDegrees: latitude, longitudeDegrees: longitude)
  }
}
