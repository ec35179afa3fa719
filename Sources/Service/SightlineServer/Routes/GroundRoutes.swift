import Hummingbird
import SightlineTerrain

/// `POST /api/v1/ground`: how high the ground is, from the operator's terrain.
///
/// Places go in the body and not into the address, which is written down in more logs than this server's.
struct GroundRoutes: Sendable {
  let terrain: TerrainHeights?

  /// A place takes 60 bytes with all its digits.
  private static let largestBody = 64 * 1024

  func add(to routes: inout RouteTable) {
    routes.add(
      .post,
      "/api/v1/ground",
      .init(
        "Heights of the ground over the sea, from the operator's terrain",
        body: .json(GroundQuestion.self),
        answer: .json(GroundHeights.self),
        refusals: [403, 404]
      )
    ) { exchange in
      try exchange.requireOwnPage()
      guard let terrain else {
        throw RequestProblem.notFound(
          "ground.off",
          "This server has no terrain. Its operator can add tiles with sightline terrain add; the ground is taken to be level without."
        )
      }
      let question = try await exchange.json(GroundQuestion.self, limit: Self.largestBody)
      guard question.places.count <= GroundQuestion.most else {
        throw RequestProblem.badRequest(
          "ground.places",
          "There are \(question.places.count) places; ask for at most \(GroundQuestion.most) at a time."
        )
      }
      let heights = try question.places.enumerated().map { index, place in
        guard abs(place.latitude) <= 90, abs(place.longitude) <= 180 else {
          throw RequestProblem.badRequest(
            "ground.place",
            "Place \(index) is none: latitudes are −90 to 90, longitudes −180 to 180 degrees."
          )
        }
        let height = terrain.height(latitudeDegrees: place.latitude, longitudeDegrees: place.longitude)
        return OrNull(wrappedValue: height.map { ($0 * 10).rounded() / 10 })
      }
      return try Answers.json(GroundHeights(heights: heights), cache: "no-store")
    }
  }
}

/// Places whose ground is asked for.
struct GroundQuestion: Codable, Described, Sendable {
  struct Point: Codable, Described, Sendable {
    var latitude: Double
    var longitude: Double

    static let schemaName = "GroundPoint"
    static var rules: [String: JSONSchema] { ["latitude": .latitude, "longitude": .longitude] }
  }

  /// Most places of a question.
  static let most = 500

  var places: [Point]

  static var rules: [String: JSONSchema] { ["places": .list(.component("GroundPoint"), to: most)] }
}

/// Metres over the sea, in the order of the places; `null` where there is no terrain.
struct GroundHeights: Codable, Described, Sendable {
  var heights: [OrNull<Double>]
}
