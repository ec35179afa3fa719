import Foundation
import Hummingbird
import SightlineContent
import SightlineGround
import SightlineTerrain

/// `/api/v1/settings`: what the web client has to know about this server.
struct SettingsRoutes: Sendable {
  let tiles: TileSource?
  let transit: TransitService?
  let hasMaps: Bool
  let hasGeocoder: Bool
  let terrain: TerrainHeights?
  let ground: GroundLibrary?
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
          hasTerrain: terrain.map { !$0.folder.isEmpty } ?? false,
          ground: ground.flatMap { SettingsAnswer.Ground($0.grounds) }
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

  /// The operator's own map.
  struct Ground: Codable, Sendable {
    /// Changes with what is shown: it goes into the addresses of tiles.
    var version: String
    var attribution: String
    /// The zooms that there are tiles for.
    var zooms: [Int]
    /// Of each area west and north, east and south, in columns and rows of the finest tiles.
    var areas: [[Int]]

    init?(_ grounds: [GroundFile]) {
      guard let first = grounds.first else { return nil }
      version = ContentTag.of(Data(grounds.map(\.identifier).joined(separator: " ").utf8))
      attribution = first.info.attribution
      zooms = TileLevel.zooms
      areas = grounds.map { TileLevel.range(of: $0.info.bounds) }
    }
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
  /// Tiles of the operator's own map: `/api/v1/ground/tiles/{zoom}/{column}/{row}`.
  @OrNull var ground: Ground?

  static let schemaName = "Settings"
}
