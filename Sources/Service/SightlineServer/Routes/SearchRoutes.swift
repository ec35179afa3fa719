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
    routes.add(
      .get,
      "/api/v1/search",
      .init(
        "Worlds and places by name, over all published worlds",
        query: [
          "q": .string(longest: SearchRoutes.longest), "latitude": .latitude, "longitude": .longitude,
          "limit": .integer(in: 1...SearchRoutes.largestLimit), "language": .language,
        ],
        answer: .json(SearchResults.self)
      ),
      cost: .render
    ) { exchange in
      try readiness.require()
      let search = try SearchRoutes.search(exchange.queryFields)
      let matches = search.matches(in: catalog.snapshot)
      return try Answers.json(
        SearchResults(results: matches.map { SearchResults.Entry($0, language: search.language) }),
        shared: true
      )
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

/// What was found by name.
struct SearchResults: Codable, Described, Sendable {
  /// A world, or a place in one.
  struct Named: Codable, Sendable {
    var id: String
    var title: String
  }

  struct Entry: Codable, Sendable {
    var world: Named
    /// `null` where the world itself is meant.
    @OrNull var place: Named?
    @OrNull var latitude: Double?
    @OrNull var longitude: Double?

    init(_ match: WorldSearch.Match, language: String?) {
      let name = match.digest.names[match.number]
      let title = match.digest.title(match.number, in: language)
      world = Named(id: match.world.id, title: match.digest.title(0, in: language))
      _place = OrNull(wrappedValue: name.place.map { Named(id: $0, title: title) })
      _latitude = OrNull(wrappedValue: name.latitude.isFinite ? name.latitude : nil)
      _longitude = OrNull(wrappedValue: name.longitude.isFinite ? name.longitude : nil)
    }
  }

  var results: [Entry]
}
