import Foundation
import SightlineOpenStreetMap
import SightlineWalking

/// What an import is doing.
public enum GroundStage: Sendable {
  case reading, shapes, tiles, walking
}

/// From an extract to a ground file, in stages.
enum GroundBuilder {
  static func build(
    extract path: String,
    into target: String,
    heights: ((Double, Double) -> Double?)?,
    mostTiles: Int = TileBuilder.mostTiles,
    progress: (GroundStage, Double) -> Void
  ) async throws {
    let file = OSMFile(path: path)
    let extract = try await file.read(keeping: GroundTags.filter) { progress(.reading, $0) }
    progress(.shapes, 0)
    let builder = FeatureBuilder(extract)
    let features = StreetJoining.join(builder.features)
    guard !features.isEmpty, let bounds = extract.bounds ?? OSMBounds(around: extract.positions.values) else {
      throw GroundProblem.empty(path)
    }
    progress(.tiles, 0)
    var writer = try GroundFileWriter(path: target)
    for (index, zoom) in TileLevel.zooms.enumerated() {
      do {
        for (id, content) in try TileBuilder.tiles(of: features, zoom: zoom, most: mostTiles) {
          try writer.add(id, content.bytes())
        }
      } catch is TileBuilder.TooManyTiles {
        throw GroundProblem.tooManyTiles(mostTiles)
      }
      progress(.tiles, Double(index + 1) / Double(TileLevel.zooms.count))
    }
    progress(.walking, 0)
    let walking = try WalkingSection(extract, heights: heights)
    progress(.walking, 1)
    let omissions = builder.omissions
    let info = GroundInfo(
      bounds: .init(
        south: Double(bounds.south) * 1e-7,
        west: Double(bounds.west) * 1e-7,
        north: Double(bounds.north) * 1e-7,
        east: Double(bounds.east) * 1e-7
      ),
      counts: .init(
        nodes: extract.positions.count,
        ways: extract.ways.count,
        relations: extract.relations.count,
        buildings: features.count { $0.kind == .building },
        streets: features.count { $0.kind.isLine && (50..<70).contains($0.kind.rawValue) },
        tiles: writer.tileCount,
        walkingNodes: walking.nodes,
        walkingEdges: walking.edges
      ),
      omissions: .init(
        openAreas: omissions.openAreas,
        missingNodes: omissions.missingNodes,
        missingWays: omissions.missingWays,
        openCoasts: omissions.openCoasts
      ),
      source: (path as NSString).lastPathComponent,
      sourceBytes: file.size,
      built: Date()
    )
    try writer.finish(info: info, walking: walking.bytes)
  }
}
