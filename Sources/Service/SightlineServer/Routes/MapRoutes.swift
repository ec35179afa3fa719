import Foundation
import HTTPTypes
import Hummingbird
import SightlineContent
import SightlineReadWorkers

/// `POST /api/v1/osm/{topic}`: what OpenStreetMap has of a topic around a phone, as a world.
///
/// The position comes in the body, so that it is in no log on the way; what the service is told is rounded, see
/// ``MapSource``.
struct MapRoutes: Sendable {
  let source: MapSource?
  let isSecure: Bool
  let publicURL: String?

  func add(to routes: inout RouteTable) {
    routes.add(
      .post,
      "/api/v1/osm/{topic}",
      .init(
        "What OpenStreetMap has of a topic, as a world",
        body: .form("DimensionRequest"),
        answer: .json(ForeignWorldAnswer.self),
        refusals: [403, 422, 502, 504]
      ),
      cost: .heavy
    ) { exchange in
      try exchange.requireOwnPage()
      guard let source else {
        throw RequestProblem(
          .notFound,
          "osm.off",
          "This server does not ask OpenStreetMap. Its operator can name a service with --overpass."
        )
      }
      let name = exchange.parameters[0]
      guard let topic = MapTopic(name) else {
        throw RequestProblem(
          .notFound,
          "osm.topic",
          "\"\(name.prefix(60))\" is no topic. There are \(MapTopic.all.map(\.id).joined(separator: ", ")), and tags such as "
            + "amenity=bench or shop=books."
        )
      }
      guard let place = NearbyWorld.place(of: try await exchange.formFields()) else {
        throw RequestProblem.badRequest(
          "osm.position",
          "The fields lat and lon are missing or out of range: this world is what is around you, so it needs your position."
        )
      }
      let answer = try await source.world(topic, latitude: place.latitudeDegrees, longitude: place.longitudeDegrees)
      let url = exchange.origin(secure: isSecure, configured: publicURL) + "/api/v1/osm/\(topic.id)"
      guard let json = try WorldJSON.foreign(answer.world, url: url) else { throw ReadFailure.garbage }
      return Answers.json(json)
    }
  }
}
