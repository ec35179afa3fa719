import Foundation
import Hummingbird
import NIOCore
import NIOFoundationCompat
import SightlineGround

/// `/api/v1/ground/tiles/…`: the map that the operator made of an extract of OpenStreetMap.
struct GroundTileRoutes: Sendable {
  let ground: GroundLibrary?

  static let mediaType = "application/vnd.sightline.ground-tile"

  func add(to routes: inout RouteTable) {
    routes.add(
      .get,
      "/api/v1/ground/tiles/{zoom}/{column}/{row}",
      .init(
        "A tile of the operator's own map (Documentation/formats/ground.md)",
        query: ["version": .string],
        answer: .file(Self.mediaType),
        also: [204, 304],
        refusals: [404]
      )
    ) { exchange in
      guard let ground, !ground.grounds.isEmpty else {
        throw RequestProblem.notFound(
          "ground.none",
          "This server has no map of its own. Its operator can add one with sightline ground add EXTRACT.osm.pbf."
        )
      }
      let numbers = exchange.parameters.map { Int($0) ?? -1 }
      guard let id = TileID(zoom: numbers[0], column: numbers[1], row: numbers[2]) else {
        throw RequestProblem.notFound(
          "ground.tile",
          "There is no such tile: zooms are \(TileLevel.zooms.map(String.init).joined(separator: ", ")), columns and rows from 0 to below 2 to the power of the zoom."
        )
      }
      // With the version in the address what it names does not change.
      let cache = exchange.queryFields["version"] == nil ? "public, max-age=300" : "public, max-age=31536000, immutable"
      guard let tile = ground.tile(id) else {
        return Response(status: .noContent, headers: [.cacheControl: cache, .accessControlAllowOrigin: "*"])
      }
      let plain = exchange.acceptsGzip ? [] : GroundFile.content(tile.packed)
      guard let plain else {
        throw RequestProblem.notFound(
          "ground.damaged",
          "This tile is damaged. The operator has to add the extract again."
        )
      }
      return Answers.tagged(
        exchange,
        mediaType: Self.mediaType,
        etag: "\"\(tile.version)\"",
        cache: cache,
        plain: ByteBuffer(bytes: plain),
        gzip: ByteBuffer(data: tile.packed),
        headers: Answers.sharedHeaders
      )
    }
  }
}
