import Foundation
import SightlineTestSupport
import Testing

@testable import SightlineTransit

/// Lines in their order, their colours and modes.
@Suite struct LineAppearanceTests {
  @Test func linesInOrder() {
    let names = ["1", "2", "10", "60", "519", "7E", "16X", "Blå", "Grön", "GUL", "X1"]
    #expect(names.reversed().sorted { LineOrder($0) < LineOrder($1) } == names)
  }

  @Test func lineOrderIsTotal() {
    var random = SplitMix64(seed: 5)
    let letters = Array("0019aBäÅzX é-")
    for language in ["", "sv", "de"] {
      let names = (0..<10_000).map { _ in
        String((0..<Int(random.next() % 5)).map { _ in letters[Int(random.next() % UInt64(letters.count))] })
      }
      let keyed = names.map { (name: $0, order: LineOrder($0, language: language)) }
      let sorted = keyed.sorted { $0.order < $1.order }
      #expect(keyed.shuffled(using: &random).sorted { $0.order < $1.order }.map(\.name) == sorted.map(\.name))
      // Whatever stands before something stands before all that comes after it, and nothing else does.
      for _ in 0..<20_000 {
        let (i, j) = (Int(random.next() % 10_000), Int(random.next() % 10_000))
        let isBefore = sorted[i].order < sorted[j].order
        #expect(isBefore == (i < j && sorted[i].name != sorted[j].name), "\(sorted[i].name) \(sorted[j].name)")
      }
    }
  }

  @Test func linesInTheProvidersLanguage() throws {
    let names = ["Zeta", "Ärla", "Åsa", "Östra", "Blå", "Ola", "öst"]
    func sorted(_ language: String) -> [String] {
      names.sorted { LineOrder($0, language: language) < LineOrder($1, language: language) }
    }
    #expect(sorted("sv-SE") == ["Blå", "Ola", "Zeta", "Åsa", "Ärla", "öst", "Östra"])
    #expect(sorted("de") == ["Ärla", "Åsa", "Blå", "Ola", "öst", "Östra", "Zeta"])
    #expect(sorted("") == sorted("de"))
    // The feed's language, or its agency's.
    let routes = "route_id,agency_id,route_short_name,route_type\n" + names.map { "\($0),A,\($0),3\n" }.joined()
    let trips = "route_id,service_id,trip_id\nZeta,W,T1\n"
    let agency =
      "agency_id,agency_name,agency_url,agency_timezone,agency_lang\nA,A,http://example.org,Europe/Stockholm,sv\n"
    for (info, language) in [
      (nil, "sv"), ("feed_publisher_name,feed_publisher_url,feed_lang\nA,http://a.org,de\n", "de"),
    ] {
      let (schedule, _) = try FeedFolder([
        "routes.txt": routes, "trips.txt": trips, "agency.txt": agency, "feed_info.txt": info,
      ]).imported()
      let lines = try ScheduleDirectory(schedule).lines.sorted { $0.rank < $1.rank }
      #expect(lines.map(\.name) == sorted(language))
    }
  }

  @Test func colorsCanBeRead() {
    #expect(LineColors(color: nil, textColor: nil) == LineColors(color: 0xFFFFFF, textColor: 0))
    #expect(LineColors(color: 0xFFFF33, textColor: 0xFFFFFF).textColor == 0)
    #expect(LineColors(color: 0x00394D, textColor: nil).textColor == 0xFFFFFF)
    #expect(LineColors(color: 0x00394D, textColor: 0xFFFF00).textColor == 0xFFFF00)
    #expect(abs(LineColors.contrast(0, 0xFFFFFF) - 21) < 1e-9)
  }

  @Test func routeTypes() {
    let modes = [0, 1, 2, 3, 4, 7, 11, 12, 109, 204, 401, 702, 900, 1000, 1300, 1501, 8, 1234, 77].map(TransitMode.init)
    #expect(
      modes == [
        .tram, .metro, .rail, .bus, .ferry, .funicular, .trolleybus, .monorail, .rail, .coach, .metro, .bus, .tram,
        .ferry,
        .aerialLift, .taxi, .other, .ferry, .other,
      ]
    )
  }
}
