import Foundation
import SightlineContent
import SightlineFormats
import Testing

@Suite struct DemonstrationTests {
  @Test func `the places of Ulm are valid and complete`() throws {
    let report = ValidationReport(try Fixtures.bytes("demo/ulm.area.xml"), file: "ulm.area.xml")
    #expect(report.valid && report.problems.isEmpty, "\(report.text())")
    let world = try #require(report.dimension)
    #expect(world.name == "Ulm")
    #expect(world.places.count >= 17)
    #expect(world.places[0].title == "Ulm")
    #expect(world.places[0].position == Position(latitude: 48.4042981, longitude: 9.979349, altitude: 479))
    #expect(world.places[1].title == "Neu-Ulm")
    #expect(world.places[1].position == Position(latitude: 48.3906042, longitude: 10.0060398, altitude: 380))
    #expect(Set(world.places.map(\.title)).count == world.places.count)
    #expect(Set(world.places.map(\.id)).count == world.places.count)
    for place in world.places {
      #expect(place.categories.count == 1 && place.summary != nil && place.altitudeMode == .seaLevel)
      let position = try #require(place.position)
      // Nothing is further than 8 km from the Minster.
      #expect(abs(position.latitude - 48.3985) < 0.07 && abs(position.longitude - 9.9925) < 0.1, "\(place.title)")
    }
  }

  @Test func `the sights of Helsinki are valid and stand on the ground beside them`() throws {
    let report = ValidationReport(try Fixtures.bytes("demo/helsinki.geojson"), file: "helsinki.geojson")
    #expect(report.valid && report.problems.isEmpty, "\(report.text())")
    let world = try #require(report.dimension)
    #expect(world.places.count >= 12 && Set(world.places.map(\.title)).count == world.places.count)
    for place in world.places {
      #expect(place.categories.count == 1 && place.summary != nil)
      let position = try #require(place.position)
      // The extract's bounds.
      #expect((60.1642...60.1791).contains(position.latitude), "\(place.title)")
      #expect((24.9352...24.9534).contains(position.longitude), "\(place.title)")
    }
  }

  @Test func `the Danube walk is valid and uses what GDDF offers`() throws {
    let report = ValidationReport(try Fixtures.bytes("demo/danube-walk.gddf"), file: "danube-walk.gddf")
    #expect(report.valid, "\(report.text())")
    // Addresses that the importer and the server's own worlds need are relative; nothing else is odd.
    #expect(report.problems.allSatisfy { $0.code == "D041" || $0.code == "D050" }, "\(report.text())")
    let world = try #require(report.dimension)
    #expect(world.places.contains { if case .image = $0.visual { true } else { false } })
    #expect(world.places.contains { if case .text = $0.visual { true } else { false } })
    #expect(world.places.contains { $0.action == .dimension("/worlds/ulm.gddf") })
    #expect(world.overlays.contains { $0.action == .refresh })
    #expect(world.overlays.contains { $0.hidden })
    #expect(world.refreshIntervalSeconds == 300 && world.refreshDistance == 2000)
    let overlays = Set(world.overlays.compactMap(\.id))
    #expect(Set(world.places.flatMap(\.showOnFocus)).isSubset(of: overlays))
    for asset in world.assets {
      let picture = try Fixtures.bytes("demo/\(asset.url)")
      #expect(picture.starts(with: [0x89, 0x50, 0x4E, 0x47]))
    }
  }
}
