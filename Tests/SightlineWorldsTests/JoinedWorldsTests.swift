import SightlineScene
import SightlineWorlds
import Testing

/// Several worlds as one scene.
struct JoinedWorldsTests {
  private func world(_ places: Int, overlays: Int = 0, radar: Double = 1000) -> WorldDescription {
    var compiler = WorldCompiler()
    compiler.setRadar(range: radar, isAvailable: true)
    for index in 0..<overlays { compiler.addOverlay(id: "o\(index)".utf16, isHidden: true, action: .none) }
    for index in 0..<places {
      var place = PlaceContent(id: "p\(index)".utf16, title: "P".utf16)
      (place.latitudeDegrees, place.longitudeDegrees) = (48, 10)
      compiler.add(place)
      for overlay in 0..<overlays { compiler.addFocusOverlay("o\(overlay)".utf16) }
      compiler.addPart(ofPlace: index, shape: 0, isArea: false)
      compiler.addCorner(PathVertex(latitudeDegrees: 48, longitudeDegrees: Double(index)))
    }
    return compiler.world
  }

  @Test func `the first world alone is as it came`() {
    let one = world(3, overlays: 1)
    let joined = JoinedWorlds([(0, one)])
    #expect(joined.world == one)
    #expect(joined.parts.count == 1 && joined.parts[0].features == 0..<3 && joined.parts[0].overlays == 0..<1)
    // Beside it others have keys of their own, even alone.
    #expect(JoinedWorlds([(2, one)]).world.features[0].key != one.features[0].key)
  }

  @Test func `worlds follow one another, with all that points into them`() throws {
    let joined = JoinedWorlds([(0, world(2, overlays: 1)), (3, world(0)), (5, world(1, overlays: 2, radar: 4000))])
    #expect(joined.parts.map(\.number) == [0, 3, 5])
    #expect(
      joined.parts.map(\.features) == [0..<2, 2..<2, 2..<3] && joined.parts.map(\.overlays) == [0..<1, 1..<1, 1..<3]
    )
    let features = joined.world.features
    #expect(features[2].focusOverlays.map { joined.world.focusOverlays[$0] } == [1, 2])
    #expect(Set(features.map(\.key)).count == 3)
    #expect(joined.world.paths.map(\.feature) == [0, 1, 2] && Set(joined.world.paths.map(\.shape)).count == 3)
    #expect(joined.world.pathVertices[joined.world.paths[2].vertices.lowerBound].longitudeDegrees == 0)
    #expect(joined.world.radarRange == 4000 && joined.world.refreshAddress == nil)
    #expect(
      joined.part(ofFeature: 2)?.number == 5 && joined.part(ofFeature: 3) == nil && joined.part(ofFeature: -1) == nil
    )
    #expect(joined.part(ofOverlay: 0)?.number == 0 && joined.part(ofWorld: 3)?.features == 2..<2)
  }

  @Test func `nothing shown is an empty scene with a radar`() {
    let joined = JoinedWorlds([])
    #expect(joined.world.features.isEmpty && joined.world.radarAvailable && joined.world.radarRange == 0)
    #expect(joined.parts.isEmpty)
  }
}
