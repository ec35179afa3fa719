import Hummingbird
import SightlineContent
import SightlineTerrain

/// `/api/v1/settings`: what the web client has to know about this server.
struct SettingsRoutes: Sendable {
  let tiles: TileSource?
  let transit: TransitService?
  let hasMaps: Bool
  let hasGeocoder: Bool
  let terrain: TerrainHeights?
  let publicAddress: PublicAddress
  let webClient: WebClientFiles?

  func add(to routes: inout RouteTable) {
    routes.add(
      .get,
      "/api/v1/settings",
      .init("What a client has to know about this server", answer: .json(SettingsAnswer.self))
    ) { _ in
      try Answers.json(
        SettingsAnswer(
          tiles: tiles.map {
            SettingsAnswer.Tiles(url: $0.url, attribution: $0.attribution, maxZoom: $0.maxZoom)
          },
          transit: transit.map { SettingsAnswer.Transit(demonstration: $0.hub.clock.isSet) },
          osm: hasMaps ? SettingsAnswer.Maps(topics: MapTopic.all.map(\.id)) : nil,
          languages: webClient?.current().languages ?? [],
          version: Version.current,
          publicURL: publicAddress.current,
          hasGeocoder: hasGeocoder,
          hasTerrain: terrain.map { !$0.folder.isEmpty } ?? false
        ),
        cache: "no-cache"
      )
    }
  }
}

/// What a client has to know about a server.
struct SettingsAnswer: Codable, Described, Sendable {
  struct Tiles: Codable, Sendable {
    var url: String
    var attribution: String
    var maxZoom: Int
  }

  struct Transit: Codable, Sendable {
    /// Whether it plays a recorded day.
    var demonstration: Bool
  }

  struct Maps: Codable, Sendable {
    var topics: [String]
  }

  /// Map tiles; `null` for none, as with all that a server may do without.
  @OrNull var tiles: Tiles?
  @OrNull var transit: Transit?
  @OrNull var osm: Maps?
  var languages: [String]
  var version: String
  @OrNull var publicURL: String?
  var hasGeocoder: Bool
  /// Whether heights of the ground can be asked for.
  var hasTerrain: Bool

  static let schemaName = "Settings"
}
