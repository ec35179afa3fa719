import HTTPTypes
import Hummingbird

/// `GET /api/v1/geocode`: addresses by name, from the operator's service.
struct GeocodeRoutes: Sendable {
  let geocoder: Geocoder?

  func add(to routes: inout RouteTable) {
    routes.add(.get, "/api/v1/geocode") { exchange in
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
      var json = JSONWriter(capacity: 16 + found.count * 160)
      json.beginObject()
      json.name("results")
      json.beginArray()
      for address in found {
        json.beginObject()
        json.member("title", address.title)
        json.member("detail", address.detail)
        json.member("latitude", address.latitude)
        json.member("longitude", address.longitude)
        json.endObject()
      }
      json.endArray()
      json.endObject()
      return Answers.json(json.buffer)
    }
  }
}
