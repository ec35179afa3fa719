import HTTPTypes
import Hummingbird

/// `GET /api/v1/geocode`: addresses by name, from the operator's service.
struct GeocodeRoutes: Sendable {
  let geocoder: Geocoder?

  func add(to routes: inout RouteTable) {
    routes.add(
      .get,
      "/api/v1/geocode",
      .init(
        "Addresses by name, from the operator's geocoder",
        query: [
          "q": .string(longest: Geocoder.Question.longest), "latitude": .latitude, "longitude": .longitude,
          "language": .language,
        ],
        answer: .json(AddressList.self),
        refusals: [403, 404, 502, 504]
      )
    ) { exchange in
      try exchange.requireOwnPage()
      guard let geocoder else {
        throw RequestProblem.notFound(
          "geocode.off",
          "This server finds no addresses. Its operator can name a service with --geocoder; coordinates work without."
        )
      }
      let fields = exchange.queryFields
      let place = try SearchRoutes.position(of: fields)
      guard
        let question = Geocoder.Question(
          text: fields["q"] ?? "",
          latitude: place?.latitudeDegrees,
          longitude: place?.longitudeDegrees,
          language: fields["language"]
        )
      else {
        throw RequestProblem.badRequest(
          "geocode.query",
          "The field q is missing, empty, or longer than \(Geocoder.Question.longest) characters; write what is to be found."
        )
      }
      let found = try await geocoder.find(question, client: exchange.client)
      return try Answers.json(AddressList(results: found.map(AddressList.Entry.init)))
    }
  }
}

/// Addresses that were found.
struct AddressList: Codable, Described, Sendable {
  struct Entry: Codable, Sendable {
    var title: String
    var detail: String
    var latitude: Double
    var longitude: Double

    init(_ address: FoundAddress) {
      title = address.title
      detail = address.detail
      latitude = address.latitude
      longitude = address.longitude
    }
  }

  var results: [Entry]
}
