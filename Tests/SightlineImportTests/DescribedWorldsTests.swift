import Foundation
import SightlineContent
import SightlineImport
import SightlineMath
import SightlineScene
import SightlineWorlds
import Testing

/// All worlds of the fixtures become what the page made of them when it decided by itself, number by number.
///
/// `Fixtures/worlds/described.jsonl` was written by that JavaScript before it was removed: one world a line, with the sizes of
/// the labels that it measured. Only the key of a place without an identifier differs: it was made of its position's digits,
/// and is made of its bits; a world that says nothing of its radar's range had 1000 m, and follows the
/// user's radius now; and the place on a picture of Layar's, which was left out then, is the engine's.
struct DescribedWorldsTests {
  struct Described: Decodable {
    var file: String
    var labels: [String: [Double]]
    var head: [Double]
    var features: [[Double?]]
    var overlays: [[Double]]
    var paths: [[Double?]]
  }

  static let fixtures = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent().appendingPathComponent("Fixtures")

  static func described() throws -> [Described] {
    try String(contentsOf: fixtures.appendingPathComponent("worlds/described.jsonl"), encoding: .utf8)
      .split(separator: "\n").map { try JSONDecoder().decode(Described.self, from: Data($0.utf8)) }
  }

  @Test func `every world of the fixtures is what the page made of it`() throws {
    let all = try Self.described()
    #expect(all.count >= 25)
    for expected in all {
      let document = try ImportedDocument(fileAt: Self.fixtures.appendingPathComponent(expected.file).path)
      let dimension = try #require(document.dimension, "\(expected.file)")
      var addresses = AddressTable()
      var categories = CategoryNumbers()
      let base = URL(string: "https://walks.example/a/world.gddf")
      var unknown: [String] = []
      let world = WorldDescription(
        dimension,
        addresses: &addresses,
        categories: &categories,
        resolve: { URL(string: $0, relativeTo: base)?.absoluteString },
        measure: { text in
          guard let size = expected.labels[text] else {
            unknown.append(text)
            return (LabelSize(), LabelSize())
          }
          return (LabelSize(width: size[0], height: size[1]), LabelSize(width: size[2], height: size[3]))
        }
      )
      #expect(unknown.isEmpty, "\(expected.file): \(unknown)")
      #expect(world.radarRange == dimension.radarRange ?? 0)
      let refresh = Double(world.refreshAddress?.rawValue ?? -1)
      #expect(
        [
          dimension.radarRange == nil ? 1000 : world.radarRange, world.radarAvailable ? 1 : 0,
          world.refresh.intervalSeconds, world.refresh.distance,
          refresh,
        ] == expected.head,
        "\(expected.file)"
      )
      #expect(world.features.count == expected.features.count, "\(expected.file)")
      for (index, (feature, row)) in zip(world.features, expected.features).enumerated() {
        let first = dimension.places[index].id == nil ? 1 : 0
        #expect(
          Self.row(feature, in: world).dropFirst(first) == row.dropFirst(first),
          "\(expected.file), place \(index)"
        )
      }
      #expect(
        world.overlays.map { [Double($0.key), $0.hidden ? 1 : 0] + Self.action($0.action) } == expected.overlays,
        "\(expected.file)"
      )
      #expect(world.paths.map { Self.row($0, in: world) } == expected.paths, "\(expected.file)")
    }
  }

  private static func row(_ feature: SceneFeature, in world: WorldDescription) -> [Double?] {
    let number = { (value: Double) in value.isNaN ? nil : value }
    var row: [Double?] = [
      Double(feature.key), number(feature.latitudeDegrees), number(feature.longitudeDegrees), feature.altitude,
      // The page told only these two apart.
      feature.altitudeDatum.isAbsolute ? 0 : 1,
    ]
    row += [feature.offset.x, feature.offset.y, feature.offset.z]
    row += [Double(feature.kind.rawValue), Double(feature.sizeMode.rawValue), feature.width, feature.height]
    row += [feature.pivot.x, feature.pivot.y, Double(feature.category), feature.showInRadar ? 1 : 0]
    row += [feature.visibilityRadius] + action(feature.action).map(Optional.some)
    row += [feature.compactWidth, feature.compactHeight]
    return row + feature.focusOverlays.map { Double(world.focusOverlays[$0]) }
  }

  private static func row(_ path: ScenePath, in world: WorldDescription) -> [Double?] {
    [Double(path.feature), Double(path.shape), path.isRing ? 1 : 0]
      + world.pathVertices[path.vertices].flatMap {
        [$0.latitudeDegrees, $0.longitudeDegrees, $0.altitude.isNaN ? nil : $0.altitude]
      }
  }

  private static func action(_ action: SceneAction) -> [Double] {
    switch action {
    case .none: [0, -1]
    case .refresh: [1, -1]
    case .webPage(let address): [2, Double(address.rawValue)]
    case .dimension(let address): [3, Double(address.rawValue)]
    }
  }

  @Test func `many places on pictures cost as much on different ones as on one`() {
    func described(_ asset: (Int) -> String) -> (time: Duration, anchors: [String]) {
      var dimension = Dimension()
      dimension.places = (0..<6_000).map { (number: Int) in
        var place = Place(title: "p", position: nil, visual: .text("p"))
        place.target = TargetAnchor(assetID: asset(number), width: 0.2)
        return place
      }
      var anchors: [String] = []
      let time = ContinuousClock().measure { anchors = WorldDescription(dimension).anchors.map { "\($0.id)" } }
      return (time, anchors)
    }
    let one = described { _ in "a" }
    let many = described { "picture-\($0)" }
    #expect(one.anchors == ["picture(0)"])
    #expect(many.anchors == (0..<6_000).map { "picture(\($0))" })
    #expect(many.time < one.time * 4 + .seconds(1), "\(many.time), \(one.time) on one")
  }
}
